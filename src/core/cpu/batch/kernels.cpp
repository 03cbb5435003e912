// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products and vector operations of groups of systems. A product is bound by reading values from the L2 cache: 64 bytes
// per entry for 8 systems in double.
#include "cpu/batch/kernels.hpp"

#include "cpu/simd/targets.hpp"
#include "summation/orders.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/batch/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/batch/band-inl.hpp"
#include "cpu/batch/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// The entries of one row and x.
template <class T> struct row_terms {
  const T* values;
  const std::int32_t* columns;
  const T* x;

  HWY_INLINE lanes<T> operator()(std::int64_t k) const {
    return load_lanes(values + k * batch_lanes<T>) *
           load_lanes(x + static_cast<std::int64_t>(columns[k]) * batch_lanes<T>);
  }
};

template <class T> HWY_NOINLINE lanes<T> sum_of_long_row(const row_terms<T>& terms, std::int64_t count) {
  return sum_in_chunks<T>(count, summation::canonical.chunk, terms);
}

template <class T> HWY_INLINE lanes<T> sum_of_row(const row_terms<T>& terms, std::int64_t count) {
  if (count > summation::canonical.short_limit) return sum_of_long_row(terms, count);
  lanes<T> sum = every_lane(T(0));
  for (std::int64_t k = 0; k < count; ++k) sum = sum + terms(k);
  return sum;
}

template <class T>
HWY_INLINE lanes<T> row_product(const batch_pattern& a, const T* values, const T* x, std::int64_t row) {
  const std::int64_t begin = a.row_offsets[row];
  return sum_of_row(row_terms<T>{values + begin * batch_lanes<T>, a.columns + begin, x},
                    a.row_offsets[row + 1] - begin);
}

template <class T> void product(const batch_pattern& a, const T* values, const T* x, T* y) {
  for (std::int64_t i = 0; i < a.rows; ++i) store_lanes(row_product(a, values, x, i), y + i * batch_lanes<T>);
}

template <class T> void product_and_dot(const batch_pattern& a, const T* values, const T* x, T* y, T* sums) {
  // The accumulators lie in the L1 cache; one is used again 32 rows later.
  HWY_ALIGN T parts[static_cast<std::size_t>(batch_sum_lanes * batch_lanes<T>)];
  lane_tree<T> tree;
  for (std::int64_t begin = 0; begin < a.rows; begin += summation::blocked.chunk) {
    const std::int64_t end = a.rows - begin < summation::blocked.chunk ? a.rows : begin + summation::blocked.chunk;
    for (std::int64_t t = 0; t < batch_sum_lanes; ++t) store_lanes(every_lane(T(0)), parts + t * batch_lanes<T>);
    for (std::int64_t i = begin; i < end; ++i) {
      const lanes<T> sum = row_product(a, values, x, i);
      store_lanes(sum, y + i * batch_lanes<T>);
      T* part = parts + i % batch_sum_lanes * batch_lanes<T>;
      store_lanes(load_lanes(part) + load_lanes(x + i * batch_lanes<T>) * sum, part);
    }
    tree.append(join_by_halving(parts));
  }
  store_lanes(tree.total(), sums);
}

template <class T> struct product_terms {
  const T* x;
  const T* y;
  HWY_INLINE lanes<T> operator()(std::int64_t k) const {
    return load_lanes(x + k * batch_lanes<T>) * load_lanes(y + k * batch_lanes<T>);
  }
};

template <class T> void dot(std::int64_t rows, const T* x, const T* y, T* sums) {
  store_lanes(sum_in_chunks<T>(rows, summation::blocked.chunk, product_terms<T>{x, y}), sums);
}

/// y + alpha x, or y where alpha is 0.
template <class T> HWY_INLINE lanes<T> updated(const lanes<T>& alpha, const lanes<T>& x, const lanes<T>& y) {
  return if_equal(alpha, every_lane(T(0)), y, alpha * x + y);
}

template <class T> void axpy(std::int64_t rows, const T* alpha, const T* x, T* y) {
  const lanes<T> factors = load_lanes(alpha);
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>)
    store_lanes(updated(factors, load_lanes(x + k), load_lanes(y + k)), y + k);
}

