// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils of symmetric matrices: values on and above the main diagonal, each stored once.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "plan/layouts/stencil/stencil.hpp"
#include "plan/layouts/stencil/strips.hpp"

namespace lacis::detail {
namespace {

/// Where slices find the values of each of their diagonals.
template <class Value>
std::vector<cpu::upper_place> places_of(const stencil_rows<Value>& st, const std::vector<std::int64_t>& upper) {
  const auto count = static_cast<std::int64_t>(upper.size());
  std::vector<cpu::upper_place> places;
  for (const std::int64_t diagonal : st.diagonals) {
    const std::int64_t number = std::lower_bound(upper.begin(), upper.end(), std::abs(diagonal)) - upper.begin();
    const std::int64_t back = diagonal < 0 ? (-diagonal + st.height - 1) / st.height : 0;  // slices
    places.push_back({(number - back * count) * st.height, diagonal < 0 ? diagonal + back * st.height : 0});
  }
  return places;
}

/// The values of rows on the diagonals `upper`; 0 where a row has no entry. Rows that are not in slices are there too:
/// others have their values below the diagonal from them.
template <class Value, class Index>
void fill_upper(stencil_rows<Value>& st, const csr_view<Value, Index>& a, const std::vector<std::int64_t>& upper) {
  const std::int64_t slots = static_cast<std::int64_t>(upper.size()) * st.height;
  const std::int64_t slices = a.rows / st.height;
  st.values.write([&](auto put) {
    for (std::int64_t k = 0; k < slots; ++k) put(k, Value{});
    parallel_pieces(slices, a.rows + a.nnz(), [&](std::int64_t slice) {
      const std::int64_t first = (slice + 1) * slots;
      for (std::int64_t k = 0; k < slots; ++k) put(first + k, Value{});
      for (std::int64_t l = 0; l < st.height; ++l) {
        const std::int64_t row = slice * st.height + l;
        auto at = upper.begin();
        std::int64_t k = a.row_offsets[static_cast<std::size_t>(row)];
        const std::int64_t end = a.row_offsets[static_cast<std::size_t>(row + 1)];
        for (; k < end && at != upper.end(); ++k) {
          const std::int64_t diagonal = a.columns[static_cast<std::size_t>(k)] - row;
          while (at != upper.end() && *at < diagonal) ++at;
          if (at != upper.end() && *at == diagonal) put(first + (at - upper.begin()) * st.height + l, a.values[k]);
        }
      }
    });
  });
}

/// Whether a run's rows have the values that their slots say: rows that all have an entry on each of the diagonals.
template <class Value>
bool has_values_everywhere(const stencil_rows<Value>& st, const cpu::stencil_run& run, const Value* values) {
  constexpr std::int64_t height = stencil_rows<Value>::height;
  const std::int32_t slots = st.patterns[static_cast<std::size_t>(run.pattern)].slots;
  const cpu::stencil_slices<Value> view = st.view();
  const auto* const stored = static_cast<const Value*>(view.values.data);
  std::vector<std::int64_t> places(static_cast<std::size_t>(height * slots));  // of the first slice, by rows
  for (std::int64_t l = 0; l < height; ++l)
    for (std::int32_t s = 0; s < slots; ++s)
      places[static_cast<std::size_t>(l * slots + s)] = view.slot_of(run, 0, s, l);
  bool equal = true;
  for (std::int64_t slice = 0; slice < run.slices && equal; ++slice) {
    const Value* const kept = stored + slice * height * st.upper;
    for (const std::int64_t place : places) equal &= std::memcmp(kept + place, values++, sizeof(Value)) == 0;
  }
  return equal;
}

/// Whether the values of rows in slices are where their slots say.
template <class Value, class Index> bool has_values(const stencil_rows<Value>& st, const csr_view<Value, Index>& a) {
  std::atomic<bool> same = true;
  parallel_pieces(st.runs.size(), a.rows + a.nnz(), [&](std::int64_t r) {
    if (!same.load(std::memory_order_relaxed)) return;
    const cpu::stencil_run& run = st.runs[r];
    const auto first_of = [&](std::int64_t i) { return a.row_offsets[static_cast<std::size_t>(run.first_row + i)]; };
    bool equal = true;
    if (st.patterns[static_cast<std::size_t>(run.pattern)].full) {
      equal = has_values_everywhere(st, run, a.values.data.data() + first_of(0));
    } else {
      for (std::int64_t i = 0; i < run.slices * st.height; ++i) {
        if (!st.has_lane(run, i % st.height)) continue;
        std::int64_t k = first_of(i);
        for_each_entry(st, run, run.first_row + i, [&](std::int64_t slot, std::int64_t) {
          const Value kept = st.values[slot];
          equal &= std::memcmp(&kept, &a.values.data[static_cast<std::size_t>(k)], sizeof(Value)) == 0;
          ++k;
        });
      }
    }
    if (!equal) same.store(false, std::memory_order_relaxed);
  });
  return same;
}

}  // namespace

template <class Value, class Index>
bool set_symmetric_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a) {
  if (a.values.iso || st.runs.empty()) return false;
  std::vector<std::int64_t> upper;
  for (const std::int64_t diagonal : st.diagonals) upper.push_back(std::abs(diagonal));
  std::sort(upper.begin(), upper.end());
  upper.erase(std::unique(upper.begin(), upper.end()), upper.end());
  const auto count = static_cast<std::int64_t>(upper.size());
  const std::int64_t slots = (a.rows / st.height + 1) * st.height * count;
  if (slots >= st.slots) return false;
  if (st.values.form() != cpu::value_form::full || st.values.slots() != slots)
    st.values = packed_values<Value>(slots, cpu::value_form::full, Value{});
  st.by_pattern = false;
  st.upper = count;
  st.places = places_of(st, upper);
  fill_upper(st, a, upper);
  if (!has_values(st, a)) return false;
  const stencil_strips strips = strips_for(upper, sizeof(Value));
  if (st.strips.runs.empty() && strips.period > 0) st.strips = order_of(runs_in_strips(st.runs, strips), st.height);
  return true;
}

#define LACIS_SYMMETRIC(Value, Index) \
  template bool set_symmetric_values(stencil_rows<Value>&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SYMMETRIC)

}  // namespace lacis::detail
