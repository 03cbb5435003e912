// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in files.
#include "input/vector_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

#include <lacis/types.hpp>

#include "console/progress_bar.hpp"
#include "console/write_file.hpp"
#include "input/load.hpp"

namespace lacis::app {
namespace {

template <class T> void append(std::vector<std::byte>& out, T number, char after) {
  char digits[64];
  char* end = std::to_chars(digits, digits + sizeof digits - 1, number).ptr;
  *end++ = after;
  out.insert(out.end(), reinterpret_cast<const std::byte*>(digits), reinterpret_cast<const std::byte*>(end));
}

}  // namespace

any_vector read_vector(const std::string& path, const source_options& source, const common_options& common) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  progress_bar bar(common.quiet, unknown ? 0 : static_cast<std::int64_t>(size));
  read_options options;
  set_limits(source, options);
  options.progress = bar.callback();
  return as_input([&] { return detail::read_vector(path, options); });
}

template <class T> void write_vector(const std::string& path, std::span<const T> x) {
  std::vector<std::byte> text;
  text.reserve(x.size() * (is_complex<T> ? 24 : 12));
  if (x.empty()) return write_file(path, "# no elements\n");
  for (const T& element : x) {
    if constexpr (is_complex<T>) {
      // A decimal point tells the first line from one that holds an index and a value.
      const bool may_be_index = &element == x.data() && (element.real() == 0 || element.real() == 1);
      append(text, element.real(), may_be_index ? '.' : ' ');
      if (may_be_index) append(text, 0, ' ');
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
