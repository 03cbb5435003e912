// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @powerlaw: rows whose lengths follow a power law from the longest down, in random order.
#include <algorithm>
#include <bit>
#include <limits>

#include "generate/draw_columns.hpp"
#include "generate/generator.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t most_rows = std::int64_t{1} << 36;

/// Lengths by rank 1, 2, 3 ...: the longest is `longest`, a rank twice as large has a length `ratio` times as large,
/// and between powers of two lengths fall linearly; so powers of one number suffice and the bits are the same
/// everywhere. Lengths are multiples of 2^-20 summed exactly, and a row gets the integers that the sum passes:
/// rounded up or down, with nothing lost in total.
class power_law {
 public:
  /// The ratio is chosen such that the first n lengths sum to `total`, longest <= total <= n x longest.
  power_law(std::int64_t n, std::int64_t longest, std::int64_t total) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 64; ++step) {
      const double middle = low + (high - low) / 2;
      set_ratio(longest, middle);
      (sum(n) >> fraction_bits < static_cast<wide>(total) ? low : high) = middle;
    }
    set_ratio(longest, high);
  }

  /// The sum of the lengths of ranks 1 .. count, rounded down.
  [[nodiscard]] std::int64_t before(std::int64_t count) const {
    return static_cast<std::int64_t>(sum(count) >> fraction_bits);
  }

 private:
  using wide = unsigned __int128;
  static constexpr int fraction_bits = 20;
  static constexpr std::size_t octaves = 37;

  [[nodiscard]] wide sum(std::int64_t count) const {
    const auto octave = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(count) + 1) - 1);
    return sums_[octave] + sum_in_octave(octave, static_cast<wide>(count) + 1 - (wide{1} << octave));
  }

  /// The sum of the first `count` lengths of ranks 2^octave .. 2^(octave + 1). Below 2^127: heights are below 2^57 and
  /// counts at most 2^36.
  [[nodiscard]] wide sum_in_octave(std::size_t octave, wide count) const {
    const wide fall = heights_[octave] - heights_[octave + 1];
    const wide pairs = count == 0 ? 0 : count * (count - 1) / 2;
    return count * heights_[octave] - (fall * pairs >> octave);
  }

  void set_ratio(std::int64_t longest, double ratio) {
    double height = static_cast<double>(longest) * (1 << fraction_bits);
    for (std::size_t octave = 0; octave <= octaves; ++octave, height *= ratio)
      heights_[octave] = static_cast<std::uint64_t>(height);
    sums_[0] = 0;
    for (std::size_t octave = 0; octave < octaves; ++octave)
      sums_[octave + 1] = sums_[octave] + sum_in_octave(octave, wide{1} << octave);
  }

  std::uint64_t heights_[octaves + 1] = {};
  wide sums_[octaves + 1] = {};
};

class power_law_rows {
 public:
  power_law_rows(std::int64_t n, const power_law& lengths, std::uint64_t seed)
      : n_(n),
        lengths_(lengths),
        rank_(n, random_words(seed, purpose::permutation)),
        words_(seed, purpose::row_columns) {}

  [[nodiscard]] std::int64_t length(std::int64_t i) const {
    const std::int64_t rank = rank_(i);
    return lengths_.before(rank + 1) - lengths_.before(rank);
  }
  template <index Index> void write(std::int64_t i, Index* out) const {
    draw_columns(length(i), n_, random_words(words_(i)), out);
  }

 private:
  std::int64_t n_;
  power_law lengths_;
  bijection rank_;
  random_words words_;
};

struct shape {
  std::int64_t n;
  std::int64_t longest;
  std::int64_t total;
};

shape read(const argument_reader& arguments) {
  shape s{};
  s.n = arguments.whole(0, "N", 1, most_rows);
  const decimal mean = arguments.number(1, "MEAN");
  s.longest = arguments.whole(2, "MAXROW", 1, s.n);
  s.total = rounded_product(s.n, mean, arguments.naming("entries"));
  if (s.total < s.longest) arguments.fail("MEAN is too small: N rows of MEAN entries are fewer than MAXROW");
  if (s.total > static_cast<__int128>(s.n) * s.longest) arguments.fail("MEAN is above MAXROW");
  return s;
}

matrix_size size(const argument_reader& arguments) {
  const shape s = read(arguments);
  return {s.n, s.n};
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  const shape s = read(arguments);
  const power_law lengths(s.n, s.longest, s.total);
  return {build_rows<Index>(rows, s.n, power_law_rows(s.n, lengths, seed), report),
          {natural_values::integer, 0, false}};
}

}  // namespace

constinit const generator powerlaw_generator{
    {"powerlaw", "N,MEAN,MAXROW", "N x N, rows of MAXROW entries and shorter by a power law, MEAN on average"},
    3,
    3,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail
