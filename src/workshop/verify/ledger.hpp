// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where verification writes down what it has compared.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/types.hpp>

#include "verify/verify.hpp"

namespace lacis::verification {

/// The same number for the same words on every machine.
[[nodiscard]] std::uint64_t hash_of(std::string_view words);

/// Where two results part: "row 3 is ..., the order gives ...", or nothing when they have the same bits, every NaN
/// alike. `place` names an element.
template <value T>
[[nodiscard]] std::string difference(std::span<const T> got, std::span<const T> expected,
                                     const std::function<std::string(std::int64_t)>& place);

/// The same for sparse results: sizes, entries of each row, columns, values.
template <value T, index Index>
[[nodiscard]] std::string difference(const csr_view<T, Index>& got, const csr_view<T, Index>& expected);

/// At most so many faults are told in words.
inline constexpr std::size_t most_faults = 12;

/// What the library was compiled with.
[[nodiscard]] const char* compiler_text();

template <value Value, index Index> [[nodiscard]] std::string types_text() {
  std::string text = is_complex<Value> ? "complex " : "";
  text += std::is_same_v<real_of<Value>, float> ? "float" : "double";
  return text + (sizeof(Index) == 4 ? ", 32-bit columns" : ", 64-bit columns");
}

/// One product: what is multiplied, how, and where element (i, j) of its result is.
struct trial {
  std::string_view row;     ///< of the table
  std::string_view what;    ///< "sell, C = 8"
  std::string_view types;   ///< "float x double, 32-bit columns"
  std::string_view matrix;  ///< its name in the test matrices
  std::string_view form;    ///< "y = alpha A x + beta y"
  isa set = isa::scalar;
  int threads = 1;
  bool digested = false;      ///< one product of those that differ in `set` and `threads` alone enters the digest
  std::int64_t stride = 0;    ///< between the rows of a dense result; 0: a vector
  bool column_major = false;  ///< then between its columns
};

class ledger {
 public:
  /// Compares a result with the reference.
  template <value T> void compare(const trial& t, std::span<const T> got, std::span<const T> expected);
  template <value T, index Index>
  void compare(const trial& t, const csr_view<T, Index>& got, const csr_view<T, Index>& expected);
  /// A product that threw although it should not have.
  void failed(const trial& t, std::string_view message);
  /// A product that had to throw error(invalid_matrix): what happened instead, or nothing.
  void refused(const trial& t, std::string_view instead);

  [[nodiscard]] verify_report& report() { return report_; }

 private:
  void compared(const trial& t, std::uint64_t hash, const std::string& apart);
  verify_count& count_of(const trial& t);
  void fault(const trial& t, std::string_view what);

  verify_report report_;
};

}  // namespace lacis::verification
