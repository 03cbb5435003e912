// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading a range of the bytes of a Matrix Market file.
#include "io/matrix_market_part.hpp"

#include <complex>

#include "base/parallel.hpp"
#include "io/matrix_market_body.hpp"
#include "io/source.hpp"

namespace lacis::detail {
namespace {

/// Lines of the text from the first that begins behind byte `begin` (or there, for 0) to the one that byte `end` is in.
std::string_view lines_between(std::string_view text, std::int64_t begin, std::int64_t end) {
  const char* const last = text.data() + text.size();
  const auto line_at = [&](std::int64_t byte) {
    return byte == 0 ? text.data() : next_line(text.data() + byte - 1, last);
  };
  const char* const first = line_at(begin);
  return {first, static_cast<std::size_t>(line_at(end) - first)};
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
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  const byte_store bytes = read_bytes(path, path.string());
  const text_input input{bytes.text(), path.string()};
  if (is_archive(input.text) || !looks_like_matrix_market(input.text)) return {};
  const matrix_market_header header = parse_matrix_market_header(input);
  if (header.array) return {};
  const std::string_view all = trim_end(header.body);
  const auto size = static_cast<std::int64_t>(all.size());
  const std::string_view lines = lines_between(all, even_cut(size, part, parts), even_cut(size, part + 1, parts));
  const auto body = parse_body<Value, std::int64_t>(input, header, trim_end(lines), options);

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
