! SPDX-FileCopyrightText: The lacis authors
! SPDX-License-Identifier: Apache-2.0
! What a Fortran program needs of lacis.h: put this file beside yours. The types have the members of those in C, in
! their order; further functions are declared in the same way.
module lacis
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: lacis_ok = 0
  integer(c_int), parameter :: lacis_csr = 0, lacis_csc = 1
  integer(c_int), parameter :: lacis_float32 = 0, lacis_float64 = 1, lacis_complex64 = 2, lacis_complex128 = 3
  integer(c_int), parameter :: lacis_solve_converged = 0

  type, bind(c) :: lacis_view
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: format = lacis_csr
    integer(c_int) :: value_type = lacis_float64
    integer(c_int) :: offset_bits = 32
    integer(c_int) :: index_bits = 32
    integer(c_int) :: iso = 0
    integer(c_int64_t) :: rows = 0, cols = 0, nnz = 0
    type(c_ptr) :: offsets = c_null_ptr, indices = c_null_ptr, values = c_null_ptr
  end type

  type, bind(c) :: lacis_solve_report
    integer(c_size_t) :: struct_size = 0
    integer(c_int) :: outcome = 0
    integer(c_int64_t) :: iterations = 0
    real(c_double) :: residual = 0, true_residual = 0, seconds = 0
    character(kind=c_char) :: method(64) = c_null_char
    character(kind=c_char) :: reason(512) = c_null_char
  end type

  interface
    integer(c_int) function lacis_multiply(a, x_type, x, y, options) bind(c)
      import :: c_int, c_ptr, lacis_view
      type(lacis_view), intent(in) :: a
      integer(c_int), value :: x_type
      type(c_ptr), value :: x, y, options
    end function
    integer(c_int) function lacis_plan_make(a, options, plan) bind(c)
      import :: c_int, c_ptr, lacis_view
      type(lacis_view), intent(in) :: a
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: plan
    end function
    integer(c_int) function lacis_plan_multiply(plan, x_type, x, y, options) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), value :: x_type
      type(c_ptr), value :: x, y, options
    end function
    subroutine lacis_plan_free(plan) bind(c)
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine
    ! `method` ends with c_null_char; c_null_ptr for the options.
    integer(c_int) function lacis_solve(a, method, b, x, options, report) bind(c)
      import :: c_int, c_ptr, c_char, lacis_view, lacis_solve_report
      type(lacis_view), intent(in) :: a
      character(kind=c_char), intent(in) :: method(*)
      type(c_ptr), value :: b, x, options
      type(lacis_solve_report), intent(inout) :: report
    end function
    type(c_ptr) function lacis_last_error() bind(c)
      import :: c_ptr
    end function
  end interface

contains

  ! Indices of Fortran begin at 1, those of lacis at 0: give offsets and columns that begin at 0.
  type(lacis_view) function csr_of(rows, cols, offsets, columns, values) result(a)
    integer, intent(in) :: rows, cols
    integer(c_int), intent(in), target :: offsets(:), columns(:)
    real(c_double), intent(in), target :: values(:)
    a%struct_size = c_sizeof(a)
    a%rows = rows
    a%cols = cols
    a%nnz = size(values)
    a%offsets = c_loc(offsets)
    a%indices = c_loc(columns)
    a%values = c_loc(values)
  end function

end module
