// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parsing NumPy's array headers and turning elements into indices and values.
#include "io/npz/npy.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <utility>

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

/// The first number that is not what it must be; several threads look for it.
template <class Number> class first_wrong {
 public:
  void note(std::int64_t at, const Number& number) {
    const std::lock_guard lock(mutex_);
    if (at < at_) {
      at_ = at;
      number_ = number;
    }
  }
  [[nodiscard]] bool found() const { return at_ != none; }
  [[nodiscard]] std::int64_t at() const { return at_; }
  [[nodiscard]] const Number& number() const { return number_; }

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::mutex mutex_;
  std::int64_t at_ = none;
  Number number_{};
};

/// Fills `out` with elements first, first + stride, ... of the array, which turn(number, out[i]) makes of elements of
/// type In. Where it says false, `wrong` learns of the first. Each element is looked at once: what another process
/// makes of a file meanwhile is checked as well.
template <class In, class Out, class Turn>
void turn_elements(const npy_array& array, std::int64_t first, std::int64_t stride, buffer<Out>& out,
                   first_wrong<In>& wrong, Turn&& turn) {
  constexpr std::int64_t piece = (std::int64_t{1} << 18) / static_cast<std::int64_t>(sizeof(In));
  const auto turn_range = [&]<bool swapped>(std::int64_t begin, std::int64_t end) {
    std::vector<char> room;
    for (std::int64_t at = begin; at < end; at += piece) {
      const std::int64_t stop = std::min(at + piece, end);
      const char* place = array.piece(first + at * stride, (stop - 1 - at) * stride + 1, room).data();
      for (std::int64_t i = at; i < stop; ++i, place += stride * static_cast<std::int64_t>(sizeof(In))) {
        const In number = number_at<In, swapped>(place);
        if (!turn(number, out[i])) return wrong.note(i, number);
      }
    }
  };
  parallel_ranges(out.size(), [&](std::int64_t begin, std::int64_t end) {
    array.swapped ? turn_range.template operator()<true>(begin, end)
                  : turn_range.template operator()<false>(begin, end);
  });
  if (array.file) array.file->require_unchanged();
}

template <class Value, class Whole>
buffer<Value> values_of_whole(const npy_array& array, std::int64_t first, std::int64_t count,
                              const read_options& options) {
  const bool exact = sizeof(Whole) == 8 && !options.round_integers;
  buffer<Value> values(count);
  first_wrong<Whole> wrong;
  turn_elements(array, first, 1, values, wrong, [&](Whole number, Value& value) {
    value = Value(static_cast<real_of<Value>>(number));
    return !exact || fits_double(number);
  });
  if (wrong.found())
    throw array.fault(text("no double equals element ", first + wrong.at(), ", ", wrong.number(), inexact_hint));
  return values;
}

/// Whether a finite number becomes infinite as a To.
template <class To, class From> bool is_too_large(From number) {
  if constexpr (sizeof(To) < sizeof(From))
    return std::isfinite(number) && !std::isfinite(static_cast<To>(number));
  else
    return false;
}

template <class Real> error too_large(const npy_array& array, Real number) {
  return array.fault(text(number, " is too large for float; read the matrix as double"));
}

template <class Value, class Real>
buffer<Value> values_of_real(const npy_array& array, std::int64_t first, std::int64_t count) {
  using real = real_of<Value>;
  buffer<Value> values(count);
  first_wrong<Real> wrong;
  turn_elements(array, first, 1, values, wrong, [](Real number, Value& value) {
    value = Value(static_cast<real>(number));
    return !is_too_large<real>(number);
  });
  if (wrong.found()) throw too_large(array, wrong.number());
  return values;
}

template <class Value, class Real>
buffer<Value> values_of_complex(const npy_array& array, std::int64_t first, std::int64_t count) {
  using real = real_of<Value>;
  buffer<Value> values(count);
  first_wrong<std::complex<Real>> wrong;
  turn_elements(array, first, 1, values, wrong, [](const std::complex<Real>& number, Value& value) {
    const auto re = static_cast<real>(number.real());
    if constexpr (is_complex<Value>) {
      value = {re, static_cast<real>(number.imag())};
    } else {
      value = re;
      if (!(number.imag() == 0)) return false;
    }
    return !is_too_large<real>(number.real()) && !is_too_large<real>(number.imag());
  });
  if (!wrong.found()) return values;
  const std::complex<Real> number = wrong.number();
  if (!is_complex<Value> && !(number.imag() == 0))
    throw array.fault(text("element ", first + wrong.at(), " has an imaginary part; read the matrix as complex"));
  throw too_large(array, is_too_large<real>(number.real()) ? number.real() : number.imag());
}

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
    using integer = decltype(type);
    buffer<Index> indices(count);
    first_wrong<integer> wrong;
    // One comparison for both ends: a negative number is a huge one without a sign.
    const auto limit = static_cast<std::uint64_t>(bound);
    turn_elements(array, first, stride, indices, wrong, [&](integer number, Index& index) {
      index = static_cast<Index>(number);
      return static_cast<std::uint64_t>(number) < limit;
    });
    if (wrong.found())
      throw array.fault(text("element ", wrong.at(), ", ", wrong.number(), ", is not between 0 and ", bound - 1,
                             "; does the shape fit the indices?"));
    return indices;
  });
}

buffer<std::int64_t> whole_numbers_of(const npy_array& array) {
  array.require_dimensions(1);
  return with_whole_type(array, [&](auto type) {
    using integer = decltype(type);
    buffer<std::int64_t> numbers(array.count);
    first_wrong<integer> wrong;
    turn_elements(array, 0, 1, numbers, wrong, [](integer number, std::int64_t& out) {
      out = static_cast<std::int64_t>(number);
      return std::in_range<std::int64_t>(number);
    });
    if (wrong.found()) throw array.fault(text("element ", wrong.at(), " does not fit in 64 bits with a sign"));
    return numbers;
  });
}

template <value Value>
buffer<Value> values_of(const npy_array& array, std::int64_t first, std::int64_t count, const read_options& options) {
  switch (array.kind) {
    case 'f':
      return array.item_size == 4 ? values_of_real<Value, float>(array, first, count)
                                  : values_of_real<Value, double>(array, first, count);
    case 'c':
      return array.item_size == 8 ? values_of_complex<Value, float>(array, first, count)
                                  : values_of_complex<Value, double>(array, first, count);
    case 'b': {
      buffer<Value> values(count);
      first_wrong<std::uint8_t> never;
      turn_elements(array, first, 1, values, never, [](std::uint8_t byte, Value& value) {
        value = Value(byte != 0);
        return true;
      });
      return values;
    }
    default:
      return with_whole_type(
          array, [&](auto type) { return values_of_whole<Value, decltype(type)>(array, first, count, options); });
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
template buffer<float> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<double> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<std::complex<float>> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<std::complex<double>> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);

}  // namespace lacis::detail
