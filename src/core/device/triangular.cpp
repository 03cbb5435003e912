// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on a device: what is refused before a launch, and the one launch.
#include "device/triangular.hpp"

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/triangular.hpp"

namespace lacis::device {

template <class Value, class Index>
triangular_plan plan_triangular(runtime& device, const device_csr<Value, Index>& a, triangle part, diagonal kind) {
  summation::require_square(a.rows, a.cols);
  triangular_plan plan{part,
                       kind,
                       a.rows,
                       device.allocate<std::int64_t>(a.rows),
                       device.allocate<std::int32_t>(a.rows),
                       device.allocate<std::int64_t>(1)};
  const auto faults = device.zeros<std::int64_t>(2);
  device.launch_over(
      kernels::triangular_split<raw_memory, simt::none, Index>{a.rows, part == triangle::upper, kind == diagonal::unit,
                                                               a.row_offsets.data(), a.columns.data(),
                                                               plan.splits.data(), faults.data()},
      a.rows);
  const auto found = device.download<std::int64_t>(faults);
  if (found[1] != 0)
    throw error(errc::invalid_matrix, lacis::detail::text("triangular solve: the columns of row ", a.rows - found[1],
                                                          " do not ascend; sort the rows first"));
  if (found[0] != 0) summation::refuse_row_without_diagonal(a.rows - found[0]);
  return plan;
}

template <class Value, class Index>
void solve(runtime& device, triangular_plan& plan, const device_csr<Value, Index>& a, const device_of<Value>* b,
           device_of<Value>* x) {
  using kernel = kernels::triangular_solve<raw_memory, device_of<Value>, Index>;
  if (plan.rows != a.rows)
    throw error(errc::invalid_argument, lacis::detail::text("the plan is for ", plan.rows, " rows, the matrix has ",
                                                            a.rows, "; plan for each matrix"));
  device.fill(plan.ready, 0);
  device.fill(plan.tickets, 0);
  device.launch(
      kernel{a.rows, plan.part == triangle::upper, plan.kind == diagonal::unit, a.iso ? 0 : 1, a.row_offsets.data(),
             plan.splits.data(), a.columns.data(), a.values.data(), b, x, plan.ready.data(), plan.tickets.data()},
      runtime::blocks_for(a.rows, kernel::block_warps));
}

#define LACIS_INSTANTIATE(Value, Index)                                                                       \
  template triangular_plan plan_triangular<Value, Index>(runtime&, const device_csr<Value, Index>&, triangle, \
                                                         diagonal);                                           \
  template void solve<Value, Index>(runtime&, triangular_plan&, const device_csr<Value, Index>&,              \
                                    const device_of<Value>*, device_of<Value>*);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::device
