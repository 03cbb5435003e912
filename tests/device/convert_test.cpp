// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversions on a device make the arrays that conversions on the host make, padding included, in every schedule.
#include "device/convert.hpp"

#include <complex>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include <lacis/convert.hpp>

#include "simt/runtime.hpp"
#include "support/errors.hpp"
#include "support/spmv_operands.hpp"
#include "support/views.hpp"

namespace lacis::device {
namespace {

using spmv_test::entries;
using spmv_test::every_type;
using spmv_test::test_matrices;

template <class Types> class DeviceConvert : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceConvert, every_type);

/// The bytes of all elements: padding and NaNs compare as they are stored.
template <class T> std::string bytes_of(std::span<const T> all) {
  return {reinterpret_cast<const char*>(all.data()), all.size_bytes()};
}

/// Whether the arrays of a device and of the host are the same.
class comparison {
 public:
  explicit comparison(runtime& device) : device_(device) {}
  template <class T> void array(const char* what, const device_array<device_of<T>>& made, std::span<const T> expected) {
    const std::vector<T> host = device_.download<T>(made);
    EXPECT_EQ(bytes_of(std::span<const T>(host)), bytes_of(expected)) << what;
  }
  template <class Value>
  void values(const device_array<device_of<Value>>& made, bool iso, const values_view<Value>& expected) {
    EXPECT_EQ(iso, expected.iso);
    array<Value>("values", made, expected.data);
  }
  template <class Value, class Index>
  void ell(const device_ell<Value, Index>& made, const ell_view<Value, Index>& expected) {
    EXPECT_EQ(made.width, expected.width);
    EXPECT_EQ(made.entries, expected.entries);
    array<Index>("row_lengths", made.row_lengths, expected.row_lengths);
    array<Index>("columns", made.columns, expected.columns);
    values<Value>(made.values, made.iso, expected.values);
  }
  template <class Value, class Index>
  void coo(const device_coo<Value, Index>& made, const coo_view<Value, Index>& expected) {
    array<Index>("row_indices", made.row_indices, expected.row_indices);
    array<Index>("columns", made.columns, expected.columns);
    values<Value>(made.values, made.iso, expected.values);
  }

 private:
  runtime& device_;
};

constexpr simt::schedule schedules[] = {
    {simt::turns::forward, 0}, {simt::turns::reverse, 0}, {simt::turns::shuffled, 1}};

/// check(runtime, matrix on the device, matrix on the host) for every matrix, in turn with every schedule.
template <class Types, class Check> void on_the_test_matrices(Check&& check) {
  static const auto all = test_matrices<typename Types::value, typename Types::index>(entries::reals);
  simt_runtime host(spmv_test::on_one_thread());
  runtime device(host.table());
  int turn = 0;
  for (const auto& [name, matrix] : all) {
    SCOPED_TRACE(name);
    host.set_turns(schedules[turn++ % 3]);
    const auto on_device = upload(device, matrix.view());
    check(device, on_device, matrix);
  }
}

TYPED_TEST(DeviceConvert, MakesCoo) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    comparison(device).coo(to_coo(device, a), test::view_of(convert<coo_matrix<value, index>>(on_host)));
  });
}

TYPED_TEST(DeviceConvert, MakesCsrOfCooAgain) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    const device_csr<value, index> made = to_csr(device, to_coo(device, a));
    EXPECT_EQ(made.nnz, a.nnz);
    comparison same(device);
    same.template array<std::int64_t>("row_offsets", made.row_offsets, on_host.row_offsets);
    same.template array<index>("columns", made.columns, on_host.columns);
    same.template values<value>(made.values, made.iso, on_host.values.view());
  });
}

TYPED_TEST(DeviceConvert, MakesEll) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    comparison(device).ell(to_ell(device, a), test::view_of(convert<ell_matrix<value, index>>(on_host)));
  });
}

