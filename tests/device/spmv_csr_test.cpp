// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices on a device: every method gives the bits of its order of summation, in every schedule.
#include <complex>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "device/simt_runtime.hpp"
#include "device/spmv.hpp"
#include "summation/hash.hpp"
#include "summation/scale.hpp"
#include "summation/sum.hpp"
#include "support/errors.hpp"
#include "verify/battery.hpp"
#include "verify/numbers.hpp"

namespace lacis::device {
namespace {

using verification::battery;
using verification::entries;
using verification::full_number;
using verification::full_numbers;

template <class Value, class Index> struct types {
  using value = Value;
  using index = Index;
};
using every_type = ::testing::Types<types<float, std::int32_t>, types<float, std::int64_t>, types<double, std::int32_t>,
                                    types<double, std::int64_t>, types<std::complex<float>, std::int32_t>,
                                    types<std::complex<float>, std::int64_t>, types<std::complex<double>, std::int32_t>,
                                    types<std::complex<double>, std::int64_t>>;
using some_types = ::testing::Types<types<double, std::int32_t>, types<std::complex<float>, std::int64_t>>;

template <class Types> class SpmvCsr : public ::testing::Test {};
template <class Types> class SpmvCsrSchedules : public ::testing::Test {};
TYPED_TEST_SUITE(SpmvCsr, every_type);
TYPED_TEST_SUITE(SpmvCsrSchedules, some_types);

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

template <class Value, class Index>
std::vector<std::uint64_t> expected(const csr_view<Value, Index>& a, spmv_method method, scalars<Value> s) {
  const std::vector<Value> x = vector_for(a);
  std::vector<Value> y = result_before<Value>(a.rows, s.beta);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    Value& element = y[static_cast<std::size_t>(i)];
    element = summation::combine(
        s.alpha, [&] { return summation::row_sum<Value, Index, Value>(a, i, x, *facts_of(method).order); }, s.beta,
        [&] { return element; });
  }
  return bits_of_all(y);
}

template <class Value, class Index>
std::vector<std::uint64_t> computed(runtime& device, const csr_view<Value, Index>& a, spmv_method method,
                                    scalars<Value> s) {
  const auto matrix = upload(device, a);
  const auto x = device.upload<Value>(vector_for(a));
  const auto y = device.upload<Value>(result_before<Value>(a.rows, s.beta));
  spmv(device, method, matrix, s.alpha, x.data(), s.beta, y.data());
  return bits_of_all(device.download<Value>(y));
}

template <class Value, class Index> const auto& real_battery() {
  static const auto all = battery<Value, Index>(entries::reals);
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

/// The battery's grids are small: a second thread would cost more than it saves.
simt_options on_one_thread(const simt::schedule& order = {}) { return {.turns = order, .threads = 1}; }

TYPED_TEST(SpmvCsr, EveryMethodKeepsItsOrderOnTheBattery) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  for (const auto& [name, matrix] : real_battery<value, index>())
    for (const spmv_facts& facts : all_spmv_methods) {
      if (facts.stored != format::csr) continue;
      const auto s = plain_scalars<value>(facts.method);
      ASSERT_EQ(computed(device, matrix.view(), facts.method, s), expected(matrix.view(), facts.method, s))
          << facts.name << " on " << name;
    }
}

TYPED_TEST(SpmvCsr, ScalesInTheCanonicalOrder) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto alpha = full_number<value>(1);
  const auto beta = full_number<value>(2);
  const auto mixed = mixed_rows<value, index>();
  for (const scalars<value> s : {scalars<value>{value(1), value(1)}, {alpha, value(0)}, {alpha, beta}}) {
    const auto method = spmv_method::csr_stream;
    for (const auto& [name, matrix] : real_battery<value, index>())
      ASSERT_EQ(computed(device, matrix.view(), method, s), expected(matrix.view(), method, s)) << name;
    ASSERT_EQ(computed(device, mixed.view(), method, s), expected(mixed.view(), method, s));
  }
}

TYPED_TEST(SpmvCsr, ReadsNeitherMatrixNorVectorWhenAlphaIsZero) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  device_csr<value, index> nothing_to_read;
  nothing_to_read.rows = 300;
  nothing_to_read.cols = 7;
  nothing_to_read.nnz = 1000;
  for (const value beta : {value(0), -value(0), value(1), full_number<value>(2)}) {
    const std::vector<value> before = result_before<value>(300, beta);
    const auto y = device.upload<value>(before);
    spmv<value, index>(device, spmv_method::csr_stream, nothing_to_read, value(0), nullptr, beta, y.data());
    std::vector<value> after;
    for (const value v : before) after.push_back(beta == value(0) ? value(0) : summation::scale(beta, v));
    EXPECT_EQ(bits_of_all(device.download<value>(y)), bits_of_all(after));
  }
}

