// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrix Market: its header, its reader and its writer, over text in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/io.hpp>

#include "io/text_input.hpp"

namespace lacis::detail {

enum class matrix_market_field { real, integer, unsigned_integer, complex, pattern };
enum class matrix_market_symmetry { general, symmetric, skew_symmetric, hermitian };

[[nodiscard]] std::string_view name_of(matrix_market_field field);
[[nodiscard]] std::string_view name_of(matrix_market_symmetry symmetry);

/// What the banner and the size line say, and where they stand.
struct matrix_market_header {
  bool array = false;  ///< every entry is listed, column by column; otherwise coordinates
  matrix_market_field field = matrix_market_field::real;
  matrix_market_symmetry symmetry = matrix_market_symmetry::general;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;  ///< that the body lists: declared, or for an array what its sizes and symmetry imply
  const char* size_line = nullptr;
  std::string_view body;  ///< the text below the size line
};

/// Whether the text begins as a Matrix Market file does, perhaps a faulty one.
[[nodiscard]] bool looks_like_matrix_market(std::string_view text);

/// Throws error(bad_input) when a comment above the first line of data resembles the banner. Such a text is a Matrix
/// Market file whose banner is misspelt or not at the very beginning. Readers of other text skip comments, and would
/// take its entries for something else.
void refuse_misplaced_banner(const text_input& input);

/// Reads everything above the entries and checks that the bytes below can hold as many as are declared. `input.text`
/// must outlive the header. Accepts the banner in any case, "double" for real, comments and blank lines above the size
/// line. Throws error(bad_input).
[[nodiscard]] matrix_market_header parse_matrix_market_header(const text_input& input);
/// The same for the beginning of a longer text, of which `rest` bytes follow behind this part.
[[nodiscard]] matrix_market_header parse_matrix_market_header(const text_input& beginning, std::int64_t rest);
/// Whether everything above the entries is in this part of a text, the end of the size line included.
[[nodiscard]] bool holds_matrix_market_header(std::string_view beginning);

/// The matrix in the text, with canonical rows: as lacis::read says. Beyond the standard it accepts blank lines between
/// entries, CRLF, Fortran's exponents, "inf" and "nan", and a symmetric matrix whose entries stand above the diagonal;
/// a place that is given from both sides of the diagonal is an error. Array files keep their zeros. Fills every field
/// of the report but its time. The first fault in the order of the file is reported, whatever the number of threads.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> parse_matrix_market(const text_input& input, const read_options& options,
                                                           read_report& report);

/// Hands the file to `sink` piece by piece. Iso matrices of ones become patterns, all others are "real" or "complex".
/// Only the lower triangle of a canonical matrix is written when its upper one can be rebuilt from it to the last bit;
/// skew-symmetric ones must also store no diagonal.
template <value Value, index Index>
void write_matrix_market(const std::function<void(std::string_view)>& sink, const csr_view<Value, Index>& a,
                         const write_options& options);

}  // namespace lacis::detail
