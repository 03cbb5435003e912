// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Building and refilling stencils.
#include "plan/layouts/stencil/stencil.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"

namespace lacis::detail {
namespace {

/// Slices in a run: enough for kernels that take several at once, few enough to share out evenly.
constexpr std::int32_t longest_run = 16;

/// entry(slot, k) for each entry k of a row of `a` and its slot in the slice.
template <class Value, class Index, class Entry>
void match_row(const stencil_rows<Value>& st, const cpu::stencil_run& run, const csr_view<Value, Index>& a,
               std::int64_t row, Entry&& entry) {
  std::int64_t k = a.row_offsets[static_cast<std::size_t>(row)];
  for_each_entry(st, run, row, [&](std::int64_t slot, std::int64_t) { entry(slot, k++); });
}

/// The values of a run whose rows have every slot.
template <class Value, class Index, class Put>
void fill_full_run(const stencil_rows<Value>& st, const cpu::stencil_run& run, std::int64_t slots,
                   const csr_view<Value, Index>& a, Put&& put) {
  for (std::int64_t i = 0; i < run.slices * st.height; ++i) {
    const std::int64_t first = a.row_offsets[static_cast<std::size_t>(run.first_row + i)];
    const std::int64_t to = run.slots + i / st.height * slots * st.height + i % st.height;
    for (std::int64_t s = 0; s < slots; ++s) put(to + s * st.height, a.values[first + s]);
  }
}

/// Whether rows from `row` on have the values of those from `example` on, which lie on the same diagonals.
template <class Value, class Index>
bool same_values(const csr_view<Value, Index>& a, std::int64_t row, std::int64_t example, std::int64_t rows) {
  const std::int64_t here = a.row_offsets[static_cast<std::size_t>(row)];
  const std::int64_t there = a.row_offsets[static_cast<std::size_t>(example)];
  const std::int64_t size = a.row_offsets[static_cast<std::size_t>(row + rows)] - here;
  return std::memcmp(a.values.data.data() + here, a.values.data.data() + there,
                     static_cast<std::size_t>(size) * sizeof(Value)) == 0;
}

/// Whether a slice of a run has the values of an example of its pattern.
template <class Value, class Index>
bool repeats(const stencil_rows<Value>& st, const cpu::stencil_run& run, const csr_view<Value, Index>& a,
             std::int64_t row, std::int64_t example) {
  if (st.patterns[static_cast<std::size_t>(run.pattern)].full) return same_values(a, row, example, st.height);
  for (std::int64_t l = 0; l < st.height; ++l)
    if (st.has_lane(run, l) && !same_values(a, row + l, example + l, 1)) return false;
  return true;
}

}  // namespace

std::int64_t stencil_order::cut(int part, int parts) const {
  const std::int64_t target = even_cut(rows(), part, parts);
  return std::lower_bound(first_place.begin(), first_place.begin() + runs.size(), target) - first_place.begin();
}

stencil_order order_of(std::span<const cpu::stencil_run> runs, std::int64_t height) {
  stencil_order order{buffer<cpu::stencil_run>(runs), buffer<std::int64_t>(static_cast<std::int64_t>(runs.size()) + 1)};
  order.first_place[0] = 0;
  for (std::int64_t r = 0; r < order.runs.size(); ++r)
    order.first_place[r + 1] = order.first_place[r] + order.runs[r].slices * height;
  return order;
}

template <class Value, class Index> bool set_repeated_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a) {
  if (a.values.iso) return false;
  std::vector<std::int64_t> example(st.patterns.size(), -1);
  for (const cpu::stencil_run& run : st.runs)
    if (std::int64_t& row = example[static_cast<std::size_t>(run.pattern)]; row < 0) row = run.first_row;
  std::atomic<bool> same = true;
  parallel_piece_ranges(st.runs.size(), a.rows + a.nnz(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end && same.load(std::memory_order_relaxed); ++r) {
      const cpu::stencil_run& run = st.runs[r];
      for (std::int64_t slice = 0; slice < run.slices; ++slice)
        if (!repeats(st, run, a, run.first_row + slice * st.height, example[static_cast<std::size_t>(run.pattern)]))
          same.store(false, std::memory_order_relaxed);
    }
  });
  if (!same) return false;
  st.by_pattern = true;
  st.upper = 0;
  st.values =
      packed_values<Value>(static_cast<std::int64_t>(st.diagonals.size()) * st.height, cpu::value_form::full, Value{});
  st.values.clear();
  st.values.write([&](auto put) {
    std::vector<bool> seen(st.patterns.size());
    for (const cpu::stencil_run& run : st.runs) {
      if (seen[static_cast<std::size_t>(run.pattern)]) continue;
      seen[static_cast<std::size_t>(run.pattern)] = true;
      for (std::int64_t l = 0; l < st.height; ++l)
        if (st.has_lane(run, l))
          match_row(st, run, a, run.first_row + l, [&](std::int64_t slot, std::int64_t k) { put(slot, a.values[k]); });
    }
  });
  return true;
}

