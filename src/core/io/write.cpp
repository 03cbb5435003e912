// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing files: the name's ending tells format and compression.
#include <vector>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/io.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "io/bytes/sink.hpp"
#include "io/file_names.hpp"
#include "io/graph/edge_list.hpp"
#include "io/graph/metis.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/npz/npz.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

struct output_kind {
  file_format format = file_format::matrix_market;
  compression method = compression::none;
  edge_weights weights = edge_weights::as_needed;
};

output_kind kind_of(const std::filesystem::path& path, const write_options& options) {
  const named_kind named = kind_of_name(path);
  const std::string_view foreign = !named.foreign_packing.empty() ? named.foreign_packing : named.foreign_format;
  if (!named.foreign_packing.empty() || (!named.foreign_format.empty() && !options.format))
    throw error(errc::invalid_argument,
                text(path.string(), ": files that end with ", foreign,
                     " are not written; end the name with .mtx, .npz, .el, .wel, .txt, .tsv, .graph or .csr, the text "
                     "ones also with .gz or .zst behind it"));
  output_kind kind{named.format.value_or(file_format::matrix_market), named.method, named.weights};
  if (options.format && *options.format != kind.format) {
    kind.format = *options.format;
    kind.weights = edge_weights::as_needed;
  }
  if (kind.format == file_format::npz && kind.method != compression::none)
    throw error(errc::invalid_argument,
                text(path.string(), ": an .npz file is compressed already; leave the last ending away"));
  if (kind.format == file_format::csr_directory && (kind.method != compression::none || path == "-"))
    throw error(errc::invalid_argument, text(path.string(), ": a directory of arrays is neither compressed nor piped"));
  if (kind.format != file_format::csr_directory && !(options.parts.empty() && options.order.empty()))
    throw error(
        errc::invalid_argument,
        text(path.string(), ": only a directory of arrays keeps parts and their order; end its name with .csr"));
  return kind;
}

/// In parts of rows, so that progress is told on the way.
template <class Value, class Index>
void write_directory(const std::filesystem::path& path, const csr_view<Value, Index>& a, const write_options& options) {
  constexpr std::int64_t part_rows = std::int64_t{1} << 20;
  constexpr std::int64_t part_entries = std::int64_t{1} << 24;
  const auto offset = [&](std::int64_t row) { return a.row_offsets[static_cast<std::size_t>(row)]; };
  csr_directory_writer<Value, Index> output(path, a.rows, a.cols);
  std::vector<std::int64_t> offsets;
  for (std::int64_t first = 0, last = 0; first < a.rows; first = last) {
    offsets.clear();
    for (last = first; last < a.rows && last - first < part_rows; ++last) {
      if (last > first && offset(last + 1) - offset(first) > part_entries) break;
      offsets.push_back(offset(last) - offset(first));
    }
    offsets.push_back(offset(last) - offset(first));
    const auto begin = static_cast<std::size_t>(offset(first));
    const auto count = static_cast<std::size_t>(offsets.back());
    const values_view<Value> values(a.values.iso ? a.values.data : a.values.data.subspan(begin, count), a.values.iso);
    output.append(csr_view<Value, Index>{last - first, a.cols, offsets, a.columns.subspan(begin, count), values});
    if (options.progress) options.progress("writing", static_cast<double>(last) / static_cast<double>(a.rows));
  }
  if (!options.parts.empty()) output.put_parts(options.parts);
  if (!options.order.empty()) output.put_order(options.order);
  output.commit();
}

}  // namespace

template <class Value, class Index>
void write(const std::string& path, const csr_view<Value, Index>& a, const write_options& options) {
  const output_kind kind = kind_of(path, options);
  const summation::rounding_guard guard;
  if (kind.format == file_format::csr_directory) return write_directory(path, a, options);
  sink output(path, kind.method);
  const auto put = [&](std::string_view bytes) { output.put(bytes); };
  switch (kind.format) {
    case file_format::matrix_market:
      write_matrix_market<Value, Index>(put, a, options);
      break;
    case file_format::npz:
      write_npz<Value, Index>(put, a, options);
      break;
    case file_format::edge_list:
      write_edge_list<Value, Index>(put, a, kind.weights, options);
      break;
    case file_format::metis:
      write_metis<Value, Index>(put, a, options);
      break;
    case file_format::csr_directory:
      break;
  }
  output.commit();
}

#define LACIS_INSTANTIATE(Value, Index) \
  template void write(const std::string&, const csr_view<Value, Index>&, const write_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
