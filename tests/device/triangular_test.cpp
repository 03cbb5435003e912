// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on a device: the bits of the reference, no deadlock in any schedule, and what is refused.
#include "device/triangular.hpp"

#include <bit>
#include <functional>

#include "simt/runtime.hpp"
#include "support/device_results.hpp"
#include "support/errors.hpp"
#include "support/views.hpp"
#include "verify/numbers.hpp"

namespace lacis::device {
namespace {

using verification::consecutive;
using verification::entries;
using verification::entry_value;
using verification::full_numbers;
using verification::random_columns;

using columns_of = std::function<std::vector<std::int64_t>(std::int64_t)>;

template <class Types> class DeviceTriangular : public ::testing::Test {};
TYPED_TEST_SUITE(DeviceTriangular, every_value_and_index);

/// A square matrix with these columns and a full diagonal. Entries beside it shrink with the length of the row, so that
/// solutions stay within range; the diagonal has a modulus about one and any direction. Both use every bit.
template <class Value, class Index> csr_matrix<Value, Index> system_of(std::int64_t n, const columns_of& wanted) {
  auto a = verification::from_rows<Value, Index>(n, n, entries::reals, [&](std::int64_t i) {
    auto columns = wanted(i);
    if (!std::ranges::binary_search(columns, i)) columns.insert(std::ranges::lower_bound(columns, i), i);
    return columns;
  });
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = a.row_offsets[i];
    const std::int64_t end = a.row_offsets[i + 1];
    const auto small = 1 / static_cast<real_of<Value>>(16 * std::bit_ceil(static_cast<std::uint64_t>(end - begin)));
    for (std::int64_t k = begin; k < end; ++k) {
      Value& entry = a.values.data[k];
      if (a.columns[k] != i) {
        entry *= small;
        continue;
      }
      entry = Value(1) + entry / real_of<Value>(16);
      if (i % 3 == 1) entry = -entry;
      if constexpr (is_complex<Value>)
        if (i % 2 == 1) entry = Value(-entry.imag(), entry.real());
    }
  }
  return a;
}

template <class Value, class Index>
void expect_the_reference(runtime& device, const csr_matrix<Value, Index>& a, const char* name) {
  const auto matrix = upload(device, a.view());
  const auto b = full_numbers<Value>(a.rows, 8);
  const auto device_b = device.upload<Value>(b);
  for (const diagonal kind : {diagonal::stored, diagonal::unit})
    for (const triangle part : {triangle::lower, triangle::upper}) {
      std::vector<Value> expected(b.size());
      if (part == triangle::lower)
        summation::solve_lower<Value, Index>(a.view(), kind, b, expected);
      else
        summation::solve_upper<Value, Index>(a.view(), kind, b, expected);
      auto plan = plan_triangular(device, matrix, part, kind);
      const auto x = device.allocate<device_of<Value>>(a.rows);
      const int times = part == triangle::lower && kind == diagonal::stored ? 2 : 1;  // a plan serves many solutions
      for (int time = 0; time < times; ++time) {
        solve(device, plan, matrix, device_b.data(), x.data());
        EXPECT_EQ(difference(expected, device.download<Value>(x)), "")
            << name << (part == triangle::lower ? ", lower" : ", upper")
            << (kind == diagonal::unit ? ", unit diagonal" : "");
      }
    }
}

template <class Value, class Index> void expect_the_reference_on_small_systems(runtime& device) {
  const auto expect = [&](const char* name, std::int64_t n, const columns_of& columns) {
    expect_the_reference(device, system_of<Value, Index>(n, columns), name);
  };
  const auto none = [](std::int64_t) { return std::vector<std::int64_t>{}; };
  expect("0x0", 0, none);
  expect("1x1", 1, none);
  expect("diagonal 65", 65, none);
  expect("tridiagonal 300", 300, [](std::int64_t i) {
    return consecutive(std::max<std::int64_t>(0, i - 1), std::min<std::int64_t>(300, i + 2));
  });
  expect("dense 70", 70, [](std::int64_t) { return consecutive(0, 70); });
  expect("7-point 5^3", 125, [](std::int64_t i) { return verification::grid_neighbours(i, 5, 5, true); });
  expect("uniform 200, 5 a row", 200, [](std::int64_t i) { return random_columns(i, 5, 200, 1); });
  expect("arrow 150", 150, [](std::int64_t i) {
    return i == 0 || i == 149 ? consecutive(0, 150) : std::vector<std::int64_t>{0, i, 149};
  });
}

TYPED_TEST(DeviceTriangular, SolutionsHaveTheBitsOfTheReference) {
  simt_runtime host;
  runtime device(host.table());
  expect_the_reference_on_small_systems<typename TypeParam::value, typename TypeParam::index>(device);
}

TEST(DeviceTriangular, SolutionsHaveTheBitsOfTheReferenceInEverySchedule) {
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime one({.turns = turns, .threads = 1});
    runtime one_block_after_the_other(one.table());
    expect_the_reference_on_small_systems<double, std::int32_t>(one_block_after_the_other);
    simt_runtime two({.turns = turns, .threads = 2});
    runtime two_at_once(two.table());
    expect_the_reference_on_small_systems<std::complex<float>, std::int64_t>(two_at_once);
  }
}

