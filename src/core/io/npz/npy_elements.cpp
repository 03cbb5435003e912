// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The elements of NumPy's arrays as indices and values.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <utility>

#include "io/exact.hpp"
#include "io/npz/npy.hpp"
#include "summation/parallel.hpp"

namespace lacis::detail {
namespace {

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
  summation::parallel_ranges(out.size(), [&](std::int64_t begin, std::int64_t end) {
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

}  // namespace

std::string text_of(const npy_array& array) {
  if ((array.kind != 'S' && array.kind != 'U') || array.count != 1) throw array.fault("is not a word");
  std::string word;
  const int width = array.kind == 'U' ? 4 : 1;
  for (int i = 0; i < array.item_size / width; ++i) {
    const auto code = width == 4 ? element_at<std::uint32_t>(array, i) : element_at<std::uint8_t>(array, i);
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

template buffer<std::int32_t> indices_of(const npy_array&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template buffer<std::int64_t> indices_of(const npy_array&, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template buffer<float> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<double> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<std::complex<float>> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);
template buffer<std::complex<double>> values_of(const npy_array&, std::int64_t, std::int64_t, const read_options&);

}  // namespace lacis::detail
