// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The vectors that benchmarks multiply, in any ordering, and their bits compared.
#pragma once

#include <cstdint>
#include <omp.h>
#include <optional>
#include <random>
#include <span>

#include <lacis/buffer.hpp>
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

/// The first element in which two results differ in a bit.
template <class Value>
[[nodiscard]] std::optional<std::int64_t> first_difference(std::span<const Value> a, std::span<const Value> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    bool same = false;
    if constexpr (is_complex<Value>)
      same = summation::bits_of(a[i].real()) == summation::bits_of(b[i].real()) &&
             summation::bits_of(a[i].imag()) == summation::bits_of(b[i].imag());
    else
      same = summation::bits_of(a[i]) == summation::bits_of(b[i]);
    if (!same) return static_cast<std::int64_t>(i);
  }
  return std::nullopt;
}

/// Calls work(k) for each k below `size`, on all threads.
template <class Work> void on_each(std::int64_t size, const Work& work) {
  detail::on_threads(omp_get_max_threads(), [&](int thread, int team) {
    const std::int64_t end = detail::even_cut(size, thread + 1, team);
    for (std::int64_t k = detail::even_cut(size, thread, team); k < end; ++k) work(static_cast<std::size_t>(k));
  });
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
