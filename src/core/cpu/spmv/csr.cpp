// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a CSR matrix: threads share rows and entries evenly, and the longest rows are cut between them.
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <type_traits>

#include "base/instantiate.hpp"
#include "cpu/spmv/known_rows.hpp"
#include "cpu/spmv/narrow_columns.hpp"
#include "cpu/spmv/row_pieces.hpp"
#include "cpu/spmv/row_sums.hpp"
#include "cpu/spmv/slot_costs.hpp"
#include "cpu/spmv/spmv.hpp"
#include "formats/offsets.hpp"
#include "formats/views.hpp"

namespace lacis::cpu {
namespace {

/// Where part `part` of `parts` begins: at a row, or inside a very long one at a chunk.
template <class Offset> row_cut cut_of(std::span<const Offset> offsets, int part, int parts) {
  const std::int64_t row = detail::balanced_cut(offsets, part, parts);
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  if (part <= 0 || part >= parts || row == 0) return {row, 0};
  if (!detail::offsets_rise(offsets.data() + row - 1, 1, offsets.back())) return {row, 0};
  const std::int64_t first = offsets[static_cast<std::size_t>(row - 1)];
  const std::int64_t count = offsets[static_cast<std::size_t>(row)] - first;
  if (count < shortest_cut_row) return {row, 0};
  const std::int64_t target = detail::even_cut(rows + offsets[static_cast<std::size_t>(rows)], part, parts);
  const std::int64_t chunk = (target - (row - 1 + first)) / chunk_size;
  return chunk < summation::chunks_of(count, chunk_size) ? row_cut{row - 1, chunk} : row_cut{row, 0};
}

/// Rows begin .. end by the kernel, which reads 64-bit offsets: of 32-bit ones, a few at a time are copied to the
/// stack.
template <class A, class Index, class X, class T>
bool sum_whole_rows(const kernel_table<A, Index, X>& kernels, const operand<A, Index, X>& e,
                    const std::int64_t* offsets, std::int64_t begin, std::int64_t end, const scaling<T>& scale, T* y) {
  return kernels.csr_rows(e, offsets, begin, end, scale, y);
}
/// Of 64-bit columns in a matrix that 32 bits are enough for, those of some rows at a time are narrowed on the stack,
/// for the kernels of narrow ones. Rows that do not fit there are summed as they are.
template <class A, class X, class T>
bool sum_narrowed_rows(isa set, const operand<A, std::int64_t, X>& e, const std::int64_t* offsets, std::int64_t begin,
                       std::int64_t end, const scaling<T>& scale, T* y) {
  constexpr std::int64_t most_rows = 128;
  constexpr std::int64_t most_entries = 4096;
  const auto& narrow = kernels_for<A, std::int32_t, X>(set);
  std::array<std::int64_t, most_rows + 1> some;
  std::array<std::int32_t, most_entries> columns;
  bool good = true;
  for (std::int64_t first = begin; first < end;) {
    const std::int64_t from = offsets[first];
    std::int64_t rows = 0;
    some[0] = 0;
    while (rows < std::min(most_rows, end - first)) {
      const std::int64_t next = offsets[first + rows + 1];
      if (from < 0 || next > e.entries || next < from + some[static_cast<std::size_t>(rows)]) return false;
      if (next - from > most_entries) break;
      some[static_cast<std::size_t>(++rows)] = next - from;
    }
    if (rows == 0) {
      good &= kernels_for<A, std::int64_t, X>(set).csr_rows(e, offsets, first, first + 1, scale, y);
      ++first;
      continue;
    }
    const std::int64_t count = some[static_cast<std::size_t>(rows)];
    if (!narrow_columns(e.columns + from, count, columns.data())) return false;
    const operand<A, std::int32_t, X> part{
        e.iso ? e.values : e.values + from, e.iso, columns.data(), e.x, count, e.cols};
    good &= narrow.csr_rows(part, some.data(), 0, rows, scale, y + first);
    first += rows;
  }
  return good;
}
template <class A, class Index, class X, class T>
bool sum_whole_rows(const kernel_table<A, Index, X>& kernels, const operand<A, Index, X>& e,
                    const std::int32_t* offsets, std::int64_t begin, std::int64_t end, const scaling<T>& scale, T* y) {
  constexpr std::int64_t few_rows = 128;
  std::array<std::int64_t, few_rows + 1> some;
  bool good = true;
  for (std::int64_t first = begin; first < end; first += few_rows) {
    const std::int64_t count = std::min(few_rows, end - first);
#pragma omp simd
    for (std::int64_t k = 0; k <= count; ++k) some[static_cast<std::size_t>(k)] = offsets[first + k];
    for (std::int64_t k = 0; k < few_rows; k += 16) __builtin_prefetch(offsets + first + 4 * few_rows + k);
    good &= kernels.csr_rows(e, some.data(), 0, count, scale, y + first);
  }
  return good;
}

}  // namespace

namespace {

template <bool Known, class A, class Index, class Offset, class X, class T>
bool multiply_rows(const launch& how, const scaling<T>& scale, const csr_view<A, Index, Offset>& a, const X* x, T* y,
                   workspace& memory) {
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  const auto e = operand_of(a, x);
  static_cast<void>(loads_each());  // which kernels ask: measured here, before threads disturb each other
  bool cuts_rows = false;
  for (int part = 1; part < how.threads; ++part) cuts_rows |= cut_of(a.row_offsets, part, how.threads).chunk > 0;
  std::optional<row_pieces<T>> pieces;
  if (cuts_rows) pieces.emplace(how.threads, memory);
  std::atomic<bool> good = true;
  std::atomic<bool> inside = true;  // a plan's rows may be in any order, but all of them are there
  run(how, [&](int thread, int threads) {
    const auto sum_chunks = [&](std::int64_t row, std::int64_t first, std::int64_t last) {
      const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(row)];
      const std::int64_t count = a.row_offsets[static_cast<std::size_t>(row + 1)] - begin;  // cut_of has looked at both
      if (last < 0) last = summation::chunks_of(count, chunk_size);
      const std::int64_t seen = first > 0 ? first * chunk_size - 1 : 0;  // with the last column of the chunk before
      if constexpr (!Known) {
        const std::int64_t found =
            kernels.descents(e.columns + begin + seen, std::min(count, last * chunk_size) - seen, e.cols);
        if (found != 0) good = false;
        if (found < 0) {
          inside = false;
          return summation::node_range<T>(first);
        }
      }
      return sum_of_chunks(e.from(begin), count, first, last, kernels.chunk);
    };
    const auto whole_rows = [&](std::int64_t begin, std::int64_t end) {
      if constexpr (Known) {
        const Offset* const offsets = a.row_offsets.data();
        return e.iso ? sum_known_rows<true>(e, offsets, begin, end, scale, y, kernels.chunk)
                     : sum_known_rows<false>(e, offsets, begin, end, scale, y, kernels.chunk);
      }
      const bool are_canonical = [&] {
        if constexpr (std::is_same_v<Index, std::int64_t>)
          if (a.cols <= std::numeric_limits<std::int32_t>::max())
            return sum_narrowed_rows(how.set, e, a.row_offsets.data(), begin, end, scale, y);
        return sum_whole_rows(kernels, e, a.row_offsets.data(), begin, end, scale, y);
      }();
      if (are_canonical) return;
      good = false;
      if (pieces && !detail::offsets_rise(a.row_offsets.data() + begin, end - begin, e.entries)) inside = false;
    };
    between_cuts(cut_of(a.row_offsets, thread, threads), cut_of(a.row_offsets, thread + 1, threads), thread,
                 pieces ? &*pieces : nullptr, sum_chunks, whole_rows);
  });
  if (pieces && inside) {
    const summation::rounding_guard guard;
    pieces->join([&](std::int64_t row, T sum) { scale.store(y[row], sum); });
  }
  return good;
}

}  // namespace

