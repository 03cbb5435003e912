// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The vectors and dense columns that benchmarks multiply, in any ordering, and their bits compared.
#pragma once

#include <cstdint>
#include <omp.h>
#include <optional>
#include <random>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/types.hpp>

#include "base/parallel.hpp"
#include "summation/hash.hpp"

namespace lacis::app {

/// Numbers in [-1, 1) that use every bit, the same in every run.
template <class Value> [[nodiscard]] buffer<Value> full_vector(std::int64_t size) {
  std::mt19937_64 random(1);
  const auto next = [&] {
    return static_cast<real_of<Value>>(static_cast<std::int64_t>(random())) * real_of<Value>(0x1p-63);
  };
  buffer<Value> x(size);
  for (Value& element : x) {
    if constexpr (is_complex<Value>) {
      const auto real = next();
      element = {real, next()};
    } else {
      element = next();
    }
  }
  return x;
}

template <class Value> [[nodiscard]] bool same_bits(const Value& a, const Value& b) {
  if constexpr (is_complex<Value>)
    return summation::bits_of(a.real()) == summation::bits_of(b.real()) &&
           summation::bits_of(a.imag()) == summation::bits_of(b.imag());
  else
    return summation::bits_of(a) == summation::bits_of(b);
}

/// The first element in which two results differ in a bit.
template <class Value>
[[nodiscard]] std::optional<std::int64_t> first_difference(std::span<const Value> a, std::span<const Value> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return static_cast<std::int64_t>(i);
  return std::nullopt;
}

struct dense_place {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// The same for dense columns, the first row first.
template <class Value>
[[nodiscard]] std::optional<dense_place> first_difference(const dense_view<const Value>& a,
                                                          const dense_view<const Value>& b) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t c = 0; c < a.cols; ++c)
      if (!same_bits(a(i, c), b(i, c))) return dense_place{i, c};
  return std::nullopt;
}

/// Calls work(k) for each k below `size`, on all threads.
template <class Work> void on_each(std::int64_t size, const Work& work) {
  detail::on_threads(omp_get_max_threads(), [&](int thread, int team) {
    const std::int64_t end = detail::even_cut(size, thread + 1, team);
    for (std::int64_t k = detail::even_cut(size, thread, team); k < end; ++k) work(static_cast<std::size_t>(k));
  });
}

/// A value for each entry of a matrix that keeps a single one; empty where each has its own.
template <class Value, class Index> [[nodiscard]] buffer<Value> expanded_values(const csr_matrix<Value, Index>& a) {
  buffer<Value> values(a.values.iso ? a.nnz() : 0);
  on_each(values.size(), [&](std::size_t k) { values[static_cast<std::int64_t>(k)] = a.values[0]; });
  return values;
}

/// into[k] = from[order[k]]: to the ordering of a reordered plan.
template <class Value>
void permute_into(std::span<const std::int64_t> order, std::span<const Value> from, std::span<Value> into) {
  on_each(static_cast<std::int64_t>(order.size()),
          [=](std::size_t k) { into[k] = from[static_cast<std::size_t>(order[k])]; });
}

/// into[order[k]] = from[k]: back to the user's ordering.
template <class Value>
void permute_back(std::span<const std::int64_t> order, std::span<const Value> from, std::span<Value> into) {
  on_each(static_cast<std::int64_t>(order.size()),
          [=](std::size_t k) { into[static_cast<std::size_t>(order[k])] = from[k]; });
}

}  // namespace lacis::app
