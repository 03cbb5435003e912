// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the plan of a device: of operands that are there, and of host memory by way of copies.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <lacis/device_multiply.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "cpu/spmv/spmm.hpp"
#include "cpu/spmv/spmv.hpp"
#include "plan/device_plan.hpp"
#include "summation/environment.hpp"
#include "summation/scale.hpp"

namespace lacis::detail {
namespace {

using device::device_of;

template <class T> void require_address(const T* pointer, std::int64_t elements, const char* what) {
  if (elements == 0) return;
  if (pointer == nullptr) throw error(errc::invalid_argument, text(what, " is a null pointer"));
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(device_of<T>) != 0)
    throw error(errc::invalid_argument, text("the address of ", what, " is not a multiple of ", alignof(device_of<T>),
                                             " bytes, as its elements on a device are"));
}

template <class T, class Index> const device::core& core_of(const plan<T, Index>& p) {
  return *p.internals()->on_device->where.internals();
}

template <class To, class T> dense_view<To> device_view(const dense_view<T>& view) {
  return {reinterpret_cast<To*>(view.data), view.rows, view.cols, view.row_stride, view.col_stride};
}

/// Column by column, without gaps.
template <class T> dense_view<T> packed_view(T* data, std::int64_t rows, std::int64_t cols) {
  return {data, rows, cols, 1, rows};
}

/// Columns first .. first + count of a view as they would be packed.
template <class T>
std::vector<std::remove_const_t<T>> packed(const dense_view<T>& view, std::int64_t first, std::int64_t count) {
  std::vector<std::remove_const_t<T>> all;
  all.reserve(static_cast<std::size_t>(view.rows * count));
  for (std::int64_t j = first; j < first + count; ++j)
    for (std::int64_t i = 0; i < view.rows; ++i) all.push_back(view(i, j));
  return all;
}

/// As many columns at a time as the plan has memory for.
template <class T, class Index>
void multiply_copies(T alpha, const plan<T, Index>& p, side which, const dense_view<const T>& x, T beta,
                     const dense_view<T>& y) {
  const device_context& where = p.internals()->on_device->where;
  const device_stream s = device_stream::null(where);
  const std::int64_t most = p.internals()->options.columns;
  for (std::int64_t first = 0; first < y.cols; first += most) {
    const std::int64_t count = std::min(most, y.cols - first);
    device_vector<T> there_x(where, x.rows * count);
    device_vector<T> there_y(where, y.rows * count);
    if (alpha != T(0)) there_x.from_host(packed(x, first, count), s);
    if (beta != T(0)) there_y.from_host(packed(y, first, count), s);
    multiply<T, Index>(alpha, p, which, packed_view<const T>(there_x.address(), x.rows, count), beta,
                       packed_view(there_y.address(), y.rows, count), s);
    const std::vector<T> result = there_y.to_host(s);
    auto element = result.begin();
    for (std::int64_t j = first; j < first + count; ++j)
      for (std::int64_t i = 0; i < y.rows; ++i) y(i, j) = *element++;
  }
}

/// A real matrix times complex columns: a product rounds componentwise, so the sums are those of two real columns.
/// Scaling is complex, and done here.
template <class A, class Index, class T>
void multiply_parts(T alpha, const plan<A, Index>& p, side which, const dense_view<const T>& x, T beta,
                    const dense_view<T>& y) {
  std::vector<T> sums(static_cast<std::size_t>(y.rows));
  const dense_view<A> sum_parts{reinterpret_cast<A*>(sums.data()), y.rows, 2, 2, 1};
  for (std::int64_t j = 0; j < y.cols; ++j) {
    const auto* const column = reinterpret_cast<const A*>(x.data + j * x.col_stride);
    if (alpha != T(0))
      multiply_copies<A, Index>(A(1), p, which, dense_view<const A>{column, x.rows, 2, 2 * x.row_stride, 1}, A(0),
                                sum_parts);
    const summation::rounding_guard guard;
    for (std::int64_t i = 0; i < y.rows; ++i)
      y(i, j) =
          summation::combine(alpha, [&] { return sums[static_cast<std::size_t>(i)]; }, beta, [&] { return y(i, j); });
  }
}

/// x in the precision of A, which is exact and what the definition of a product begins with.
template <class A, class Index, class X, class T>
void multiply_widened(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y) {
  using wide = std::conditional_t<is_complex<X>, std::complex<real_of<A>>, real_of<A>>;
  const std::vector<X> narrow = packed(x, 0, x.cols);
  const std::vector<wide> all(narrow.begin(), narrow.end());
  multiply_there<A, Index, wide, T>(alpha, p, which, packed_view(all.data(), x.rows, x.cols), beta, y);
}

}  // namespace

