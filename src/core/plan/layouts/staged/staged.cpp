// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Building staged layouts.
#include "plan/layouts/staged/staged.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/instantiate.hpp"
#include "plan/layouts/staged/by_frequency.hpp"
#include "plan/layouts/staged/column_ranker.hpp"
#include "summation/tree.hpp"

namespace lacis::detail {
namespace {

using cpu::chunk_size;
using cpu::piece_size;
using cpu::short_limit;

/// Rows and entries of a block: a row or a chunk more still fits.
constexpr std::int64_t block_work = piece_size - 2 * chunk_size;

/// A place between rows, or between the chunks of a row.
struct block_edge {
  std::int64_t row = 0;
  std::int64_t chunk = 0;
};

template <class Value, class Index> class staged_builder {
 public:
  staged_builder(const csr_view<Value, Index>& a, cpu::value_form form, bool permutes) : a_(a) {
    const std::int64_t count = staged_block_count(a.rows, a.nnz());
    result_.cols = a.cols;
    result_.entries = a.nnz();
    find_cut_rows();
    edges_ = buffer<block_edge>(count + 1);
    for (std::int64_t b = 0; b <= count; ++b) edges_[b] = edge_at(b * block_work);
    edges_[count] = {a.rows, 0};
    if (permutes) permute_columns();
    lay_out();
    result_.values = packed_values<Value>(slots_, form, a.values.data.empty() ? Value{} : a.values[0]);
    columns_.resize(static_cast<std::size_t>(count));
    result_.values.write(
        [&](auto put) { for_each_block([&](std::int64_t b, column_ranker<Index>& ranker) { fill(b, put, ranker); }); });
    if (!permutes) lay_out_parts();
  }

  staged_rows<Value, Index> result() { return std::move(result_); }

 private:
  static constexpr std::int64_t height = staged_rows<Value, Index>::height;

  [[nodiscard]] std::int64_t offset(std::int64_t row) const { return a_.row_offsets[static_cast<std::size_t>(row)]; }
  [[nodiscard]] std::int64_t length(std::int64_t row) const { return offset(row + 1) - offset(row); }

  template <class Work> void for_each_block(Work&& work) {
    const std::int64_t count = edges_.size() - 1;
    std::atomic<std::int64_t> next = 0;
    on_threads(count > 1 ? thread_count() : 1, [&](int, int) {
      column_ranker<Index> ranker(a_.cols);
      for (std::int64_t b = next++; b < count; b = next++) work(b, ranker);
    });
  }

  void find_cut_rows() {
    std::vector<std::vector<cut_row>> found(static_cast<std::size_t>(threads_for(a_.rows)));
    const int threads = static_cast<int>(found.size());
    on_threads(threads, [&](int t, int) {
      const std::int64_t end = even_cut(a_.rows, t + 1, threads);
      for (std::int64_t i = even_cut(a_.rows, t, threads); i < end; ++i)
        if (length(i) > chunk_size)
          found[static_cast<std::size_t>(t)].push_back({i, 0, summation::chunks_of(length(i), chunk_size)});
    });
    for (const auto& part : found)
      for (cut_row row : part) {
        row.partial = result_.partial_sums;
        result_.partial_sums += row.chunks;
        result_.cut_rows.push_back(row);
      }
  }

  void permute_columns() {
    result_.order = by_frequency<Index>(a_.columns, a_.cols);
    result_.staged_size = a_.cols;
    place_of_ = buffer<std::int32_t>(a_.cols);
    parallel_for(a_.cols, [&](std::int64_t k) { place_of_[result_.order[k]] = static_cast<std::int32_t>(k); });
  }

  /// The first edge with at least `work` rows and entries before it.
  [[nodiscard]] block_edge edge_at(std::int64_t work) const {
    std::int64_t low = 0;
    std::int64_t high = a_.rows;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (middle + offset(middle) < work)
        low = middle + 1;
      else
        high = middle;
    }
    if (low > 0 && length(low - 1) > chunk_size) {
      const std::int64_t chunk = summation::chunks_of(work - (low - 1) - offset(low - 1), chunk_size);
      if (chunk < summation::chunks_of(length(low - 1), chunk_size)) return {low - 1, chunk};
    }
    return {low, 0};
  }

