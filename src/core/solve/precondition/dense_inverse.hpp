// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The inverse of a small dense matrix.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "solve/scalars.hpp"

namespace lacis::solver {

/// In place, rows one after the other, by Gauss and Jordan with the largest pivot of each column. False: singular.
template <value T> bool invert_dense(std::span<T> a, std::size_t n) {
  const auto at = [&](std::size_t i, std::size_t j) -> T& { return a[i * n + j]; };
  std::vector<std::size_t> rows(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (magnitude_of(at(i, k)) > magnitude_of(at(pivot, k))) pivot = i;
    rows[k] = pivot;
    for (std::size_t j = 0; pivot != k && j < n; ++j) std::swap(at(k, j), at(pivot, j));
    const T head = at(k, k);
    if (head == T(0) || !is_finite(head)) return false;
    at(k, k) = T(1);
    for (std::size_t j = 0; j < n; ++j) at(k, j) = divide(at(k, j), head);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = std::exchange(at(i, k), T(0));
      for (std::size_t j = 0; j < n; ++j) at(i, j) = subtract(at(i, j), multiply(factor, at(k, j)));
    }
  }
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t i = 0; rows[k] != k && i < n; ++i) std::swap(at(i, k), at(i, rows[k]));
  for (const T& value : a)
    if (!is_finite(value)) return false;
  return true;
}

}  // namespace lacis::solver
