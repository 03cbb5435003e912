// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The Matrix Market writer: rows as text on all threads, in order, the lower triangle alone where it says everything.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/row_text.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

using field = matrix_market_field;
using symmetry = matrix_market_symmetry;

template <value Value> bool same_bits(Value a, Value b) { return std::memcmp(&a, &b, sizeof(Value)) == 0; }

/// Whether a reader that mirrors the entry (i, j) as `kind` says obtains exactly `opposite` at (j, i).
template <value Value> bool is_image(symmetry kind, Value entry, Value opposite) {
  if (kind == symmetry::skew_symmetric) return same_bits(Value(-entry), opposite);
  if constexpr (is_complex<Value>)
    if (kind == symmetry::hermitian) return same_bits(std::conj(entry), opposite);
  return same_bits(entry, opposite);
}

/// Whether the value may stand on the diagonal of a matrix of that kind; a skew-symmetric file lists no diagonal.
template <value Value> bool fits_diagonal(symmetry kind, Value entry) {
  return kind == symmetry::symmetric || (kind == symmetry::hermitian && std::imag(entry) == 0);
}

/// Whether the entries above the diagonal are the images of those below it, to the last bit: signs of zeros, which ==
/// does not see, included. Needs no memory, and ends at the first entry without an image.
template <value Value, index Index> bool is_mirrored(const csr_view<Value, Index>& a, symmetry kind) {
  std::atomic<bool> mirrored{true};
  std::atomic<std::int64_t> surplus{0};  // entries below the diagonal, less those above
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard;
    const std::int64_t* offsets = a.row_offsets.data();
    const Index* columns = a.columns.data();
    std::int64_t below = 0;
    for (std::int64_t i = first; i < last && mirrored.load(std::memory_order_relaxed); ++i) {
      for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        const std::int64_t j = columns[k];
        if (j > i) {
          below -= offsets[i + 1] - k;
          break;
        }
        if (j == i) {
          if (!fits_diagonal(kind, a.values[k])) mirrored = false;
          continue;
        }
        ++below;
        const Index* row_end = columns + offsets[j + 1];
        const Index* found = std::lower_bound(columns + offsets[j], row_end, static_cast<Index>(i));
        if (found == row_end || *found != i || !is_image(kind, a.values[k], a.values[found - columns]))
          mirrored = false;
      }
    }
    surplus += below;
  });
  return mirrored && surplus == 0;
}

template <value Value, index Index> symmetry find_kind(const csr_view<Value, Index>& a, const write_options& options) {
  if (!options.detect_symmetry || a.rows != a.cols || a.nnz() == 0 || !is_canonical(a)) return symmetry::general;
  if (is_mirrored(a, symmetry::symmetric)) return symmetry::symmetric;
  if (is_mirrored(a, symmetry::skew_symmetric)) return symmetry::skew_symmetric;
  if (is_complex<Value> && is_mirrored(a, symmetry::hermitian)) return symmetry::hermitian;
  return symmetry::general;
}

template <std::floating_point Real> void append_number(std::string& out, Real number) {
  if (std::isnan(number))
    out += "nan";
  else
    append_text(out, number);
}

/// What follows the place of an entry.
template <value Value> void append_value(std::string& out, Value value) {
  out += ' ';
  append_number(out, std::real(value));
  if constexpr (is_complex<Value>) {
    out += ' ';
    append_number(out, std::imag(value));
  }
}

template <value Value, index Index> std::int64_t count_lower(const csr_view<Value, Index>& a) {
  std::atomic<std::int64_t> total{0};
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    std::int64_t count = 0;
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k)
        count += a.columns.data()[k] <= i;
    total += count;
  });
  return total;
}

}  // namespace

template <value Value, index Index>
void write_matrix_market(const std::function<void(std::string_view)>& sink, const csr_view<Value, Index>& a,
                         const write_options& options) {
  const symmetry kind = find_kind(a, options);
  const bool lower_only = kind != symmetry::general;
  const bool pattern = a.values.iso && same_bits(a.values[0], Value(1));
  const field content = pattern ? field::pattern : is_complex<Value> ? field::complex : field::real;
  sink(text("%%MatrixMarket matrix coordinate ", name_of(content), ' ', name_of(kind), '\n',
            comment_lines(options.comment, "%"), a.rows, ' ', a.cols, ' ', lower_only ? count_lower(a) : a.nnz(),
            '\n'));

  std::string same_value;  // of an iso matrix
  if (a.values.iso && !pattern) append_value(same_value, a.values[0]);
  const auto write_row = [&](std::int64_t i, std::string& out) {
    const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(i)];
    const std::int64_t end = a.row_offsets[static_cast<std::size_t>(i) + 1];
    if (begin == end) return;
    char prefix[24];
    const char* prefix_end = std::to_chars(prefix, prefix + sizeof prefix, i + 1).ptr;
    const std::string_view row(prefix, prefix_end);
    for (std::int64_t k = begin; k < end; ++k) {
      const auto column = static_cast<std::int64_t>(a.columns[static_cast<std::size_t>(k)]);
      if (lower_only && column > i) break;
      out += row;
      out += ' ';
      append_text(out, column + 1);
      if (a.values.iso)
        out += same_value;
      else
        append_value(out, a.values[k]);
      out += '\n';
    }
  };
  write_rows(sink, a.row_offsets, write_row, options.progress);
}

#define LACIS_WRITE_MATRIX_MARKET(Value, Index)                                                                  \
  template void write_matrix_market(const std::function<void(std::string_view)>&, const csr_view<Value, Index>&, \
                                    const write_options&);
LACIS_FOR_EACH_TYPE(LACIS_WRITE_MATRIX_MARKET)

}  // namespace lacis::detail