  [[nodiscard]] std::int64_t entry_at(const block_edge& edge) const {
    return edge.chunk == 0 ? offset(edge.row) : offset(edge.row) + edge.chunk * chunk_size;
  }

  /// work(row, first entry, count, target) for the chunks and longer rows of a block.
  template <class Work> void for_each_chunk(std::int64_t b, Work&& work) const {
    const block_edge from = edges_[b];
    const block_edge to = edges_[b + 1];
    for (std::int64_t row = from.row; row < to.row + (to.chunk > 0 ? 1 : 0); ++row) {
      if (length(row) <= short_limit) continue;
      const std::int64_t first = row == from.row ? from.chunk : 0;
      const std::int64_t last = row == to.row ? to.chunk : summation::chunks_of(length(row), chunk_size);
      std::int64_t partial = -1;
      if (length(row) > chunk_size)
        partial = std::lower_bound(result_.cut_rows.begin(), result_.cut_rows.end(), row,
                                   [](const cut_row& r, std::int64_t i) { return r.row < i; })
                      ->partial;
      for (std::int64_t c = first; c < last; ++c)
        work(offset(row) + c * chunk_size, std::min(chunk_size, length(row) - c * chunk_size),
             partial < 0 ? row : ~(partial + c));
    }
  }

  /// How many short rows of each length a block has.
  [[nodiscard]] std::array<std::int64_t, static_cast<std::size_t>(short_limit) + 1> lengths_in(std::int64_t b) const {
    std::array<std::int64_t, static_cast<std::size_t>(short_limit) + 1> counts{};
    for (std::int64_t row = edges_[b].row; row < edges_[b + 1].row; ++row)
      if (length(row) <= short_limit) ++counts[static_cast<std::size_t>(length(row))];
    return counts;
  }

  /// Sizes of everything but the staged x.
  void lay_out() {
    const std::int64_t count = edges_.size() - 1;
    result_.blocks = buffer<cpu::staged_block>(count);
    buffer<std::int64_t> slots(count + 1);
    buffer<std::int64_t> lanes(count + 1);
    buffer<std::int64_t> chunks(count + 1);
    for_each_block([&](std::int64_t b, column_ranker<Index>&) {
      const auto counts = lengths_in(b);
      std::int64_t place = 0;
      slots[b] = 0;
      for (std::int64_t l = short_limit; l >= 0; --l) {
        const std::int64_t rows = counts[static_cast<std::size_t>(l)];
        slots[b] += ((place + rows + height - 1) / height - (place + height - 1) / height) * height * l;
        place += rows;
      }
      result_.blocks[b] = {};
      result_.blocks[b].rows = place;
      result_.blocks[b].first_row = edges_[b].row;
      lanes[b] = (place + height - 1) / height * height;
      chunks[b] = 0;
      for_each_chunk(b, [&](std::int64_t, std::int64_t size, std::int64_t) {
        slots[b] += size;
        ++chunks[b];
      });
    });
    slots_ = counts_to_offsets(slots);
    const auto make_places = [&](auto& places) {
      places = std::decay_t<decltype(places)>(slots_ + spare_slots);
      std::fill(places.begin() + slots_, places.end(), 0);
    };
    if (result_.permutes())
      make_places(result_.shared_places);
    else
      make_places(result_.places);
    const std::int64_t all_lanes = counts_to_offsets(lanes);
    result_.rows = buffer<std::uint16_t>(all_lanes);
    result_.lengths = buffer<std::uint8_t>(all_lanes);
    result_.chunks = buffer<cpu::staged_chunk>(counts_to_offsets(chunks));
    for (std::int64_t b = 0; b < count; ++b) {
      result_.blocks[b].slots = slots[b];
      result_.blocks[b].lanes = lanes[b];
      result_.blocks[b].chunks = chunks[b];
      result_.blocks[b].chunk_count = chunks[b + 1] - chunks[b];
    }
  }

