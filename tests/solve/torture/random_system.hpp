// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small random systems of every bad kind: scaled to the ends of the range, singular, indefinite, not finite, empty.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::torture {

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  /// 0 .. faces - 1.
  int roll(int faces) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(faces)); }
  bool one_in(int faces) { return roll(faces) == 0; }
  int between(int low, int high) { return low + roll(high - low + 1); }
  /// -1 .. 1.
  double real() { return 2 * static_cast<double>(engine_() >> 11) * 0x1p-53 - 1; }

 private:
  std::mt19937_64 engine_;
};

enum class family {
  dominant,
  definite,
  diagonal,
  tridiagonal,
  general,
  singular,
  indefinite,
  permutation,
  graded,
  zero,
  pair,     ///< two unknowns that are joined and hardly grounded: large, nearly equal
  grounded  ///< a chain or ring that is grounded as weakly in one place
};
inline constexpr std::array<std::string_view, 12> family_names = {"dominant", "definite", "diagonal",   "tridiagonal",
                                                                  "general",  "singular", "indefinite", "permutation",
                                                                  "graded",   "zero",     "pair",       "grounded"};

template <value T> struct random_system {
  family kind = family::general;
  csr_matrix<T, std::int32_t> a;
  std::vector<T> b;
  std::vector<T> x;  ///< to start from
  int exponent_of_a = 0;
  int exponent_of_b = 0;
  bool is_finite = true;  ///< A, b and x
  bool is_even = true;    ///< all entries of A have the same scale, and b is not zero
};

template <value T> T random_number(dice& chance) {
  using real = real_of<T>;
  if constexpr (is_complex<T>)
    return {static_cast<real>(chance.real()), static_cast<real>(chance.real())};
  else
    return static_cast<real>(chance.real());
}

/// In two steps: one power alone may be out of range.
template <value T> T scaled(T x, int exponent) {
  using real = real_of<T>;
  const auto part = [&](real r) { return std::ldexp(r, exponent); };
  if constexpr (is_complex<T>)
    return {part(x.real()), part(x.imag())};
  else
    return part(x);
}

template <value T> T not_finite(dice& chance) {
  using real = real_of<T>;
  const std::array<real, 3> all = {std::numeric_limits<real>::quiet_NaN(), std::numeric_limits<real>::infinity(),
                                   -std::numeric_limits<real>::infinity()};
  return T(all[static_cast<std::size_t>(chance.roll(3))]);
}

template <value T> using dense = std::vector<std::vector<T>>;

template <value T> dense<T> random_dense(family kind, int rows, int cols, dice& chance) {
  using real = real_of<T>;
  dense<T> a(static_cast<std::size_t>(rows), std::vector<T>(static_cast<std::size_t>(cols), T(0)));
  const auto at = [&](int i, int j) -> T& { return a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; };
  const int square = std::min(rows, cols);
  const auto conjugate = [](T v) {
    if constexpr (is_complex<T>)
      return std::conj(v);
    else
      return v;
  };
  const auto hermitian = [&] {
    for (int i = 0; i < square; ++i)
      for (int j = 0; j < i; ++j)
        if (chance.one_in(2)) {
          at(i, j) = random_number<T>(chance);
          at(j, i) = conjugate(at(i, j));
        }
  };
  const auto sprinkle = [&] {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        if (chance.one_in(2)) at(i, j) = random_number<T>(chance);
  };
  const int ground = chance.between(8, std::numeric_limits<real>::digits - 1);  // 2^-ground
  switch (kind) {
    case family::dominant:
    case family::graded:
      sprinkle();
      for (int i = 0; i < square; ++i) at(i, i) = T(static_cast<real>(2 * cols + 1 + chance.roll(3)));
      break;
    case family::definite:
      hermitian();
      for (int i = 0; i < square; ++i) at(i, i) = T(static_cast<real>(2 * cols + 1 + chance.roll(3)));
      break;
    case family::indefinite:
      hermitian();
      for (int i = 0; i < square; ++i) at(i, i) = T(static_cast<real>(chance.between(-3, 3)));
      break;
    case family::diagonal:
      for (int i = 0; i < square; ++i) at(i, i) = T(static_cast<real>(chance.between(1, 9)));
      break;
    case family::tridiagonal:
      for (int i = 0; i < square; ++i) {
        at(i, i) = T(2);
        if (i > 0) at(i, i - 1) = at(i - 1, i) = T(-1);
      }
      break;
    case family::general:
      sprinkle();
      break;
    case family::singular:
      sprinkle();
      if (rows > 1) a[static_cast<std::size_t>(chance.roll(rows))] = a[0];
      if (cols > 0 && chance.one_in(2))
        for (int i = 0, j = chance.roll(cols); i < rows; ++i) at(i, j) = T(0);
      break;
    case family::permutation:
      for (int i = 0; i < rows && cols > 0; ++i) at(i, (i + 1) % cols) = T(1);
      break;
    case family::zero:
      break;
    case family::pair: {
      for (int i = 0; i < square; ++i) at(i, i) = T(1);
      if (square < 2) break;
      const int i = chance.roll(square);
      const int j = (i + 1 + chance.roll(square - 1)) % square;
      at(i, j) = at(j, i) = T(-1);
      at(j, j) = T(static_cast<real>(1 + std::ldexp(1.0, -ground)));
      break;
    }
    case family::grounded:
      for (int i = 0; i + 1 < square; ++i) {
        const auto stiffness = T(static_cast<real>(chance.between(1, 4)));
        at(i, i) += stiffness;
        at(i + 1, i + 1) += stiffness;
        at(i, i + 1) -= stiffness;
        at(i + 1, i) -= stiffness;
      }
      if (square > 0) at(0, 0) += T(static_cast<real>(std::ldexp(1.0, -ground)));
      break;
  }
  return a;
}

