// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Short rows packed in slices: how they are built, walked and refilled.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "cpu/spmv/packed.hpp"
#include "cpu/spmv/slot_costs.hpp"
#include "plan/layouts/sell/packed_values.hpp"

namespace lacis::detail {

/// Rows are sorted by length within so many, where that is needed.
inline constexpr std::int64_t sort_window = 256;

/// The part of short rows that lies in columns first_column .. first_column + cols. Owns what cpu::packed_slices
/// describes; its columns count from first_column.
template <class Value, class Index> struct packed_rows {
  static constexpr std::int64_t height = cpu::slice_height<Value>;

  std::int64_t first_column = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  buffer<cpu::slice_header> headers;
  buffer<std::uint8_t> lengths;
  buffer<Index> rows;
  buffer<Index> columns;
  packed_values<Value> values;

  [[nodiscard]] cpu::packed_slices<Value, Index> view() const {
    return {headers.data(), headers.size(), values.view(),    columns.data(),
            lengths.data(), rows.data(),    cpu::loads_each()};
  }
  /// Lanes up to the last row.
  [[nodiscard]] std::int64_t places() const {
    return headers.empty() ? 0 : (headers.size() - 1) * height + headers[headers.size() - 1].count;
  }
  /// Slots in all, padding included.
  [[nodiscard]] std::int64_t slots() const {
    if (headers.empty()) return 0;
    const auto& last = headers[headers.size() - 1];
    return last.slots + last.longest * height;
  }
  /// The slice at which part `part` of `parts` begins when slots are shared evenly.
  [[nodiscard]] std::int64_t cut(int part, int parts) const;
};

/// entry(slot, column) for each entry of a lane, from left to right; the column counts from the first of the matrix.
template <class Value, class Index, class Entry>
void for_each_entry(const packed_rows<Value, Index>& p, std::int64_t slice, std::int64_t lane, Entry&& entry) {
  constexpr std::int64_t height = packed_rows<Value, Index>::height;
  const cpu::slice_header& h = p.headers[slice];
  const Index* columns = p.columns.data() + h.columns;
  for (int s = 0; s < p.lengths[slice * height + lane]; ++s) {
    const bool runs_on = (h.run_on >> s & 1) != 0;
    entry(h.slots + s * height + lane, p.first_column + (runs_on ? columns[0] + lane : columns[lane]));
    columns += runs_on ? 1 : height;
  }
}

/// work(slice, lane, row) for every row, on threads.
template <class Value, class Index, class Work> void for_each_row(const packed_rows<Value, Index>& p, Work&& work) {
  parallel_pieces(p.headers.size(), p.places() + p.entries, [&](std::int64_t slice) {
    for (std::int64_t lane = 0; lane < p.headers[slice].count; ++lane)
      work(slice, lane, static_cast<std::int64_t>(p.rows[slice * p.height + lane]));
  });
}

/// What the listed rows of `a` have in columns first .. last; every one of them has at most 32 entries in all. Rows are
/// sorted by length within windows where leaving them in order would pad by more than a sixteenth.
template <class Value, class Index>
[[nodiscard]] packed_rows<Value, Index> pack(const csr_view<Value, Index>& a, buffer<Index> rows, std::int64_t first,
                                             std::int64_t last, cpu::value_form form);

template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const packed_rows<Value, Index>& p);

}  // namespace lacis::detail
