// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Telling formats apart, and naming what is none of them.
#include "io/sniff.hpp"

#include <algorithm>
#include <string_view>

#include "io/file_names.hpp"
#include "io/graph/metis.hpp"
#include "io/matrix_market/matrix_market.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

constexpr std::string_view accepted =
    "; accepted are Matrix Market (.mtx), SciPy .npz, edge lists and METIS .graph files, the text ones also as .gz, "
    ".zst "
    "and .tar.gz";

struct magic {
  std::string_view bytes;
  std::string_view meaning;
};

/// What people have by mistake.
constexpr magic known[] = {
    {"\x1f\x8b", "gzip data inside the compressed file"},
    {"\x28\xb5\x2f\xfd", "zstd data inside the compressed file"},
    {"BZh", "bzip2 data; decompress it with bunzip2"},
    {"\xfd"
     "7zXZ",
     "xz data; decompress it with unxz"},
    {"7z\xbc\xaf", "a 7z archive; extract it first"},
    {"\x89HDF", "an HDF5 file (perhaps MATLAB 7.3 or Binsparse)"},
    {"MATLAB 5.0", "a MATLAB file; save it from SciPy with scipy.sparse.save_npz(name, scipy.io.loadmat(...))"},
    {"\x93NUMPY", "a dense NumPy array; save a sparse matrix with scipy.sparse.save_npz"},
    {"\x7f"
     "ELF",
     "a program"},
    {"%PDF", "a PDF document"},
    {"\xff\xfe", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
};

bool has_word_ignoring_case(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// The first line that is neither blank nor a comment; empty when there is none.
std::string_view first_data_line(std::string_view text) {
  const char* const last = text.data() + text.size();
  for (const char* line = text.data(); line != last; line = next_line(line, last)) {
    const char* first = skip_blanks(line, last);
    if (!at_line_end(first, last) && *first != '#' && *first != '%') return {first, find_newline(first, last)};
  }
  return {};
}

error refusal(const text_input& input, std::string_view seen) {
  return {errc::bad_input, text(input.name, ": ", seen, accepted)};
}

}  // namespace

std::optional<file_format> sniff_marks(const text_input& input) {
  const std::string_view content = input.text;
  constexpr std::size_t looked_at = 4096;
  const std::string_view head = content.substr(0, looked_at);
  if (looks_like_matrix_market(content)) return file_format::matrix_market;
  if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return file_format::npz;
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos && head.size() == content.size())
    throw refusal(input, content.empty() ? "the file is empty" : "the file holds nothing but blanks");
  for (const magic& each : known)
    if (head.starts_with(each.bytes)) throw refusal(input, each.meaning);
  const auto is_binary = [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r' && c != '\n';
  };
  if (std::any_of(head.begin(), head.end(), is_binary)) throw refusal(input, "binary data of an unknown kind");
  for (const std::string_view tag : {"<!doctype", "<html", "<?xml"})
    if (has_word_ignoring_case(head, tag))
      throw refusal(input, "a web page or XML, not a matrix; did a download fail?");
  return {};
}

file_format sniff(const text_input& input) {
  if (const std::optional<file_format> marked = sniff_marks(input)) return *marked;
  const named_kind named = kind_of_name(input.name);
  if (named.tells_text) {
    if (named.format == file_format::metis || named.format == file_format::edge_list) return *named.format;
    throw refusal(input,
                  "the name is that of a Matrix Market file, but the content does not begin with %%MatrixMarket; "
                  "correct it, or give its format (read_options::format)");
  }
  const std::string_view line = first_data_line(input.text);
  if (line.empty()) return file_format::edge_list;
  if (looks_like_metis(input.text)) return file_format::metis;
  if (!is_digit(line.front()) && line.front() != '-' && line.front() != '+')
    throw refusal(input, text("the first line that is no comment begins with ", quoted_word(input.text, line.data())));
  return file_format::edge_list;
}

}  // namespace lacis::detail
