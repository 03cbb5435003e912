! SPDX-FileCopyrightText: The lacis authors
! SPDX-License-Identifier: Apache-2.0
! A rod that is heated at one end, in Fortran.
! gfortran lacis.f90 heat.f90 $(pkg-config --libs lacis) && ./a.out
program heat
  use, intrinsic :: iso_c_binding
  use lacis
  implicit none
  integer, parameter :: points = 100
  integer(c_int), target :: offsets(points + 1), columns(3 * points)
  real(c_double), target :: values(3 * points), source(points), temperature(points), again(points)
  type(lacis_view) :: a
  type(lacis_solve_report) :: report
  type(c_ptr) :: plan
  integer :: i, j, next

  next = 0
  do i = 0, points - 1
    offsets(i + 1) = next
    do j = max(i - 1, 0), min(i + 1, points - 1)
      next = next + 1
      columns(next) = j
      values(next) = merge(2d0, -1d0, i == j)
    end do
  end do
  offsets(points + 1) = next
  a = csr_of(points, points, offsets, columns(:next), values(:next))

  source = 0
  source(1) = 100
  temperature = 0
  report%struct_size = c_sizeof(report)
  if (lacis_solve(a, 'cg' // c_null_char, c_loc(source), c_loc(temperature), c_null_ptr, report) /= lacis_ok) &
    error stop 'lacis_solve failed'
  if (report%outcome /= lacis_solve_converged) error stop 'not converged'
  print '(a, i0, a, 3f8.2)', 'cg, ', report%iterations, ' iterations:', temperature([1, points / 2 + 1, points])

  if (lacis_plan_make(a, c_null_ptr, plan) /= lacis_ok) error stop 'lacis_plan_make failed'
  if (lacis_plan_multiply(plan, lacis_float64, c_loc(temperature), c_loc(again), c_null_ptr) /= lacis_ok) &
    error stop 'lacis_plan_multiply failed'
  call lacis_plan_free(plan)
  print '(a, f8.2)', 'A x begins with', again(1)
end program
