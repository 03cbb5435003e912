// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What tests of products on a device multiply with, and what must come out.
#pragma once

#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "device/spmv.hpp"
#include "simt/runtime.hpp"
#include "summation/hash.hpp"
#include "summation/scale.hpp"
#include "summation/sum.hpp"
#include "support/device_results.hpp"
#include "verify/numbers.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::device::spmv_test {

using verification::entries;
using verification::full_number;
using verification::full_numbers;
using verification::test_matrices;

template <class Value, class Index> using types = value_and_index<Value, Index>;
using every_type = every_value_and_index;

template <class Value> Value nan() { return Value(std::numeric_limits<real_of<Value>>::quiet_NaN()); }

template <class Value> std::vector<std::uint64_t> bits_of_all(const std::vector<Value>& all) {
  std::vector<std::uint64_t> bits;
  for (const Value& v : all) {
    if constexpr (is_complex<Value>) {
      bits.push_back(summation::bits_of(v.real()));
      bits.push_back(summation::bits_of(v.imag()));
    } else {
      bits.push_back(summation::bits_of(v));
    }
  }
  return bits;
}

/// x for a matrix, NaN in the columns that no entry reads.
template <class Value, class Index> std::vector<Value> vector_for(const csr_view<Value, Index>& a) {
  std::vector<Value> x(static_cast<std::size_t>(a.cols), nan<Value>());
  for (const Index j : a.columns) x[static_cast<std::size_t>(j)] = full_number<Value>(static_cast<std::uint64_t>(j));
  return x;
}

template <class Value> struct scalars {
  Value alpha;
  Value beta;
};

/// What a method is given when nothing else is asked for.
template <class Value> scalars<Value> plain_scalars(spmv_method method) {
  return {Value(1), facts_of(method).update == spmv_update::add ? Value(1) : Value(0)};
}

/// y before a product; NaN where beta = 0 must not read it.
template <class Value> std::vector<Value> result_before(std::int64_t rows, Value beta) {
  if (beta == Value(0)) return std::vector<Value>(static_cast<std::size_t>(rows), nan<Value>());
  return full_numbers<Value>(rows, 99);
}

/// alpha A x + beta y by definition.
template <class Value, class Index>
std::vector<std::uint64_t> expected(const csr_view<Value, Index>& a, const summation::order& order, scalars<Value> s,
                                    const std::vector<Value>& x, std::vector<Value> y) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    Value& element = y[static_cast<std::size_t>(i)];
    element = summation::combine(
        s.alpha, [&] { return summation::row_sum<Value, Index, Value>(a, i, x, order); }, s.beta,
        [&] { return element; });
  }
  return bits_of_all(y);
}
template <class Value, class Index>
std::vector<std::uint64_t> expected(const csr_view<Value, Index>& a, spmv_method method, scalars<Value> s) {
  return expected(a, *facts_of(method).order, s, vector_for(a), result_before<Value>(a.rows, s.beta));
}

/// y after multiply(x, y) on the device.
template <class Value, class Multiply>
std::vector<std::uint64_t> after(runtime& device, const std::vector<Value>& x, const std::vector<Value>& y,
                                 Multiply&& multiply) {
  const auto device_x = device.upload<Value>(x);
  const auto device_y = device.upload<Value>(y);
  multiply(device_x.data(), device_y.data());
  return bits_of_all(device.download<Value>(device_y));
}
template <class Value, class Index>
std::vector<std::uint64_t> computed(runtime& device, const csr_view<Value, Index>& a, spmv_method method,
                                    scalars<Value> s) {
  const auto matrix = upload(device, a);
  return after(
      device, vector_for(a), result_before<Value>(a.rows, s.beta),
      [&](const device_of<Value>* x, device_of<Value>* y) { spmv(device, method, matrix, s.alpha, x, s.beta, y); });
}

template <class Value, class Index> const auto& real_test_matrices() {
  static const auto all = test_matrices<Value, Index>(entries::reals);
  return all;
}

/// Blocks that mix rows of one chunk and of several with short ones, beside blocks with nothing but short rows, whose
/// products fill several tiles; the last block is not full.
template <class Value, class Index> csr_matrix<Value, Index> mixed_rows() {
  return verification::from_rows<Value, Index>(700, 6000, entries::reals, [](std::int64_t i) {
    const std::int64_t length = i == 300      ? 5000
                                : i == 301    ? 1025
                                : i == 699    ? 33
                                : i < 256     ? 31 + i % 2
                                : i % 7 == 3  ? 33 + i % 50
                                : i % 11 == 2 ? 0
                                              : i % 33;
    return verification::consecutive(i, i + length);
  });
}

/// The test matrices's grids are small: a second thread would cost more than it saves.
inline simt_options on_one_thread(const simt::schedule& order = {}) { return {.turns = order, .threads = 1}; }

}  // namespace lacis::device::spmv_test
