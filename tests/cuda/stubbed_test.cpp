// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on a device through the real plugin, over the stub of CUDA's runtime: right bits, launches within limits,
// nothing left, no copy or kernel that takes what it must not.
#include <cuda_runtime_api.h>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

#include "device/dense.hpp"
#include "device/spgemm.hpp"
#include "device/spgemm_slabs.hpp"
#include "device/spmm.hpp"
#include "device/spmv.hpp"
#include "device/triangular.hpp"
#include "device/vector.hpp"
#include "stubbed_device.hpp"
#include "summation/spgemm.hpp"
#include "summation/vector.hpp"
#include "support/errors.hpp"
#include "support/spmv_operands.hpp"
#include "verify/cases.hpp"

namespace lacis::device {
namespace {

using namespace spmv_test;

constexpr const char* waits[] = {"cudaStreamSynchronize", "cudaEventSynchronize"};
constexpr const char* allocations_and_copies[] = {"cudaMallocFromPoolAsync", "cudaFreeAsync", "cudaMemcpyAsync"};

template <class Types> class StubbedProducts : public StubbedCuda {};
using some_types = ::testing::Types<types<double, std::int32_t>, types<std::complex<float>, std::int64_t>>;
TYPED_TEST_SUITE(StubbedProducts, some_types);

/// Matrices that differ in what a method does: none, short, long and very long rows, more than a block, one value.
template <class Value, class Index> std::vector<std::pair<std::string, csr_matrix<Value, Index>>> some_matrices() {
  std::vector<std::pair<std::string, csr_matrix<Value, Index>>> all;
  for (const auto& [name, matrix] : real_test_matrices<Value, Index>())
    for (const char* const wanted : {"0x5", "7x9 without entries", "5-point 12^2", "tall 500x20", "one huge row",
                                     "lengths 0 to 70", "iso uniform 100x100", "zeros, subnormals, Inf and NaN"})
      if (name == wanted) all.emplace_back(name, matrix);
  all.emplace_back("mixed rows", mixed_rows<Value, Index>());
  return all;
}

template <class Value> std::vector<Value> whole_numbers(std::int64_t count) {
  std::vector<Value> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(verification::entry_value<Value>(static_cast<std::uint64_t>(k), entries::integers));
  return all;
}

TYPED_TEST(StubbedProducts, EveryMethodKeepsItsOrder) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  for (const auto& [name, matrix] : some_matrices<value, index>())
    for (const spmv_facts& facts : all_spmv_methods) {
      if (!facts.order) continue;
      const auto s = plain_scalars<value>(facts.method);
      ASSERT_EQ(computed(this->device, matrix.view(), facts.method, s), expected(matrix.view(), facts.method, s))
          << facts.name << " on " << name << ' ' << this->cuda.fault();
    }
}

TYPED_TEST(StubbedProducts, AreLaunchedInTheBlocksOfTheirMethods) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto matrix = mixed_rows<value, index>();
  for (const spmv_facts& facts : all_spmv_methods) {
    if (!facts.block_threads) continue;
    static_cast<void>(computed(this->device, matrix.view(), facts.method, plain_scalars<value>(facts.method)));
    const stub_launch last = stub_launch_of(stub_launches() - 1);
    EXPECT_EQ(last.threads, *facts.block_threads) << facts.name;
    const bool in_shared_memory = facts.kernels[0] == kernels::kernel::csr_warp_shared;
    EXPECT_EQ(last.shared_bytes, in_shared_memory ? last.threads * static_cast<std::int64_t>(sizeof(value)) : 0);
  }
}

TYPED_TEST(StubbedProducts, MethodsWithoutAnOrderAreExactOnWholeNumbers) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto matrix = verification::from_rows<value, index>(
      90, 100, entries::integers, [](std::int64_t i) { return verification::random_columns(i, i % 40, 100, 1); });
  const auto x = whole_numbers<value>(matrix.cols);
  const auto y = whole_numbers<value>(matrix.rows);
  const auto a = upload(this->device, matrix.view());
  for (const spmv_facts& facts : all_spmv_methods) {
    if (facts.order) continue;
    EXPECT_EQ(after(this->device, x, y,
                    [&](const device_of<value>* device_x, device_of<value>* device_y) {
                      spmv(this->device, facts.method, a, value(2), device_x, value(3), device_y);
                    }),
              expected(matrix.view(), summation::serial, scalars<value>{value(2), value(3)}, x, y))
        << facts.name;
  }
}

