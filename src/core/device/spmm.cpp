// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with dense columns on a device: who runs over what, and the launches.
#include "device/spmm.hpp"

#include <cstdlib>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/spmm.hpp"

namespace lacis::device {
namespace {

/// From this many columns on, lanes over columns are busy enough in long rows.
constexpr std::int64_t many_columns = 16;

template <class T> bool rows_are_contiguous(const dense_view<T>& view) {
  return std::abs(view.col_stride) < std::abs(view.row_stride) || view.rows == 1;
}

template <class X, class Y, class Matrix>
void require_shapes(const Matrix& a, const dense_view<X>& x, const dense_view<Y>& y, std::int64_t planned) {
  using lacis::detail::text;
  if (x.rows != a.cols || y.rows != a.rows || x.cols != y.cols)
    throw error(errc::invalid_argument, text("a matrix of ", a.rows, " x ", a.cols, " times one of ", x.rows, " x ",
                                             x.cols, " does not give one of ", y.rows, " x ", y.cols));
  if (y.cols > planned)
    throw error(errc::invalid_argument,
                text("the plan is for ", planned, " dense columns, not for ", y.cols, "; plan for the most"));
}

}  // namespace

template <class Value, class Index>
spmm_plan<Value> plan_spmm(runtime& device, const device_csr<Value, Index>& a, std::int64_t columns) {
  spmm_plan<Value> plan;
  plan.columns = columns;
  plan.bins = make_row_bins(device, a.rows, a.row_offsets.data());
  if (plan.bins.joins > 0) plan.sums = device.allocate<device_of<Value>>(plan.bins.chunks * columns);
  return plan;
}

template <class Value, class Index>
void spmm(runtime& device, const spmm_plan<Value>& plan, const device_csr<Value, Index>& a, Value alpha,
          dense_view<const device_of<Value>> x, Value beta, dense_view<device_of<Value>> y) {
  using number = device_of<Value>;
  using kernels::spmm_long_by_columns;
  using kernels::spmm_long_by_entries;
  require_shapes(a, x, y, plan.columns);
  if (y.rows == 0 || y.cols == 0) return;
  const row_bins& bins = plan.bins;
  const number factor = to_device(alpha);
  const number old_factor = to_device(beta);
  const std::int64_t value_stride = a.iso ? 0 : 1;
  const std::int64_t* const offsets = a.row_offsets.data();

  device.launch_over(
      kernels::spmm_short<raw_memory, number, Index>{a.rows, y.cols, rows_are_contiguous(y), value_stride, offsets,
                                                     a.columns.data(), a.values.data(), factor, x.data, x.row_stride,
                                                     x.col_stride, old_factor, y.data, y.row_stride, y.col_stride},
      y.rows * y.cols);
  if (alpha == Value(0) || bins.chunks == 0) return;

  const auto long_kernel = [&]<template <class, class, class> class Kernel>() {
    return Kernel<raw_memory, number, Index>{
        bins.chunks,     y.cols,  bins.chunk_rows.data(), bins.chunk_numbers.data(),
        value_stride,    offsets, a.columns.data(),       a.values.data(),
        factor,          x.data,  x.row_stride,           x.col_stride,
        old_factor,      y.data,  y.row_stride,           y.col_stride,
        plan.sums.data()};
  };
  if (rows_are_contiguous(x) && y.cols >= many_columns) {
    device.launch_over(long_kernel.template operator()<spmm_long_by_columns>(), bins.chunks * y.cols);
  } else {
    const auto kernel = long_kernel.template operator()<spmm_long_by_entries>();
    device.launch(kernel, runtime::blocks_for(bins.chunks * y.cols, kernel.block_warps));
  }
  device.launch(
      kernels::spmm_join<raw_memory, number, simt::none>{bins.joins, bins.chunks, bins.join_rows.data(),
                                                         bins.join_chunks.data(), offsets, factor, old_factor,
                                                         plan.sums.data(), y.data, y.row_stride, y.col_stride},
      bins.joins * y.cols);
}

#define LACIS_INSTANTIATE(Value, Index)                                                                       \
  template spmm_plan<Value> plan_spmm<Value, Index>(runtime&, const device_csr<Value, Index>&, std::int64_t); \
  template void spmm<Value, Index>(runtime&, const spmm_plan<Value>&, const device_csr<Value, Index>&, Value, \
                                   dense_view<const device_of<Value>>, Value, dense_view<device_of<Value>>);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::device