template <class A, class Index, class Offset, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const csr_view<A, Index, Offset>& a, const X* x, T* y,
          workspace& memory) {
  return multiply_rows<false>(how, scale, a, x, y, memory);
}

template <class A, class Index, class Offset, class X, class T>
void spmv_known(const launch& how, const scaling<T>& scale, const csr_view<A, Index, Offset>& a, const X* x, T* y,
                workspace& memory) {
  static_cast<void>(multiply_rows<true>(how, scale, a, x, y, memory));
}

}  // namespace lacis::cpu

namespace lacis {
// Plans call it for the rows that they keep as CSR.
#define LACIS_INSTANTIATE_ROWS(A, Index, X)                                                                     \
  template bool cpu::spmv(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, const csr_view<A, Index>&, \
                          const X*, product_of<A, X>*, workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE_ROWS)
#define LACIS_INSTANTIATE(A, Index) LACIS_INSTANTIATE_SPMV(csr_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#define LACIS_INSTANTIATE_NARROW(A) LACIS_INSTANTIATE_SPMV(narrow_csr_view, A, std::int32_t)
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_NARROW)
#define LACIS_INSTANTIATE_KNOWN(A, Index, X) LACIS_SPMV_KNOWN(, csr_view, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE_KNOWN)
#define LACIS_INSTANTIATE_KNOWN_NARROW(A) LACIS_SPMV_KNOWN(, narrow_csr_view, A, std::int32_t, A)
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_KNOWN_NARROW)
}  // namespace lacis
