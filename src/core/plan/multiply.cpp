// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with a plan: the chosen layout straight to its kernels.
#include "plan/multiply.hpp"

#include <utility>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmv.hpp"
#include "plan/device_plan.hpp"

namespace lacis::detail {
namespace {

template <class T> dense_view<T> as_column(std::span<T> vector) {
  const auto size = static_cast<std::int64_t>(vector.size());
  return {vector.data(), size, 1, 1, size};
}
/// Its rows are contiguous: none is copied.
template <class T> dense_view<T> as_rows(std::span<T> vector) {
  return {vector.data(), static_cast<std::int64_t>(vector.size()), 1, 1, 1};
}

}  // namespace

void throw_side_missing(side which) {
  throw error(errc::invalid_argument,
              text("this plan does not hold the ", which == side::transposed ? "" : "conjugate ",
                   "transpose; make it with plan_options.",
                   which == side::transposed ? "transpose" : "conjugate_transpose", " = true"));
}

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, std::span<const X> x, T beta, std::span<T> y,
              workspace& memory) {
  if (p.internals()->on_device != nullptr) return multiply_there(alpha, p, which, as_column(x), beta, as_column(y));
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  cpu::require_operands(l.rows, l.cols, x, y);
  if (alpha == T(0)) return cpu::scale_only(how, beta, y);
  if constexpr (cpu::is_direct<A, Index, X>)
    multiply_any(how, cpu::scaling<T>(alpha, beta), l, x.data(), y.data(), memory);
  else if constexpr (cpu::is_widened<A, X>)
    multiply(alpha, p, which, cpu::widened<cpu::widened_of<A, X>>(how, x, memory), beta, y, memory);
  else
    multiply(alpha, p, which, as_rows(x), beta, as_rows(y), memory);  // compiled once for all layouts
}

template <class Value, class Index> std::unique_ptr<workspace> take_workspace(const plan<Value, Index>& p) {
  return p.internals()->memory.take();
}
template <class Value, class Index> void put_back(const plan<Value, Index>& p, std::unique_ptr<workspace> memory) {
  p.internals()->memory.put_back(std::move(memory));
}

#define LACIS_INSTANTIATE_WITH(A, Index, X)                                                           \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, std::span<const X>, \
                                   product_of<A, X>, std::span<product_of<A, X>>, workspace&);
#define LACIS_INSTANTIATE(A, Index)                                                    \
  template LACIS_API std::unique_ptr<workspace> take_workspace(const plan<A, Index>&); \
  template LACIS_API void put_back(const plan<A, Index>&, std::unique_ptr<workspace>); \
  LACIS_INSTANTIATE_WITH(A, Index, float)                                              \
  LACIS_INSTANTIATE_WITH(A, Index, double)                                             \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<float>)                                \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
