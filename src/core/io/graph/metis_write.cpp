// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing METIS graphs.
#include <cmath>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "io/graph/metis.hpp"
#include "io/row_text.hpp"

namespace lacis::detail {
namespace {

template <class Real> bool is_metis_weight(Real weight) {
  constexpr Real below = 0x1p63;
  return weight >= 1 && weight < below && std::trunc(weight) == weight;
}

/// A METIS graph has no loops, and lists each neighbour once.
template <class Value, class Index> void require_simple(const csr_view<Value, Index>& a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (std::int64_t k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
      const Index column = a.columns[static_cast<std::size_t>(k)];
      if (column == i)
        throw error(errc::invalid_argument, text("a METIS graph has no loops, but (", i, ", ", i,
                                                 ") is stored; remove the diagonal or write .mtx"));
      if (k > a.row_offsets[row] && column <= a.columns[static_cast<std::size_t>(k - 1)])
        throw error(errc::invalid_argument,
                    text("row ", i, " is not canonical (sorted, without duplicates); make it so with canonical()"));
    }
  }
}

}  // namespace

template <value Value, index Index>
void write_metis(const byte_writer& out, const csr_view<Value, Index>& a, const write_options& options) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument,
                text("a METIS graph is a square matrix, not ", a.rows, " x ", a.cols, "; write Matrix Market (.mtx)"));
  if constexpr (is_complex<Value>) {
    throw error(errc::invalid_argument, "a METIS graph has whole weights; write a complex matrix as .mtx or .npz");
  } else {
    require_simple(a);
    if (const auto entry = find_one_sided(a))
      throw error(errc::invalid_argument,
                  text("a METIS graph is symmetric, but (", entry->row, ", ", entry->column, ") ",
                       entry->missing ? "has no counterpart" : "differs from its counterpart",
                       "; symmetrise the matrix first, or write .mtx"));
    const auto wrong =
        std::find_if_not(a.values.data.begin(), a.values.data.end(), [](Value v) { return is_metis_weight(v); });
    if (a.nnz() > 0 && wrong != a.values.data.end())
      throw error(errc::invalid_argument, text("METIS weights are positive integers, not ", *wrong,
                                               "; write the pattern alone, scale and round, or write .mtx"));

    const bool weighted = !(a.values.iso && a.values.data[0] == Value(1));
    out(text(comment_lines(options.comment, "%"), a.rows, ' ', a.nnz() / 2, weighted ? " 001\n" : "\n"));
    const auto format = [&](std::int64_t i, std::string& line) {
      const auto row = static_cast<std::size_t>(i);
      for (std::int64_t k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
        if (k > a.row_offsets[row]) line += ' ';
        append_text(line, std::int64_t{a.columns[static_cast<std::size_t>(k)]} + 1);
        if (!weighted) continue;
        line += ' ';
        append_text(line, static_cast<std::int64_t>(a.values[k]));
      }
      line += '\n';
    };
    write_rows(out, a.row_offsets, format, options.progress);
  }
}

#define LACIS_INSTANTIATE(Value, Index) \
  template void write_metis(const byte_writer&, const csr_view<Value, Index>&, const write_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
