// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// y = alpha A x + beta y on threads, one function per format; what multiply() calls once the operands are checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include <lacis/convert.hpp>
#include <lacis/dense.hpp>
#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/vector.hpp>
#include <lacis/workspace.hpp>

#include "base/text.hpp"
#include "cpu/launch.hpp"
#include "cpu/spmv/direct_pairs.hpp"
#include "cpu/spmv/scaling.hpp"
#include "formats/validate.hpp"

namespace lacis::cpu {

/// The entries of a view and x, as kernels take them.
template <class View, class X> [[nodiscard]] auto operand_of(const View& a, const X* x) {
  return operand<typename View::value_type, typename View::index_type, X>{
      a.values.data.data(), a.values.iso, a.columns.data(), x, static_cast<std::int64_t>(a.columns.size()), a.cols};
}

// Each is instantiated in src/core/cpu/spmv/<format>.cpp. x and y have the sizes of the matrix and do not overlap, and
// the matrix's arrays have the sizes that fit it (find_size_violation). They return whether the rows were canonical and
// indices inside the matrix: if not, y holds nothing of use.
template <class A, class Index, class Offset, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const csr_view<A, Index, Offset>& a, const X* x, T* y,
          workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const coo_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const csc_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const ell_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const hyb_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const jds_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const sell_view<A, Index>& a, const X* x, T* y,
          workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const bsr_view<A, Index>& a, const X* x, T* y, workspace& memory);
template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const dia_view<A, Index>& a, const X* x, T* y, workspace& memory);

inline void require_size(std::int64_t has, std::int64_t needs, const char* what) {
  if (has != needs)
    throw error(errc::invalid_argument, detail::text(what, " has ", has, " elements, the matrix needs ", needs));
}

/// Throws when the memory of two operands overlaps.
inline void require_apart(const void* x, const void* x_end, const void* y, const void* y_end) {
  const std::less<const void*> before;
  if (x != x_end && y != y_end && before(x, y_end) && before(y, x_end))
    throw error(errc::invalid_argument, "x and y overlap; the product needs memory of its own");
}

/// Throws what is wrong with a matrix that a product has refused.
template <class View> [[noreturn]] void throw_refused(const View& a) {
  require_valid(a);
  throw error(errc::invalid_matrix,
              "the columns of a row do not ascend strictly, so the order of the sum is not defined; multiply_inspect "
              "sorts and sums such a matrix, canonical() gives a sorted copy");
}

/// y = beta y: what alpha = 0 leaves of a product.
template <class T> void scale_only(const launch& how, T beta, std::span<T> y) {
  detail::scale(beta, y, {.threads = how.threads, .isa = how.set});
}

/// The elements of x as those of another type, in `memory`.
template <class Wide, class X>
std::span<const Wide> widened(const launch& how, std::span<const X> x, workspace& memory) {
  const auto count = static_cast<std::int64_t>(x.size());
  const auto bytes = memory.bytes(count * static_cast<std::int64_t>(sizeof(Wide)), 4);
  Wide* const wide = reinterpret_cast<Wide*>(bytes.data());
  run(how, [&](int thread, int threads) {
    std::copy(x.begin() + detail::even_cut(count, thread, threads),
              x.begin() + detail::even_cut(count, thread + 1, threads),
              wide + detail::even_cut(count, thread, threads));
  });
  return {wide, x.size()};
}

/// Throws unless x and y fit a matrix of rows x cols and do not overlap.
template <class X, class T>
void require_operands(std::int64_t rows, std::int64_t cols, std::span<const X> x, std::span<T> y) {
  require_size(static_cast<std::int64_t>(x.size()), cols, "x");
  require_size(static_cast<std::int64_t>(y.size()), rows, "y");
  require_apart(x.data(), x.data() + x.size(), y.data(), y.data() + y.size());
}

/// The whole product of a view of any format, checks included.
template <class View, class X, class T>
void checked_spmv(T alpha, const View& a, std::span<const X> x, T beta, std::span<T> y, const launch& how,
                  workspace& memory) {
  require_operands(a.rows, a.cols, x, y);
  if (alpha == T(0)) return scale_only(how, beta, y);
  detail::require_sizes(a);
  if (!spmv(how, scaling<T>(alpha, beta), a, x.data(), y.data(), memory)) throw_refused(a);
}

}  // namespace lacis::cpu

namespace lacis::detail {

/// Direct pairs of types have kernels; of the others, a narrow x is converted first and the rest reads rows.
template <class View, class X, class T>
void multiply(T alpha, const View& a, std::span<const X> x, T beta, std::span<T> y, const multiply_options& options) {
  using A = typename View::value_type;
  using Index = typename View::index_type;
  if constexpr (cpu::is_direct<A, Index, X>) {
    workspace memory;
    cpu::checked_spmv(alpha, a, x, beta, y, cpu::launch_of(options, a.rows + a.nnz()), memory);
  } else if constexpr (cpu::is_widened<A, X>) {
    cpu::require_operands(a.rows, a.cols, x, y);
    const cpu::launch how = cpu::launch_of(options, a.rows + a.nnz());
    if (alpha == T(0)) return cpu::scale_only(how, beta, y);
    workspace memory;
    multiply(alpha, a, cpu::widened<cpu::widened_of<A, X>>(how, x, memory), beta, y, options);
  } else {
    cpu::require_operands(a.rows, a.cols, x, y);
    multiply(alpha, a, dense_view<const X>{x.data(), a.cols, 1, 1, a.cols}, beta,
             dense_view<T>{y.data(), a.rows, 1, 1, a.rows}, options);
  }
}

}  // namespace lacis::detail

/// Instantiates the product with a vector for a view and every type of x.
#define LACIS_INSTANTIATE_SPMV_WITH(View, A, Index, X)                                                  \
  template LACIS_API void detail::multiply(product_of<A, X>, const View<A, Index>&, std::span<const X>, \
                                           product_of<A, X>, std::span<product_of<A, X>>, const multiply_options&);
#define LACIS_INSTANTIATE_SPMV(View, A, Index)                     \
  LACIS_INSTANTIATE_SPMV_WITH(View, A, Index, float)               \
  LACIS_INSTANTIATE_SPMV_WITH(View, A, Index, double)              \
  LACIS_INSTANTIATE_SPMV_WITH(View, A, Index, std::complex<float>) \
  LACIS_INSTANTIATE_SPMV_WITH(View, A, Index, std::complex<double>)
