// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Types of two matrices made one.
#include "input/operands.hpp"

#include <fmt/format.h>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "input/load.hpp"

namespace lacis::app {
namespace {

struct kind_of_entries {
  bool is_complex = false;
  bool is_double = false;
  bool is_wide = false;
};

kind_of_entries kind_of(const any_csr& matrix) {
  return std::visit(
      []<class Matrix>(const Matrix&) {
        using number = typename Matrix::value_type;
        return kind_of_entries{is_complex<number>, sizeof(real_of<number>) == sizeof(double),
                               sizeof(typename Matrix::index_type) == sizeof(std::int64_t)};
      },
      matrix);
}

void turn_into(const kind_of_entries& wanted, any_csr& matrix) {
  const kind_of_entries held = kind_of(matrix);
  if (held.is_complex != wanted.is_complex || held.is_double != wanted.is_double)
    matrix = with_type(std::move(matrix),
                       std::string(wanted.is_complex ? "complex-" : "") + (wanted.is_double ? "double" : "float"));
  if (held.is_wide != wanted.is_wide)
    matrix = std::visit([](const auto& a) -> any_csr { return cast_indices<std::int64_t>(a); }, matrix);
}

}  // namespace

void make_alike(any_csr& a, any_csr& b) {
  const kind_of_entries first = kind_of(a);
  const kind_of_entries second = kind_of(b);
  const kind_of_entries both{first.is_complex || second.is_complex, first.is_double || second.is_double,
                             first.is_wide || second.is_wide};
  turn_into(both, a);
  turn_into(both, b);
}

any_csr transpose_of(const any_csr& a) {
  return std::visit([](const auto& matrix) -> any_csr { return transpose(matrix); }, a);
}

void require_square(const std::string& name, std::int64_t rows, std::int64_t cols, const std::string& what) {
  if (rows != cols)
    throw error(errc::bad_input,
                fmt::format("{}: {} needs a square matrix, not one of {} x {}", name, what, rows, cols));
}

bool is_square(const any_csr& a) {
  return std::visit([](const auto& matrix) { return matrix.rows == matrix.cols; }, a);
}

std::int64_t bytes_of(const any_csr& a) {
  return std::visit([](const auto& matrix) { return storage_bytes(matrix, matrix_format::csr); }, a);
}

}  // namespace lacis::app
