// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Devices as users of the library see them: plans, vectors and streams, on the host executor, against the definition.
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include <lacis/device_multiply.hpp>
#include <lacis/device_vector.hpp>
#include <lacis/structure.hpp>
#include <lacis/vector.hpp>

#include "device/context.hpp"
#include "simt/runtime.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "support/views.hpp"
#include "verify/cases.hpp"
#include "verify/test_matrices.hpp"

namespace lacis {
namespace {

using device::difference;
using test::code_of;
using verification::entries;
using verification::full_number;
using verification::full_numbers;
using verification::test_matrices;
using verification::vector_cases;

constexpr device_id host_executor = devices::simt();
const device::simt_runtime& executor_of(const device_context& where) {
  return *static_cast<const device::simt_runtime*>(where.internals()->table().state);
}

template <class Types> class DeviceApi : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceApi, device::every_value_and_index);

/// Rows of up to five chunks between short ones, and columns that no entry reads.
template <class Value, class Index> csr_matrix<Value, Index> mixed_rows() {
  return verification::from_rows<Value, Index>(60, 4800, entries::reals, [](std::int64_t i) {
    return verification::consecutive(i, i + (i % 20 == 7 ? 100 * i : i % 9));
  });
}
csr_matrix<double> short_rows() {
  return verification::from_rows<double, std::int32_t>(
      300, 300, entries::reals, [](std::int64_t i) { return verification::random_columns(i, 5, 300, 1); });
}

template <class Value, class Index>
std::vector<Value> product_there(const plan_side<Value, Index>& p, Value alpha, const std::vector<Value>& x, Value beta,
                                 const std::vector<Value>& y) {
  const device_context gpu(host_executor);
  const device_stream s(gpu);
  const device_vector<Value> there_x(gpu, x);
  device_vector<Value> there_y(gpu, y);
  multiply(alpha, p, there_x, beta, there_y, s);
  s.wait();
  return there_y.to_host();
}

template <class Value, class Index>
void expect_products(const plan<Value, Index>& p, side which, const csr_view<Value, Index>& a,
                     const std::string& name) {
  for (const auto& c : vector_cases<Value, Index, Value>(a))
    EXPECT_EQ(difference(c.expected, product_there<Value, Index>({p, which}, c.alpha, c.x, c.beta, c.y)), "")
        << name << ", " << p.layout() << ": " << c.name;
}

TYPED_TEST(DeviceApi, ProductsOfVectorsHaveTheCanonicalBitsInEveryLayout) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const std::int64_t most = sizeof(index) == 4 ? 3000 : 300;
  for (const auto& [name, a] : test_matrices<value, index>(entries::reals)) {
    if (a.nnz() >= most) continue;
    expect_products(multiply_inspect(a, {.device = host_executor}), side::plain, a.view(), name);
    expect_products(multiply_inspect(a, {.device = host_executor, .layout = plan_layout::csr}), side::plain, a.view(),
                    name);
    expect_products(multiply_inspect(a, {.device = host_executor, .layout = plan_layout::sell}), side::plain, a.view(),
                    name);
  }
}

TYPED_TEST(DeviceApi, TheOtherSidesHaveTheBitsOfTheirMatrices) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto a = mixed_rows<value, index>();
  const auto p = multiply_inspect(a, {.device = host_executor, .transpose = true, .conjugate_transpose = true});
  expect_products(p, side::plain, a.view(), "plain");
  expect_products(p, side::transposed, test::view_of(transpose(a)), "transposed");
  expect_products(p, side::conjugate_transposed, test::view_of(conjugate_transpose(a)), "conjugate");
  const auto alone = multiply_inspect(a, {.device = host_executor});
  const std::vector<value> x(60);
  EXPECT_EQ(code_of([&] {
              static_cast<void>(product_there(transposed(alone), value(1), x, value(0), std::vector<value>(4800)));
            }),
            errc::invalid_argument);
}

TYPED_TEST(DeviceApi, ColumnsHaveTheBitsOfVectorsThroughRawPointers) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto a = mixed_rows<value, index>();
  const device_context gpu(host_executor);
  const device_stream s = device_stream::borrowed(gpu, nullptr);
  for (const auto layout : {plan_layout::csr, plan_layout::sell}) {
    const auto p = multiply_inspect(a, {.device = host_executor, .layout = layout, .columns = 64});
    for (const auto& c : verification::column_cases<value, index, value>(a.view())) {
      const device_vector<value> x(gpu, c.x);
      device_vector<value> y(gpu, c.y);
      multiply(c.alpha, p, verification::at(x.address(), c.x_shape), c.beta, verification::at(y.address(), c.y_shape),
               s);
      EXPECT_EQ(difference(c.expected, y.to_host(s)), "") << c.name;
    }
  }
}