template <value T> random_system<T> make_system(dice& chance) {
  using real = real_of<T>;
  constexpr int lowest = std::numeric_limits<real>::min_exponent - std::numeric_limits<real>::digits;
  constexpr int highest = std::numeric_limits<real>::max_exponent - 8;
  const auto exponent = [&] {
    return chance.one_in(3) ? 0 : std::max(-1000, std::min(1000, chance.between(lowest, highest)));
  };
  random_system<T> s;
  s.kind = static_cast<family>(chance.roll(static_cast<int>(family_names.size())));
  const int rows = chance.one_in(20) ? chance.roll(3) : chance.between(1, 12);
  const int cols = chance.one_in(6) ? chance.between(0, 12) : rows;
  s.exponent_of_a = exponent();
  s.exponent_of_b = exponent();
  auto a = random_dense<T>(s.kind, rows, cols, chance);
  const bool scatter = chance.one_in(20);
  s.is_even = !scatter && s.kind != family::graded;
  const bool keeps_zeros = chance.one_in(8);  // stored, which counts as an entry
  s.a = {.rows = rows, .cols = cols, .row_offsets = buffer<std::int64_t>(rows + 1, 0), .columns = {}, .values = {}};
  std::vector<std::int32_t> columns;
  std::vector<T> values;
  for (int i = 0; i < rows; ++i) {
    const int of_row = s.kind == family::graded ? chance.between(-40, 40) : 0;
    for (int j = 0; j < cols; ++j) {
      T& entry = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      if (entry == T(0) && !keeps_zeros) continue;
      columns.push_back(j);
      values.push_back(scaled(entry, scatter ? exponent() : s.exponent_of_a + of_row));
    }
    s.a.row_offsets[i + 1] = static_cast<std::int64_t>(columns.size());
  }
  const auto spoil = [&](std::vector<T>& numbers, int faces) {
    if (numbers.empty() || !chance.one_in(faces)) return;
    numbers[static_cast<std::size_t>(chance.roll(static_cast<int>(numbers.size())))] = not_finite<T>(chance);
    s.is_finite = false;
  };
  spoil(values, 20);
  s.a.columns = buffer<std::int32_t>(std::span<const std::int32_t>(columns));
  s.a.values = values_array<T>(static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), s.a.values.data.begin());
  for (int i = 0; i < rows; ++i) s.b.push_back(scaled(random_number<T>(chance), s.exponent_of_b));
  if (chance.one_in(25)) s.b.assign(static_cast<std::size_t>(rows), T(0));
  spoil(s.b, 40);
  s.x.assign(static_cast<std::size_t>(cols), T(0));
  if (chance.one_in(8))
    for (T& element : s.x) element = scaled(random_number<T>(chance), exponent());
  spoil(s.x, 60);
  for (const auto& entry : values)
    if (std::abs(entry) > std::numeric_limits<real>::max()) s.is_finite = false;
  return s;
}

}  // namespace lacis::torture
