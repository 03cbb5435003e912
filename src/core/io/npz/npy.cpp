// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading and writing the headers of NumPy's arrays.
#include "io/npz/npy.hpp"

#include <algorithm>
#include <utility>

#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class header_reader {
 public:
  header_reader(std::string_view header, npy_array& array) : rest_(header), array_(array) {}

  void read() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr")
        read_descr();
      else if (key == "fortran_order")
        array_.fortran_order = boolean();
      else if (key == "shape")
        read_shape();
      else
        throw malformed();
      if (!take(',') && !peek('}')) throw malformed();
    }
    if (array_.kind == 0 || !has_shape_) throw malformed();
  }

 private:
  [[nodiscard]] error malformed() const { return array_.fault("malformed array header; is the file damaged?"); }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool peek(char c) {
    skip_space();
    return rest_.starts_with(c);
  }
  bool take(char c) {
    if (!peek(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw malformed();
  }
  std::string_view string() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') throw malformed();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) throw malformed();
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return content;
  }
  bool boolean() {
    skip_space();
    const bool yes = rest_.starts_with("True");
    if (!yes && !rest_.starts_with("False")) throw malformed();
    rest_.remove_prefix(yes ? 4 : 5);
    return yes;
  }

  void read_descr() {
    if (peek('[') || peek('(')) throw unsupported("records");
    const std::string_view descr = string();
    constexpr std::string_view orders = "<>|=";
    if (descr.size() < 2 || orders.find(descr[0]) == std::string_view::npos) throw unsupported(descr);
    constexpr char foreign = std::endian::native == std::endian::little ? '>' : '<';
    const char* const last = descr.data() + descr.size();
    std::int64_t size = 0;
    const parsed_number parsed = parse_digits(descr.data() + 2, last, size);
    constexpr std::int64_t largest = 1024;  // of a string; numbers are checked below
    if (parsed.status != number_status::ok || parsed.end != last || size < 1 || size > largest)
      throw unsupported(descr);
    array_.kind = descr[1];
    array_.item_size = static_cast<int>(size) * (descr[1] == 'U' ? 4 : 1);
    array_.swapped = descr[0] == foreign;
    const auto one_of = [&](std::string_view kinds, std::initializer_list<int> sizes) {
      return kinds.find(array_.kind) != std::string_view::npos &&
             std::find(sizes.begin(), sizes.end(), array_.item_size) != sizes.end();
    };
    if (!one_of("iu", {1, 2, 4, 8}) && !one_of("b", {1}) && !one_of("f", {4, 8}) && !one_of("c", {8, 16}) &&
        array_.kind != 'S' && array_.kind != 'U')
      throw unsupported(descr);
  }
  [[nodiscard]] error unsupported(std::string_view descr) const {
    std::string shown;
    for (const char c : descr) shown += c >= ' ' && c <= '~' ? c : '?';
    return array_.fault(
        text("elements of type ", shown, "; convert the matrix with .astype('float64') or 'complex128'"));
  }

  void read_shape() {
    expect('(');
    while (!take(')')) {
      skip_space();
      std::int64_t size = 0;
      const parsed_number parsed = parse_digits(rest_.data(), rest_.data() + rest_.size(), size);
      if (parsed.status != number_status::ok || array_.shape.size() == 8) throw malformed();
      rest_.remove_prefix(static_cast<std::size_t>(parsed.end - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 wrote its long numbers so
      array_.shape.push_back(size);
      if (!take(',') && !peek(')')) throw malformed();
    }
    has_shape_ = true;
  }

  std::string_view rest_;
  npy_array& array_;
  bool has_shape_ = false;
};

std::int64_t product_of_sizes(const npy_array& array, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw array.fault(text("declares a shape that is too large: ", a, " x ", b, " does not fit in 64 bits"));
  return product;
}

/// What the first bytes of an array say, of which `size` bytes are there in all; returns where the elements begin.
std::int64_t parse_header(npy_array& array, std::string_view content, std::int64_t size) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(content[i])); };
  if (content.size() < 10 || !content.starts_with(npy_magic)) throw array.fault("is not a NumPy array");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) throw array.fault(text("version ", version, " of NumPy's format; 1 to 3 are known"));
  const std::size_t start = version == 1 ? 10 : 12;
  if (content.size() < start) throw array.fault("is cut short in its header");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (content.size() - start < length) throw array.fault("is cut short in its header");
  header_reader(content.substr(start, length), array).read();

  array.count = 1;
  for (const std::int64_t extent : array.shape) array.count = product_of_sizes(array, array.count, extent);
  const std::int64_t expected = product_of_sizes(array, array.count, array.item_size);
  const auto held = size - static_cast<std::int64_t>(start + length);
  if (held != expected)
    throw array.fault(text("holds ", held, " bytes, but its header declares ", expected, "; is the file damaged?"));
  return static_cast<std::int64_t>(start + length);
}

}  // namespace

void npy_array::require_dimensions(std::size_t dimensions) const {
  if (shape.size() != dimensions) throw fault(text("has ", shape.size(), " dimensions, not ", dimensions));
}

std::int64_t npy_array::stride(std::size_t dimension) const {
  std::int64_t distance = 1;
  if (fortran_order)
    for (std::size_t d = 0; d < dimension; ++d) distance = product_of_sizes(*this, distance, shape[d]);
  else
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) distance = product_of_sizes(*this, distance, shape[d]);
  return distance;
}

std::string_view npy_array::piece(std::int64_t first, std::int64_t number, std::vector<char>& room) const {
  const std::int64_t begin = first * item_size;
  const auto size = static_cast<std::size_t>(number * item_size);
  if (!file) return elements.substr(static_cast<std::size_t>(begin), size);
  room.resize(std::max(room.size(), size));
  file->read_at(file_place + begin, std::span(room).first(size));
  return {room.data(), size};
}

npy_array parse_npy(byte_store bytes, std::string where) {
  npy_array array;
  array.where = std::move(where);
  array.bytes = std::move(bytes);
  const std::string_view content = array.bytes.text();
  const std::int64_t begin = parse_header(array, content, static_cast<std::int64_t>(content.size()));
  array.elements = content.substr(static_cast<std::size_t>(begin));
  return array;
}

npy_array open_npy(input_file file) {
  npy_array array;
  array.where = file.name();
  constexpr std::int64_t longest_header = std::int64_t{1} << 17;  // of version 1; others say no more than that
  std::vector<char> beginning(static_cast<std::size_t>(std::min(file.size(), longest_header)));
  if (file.has_places()) file.read_at(0, beginning);
  array.file_place = parse_header(array, {beginning.data(), beginning.size()}, file.size());
  array.file = std::make_shared<const input_file>(std::move(file));
  return array;
}

std::string npy_header(std::string_view descr, std::string_view shape, std::size_t least) {
  std::string dictionary = text("{'descr': '", descr, "', 'fortran_order': False, 'shape': ", shape, ", }");
  // The elements begin at a multiple of 64 bytes, behind spaces and a line end.
  constexpr std::size_t fixed = 10;
  dictionary.append(63 - (fixed + dictionary.size()) % 64, ' ');
  if (fixed + dictionary.size() + 1 < least) dictionary.append(least - fixed - dictionary.size() - 1, ' ');
  dictionary += '\n';
  std::string header(npy_magic);
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(dictionary.size() & 255);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace lacis::detail
