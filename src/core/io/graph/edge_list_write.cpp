// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing edge lists.
#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "io/graph/edge_list.hpp"
#include "io/row_text.hpp"

namespace lacis::detail {
namespace {

template <class Value> bool all_ones(const values_view<Value>& values) {
  return std::all_of(values.data.begin(), values.data.end(), [](Value v) { return v == Value(1); });
}

}  // namespace

template <value Value, index Index>
void write_edge_list(const byte_writer& out, const csr_view<Value, Index>& a, edge_weights weights,
                     const write_options& options) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument, text("an edge list holds a square matrix, not ", a.rows, " x ", a.cols,
                                             "; write Matrix Market (.mtx)"));
  if constexpr (is_complex<Value>) {
    throw error(errc::invalid_argument, "an edge list has real weights; write a complex matrix as .mtx or .npz");
  } else {
    if (weights == edge_weights::never && !all_ones(a.values))
      throw error(errc::invalid_argument, "a .el file has no weights, and not all are 1; write .wel");
    const bool weighted = weights == edge_weights::always ||
                          (weights == edge_weights::as_needed && !(a.values.iso && all_ones(a.values)));
    out(text("# Nodes: ", a.rows, " Edges: ", a.nnz(), '\n', comment_lines(options.comment, "#")));
    const auto format = [&](std::int64_t i, std::string& line) {
      const auto row = static_cast<std::size_t>(i);
      for (std::int64_t k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) {
        append_text(line, i);
        line += '\t';
        append_text(line, a.columns[static_cast<std::size_t>(k)]);
        if (weighted) {
          line += '\t';
          append_text(line, a.values[k]);
        }
        line += '\n';
      }
    };
    write_rows(out, a.row_offsets, format, options.progress);
  }
}

#define LACIS_INSTANTIATE(Value, Index) \
  template void write_edge_list(const byte_writer&, const csr_view<Value, Index>&, edge_weights, const write_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
