// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The error bound of a sum, row by row.
#include "measure/bound.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "base/instantiate.hpp"

namespace lacis::measure {
namespace {

template <class Real> long double absolute_product(Real a, Real b) {
  return std::fabs(static_cast<long double>(a) * static_cast<long double>(b));
}

}  // namespace

template <class Real>
std::optional<excess> beyond_bound_of_sum(Real first, Real second, long double magnitude, std::int64_t terms) {
  if (first == second || (std::isnan(first) && std::isnan(second))) return std::nullopt;
  const long double k_u = static_cast<long double>(terms + 1) * (std::numeric_limits<Real>::epsilon() / 2);
  const long double gamma = k_u < 1 ? k_u / (1 - k_u) : std::numeric_limits<long double>::infinity();
  const long double lost = static_cast<long double>(terms + 1) * std::numeric_limits<Real>::min();
  const long double allowed = 2 * (gamma * magnitude + lost);
  const long double difference = std::fabs(static_cast<long double>(first) - static_cast<long double>(second));
  if (std::isfinite(difference) && difference <= allowed) return std::nullopt;
  return excess{0, static_cast<double>(difference), static_cast<double>(allowed)};
}

template <class Value, class Index>
std::optional<excess> beyond_bound(const csr_view<Value, Index>& a, std::span<const Value> x,
                                   std::span<const Value> first, std::span<const Value> second) {
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const std::int64_t begin = a.row_offsets[at(row)];
    const std::int64_t end = a.row_offsets[at(row + 1)];
    long double real = 0;
    [[maybe_unused]] long double imaginary = 0;
    for (std::int64_t k = begin; k < end; ++k) {
      const Value v = a.values[k];
      const Value e = x[at(a.columns[at(k)])];
      if constexpr (is_complex<Value>) {
        real += absolute_product(v.real(), e.real()) + absolute_product(v.imag(), e.imag());
        imaginary += absolute_product(v.real(), e.imag()) + absolute_product(v.imag(), e.real());
      } else {
        real += absolute_product(v, e);
      }
    }
    std::optional<excess> found;
    if constexpr (is_complex<Value>) {
      found = beyond_bound_of_sum(first[at(row)].real(), second[at(row)].real(), real, 2 * (end - begin));
      if (!found)
        found = beyond_bound_of_sum(first[at(row)].imag(), second[at(row)].imag(), imaginary, 2 * (end - begin));
    } else {
      found = beyond_bound_of_sum(first[at(row)], second[at(row)], real, end - begin);
    }
    if (found) {
      found->row = row;
      return found;
    }
  }
  return std::nullopt;
}

template std::optional<excess> beyond_bound_of_sum(float, float, long double, std::int64_t);
template std::optional<excess> beyond_bound_of_sum(double, double, long double, std::int64_t);

#define LACIS_BEYOND_BOUND(Value, Index)                                                             \
  template std::optional<excess> beyond_bound(const csr_view<Value, Index>&, std::span<const Value>, \
                                              std::span<const Value>, std::span<const Value>);
LACIS_FOR_EACH_TYPE(LACIS_BEYOND_BOUND)

}  // namespace lacis::measure
