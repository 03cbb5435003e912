// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns, compiled for every format and pair of types.
#include "cpu/spmv/spmm.hpp"

#include "base/instantiate.hpp"
#include "cpu/spmv/spmm_csr.hpp"
#include "formats/views.hpp"

namespace lacis::cpu {

#define LACIS_INSTANTIATE_SPMM(A, Index, X) LACIS_SPMM(, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE_SPMM)
LACIS_FOR_EACH_RARE_PAIR(LACIS_INSTANTIATE_SPMM)
#define LACIS_INSTANTIATE_SPMM_CSR(A, Index, X) LACIS_SPMM_CSR(, csr_view, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE_SPMM_CSR)

}  // namespace lacis::cpu

namespace lacis::detail {

namespace {

/// Y = alpha A X + beta Y for the rows that `supply` gives: compiled once for all formats. Whether they were canonical.
template <class A, class Index, class X, class T>
bool multiply_rows(T alpha, std::int64_t rows, std::int64_t cols, const cpu::row_supply<A, Index>& supply,
                   const dense_view<const X>& x, T beta, const dense_view<T>& y, const cpu::launch& how) {
  workspace memory;
  if constexpr (cpu::is_widened<A, X>) {
    cpu::require_operands(rows, cols, x, y);
    if (alpha == T(0)) return cpu::scale_columns(how, beta, y), true;
    bool good = true;
    cpu::multiply_widened<cpu::widened_of<A, X>>(how, x, y, memory, [&](const auto& wide, const auto& sums) {
      good = good && cpu::spmm(alpha, rows, cols, supply, {}, wide, beta, sums, how, memory);
    });
    return good;
  } else {
    return cpu::spmm(alpha, rows, cols, supply, {}, x, beta, y, how, memory);
  }
}

/// The rows of a view, which every type of X reads alike.
template <class View> auto rows_of(const cpu::launch& how, const View& a) {
  using work_type = cpu::row_work<typename View::value_type, typename View::index_type>;
  return cpu::row_supply<typename View::value_type, typename View::index_type>(
      [&how, &a](const work_type& work) { return cpu::on_rows(how, a, work); });
}

}  // namespace

template <class View, class X, class T>
void multiply(T alpha, const View& a, const dense_view<const X>& x, T beta, const dense_view<T>& y,
              const multiply_options& options) {
  if (alpha != T(0)) require_sizes(a);
  const cpu::launch how = cpu::launch_of(options, a.rows + a.nnz());
  if constexpr (is_csr<View> && cpu::is_direct<typename View::value_type, typename View::index_type, X>) {
    workspace memory;
    if (!cpu::spmm_csr(alpha, a, false, x, beta, y, how, memory)) cpu::throw_refused(a);
  } else {
    if (!multiply_rows(alpha, a.rows, a.cols, rows_of(how, a), x, beta, y, how)) cpu::throw_refused(a);
  }
}

#define LACIS_INSTANTIATE_WITH(View, A, Index, X)                                                       \
  template LACIS_API void multiply(product_of<A, X>, const View<A, Index>&, const dense_view<const X>&, \
                                   product_of<A, X>, const dense_view<product_of<A, X>>&, const multiply_options&);
#define LACIS_INSTANTIATE_VIEW(View, A, Index)                \
  LACIS_INSTANTIATE_WITH(View, A, Index, float)               \
  LACIS_INSTANTIATE_WITH(View, A, Index, double)              \
  LACIS_INSTANTIATE_WITH(View, A, Index, std::complex<float>) \
  LACIS_INSTANTIATE_WITH(View, A, Index, std::complex<double>)
#define LACIS_INSTANTIATE(A, Index) LACIS_FOR_EACH_VIEW(LACIS_INSTANTIATE_VIEW, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#define LACIS_INSTANTIATE_NARROW(A) LACIS_INSTANTIATE_VIEW(narrow_csr_view, A, std::int32_t)
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_NARROW)

}  // namespace lacis::detail