template <class Value, class Index>
void set_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a, cpu::value_form form) {
  st.by_pattern = false;
  st.upper = 0;
  if (st.values.form() != form || st.values.slots() != st.slots || form == cpu::value_form::one)
    st.values = packed_values<Value>(st.slots, form, a.values.data.empty() ? Value{} : a.values[0]);
  if (form == cpu::value_form::one) return;
  st.values.write([&](auto put) {
    parallel_pieces(st.runs.size(), a.rows + a.nnz(), [&](std::int64_t r) {
      const cpu::stencil_run& run = st.runs[r];
      const cpu::stencil_pattern& p = st.patterns[static_cast<std::size_t>(run.pattern)];
      if (p.full) return fill_full_run(st, run, p.slots, a, put);
      for (std::int64_t k = 0; k < run.slices * p.slots * st.height; ++k) put(run.slots + k, Value{});
      for (std::int64_t i = 0; i < run.slices * st.height; ++i)
        if (st.has_lane(run, i % st.height))
          match_row(st, run, a, run.first_row + i, [&](std::int64_t slot, std::int64_t k) { put(slot, a.values[k]); });
    });
  });
}

template <class Value, class Index>
stencil_rows<Value> make_stencil(const csr_view<Value, Index>& a, slice_patterns found) {
  stencil_rows<Value> st;
  st.patterns = std::move(found.patterns);
  st.diagonals = std::move(found.diagonals);
  st.masks = std::move(found.masks);
  std::vector<cpu::stencil_run> runs;
  for (std::int64_t slice = 0; slice < found.of_slice.size(); ++slice) {
    const std::int32_t pattern = found.of_slice[slice];
    if (pattern < 0) continue;
    const std::int64_t row = slice * st.height;
    const bool goes_on = !runs.empty() && runs.back().pattern == pattern && runs.back().slices < longest_run &&
                         runs.back().first_row + runs.back().slices * st.height == row;
    if (goes_on)
      ++runs.back().slices;
    else
      runs.push_back({row, st.slots, 1, pattern});
    st.slots += st.patterns[static_cast<std::size_t>(pattern)].slots * st.height;
    for (std::int64_t l = 0; l < st.height; ++l)
      if (st.has_lane(runs.back(), l))
        st.entries +=
            a.row_offsets[static_cast<std::size_t>(row + l + 1)] - a.row_offsets[static_cast<std::size_t>(row + l)];
  }
  static_cast<stencil_order&>(st) = order_of(runs, st.height);
  return st;
}

template <class Value> std::int64_t bytes_of(const stencil_rows<Value>& st) {
  const auto size = [](const auto& array) {
    return static_cast<std::int64_t>(array.size()) * static_cast<std::int64_t>(sizeof(*array.data()));
  };
  return size(st.runs) + size(st.first_place) + size(st.patterns) + size(st.diagonals) + size(st.masks) +
         size(st.places) + size(st.strips.runs) + size(st.strips.first_place) + st.values.bytes();
}

#define LACIS_STENCIL(Value, Index)                                                         \
  template stencil_rows<Value> make_stencil(const csr_view<Value, Index>&, slice_patterns); \
  template bool set_repeated_values(stencil_rows<Value>&, const csr_view<Value, Index>&);   \
  template void set_values(stencil_rows<Value>&, const csr_view<Value, Index>&, cpu::value_form);
LACIS_FOR_EACH_TYPE(LACIS_STENCIL)
#define LACIS_STENCIL_ROWS(Value) template std::int64_t bytes_of(const stencil_rows<Value>&);
LACIS_STENCIL_ROWS(float)
LACIS_STENCIL_ROWS(double)
LACIS_STENCIL_ROWS(std::complex<float>)
LACIS_STENCIL_ROWS(std::complex<double>)

}  // namespace lacis::detail