TYPED_TEST(DeviceApi, HostMemoryIsCopiedThereAndBack) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto a = mixed_rows<value, index>();
  const auto p = multiply_inspect(a, {.device = host_executor, .columns = 3});
  workspace memory;
  for (auto c : vector_cases<value, index, value>(a.view())) {
    multiply(c.alpha, p, c.x, c.beta, c.y, memory);
    EXPECT_EQ(difference(c.expected, c.y), "") << c.name;
  }
  for (auto c : verification::column_cases<value, index, value>(a.view())) {
    multiply(c.alpha, p, verification::at<const value>(c.x.data(), c.x_shape), c.beta,
             verification::at(c.y.data(), c.y_shape), memory);
    EXPECT_EQ(difference(c.expected, c.y), "") << c.name;
  }
}

TYPED_TEST(DeviceApi, NewValuesTakeTheirPlacesAndCopiesKeepTheirs) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto a = mixed_rows<value, index>();
  for (const auto layout : {plan_layout::csr, plan_layout::sell}) {
    auto p = multiply_inspect(a, {.device = host_executor, .transpose = true, .layout = layout});
    const auto with_values_of = [&](std::uint64_t salt) {
      auto changed = a;
      changed.values = values_array<value>(buffer<value>(std::span<const value>(full_numbers<value>(a.nnz(), salt))));
      return changed;
    };
    const auto second = with_values_of(31);
    {
      const auto copy = p;
      update_values(p, second.values.data);
      expect_products(copy, side::plain, a.view(), "the copy");
      expect_products(p, side::plain, second.view(), "beside the copy");
    }
    const auto third = with_values_of(32);
    update_values(p, third.values.data);
    expect_products(p, side::plain, third.view(), "without a copy");
    expect_products(p, side::transposed, test::view_of(transpose(third)), "without a copy");
  }
}

/// What a product of mixed types gives with a plan of the host executor.
template <class A, class X> void expect_mixed_product() {
  const auto a = mixed_rows<A, std::int32_t>();
  const auto p = multiply_inspect(a, {.device = host_executor});
  workspace memory;
  for (auto c : vector_cases<A, std::int32_t, X>(a.view())) {
    multiply(c.alpha, p, c.x, c.beta, c.y, memory);
    EXPECT_EQ(difference(c.expected, c.y), "") << c.name;
  }
}

TEST(DeviceProducts, ARealMatrixMultipliesComplexVectorsInHostMemory) {
  expect_mixed_product<float, std::complex<float>>();
  expect_mixed_product<double, std::complex<double>>();
}

TEST(DeviceProducts, NarrowVectorsInHostMemoryAreWidened) {
  expect_mixed_product<double, float>();
  expect_mixed_product<double, std::complex<float>>();
  expect_mixed_product<std::complex<double>, std::complex<float>>();
}

TEST(DeviceProducts, OtherMixedTypesAreRefusedWithWords) {
  const auto p = multiply_inspect(mixed_rows<float, std::int32_t>(), {.device = host_executor});
  std::vector<double> x(4800);
  std::vector<double> y(60);
  EXPECT_EQ(code_of([&] { multiply(p, x, y); }), errc::unsupported);
}

TEST(DeviceProducts, DisorderIsPutInOrderOnTheWay) {
  const auto a = verification::from_rows<double, std::int32_t>(50, 60, entries::reals, [](std::int64_t i) {
    auto columns = verification::random_columns(i, 6, 60, 3);
    std::reverse(columns.begin(), columns.end());
    columns.push_back(columns.front());
    return columns;
  });
  auto p = multiply_inspect(a, {.device = host_executor});
  EXPECT_EQ(p.nnz(), a.nnz() - 50);
  EXPECT_NE(p.explain().find("50 entries"), std::string::npos) << p.explain();
  expect_products(p, side::plain, test::view_of(canonical(a)), "disorder");
  auto changed = a;
  const auto values = full_numbers<double>(a.nnz(), 5);
  changed.values = values_array<double>(buffer<double>(std::span<const double>(values)));
  update_values(p, values);
  expect_products(p, side::plain, test::view_of(canonical(changed)), "disorder, updated");
}

