// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The arrays that a plan multiplies with: one of the layouts of the list.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

#include "plan/layouts/every.hpp"  // made by CMake from the list
#include "plan/row_reach.hpp"
#include "plan/spare_workspace.hpp"

namespace lacis::detail {

// The first argument makes room for the comma that stands before every name.
template <class, class... Types> using variant_of = std::variant<Types...>;
template <class, class... Types> using tuple_of = std::tuple<Types...>;
#define LACIS_LAYOUT_TYPE(name, words) , name##_layout<Value, Index>
#define LACIS_MODEL_TYPE(name, words) , name##_model
/// One of the layouts, in the order of plan_layout.
template <class Value, class Index> using any_layout = variant_of<void LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_LAYOUT_TYPE)>;
/// What samples of a matrix say about each layout, in the same order.
using layout_models = tuple_of<void LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_MODEL_TYPE)>;
#undef LACIS_LAYOUT_TYPE
#undef LACIS_MODEL_TYPE

/// One matrix in the layout chosen for it.
template <class Value, class Index> struct layout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  cpu::value_form form = cpu::value_form::full;
  any_layout<Value, Index> arrays;

  [[nodiscard]] plan_layout kind() const { return static_cast<plan_layout>(arrays.index()); }
  [[nodiscard]] std::int64_t nnz() const { return entries; }
};

template <class Value, class Index> struct device_part;

/// What a plan holds.
template <class Value, class Index> struct plan_data {
  plan_options options;
  lacis::isa set = isa::scalar;
  /// A plan of a device has its arrays there, and layouts without entries.
  std::shared_ptr<device_part<Value, Index>> on_device;
  layout<Value, Index> plain;
  std::optional<layout<Value, Index>> transposed;
  std::optional<layout<Value, Index>> conjugate_transposed;
  /// The pattern as it was given, where it was not canonical: update_values needs it.
  std::optional<csr_matrix<Value, Index>> given_pattern;
  std::string reason;
  plan_report report;
  buffer<std::int64_t> order;
  std::uint64_t hash = 0;  ///< entries_hash(), 0 until it is computed; read and written atomically
  spare_workspace memory;
  made_once<row_reach> reach;  ///< of `plain`, for powers of it
  /// The matrices of the sides as rows, for products with dense columns where the layout has none in place.
  made_once<csr_layout<Value, Index>> rows_of_sides[3];
};

/// Throws error(invalid_argument): the plan does not hold that side.
[[noreturn]] void throw_side_missing(side which);

template <class Value, class Index>
[[nodiscard]] layout<Value, Index> make_layout(const csr_view<Value, Index>& a, const layout_choice& choice);
/// "csr", "sell-8", ...
template <class Value, class Index> [[nodiscard]] std::string label_of(const layout<Value, Index>& l);
/// What is otherwise than the layout promises, as a sentence; empty where nothing is.
template <class Value, class Index> [[nodiscard]] std::string_view remark_of(const layout<Value, Index>& l) {
  return std::visit(
      [](const auto& arrays) -> std::string_view {
        if constexpr (requires { arrays.remark(); }) return arrays.remark();
        return {};
      },
      l.arrays);
}
/// The matrix that a layout holds.
template <class Value, class Index> [[nodiscard]] csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l);
/// Puts the values of `a`, which has the layout's pattern, in their places, in that form.
template <class Value, class Index>
void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const layout<Value, Index>& l);
/// Bytes that one product moves at least: the arrays, what is staged once more, x and y once. Every screen shows this.
template <class Value, class Index> [[nodiscard]] std::int64_t moved_bytes_of(const layout<Value, Index>& l);

/// Over the size, the places and the values of all entries; the same for every layout. Never 0.
template <class Value, class Index> [[nodiscard]] std::uint64_t hash_of(const csr_view<Value, Index>& a);
/// That of the matrix that a plan multiplies with, computed once.
template <class Value, class Index> [[nodiscard]] std::uint64_t entries_hash(const plan<Value, Index>& p);

}  // namespace lacis::detail
