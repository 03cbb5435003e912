// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The products of matrices stored slot by slot: ELL, SELL-C-sigma and JDS.
#include "cpu/spmv/slots.hpp"

#include <atomic>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmv.hpp"
#include "formats/offsets.hpp"

namespace lacis::cpu {
namespace {

/// How many entries the first `places` places of a JDS matrix have.
template <class A, class Index> std::int64_t entries_before(const jds_view<A, Index>& a, std::int64_t places) {
  std::int64_t entries = 0;
  for (std::size_t d = 0; d + 1 < a.diagonal_offsets.size(); ++d)
    entries += std::min(places, a.diagonal_offsets[d + 1] - a.diagonal_offsets[d]);
  return entries;
}

/// The place at which part `part` of `parts` begins when places and entries are shared evenly.
template <class A, class Index> std::int64_t place_cut(const jds_view<A, Index>& a, int part, int parts) {
  if (part <= 0) return 0;
  if (part >= parts) return a.rows;
  const std::int64_t target = detail::even_cut(a.rows + a.nnz(), part, parts);
  std::int64_t low = 0;
  std::int64_t high = a.rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (middle + entries_before(a, middle) < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// All places, cut_of(part) being where each thread begins.
template <class View, class X, class T, class CutOf>
bool on_places(const launch& how, const scaling<T>& scale, const View& a, const X* x, T* y, CutOf&& cut_of) {
  if (a.cols == 0 && a.columns.size() > 0) return false;
  const auto& kernels = kernels_for<typename View::value_type, typename View::index_type, X>(how.set);
  const auto where = slots_of(a);
  std::atomic<bool> good = true;
  run(how, [&](int thread, int threads) {
    const std::int64_t begin = cut_of(thread, threads);
    const std::int64_t end = cut_of(thread + 1, threads);
    if (begin < end && !kernels.slot_places(operand_of(a, x), where, begin, end, scale, y)) good = false;
  });
  return good;
}

}  // namespace

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const ell_view<A, Index>& a, const X* x, T* y, workspace&) {
  return on_places(how, scale, a, x, y, [&](int part, int parts) { return detail::even_cut(a.rows, part, parts); });
}

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const sell_view<A, Index>& a, const X* x, T* y, workspace&) {
  return on_places(how, scale, a, x, y, [&](int part, int parts) {
    return std::min(a.rows, detail::balanced_cut(a.slice_offsets, part, parts) * a.slice_height);
  });
}

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const jds_view<A, Index>& a, const X* x, T* y, workspace&) {
  return diagonals_fall(a) &&
         on_places(how, scale, a, x, y, [&](int part, int parts) { return place_cut(a, part, parts); });
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index)           \
  LACIS_INSTANTIATE_SPMV(ell_view, A, Index)  \
  LACIS_INSTANTIATE_SPMV(sell_view, A, Index) \
  LACIS_INSTANTIATE_SPMV(jds_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis
