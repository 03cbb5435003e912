// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Finding blocks, and making, refilling and reading the layout `bsr`.
#include "plan/layouts/bsr/layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"

namespace lacis::detail {
namespace {

/// Block rows that are sorted by length together.
constexpr std::int64_t window = 256;

/// Blocks in a block row whose rows are full; 0 where one is not, or is cut into chunks, or has too many.
template <class Value, class Index>
std::int64_t full_blocks(const csr_view<Value, Index>& a, std::int64_t block, std::int64_t block_row) {
  constexpr std::int64_t most_blocks = 255;
  const std::int64_t row = block_row * block;
  if (row + block > a.rows) return 0;
  const std::int64_t length = length_of(a.row_offsets, row);
  if (length % block != 0 || length > cpu::chunk_size || length / block > most_blocks) return 0;
  const Index* first = a.columns.data() + a.row_offsets[static_cast<std::size_t>(row)];
  bool full = true;
  for (std::int64_t k = 0; k < length; k += block)
    for (std::int64_t j = 1; j < block; ++j) full &= first[k + j] == first[k] + static_cast<Index>(j);
  for (std::int64_t i = 1; i < block && full; ++i)
    full = length_of(a.row_offsets, row + i) == length && std::equal(first, first + length, first + i * length);
  return full ? length / block : 0;
}

bool is_short(std::int64_t blocks, std::int64_t block) { return blocks * block <= cpu::short_limit; }

/// Sorts block rows by falling length within windows.
template <class Index> void sort_by_length(buffer<Index>& rows, const buffer<std::uint8_t>& blocks_of) {
  parallel_pieces((rows.size() + window - 1) / window, rows.size(), [&](std::int64_t w) {
    std::stable_sort(rows.begin() + w * window, rows.begin() + std::min(rows.size(), (w + 1) * window),
                     [&](Index k, Index m) { return blocks_of[k] > blocks_of[m]; });
  });
}

/// put_column(place, column) and put(value slot, value) for every slot of a slice; padding repeats a column of its lane
/// and has the value 0. What has been cleared needs no padding.
template <class Value, class Index, class PutColumn, class Put>
void fill_slice(const bsr_layout<Value, Index>& l, std::int64_t slice, const csr_view<Value, Index>& a, bool padded,
                PutColumn&& put_column, Put&& put) {
  const bsr_slice& h = l.slices[slice];
  for (std::int64_t lane = 0; lane < l.height; ++lane) {
    const std::int64_t row = lane < h.count ? l.block_rows[slice * l.height + lane] * l.block : 0;
    const std::int64_t blocks = lane < h.count ? l.lengths[slice * l.height + lane] : 0;
    for (std::int64_t s = 0; s < (padded ? h.longest : blocks); ++s) {
      const std::int64_t slot = h.slots + s;
      const std::int64_t from = a.row_offsets[static_cast<std::size_t>(row)] + (s < blocks ? s * l.block : 0);
      put_column(slot * l.height + lane, blocks > 0 ? a.columns[static_cast<std::size_t>(from)] : Index{0});
      for (std::int64_t i = 0; i < l.block; ++i) {
        const std::int64_t first = a.row_offsets[static_cast<std::size_t>(row + i)] + s * l.block;
        for (std::int64_t j = 0; j < l.block; ++j)
          put(l.value_slot(slot, i, j, lane), s < blocks ? a.values[first + j] : Value{});
      }
    }
  }
}

/// The rows in blocks; a place is a row of a lane.
template <class A, class Index> class bsr_source final : public cpu::row_source<A, Index> {
 public:
  explicit bsr_source(const bsr_layout<A, Index>& l) : l_(l) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return l_.cut(part, parts) * l_.height * l_.block;
  }
  std::int64_t start(std::int64_t place) override {
    lane_ = place / l_.block;
    inner_ = place % l_.block;
    next_ = 0;
    if (lane_ % l_.height >= l_.slices[lane_ / l_.height].count) return -1;
    return l_.lengths[lane_] * l_.block;
  }
  [[nodiscard]] std::int64_t row() const override { return l_.block_rows[lane_] * l_.block + inner_; }
  cpu::stored_entries<A, Index> read(std::int64_t count) override {
    const std::int64_t first = l_.slices[lane_ / l_.height].slots;
    for (std::int64_t k = 0; k < count; ++k, ++next_) {
      const std::int64_t slot = first + next_ / l_.block;
      const std::int64_t j = next_ % l_.block;
      values_[static_cast<std::size_t>(k)] = l_.values[l_.value_slot(slot, inner_, j, lane_ % l_.height)];
      columns_[static_cast<std::size_t>(k)] = l_.columns[slot * l_.height + lane_ % l_.height] + static_cast<Index>(j);
    }
    return {values_.data(), false, columns_.data()};
  }

