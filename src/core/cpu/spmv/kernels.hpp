// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the processor, one table for each instruction set and pair of types.
//
// A kernel works on one thread's part and knows nothing of threads. All of them take the sums of rows in the canonical
// order, so which table is used changes no bit. Kernels that walk rows return whether their columns ascended strictly,
// and read and write nothing outside of arrays whatever offsets, lengths, places and columns are: where they are out of
// range, the kernel returns false.
#pragma once

#include <complex>
#include <cstdint>

#include <lacis/isa.hpp>
#include <lacis/types.hpp>

#include "base/internal.hpp"
#include "cpu/simd/targets.hpp"
#include "cpu/spmv/packed.hpp"
#include "cpu/spmv/panel.hpp"
#include "cpu/spmv/scaling.hpp"
#include "cpu/spmv/staged.hpp"
#include "cpu/spmv/stencil.hpp"
#include "summation/sum.hpp"

namespace lacis::cpu {

/// Rows of at most this many entries are summed left to right, longer ones in lanes and chunks.
inline constexpr std::int64_t short_limit = summation::canonical.short_limit;
inline constexpr std::int64_t lane_count = summation::canonical.lanes;
inline constexpr std::int64_t chunk_size = summation::canonical.chunk;

/// How far ahead of their use, in bytes, values are fetched; columns half as far. The hardware fetches ahead by itself,
/// but stops at the end of each page.
inline constexpr std::int64_t fetch_distance = 4096;

/// Contiguous entries of a row. An iso matrix has one value.
template <value A, index Index> struct stored_entries {
  const A* values = nullptr;
  bool iso = false;
  const Index* columns = nullptr;
};

/// The entries of a matrix and the vector they meet. An iso matrix has one value.
template <value A, index Index, value X> struct operand {
  const A* values = nullptr;
  bool iso = false;
  const Index* columns = nullptr;
  const X* x = nullptr;
  std::int64_t entries = 0;  ///< stored: offsets are checked against it
  std::int64_t cols = 0;     ///< elements of x: columns are checked against it

  [[nodiscard]] static operand of(const stored_entries<A, Index>& e, const X* x) {
    return {e.values, e.iso, e.columns, x};
  }
  [[nodiscard]] A value_at(std::int64_t slot) const { return values[iso ? 0 : slot]; }
  /// The operand whose slot 0 is slot `first` of this one.
  [[nodiscard]] operand from(std::int64_t first) const {
    return {iso ? values : values + first, iso, columns + first, x, entries - first, cols};
  }
};

/// Rows stored slot by slot, neighbours beside each other: ELL, SELL and JDS. Slot s of place p is at
/// diagonals[s] + p (JDS), or at the beginning of p's slice + s * stride + its lane in the slice.
template <index Index> struct slots {
  const std::int64_t* diagonals = nullptr;  ///< JDS: where each begins; places are sorted by falling length
  std::int64_t diagonal_count = 0;
  const std::int64_t* slice_offsets = nullptr;  ///< SELL; nullptr means one slice of `stride` places (ELL)
  std::int64_t stride = 1;                      ///< places in a slice
  const Index* lengths = nullptr;               ///< of places; JDS has none
  const Index* permutation = nullptr;           ///< the row of each place; nullptr means place and row are the same
  std::int64_t total = 0;                       ///< slots in all
  std::int64_t rows = 0;                        ///< elements of y
  const Index* skip = nullptr;                  ///< ascending rows that are not to be written, with repetitions
  const Index* skip_end = nullptr;

  /// Whether the places of a slice have slots for rows of `longest` entries. Not for JDS, whose lengths the diagonals
  /// give.
  [[nodiscard]] bool has_slots(std::int64_t slice, std::int64_t longest) const {
    const std::int64_t begin = slice_offsets != nullptr ? slice_offsets[slice] : 0;
    const std::int64_t end = slice_offsets != nullptr ? slice_offsets[slice + 1] : total;
    std::int64_t needed = 0;
    return begin >= 0 && begin <= end && end <= total && !__builtin_mul_overflow(longest, stride, &needed) &&
           needed <= end - begin;
  }

  [[nodiscard]] std::int64_t slot(std::int64_t place, std::int64_t s) const {
    if (diagonals != nullptr) return diagonals[s] + place;
    const std::int64_t base = slice_offsets != nullptr ? slice_offsets[place / stride] + place % stride : place;
    return base + s * stride;
  }
};

/// A matrix stored by diagonals, as dia_view.
template <value A> struct diagonals {
  const A* values = nullptr;
  bool iso = false;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  const std::int64_t* offsets = nullptr;
  std::int64_t count = 0;
  const std::uint64_t* mask = nullptr;
  std::int64_t mask_words = 0;
};

/// Pairs that are not direct (direct_pairs.hpp) have only descents and what reads rows or staged elements: panel_row,
/// panel_chunk, stage and staged_rows.
template <value A, index Index, value X> struct kernel_table {
  using T = product_of<A, X>;
  using entries = operand<A, Index, X>;

  /// The sum of at most chunk_size contiguous entries in lanes.
  T (*chunk)(const entries& e, std::int64_t count);
  /// How many of `count` columns are not less than the one that follows: 0 when they ascend strictly; -1 when one of
  /// them is not in 0 .. cols.
  std::int64_t (*descents)(const Index* columns, std::int64_t count, std::int64_t cols);
  /// Rows begin .. end of a CSR matrix, each whole.
  bool (*csr_rows)(const entries& e, const std::int64_t* offsets, std::int64_t begin, std::int64_t end,
                   const scaling<T>& scale, T* y);
  /// Places begin .. end of rows stored slot by slot; `begin` and `end` are at edges of slices.
  bool (*slot_places)(const entries& e, const slots<Index>& where, std::int64_t begin, std::int64_t end,
                      const scaling<T>& scale, T* y);
  /// Slices begin .. end of packed rows. `onto`: the sums go on from what y holds.
  void (*packed_rows)(const packed_slices<A, Index>& a, const X* x, std::int64_t begin, std::int64_t end, bool onto,
                      const scaling<T>& scale, T* y);
  /// Runs begin .. end of a stencil.
  void (*stencil_rows)(const stencil_slices<A>& a, const X* x, std::int64_t begin, std::int64_t end,
                       const scaling<T>& scale, T* y);
  /// The same for a stencil that has each value of a symmetric matrix stored once.
  void (*symmetric_rows)(const stencil_slices<A>& a, const X* x, std::int64_t begin, std::int64_t end,
                         const scaling<T>& scale, T* y);
  /// Parts begin .. end of x to where blocks need them.
  void (*stage)(const staging& s, const X* x, std::int64_t begin, std::int64_t end, X* staged);
  /// Blocks begin .. end of a staged product. `staged` may be read, though it is not used, up to piece_size elements
  /// behind its last. Sums of chunks of rows that have several go to `partial`.
  void (*staged_rows)(const staged_blocks<A>& a, const X* staged, std::int64_t begin, std::int64_t end,
                      const scaling<T>& scale, T* y, T* partial);
  /// Rows begin .. end of a matrix stored by diagonals; `begin` is a multiple of 64.
  void (*dia_rows)(const diagonals<A>& a, const X* x, std::int64_t begin, std::int64_t end, const scaling<T>& scale,
                   T* y);
  /// One row of at most short_limit contiguous entries times `cols` dense columns: element (j, c) of the dense matrix
  /// is x[j * stride + c], the sums go to out[c]. `onto`: they go on from what is there.
  void (*panel_row)(const entries& e, std::int64_t count, std::int64_t stride, std::int64_t cols, bool onto, T* out);
  /// One chunk of a longer row times `cols` dense columns.
  void (*panel_chunk)(const entries& e, std::int64_t count, std::int64_t stride, std::int64_t cols, T* out);
  /// At most panel_height rows of a CSR matrix, each whole, times dense columns. Offsets rise, rows have no more
  /// entries than columns, and those lie inside the matrix: nothing is checked here.
  void (*csr_panel)(const entries& e, const std::int64_t* offsets, std::int64_t rows, const dense_panel<X, T>& p);
  /// `slices` slices of a run of a stencil from `slice` on, times dense columns.
  void (*stencil_panel)(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, std::int64_t slices,
                        const X* x, const dense_panel<X, T>& p);
};

/// The kernels for an instruction set that is supported.
template <value A, index Index, value X> [[nodiscard]] const kernel_table<A, Index, X>& kernels_for(isa set);

/// Pairs that have kernels with explicit SIMD. The others (64-bit columns, x narrower than A, complex A with real x)
/// use the portable ones on every instruction set.
template <class A, class Index, class X>
inline constexpr bool has_simd =
    std::is_same_v<Index, std::int32_t> &&
    (std::is_same_v<A, X> ||
     (std::is_same_v<A, float> && (std::is_same_v<X, double> || std::is_same_v<X, std::complex<float>>)) ||
     (std::is_same_v<A, double> && std::is_same_v<X, std::complex<double>>) ||
     (std::is_same_v<A, std::complex<float>> && std::is_same_v<X, std::complex<double>>));

/// Pairs that staged products have explicit SIMD for: equal types, and two real vectors at once as the parts of a
/// complex one.
template <class A, class X>
inline constexpr bool is_staged_pair = std::is_same_v<A, X> || (!is_complex<A> && std::is_same_v<X, std::complex<A>>);

/// Expands Macro(A, X) for every pair with explicit SIMD.
#define LACIS_FOR_EACH_SIMD_PAIR(Macro)                                                                        \
  Macro(float, float) Macro(double, double) Macro(std::complex<float>, std::complex<float>)                    \
      Macro(std::complex<double>, std::complex<double>) Macro(float, double) Macro(float, std::complex<float>) \
          Macro(double, std::complex<double>) Macro(std::complex<float>, std::complex<double>)

/// The same for those of one type: layouts that only plans have are compiled for these, the others take the portable
/// kernels.
#define LACIS_FOR_EACH_EQUAL_PAIR(Macro)                                                    \
  Macro(float, float) Macro(double, double) Macro(std::complex<float>, std::complex<float>) \
      Macro(std::complex<double>, std::complex<double>)

// Each fills its part of a table; one definition for each target of Highway.
#define LACIS_DECLARE_SIMD_KERNELS(target)                                                             \
  namespace target {                                                                                   \
  template <class A, class X> void set_row_kernels(kernel_table<A, std::int32_t, X>& table);           \
  template <class A, class X> void set_slot_kernels(kernel_table<A, std::int32_t, X>& table);          \
  template <class A, class X> void set_dia_kernels(kernel_table<A, std::int32_t, X>& table);           \
  template <class A, class X> void set_packed_kernels(kernel_table<A, std::int32_t, X>& table);        \
  template <class A, class X> void set_stencil_kernels(kernel_table<A, std::int32_t, X>& table);       \
  template <class A, class X> void set_symmetric_kernels(kernel_table<A, std::int32_t, X>& table);     \
  template <class A, class X> void set_staged_kernels(kernel_table<A, std::int32_t, X>& table);        \
  template <class A, class X> void set_panel_kernels(kernel_table<A, std::int32_t, X>& table);         \
  template <class A, class X> void set_stencil_panel_kernels(kernel_table<A, std::int32_t, X>& table); \
  }
LACIS_DECLARE_SIMD_KERNELS(N_AVX2)
LACIS_DECLARE_SIMD_KERNELS(N_AVX3)
#undef LACIS_DECLARE_SIMD_KERNELS

}  // namespace lacis::cpu