/// The last and the first rows have up to five chunks on either side of the diagonal.
template <class Value, class Index> csr_matrix<Value, Index> system_with_long_rows() {
  constexpr std::int64_t n = 4200;
  return system_of<Value, Index>(n, [](std::int64_t i) {
    const std::int64_t long_rows[] = {31, 32, 33, 64, 1023, 1024, 1025, 2048, 2049, 3073, 4097};
    if (i < 11) return consecutive(i + 1, i + 1 + long_rows[i]);
    if (i >= n - 11) return consecutive(i - long_rows[n - 1 - i], i);
    return std::vector<std::int64_t>{};
  });
}

TYPED_TEST(DeviceTriangular, LongRowsAreSummedInChunks) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  simt_runtime host;
  runtime device(host.table());
  expect_the_reference(device, system_with_long_rows<value, index>(), "long rows");
}

TEST(DeviceTriangular, AChainOfDependenciesEndsInEverySchedule) {
  const auto chain = system_of<double, std::int32_t>(2000, [](std::int64_t i) {
    return consecutive(std::max<std::int64_t>(0, i - 1), std::min<std::int64_t>(2000, i + 2));
  });
  for (const simt::schedule& turns : every_schedule) {
    simt_runtime host({.turns = turns});
    runtime device(host.table());
    expect_the_reference(device, chain, "chain");
  }
}

TEST(DeviceTriangular, AnIsoMatrixHasItsValueOnTheDiagonalToo) {
  auto a = system_of<double, std::int32_t>(100, [](std::int64_t i) { return random_columns(i, 4, 100, 3); });
  a.values = values_array<double>::same(1.0 / 3);
  simt_runtime host;
  runtime device(host.table());
  expect_the_reference(device, a, "iso");
}

TYPED_TEST(DeviceTriangular, AZeroOnTheDiagonalDividesAsIeeeHasIt) {
  using value = typename TypeParam::value;
  using index = typename TypeParam::index;
  auto a = system_of<value, index>(40, [](std::int64_t i) { return random_columns(i, 3, 40, 2); });
  for (std::int64_t i = 0; i < 40; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i && i % 13 == 6) a.values.data[k] = value(i == 6 ? real_of<value>(-0.0) : real_of<value>(0));
  simt_runtime host;
  runtime device(host.table());
  expect_the_reference(device, a, "zeros on the diagonal");
}

/// The message of the error that a plan throws.
template <class Value, class Index>
std::string refusal(const csr_matrix<Value, Index>& a, diagonal kind, triangle part = triangle::lower) {
  simt_runtime host;
  runtime device(host.table());
  const auto matrix = upload(device, a.view());
  try {
    (void)plan_triangular(device, matrix, part, kind);
  } catch (const error& problem) {
    return problem.what();
  }
  return "nothing was refused";
}

TEST(DeviceTriangular, NamesTheFirstRowWithoutADiagonal) {
  const auto a = verification::from_rows<double, std::int32_t>(600, 600, entries::reals, [](std::int64_t i) {
    return i == 300 || i == 555 ? std::vector<std::int64_t>{0, 599} : std::vector<std::int64_t>{i};
  });
  EXPECT_NE(refusal(a, diagonal::stored).find("row 300 "), std::string::npos) << refusal(a, diagonal::stored);
  EXPECT_NE(refusal(a, diagonal::stored, triangle::upper).find("row 300 "), std::string::npos);
  EXPECT_EQ(refusal(a, diagonal::unit), "nothing was refused");
}

TEST(DeviceTriangular, NamesTheFirstRowWhoseColumnsDoNotAscend) {
  const auto a = verification::from_rows<double, std::int32_t>(300, 300, entries::reals, [](std::int64_t i) {
    return i == 270 ? std::vector<std::int64_t>{0, i, 5} : std::vector<std::int64_t>{i};
  });
  EXPECT_NE(refusal(a, diagonal::unit).find("row 270 "), std::string::npos) << refusal(a, diagonal::unit);
}

TEST(DeviceTriangular, RefusesMatricesThatAreNotSquareAndPlansOfOthers) {
  const auto wide = verification::from_rows<double, std::int32_t>(
      3, 4, entries::reals, [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  EXPECT_NE(refusal(wide, diagonal::stored).find("3 x 4"), std::string::npos);
  simt_runtime host;
  runtime device(host.table());
  const auto small = upload(device, test::view_of(system_of<double, std::int32_t>(
                                        3, [](std::int64_t) { return std::vector<std::int64_t>{}; })));
  const auto large = upload(device, test::view_of(system_of<double, std::int32_t>(
                                        4, [](std::int64_t) { return std::vector<std::int64_t>{}; })));
  auto plan = plan_triangular(device, small, triangle::lower, diagonal::stored);
  const auto x = device.zeros<double>(4);
  const auto b = device.zeros<double>(4);
  EXPECT_EQ(test::code_of([&] { solve(device, plan, large, b.data(), x.data()); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::device
