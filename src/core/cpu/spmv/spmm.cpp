// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns, compiled for every format and pair of types.
#include "cpu/spmv/spmm.hpp"

#include "base/instantiate.hpp"
#include "cpu/spmv/spmm_csr.hpp"
#include "formats/views.hpp"

namespace lacis::cpu {

#define LACIS_INSTANTIATE_SPMM(A, Index)      \
  LACIS_SPMM(, A, Index, float)               \
  LACIS_SPMM(, A, Index, double)              \
  LACIS_SPMM(, A, Index, std::complex<float>) \
  LACIS_SPMM(, A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE_SPMM)
#define LACIS_INSTANTIATE_SPMM_CSR(A, Index, X) LACIS_SPMM_CSR(, csr_view, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE_SPMM_CSR)

}  // namespace lacis::cpu

namespace lacis::detail {

template <class View, class X, class T>
void multiply(T alpha, const View& a, const dense_view<const X>& x, T beta, const dense_view<T>& y,
              const multiply_options& options) {
  using A = typename View::value_type;
  using Index = typename View::index_type;
  workspace memory;
  if (alpha != T(0)) require_sizes(a);
  const cpu::launch how = cpu::launch_of(options, a.rows + a.nnz());
  if constexpr (is_csr<View> && cpu::is_direct<A, Index, X>) {
    if (!cpu::spmm_csr(alpha, a, false, x, beta, y, how, memory)) cpu::throw_refused(a);
    return;
  }
  const cpu::row_supply<A, Index> supply = [&](const cpu::row_work<A, Index>& work) {
    return cpu::on_rows(how, a, work);
  };
  if (!cpu::spmm(alpha, a.rows, a.cols, supply, {}, x, beta, y, how, memory)) cpu::throw_refused(a);
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