TYPED_TEST(DeviceConvert, MakesHyb) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    const auto expected = convert<hyb_matrix<value, index>>(on_host);
    const device_hyb<value, index> made = to_hyb(device, a);
    comparison(device).ell(made.ell, expected.view().ell);
    comparison(device).coo(made.coo, expected.view().coo);
  });
}

TYPED_TEST(DeviceConvert, MakesJds) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    const auto expected = convert<jds_matrix<value, index>>(on_host);
    const device_jds<value, index> made = to_jds(device, a);
    comparison same(device);
    same.template array<index>("permutation", made.permutation, expected.permutation);
    same.template array<std::int64_t>("diagonal_offsets", made.diagonal_offsets, expected.diagonal_offsets);
    same.template array<index>("columns", made.columns, expected.columns);
    same.template values<value>(made.values, made.iso, expected.values.view());
  });
}

TYPED_TEST(DeviceConvert, MakesSellOfAnyHeightAndWindow) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    const std::int64_t windows[] = {1, 64, 4096};
    for (const convert_options& options : {convert_options{.slice_height = 32, .sort_window = windows[a.nnz % 3]},
                                           convert_options{.slice_height = 7, .sort_window = 21}}) {
      const auto expected = convert<sell_matrix<value, index>>(on_host, options);
      const device_sell<value, index> made = to_sell(device, a, options);
      EXPECT_EQ(made.slice_height, expected.slice_height);
      EXPECT_EQ(made.sort_window, expected.sort_window);
      EXPECT_EQ(made.entries, expected.entries);
      comparison same(device);
      same.template array<index>("permutation", made.permutation, expected.permutation);
      same.template array<index>("row_lengths", made.row_lengths, expected.row_lengths);
      same.template array<std::int64_t>("slice_offsets", made.slice_offsets, expected.slice_offsets);
      same.template array<index>("columns", made.columns, expected.columns);
      same.template values<value>(made.values, made.iso, expected.values.view());
    }
  });
}

TYPED_TEST(DeviceConvert, MakesBsrOfAnyBlockSize) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  on_the_test_matrices<TypeParam>([](runtime& device, const auto& a, const auto& on_host) {
    const convert_options options{.block_size = 1 + (a.nnz + a.cols) % 16};
    const auto expected = convert<bsr_matrix<value, index>>(on_host, options);
    const device_bsr<value, index> made = to_bsr(device, a, options);
    EXPECT_EQ(made.block_size, expected.block_size);
    EXPECT_EQ(made.entries, expected.entries);
    comparison same(device);
    same.template array<std::int64_t>("row_offsets", made.row_offsets, expected.row_offsets);
    same.template array<index>("block_columns", made.block_columns, expected.block_columns);
    same.template array<std::uint8_t>("mask", made.mask, expected.mask);
    same.template values<value>(made.values, made.iso, expected.values.view());
  });
}

TEST(DeviceConvertErrors, BsrRefusesRowsThatDoNotAscend) {
  simt_runtime host;
  runtime device(host.table());
  const std::vector<std::int64_t> offsets{0, 2, 4};
  const std::vector<std::int32_t> columns{0, 3, 5,
                                          5};  // the first of a row may be lower than the last of the row above
  const std::vector<double> values(4, 1.0);
  const csr_view<double> a{2, 6, offsets, columns, values_view<double>(values)};
  EXPECT_EQ(test::code_of([&] { (void)to_bsr(device, upload(device, a)); }), errc::invalid_matrix);
}

TEST(DeviceConvertErrors, PaddingIsLimited) {
  simt_runtime host;
  runtime device(host.table());
  const auto a = verification::from_rows<double, std::int32_t>(1000, 1000, entries::integers, [](auto i) {
    return i == 0 ? verification::consecutive(0, 1000) : std::vector<std::int64_t>{i};
  });
  EXPECT_EQ(test::code_of([&] { (void)to_ell(device, upload(device, a.view()), {.memory_limit = 1 << 20}); }),
            errc::out_of_memory);
}

}  // namespace
}  // namespace lacis::device