TYPED_TEST(SpmvCsrSchedules, DoNotChangeABit) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto mixed = mixed_rows<value, index>();
  using simt::turns;
  for (const simt::schedule order : {simt::schedule{turns::reverse}, {turns::shuffled, 1}, {turns::shuffled, 2}}) {
    host.set_turns(order);
    for (const spmv_facts& facts : all_spmv_methods) {
      if (facts.stored != format::csr) continue;
      const auto s = plain_scalars<value>(facts.method);
      ASSERT_EQ(computed(device, mixed.view(), facts.method, s), expected(mixed.view(), facts.method, s)) << facts.name;
      for (const auto& [name, matrix] : real_battery<value, index>())
        ASSERT_EQ(computed(device, matrix.view(), facts.method, s), expected(matrix.view(), facts.method, s))
            << facts.name << " on " << name;
    }
  }
}

TEST(SpmvCsrPlan, IsMadeOnceForManyProducts) {
  simt_runtime host;
  runtime device(host.table());
  const auto matrix = mixed_rows<double, std::int32_t>();
  const auto a = upload(device, matrix.view());
  const auto x = device.upload<double>(vector_for(matrix.view()));
  const auto plan = plan_spmv(device, spmv_method::csr_stream, a);
  for (const double alpha : {1.0, 0.1}) {
    const auto y = device.zeros<double>(a.rows);
    const std::int64_t before = host.launches();
    spmv(device, plan, a, alpha, x.data(), 0.0, y.data());
    EXPECT_EQ(host.launches() - before, 3);
    EXPECT_EQ(bits_of_all(device.download<double>(y)), expected(matrix.view(), plan.method, {alpha, 0.0}));
  }
}

TEST(SpmvCsrPlan, SpreadsTheValueOfAnIsoMatrixOnlyWhereAMethodNeedsIt) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = verification::from_rows<double, std::int32_t>(
      70, 90, entries::reals, [](std::int64_t i) { return verification::consecutive(0, i + 1); }, true);
  const auto a = upload(device, matrix.view());
  EXPECT_EQ(plan_spmv(device, spmv_method::csr_stream, a).spread.size(), 0);
  const auto spread = device.download<double>(plan_spmv(device, spmv_method::csr_row, a).spread);
  EXPECT_EQ(spread, std::vector<double>(static_cast<std::size_t>(a.nnz), matrix.values.data[0]));
}

TEST(SpmvCsrPlan, ListsTheChunksOfLongRows) {
  simt_runtime host(on_one_thread({simt::turns::shuffled, 3}));
  runtime device(host.table());
  const auto matrix = mixed_rows<float, std::int64_t>();
  const auto offsets = device.upload<std::int64_t>(matrix.view().row_offsets);
  const row_bins bins = make_row_bins(device, matrix.rows, offsets.data());
  std::vector<std::int64_t> rows, numbers, join_rows, join_chunks;
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const std::int64_t length = matrix.row_offsets[i + 1] - matrix.row_offsets[i];
    if (length > 1024) {
      join_rows.push_back(i);
      join_chunks.push_back(static_cast<std::int64_t>(rows.size()));
    }
    for (std::int64_t c = 0; length > 32 && c * 1024 < length; ++c) {
      rows.push_back(i);
      numbers.push_back(c);
    }
  }
  EXPECT_EQ(device.download<std::int64_t>(bins.chunk_rows), rows);
  EXPECT_EQ(device.download<std::int64_t>(bins.chunk_numbers), numbers);
  EXPECT_EQ(device.download<std::int64_t>(bins.join_rows), join_rows);
  EXPECT_EQ(device.download<std::int64_t>(bins.join_chunks), join_chunks);
}

TEST(SpmvCsrMethods, RefuseScalarsThatTheyCannotDo) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = mixed_rows<double, std::int32_t>();
  const auto a = upload(device, matrix.view());
  const auto x = device.upload<double>(vector_for(matrix.view()));
  const auto y = device.zeros<double>(a.rows);
  const auto code = [&](spmv_method method, double alpha, double beta) {
    return test::code_of([&] { spmv(device, method, a, alpha, x.data(), beta, y.data()); });
  };
  EXPECT_EQ(code(spmv_method::csr_row, 2, 0), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::csr_row, 1, 1), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::csr_row, 0, 0), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::csr_row_add, 1, 0), errc::invalid_argument);
  EXPECT_EQ(code(spmv_method::csr_row_add, 2, 1), errc::invalid_argument);
}

TEST(SpmvCsrMethods, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const spmv_facts& facts : all_spmv_methods) names.insert(facts.name);
  EXPECT_EQ(names.size(), all_spmv_methods.size());
}

TEST(SpmvCsrMethods, TakeTheBlockThatTheTuningAsksFor) {
  EXPECT_EQ(tuned_row_method({.row_block = 128}), spmv_method::csr_row_128);
  EXPECT_EQ(tuned_row_method({.row_block = 1024}), spmv_method::csr_row_1024);
  EXPECT_EQ(tuned_warp_method({.warp_block = 256}), spmv_method::csr_warp_shuffle);
  EXPECT_EQ(tuned_warp_method({.warp_block = 512}), spmv_method::csr_warp_shuffle_512);
  EXPECT_EQ(tuning_for(0).architecture, 0);
  EXPECT_EQ(tuning_for(86).architecture, 80);
  EXPECT_EQ(tuning_for(121).architecture, 120);
}

}  // namespace
}  // namespace lacis::device
