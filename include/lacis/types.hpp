// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The types a matrix may be made of: four value types, two index types.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace lacis {

/// A type of matrix entry: float, double, and the complex numbers over them.
template <class T>
concept value = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
                std::same_as<T, std::complex<double>>;

/// A type of column index. Offsets and counts are always std::int64_t; only indices may be narrow.
template <class T>
concept index = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// Rows and columns of a matrix.
struct matrix_size {
  std::int64_t rows = 0;  ///< number of rows
  std::int64_t cols = 0;  ///< number of columns
};

/// Rows first .. last of a larger matrix.
struct row_range {
  std::int64_t first = 0;  ///< the first row
  std::int64_t last = 0;   ///< behind the last row
};

/// Whether T is std::complex.
template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<std::complex<T>> = true;

namespace detail {
template <class T> struct real_part {
  using type = T;
};
template <class T> struct real_part<std::complex<T>> {
  using type = T;
};
}  // namespace detail

/// float for float and std::complex<float>, double for double and std::complex<double>.
template <value T> using real_of = typename detail::real_part<T>::type;

namespace detail {
template <class A, class B> struct product {
  static constexpr bool single = std::same_as<real_of<A>, float> && std::same_as<real_of<B>, float>;
  using real = std::conditional_t<single, float, double>;
  using type = std::conditional_t<is_complex<A> || is_complex<B>, std::complex<real>, real>;
};
}  // namespace detail

/// The type of a product of two values: complex when an operand is, in double precision when an operand is.
template <value A, value B> using product_of = typename detail::product<A, B>::type;

}  // namespace lacis