TEST(DeviceProducts, PlansSayWhatTheyHoldAndWhere) {
  const auto even = multiply_inspect(short_rows(), {.device = host_executor});
  EXPECT_EQ(even.layout(), "simt sell-32");
  EXPECT_EQ(even.rows(), 300);
  EXPECT_EQ(even.nnz(), 1500);
  EXPECT_NE(even.explain().find("1.2 times"), std::string::npos) << even.explain();
  EXPECT_NE(even.explain().find("simt"), std::string::npos) << even.explain();
  EXPECT_GT(even.storage_bytes(), 1500 * 12);
  EXPECT_EQ(multiply_inspect(short_rows(), {.device = host_executor, .columns = 2}).layout(), "simt csr");
  EXPECT_EQ(multiply_inspect(mixed_rows<double, std::int32_t>(), {.device = host_executor}).layout(), "simt csr");
  const auto uneven = verification::from_rows<double, std::int32_t>(
      64, 70, entries::reals, [](std::int64_t i) { return verification::consecutive(0, i % 32); });
  EXPECT_EQ(multiply_inspect(uneven, {.device = host_executor}).layout(), "simt csr");
}

TEST(DeviceProducts, AllocateNothing) {
  const auto a = mixed_rows<double, std::int32_t>();
  const device_context gpu(host_executor);
  const device_stream s(gpu);
  const device_vector<double> x(gpu, full_numbers<double>(4800 * 4));
  device_vector<double> y(gpu, 60 * 4);
  const auto& host = executor_of(gpu);
  for (const auto layout : {plan_layout::csr, plan_layout::sell}) {
    const auto p = multiply_inspect(a, {.device = host_executor, .layout = layout, .columns = 4});
    const std::int64_t before = host.allocations_made();
    multiply(2.0, p, x.address(), 0.5, y.address(), s);
    multiply(p, dense_view<const double>{x.address(), 4800, 4, 4, 1}, dense_view<double>{y.address(), 60, 4, 4, 1}, s);
    multiply(0.0, p, x.address(), 0.5, y.address(), s);
    EXPECT_EQ(host.allocations_made(), before);
  }
  static_cast<void>(norm(x, s));
  const std::int64_t before = host.allocations_made();
  static_cast<void>(norm(x, s));
  static_cast<void>(dot(x, x, s));
  scale(0.5, y, s);
  EXPECT_EQ(host.allocations_made(), before);
}

TEST(DeviceProducts, WhatLivesOnADeviceIsDestroyedInAnyOrder) {
  const std::int64_t before = executor_of(device_context(host_executor)).bytes_in_use();
  const auto x = full_numbers<double>(300);
  std::vector<double> y;
  {
    std::optional<device_context> gpu(host_executor);
    std::optional<plan<double>> p(multiply_inspect(short_rows(), {.device = host_executor}));
    std::optional<device_stream> s(*gpu);
    std::optional<device_vector<double>> there_x(device_vector<double>(*gpu, x));
    device_vector<double> there_y(*gpu, 300);
    gpu.reset();
    const auto copy = *p;
    p.reset();
    multiply(copy, *there_x, there_y, *s);
    EXPECT_GE(norm(there_y, *s), 0);
    const device_vector<double> moved = std::move(there_y);
    EXPECT_EQ(there_y.size(), 0);  // NOLINT(bugprone-use-after-move): that is the contract
    s.reset();
    there_x.reset();
    y = moved.to_host();
  }
  std::vector<double> expected(300);
  multiply(short_rows(), x, expected);
  EXPECT_EQ(y, expected);
  EXPECT_EQ(executor_of(device_context(host_executor)).bytes_in_use(), before);
}

TEST(DeviceProducts, ThreadsShareTheHostExecutor) {
  const auto a = short_rows();
  const auto x = full_numbers<double>(300);
  std::vector<double> expected(300);
  multiply(a, x, expected);
  std::vector<std::vector<double>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      const auto p = multiply_inspect(a, {.device = host_executor});
      const device_context gpu(host_executor);
      const device_vector<double> there_x(gpu, x);
      device_vector<double> y(gpu, 300);
      for (int k = 0; k < 5; ++k) multiply(p, there_x, y);
      result = y.to_host();
    });
  for (std::thread& t : threads) t.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

