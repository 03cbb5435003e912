// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The patterns of the test matrices.
#include "verify/test_matrices.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace lacis::verification {

std::vector<std::int64_t> random_columns(std::int64_t i, std::int64_t count, std::int64_t cols, std::uint64_t salt) {
  std::set<std::int64_t> chosen;
  for (std::uint64_t k = 0; static_cast<std::int64_t>(chosen.size()) < std::min(count, cols); ++k)
    chosen.insert(static_cast<std::int64_t>(mix(salt * 7919 + static_cast<std::uint64_t>(i) * 104729 + k) %
                                            static_cast<std::uint64_t>(cols)));
  return {chosen.begin(), chosen.end()};
}

std::vector<std::int64_t> consecutive(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> columns;
  for (std::int64_t j = first; j < last; ++j) columns.push_back(j);
  return columns;
}

std::vector<std::int64_t> grid_neighbours(std::int64_t i, std::int64_t n, std::int64_t depth, bool faces) {
  const std::int64_t x = i % n;
  const std::int64_t y = i / n % n;
  const std::int64_t z = i / (n * n);
  std::vector<std::int64_t> columns;
  for (std::int64_t dz = -1; dz <= 1; ++dz)
    for (std::int64_t dy = -1; dy <= 1; ++dy)
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        if (faces && dx * dx + dy * dy + dz * dz > 1) continue;
        if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n || z + dz < 0 || z + dz >= depth) continue;
        columns.push_back(i + dx + n * (dy + n * dz));
      }
  return columns;
}

