// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices on a device: every method gives the bits of its order of summation, in every schedule.
#include "kernels/spmv_csr.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device/spmv.hpp"
#include "simt/runtime.hpp"
#include "simt/tracer.hpp"
#include "summation/scale.hpp"
#include "support/errors.hpp"
#include "support/spmv_operands.hpp"

namespace lacis::device {
namespace {

using namespace spmv_test;

using some_types = ::testing::Types<types<double, std::int32_t>, types<std::complex<float>, std::int64_t>>;

template <class Types> class SpmvCsr : public ::testing::Test {};
template <class Types> class SpmvCsrSchedules : public ::testing::Test {};
TYPED_TEST_SUITE(SpmvCsr, every_type);
TYPED_TEST_SUITE(SpmvCsrSchedules, some_types);

TYPED_TEST(SpmvCsr, EveryMethodKeepsItsOrderOnTheBattery) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  for (const auto& [name, matrix] : real_test_matrices<value, index>())
    for (const spmv_facts& facts : all_spmv_methods) {
      if (facts.stored != matrix_format::csr) continue;
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
    for (const auto& [name, matrix] : real_test_matrices<value, index>())
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
      if (facts.stored != matrix_format::csr) continue;
      const auto s = plain_scalars<value>(facts.method);
      ASSERT_EQ(computed(device, mixed.view(), facts.method, s), expected(mixed.view(), facts.method, s)) << facts.name;
      for (const auto& [name, matrix] : real_test_matrices<value, index>())
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

/// Keeps the shape of the last launch.
struct shape_keeper final : simt::tracer {
  simt::launch_shape last;
  void launch_begins(const simt::launch_shape& shape) override { last = shape; }
  void access(int, const simt::traced_access&) override {}
  void atomic(int, const void*) override {}
  void meets(int) override {}
  void block_ends(int) override {}
  void launch_ends() override {}
};

TEST(SpmvCsrMethods, LaunchOneKernelInBlocksOfFourSizes) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  shape_keeper keeper;
  host.trace_by(&keeper);
  const auto matrix = mixed_rows<double, std::int32_t>();
  std::map<kernels::kernel, std::set<int>> blocks;
  for (const spmv_facts& facts : all_spmv_methods) {
    const kernels::kernel kernel = *facts.kernels[0];
    const bool in_shared_memory = kernel == kernels::kernel::csr_warp_shared;
    if (kernel != kernels::kernel::csr_row && kernel != kernels::kernel::csr_warp_shuffle && !in_shared_memory)
      continue;
    static_cast<void>(computed(device, matrix.view(), facts.method, plain_scalars<double>(facts.method)));
    const int threads = keeper.last.block_threads;
    EXPECT_EQ(threads, facts.block_threads.value_or(256)) << facts.name;
    const std::int64_t rows_of_block = kernel == kernels::kernel::csr_row ? threads : threads / simt::warp_size;
    EXPECT_EQ(keeper.last.blocks, runtime::blocks_for(matrix.rows, rows_of_block)) << facts.name;
    EXPECT_EQ(keeper.last.shared_bytes,
              in_shared_memory ? sizeof(double) * static_cast<std::size_t>(threads) : sizeof(simt::no_shared));
    blocks[kernel].insert(threads);
  }
  ASSERT_EQ(blocks.size(), 3u);
  for (const auto& [kernel, sizes] : blocks) EXPECT_EQ(sizes, (std::set<int>{128, 256, 512, 1024}));
}

TEST(SpmvCsrMethods, RefuseBlocksThatTheirKernelsDoNotTake) {
  simt_runtime host(on_one_thread());
  runtime device(host.table());
  const auto matrix = mixed_rows<double, std::int32_t>();
  const auto a = upload(device, matrix.view());
  const auto x = device.upload<double>(vector_for(matrix.view()));
  const auto y = device.zeros<double>(a.rows);
  using row = kernels::csr_row<raw_memory, double, std::int32_t>;
  using add = kernels::csr_row_add<raw_memory, double, std::int32_t>;
  const row any{a.rows, a.row_offsets.data(), a.columns.data(), a.values.data(), x.data(), y.data()};
  for (const int threads : {-32, 0, 16, 100, 1056, 2048})
    EXPECT_EQ(test::code_of([&] { device.launch(any, 1, threads); }), errc::invalid_argument) << threads;
  device.launch(any, 1, 96);
  const add one{a.rows, a.row_offsets.data(), a.columns.data(), a.values.data(), x.data(), y.data()};
  EXPECT_EQ(test::code_of([&] { device.launch(one, 1, 128); }), errc::invalid_argument);
  device.launch(one, 1, 256);
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