TEST(DeviceProducts, RefuseWhatDoesNotFit) {
  const device_context gpu(host_executor);
  const device_stream s(gpu);
  const auto p = multiply_inspect(short_rows(), {.device = host_executor, .columns = 2});
  device_vector<double> x(gpu, 600);
  device_vector<double> y(gpu, 600);
  const auto refused = [&](const auto& work) { return code_of(work) == errc::invalid_argument; };
  const auto columns = [](double* data, std::int64_t rows, std::int64_t cols) {
    return dense_view<double>{data, rows, cols, cols, 1};
  };
  EXPECT_TRUE(refused([&] { multiply(p, x, y, s); }));
  EXPECT_TRUE(refused([&] { multiply(p, static_cast<double*>(nullptr), y.address(), s); }));
  EXPECT_TRUE(refused([&] { multiply(p, x.address(), reinterpret_cast<double*>(1), s); }));
  EXPECT_TRUE(refused([&] { multiply(p, columns(x.address(), 200, 3), columns(y.address(), 200, 3), s); }));
  EXPECT_TRUE(refused([&] { multiply(p, columns(x.address(), 300, 2), columns(y.address(), 300, 1), s); }));
  EXPECT_TRUE(
      refused([&] { static_cast<void>(multiply_inspect(short_rows(), {.device = host_executor, .columns = 0})); }));
  EXPECT_TRUE(refused([&] { multiply(multiply_inspect(short_rows()), x.address(), y.address(), s); }));
  EXPECT_TRUE(refused([&] { static_cast<void>(device_context(devices::cpu())); }));
  EXPECT_TRUE(refused([&] { static_cast<void>(device_vector<double>(gpu, -1)); }));
  EXPECT_TRUE(refused([&] { x.from_host(std::vector<double>(3)); }));
  const auto sell = multiply_inspect(short_rows(), {.device = host_executor});
  EXPECT_EQ(code_of([&] {
              multiply(sell, dense_view<double>{x.address(), 300, 1, 2, 1},
                       dense_view<double>{y.address(), 300, 1, 2, 1}, s);
            }),
            errc::unsupported);
  const auto words_of = [](const auto& work) {
    try {
      work();
      return std::string("nothing was thrown");
    } catch (const error& problem) {
      return std::string(problem.what());
    }
  };
  const std::string overlap = words_of([&] { multiply(p, x.address(), x.address() + 10, s); });
  EXPECT_NE(overlap.find("x and y overlap"), std::string::npos) << overlap;
  device_vector<double> wide(gpu, 900);
  device_vector<double> tall(gpu, 900);
  const std::string many =
      words_of([&] { multiply(p, columns(wide.address(), 300, 3), columns(tall.address(), 300, 3), s); });
  EXPECT_NE(many.find("raise plan_options.columns"), std::string::npos) << many;
}

TEST(DeviceContext, OfWhatIsNotThereSaysWhyAndWhatToDo) {
  const device_report found = look_for(devices::cuda(7));
  if (found.ready()) GTEST_SKIP() << "this machine has eight GPUs";
  for (const auto& open : {+[] { static_cast<void>(device_context(devices::cuda(7))); },
                           +[] { static_cast<void>(multiply_inspect(short_rows(), {.device = devices::cuda(7)})); }}) {
    try {
      open();
      ADD_FAILURE() << "it opened";
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::no_device);
      for (const std::string& words : {found.problem, found.advice, std::string("cuda:7")})
        EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
    }
  }
}

template <class Value> class DeviceVectorsOfUsers : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceVectorsOfUsers, device::every_value);

TYPED_TEST(DeviceVectorsOfUsers, HaveTheBitsOfTheProcessor) {
  using value = TypeParam;
  const device_context gpu(host_executor);
  const device_stream s(gpu);
  for (const std::int64_t size : {0, 1, 33, 5000}) {
    const auto x = full_numbers<value>(size, 3);
    auto y = full_numbers<value>(size, 4);
    const device_vector<value> there_x(gpu, x);
    device_vector<value> there_y(gpu, y);
    EXPECT_EQ(device::difference_of_numbers(dot(x, y), dot(there_x, there_y, s)), "");
    EXPECT_EQ(device::difference_of_numbers(dotc(x, y), dotc(there_x, there_y)), "");
    EXPECT_EQ(device::difference_of_numbers(norm(x), norm(there_x, s)), "");
    const value alpha = full_number<value>(5);
    const value beta = full_number<value>(6);
    axpby(alpha, x, beta, y);
    axpby(alpha, there_x, beta, there_y, s);
    axpy(alpha, x, y);
    axpy(alpha, there_x, there_y, s);
    scale(beta, y);
    scale(beta, there_y, s);
    EXPECT_EQ(difference(y, there_y.to_host(s)), "") << size;
    scale(value(0), there_y);
    EXPECT_EQ(difference(std::vector<value>(y.size()), there_y.to_host()), "") << size;
  }
  device_vector<value> one(gpu, 1);
  const device_vector<value> two(gpu, 2);
  EXPECT_EQ(code_of([&] { static_cast<void>(dot(one, two)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { axpy(value(1), one, one); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis
