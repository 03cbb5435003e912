// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of generated entries: functions of the seed and of the entry's place.
#include "generate/values.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "generate/random.hpp"

namespace lacis::detail {
namespace {

/// An integer from -8 to 8 without 0.
template <class Real> Real small_integer(std::uint64_t word) {
  const auto step = static_cast<int>(word >> 60);
  return static_cast<Real>(step < 8 ? step - 8 : step - 7);
}

/// A multiple of 2^-23 or 2^-52 in [-1, 1): every step is exact, and float gets double's number rounded down.
template <class Real> Real uniform_number(std::uint64_t word) {
  if constexpr (sizeof(Real) == 4)
    return static_cast<Real>(static_cast<std::int64_t>(word >> 40) - (std::int64_t{1} << 23)) * 0x1p-23f;
  else
    return static_cast<Real>(static_cast<std::int64_t>(word >> 11) - (std::int64_t{1} << 52)) * 0x1p-52;
}

/// The values of one generator's entries, one by one.
template <value Value> class value_source {
  using real = real_of<Value>;

 public:
  value_source(const value_rule& rule, generated_values kind, std::uint64_t seed)
      : rule_(rule),
        kind_(kind),
        real_words_(seed, purpose::entry_values),
        imaginary_words_(seed, purpose::imaginary_values) {}

  Value operator()(std::int64_t row, std::int64_t column, std::int64_t row_length) const {
    switch (kind_) {
      case generated_values::integer:
        return drawn(row, column, [](std::uint64_t word) { return small_integer<real>(word); });
      case generated_values::random:
      case generated_values::symmetric:
        return drawn(row, column, [](std::uint64_t word) { return uniform_number<real>(word); });
      case generated_values::natural:  // a laplacian: the other natural values have become another kind
        if (row != column) return Value(-1);
        return Value(static_cast<real>(rule_.diagonal == 0 ? row_length : rule_.diagonal));
      default:
        return Value(1);
    }
  }

 private:
  template <class Draw> Value drawn(std::int64_t row, std::int64_t column, Draw draw) const {
    const bool symmetric = rule_.symmetric || kind_ == generated_values::symmetric;
    const std::int64_t first = symmetric ? std::min(row, column) : row;
    const std::int64_t second = symmetric ? std::max(row, column) : column;
    if constexpr (is_complex<Value>)
      return {draw(random_words(real_words_(first))(second)), draw(random_words(imaginary_words_(first))(second))};
    else
      return draw(random_words(real_words_(first))(second));
  }

  value_rule rule_;
  generated_values kind_;
  random_words real_words_;
  random_words imaginary_words_;
};

}  // namespace

template <value Value, index Index>
values_array<Value> draw_values(const row_pattern<Index>& places, const value_rule& rule, generated_values kind,
                                std::uint64_t seed, const progress& report) {
  if (kind == generated_values::natural && rule.natural == natural_values::pattern) kind = generated_values::pattern;
  if (kind == generated_values::natural && rule.natural == natural_values::integer) kind = generated_values::integer;
  if (kind == generated_values::pattern) return values_array<Value>::same(Value(1));

  values_array<Value> values(places.columns.size());
  const value_source<Value> source(rule, kind, seed);
  progress_meter meter(report, "drawing values", places.rows);
  parallel_rows(places.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    meter.count(begin, end, [&](std::int64_t i) {
      const std::int64_t first = places.row_offsets[i];
      const std::int64_t last = places.row_offsets[i + 1];
      for (std::int64_t k = first; k < last; ++k)
        values.data[k] = source(places.first_row + i, places.columns[k], last - first);
    });
  });
  return values;
}

#define LACIS_INSTANTIATE(Value, Index)                                                                    \
  template values_array<Value> draw_values(const row_pattern<Index>&, const value_rule&, generated_values, \
                                           std::uint64_t, const progress&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