TYPED_TEST(StubbedProducts, WithAPlanNeitherAllocateNorCopyNorWait) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto matrix = mixed_rows<value, index>();
  const auto a = upload(this->device, matrix.view());
  const auto x = this->device.template upload<value>(vector_for(matrix.view()));
  for (const spmv_facts& facts : all_spmv_methods) {
    const auto s = plain_scalars<value>(facts.method);
    const auto y = this->device.template upload<value>(result_before<value>(matrix.rows, s.beta));
    const auto plan = plan_spmv(this->device, facts.method, a);
    std::map<std::string, std::int64_t> before;
    for (const char* const function : waits) before[function] = stub_calls(function);
    for (const char* const function : allocations_and_copies) before[function] = stub_calls(function);
    const std::int64_t launches = stub_launches();
    spmv(this->device, plan, a, s.alpha, x.data(), s.beta, y.data());
    for (const auto& [function, calls] : before) EXPECT_EQ(stub_calls(function.c_str()), calls) << facts.name;
    EXPECT_GT(stub_launches(), launches);
    if (!facts.order) continue;
    EXPECT_EQ(bits_of_all(this->device.template download<value>(y)), expected(matrix.view(), facts.method, s))
        << facts.name;
  }
}

TYPED_TEST(StubbedProducts, EveryColumnIsCanonical) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  for (const auto& [name, matrix] : real_test_matrices<value, index>()) {
    if (name != "lengths 0 to 70" && name != "rows of 1025") continue;
    const auto a = upload(this->device, matrix.view());
    for (const auto& c : verification::column_cases<value, index, value>(matrix.view())) {
      const auto x = this->device.template upload<value>(c.x);
      const auto y = this->device.template upload<value>(c.y);
      const auto plan = plan_spmm(this->device, a, c.cols);
      spmm<value, index>(this->device, plan, a, c.alpha,
                         {x.data(), c.x_shape.rows, c.x_shape.cols, c.x_shape.row_stride, c.x_shape.col_stride}, c.beta,
                         {y.data(), c.y_shape.rows, c.y_shape.cols, c.y_shape.row_stride, c.y_shape.col_stride});
      EXPECT_EQ(difference(c.expected, this->device.template download<value>(y)), "") << name << ": " << c.name;
    }
  }
}

TYPED_TEST(StubbedProducts, SparseProductsHaveTheBitsOfTheReference) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  // 600 rows: CUB sorts more than 500 segments in another way than fewer.
  for (const std::int64_t n : {60, 600}) {
    const auto matrix = verification::from_rows<value, index>(
        n, n, entries::reals, [n](std::int64_t i) { return verification::random_columns(i, i % 7, n, 2); });
    const auto a = upload(this->device, matrix.view());
    const auto wanted = summation::spgemm(matrix.view(), matrix.view());
    const spgemm_tuning hashed = {{2, 5, 9}, {2, 4, 7}, 0};
    const spgemm_tuning dense = {{2, 5, 9}, {2, 4, 7}, 1000};
    for (const spgemm_options& options :
         {spgemm_options{.variant = spgemm_variant::best, .sort = spgemm_sort::radix},
          spgemm_options{.variant = spgemm_variant::best, .sort = spgemm_sort::segmented}, spgemm_options{},
          spgemm_options{.tuning = hashed}, spgemm_options{.tuning = dense}}) {
      const auto c = spgemm(this->device, a, a, options);
      ASSERT_EQ(c.nnz, wanted.nnz());
      const auto columns = this->device.template download<index>(c.columns);
      EXPECT_TRUE(std::ranges::equal(columns, wanted.view().columns));
      EXPECT_EQ(difference(std::span<const value>(wanted.values.data),
                           std::span<const value>(this->device.template download<value>(c.values))),
                "");
    }
  }
}

TYPED_TEST(StubbedProducts, SparseProductsOfTheHostAreCutToTheFreeMemory) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto matrix = verification::from_rows<value, index>(
      600, 600, entries::reals, [](std::int64_t i) { return verification::random_columns(i, i % 13, 600, 2); });
  const auto wanted = summation::spgemm(matrix.view(), matrix.view());
  device_spgemm_report report;
  const auto product = [&] {
    const auto c = multiply_in_slabs(this->device, matrix.view(), matrix.view(), {}, {}, report);
    EXPECT_TRUE(std::ranges::equal(c.view().columns, wanted.view().columns));
    EXPECT_EQ(difference(std::span<const value>(wanted.values.data), std::span<const value>(c.values.data)), "");
  };
  product();
  EXPECT_EQ(report.slabs, 1);
  stub_memory(400'000);
  product();
  EXPECT_GT(report.slabs, 1);
}