const std::vector<named_pattern>& test_patterns() {
  static const std::vector<named_pattern> patterns = [] {
    std::vector<named_pattern> all;
    const auto add = [&](std::string name, std::int64_t rows, std::int64_t cols, const columns_of_row& columns_of,
                         bool iso = false) {
      named_pattern pattern{std::move(name), rows, cols, {}, iso};
      for (std::int64_t i = 0; i < rows; ++i) pattern.columns.push_back(columns_of(i));
      all.push_back(std::move(pattern));
    };
    const auto none = [](std::int64_t) { return std::vector<std::int64_t>{}; };
    const auto every = [](std::int64_t cols) { return [=](std::int64_t) { return consecutive(0, cols); }; };

    add("0x0", 0, 0, none);
    add("0x5", 0, 5, none);
    add("5x0", 5, 0, none);
    add("7x9 without entries", 7, 9, none);
    add("1x1", 1, 1, every(1));
    add("1x100 dense row", 1, 100, every(100));
    add("100x1 dense column", 100, 1, every(1));
    add("dense 17x13", 17, 13, every(13));
    add("identity 64", 64, 64, [](std::int64_t i) { return std::vector{i}; });
    add("reversed identity 65", 65, 65, [](std::int64_t i) { return std::vector{64 - i}; });
    add("tridiagonal 100", 100, 100,
        [](auto i) { return consecutive(std::max<std::int64_t>(0, i - 1), std::min<std::int64_t>(100, i + 2)); });
    add("banded 200, 9 to each side", 200, 200,
        [](auto i) { return consecutive(std::max<std::int64_t>(0, i - 9), std::min<std::int64_t>(200, i + 10)); });
    add("upper bidiagonal 33x40", 33, 40, [](auto i) { return consecutive(i, i + 2); });
    add("5-point 12^2", 144, 144, [](auto i) { return grid_neighbours(i, 12, 1, true); });
    add("9-point 11^2", 121, 121, [](auto i) { return grid_neighbours(i, 11, 1, false); });
    add("7-point 6^3", 216, 216, [](auto i) { return grid_neighbours(i, 6, 6, true); });
    add("27-point 6^3", 216, 216, [](auto i) { return grid_neighbours(i, 6, 6, false); });
    add("chain 300 randomly numbered", 300, 300, [](std::int64_t i) {
      const std::int64_t place = i * 7 % 300;  // 7 and 300 are coprime: a permutation, undone by 43
      std::set<std::int64_t> columns;
      if (place > 0) columns.insert((place - 1) * 43 % 300);
      if (place < 299) columns.insert((place + 1) * 43 % 300);
      return std::vector<std::int64_t>(columns.begin(), columns.end());
    });
    add("uniform 100x100, 5 a row", 100, 100, [](auto i) { return random_columns(i, 5, 100, 1); });
    add("uniform 250x250, 31 a row", 250, 250, [](auto i) { return random_columns(i, 31, 250, 2); });
    add("tall 500x20", 500, 20, [](auto i) { return random_columns(i, i % 4, 20, 3); });
    add("wide 20x500", 20, 500, [](auto i) { return random_columns(i, 10 + 3 * i, 500, 4); });
    add("power law 300", 300, 300, [](auto i) { return random_columns(i, 300 / (1 + i), 300, 5); });
    add("power law shuffled 300", 300, 300, [](auto i) { return random_columns(i, 300 / (1 + i * 7 % 300), 300, 6); });
    add("one huge row", 200, 3000,
        [](auto i) { return i == 77 ? consecutive(0, 3000) : random_columns(i, 2, 3000, 7); });
    add("one huge row, the rest empty", 50, 2500,
        [](auto i) { return i == 0 ? consecutive(100, 2400) : std::vector<std::int64_t>{}; });
    add("one huge column", 1500, 60,
        [](auto i) { return i % 97 == 0 ? std::vector<std::int64_t>{0, 1 + i % 59} : std::vector<std::int64_t>{0}; });
    add("every second row empty", 128, 128,
        [](auto i) { return i % 2 == 0 ? std::vector<std::int64_t>{} : random_columns(i, 6, 128, 8); });
    add("only the last row", 90, 90, [](auto i) { return i == 89 ? consecutive(0, 90) : std::vector<std::int64_t>{}; });
    add("only the first and last column", 70, 70, [](auto) { return std::vector<std::int64_t>{0, 69}; });
    add("lengths 0 to 70", 71, 80, [](auto i) { return random_columns(i, i, 80, 9); });
    for (const std::int64_t length : {31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2047, 2049, 3100, 4100, 7185})
      add("rows of " + std::to_string(length), 5, length + 20,
          [=](auto i) { return random_columns(i, length, length + 20, 10); });
    add("lengths 30 to 35 mixed with 1020 to 1030", 40, 1200,
        [](auto i) { return random_columns(i, i % 2 == 0 ? 30 + i % 6 : 1020 + i % 11, 1200, 11); });
    add("block 4x4 on the diagonal", 64, 64, [](auto i) { return consecutive(i / 4 * 4, i / 4 * 4 + 4); });
    add("block 3x3 scattered, 62x65", 62, 65, [](auto i) {
      std::vector<std::int64_t> columns;
      for (const std::int64_t block : random_columns(i / 3, 3, 21, 12))
        for (std::int64_t j = 3 * block; j < 3 * block + 3; ++j) columns.push_back(j);
      return columns;
    });
    add("dense block in a corner", 120, 120,
        [](auto i) { return i >= 100 ? consecutive(95, 120) : std::vector<std::int64_t>{i}; });
    add("arrow 150", 150, 150, [](auto i) { return i == 0 ? consecutive(0, 150) : std::vector<std::int64_t>{0, i}; });
    add("lower triangle 40", 40, 40, [](auto i) { return consecutive(0, i + 1); });
    add("upper triangle 40", 40, 40, [](auto i) { return consecutive(i, 40); });
    add("far diagonals 90x200", 90, 200, [](auto i) { return std::vector<std::int64_t>{i, i + 100, i + 110}; });
    add("iso uniform 100x100", 100, 100, [](auto i) { return random_columns(i, 7, 100, 13); }, true);
    add("iso 5-point 10^2", 100, 100, [](auto i) { return grid_neighbours(i, 10, 1, true); }, true);
    add(
        "iso with one huge row", 60, 1500,
        [](auto i) { return i == 5 ? consecutive(0, 1400) : random_columns(i, 3, 1500, 14); }, true);
    add("iso without entries", 9, 9, none, true);
    return all;
  }();
  return patterns;
}

}  // namespace lacis::verification