/// Updates an element of y when its square is asked for.
template <class T> struct update_terms {
  lanes<T> alpha;
  const T* x;
  T* y;
  HWY_INLINE lanes<T> operator()(std::int64_t k) const {
    const std::int64_t place = k * batch_lanes<T>;
    const lanes<T> now = updated(alpha, load_lanes(x + place), load_lanes(y + place));
    store_lanes(now, y + place);
    return now * now;
  }
};

template <class T> void axpy_and_square(std::int64_t rows, const T* alpha, const T* x, T* y, T* sums) {
  store_lanes(sum_in_chunks<T>(rows, summation::blocked.chunk, update_terms<T>{load_lanes(alpha), x, y}), sums);
}

template <class T> void advance(std::int64_t rows, const T* alpha, T* x, const T* z, const T* beta, T* p) {
  const lanes<T> alphas = load_lanes(alpha);
  const lanes<T> betas = load_lanes(beta);
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>) {
    const lanes<T> direction = load_lanes(p + k);
    store_lanes(updated(alphas, direction, load_lanes(x + k)), x + k);
    store_lanes(updated(betas, direction, load_lanes(z + k)), p + k);
  }
}

template <class T> void redirect(std::int64_t rows, const T* alpha, const T* v, const T* r, const T* beta, T* p) {
  const lanes<T> alphas = load_lanes(alpha);
  const lanes<T> betas = load_lanes(beta);
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>) {
    const lanes<T> before = updated(alphas, load_lanes(v + k), load_lanes(p + k));
    store_lanes(updated(betas, before, load_lanes(r + k)), p + k);
  }
}

template <class T> void subtract_from(std::int64_t rows, const T* b, T* r) {
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>)
    store_lanes(load_lanes(b + k) - load_lanes(r + k), r + k);
}

template <class T> void diagonal_product(std::int64_t rows, const T* m, const T* r, T* z) {
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>)
    store_lanes(every_lane(T(0)) + load_lanes(m + k) * load_lanes(r + k), z + k);
}

template <class T> void scale_twice(std::int64_t rows, const T* first, const T* second, const T* x, T* y) {
  const lanes<T> one = load_lanes(first);
  const lanes<T> other = load_lanes(second);
  for (std::int64_t k = 0; k < rows * batch_lanes<T>; k += batch_lanes<T>)
    store_lanes(load_lanes(x + k) * one * other, y + k);
}

}  // namespace

template <class T> void set_batch_kernels(batch_table<T>& table) {
  table = {product<T>,
           product_and_dot<T>,
           dot<T>,
           axpy<T>,
           axpy_and_square<T>,
           advance<T>,
           redirect<T>,
           subtract_from<T>,
           diagonal_product<T>,
           scale_twice<T>,
           band_lu<T>,
           band_lu_solve<T>,
           band_cholesky<T>,
           band_cholesky_solve<T>};
}

template void set_batch_kernels(batch_table<float>&);
template void set_batch_kernels(batch_table<double>&);

}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {
namespace {

template <class T> batch_table<T> make_table(isa set) {
  batch_table<T> table{};
  HWY_STATIC_DISPATCH(set_batch_kernels)(table);
  if (!is_supported(set)) return table;
#if HWY_TARGETS & HWY_AVX2
  if (set == isa::avx2) N_AVX2::set_batch_kernels(table);
#endif
#if HWY_TARGETS & HWY_AVX3
  if (set == isa::avx512) N_AVX3::set_batch_kernels(table);
#endif
  static_cast<void>(set);
  return table;
}

}  // namespace

template <class T> const batch_table<T>& batch_kernels_for(isa set) {
  static const batch_table<T> tables[] = {make_table<T>(isa::scalar), make_table<T>(isa::avx2),
                                          make_table<T>(isa::avx512)};
  return tables[static_cast<std::size_t>(set)];
}

template const batch_table<float>& batch_kernels_for<float>(isa);
template const batch_table<double>& batch_kernels_for<double>(isa);

}  // namespace lacis::cpu
#endif
