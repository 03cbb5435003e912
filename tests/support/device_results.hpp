// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What tests of kernels compare, and the turns they take: results bit by bit, in every schedule.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include <lacis/types.hpp>

#include "base/text.hpp"
#include "simt/executor.hpp"
#include "summation/hash.hpp"

namespace lacis::device {

/// Empty when the vectors have the same bits, NaNs taken as one; otherwise the first element that differs.
template <class T> std::string difference(std::span<const T> expected, std::span<const T> got) {
  using lacis::detail::text;
  if (expected.size() != got.size()) return text(got.size(), " elements instead of ", expected.size());
  const auto same = [](auto a, auto b) { return summation::bits_of(a) == summation::bits_of(b); };
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T a = expected[i];
    const T b = got[i];
    if constexpr (is_complex<T>) {
      if (!same(a.real(), b.real()) || !same(a.imag(), b.imag()))
        return text("element ", i, " is ", b.real(), ", ", b.imag(), " instead of ", a.real(), ", ", a.imag());
    } else {
      if (!same(a, b)) return text("element ", i, " is ", b, " instead of ", a);
    }
  }
  return {};
}
template <class T> std::string difference(const std::vector<T>& expected, const std::vector<T>& got) {
  return difference(std::span<const T>(expected), std::span<const T>(got));
}
template <class T> std::string difference_of_numbers(T expected, T got) {
  return difference(std::span<const T>(&expected, 1), std::span<const T>(&got, 1));
}

inline constexpr simt::schedule every_schedule[] = {
    {simt::turns::forward, 0}, {simt::turns::reverse, 0}, {simt::turns::shuffled, 1}, {simt::turns::shuffled, 2}};

using every_value = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class Value, class Index> struct value_and_index {
  using value = Value;
  using index = Index;
};
using every_value_and_index = ::testing::Types<
    value_and_index<float, std::int32_t>, value_and_index<float, std::int64_t>, value_and_index<double, std::int32_t>,
    value_and_index<double, std::int64_t>, value_and_index<std::complex<float>, std::int32_t>,
    value_and_index<std::complex<float>, std::int64_t>, value_and_index<std::complex<double>, std::int32_t>,
    value_and_index<std::complex<double>, std::int64_t>>;

}  // namespace lacis::device
