// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a plan with dense columns: the rows of its layout to the kernels for columns.
#include <functional>
#include <type_traits>
#include <variant>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmm.hpp"
#include "plan/device_plan.hpp"
#include "plan/layout.hpp"
#include "plan/multiply.hpp"

namespace lacis::detail {
namespace {

/// One column after the other, copied where its elements are not contiguous: for layouts whose products are of vectors.
template <class Layout, class X, class T>
void multiply_by_columns(T alpha, const Layout& l, const dense_view<const X>& x, T beta, const dense_view<T>& y,
                         const cpu::launch& how, workspace& memory) {
  std::int64_t c = 0;
  if constexpr (requires {
                  multiply_two(how, cpu::scaling<T>(alpha, beta), l, two_vectors<const X>(), two_vectors<T>(), memory);
                })
    if (alpha != T(0) && takes_two(l))
      for (; c + 2 <= x.cols; c += 2) {
        const auto two = [&]<class Element>(const dense_view<Element>& columns) {
          Element* const first = columns.data + c * columns.col_stride;
          return two_vectors<Element>{first, first + columns.col_stride, columns.rows, columns.row_stride};
        };
        multiply_two(how, cpu::scaling<T>(alpha, beta), l, two(x), two(y), memory);
      }
  const auto copied = [](std::int64_t count, auto&& at) { parallel_for(count, at); };
  const auto copy_of = [&]<class Element>(const dense_view<Element>& columns, int area) {
    using element = std::remove_const_t<Element>;
    if (columns.row_stride == 1) return static_cast<element*>(nullptr);
    const auto size = static_cast<std::int64_t>(sizeof(element));
    return reinterpret_cast<element*>(memory.bytes(columns.rows * size, area).data());
  };
  X* const from = copy_of(x, 2);  // a product of vectors has areas 0 and 1
  T* const to = copy_of(y, 3);
  for (; c < x.cols; ++c) {
    if (from != nullptr) copied(x.rows, [&](std::int64_t i) { from[i] = x(i, c); });
    if (to != nullptr && beta != T(0)) copied(y.rows, [&](std::int64_t i) { to[i] = y(i, c); });
    const X* const column = from != nullptr ? from : x.data + c * x.col_stride;
    T* const target = to != nullptr ? to : y.data + c * y.col_stride;
    if (alpha == T(0))
      cpu::scale_only(how, beta, std::span<T>(target, static_cast<std::size_t>(y.rows)));
    else
      multiply_layout(how, cpu::scaling<T>(alpha, beta), l, column, target, memory);
    if (to != nullptr) copied(y.rows, [&](std::int64_t i) { y(i, c) = to[i]; });
  }
}

/// Whether dense columns meet nearly all entries of a layout in place.
template <class Layout> bool has_columns_in_place(const Layout& arrays) {
  if constexpr (requires { arrays.has_columns_in_place(); }) return arrays.has_columns_in_place();
  return false;
}

/// The matrix of a layout as rows, made by the first product with several columns of a layout that has none in place.
/// nullptr: the layout has, the columns are too few, or the rows do not fit the memory that the plan may take.
template <class A, class Index>
const csr_layout<A, Index>* rows_for_columns(const plan<A, Index>& p, side which, const layout<A, Index>& l,
                                             std::int64_t columns) {
  const plan_data<A, Index>& data = *p.internals();
  const bool in_place = std::visit([](const auto& arrays) { return has_columns_in_place(arrays); }, l.arrays);
  if (in_place || columns < 2) return nullptr;
  const auto& kept = data.rows_of_sides[static_cast<std::size_t>(which)];
  if (kept.made() == nullptr && data.options.memory_limit != 0) {
    const auto values = l.form == cpu::value_form::one ? 0 : l.entries * static_cast<std::int64_t>(sizeof(A));
    const std::int64_t bytes = (l.rows + 1) * 8 + l.entries * static_cast<std::int64_t>(sizeof(Index)) + values;
    if (p.storage_bytes() + bytes > data.options.memory_limit) return nullptr;
  }
  return &kept.get([&] {
    csr_layout<A, Index> made;
    made.rows = csr_of(l);
    if (l.form == cpu::value_form::one && l.entries > 0) made.rows.values = values_array<A>::same(made.rows.values[0]);
    return made;
  });
}

/// The product on the processor, for a pair of types that has kernels.
template <class A, class Index, class X, class T>
void multiply_here(T alpha, const plan<A, Index>& p, side which, const layout<A, Index>& l,
                   const dense_view<const X>& x, T beta, const dense_view<T>& y, const cpu::launch& how,
                   workspace& memory) {
  if constexpr (cpu::is_direct<A, Index, X>)
    if (const auto* rows = rows_for_columns(p, which, l, x.cols))
      return multiply_columns(alpha, *rows, x, beta, y, how, memory);
  std::visit(
      [&](const auto& arrays) {
        if constexpr (requires { multiply_columns(alpha, arrays, x, beta, y, how, memory); }) {
          multiply_columns(alpha, arrays, x, beta, y, how, memory);
        } else if constexpr (requires(const cpu::row_work<A, Index>& work) { supply_rows(how, arrays, work); }) {
          const auto supply_all = [&](const cpu::row_work<A, Index>& work) { return supply_rows(how, arrays, work); };
          cpu::supply_facts facts{.in_parts = false, .known_order = true};
          if constexpr (requires { arrays.in_parts(); }) facts.in_parts = arrays.in_parts();
          const cpu::row_supply<A, Index> supply = std::cref(supply_all);  // by reference: a copy would be allocated
          static_cast<void>(cpu::spmm(alpha, l.rows, l.cols, supply, facts, x, beta, y, how, memory));
        } else {
          multiply_by_columns(alpha, arrays, x, beta, y, how, memory);
        }
      },
      l.arrays);
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
              const dense_view<T>& y, workspace& memory) {
  if (p.internals()->on_device != nullptr) return multiply_there(alpha, p, which, x, beta, y);
  const auto& l = layout_of(p, which);
  cpu::require_operands(l.rows, l.cols, x, y);
  const cpu::launch how = launch_of(p, l);
  if constexpr (cpu::is_widened<A, X>) {
    if (alpha == T(0)) return cpu::scale_columns(how, beta, y);
    return cpu::multiply_widened<cpu::widened_of<A, X>>(how, x, y, memory, [&](const auto& wide, const auto& sums) {
      multiply(alpha, p, which, wide, beta, sums, memory);
    });
  } else {
    multiply_here(alpha, p, which, l, x, beta, y, how, memory);
  }
}

template <class T, class Index> bool multiplies_two(const plan<T, Index>& p) {
  return std::visit(
      [](const auto& arrays) {
        if constexpr (requires { takes_two(arrays); }) return takes_two(arrays);
        return false;
      },
      p.internals()->plain.arrays);
}

template <class T, class Index>
void multiply_each(const plan<T, Index>& p, std::span<const T* const> x, std::span<T* const> y, workspace& memory) {
  const layout<T, Index>& l = p.internals()->plain;
  const cpu::launch how = launch_of(p, l);
  const cpu::scaling<T> plain(T(1), T(0));
  std::visit(
      [&](const auto& arrays) {
        std::size_t k = 0;
        if constexpr (requires { multiply_two(how, plain, arrays, two_vectors<const T>(), two_vectors<T>(), memory); })
          if (takes_two(arrays))
            for (; k + 2 <= x.size(); k += 2)
              multiply_two(how, plain, arrays, two_vectors<const T>{x[k], x[k + 1], l.cols},
                           two_vectors<T>{y[k], y[k + 1], l.rows}, memory);
        for (; k < x.size(); ++k) multiply_layout(how, plain, arrays, x[k], y[k], memory);
      },
      l.arrays);
}

#define LACIS_INSTANTIATE_WITH(A, Index, X)                                                                   \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, const dense_view<const X>&, \
                                   product_of<A, X>, const dense_view<product_of<A, X>>&, workspace&);
#define LACIS_INSTANTIATE(A, Index)                                                                            \
  template LACIS_API bool multiplies_two(const plan<A, Index>&);                                               \
  template LACIS_API void multiply_each(const plan<A, Index>&, std::span<const A* const>, std::span<A* const>, \
                                        workspace&);                                                           \
  LACIS_INSTANTIATE_WITH(A, Index, float)                                                                      \
  LACIS_INSTANTIATE_WITH(A, Index, double)                                                                     \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<float>)                                                        \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
