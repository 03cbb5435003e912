// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading a range of the bytes of a Matrix Market file.
#include "io/matrix_market/part.hpp"

#include <algorithm>
#include <complex>

#include "base/parallel.hpp"
#include "io/bytes/input_budget.hpp"
#include "io/bytes/source.hpp"
#include "io/matrix_market/body.hpp"

namespace lacis::detail {
namespace {

std::string text_at(const input_file& file, std::int64_t begin, std::int64_t end) {
  std::string bytes(static_cast<std::size_t>(end - begin), '\0');
  file.read_at(begin, bytes);
  return bytes;
}

/// The beginning of the file, at least until everything above its entries is there.
std::string read_header(const input_file& file, const read_options& options) {
  std::int64_t size = std::min(file.size(), std::int64_t{1} << 16);
  std::string beginning = text_at(file, 0, size);
  while (size < file.size() && looks_like_matrix_market(beginning) && !holds_matrix_market_header(beginning)) {
    size = std::min(file.size(), 2 * size);
    input_budget(options, file.name()).take(static_cast<std::size_t>(size));
    beginning = text_at(file, 0, size);
  }
  return beginning;
}

/// Where the first line begins that begins at this place of the file or behind it; a line below `body`.
std::int64_t line_from(const input_file& file, std::int64_t place, std::int64_t body) {
  if (place <= body) return body;
  constexpr std::int64_t looked_at = std::int64_t{1} << 16;
  for (--place; place < file.size(); place += looked_at) {
    const std::string bytes = text_at(file, place, std::min(file.size(), place + looked_at));
    const std::size_t found = bytes.find('\n');
    if (found != std::string::npos) return place + static_cast<std::int64_t>(found) + 1;
  }
  return file.size();
}

std::int64_t count_lines(const input_file& file, std::int64_t end) {
  constexpr std::int64_t looked_at = std::int64_t{1} << 20;
  std::int64_t lines = 0;
  for (std::int64_t place = 0; place < end; place += looked_at) {
    const std::string bytes = text_at(file, place, std::min(end, place + looked_at));
    lines += std::count(bytes.begin(), bytes.end(), '\n');
  }
  return lines;
}

/// What an entry off the diagonal says about the place across from it.
template <class Value> Value image_of(Value value, mirror how) {
  if (how == mirror::skew) return -value;
  if constexpr (is_complex<Value>)
    if (how == mirror::hermitian) return std::conj(value);
  return value;
}

}  // namespace

template <class Value>
std::optional<matrix_market_part<Value>> read_matrix_market_part(const std::filesystem::path& path, int part, int parts,
                                                                 const read_options& options) {
  if (options.format.value_or(file_format::matrix_market) != file_format::matrix_market) return {};
  if (options.compact_ids || options.undirected)
    return {};  // for edge lists: whoever reads the whole file refuses them
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  const input_file file(path, path.string());
  if (!file.has_places()) return {};
  const std::string beginning = read_header(file, options);
  if (is_archive(beginning) || !looks_like_matrix_market(beginning)) return {};
  const matrix_market_header header =
      parse_matrix_market_header({beginning, file.name()}, file.size() - static_cast<std::int64_t>(beginning.size()));
  if (header.array) return {};
  const auto body_begin = static_cast<std::int64_t>(header.body.data() - beginning.data());
  const std::int64_t size = file.size() - body_begin;
  const std::int64_t begin = line_from(file, body_begin + even_cut(size, part, parts), body_begin);
  const std::int64_t end = line_from(file, body_begin + even_cut(size, part + 1, parts), body_begin);
  input_budget(options, file.name()).take(static_cast<std::size_t>(end - begin));
  byte_store bytes = byte_store::of_size(static_cast<std::size_t>(end - begin));
  file.read_at(begin, bytes.bytes());
  file.require_unchanged();
  text_input input{bytes.text(), file.name()};
  const auto parse = [&] { return parse_body<Value, std::int64_t>(input, header, trim_end(input.text), options); };
  parsed_body<Value, std::int64_t> body;
  try {
    body = parse();
  } catch (const error&) {
    // Only a message needs the number of lines before this part: the same fault again, with its line in the file.
    input.lines_before = count_lines(file, begin);
    body = parse();
  }

  matrix_market_part<Value> made;
  made.rows = header.rows;
  made.cols = header.cols;
  made.pattern = header.field == matrix_market_field::pattern;
  const mirror image = mirror_of(header.symmetry);
  made.symmetric = image != mirror::none;
  made.below = body.below;
  made.above = body.above;
  made.stored = body.entries;
  made.declared = header.entries;
  std::int64_t count = body.entries;
  for (std::int64_t k = 0; k < body.entries; ++k) count += made.symmetric && body.rows[k] != body.columns[k] ? 1 : 0;
  made.entry_rows = buffer<std::int64_t>(count);
  made.entry_columns = buffer<std::int64_t>(count);
  made.values = buffer<Value>(made.pattern ? 0 : count);
  std::int64_t next = 0;
  const auto put = [&](std::int64_t row, std::int64_t column, const auto& value) {
    made.entry_rows[next] = row;
    made.entry_columns[next] = column;
    if (!made.pattern) made.values[next] = value();
    ++next;
  };
  for (std::int64_t k = 0; k < body.entries; ++k) {
    put(body.rows[k], body.columns[k], [&] { return body.values[k]; });
    if (made.symmetric && body.rows[k] != body.columns[k])
      put(body.columns[k], body.rows[k], [&] { return image_of(body.values[k], image); });
  }
  return made;
}

#define LACIS_INSTANTIATE(Value)                                                                                    \
  template LACIS_API std::optional<matrix_market_part<Value>> read_matrix_market_part(const std::filesystem::path&, \
                                                                                      int, int, const read_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::detail
