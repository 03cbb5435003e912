// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @density: an exact share of all places, spread evenly at random.
#include <algorithm>
#include <limits>
#include <vector>

#include "base/checked.hpp"
#include "generate/draw_columns.hpp"
#include "generate/generator.hpp"

namespace lacis::detail {
namespace {

/// The n x n places, row after row, are cut into strata of equal size (to within one), and each stratum draws its share
/// of the entries, about `entries_in_stratum`, among its places. So their total is exact, and strata are independent of
/// each other and know where in the matrix their entries go.
class strata {
 public:
  strata(std::int64_t n, std::int64_t entries)
      : n_(n), entries_(entries), places_(n * n), count_(std::max<std::int64_t>(1, entries / entries_in_stratum)) {}

  [[nodiscard]] std::int64_t n() const { return n_; }

  template <index Index> row_pattern<Index> build(random_words words, const progress& report) const {
    row_pattern<Index> made{0, n_, n_, buffer<std::int64_t>(n_ + 1), buffer<Index>(entries_)};
    made.row_offsets[n_] = entries_;
    progress_meter meter(report, "placing entries", count_);
    on_threads(threads_for(entries_ + n_), [&](int t, int threads) {
      std::vector<std::int64_t> drawn;
      meter.count(even_cut(count_, t, threads), even_cut(count_, t + 1, threads),
                  [&](std::int64_t s) { fill(s, words, drawn, made); });
    });
    return made;
  }

 private:
  static constexpr std::int64_t entries_in_stratum = 256;
  using wide = __int128;

  [[nodiscard]] std::int64_t first_place(std::int64_t stratum) const {
    return static_cast<std::int64_t>(static_cast<wide>(places_) * stratum / count_);
  }
  /// Proportional to the place, so that no stratum gets more entries than it has places.
  [[nodiscard]] std::int64_t entries_before(std::int64_t place) const {
    return static_cast<std::int64_t>(static_cast<wide>(entries_) * place / places_);
  }

  /// Stores the entries of one stratum, and the offsets of the rows that begin in it.
  template <index Index>
  void fill(std::int64_t stratum, random_words words, std::vector<std::int64_t>& drawn,
            row_pattern<Index>& made) const {
    const std::int64_t begin = first_place(stratum);
    const std::int64_t end = first_place(stratum + 1);
    const std::int64_t first = entries_before(begin);
    const std::int64_t last = entries_before(end);
    drawn.resize(static_cast<std::size_t>(last - first));
    draw_columns(last - first, end - begin, random_words(words(stratum)), drawn.data());
    std::int64_t row = begin / n_ + (begin % n_ != 0);  // the next row to begin
    std::int64_t entry = first;
    for (const std::int64_t offset : drawn) {
      const std::int64_t place = begin + offset;
      for (; row * n_ <= place; ++row) made.row_offsets[row] = entry;
      made.columns[entry++] = static_cast<Index>(place - (row - 1) * n_);
    }
    for (; row < n_ && row * n_ < end; ++row) made.row_offsets[row] = entry;
  }

  std::int64_t n_;
  std::int64_t entries_;
  std::int64_t places_;
  std::int64_t count_;
};

strata read(const argument_reader& arguments) {
  const std::int64_t n = arguments.whole(0, "N", 1, std::numeric_limits<std::int64_t>::max());
  const decimal share = arguments.number(1, "D");
  if (share.above_one()) arguments.fail("D, the share of all places, is above 1");
  const std::int64_t places = checked_multiply(n, n, arguments.naming("places"));
  return {n, rounded_product(places, share, arguments.naming("entries"))};
}

matrix_size size(const argument_reader& arguments) {
  const std::int64_t n = read(arguments).n();
  return {n, n};
}

template <index Index> row_pattern<Index> rows_of(const row_pattern<Index>& all, row_range rows) {
  const std::int64_t first = all.row_offsets[rows.first];
  const std::int64_t count = rows.last - rows.first;
  row_pattern<Index> some{rows.first, count, all.cols, buffer<std::int64_t>(count + 1),
                          buffer<Index>(all.row_offsets[rows.last] - first)};
  for (std::int64_t i = 0; i <= count; ++i) some.row_offsets[i] = all.row_offsets[rows.first + i] - first;
  std::copy_n(all.columns.data() + first, some.columns.size(), some.columns.data());
  return some;
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  // Strata do not end where rows do, so all are made and the rows that are asked for are kept.
  row_pattern<Index> all = read(arguments).build<Index>(random_words(seed, purpose::strata), report);
  if (rows.last - rows.first < all.rows) all = rows_of(all, rows);
  return {std::move(all), {natural_values::integer, 0, false}};
}

}  // namespace

constinit const generator density_generator{
    {"density", "N,D", "N x N, a share D of all places (0 to 1), spread evenly at random"},
    2,
    2,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail
