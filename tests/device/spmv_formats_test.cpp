// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products on a device in formats other than CSR: every method gives the bits of its order, whatever padding lies over.
#include "device/spmv_formats.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

#include "support/errors.hpp"
#include "support/spmv_operands.hpp"
#include "support/views.hpp"

namespace lacis::device {
namespace {

using namespace spmv_test;
using verification::whole_numbers;

using some_types = ::testing::Types<types<double, std::int32_t>, types<std::complex<float>, std::int64_t>>;

template <class Types> class SpmvFormats : public ::testing::Test {};
template <class Types> class SpmvFormatsMore : public ::testing::Test {};
TYPED_TEST_SUITE(SpmvFormats, every_type);
TYPED_TEST_SUITE(SpmvFormatsMore, some_types);

std::vector<spmv_facts> methods_of_other_formats() {
  std::vector<spmv_facts> all;
  for (const spmv_facts& facts : all_spmv_methods)
    if (facts.stored != matrix_format::csr) all.push_back(facts);
  return all;
}

template <class Value, class Index> const auto& whole_test_matrices() {
  static const auto all = test_matrices<Value, Index>(entries::integers);
  return all;
}

/// Each matrix with the scalars of its turn.
template <class Value, class Index> void expect_order_on_the_test_matrices(runtime& device, std::size_t turn) {
  const scalars<Value> forms[] = {{Value(1), Value(0)},
                                  {full_number<Value>(1), full_number<Value>(2)},
                                  {Value(1), Value(1)},
                                  {full_number<Value>(1), Value(0)}};
  for (const auto& [name, matrix] : real_test_matrices<Value, Index>()) {
    const scalars<Value>& s = forms[turn++ % 4];
    for (const spmv_facts& facts : methods_of_other_formats())
      if (facts.order) {
        ASSERT_EQ(computed(device, matrix.view(), facts.method, s), expected(matrix.view(), facts.method, s))
            << facts.name << " on " << name;
      }
  }
}

template <class Value, class Index> void expect_whole_numbers_on_the_test_matrices(runtime& device, scalars<Value> s) {
  for (const auto& [name, matrix] : whole_test_matrices<Value, Index>()) {
    if (name == "zeros, subnormals, Inf and NaN") continue;
    const auto a = upload(device, matrix.view());
    const auto x = whole_numbers<Value>(matrix.cols, 5);
    const auto y =
        s.beta == Value(0) ? result_before<Value>(matrix.rows, s.beta) : whole_numbers<Value>(matrix.rows, 6);
    const auto right = expected(matrix.view(), summation::serial, s, x, y);
    for (const spmv_facts& facts : methods_of_other_formats())
      if (!facts.order) {
        ASSERT_EQ(after(device, x, y,
                        [&](const auto* from, auto* to) { spmv(device, facts.method, a, s.alpha, from, s.beta, to); }),
                  right)
            << facts.name << " on " << name;
      }
  }
}

TYPED_TEST(SpmvFormats, KeepTheirOrderOnTheBatteryAndScale) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  expect_order_on_the_test_matrices<value, index>(device, sizeof(value) / 4);
  expect_whole_numbers_on_the_test_matrices<value, index>(device, {value(2), value(is_complex<value> ? 0 : -3)});
}

TYPED_TEST(SpmvFormatsMore, SchedulesDoNotChangeABit) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  using simt::turns;
  for (const simt::schedule order : {simt::schedule{turns::reverse}, {turns::shuffled, 1}}) {
    host.set_turns(order);
    expect_order_on_the_test_matrices<value, index>(device, order.seed);
    expect_whole_numbers_on_the_test_matrices<value, index>(device, {value(1), value(1)});
  }
}

/// An infinity that padding or fill multiplied by its 0 would be a NaN, where there was an infinity, or 0.
TYPED_TEST(SpmvFormats, NothingLeaksThroughPadding) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const value infinity(std::numeric_limits<real_of<value>>::infinity());
  // Rows of very different lengths, some empty; every column is read by some row.
  const auto matrix = verification::from_rows<value, index>(100, 130, entries::integers, [](std::int64_t i) {
    return i % 5 == 2 ? std::vector<std::int64_t>{}
                      : verification::random_columns(i, i == 50 ? 130 : 1 + i % 3, 130, 21);
  });
  const auto a = upload(device, matrix.view());
  const scalars<value> s{value(1), value(0)};
  const auto y = result_before<value>(matrix.rows, s.beta);
  for (const bool all_infinite : {true, false}) {
    auto x = whole_numbers<value>(matrix.cols, 3);
    for (std::size_t j = 0; j < x.size(); ++j)
      if (all_infinite || j % 2 == 0) x[j] = infinity;
    for (const spmv_facts& facts : methods_of_other_formats())
      ASSERT_EQ(after(device, x, y,
                      [&](const auto* from, auto* to) { spmv(device, facts.method, a, s.alpha, from, s.beta, to); }),
                expected(matrix.view(), facts.order.value_or(summation::serial), s, x, y))
          << facts.name;
  }
}