TYPED_TEST(StubbedProducts, TriangularSystemsHaveTheBitsOfTheReference) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  const auto matrix = verification::from_rows<value, index>(100, 100, entries::reals, [](std::int64_t i) {
    return verification::consecutive(std::max<std::int64_t>(0, i - 2), i + 1);
  });
  const auto a = upload(this->device, matrix.view());
  const auto b = full_numbers<value>(100, 8);
  const auto device_b = this->device.template upload<value>(b);
  for (const diagonal kind : {diagonal::stored, diagonal::unit}) {
    std::vector<value> wanted(b.size());
    summation::solve_lower<value, index>(matrix.view(), kind, b, wanted);
    auto plan = plan_triangular(this->device, a, triangle::lower, kind);
    const auto x = this->device.template allocate<device_of<value>>(100);
    solve(this->device, plan, a, device_b.data(), x.data());
    EXPECT_EQ(difference(wanted, this->device.template download<value>(x)), "");
  }
}

TYPED_TEST(StubbedProducts, VectorsHaveTheBitsOfTheOrder) {
  using value = typename TypeParam::value;
  constexpr std::int64_t n = 20000;
  const auto x = full_numbers<value>(n, 3);
  auto y = full_numbers<value>(n, 4);
  const auto device_x = this->device.template upload<value>(x);
  const auto device_y = this->device.template upload<value>(y);
  vector_sums<value> sums(this->device, n);
  EXPECT_EQ(difference_of_numbers(summation::dotc<value, value>(x, y), sums.dotc(n, device_x.data(), device_y.data())),
            "");
  EXPECT_EQ(difference_of_numbers(summation::norm<value>(x), sums.norm(n, device_x.data())), "");
  axpby(this->device, n, full_number<value>(1), device_x.data(), full_number<value>(2), device_y.data());
  summation::axpby<value, value>(full_number<value>(1), x, full_number<value>(2), y);
  EXPECT_EQ(difference(y, this->device.template download<value>(device_y)), "");
}

TEST_F(StubbedCuda, DenseProductsAreExactOnWholeNumbers) {
  const auto a = device.upload<double>(std::vector<double>(40 * 30, 2));
  const auto b = device.upload<double>(std::vector<double>(30 * 20, 3));
  auto c = device.allocate<double>(40 * 20);
  for (const dense_method method : {dense_method::simple, dense_method::tiled}) {
    device.fill(c, 0);
    multiply_dense<double>(device, method, 40, 30, 20, a.data(), b.data(), c.data());
    EXPECT_EQ(device.download<double>(c), std::vector<double>(40 * 20, 180));
  }
}

TEST_F(StubbedCuda, ScansAndReductionsOfEveryLength) {
  for (const std::int64_t n : {0, 1, 1000, 300000}) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<std::int64_t>(k * 7919 % 101);
    const auto on_device = device.upload<std::int64_t>(counts);
    const auto offsets = device.allocate<std::int64_t>(n + 1);
    device.scan(on_device.data(), offsets.data(), n);
    std::vector<std::int64_t> wanted{0};
    for (const std::int64_t count : counts) wanted.push_back(wanted.back() + count);
    EXPECT_EQ(device.download<std::int64_t>(offsets), wanted);
    EXPECT_EQ(device.sum(on_device.data(), n), wanted.back());
    EXPECT_EQ(device.largest(on_device.data(), n), n == 0 ? 0 : *std::ranges::max_element(counts));
  }
}

template <class Key, class Value> void expect_sorted(runtime& device, std::int64_t segments, std::int64_t length) {
  std::vector<Key> keys;
  std::vector<std::int64_t> offsets{0};
  for (std::int64_t s = 0; s < segments; ++s) {
    for (std::int64_t k = 0; k < length; ++k) keys.push_back(static_cast<Key>(length - k));
    offsets.push_back(static_cast<std::int64_t>(keys.size()));
  }
  const auto count = static_cast<std::int64_t>(keys.size());
  const auto device_keys = device.upload<Key>(keys);
  const auto device_values = device.zeros<Value>(count);
  const auto device_offsets = device.upload<std::int64_t>(offsets);
  device.sort_segments(device_keys.data(), device_values.data(), device_offsets.data(), segments, count);
  for (std::int64_t s = 0; s < segments; ++s) std::reverse(keys.begin() + s * length, keys.begin() + (s + 1) * length);
  EXPECT_EQ(device.download<Key>(device_keys), keys);
}

