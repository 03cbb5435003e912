// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the plan of a device holds there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <lacis/plan.hpp>

#include "device/context.hpp"
#include "device/sell_upload.hpp"
#include "device/spmm.hpp"
#include "device/spmv.hpp"
#include "plan/layout.hpp"

namespace lacis::detail {

/// One matrix on a device. As CSR: in `csr`. As SELL-32: in by_vector.stored, and in `csr` too when the plan is for
/// several columns; otherwise `csr` has sizes and no arrays.
template <class Value, class Index> struct device_layout {
  bool is_sell = false;
  device::device_csr<Value, Index> csr;
  device::spmv_plan<Value, Index> by_vector;
  std::optional<device::spmm_plan<Value>> by_columns;
};

/// The matrix and its other sides.
template <class Value, class Index> struct device_sides {
  device_layout<Value, Index> plain;
  std::optional<device_layout<Value, Index>> transposed;
  std::optional<device_layout<Value, Index>> conjugate_transposed;
};

template <class Value, class Index> struct device_part {
  device_context where;
  device::resident<device_sides<Value, Index>> held;
};

/// The matrix on the device: as SELL-32 where `places` are given, and as CSR without them.
template <class Value, class Index>
[[nodiscard]] device_layout<Value, Index> make_device_layout(device::runtime& home, const csr_view<Value, Index>& a,
                                                             const device::sell_places<Index>* places,
                                                             std::int64_t columns);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const device_layout<Value, Index>& l);

/// A layout, how it was chosen and why.
template <class Value, class Index> struct chosen_device_layout {
  device_layout<Value, Index> made;
  plan_report report;
  std::string reason;
};
/// The layout for a matrix with canonical rows. Throws error(out_of_memory) when none fits the options' limit, of which
/// `held` bytes are taken already.
template <class Value, class Index>
[[nodiscard]] chosen_device_layout<Value, Index> choose_device_layout(device::runtime& home,
                                                                      const csr_view<Value, Index>& a,
                                                                      const plan_options& options, std::int64_t held);

/// Puts the canonical matrix and the sides that the options ask for on their device; `reason` and `report` are those of
/// the matrix itself. The plan holds `held` bytes elsewhere.
template <class Value, class Index>
[[nodiscard]] std::shared_ptr<device_part<Value, Index>> make_device_part(const csr_view<Value, Index>& a,
                                                                          const plan_options& options,
                                                                          std::int64_t held, std::string& reason,
                                                                          plan_report& report);
/// The pattern of the matrix, read back; the values are not.
template <class Value, class Index>
[[nodiscard]] csr_matrix<Value, Index> pattern_of(const device_part<Value, Index>& part);
/// Puts the values of `a`, which has the pattern of the part, in their places. A part that is not shared keeps its
/// arrays where it can; of a shared one the plan gets another. Throws error(out_of_memory), and changes nothing, when
/// the values together would no longer fit the options' limit.
template <class Value, class Index>
void set_values(std::shared_ptr<device_part<Value, Index>>& part, const csr_view<Value, Index>& a,
                const plan_options& options);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const device_part<Value, Index>& part);

/// The layout of a side; throws error(invalid_argument) when the plan does not hold it, or is not for a device.
template <class Value, class Index>
[[nodiscard]] const device_layout<Value, Index>& device_layout_of(const plan<Value, Index>& p, side which);

/// Products of vectors and columns in host memory with the plan of a device: there and back.
template <class A, class Index, class X, class T>
void multiply_there(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
                    const dense_view<T>& y);

}  // namespace lacis::detail
