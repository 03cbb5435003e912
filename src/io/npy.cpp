// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parsing NumPy's array headers and turning elements into indices and values.
#include "io/npy.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>

#include "base/checked.hpp"
#include "io/exact.hpp"
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
    return {errc::unsupported, text(array_.where, ": elements of type ", shown,
                                    "; convert the matrix with .astype('float64') or 'complex128'")};
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

/// The least position in 0 .. count for which `wrong` holds, or count.
template <class Wrong> std::int64_t find_first(std::int64_t count, Wrong&& wrong) {
  std::atomic<std::int64_t> least = count;
  parallel_ranges(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (!wrong(i)) continue;
      std::int64_t seen = least;
      while (i < seen && !least.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  return least;
}

template <class Value, class Whole> buffer<Value> values_of_whole(const npy_array& array, const read_options& options) {
  if (sizeof(Whole) == 8 && !options.round_integers) {
    const auto inexact = [&](std::int64_t i) { return !fits_double(element<Whole>(array, i)); };
    const std::int64_t wrong = find_first(array.count, inexact);
    if (wrong < array.count)
      throw array.fault(text("no double equals element ", wrong, ", ", element<Whole>(array, wrong), inexact_hint));
  }
  buffer<Value> values(array.count);
  parallel_for(array.count,
               [&](std::int64_t i) { values[i] = Value(static_cast<real_of<Value>>(element<Whole>(array, i))); });
  return values;
}

/// A finite double that becomes infinite as a float is an error: `parts` real numbers are checked.
template <class To, class From> void require_range(const npy_array& array, std::int64_t parts) {
  if constexpr (sizeof(To) < sizeof(From)) {
    const auto too_large = [&](std::int64_t i) {
      const auto number = element<From>(array, i);
      return std::isfinite(number) && !std::isfinite(static_cast<To>(number));
    };
    const std::int64_t wrong = find_first(parts, too_large);
    if (wrong < parts)
      throw array.fault(text(element<From>(array, wrong), " is too large for float; read the matrix as double"));
  }
}

template <class Value, class Real> buffer<Value> values_of_real(const npy_array& array) {
  require_range<real_of<Value>, Real>(array, array.count);
  buffer<Value> values(array.count);
  parallel_for(array.count,
               [&](std::int64_t i) { values[i] = Value(static_cast<real_of<Value>>(element<Real>(array, i))); });
  return values;
}

template <class Value, class Real> buffer<Value> values_of_complex(const npy_array& array) {
  if constexpr (!is_complex<Value>) {
    const std::int64_t wrong =
        find_first(array.count, [&](std::int64_t i) { return !(element<Real>(array, 2 * i + 1) == 0); });
    if (wrong < array.count)
      throw array.fault(text("element ", wrong, " has an imaginary part; read the matrix as complex"));
  }
  require_range<real_of<Value>, Real>(array, 2 * array.count);
  buffer<Value> values(array.count);
  parallel_for(array.count, [&](std::int64_t i) {
    using real = real_of<Value>;
    const auto re = static_cast<real>(element<Real>(array, 2 * i));
    if constexpr (is_complex<Value>)
      values[i] = {re, static_cast<real>(element<Real>(array, 2 * i + 1))};
    else
      values[i] = re;
  });
  return values;
}

}  // namespace

void npy_array::require_dimensions(std::size_t dimensions) const {
  if (shape.size() != dimensions) throw fault(text("has ", shape.size(), " dimensions, not ", dimensions));
}

std::int64_t npy_array::stride(std::size_t dimension) const {
  std::int64_t distance = 1;
  if (fortran_order)
    for (std::size_t d = 0; d < dimension; ++d) distance = checked_multiply(distance, shape[d], where);
  else
    for (std::size_t d = dimension + 1; d < shape.size(); ++d) distance = checked_multiply(distance, shape[d], where);
  return distance;
}

npy_array parse_npy(byte_store bytes, std::string where) {
  npy_array array;
  array.where = std::move(where);
  array.bytes = std::move(bytes);
  const std::string_view content = array.bytes.text();
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
  for (const std::int64_t size : array.shape) array.count = checked_multiply(array.count, size, array.where);
  const std::int64_t expected = checked_multiply(array.count, array.item_size, array.where);
  array.elements = content.substr(start + length);
  if (static_cast<std::int64_t>(array.elements.size()) != expected)
    throw array.fault(
        text("holds ", array.elements.size(), " bytes, but its header declares ", expected, "; is the file damaged?"));
  return array;
}

std::string text_of(const npy_array& array) {
  if ((array.kind != 'S' && array.kind != 'U') || array.count != 1) throw array.fault("is not a word");
  std::string word;
  const int width = array.kind == 'U' ? 4 : 1;
  for (int i = 0; i < array.item_size / width; ++i) {
    const auto code = width == 4 ? element<std::uint32_t>(array, i) : element<std::uint8_t>(array, i);
    if (code == 0) break;
    word += code >= ' ' && code <= '~' ? static_cast<char>(code) : '?';
  }
  return word;
}

template <index Index>
buffer<Index> indices_of(const npy_array& array, std::int64_t first, std::int64_t stride, std::int64_t count,
                         std::int64_t bound) {
  return with_whole_type(array, [&](auto type) {
    using whole = decltype(type);
    // One comparison for both ends: a negative number is a huge one without a sign.
    const auto limit = static_cast<std::uint64_t>(bound);
    const auto at = [&](std::int64_t i) { return element<whole>(array, first + i * stride); };
    const std::int64_t wrong =
        find_first(count, [&](std::int64_t i) { return static_cast<std::uint64_t>(at(i)) >= limit; });
    if (wrong < count)
      throw array.fault(text("element ", wrong, ", ", at(wrong), ", is not between 0 and ", bound - 1,
                             "; does the shape fit the indices?"));
    buffer<Index> indices(count);
    parallel_for(count, [&](std::int64_t i) { indices[i] = static_cast<Index>(at(i)); });
    return indices;
  });
}

buffer<std::int64_t> whole_numbers_of(const npy_array& array) {
  array.require_dimensions(1);
  return with_whole_type(array, [&](auto type) {
    using whole = decltype(type);
    const auto too_large = [&](std::int64_t i) {
      return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) <
             static_cast<std::uint64_t>(std::max(whole{0}, element<whole>(array, i)));
    };
    const std::int64_t wrong = find_first(array.count, too_large);
    if (wrong < array.count) throw array.fault(text("element ", wrong, " does not fit in 64 bits with a sign"));
    buffer<std::int64_t> numbers(array.count);
    parallel_for(array.count,
                 [&](std::int64_t i) { numbers[i] = static_cast<std::int64_t>(element<whole>(array, i)); });
    return numbers;
  });
}

template <value Value> buffer<Value> values_of(const npy_array& array, const read_options& options) {
  switch (array.kind) {
    case 'f':
      return array.item_size == 4 ? values_of_real<Value, float>(array) : values_of_real<Value, double>(array);
    case 'c':
      return array.item_size == 8 ? values_of_complex<Value, float>(array) : values_of_complex<Value, double>(array);
    case 'b': {
      buffer<Value> values(array.count);
      parallel_for(array.count,
                   [&](std::int64_t i) { values[i] = Value(array.elements[static_cast<std::size_t>(i)] != 0); });
      return values;
    }
    default:
      return with_whole_type(array, [&](auto type) { return values_of_whole<Value, decltype(type)>(array, options); });
  }
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

template buffer<std::int32_t> indices_of(const npy_array&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template buffer<std::int64_t> indices_of(const npy_array&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template buffer<float> values_of(const npy_array&, const read_options&);
template buffer<double> values_of(const npy_array&, const read_options&);
template buffer<std::complex<float>> values_of(const npy_array&, const read_options&);
template buffer<std::complex<double>> values_of(const npy_array&, const read_options&);

}  // namespace lacis::detail