template <class T, class Index>
void multiply(T alpha, const plan<T, Index>& p, side which, const T* x, T beta, T* y, const device_stream& s) {
  const device_layout<T, Index>& l = device_layout_of(p, which);
  device::require_device(core_of(p), s.context(), "the stream");
  require_address(x, alpha == T(0) ? 0 : l.csr.cols, "x");
  require_address(y, l.csr.rows, "y");
  if (x != nullptr && y != nullptr) cpu::require_apart(x, x + l.csr.cols, y, y + l.csr.rows);
  const device::visit here(*s.context().internals());
  device::spmv(s.internals().device, l.by_vector, l.csr, alpha, reinterpret_cast<const device_of<T>*>(x), beta,
               reinterpret_cast<device_of<T>*>(y));
}

template <class T, class Index>
void multiply(T alpha, const plan<T, Index>& p, side which, const device_vector<T>& x, T beta, device_vector<T>& y,
              const device_stream& s) {
  const device_layout<T, Index>& l = device_layout_of(p, which);
  device::require_device(core_of(p), x.context(), "x");
  device::require_device(core_of(p), y.context(), "y");
  cpu::require_size(x.size(), l.csr.cols, "x");
  cpu::require_size(y.size(), l.csr.rows, "y");
  multiply<T, Index>(alpha, p, which, x.address(), beta, y.address(), s);
}

template <class T, class Index>
void multiply(T alpha, const plan<T, Index>& p, side which, const dense_view<const T>& x, T beta,
              const dense_view<T>& y, const device_stream& s) {
  const device_layout<T, Index>& l = device_layout_of(p, which);
  require_address(x.data, x.rows * x.cols, "X");
  require_address(y.data, y.rows * y.cols, "Y");
  cpu::require_operands(l.csr.rows, l.csr.cols, x, y);
  if (y.cols == 1 && x.row_stride == 1 && y.row_stride == 1)
    return multiply<T, Index>(alpha, p, which, x.data, beta, y.data, s);
  if (y.cols > p.internals()->options.columns)
    throw error(errc::invalid_argument, text("the plan has memory for products with ", p.internals()->options.columns,
                                             " dense columns, not with ", y.cols, "; raise plan_options.columns"));
  if (!l.by_columns)
    throw error(
        errc::unsupported,
        "a SELL plan for one column takes contiguous vectors; set plan_options.layout to plan_layout::csr for others");
  device::require_device(core_of(p), s.context(), "the stream");
  const device::visit here(*s.context().internals());
  device::spmm(s.internals().device, *l.by_columns, l.csr, alpha, device_view<const device_of<T>>(x), beta,
               device_view<device_of<T>>(y));
}

template <class A, class Index, class X, class T>
void multiply_there(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
                    const dense_view<T>& y) {
  const device_layout<A, Index>& l = device_layout_of(p, which);
  cpu::require_operands(l.csr.rows, l.csr.cols, x, y);
  if constexpr (std::is_same_v<A, X>)
    multiply_copies<A, Index>(alpha, p, which, x, beta, y);
  else if constexpr (std::is_same_v<A, real_of<X>>)
    multiply_parts<A, Index, T>(alpha, p, which, x, beta, y);
  else if constexpr (sizeof(real_of<X>) < sizeof(real_of<A>) && (is_complex<X> || !is_complex<A>))
    multiply_widened<A, Index, X, T>(alpha, p, which, x, beta, y);
  else
    throw error(errc::unsupported,
                "a plan of a device does not mix these types of A and x; give x the type of A, or A that of x with "
                "cast_values()");
}

#define LACIS_DEVICE_MULTIPLY_WITH(A, Index, X)                                                           \
  template void multiply_there(product_of<A, X>, const plan<A, Index>&, side, const dense_view<const X>&, \
                               product_of<A, X>, const dense_view<product_of<A, X>>&);
#define LACIS_DEVICE_MULTIPLY(T, Index)                                                                           \
  template LACIS_API void multiply(T, const plan<T, Index>&, side, const device_vector<T>&, T, device_vector<T>&, \
                                   const device_stream&);                                                         \
  template LACIS_API void multiply(T, const plan<T, Index>&, side, const T*, T, T*, const device_stream&);        \
  template LACIS_API void multiply(T, const plan<T, Index>&, side, const dense_view<const T>&, T,                 \
                                   const dense_view<T>&, const device_stream&);                                   \
  LACIS_DEVICE_MULTIPLY_WITH(T, Index, float)                                                                     \
  LACIS_DEVICE_MULTIPLY_WITH(T, Index, double)                                                                    \
  LACIS_DEVICE_MULTIPLY_WITH(T, Index, std::complex<float>)                                                       \
  LACIS_DEVICE_MULTIPLY_WITH(T, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_DEVICE_MULTIPLY)

}  // namespace lacis::detail