 private:
  const bsr_layout<A, Index>& l_;
  std::int64_t lane_ = 0;  ///< among those of all slices
  std::int64_t inner_ = 0;
  std::int64_t next_ = 0;
  std::array<A, static_cast<std::size_t>(cpu::chunk_size)> values_;
  std::array<Index, static_cast<std::size_t>(cpu::chunk_size)> columns_;
};

}  // namespace

template <class Value, class Index> std::int64_t bsr_layout<Value, Index>::cut(int part, int parts) const {
  if (part <= 0) return 0;
  if (part >= parts) return slices.size();
  const std::int64_t target = even_cut(slots(), part, parts);
  return std::lower_bound(slices.begin(), slices.end(), target,
                          [](const bsr_slice& slice, std::int64_t slot) { return slice.slots < slot; }) -
         slices.begin();
}

template <class Value, class Index>
cpu::value_form build(bsr_layout<Value, Index>& l, const csr_view<Value, Index>& given, const layout_choice& choice) {
  const cpu::value_form form = settled_form(choice.form, given.values);
  const csr_view<Value, Index> a = in_form(given, form);
  l.block = std::clamp<std::int64_t>(choice.blocks, smallest_block, largest_block);
  const std::int64_t count = a.rows / l.block;
  buffer<std::uint8_t> blocks_of(count);
  parallel_pieces(count, a.rows + a.nnz(),
                  [&](std::int64_t k) { blocks_of[k] = static_cast<std::uint8_t>(full_blocks(a, l.block, k)); });
  auto [long_rows, short_rows] =
      long_and_short(a, [&](std::int64_t i) { return i / l.block >= count || blocks_of[i / l.block] == 0; });
  l.others = keep_rows<Value, Index>(a, std::move(long_rows), std::move(short_rows), form);

  std::array<buffer<Index>, 2> kinds;  // short rows, then long ones
  for (const std::size_t kind : {0u, 1u}) {
    kinds[kind] = rows_where<Index>(
        count, [&](std::int64_t k) { return blocks_of[k] > 0 && is_short(blocks_of[k], l.block) == (kind == 0); });
    sort_by_length(kinds[kind], blocks_of);
  }
  const auto slices_of = [&](std::size_t kind) { return (kinds[kind].size() + l.height - 1) / l.height; };
  l.slices = buffer<bsr_slice>(slices_of(0) + slices_of(1));
  l.block_rows = buffer<Index>(l.slices.size() * l.height, Index{0});
  l.lengths = buffer<std::uint8_t>(l.slices.size() * l.height, std::uint8_t{0});
  buffer<std::int64_t> first_slot(l.slices.size() + 1);
  parallel_pieces(l.slices.size(), a.rows, [&](std::int64_t t) {
    const std::size_t kind = t < slices_of(0) ? 0 : 1;
    const std::int64_t first = (kind == 0 ? t : t - slices_of(0)) * l.height;
    bsr_slice& h = l.slices[t] = {};
    h.is_short = kind == 0;
    h.count = static_cast<std::uint8_t>(std::min(l.height, kinds[kind].size() - first));
    for (std::int64_t lane = 0; lane < h.count; ++lane) {
      const Index row = kinds[kind][first + lane];
      l.block_rows[t * l.height + lane] = row;
      l.lengths[t * l.height + lane] = blocks_of[row];
    }
    const auto ends = std::minmax_element(&l.lengths[t * l.height], &l.lengths[t * l.height] + l.height);
    h.shortest = *ends.first;
    h.longest = *ends.second;
    first_slot[t] = h.longest;
  });
  l.columns = buffer<Index>(counts_to_offsets(first_slot) * l.height);
  l.values =
      packed_values<Value>(l.columns.size() * l.block * l.block, form, a.values.data.empty() ? Value{} : a.values[0]);
  l.values.write([&](auto put) {
    parallel_pieces(l.slices.size(), a.rows + a.nnz(), [&](std::int64_t t) {
      l.slices[t].slots = first_slot[t];
      fill_slice(l, t, a, true, [&](std::int64_t at, Index column) { l.columns[at] = column; }, put);
    });
  });
  l.entries_in_blocks = a.nnz() - l.others.entries();
  return form;
}

