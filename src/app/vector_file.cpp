// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in files.
#include "app/vector_file.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <lacis/error.hpp>
#include <lacis/io.hpp>
#include <lacis/types.hpp>

#include "app/load.hpp"
#include "app/write_file.hpp"

namespace lacis::app {
namespace {

std::string_view without_spaces(std::string_view line) {
  constexpr std::string_view spaces = " \t\r";
  const std::size_t first = line.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(spaces) - first + 1);
}

/// The number that is the whole of `word`; false when there is none.
bool parse(std::string_view word, double& number) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  return problem == std::errc() && end == word.data() + word.size();
}

/// How many numbers a line holds: one, or the two parts of a complex one; 0 when it is neither.
int parse_line(std::string_view line, double (&parts)[2]) {
  const std::size_t gap = std::min(line.find_first_of(" \t"), line.size());
  if (!parse(line.substr(0, gap), parts[0])) return 0;
  if (gap == line.size()) return 1;
  return parse(without_spaces(line.substr(gap)), parts[1]) ? 2 : 0;
}

/// Whether the first line that is not empty is one number, real or complex. Lists of edges and METIS graphs may begin
/// with two numbers as well, but they are square and therefore no vectors.
bool is_plain_text(const std::string& path) {
  std::ifstream stream(path);
  double parts[2];
  std::string line;
  while (line.size() < 4096 && std::getline(stream, line))
    if (const auto word = without_spaces(line); !word.empty()) return parse_line(word, parts) != 0;
  return false;
}

any_vector read_lines(const std::string& path) {
  std::ifstream stream(path);
  std::vector<double> x;
  int in_each_line = 0;
  std::string line;
  for (std::int64_t number = 1; std::getline(stream, line); ++number) {
    const auto word = without_spaces(line);
    if (word.empty()) continue;
    double parts[2];
    const int count = parse_line(word, parts);
    if (count == 0 || (in_each_line != 0 && count != in_each_line))
      throw error(errc::bad_input,
                  path + ':' + std::to_string(number) + ": '" + std::string(word.substr(0, 40)) +
                      (in_each_line == 2 ? "' is not a complex number; each line has its real and its imaginary part"
                                         : "' is not a number; a vector has one per line"));
    in_each_line = count;
    x.insert(x.end(), parts, parts + count);
  }
  if (in_each_line != 2) return buffer<double>(std::span<const double>(x));
  buffer<std::complex<double>> z(static_cast<std::int64_t>(x.size() / 2));
  for (std::size_t i = 0; i < x.size() / 2; ++i) z[static_cast<std::int64_t>(i)] = {x[2 * i], x[2 * i + 1]};
  return z;
}

template <class T, class Matrix> buffer<T> column_of(const Matrix& a, const std::string& path) {
  if (a.cols != 1)
    throw error(errc::bad_input, path + ": a vector has one column; this matrix has " + std::to_string(a.cols));
  buffer<T> x(a.rows, T{});
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) x[i] = a.values[k];
  return x;
}

template <class T> void append(std::vector<std::byte>& out, T number, char after) {
  char digits[64];
  char* end = std::to_chars(digits, digits + sizeof digits - 1, number).ptr;
  *end++ = after;
  out.insert(out.end(), reinterpret_cast<const std::byte*>(digits), reinterpret_cast<const std::byte*>(end));
}

}  // namespace

any_vector read_vector(const std::string& path, const common_options& common) {
  if (is_plain_text(path)) return read_lines(path);
  source_options source;
  source.matrix = path;
  const loaded file = load(source, common);
  return std::visit(
      [&]<class Value, class Index>(const csr_matrix<Value, Index>& a) -> any_vector {
        if constexpr (is_complex<Value>)
          return column_of<std::complex<double>>(a, path);
        else
          return column_of<double>(a, path);
      },
      file.matrix);
}

template <class T> void write_vector(const std::string& path, std::span<const T> x) {
  std::vector<std::byte> text;
  text.reserve(x.size() * (is_complex<T> ? 24 : 12));
  for (const T& element : x) {
    if constexpr (is_complex<T>) {
      append(text, element.real(), ' ');
      append(text, element.imag(), '\n');
    } else {
      append(text, element, '\n');
    }
  }
  write_file(path, text);
}

template void write_vector(const std::string&, std::span<const float>);
template void write_vector(const std::string&, std::span<const double>);
template void write_vector(const std::string&, std::span<const std::complex<float>>);
template void write_vector(const std::string&, std::span<const std::complex<double>>);

}  // namespace lacis::app
