// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Updates, sums and dense products on a device against their definitions.
#include <complex>

#include "base/text.hpp"
#include "device/dense.hpp"
#include "device/vector.hpp"
#include "summation/vector.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/numbers.hpp"

namespace lacis::verification {
namespace {

using device::runtime;

template <value Value> std::string value_text_of() {
  const std::string text = types_text<Value, std::int32_t>();
  return text.substr(0, text.find(','));
}

/// What makes a number of two vectors on the device.
template <value Value, value Result>
using reduction =
    std::function<Result(runtime&, std::int64_t, const device::device_of<Value>*, const device::device_of<Value>*)>;

template <value Value, value Result>
void compare_sum(kernel_ledger& book, const char* name, const char* order, const std::vector<Value>& x,
                 const std::vector<Value>& y, Result expected, const reduction<Value, Result>& sum) {
  const Result one[] = {expected};
  const auto count = static_cast<std::int64_t>(x.size());
  book.compare<Result>({name, order, value_text_of<Value>(), "", detail::text(count, " elements")}, one,
                       [&](runtime& device) {
                         const auto device_x = device.upload<Value>(x);
                         const auto device_y = device.upload<Value>(y);
                         return std::vector<Result>{sum(device, count, device_x.data(), device_y.data())};
                       });
}

template <value Value> void verify_update(kernel_ledger& book, std::int64_t size) {
  const auto x = full_numbers<Value>(size, 3);
  const auto y = full_numbers<Value>(size, 4);
  const auto alpha = full_number<Value>(5);
  const auto beta = full_number<Value>(6);
  auto expected = y;
  summation::axpby<Value, Value>(alpha, x, beta, expected);
  book.compare<Value>({"axpby", "elementwise", value_text_of<Value>(), "", detail::text(size, " elements")}, expected,
                      [&](runtime& device) {
                        const auto device_x = device.upload<Value>(x);
                        const auto device_y = device.upload<Value>(y);
                        device::axpby(device, size, alpha, device_x.data(), beta, device_y.data());
                        return device.download<Value>(device_y);
                      });
}

template <value Value> void verify_sums(kernel_ledger& book, std::int64_t size) {
  using real = real_of<Value>;
  constexpr const char* blocked = "canonical";
  constexpr const char* any = "any: integers";
  const auto x = full_numbers<Value>(size, 7);
  const auto y = full_numbers<Value>(size, 8);
  compare_sum<Value, Value>(
      book, "dot", blocked, x, y, summation::dot<Value, Value>(x, y),
      [](auto& device, auto n, auto* a, auto* b) { return device::vector_sums<Value>(device, n).dot(n, a, b); });
  compare_sum<Value, Value>(
      book, "dotc", blocked, x, y, summation::dotc<Value, Value>(x, y),
      [](auto& device, auto n, auto* a, auto* b) { return device::vector_sums<Value>(device, n).dotc(n, a, b); });
  auto huge = x;  // squares overflow: the norm is rescued by a second pass
  for (Value& v : huge) v *= std::ldexp(real(1), std::numeric_limits<real>::max_exponent - 20);
  for (const auto& elements : {x, huge})
    compare_sum<Value, real>(
        book, "norm", blocked, elements, y, summation::norm<Value>(elements),
        [](auto& device, auto n, auto* a, auto*) { return device::vector_sums<Value>(device, n).norm(n, a); });
  const auto whole_x = whole_numbers<Value>(size, 1);
  const auto whole_y = whole_numbers<Value>(size, 2);
  Value total{};
  for (const Value v : whole_x) total += v;
  compare_sum<Value, Value>(
      book, "plus_reduce", any, whole_x, whole_y, total,
      [](auto& device, auto n, auto* a, auto*) { return device::plus_reduce<Value>(device, n, a); });
  compare_sum<Value, Value>(
      book, "shuffle_reduce", any, whole_x, whole_y, total,
      [](auto& device, auto n, auto* a, auto*) { return device::shuffle_reduce<Value>(device, n, a); });
  compare_sum<Value, Value>(
      book, "dot_atomic", any, whole_x, whole_y, summation::dot<Value, Value>(whole_x, whole_y),
      [](auto& device, auto n, auto* a, auto* b) { return device::dot_atomic<Value>(device, n, a, b); });
}

/// Sums of a subnormal number, which meets the others by an atomic addition; see verify_subnormal_sums.
template <value Value> void verify_flushed_sums(kernel_ledger& book) {
  using real = real_of<Value>;
  constexpr const char* any = "any: integers";
  const std::vector<Value> x{Value(std::numeric_limits<real>::min() / 2)};
  const std::vector<Value> one{Value(1)};
  const Value expected = sizeof(real) == 4 ? Value(0) : x[0];
  compare_sum<Value, Value>(book, "plus_reduce", any, x, one, expected, [](auto& device, auto n, auto* a, auto*) {
    return device::plus_reduce<Value>(device, n, a);
  });
  compare_sum<Value, Value>(book, "shuffle_reduce", any, x, one, expected, [](auto& device, auto n, auto* a, auto*) {
    return device::shuffle_reduce<Value>(device, n, a);
  });
  compare_sum<Value, Value>(book, "dot_atomic", any, x, one, expected, [](auto& device, auto n, auto* a, auto* b) {
    return device::dot_atomic<Value>(device, n, a, b);
  });
}

template <class Number> void verify_whole_sum(kernel_ledger& book, const char* type, std::int64_t size) {
  std::vector<Number> x;
  Number total = 0;
  for (std::int64_t k = 0; k < size; ++k) {
    x.push_back(static_cast<Number>(mix(static_cast<std::uint64_t>(k)) % 1000));
    total += x.back();
  }
  book.check({"plus_reduce", "any: integers", type, "", detail::text(size, " elements")}, [&](runtime& device) {
    const auto device_x = device.upload<Number>(x);
    const Number got = device::plus_reduce_whole<Number>(device, size, device_x.data());
    return got == total ? std::string() : detail::text("the sum is ", got, ", not ", total);
  });
}

template <value Value> void verify_dense(kernel_ledger& book, std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto a = full_numbers<Value>(m * k, 11);
  const auto b = full_numbers<Value>(k * n, 12);
  std::vector<Value> expected;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      expected.push_back(summation::sum_products<Value, Value>(
          k, [&](std::int64_t l) { return a[static_cast<std::size_t>(i * k + l)]; },
          [&](std::int64_t l) { return b[static_cast<std::size_t>(l * n + j)]; }, summation::serial));
  for (const auto& [name, method] :
       {std::pair("dense_simple", device::dense_method::simple), std::pair("dense_tiled", device::dense_method::tiled)})
    book.compare<Value>({name, "left to right", value_text_of<Value>(), "", detail::text(m, " x ", k, " x ", n)},
                        expected, [&, how = method](runtime& device) {
                          const auto device_a = device.upload<Value>(a);
                          const auto device_b = device.upload<Value>(b);
                          auto c = device.allocate<device::device_of<Value>>(m * n);
                          device::multiply_dense<Value>(device, how, m, k, n, device_a.data(), device_b.data(),
                                                        c.data());
                          return device.download<Value>(c);
                        });
}

template <value Value> void verify_dense_vector(kernel_ledger& book, std::int64_t m, std::int64_t k) {
  const auto a = full_numbers<Value>(m * k, 13);
  const auto x = full_numbers<Value>(k, 14);
  std::vector<Value> expected;
  for (std::int64_t i = 0; i < m; ++i)
    expected.push_back(summation::sum_products<Value, Value>(
        k, [&](std::int64_t l) { return a[static_cast<std::size_t>(i * k + l)]; },
        [&](std::int64_t l) { return x[static_cast<std::size_t>(l)]; }, summation::strided(32)));
  book.compare<Value>({"dense_vector", "strided(32)", value_text_of<Value>(), "", detail::text(m, " x ", k)}, expected,
                      [&](runtime& device) {
                        const auto device_a = device.upload<Value>(a);
                        const auto device_x = device.upload<Value>(x);
                        auto y = device.allocate<device::device_of<Value>>(m);
                        device::multiply_dense<Value>(device, m, k, device_a.data(), device_x.data(), y.data());
                        return device.download<Value>(y);
                      });
}

}  // namespace

template <value Value> void verify_vector_kernels(kernel_ledger& book) {
  for (const std::int64_t size : {0, 1, 31, 32, 33, 255, 257, 4095, 4096, 4097, 9000, 70001}) {
    if (!book.all() && size > 5000) continue;
    verify_update<Value>(book, size);
    verify_sums<Value>(book, size);
    if constexpr (std::is_same_v<Value, float>) {
      verify_whole_sum<std::int32_t>(book, "int32", size);
      verify_whole_sum<std::int64_t>(book, "int64", size);
    }
  }
  verify_flushed_sums<Value>(book);
  verify_dense<Value>(book, 1, 1, 1);
  verify_dense<Value>(book, 17, 40, 33);
  verify_dense<Value>(book, 5, 0, 7);
  if (book.all()) verify_dense<Value>(book, 70, 65, 40);
  verify_dense_vector<Value>(book, 0, 5);
  verify_dense_vector<Value>(book, 9, 0);
  verify_dense_vector<Value>(book, 17, 31);
  verify_dense_vector<Value>(book, 8, 1000);
}

template void verify_vector_kernels<float>(kernel_ledger&);
template void verify_vector_kernels<double>(kernel_ledger&);
template void verify_vector_kernels<std::complex<float>>(kernel_ledger&);
template void verify_vector_kernels<std::complex<double>>(kernel_ledger&);

}  // namespace lacis::verification