template <class Value, class Index>
void set_values(bsr_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  if (l.values.form() != form || form == cpu::value_form::one) {
    l.values =
        packed_values<Value>(l.columns.size() * l.block * l.block, form, a.values.data.empty() ? Value{} : a.values[0]);
    l.values.clear();
  }
  l.values.write([&](auto put) {
    parallel_pieces(l.slices.size(), a.rows + a.nnz(),
                    [&](std::int64_t t) { fill_slice(l, t, a, false, [](std::int64_t, Index) {}, put); });
  });
  set_values(l.others, a, form);
}

template <class A, class Index>
bool supply_rows(const cpu::launch& how, const bsr_layout<A, Index>& l, const cpu::row_work<A, Index>& work) {
  if (!l.slices.empty())
    cpu::run(how, [&](int thread, int threads) {
      bsr_source<A, Index> source(l);
      work(source, thread, threads);
    });
  return supply_rows(how, l.others, work);
}

template <class Value, class Index> void take_sample(bsr_model& m, const csr_view<Value, Index>& a) {
  constexpr std::int64_t height = cpu::slice_height<Value>;
  double best = 0;
  for (std::int64_t block = largest_block; block >= smallest_block; --block) {
    std::array<std::int64_t, 2> seen{};   // entries of short rows and of longer ones
    std::array<std::int64_t, 2> found{};  // those in full blocks
    std::int64_t rows = 0;
    std::int64_t rows_found = 0;
    std::int64_t slots = 0;
    for_each_sample(a.rows / block / height, [&](std::int64_t first, std::int64_t count) {
      std::array<std::vector<std::int64_t>, 2> lengths;
      for (std::int64_t k = first * height; k < (first + count) * height; ++k) {
        const std::int64_t blocks = full_blocks(a, block, k);
        rows += block;
        rows_found += blocks > 0 ? block : 0;
        if (blocks > 0) lengths[is_short(blocks, block) ? 0 : 1].push_back(blocks);
        for (std::int64_t i = k * block; i < (k + 1) * block; ++i) {
          const std::int64_t length = length_of(a.row_offsets, i);
          const std::size_t kind = length <= cpu::short_limit ? 0 : 1;
          seen[kind] += length;
          found[kind] += blocks > 0 ? length : 0;
        }
      }
      for (auto& kind : lengths) {
        std::sort(kind.begin(), kind.end(), std::greater<>());
        for (std::size_t k = 0; k < kind.size(); k += height) slots += kind[k] * height;
      }
    });
    const auto share = [](std::int64_t part, std::int64_t all) {
      return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
    };
    // Indices that are saved.
    const double gain = share(found[0] + found[1], seen[0] + seen[1]) * (1 - 1.0 / static_cast<double>(block * block));
    if (gain <= best) continue;
    best = gain;
    m = {block, share(found[0], seen[0]), share(found[1], seen[1]), share(rows_found, rows),
         share(slots * block * block, found[0] + found[1])};
  }
}

#define LACIS_BSR_LAYOUT(Value, Index)                                                                                \
  template std::int64_t bsr_layout<Value, Index>::cut(int, int) const;                                                \
  template cpu::value_form build(bsr_layout<Value, Index>&, const csr_view<Value, Index>&, const layout_choice&);     \
  template void set_values(bsr_layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form);                \
  template bool supply_rows(const cpu::launch&, const bsr_layout<Value, Index>&, const cpu::row_work<Value, Index>&); \
  template void take_sample(bsr_model&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_BSR_LAYOUT)

}  // namespace lacis::detail