TYPED_TEST(SpmvFormats, ReadNothingWhenAlphaIsZero) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const value beta = full_number<value>(2);
  const std::vector<value> before = full_numbers<value>(300, 4);
  std::vector<value> scaled;
  for (const value v : before) scaled.push_back(summation::scale(beta, v));
  const auto expect_scaled = [&](spmv_method method, auto nothing_to_read) {
    nothing_to_read.rows = 300;
    EXPECT_EQ(after(device, {}, before,
                    [&](const auto*, auto* y) {
                      spmv<value, index>(device, method, nothing_to_read, value(0), nullptr, beta, y);
                    }),
              bits_of_all(scaled))
        << facts_of(method).name;
  };
  expect_scaled(spmv_method::coo_atomic, device_coo<value, index>{});
  expect_scaled(spmv_method::ell_row, device_ell<value, index>{});
  expect_scaled(spmv_method::hyb_canonical, device_hyb<value, index>{});
  expect_scaled(spmv_method::jds_row, device_jds<value, index>{});
  device_sell<value, index> slices;
  slices.slice_height = 32;
  expect_scaled(spmv_method::sell_32, std::move(slices));
  expect_scaled(spmv_method::bsr_rows, device_bsr<value, index>{});
}

TYPED_TEST(SpmvFormatsMore, SlicesMayBeSortedInAnyWindow) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread({simt::turns::shuffled, 5}));
  runtime device(host.table());
  const scalars<value> s{full_number<value>(1), full_number<value>(2)};
  const auto check = [&](const csr_view<value, index>& matrix) {
    const auto csr = upload(device, matrix);
    const auto y = result_before<value>(matrix.rows, s.beta);
    for (const std::int64_t window : {1, 32, 4096}) {
      const auto a = to_sell(device, csr, {.slice_height = 32, .sort_window = window});
      ASSERT_EQ(
          after(device, vector_for(matrix), y,
                [&](const auto* from, auto* to) { spmv(device, spmv_method::sell_32, a, s.alpha, from, s.beta, to); }),
          expected(matrix, spmv_method::sell_32, s))
          << "a window of " << window;
    }
  };
  check(test::view_of(mixed_rows<value, index>()));
  for (const auto& [name, matrix] : real_test_matrices<value, index>()) {
    SCOPED_TRACE(name);
    check(matrix.view());
  }
}

TYPED_TEST(SpmvFormatsMore, BlocksMayHaveAnySizeUpTo16) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const scalars<value> s{full_number<value>(1), full_number<value>(2)};
  std::int64_t size = 0;
  const auto check = [&](const csr_view<value, index>& matrix, std::int64_t block_size) {
    host.set_turns({simt::turns::shuffled, static_cast<std::uint64_t>(block_size)});
    const auto a = to_bsr(device, upload(device, matrix), {.block_size = block_size});
    const auto y = result_before<value>(matrix.rows, s.beta);
    ASSERT_EQ(
        after(device, vector_for(matrix), y,
              [&](const auto* from, auto* to) { spmv(device, spmv_method::bsr_rows, a, s.alpha, from, s.beta, to); }),
        expected(matrix, spmv_method::bsr_rows, s))
        << "blocks of " << block_size;
  };
  // Rows of one and of several chunks whose entries are scattered among fill, so that ranks and slots part.
  const auto scattered = verification::from_rows<value, index>(9, 9000, entries::reals, [](std::int64_t i) {
    return verification::random_columns(i, i == 4 ? 2100 : i == 5 ? 1024 : 20 + 3 * i, 9000, 31);
  });
  for (std::int64_t every = 1; every <= 16; ++every) check(scattered.view(), every);
  for (const auto& [name, matrix] : real_test_matrices<value, index>()) {
    SCOPED_TRACE(name);
    check(matrix.view(), 1 + size++ % 16);
  }
}

csr_matrix<double, std::int32_t> some_rows() {
  return verification::from_rows<double, std::int32_t>(50, 3000, entries::reals, [](std::int64_t i) {
    return verification::consecutive(i, i == 7 ? 2900 : i + i % 40);
  });
}

TEST(SpmvFormatsPlan, ConvertsOnceAndThenLaunchesTheProduct) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = some_rows();
  const auto a = upload(device, matrix.view());
  const auto x = device.upload<double>(vector_for(matrix.view()));
  for (const spmv_facts& facts : methods_of_other_formats()) {
    const auto plan = plan_spmv(device, facts.method, a);
    const auto y = device.zeros<double>(a.rows);
    const std::int64_t before = host.launches();
    spmv(device, plan, a, 1.0, x.data(), 0.0, y.data());
    const std::int64_t launches = host.launches() - before;
    std::int64_t named = 0;
    for (const auto& kernel : facts.kernels) named += kernel ? 1 : 0;
    EXPECT_EQ(launches, named) << facts.name;
  }
}

TEST(SpmvFormatsErrors, MethodsRefuseWhatTheyCannotTake) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = some_rows();
  const auto a = upload(device, matrix.view());
  const auto x = device.upload<double>(vector_for(matrix.view()));
  const auto y = device.zeros<double>(a.rows);
  const auto code = [&](spmv_method method, const auto& stored) {
    return test::code_of([&] { spmv(device, method, stored, 1.0, x.data(), 0.0, y.data()); });
  };
  EXPECT_EQ(code(spmv_method::jds_row, to_ell(device, a)), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::coo_ordered, to_coo(device, a)), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::sell_32, to_sell(device, a, {.slice_height = 16})), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::bsr_rows, to_bsr(device, a, {.block_size = 17})), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::device
