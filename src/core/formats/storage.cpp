// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The formats' names, and the bytes that a matrix takes in each.
#include <lacis/bsr.hpp>
#include <lacis/format.hpp>

#include "base/instantiate.hpp"
#include "formats/layout.hpp"

namespace lacis {

std::string_view name_of(matrix_format f) {
  switch (f) {
    case matrix_format::coo:
      return "coo";
    case matrix_format::csr:
      return "csr";
    case matrix_format::csc:
      return "csc";
    case matrix_format::ell:
      return "ell";
    case matrix_format::hyb:
      return "hyb";
    case matrix_format::jds:
      return "jds";
    case matrix_format::sell:
      return "sell";
    case matrix_format::bsr:
      return "bsr";
    case matrix_format::dia:
      return "dia";
  }
  return "unknown";
}

std::optional<matrix_format> format_named(std::string_view name) {
  for (const matrix_format f : all_formats)
    if (name_of(f) == name) return f;
  return std::nullopt;
}

namespace detail {

template <class Value, class Index>
std::int64_t storage_bytes(const csr_view<Value, Index>& a, matrix_format f, const convert_options& options) {
  constexpr std::int64_t offset = sizeof(std::int64_t);
  constexpr std::int64_t narrow = sizeof(Index);
  const std::int64_t value = a.values.iso ? 0 : static_cast<std::int64_t>(sizeof(Value));
  const std::int64_t single = a.values.iso ? static_cast<std::int64_t>(sizeof(Value)) : 0;
  const std::int64_t slot = slot_bytes(a);
  const std::int64_t nnz = a.nnz();
  const auto times = [](std::int64_t x, std::int64_t y) { return checked_multiply(x, y, "the bytes of a format"); };
  const auto plus = [](std::int64_t x, std::int64_t y) { return checked_add(x, y, "the bytes of a format"); };
  switch (f) {
    case matrix_format::coo:
      return plus(times(nnz, slot + narrow), single);
    case matrix_format::csr:
      return plus(plus(times(a.rows + 1, offset), times(nnz, slot)), single);
    case matrix_format::csc:
      return plus(plus(times(plus(a.cols, 1), offset), times(nnz, slot)), single);
    case matrix_format::ell:
      return plus(plus(times(a.rows, narrow), times(times(a.rows, longest_row(a.row_offsets)), slot)), single);
    case matrix_format::hyb: {
      const std::int64_t width = hyb_width(a);
      std::int64_t rest = 0;
      for (std::int64_t i = 0; i < a.rows; ++i)
        rest += std::max<std::int64_t>(
            0, a.row_offsets[static_cast<std::size_t>(i) + 1] - a.row_offsets[static_cast<std::size_t>(i)] - width);
      return plus(plus(plus(times(a.rows, narrow), times(times(a.rows, width), slot)), times(rest, slot + narrow)),
                  2 * single);
    }
    case matrix_format::jds:
      return plus(plus(plus(times(a.rows, narrow), times(longest_row(a.row_offsets) + 1, offset)), times(nnz, slot)),
                  single);
    case matrix_format::sell: {
      require_sell_options(options);
      const auto permutation = sell_permutation<Index>(a.row_offsets, options.sort_window);
      const auto slices = sell_slice_offsets<Index>(a.row_offsets, permutation, options.slice_height);
      return plus(
          plus(plus(times(a.rows, 2 * narrow), times(slices.size(), offset)), times(slices[slices.size() - 1], slot)),
          single);
    }
    case matrix_format::bsr: {
      require_bsr_options(options);
      const auto rows = bsr_row_offsets(a, options.block_size);
      const std::int64_t blocks = rows[rows.size() - 1];
      const std::int64_t slots = options.block_size * options.block_size;
      return plus(plus(times(rows.size(), offset), times(blocks, narrow + (slots + 7) / 8 + slots * value)), single);
    }
    case matrix_format::dia: {
      const std::int64_t diagonals = dia_diagonals(a).size();
      const std::int64_t each = plus(plus(offset, times((a.rows + 63) / 64, 8)), times(a.rows, value));
      return plus(times(diagonals, each), single);
    }
  }
  throw error(errc::invalid_argument, "no such format");
}

#define LACIS_STORAGE(Value, Index) \
  template LACIS_API std::int64_t storage_bytes(const csr_view<Value, Index>&, matrix_format, const convert_options&);
LACIS_FOR_EACH_TYPE(LACIS_STORAGE)

}  // namespace detail
}  // namespace lacis