  template <class Put> void fill(std::int64_t b, Put&& put_value, column_ranker<Index>& ranker) {
    const auto first_of_block = static_cast<std::size_t>(entry_at(edges_[b]));
    const auto size = static_cast<std::size_t>(entry_at(edges_[b + 1])) - first_of_block;
    cpu::staged_block& block = result_.blocks[b];
    const bool permutes = result_.permutes();
    if (!permutes) {
      ranker.rank(a_.columns.subspan(first_of_block, size), columns_[static_cast<std::size_t>(b)]);
      block.region_size = static_cast<std::int64_t>(columns_[static_cast<std::size_t>(b)].size());
    }
    const std::int64_t first_entry = entry_at(edges_[b]);
    const auto put = [&](std::int64_t slot, std::int64_t entry) {
      if (permutes)
        result_.shared_places[slot] = place_of_[a_.columns[static_cast<std::size_t>(entry)]];
      else
        result_.places[slot] = ranker.ranks()[static_cast<std::size_t>(entry - first_entry)];
      put_value(slot, a_.values[entry]);
    };
    auto counts = lengths_in(b);
    std::int64_t place = 0;
    for (std::int64_t l = short_limit; l >= 0; --l) place += std::exchange(counts[static_cast<std::size_t>(l)], place);
    std::uint16_t* rows = result_.rows.data() + block.lanes;
    std::uint8_t* lengths = result_.lengths.data() + block.lanes;
    for (std::int64_t row = edges_[b].row; row < edges_[b + 1].row; ++row) {
      if (length(row) > short_limit) continue;
      const std::int64_t at = counts[static_cast<std::size_t>(length(row))]++;
      rows[at] = static_cast<std::uint16_t>(row - block.first_row);
      lengths[at] = static_cast<std::uint8_t>(length(row));
    }
    const std::int64_t lanes = (block.rows + height - 1) / height * height;
    for (std::int64_t at = block.rows; at < lanes; ++at) rows[at] = lengths[at] = 0;
    std::int64_t slot = block.slots;
    for (std::int64_t first = 0; first < block.rows; first += height) {
      for (std::int64_t l = 0; l < height; ++l) {
        const std::int64_t from = first + l < block.rows ? offset(block.first_row + rows[first + l]) : 0;
        for (std::int64_t s = 0; s < lengths[first]; ++s) {
          if (s < lengths[first + l]) {
            put(slot + s * height + l, from + s);
          } else {
            if (permutes)
              result_.shared_places[slot + s * height + l] = 0;
            else
              result_.places[slot + s * height + l] = 0;
            put_value(slot + s * height + l, Value{});
          }
        }
      }
      slot += lengths[first] * height;
    }
    std::int64_t chunk = block.chunks;
    for_each_chunk(b, [&](std::int64_t first, std::int64_t count, std::int64_t target) {
      result_.chunks[chunk++] = {slot, count, target};
      for (std::int64_t k = 0; k < count; ++k) put(slot + k, first + k);
      slot += count;
    });
  }

  /// Which elements of which piece go to which block.
  void lay_out_parts() {
    const std::int64_t count = result_.blocks.size();
    for (std::int64_t b = 0; b < count; ++b) {
      result_.blocks[b].region = result_.staged_size;
      result_.staged_size += result_.blocks[b].region_size;
    }
    const std::int64_t parts = result_.pieces() * count;
    result_.part_first = buffer<std::int64_t>(parts + 1);
    result_.part_target = buffer<std::int64_t>(parts);
    const auto for_each_part = [&](std::int64_t b, auto&& work) {
      const auto& columns = columns_[static_cast<std::size_t>(b)];
      auto begin = columns.begin();
      for (std::int64_t p = 0; p < result_.pieces(); ++p) {
        const auto end = p + 1 == result_.pieces()
                             ? columns.end()
                             : std::lower_bound(begin, columns.end(), static_cast<Index>((p + 1) * piece_size));
        work(p * count + b, begin - columns.begin(), end - columns.begin());
        begin = end;
      }
    };
    for_each_block([&](std::int64_t b, column_ranker<Index>&) {
      for_each_part(b, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
        result_.part_first[part] = end - begin;
        result_.part_target[part] = result_.blocks[b].region + begin;
      });
    });
    result_.part_places = buffer<std::uint16_t>(counts_to_offsets(result_.part_first) + spare_slots);
    for_each_block([&](std::int64_t b, column_ranker<Index>&) {
      const auto& columns = columns_[static_cast<std::size_t>(b)];
      for_each_part(b, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
        std::uint16_t* to = result_.part_places.data() + result_.part_first[part];
        for (std::int64_t k = begin; k < end; ++k)
          *to++ = static_cast<std::uint16_t>(columns[static_cast<std::size_t>(k)] % piece_size);
      });
    });
  }

  const csr_view<Value, Index>& a_;
  staged_rows<Value, Index> result_;
  buffer<block_edge> edges_;
  std::vector<std::vector<Index>> columns_;  ///< different ones, of each block
  buffer<std::int32_t> place_of_;            ///< of columns in the permutation of x
  std::int64_t slots_ = 0;
};

}  // namespace

