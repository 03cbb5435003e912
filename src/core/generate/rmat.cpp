// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @rmat: the recursive power-law graph of Graph500 (Chakrabarti, Zhan and Faloutsos, 2004).
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <span>

#include "base/checked.hpp"
#include "generate/generator.hpp"
#include "generate/random.hpp"

namespace lacis::detail {
namespace {

/// A word each of whose bits is 1 with probability share / 2^16, independently of the others: the bits of `share` are
/// compared with those of 64 random fractions at once, the least significant first.
template <std::uint32_t Share> std::uint64_t coins(random_words words) {
  std::uint64_t less = 0;
  for (int bit = std::countr_zero(Share); bit < 16; ++bit) {
    const std::uint64_t word = words(std::int64_t{bit});
    less = (Share >> bit & 1) != 0 ? less | word : less & word;
  }
  return less;
}

/// Edges in groups, each group computed from its number alone. On each of `scale` levels one of four quarters of the
/// matrix is chosen with probabilities 0.57, 0.19, 0.19, 0.05 (to 2^-16): the lower half with 0.24; then the right half
/// with 0.25 in the upper and 0.05 / 0.24 in the lower one. A group is what 64 levels at once suffice for.
class edge_source {
 public:
  edge_source(int scale, std::uint64_t seed)
      : scale_(scale),
        lower_(seed, purpose::edges),
        upper_right_(seed, purpose::upper_right),
        lower_right_(seed, purpose::lower_right),
        number_(std::int64_t{1} << scale, random_words(seed, purpose::permutation)) {}

  /// How many edges to ask draw() for at a time: whole groups, at most `largest_batch` edges.
  [[nodiscard]] std::int64_t batch() const { return largest_batch / group_size() * group_size(); }
  static constexpr std::int64_t largest_batch = 256;

  /// visit(row, column) for the edges first .. last; `first` is a multiple of batch(). Their vertices still have the
  /// numbers that the quarters give them.
  template <class Visit> void draw(std::int64_t first, std::int64_t last, Visit&& visit) const {
    const std::uint64_t mask = (std::uint64_t{1} << scale_) - 1;
    for (std::int64_t edge = first; edge < last;) {
      const std::int64_t group = edge / group_size();
      std::uint64_t rows = coins<15729>(random_words(lower_(group)));
      std::uint64_t columns = (coins<16384>(random_words(upper_right_(group))) & ~rows) |
                              (coins<13653>(random_words(lower_right_(group))) & rows);
      for (const std::int64_t end = std::min(last, edge + group_size()); edge < end; ++edge) {
        visit(static_cast<std::int64_t>(rows & mask), static_cast<std::int64_t>(columns & mask));
        rows >>= scale_;
        columns >>= scale_;
      }
    }
  }

  /// The number that a vertex gets in the end.
  [[nodiscard]] std::int64_t number(std::int64_t vertex) const { return number_(vertex); }

 private:
  [[nodiscard]] std::int64_t group_size() const { return 64 / std::max(1, scale_); }

