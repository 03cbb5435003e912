// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on vectors on threads: each takes adjacent blocks, and the sums of ranges of blocks join to the same bits.
#include "summation/vector.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/vector.hpp>

#include "cpu/launch.hpp"
#include "cpu/vector/blocks.hpp"
#include "cpu/vector/kernels.hpp"
#include "cpu/vector/portable.hpp"

namespace lacis::cpu {
namespace {

template <class T> std::int64_t length_of(std::span<T> x) { return static_cast<std::int64_t>(x.size()); }

template <class A, class B> using dot_kernel = product_of<A, B>(const A* x, const B* y, std::int64_t count);

template <class A, class B>
product_of<A, B> sum_of_products(const launch& how, std::span<const A> x, std::span<const B> y,
                                 dot_kernel<A, B>* kernel) {
  return sum_of_blocks<product_of<A, B>>(how, length_of(x), [&](std::int64_t begin, std::int64_t size) {
    return kernel(x.data() + begin, y.data() + begin, size);
  });
}

/// x and y may be the same vector, which an elementwise update can bear; otherwise no element may be in both.
template <class T> void require_apart_or_same(std::span<const T> x, std::span<T> y) {
  const std::less<const T*> before;
  if (!x.empty() && x.data() != y.data() && before(x.data(), y.data() + y.size()) &&
      before(y.data(), x.data() + x.size()))
    throw error(errc::invalid_argument, "x and y overlap in a part; they must be apart, or one vector");
}

/// y = alpha x + beta y for operands that are checked.
template <class T> void axpby(const launch& how, T alpha, const T* x, T beta, std::span<T> y) {
  if (alpha == T(0) && beta == T(1)) return;
  const auto& kernels = vector_kernels_for<T>(how.set);
  const std::int64_t count = length_of(y);
  on_blocks(how, count, [&](int, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = begin_of(first, count);
    kernels.axpby(alpha, x + begin, beta, y.data() + begin, begin_of(last, count) - begin);
  });
}

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {

template <class A, class B>
product_of<A, B> dot(std::span<const A> x, std::span<const B> y, const multiply_options& options) {
  summation::require_same_length(x.size(), y.size());
  const cpu::launch how = cpu::launch_of(options, cpu::length_of(x));
  if constexpr (std::is_same_v<A, B>)
    return cpu::sum_of_products(how, x, y, cpu::vector_kernels_for<A>(how.set).dot);
  else
    return cpu::sum_of_products(how, x, y, cpu::portable::dot<A, B>);
}

template <class A, class B>
product_of<A, B> dotc(std::span<const A> x, std::span<const B> y, const multiply_options& options) {
  summation::require_same_length(x.size(), y.size());
  const cpu::launch how = cpu::launch_of(options, cpu::length_of(x));
  if constexpr (std::is_same_v<A, B>)
    return cpu::sum_of_products(how, x, y, cpu::vector_kernels_for<A>(how.set).dotc);
  else
    return cpu::sum_of_products(how, x, y, cpu::portable::dotc<A, B>);
}

template <class T> real_of<T> norm(std::span<const T> x, const multiply_options& options) {
  using real = real_of<T>;
  const cpu::launch how = cpu::launch_of(options, cpu::length_of(x));
  const auto& kernels = cpu::vector_kernels_for<T>(how.set);
  const std::int64_t count = cpu::length_of(x);
  const auto sum_at = [&](real factor) {
    return cpu::sum_of_blocks<real>(how, count, [&](std::int64_t begin, std::int64_t size) {
      return kernels.sum_of_squares(x.data() + begin, size, factor);
    });
  };
  const auto largest = [&] {
    std::vector<real> parts(static_cast<std::size_t>(how.threads));
    cpu::on_blocks(how, count, [&](int thread, std::int64_t first, std::int64_t last) {
      const std::int64_t begin = cpu::begin_of(first, count);
      parts[static_cast<std::size_t>(thread)] = kernels.largest(x.data() + begin, cpu::begin_of(last, count) - begin);
    });
    return *std::max_element(parts.begin(), parts.end());
  };
  const summation::rounding_guard guard;
  return summation::root_of_squares<real>(sum_at, largest);
}

template <class T> void axpby(T alpha, std::span<const T> x, T beta, std::span<T> y, const multiply_options& options) {
  summation::require_same_length(x.size(), y.size());
  cpu::require_apart_or_same(x, y);
  cpu::axpby(cpu::launch_of(options, cpu::length_of(y)), alpha, x.data(), beta, y);
}

template <class T> void scale(T alpha, std::span<T> x, const multiply_options& options) {
  cpu::axpby(cpu::launch_of(options, cpu::length_of(x)), T(0), static_cast<const T*>(x.data()), alpha, x);
}

#define LACIS_INSTANTIATE_WITH(A, B)                                                                        \
  template LACIS_API product_of<A, B> dot(std::span<const A>, std::span<const B>, const multiply_options&); \
  template LACIS_API product_of<A, B> dotc(std::span<const A>, std::span<const B>, const multiply_options&);
#define LACIS_INSTANTIATE(T)                                                                      \
  LACIS_INSTANTIATE_WITH(T, float)                                                                \
  LACIS_INSTANTIATE_WITH(T, double)                                                               \
  LACIS_INSTANTIATE_WITH(T, std::complex<float>)                                                  \
  LACIS_INSTANTIATE_WITH(T, std::complex<double>)                                                 \
  template LACIS_API real_of<T> norm(std::span<const T>, const multiply_options&);                \
  template LACIS_API void axpby(T, std::span<const T>, T, std::span<T>, const multiply_options&); \
  template LACIS_API void scale(T, std::span<T>, const multiply_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::detail
