// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading files: open, tell the format, hand over to its reader.
#include "io/read.hpp"

#include <chrono>
#include <complex>
#include <limits>

#include "base/instantiate.hpp"
#include "io/bytes/source.hpp"
#include "io/csr_directory/csr_directory.hpp"
#include "io/graph/edge_list.hpp"
#include "io/graph/metis.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/npz/npz.hpp"
#include "io/sniff.hpp"
#include "summation/environment.hpp"

namespace lacis {

namespace {

struct format_name {
  file_format format;
  std::string_view name;
};
constexpr format_name format_names[] = {{file_format::matrix_market, "matrix_market"},
                                        {file_format::npz, "npz"},
                                        {file_format::edge_list, "edge_list"},
                                        {file_format::metis, "metis"},
                                        {file_format::csr_directory, "csr_directory"}};

}  // namespace

std::string_view name_of(file_format f) {
  for (const auto& [format, name] : format_names)
    if (format == f) return name;
  return "unknown";
}

std::optional<file_format> file_format_named(std::string_view name) {
  for (const format_name& each : format_names)
    if (each.name == name) return each.format;
  return {};
}

namespace detail {
namespace {

void refuse_options_of_edge_lists(const read_options& options, std::string_view name) {
  if (options.compact_ids || options.undirected)
    throw error(errc::invalid_argument,
                text(options.compact_ids ? "read_options::compact_ids" : "read_options::undirected",
                     " applies to edge lists, and ", name, " is none; leave it out"));
}

file_format prepare(text_input& input, const read_options& options, read_report& report) {
  if (input.text.starts_with(byte_order_mark)) input.text.remove_prefix(byte_order_mark.size());
  report = {};
  report.bytes = static_cast<std::int64_t>(input.text.size());
  report.format = options.format ? *options.format : sniff(input);
  const bool is_graph = report.format == file_format::edge_list || report.format == file_format::metis;
  if (is_graph) refuse_misplaced_banner(input);
  if (report.format != file_format::edge_list) refuse_options_of_edge_lists(options, input.name);
  return report.format;
}

template <value Value, index Index>
csr_matrix<Value, Index> from_npz(npz_content content, const read_options& options, read_report& report) {
  report.bytes = content.file_bytes;
  return to_csr<Value, Index>(std::move(content), options, report);
}

template <value Value, index Index>
csr_matrix<Value, Index> parse_as(file_format format, const text_input& input, const read_options& options,
                                  read_report& report) {
  switch (format) {
    case file_format::matrix_market:
      return parse_matrix_market<Value, Index>(input, options, report);
    case file_format::npz:
      return from_npz<Value, Index>(load_npz(input, options), options, report);
    case file_format::edge_list:
      return parse_edge_list<Value, Index>(input, options, report);
    case file_format::metis:
      return parse_metis<Value, Index>(input, options, report);
    case file_format::csr_directory:
      throw error(errc::bad_input, text(input.name, ": is a file; csr_directory is the name of a directory's format"));
  }
  throw error(errc::invalid_argument, "no such file format");
}

bool is_wide(std::int64_t rows, std::int64_t cols) {
  return std::max(rows, cols) > std::numeric_limits<std::int32_t>::max();
}

/// make(Value{}, Index{}) with the types that are called for.
template <class Make> any_csr with_types(bool complex, bool wide, Make&& make) {
  if (complex) {
    if (wide) return make(std::complex<double>{}, std::int64_t{});
    return make(std::complex<double>{}, std::int32_t{});
  }
  if (wide) return make(double{}, std::int64_t{});
  return make(double{}, std::int32_t{});
}

/// Runs a reader and tells the caller what was found and how long it took.
template <class Work> auto timed(const read_options& options, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  const summation::rounding_guard guard;
  read_report report;
  auto matrix = work(report);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.report != nullptr) *options.report = report;
  return matrix;
}

/// The same for the bytes of an opened file.
template <class Parse> auto read_with(const std::filesystem::path& path, const read_options& options, Parse&& parse) {
  return timed(options, [&](read_report& report) {
    const source opened = open_source(path, options);
    return parse(text_input{opened.bytes.text(), opened.name}, report);
  });
}

bool is_csr_directory(const std::filesystem::path& path, const read_options& options) {
  std::error_code unknown;
  return options.format.value_or(file_format::csr_directory) == file_format::csr_directory &&
         std::filesystem::is_directory(path, unknown);
}

csr_directory_content open_csr_directory(const std::filesystem::path& path, const read_options& options) {
  refuse_options_of_edge_lists(options, path.string());
  return load_csr_directory(path);
}

}  // namespace

template <value Value, index Index>
csr_matrix<Value, Index> parse(text_input input, const read_options& options, read_report& report) {
  const file_format format = prepare(input, options, report);
  return parse_as<Value, Index>(format, input, options, report);
}

any_csr parse_any(text_input input, const read_options& options, read_report& report) {
  const file_format format = prepare(input, options, report);
  const auto make = [&](auto number, auto place) -> any_csr {
    return parse_as<decltype(number), decltype(place)>(format, input, options, report);
  };
  switch (format) {
    case file_format::matrix_market: {
      const matrix_market_header header = parse_matrix_market_header(input);
      return with_types(header.field == matrix_market_field::complex, is_wide(header.rows, header.cols), make);
    }
    case file_format::npz: {
      npz_content content = load_npz(input, options);
      return with_types(content.is_complex(), is_wide(content.rows, content.cols),
                        [&](auto number, auto place) -> any_csr {
                          return from_npz<decltype(number), decltype(place)>(std::move(content), options, report);
                        });
    }
    case file_format::metis: {
      const std::optional<metis_header> header = find_metis_header(input.text);
      return with_types(false, header && is_wide(header->vertices, header->vertices), make);
    }
    case file_format::edge_list:
    case file_format::csr_directory:
      break;
  }
  // Only reading an edge list tells its largest id, and only graphs of billions of vertices are read twice.
  try {
    return make(double{}, std::int32_t{});
  } catch (const error& failure) {
    if (failure.code() != errc::overflow) throw;
  }
  return make(double{}, std::int64_t{});
}

template <class Value, class Index>
csr_matrix<Value, Index> read(const std::string& path, const read_options& options) {
  if (is_csr_directory(path, options))
    return timed(options, [&](read_report& report) {
      return to_csr<Value, Index>(open_csr_directory(path, options), options, report);
    });
  return read_with(path, options, [&](text_input input, read_report& report) {
    return parse<Value, Index>(std::move(input), options, report);
  });
}

#define LACIS_INSTANTIATE(Value, Index)                                                   \
  template csr_matrix<Value, Index> parse(text_input, const read_options&, read_report&); \
  template csr_matrix<Value, Index> read(const std::string&, const read_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace detail

any_csr read_any(const std::string& path, const read_options& options) {
  if (detail::is_csr_directory(path, options))
    return detail::timed(options, [&](read_report& report) {
      detail::csr_directory_content content = detail::open_csr_directory(path, options);
      return detail::with_types(content.arrays.is_complex(), detail::is_wide(content.arrays.rows, content.arrays.cols),
                                [&](auto number, auto place) -> any_csr {
                                  return detail::to_csr<decltype(number), decltype(place)>(std::move(content), options,
                                                                                           report);
                                });
    });
  return detail::read_with(path, options, [&](detail::text_input input, read_report& report) {
    return detail::parse_any(std::move(input), options, report);
  });
}

}  // namespace lacis