  int scale_;
  random_words lower_;
  random_words upper_right_;
  random_words lower_right_;
  bijection number_;
};

struct shape {
  int scale;
  std::int64_t vertices;
  std::int64_t edges;
};

shape read(const argument_reader& arguments) {
  shape s{};
  s.scale = static_cast<int>(arguments.whole(0, "SCALE", 0, 62));
  s.vertices = std::int64_t{1} << s.scale;
  const std::int64_t factor =
      arguments.has(1) ? arguments.whole(1, "EDGEFACTOR", 0, std::numeric_limits<std::int64_t>::max()) : 16;
  s.edges = checked_multiply(s.vertices, factor, arguments.naming("edges"));
  return s;
}

matrix_size size(const argument_reader& arguments) {
  const shape s = read(arguments);
  return {s.vertices, s.vertices};
}

/// work(first, last) for all edges in batches: computing many before touching memory, and asking for the memory before
/// using it, keeps the processor from waiting for one atomic operation after the other.
template <class Work>
void for_each_batch(std::int64_t edges, std::int64_t batch, std::string_view stage, const progress& report, Work work) {
  const std::int64_t batches = edges / batch + (edges % batch != 0);
  progress_meter meter(report, stage, batches);
  on_threads(threads_for(edges), [&](int t, int threads) {
    meter.count(even_cut(batches, t, threads), even_cut(batches, t + 1, threads),
                [&](std::int64_t b) { work(b * batch, b * batch + std::min(batch, edges - b * batch)); });
  });
}

/// The edges are drawn twice, to count and to place, so that no list of them is stored. Threads place the edges of a
/// row in any order; sorting it and dropping what repeats makes the result the same for all.
template <index Index>
row_pattern<Index> build(const shape& s, std::uint64_t seed, row_range range, const progress& report) {
  const edge_source source(s.scale, seed);
  const std::int64_t count_of_rows = range.last - range.first;
  const auto is_wanted = [&](std::int64_t row) { return row >= range.first && row < range.last; };
  // Element r + 1 first counts row r, then tells where row r begins and moves on as entries are placed; at the end of
  // that the elements are the rows' offsets.
  buffer<std::int64_t> cursors(count_of_rows + 2);
  parallel_for(cursors.size(), [&](std::int64_t i) { cursors[i] = 0; });
  const auto next = [&](std::int64_t row) {
    return std::atomic_ref<std::int64_t>(cursors[row + 1]).fetch_add(1, std::memory_order_relaxed);
  };
  for_each_batch(s.edges, source.batch(), "counting edges", report, [&](std::int64_t first, std::int64_t last) {
    std::int64_t rows[edge_source::largest_batch];
    std::int64_t count = 0;
    source.draw(first, last, [&](std::int64_t row, std::int64_t) {
      const std::int64_t number = source.number(row);
      if (!is_wanted(number)) return;
      rows[count] = number - range.first;
      __builtin_prefetch(&cursors[rows[count++] + 1], 1);
    });
    for (std::int64_t k = 0; k < count; ++k) next(rows[k]);
  });
  buffer<Index> drawn(counts_to_offsets(std::span<std::int64_t>(cursors).subspan(1)));
  for_each_batch(s.edges, source.batch(), "placing edges", report, [&](std::int64_t first, std::int64_t last) {
    std::int64_t rows[edge_source::largest_batch];
    Index columns[edge_source::largest_batch];
    std::int64_t count = 0;
    source.draw(first, last, [&](std::int64_t row, std::int64_t column) {
      const std::int64_t number = source.number(row);
      if (!is_wanted(number)) return;
      columns[count] = static_cast<Index>(source.number(column));
      rows[count] = number - range.first;
      __builtin_prefetch(&cursors[rows[count++] + 1], 1);
    });
    for (std::int64_t k = 0; k < count; ++k) {
      rows[k] = next(rows[k]);  // from here on the entry's slot
      __builtin_prefetch(&drawn[rows[k]], 1);
    }
    for (std::int64_t k = 0; k < count; ++k) drawn[rows[k]] = columns[k];
  });
  const auto offsets = std::span<const std::int64_t>(cursors).first(static_cast<std::size_t>(count_of_rows) + 1);
  row_pattern<Index> made{range.first, count_of_rows, s.vertices, buffer<std::int64_t>(count_of_rows + 1), {}};
  {
    progress_meter meter(report, "sorting rows", count_of_rows);
    parallel_rows(offsets, [&](std::int64_t first_row, std::int64_t last_row) {
      meter.count(first_row, last_row, [&](std::int64_t i) {
        Index* const begin = drawn.data() + cursors[i];
        Index* const end = drawn.data() + cursors[i + 1];
        std::sort(begin, end);
        made.row_offsets[i] = std::unique(begin, end) - begin;
      });
    });
  }
  made.columns = buffer<Index>(counts_to_offsets(made.row_offsets));
  parallel_rows(made.row_offsets, [&](std::int64_t first_row, std::int64_t last_row) {
    for (std::int64_t i = first_row; i < last_row; ++i)
      std::copy_n(drawn.data() + cursors[i], made.row_offsets[i + 1] - made.row_offsets[i],
                  made.columns.data() + made.row_offsets[i]);
  });
  return made;
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  return {build<Index>(read(arguments), seed, rows, report), {natural_values::pattern, 0, false}};
}

}  // namespace

constinit const generator rmat_generator{{"rmat", "SCALE[,EDGEFACTOR]",
                                          "Graph500's directed power-law graph: 2^SCALE vertices, 16 edges drawn for "
                                          "each (repeated ones dropped, loops kept)"},
                                         1,
                                         2,
                                         size,
                                         make<std::int32_t>,
                                         make<std::int64_t>};

}  // namespace lacis::detail
