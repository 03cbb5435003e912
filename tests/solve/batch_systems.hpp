// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Batches of small systems of every kind, for the tests of solve_batch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::test {

/// What a system of a batch is like.
enum class kind {
  definite,
  dominant,
  indefinite,
  singular,
  not_a_number,
  infinite,
  zero_right_side,
  tiny,
  huge,
  sinking,  ///< the solution is below the range of normal numbers
  count
};

/// Systems of one pattern with symmetric places.
template <class T> struct batch {
  csr_matrix<T> pattern;
  std::int64_t systems = 0;
  std::vector<T> values;
  std::vector<T> b;
  std::vector<T> x;
  std::vector<kind> kinds;

  [[nodiscard]] csr_view<T> matrix(std::int64_t s) const {
    const auto entries = static_cast<std::size_t>(pattern.nnz());
    return {pattern.rows, pattern.cols, pattern.row_offsets, pattern.columns,
            values_view<T>(std::span<const T>(values.data() + static_cast<std::size_t>(s) * entries, entries))};
  }
  [[nodiscard]] std::span<const T> right_side(std::int64_t s) const { return part(b, s); }
  [[nodiscard]] std::vector<T> start(std::int64_t s) const {
    const auto all = part(x, s);
    return {all.begin(), all.end()};
  }
  [[nodiscard]] std::span<const T> part(const std::vector<T>& all, std::int64_t s) const {
    const auto n = static_cast<std::size_t>(pattern.rows);
    return {all.data() + static_cast<std::size_t>(s) * n, n};
  }
};

/// About `per_row` entries in each row, near the diagonal or anywhere; one row is full where `full` is set.
template <class T>
csr_matrix<T> random_pattern(std::int64_t n, std::int64_t per_row, std::int64_t reach, bool full,
                             std::mt19937_64& random) {
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(n));
  const auto put = [&](std::int64_t i, std::int64_t j) {
    rows[static_cast<std::size_t>(i)].push_back(static_cast<std::int32_t>(j));
    rows[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    put(i, i);
    for (std::int64_t k = 0; k < per_row / 2; ++k) {
      const auto j = i - static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(reach));
      if (j >= 0) put(i, j);
    }
    if (full) put(0, i);
  }
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> columns;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  std::vector<T> values(columns.size(), T(1));
  return {n, n, buffer<std::int64_t>(std::move(offsets)), buffer<std::int32_t>(std::move(columns)),
          values_array<T>(buffer<T>(std::move(values)))};
}

template <class T> void spoil(kind what, std::span<T> values, std::span<T> b, const csr_matrix<T>& pattern) {
  using limits = std::numeric_limits<T>;
  const auto diagonal = [&](auto&& change) {
    for (std::int64_t i = 0; i < pattern.rows; ++i)
      for (std::int64_t k = pattern.row_offsets[i]; k < pattern.row_offsets[i + 1]; ++k)
        if (pattern.columns[k] == i) change(values[static_cast<std::size_t>(k)], i);
  };
  switch (what) {
    case kind::indefinite:
      return diagonal([](T& d, std::int64_t i) { d = i % 3 == 1 ? -d : d; });
    case kind::singular:
      return diagonal([](T& d, std::int64_t i) { d = i % 2 == 0 ? T(0) : d; });
    case kind::not_a_number:
      values[values.size() / 2] = limits::quiet_NaN();
      return;
    case kind::infinite:
      b[b.size() / 2] = limits::infinity();
      return;
    case kind::zero_right_side:
      std::fill(b.begin(), b.end(), T(0));
      return;
    case kind::tiny:
      for (T& v : values) v = std::ldexp(v, limits::min_exponent + 5);
      return;
    case kind::huge:
      for (T& v : b) v = std::ldexp(v, limits::max_exponent - 12);
      return;
    case kind::sinking:
      for (T& v : values) v = std::ldexp(v, std::is_same_v<T, float> ? 25 : 60);
      for (T& v : b) v = std::ldexp(v, limits::min_exponent + (std::is_same_v<T, float> ? 18 : 45));
      return;
    default:
      return;
  }
}

/// `ordinary`: nothing but systems that have solutions.
template <class T>
batch<T> random_batch(std::int64_t n, std::int64_t systems, std::uint64_t seed, bool ordinary, bool symmetric) {
  std::mt19937_64 random(seed);
  batch<T> all;
  const std::int64_t reach = seed % 3 == 0 ? std::min<std::int64_t>(n, 5) : n;
  all.pattern = random_pattern<T>(n, 2 + static_cast<std::int64_t>(random() % 9), reach, seed % 4 == 1, random);
  all.systems = systems;
  const auto& p = all.pattern;
  std::uniform_real_distribution<T> number(-1, 1);
  for (std::int64_t s = 0; s < systems; ++s) {
    const kind what = ordinary ? (symmetric ? kind::definite : kind::dominant)
                               : static_cast<kind>(random() % static_cast<std::uint64_t>(kind::count));
    std::vector<T> values(static_cast<std::size_t>(p.nnz()));
    for (T& v : values) v = number(random);
    const auto place = [&](std::int64_t i, std::int64_t j) {
      const auto* begin = p.columns.data() + p.row_offsets[i];
      return static_cast<std::size_t>(std::lower_bound(begin, p.columns.data() + p.row_offsets[i + 1], j) -
                                      p.columns.data());
    };
    const bool mirrored = symmetric || what == kind::definite;
    const T margin = std::ldexp(T(1), -static_cast<int>(random() % 8));
    for (std::int64_t i = 0; i < n; ++i) {
      T sum = margin;
      for (std::int64_t k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
        const std::int64_t j = p.columns[k];
        if (mirrored && j < i) values[static_cast<std::size_t>(k)] = values[place(j, i)];
        if (j != i) sum += std::fabs(values[static_cast<std::size_t>(k)]);
      }
      values[place(i, i)] = sum;
    }
    std::vector<T> b(static_cast<std::size_t>(n));
    std::vector<T> x(b.size());
    for (T& v : b) v = number(random) * 100;
    if (random() % 3 == 0)
      for (T& v : x) v = number(random);
    if (n > 1 && random() % 5 == 0) b[0] = -T(0);
    spoil<T>(what, values, b, p);
    all.kinds.push_back(what);
    all.values.insert(all.values.end(), values.begin(), values.end());
    all.b.insert(all.b.end(), b.begin(), b.end());
    all.x.insert(all.x.end(), x.begin(), x.end());
  }
  return all;
}

template <class T> bool same_bits(std::span<const T> x, std::span<const T> y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}
inline bool same_number(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

}  // namespace lacis::test