TEST_F(StubbedCuda, SortsOfEverySize) {
  for (const std::int64_t segments : {0, 1, 20, 700})
    for (const std::int64_t length : {0, 1, 50}) {
      expect_sorted<std::int32_t, float>(device, segments, length);
      expect_sorted<std::int32_t, double>(device, segments, length);
      expect_sorted<std::int32_t, simt::complex_number<double>>(device, segments, length);
      expect_sorted<std::int64_t, float>(device, segments, length);
      expect_sorted<std::int64_t, double>(device, segments, length);
      expect_sorted<std::int64_t, simt::complex_number<double>>(device, segments, length);
    }
}

TEST_F(StubbedCuda, WorkInAStreamOfItsOwnStaysThere) {
  void* stream = nullptr;
  device.check(cuda.table().create_stream(cuda.table().state, &stream));
  {
    runtime own(cuda.table(), stream);
    const auto matrix = mixed_rows<double, std::int32_t>();
    const auto s = plain_scalars<double>(spmv_method::csr_stream);
    for (const spmv_method method : {spmv_method::csr_stream, spmv_method::jds_canonical, spmv_method::bsr_rows})
      EXPECT_EQ(computed(own, matrix.view(), method, s), expected(matrix.view(), method, s));
    const auto square = verification::from_rows<double, std::int32_t>(
        50, 50, entries::reals, [](std::int64_t i) { return verification::random_columns(i, 4, 50, 1); });
    const auto a = upload(own, square.view());
    EXPECT_EQ(spgemm(own, a, a).nnz, summation::spgemm(square.view(), square.view()).nnz());
  }
  for (std::int64_t number = 0; number < stub_launches(); ++number)
    ASSERT_EQ(stub_launch_of(number).stream, stream) << stub_launch_of(number).kernel;
  device.check(cuda.table().destroy_stream(cuda.table().state, stream));
}

TEST_F(StubbedCuda, EventsTellTheTimeBetweenThem) {
  const lacis_runtime& table = cuda.table();
  void* first = nullptr;
  void* last = nullptr;
  device.check(table.create_event(table.state, &first));
  device.check(table.create_event(table.state, &last));
  device.check(table.record(table.state, first, nullptr));
  const auto x = device.zeros<double>(10);
  device.check(table.record(table.state, last, nullptr));
  double seconds = -1;
  device.check(table.elapsed(table.state, first, last, &seconds));
  EXPECT_GE(seconds, 0);
  device.check(table.destroy_event(table.state, first));
  device.check(table.destroy_event(table.state, last));
}

TEST_F(StubbedCuda, TheDeviceIsDescribedOnceHoweverOftenItsFactsAreNeeded) {
  const auto matrix = mixed_rows<double, std::int32_t>();
  {
    const auto a = upload(device, matrix.view());
    for (int time = 0; time < 3; ++time) static_cast<void>(to_sell(device, a));
    static_cast<void>(shuffle_reduce<double>(device, a.nnz, a.values.data()));
  }
  EXPECT_EQ(stub_calls("cudaGetDeviceProperties"), 1);
  const std::int64_t before = device.free_bytes();
  const auto more = device.allocate<char>(1000);
  EXPECT_EQ(device.free_bytes(), before - 1000) << "what is free is asked for again";
}

TEST_F(StubbedCuda, AnUploadHasReadItsSourceWhenItReturns) {
  std::vector<double> host{1, 2, 3};
  const auto there = device.upload<double>(host);
  host = {4, 5, 6};
  EXPECT_EQ(device.download<double>(there), (std::vector<double>{1, 2, 3}));
}

TEST_F(StubbedCuda, TheSecondDeviceHasItsOwnMemory) {
  stub_architecture(1, 90);
  const lacis_runtime& table = cuda.table();
  lacis_device_facts facts;
  device.check(table.probe(table.state, 1, &facts));
  EXPECT_STREQ(facts.name, "stub 1");
  EXPECT_EQ(facts.architecture, 90);
  std::int32_t before = -1;
  device.check(table.use(table.state, 1, &before));
  EXPECT_EQ(before, 0);
  const runtime second(table);
  EXPECT_STREQ(second.facts().name, "stub 1");
  EXPECT_EQ(second.facts().toolkit, CUDART_VERSION);
  {
    const auto matrix = mixed_rows<double, std::int32_t>();
    const auto s = plain_scalars<double>(spmv_method::csr_stream);
    EXPECT_EQ(computed(device, matrix.view(), spmv_method::csr_stream, s),
              expected(matrix.view(), spmv_method::csr_stream, s));
  }
  device.check(table.use(table.state, before, nullptr));
  EXPECT_STREQ(device.facts().name, "stub 0");
}

}  // namespace
}  // namespace lacis::device
