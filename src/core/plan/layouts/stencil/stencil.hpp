// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows that lie on the diagonals of a few patterns: how they are found, walked and refilled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "cpu/spmv/stencil.hpp"
#include "plan/layouts/sell/packed_values.hpp"

namespace lacis::detail {

/// Runs in the order in which a product visits them.
struct stencil_order {
  buffer<cpu::stencil_run> runs;
  buffer<std::int64_t> first_place;  ///< of each run, counting the rows in them, and their number

  /// In all runs, whether they are in the slices or elsewhere.
  [[nodiscard]] std::int64_t rows() const { return runs.empty() ? 0 : first_place[runs.size()]; }
  /// The run at which part `part` of `parts` begins when rows are shared evenly.
  [[nodiscard]] std::int64_t cut(int part, int parts) const;
};
[[nodiscard]] stencil_order order_of(std::span<const cpu::stencil_run> runs, std::int64_t height);

/// Owns what cpu::stencil_slices describes; its own order is that of the rows.
template <class Value> struct stencil_rows : stencil_order {
  static constexpr std::int64_t height = cpu::slice_height<Value>;

  std::vector<cpu::stencil_pattern> patterns;
  std::vector<std::int64_t> diagonals;
  std::vector<std::uint16_t> masks;
  packed_values<Value> values;
  bool by_pattern = false;
  std::int64_t entries = 0;
  std::int64_t slots = 0;  ///< of all slices, whether their values are kept or not
  bool once = false;       ///< values of a symmetric matrix are to be stored once
  std::int64_t upper = 0;  ///< they are: diagonals on and above the main one, 0 otherwise
  std::vector<cpu::upper_place> places;
  stencil_order strips;  ///< the order of products where rows in their order reach too far back for the cache

  [[nodiscard]] cpu::stencil_slices<Value> view() const { return view_in(*this); }
  [[nodiscard]] cpu::stencil_slices<Value> view_in(const stencil_order& order) const {
    return {order.runs.data(), order.runs.size(), patterns.data(),
            diagonals.data(),  masks.data(),      values.view(),
            by_pattern,        places.data(),     upper};
  }
  /// The order in which a product visits rows.
  [[nodiscard]] const stencil_order& visits() const { return in_strips() ? strips : *this; }
  [[nodiscard]] bool in_strips() const { return upper > 0 && !strips.runs.empty(); }
  /// Whether the rows in a lane of a run's slices are in them.
  [[nodiscard]] bool has_lane(const cpu::stencil_run& run, std::int64_t lane) const {
    return (patterns[static_cast<std::size_t>(run.pattern)].rows >> lane & 1) != 0;
  }
};

/// entry(slot of the value, column) for each entry of a row in a run, in the order of its diagonals.
template <class Value, class Entry>
void for_each_entry(const stencil_rows<Value>& st, const cpu::stencil_run& run, std::int64_t row, Entry&& entry) {
  constexpr std::int64_t height = stencil_rows<Value>::height;
  const cpu::stencil_pattern& p = st.patterns[static_cast<std::size_t>(run.pattern)];
  const std::int64_t slice = (row - run.first_row) / height;
  const std::int64_t lane = (row - run.first_row) % height;
  const cpu::stencil_slices<Value> slices = st.view();
  for (std::int32_t s = 0; s < p.slots; ++s)
    if ((st.masks[static_cast<std::size_t>(p.first + s)] >> lane & 1) != 0)
      entry(slices.slot_of(run, slice, s, lane), row + st.diagonals[static_cast<std::size_t>(p.first + s)]);
}

/// work(run, row) for every row, on threads.
template <class Value, class Work> void for_each_row(const stencil_rows<Value>& st, Work&& work) {
  parallel_pieces(st.runs.size(), st.slots, [&](std::int64_t r) {
    const cpu::stencil_run& run = st.runs[r];
    for (std::int64_t i = 0; i < run.slices * st.height; ++i)
      if (st.has_lane(run, i % st.height)) work(run, run.first_row + i);
  });
}

/// The pattern of every slice of rows, -1 where it has none.
struct slice_patterns {
  std::vector<cpu::stencil_pattern> patterns;
  std::vector<std::int64_t> diagonals;
  std::vector<std::uint16_t> masks;
  buffer<std::int32_t> of_slice;

  /// Whether a row takes part; slices count from row 0.
  [[nodiscard]] bool has_row(std::int64_t row, std::int64_t height) const {
    const std::int64_t slice = row / height;
    return slice < of_slice.size() && of_slice[slice] >= 0 &&
           (patterns[static_cast<std::size_t>(of_slice[slice])].rows >> (row % height) & 1) != 0;
  }
};

/// Patterns that several slices share. A row takes part when it is short, ascends, as its sum follows the diagonals,
/// and lies on diagonals that many rows have. A pattern has `fewest` slices or more: a description is not worth less.
template <class Value, class Index>
[[nodiscard]] slice_patterns find_patterns(const csr_view<Value, Index>& a, std::int64_t first_slice,
                                           std::int64_t last_slice, std::int64_t fewest = 4);

/// Rows of `a` in slices that have a pattern, without their values.
template <class Value, class Index>
[[nodiscard]] stencil_rows<Value> make_stencil(const csr_view<Value, Index>& a, slice_patterns patterns);
/// Puts the values of `a` with the patterns, where slices of one pattern are equal in them; whether they are.
template <class Value, class Index>
[[nodiscard]] bool set_repeated_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a);
/// Puts the values of `a` where a symmetric matrix has each of them once. False, and the values are undefined, where
/// one is not the same, bit for bit, on both sides of the diagonal, or where this would take more slots.
template <class Value, class Index>
[[nodiscard]] bool set_symmetric_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a);
/// Puts the values of `a` in their places, in that form.
template <class Value, class Index>
void set_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a, cpu::value_form form);

template <class Value> [[nodiscard]] std::int64_t bytes_of(const stencil_rows<Value>& st);

}  // namespace lacis::detail