std::int64_t staged_block_count(std::int64_t rows, std::int64_t entries) {
  return std::max<std::int64_t>(1, (rows + entries + block_work - 1) / block_work);
}
std::int64_t staged_part_count(std::int64_t rows, std::int64_t cols, std::int64_t entries) {
  return (cols + piece_size - 1) / piece_size * staged_block_count(rows, entries);
}

template <class Value, class Index> std::vector<Index> staged_rows<Value, Index>::columns_of(std::int64_t block) const {
  std::vector<Index> columns(static_cast<std::size_t>(blocks[block].region_size));
  if (permutes()) return columns;
  for (std::int64_t p = 0; p < pieces(); ++p) {
    const std::int64_t part = p * blocks.size() + block;
    auto to = columns.begin() + (part_target[part] - blocks[block].region);
    for (std::int64_t k = part_first[part]; k < part_first[part + 1]; ++k)
      *to++ = static_cast<Index>(p * piece_size + part_places[k]);
  }
  return columns;
}

template <class Value, class Index>
staged_rows<Value, Index> make_staged(const csr_view<Value, Index>& a, cpu::value_form form, bool permutes) {
  return staged_builder<Value, Index>(a, form, permutes && a.cols > 0).result();
}

template <class Value, class Index>
void set_values(staged_rows<Value, Index>& st, const csr_view<Value, Index>& a, cpu::value_form form) {
  if (st.values.form() != form || form == cpu::value_form::one) {
    st.values = packed_values<Value>(st.slots(), form, a.values.data.empty() ? Value{} : a.values[0]);
    st.values.clear();
  }
  if (form == cpu::value_form::one) return;
  st.values.write([&](auto put) {
    for_each_entry(st, [&](std::int64_t row, std::int64_t rank, std::int64_t slot, std::int64_t) {
      put(slot, a.values[a.row_offsets[static_cast<std::size_t>(row)] + rank]);
    });
  });
}

template <class Value, class Index> std::int64_t bytes_of(const staged_rows<Value, Index>& st) {
  const auto size = [](const auto& array) {
    return static_cast<std::int64_t>(array.size()) * static_cast<std::int64_t>(sizeof(*array.data()));
  };
  if (st.blocks.empty()) return 0;
  return size(st.part_first) + size(st.part_target) + size(st.part_places) + size(st.blocks) + size(st.chunks) +
         size(st.places) + size(st.shared_places) + size(st.order) + st.values.bytes() + size(st.rows) +
         size(st.lengths) + size(st.cut_rows) +
         (st.staged_size + piece_size) * static_cast<std::int64_t>(sizeof(Value));
}

#define LACIS_STAGED(Value, Index)                                                                      \
  template std::vector<Index> staged_rows<Value, Index>::columns_of(std::int64_t) const;                \
  template staged_rows<Value, Index> make_staged(const csr_view<Value, Index>&, cpu::value_form, bool); \
  template void set_values(staged_rows<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form); \
  template std::int64_t bytes_of(const staged_rows<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_STAGED)

}  // namespace lacis::detail
