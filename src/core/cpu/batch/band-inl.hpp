// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Factors of band matrices, one matrix per lane (Golub and Van Loan, Matrix Computations, section 4.3). Compiled once
// per target. Lanes choose their pivots apart: rows are swapped by selection.
#if defined(LACIS_CPU_BATCH_BAND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_BATCH_BAND_INL
#undef LACIS_CPU_BATCH_BAND_INL
#else
#define LACIS_CPU_BATCH_BAND_INL
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/batch/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Where column j of row i of a band stands.
template <class T> struct band_places {
  std::int64_t lower;
  std::int64_t width;
  HWY_INLINE std::int64_t operator()(std::int64_t i, std::int64_t j) const {
    return (i * width + j - i + lower) * batch_lanes<T>;
  }
};

/// Swaps two numbers in the lanes where `which` is `number`.
template <class T> HWY_INLINE void swap_where(const lanes<T>& which, const lanes<T>& number, T* one, T* other) {
  const lanes<T> a = load_lanes(one);
  const lanes<T> b = load_lanes(other);
  store_lanes(if_equal(which, number, b, a), one);
  store_lanes(if_equal(which, number, a, b), other);
}

/// 1 in lanes where a pivot is neither 0 nor infinite nor not a number, else what makes the state 0.
template <class T> HWY_INLINE lanes<T> is_pivot(const lanes<T>& pivot) {
  const lanes<T> none = every_lane(T(0));
  const lanes<T> size = magnitude(pivot);
  const lanes<T> finite = if_greater(size, every_lane(std::numeric_limits<T>::max()), none, every_lane(T(1)));
  return if_greater(size, none, finite, none);
}

template <class T>
void band_lu(std::int64_t rows, std::int64_t lower, std::int64_t width, T* band, T* pivots, T* state) {
  const band_places<T> at{lower, width};
  lanes<T> good = every_lane(T(1));
  for (std::int64_t k = 0; k < rows; ++k) {
    const std::int64_t last_row = std::min(k + lower, rows - 1);
    const std::int64_t last_column = std::min(k + width - 1 - lower, rows - 1);
    lanes<T> which = every_lane(T(0));
    lanes<T> largest = magnitude(load_lanes(band + at(k, k)));
    for (std::int64_t i = k + 1; i <= last_row; ++i) {
      const lanes<T> size = magnitude(load_lanes(band + at(i, k)));
      which = if_greater(size, largest, every_lane(static_cast<T>(i - k)), which);
      largest = if_greater(size, largest, size, largest);
    }
    store_lanes(which, pivots + k * batch_lanes<T>);
    for (std::int64_t i = k + 1; i <= last_row; ++i) {
      const lanes<T> number = every_lane(static_cast<T>(i - k));
      for (std::int64_t j = k; j <= last_column; ++j) swap_where(which, number, band + at(k, j), band + at(i, j));
    }
    const lanes<T> pivot = load_lanes(band + at(k, k));
    good = good * is_pivot(pivot);
    for (std::int64_t i = k + 1; i <= last_row; ++i) {
      const lanes<T> factor = load_lanes(band + at(i, k)) / pivot;
      store_lanes(factor, band + at(i, k));
      for (std::int64_t j = k + 1; j <= last_column; ++j)
        store_lanes(load_lanes(band + at(i, j)) - factor * load_lanes(band + at(k, j)), band + at(i, j));
    }
  }
  store_lanes(good, state);
}

template <class T>
void band_lu_solve(std::int64_t rows, std::int64_t lower, std::int64_t width, const T* band, const T* pivots, T* x) {
  const band_places<T> at{lower, width};
  for (std::int64_t k = 0; k < rows; ++k) {
    const std::int64_t last_row = std::min(k + lower, rows - 1);
    const lanes<T> which = load_lanes(pivots + k * batch_lanes<T>);
    for (std::int64_t i = k + 1; i <= last_row; ++i)
      swap_where(which, every_lane(static_cast<T>(i - k)), x + k * batch_lanes<T>, x + i * batch_lanes<T>);
    const lanes<T> head = load_lanes(x + k * batch_lanes<T>);
    for (std::int64_t i = k + 1; i <= last_row; ++i) {
      T* element = x + i * batch_lanes<T>;
      store_lanes(load_lanes(element) - load_lanes(band + at(i, k)) * head, element);
    }
  }
  for (std::int64_t i = rows - 1; i >= 0; --i) {
    lanes<T> sum = every_lane(T(0));
    for (std::int64_t j = i + 1; j <= std::min(i + width - 1 - lower, rows - 1); ++j)
      sum = sum + load_lanes(band + at(i, j)) * load_lanes(x + j * batch_lanes<T>);
    T* element = x + i * batch_lanes<T>;
    store_lanes((load_lanes(element) - sum) / load_lanes(band + at(i, i)), element);
  }
}

template <class T> void band_cholesky(std::int64_t rows, std::int64_t lower, std::int64_t width, T* band, T* state) {
  const band_places<T> at{lower, width};
  lanes<T> good = every_lane(T(1));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = std::max<std::int64_t>(0, i - lower); j <= i; ++j) {
      lanes<T> sum = every_lane(T(0));
      for (std::int64_t k = std::max<std::int64_t>(0, i - lower); k < j; ++k)
        sum = sum + load_lanes(band + at(i, k)) * load_lanes(band + at(j, k));
      const lanes<T> rest = load_lanes(band + at(i, j)) - sum;
      if (j < i) {
        store_lanes(rest / load_lanes(band + at(j, j)), band + at(i, j));
      } else {
        good = good * if_greater(rest, every_lane(T(0)), is_pivot(rest), every_lane(T(0)));
        store_lanes(root(rest), band + at(i, i));
      }
    }
  store_lanes(good, state);
}

template <class T>
void band_cholesky_solve(std::int64_t rows, std::int64_t lower, std::int64_t width, const T* band, T* x) {
  const band_places<T> at{lower, width};
  for (std::int64_t i = 0; i < rows; ++i) {
    lanes<T> sum = every_lane(T(0));
    for (std::int64_t j = std::max<std::int64_t>(0, i - lower); j < i; ++j)
      sum = sum + load_lanes(band + at(i, j)) * load_lanes(x + j * batch_lanes<T>);
    T* element = x + i * batch_lanes<T>;
    store_lanes((load_lanes(element) - sum) / load_lanes(band + at(i, i)), element);
  }
  for (std::int64_t i = rows - 1; i >= 0; --i) {
    lanes<T> sum = every_lane(T(0));
    for (std::int64_t j = i + 1; j <= std::min(i + lower, rows - 1); ++j)
      sum = sum + load_lanes(band + at(j, i)) * load_lanes(x + j * batch_lanes<T>);
    T* element = x + i * batch_lanes<T>;
    store_lanes((load_lanes(element) - sum) / load_lanes(band + at(i, i)), element);
  }
}

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
