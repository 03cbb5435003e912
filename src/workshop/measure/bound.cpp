// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The error bound of a sum, row by row.
#include "measure/bound.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <omp.h>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace lacis::measure {
namespace {

template <class Real> long double absolute_product(Real a, Real b) {
  return std::fabs(static_cast<long double>(a) * static_cast<long double>(b));
}

/// One row; x(i) is element i of the vector or column.
template <class Value, class Index>
std::optional<excess> beyond_bound_of_row(const csr_view<Value, Index>& a, std::int64_t row, const auto& x, Value first,
                                          Value second) {
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const std::int64_t begin = a.row_offsets[at(row)];
  const std::int64_t end = a.row_offsets[at(row + 1)];
  long double real = 0;
  [[maybe_unused]] long double imaginary = 0;
  for (std::int64_t k = begin; k < end; ++k) {
    const Value v = a.values[k];
    const Value e = x(a.columns[at(k)]);
    if constexpr (is_complex<Value>) {
      real += absolute_product(v.real(), e.real()) + absolute_product(v.imag(), e.imag());
      imaginary += absolute_product(v.real(), e.imag()) + absolute_product(v.imag(), e.real());
    } else {
      real += absolute_product(v, e);
    }
  }
  std::optional<excess> found;
  if constexpr (is_complex<Value>) {
    found = beyond_bound_of_sum(first.real(), second.real(), real, 2 * (end - begin));
    if (!found) found = beyond_bound_of_sum(first.imag(), second.imag(), imaginary, 2 * (end - begin));
  } else {
    found = beyond_bound_of_sum(first, second, real, end - begin);
  }
  if (found) found->row = row;
  return found;
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
  return excess{0, 0, static_cast<double>(difference), static_cast<double>(allowed)};
}

template <class Value, class Index>
std::optional<excess> beyond_bound(const csr_view<Value, Index>& a, std::span<const Value> x,
                                   std::span<const Value> first, std::span<const Value> second) {
  const auto element = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const auto i = static_cast<std::size_t>(row);
    if (const auto found = beyond_bound_of_row<Value, Index>(a, row, element, first[i], second[i])) return found;
  }
  return std::nullopt;
}

template <class Value, class Index>
std::optional<excess> beyond_bound(const csr_view<Value, Index>& a, const dense_view<const Value>& x,
                                   const dense_view<const Value>& first, const dense_view<const Value>& second) {
  const int threads = omp_get_max_threads();
  std::vector<std::optional<excess>> found(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int thread, int team) {
    std::optional<excess>& mine = found[static_cast<std::size_t>(thread)];
    const std::int64_t end = detail::balanced_cut(a.row_offsets, thread + 1, team);
    for (std::int64_t row = detail::balanced_cut(a.row_offsets, thread, team); row < end && !mine; ++row)
      for (std::int64_t c = 0; c < first.cols && !mine; ++c) {
        mine = beyond_bound_of_row<Value, Index>(
            a, row, [&](std::int64_t i) { return x(i, c); }, first(row, c), second(row, c));
        if (mine) mine->column = c;
      }
  });
  for (const std::optional<excess>& one : found)
    if (one) return one;
  return std::nullopt;
}

template std::optional<excess> beyond_bound_of_sum(float, float, long double, std::int64_t);
template std::optional<excess> beyond_bound_of_sum(double, double, long double, std::int64_t);

#define LACIS_BEYOND_BOUND(Value, Index)                                                                     \
  template std::optional<excess> beyond_bound(const csr_view<Value, Index>&, std::span<const Value>,         \
                                              std::span<const Value>, std::span<const Value>);               \
  template std::optional<excess> beyond_bound(const csr_view<Value, Index>&, const dense_view<const Value>&, \
                                              const dense_view<const Value>&, const dense_view<const Value>&);
LACIS_FOR_EACH_TYPE(LACIS_BEYOND_BOUND)

}  // namespace lacis::measure
