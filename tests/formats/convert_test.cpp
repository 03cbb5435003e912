// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversion between any two formats: every stored bit survives, for every type, thread count and test matrices matrix.
#include <cstdio>
#include <gtest/gtest.h>
#include <omp.h>
#include <tuple>
#include <utility>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <value Value, index Index>
using every_format = std::tuple<coo_matrix<Value, Index>, csr_matrix<Value, Index>, csc_matrix<Value, Index>,
                                ell_matrix<Value, Index>, hyb_matrix<Value, Index>, jds_matrix<Value, Index>,
                                sell_matrix<Value, Index>, bsr_matrix<Value, Index>, dia_matrix<Value, Index>>;

/// Calls visit.operator()<Format>() for each of the nine.
template <value Value, index Index, class Visit> void for_each_format(Visit&& visit) {
  [&]<class... Formats>(std::type_identity<std::tuple<Formats...>>) {
    (visit(std::type_identity<Formats>{}), ...);
  }(std::type_identity<every_format<Value, Index>>{});
}

/// Converts a to First, to Second and back to CSR, validating on the way; returns how many pairs it tried.
template <value Value, index Index>
std::int64_t round_trips(const std::string& name, const csr_matrix<Value, Index>& a,
                         const convert_options& options = {}) {
  std::int64_t pairs = 0;
  for_each_format<Value, Index>([&]<class First>(std::type_identity<First>) {
    const First first = convert<First>(a, options);
    if (const auto broken = validate(first)) ADD_FAILURE() << name << ": " << broken->message;
    EXPECT_EQ(first.nnz(), a.nnz()) << name;
    for_each_format<Value, Index>([&]<class Second>(std::type_identity<Second>) {
      const Second second = convert<Second>(first, options);
      if (const auto broken = validate(second)) ADD_FAILURE() << name << ": " << broken->message;
      EXPECT_EQ(difference(convert<csr_matrix<Value, Index>>(second), a), "")
          << name << ": " << typeid(First).name() << " to " << typeid(Second).name();
      ++pairs;
    });
  });
  return pairs;
}

TEST(Conversion, RoundTripsExactlyBetweenAnyTwoFormatsOverTheBattery) {
  omp_set_num_threads(2);
  std::int64_t pairs = 0;
  const auto over_test_matrices = [&]<class Value>(std::type_identity<Value>) {
    for (const auto& [name, a] : quick_test_matrices<Value, std::int32_t>(entries::reals))
      pairs += round_trips(name, a);
  };
  over_test_matrices(std::type_identity<float>{});
  over_test_matrices(std::type_identity<double>{});
  over_test_matrices(std::type_identity<std::complex<float>>{});
  over_test_matrices(std::type_identity<std::complex<double>>{});
  std::printf("conversions: %lld round trips (9 x 9 formats x 4 types x %zu matrices), every bit compared\n",
              static_cast<long long>(pairs), quick_test_matrices<float, std::int32_t>().size());
  EXPECT_EQ(pairs, static_cast<std::int64_t>(81 * 4 * quick_test_matrices<float, std::int32_t>().size()));
}

TEST(Conversion, RoundTripsWithWideIndices) {
  for (const auto& [name, a] : quick_test_matrices<double, std::int64_t>(entries::reals)) round_trips(name, a);
}

TEST(Conversion, RoundTripsLargeMatricesForAnyNumberOfThreads) {
#ifdef LACIS_ADDRESS_SANITIZER
  const std::vector<int> teams{3};  // minutes otherwise
#else
  const std::vector<int> teams{1, 2, 3, 7};
#endif
  for (const int threads : teams) {
    omp_set_num_threads(threads);
    for (const bool iso : {false, true}) {
      const std::string name = std::to_string(threads) + " threads";
      round_trips(name, from_rows<double, std::int32_t>(
                            20011, 20000, entries::reals,
                            [](auto i) { return grid_neighbours(i % 19600, 140, 1, true); }, iso));
      round_trips(name, from_rows<float, std::int32_t>(
                            997, 1500, entries::reals,
                            [](auto i) { return random_columns(i, i % 53 == 0 ? 400 : 20, 1500, 1); }, iso));
    }
  }
}

TEST(Conversion, RoundTripsForEveryShapeOfSliceAndBlock) {
  const auto all = quick_test_matrices<double, std::int32_t>(entries::reals);
  for (const auto& [height, window] : {std::pair{1, 1}, {4, 1}, {8, 8}, {32, 1024}, {7, 21}, {256, 256}})
    for (const auto& [name, a] : all) {
      const auto sell = convert<sell_matrix<double>>(a, {.slice_height = height, .sort_window = window});
      EXPECT_EQ(validate(sell), std::nullopt) << name;
      EXPECT_EQ(difference(convert<csr_matrix<double>>(sell), a), "") << name;
    }
  for (const std::int64_t size : {1, 2, 3, 5, 8, 9, 64})
    for (const auto& [name, a] : all) {
      const auto bsr = convert<bsr_matrix<double>>(a, {.block_size = size});
      EXPECT_EQ(validate(bsr), std::nullopt) << name;
      EXPECT_EQ(difference(convert<csr_matrix<double>>(bsr), a), "") << name;
      EXPECT_EQ(convert<bsr_matrix<double>>(bsr, {.block_size = 2}).block_size, 2);
    }
}

TEST(Conversion, NeverMaterialisesIsoValues) {
  for (const auto& [name, a] : test_matrices<double>()) {
    if (!a.values.iso) continue;
    EXPECT_EQ(convert<coo_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<csc_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<ell_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<hyb_matrix<double>>(a).ell.values.data.size(), 1) << name;
    EXPECT_EQ(convert<hyb_matrix<double>>(a).coo.values.data.size(), 1) << name;
    EXPECT_EQ(convert<jds_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<sell_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<bsr_matrix<double>>(a).values.data.size(), 1) << name;
    EXPECT_EQ(convert<dia_matrix<double>>(a).values.data.size(), 1) << name;
  }
}

TEST(Conversion, KeepsUnsortedRowsAndDuplicatesWhereTheFormatCan) {
  const auto messy = from_rows<double, std::int32_t>(
      3, 9, entries::reals, [](auto i) { return std::vector<std::int64_t>{8 - i, 3, 3, 0, 5}; });
  const auto trip = [&]<class Format>(std::type_identity<Format>) {
    return difference(convert<csr_matrix<double>>(convert<Format>(messy)), messy);
  };
  EXPECT_EQ(trip(std::type_identity<coo_matrix<double>>{}), "");
  EXPECT_EQ(trip(std::type_identity<ell_matrix<double>>{}), "");
  EXPECT_EQ(trip(std::type_identity<hyb_matrix<double>>{}), "");
  EXPECT_EQ(trip(std::type_identity<jds_matrix<double>>{}), "");
  EXPECT_EQ(trip(std::type_identity<sell_matrix<double>>{}), "");
  EXPECT_EQ(difference(convert<csr_matrix<double>>(convert<csc_matrix<double>>(messy)), sort_rows(messy)), "");
  EXPECT_THROW((void)convert<bsr_matrix<double>>(messy), error);
  EXPECT_THROW((void)convert<dia_matrix<double>>(messy), error);
}

TEST(Conversion, ChoosesTheWidthOfHybThatTakesTheFewestBytes) {
  for (const auto& [name, a] : test_matrices<double>()) {
    const auto hyb = convert<hyb_matrix<double>>(a);
    const std::int64_t slot = a.values.iso ? 4 : 12;
    const auto bytes_at = [&](std::int64_t width) {
      std::int64_t bytes = a.rows * width * slot;
      for (std::int64_t i = 0; i < a.rows; ++i)
        bytes += std::max<std::int64_t>(0, a.row_offsets[i + 1] - a.row_offsets[i] - width) * (slot + 4);
      return bytes;
    };
    for (std::int64_t width = 0; width <= 100; ++width) EXPECT_LE(bytes_at(hyb.ell.width), bytes_at(width)) << name;
  }
}

TEST(Conversion, RefusesToPassTheMemoryLimitAndSaysWhichFormatSuits) {
  const auto a = from_rows<double, std::int32_t>(1000, 1000, entries::integers, [](auto i) {
    return i == 0 ? consecutive(0, 1000) : std::vector<std::int64_t>{i};
  });
  const convert_options tight{.memory_limit = 100000};
  for (const matrix_format f : {matrix_format::ell, matrix_format::dia})
    EXPECT_GT(storage_bytes(a, f), tight.memory_limit);
  EXPECT_THROW((void)convert<ell_matrix<double>>(a, tight), error);
  EXPECT_THROW((void)convert<dia_matrix<double>>(a, tight), error);
  EXPECT_EQ(convert<hyb_matrix<double>>(a, tight).nnz(), a.nnz());
  try {
    (void)convert<ell_matrix<double>>(a, tight);
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("suits another format"), std::string::npos) << e.what();
  }
}

TEST(Conversion, RefusesOptionsWithoutMeaning) {
  const csr_matrix<double> a;
  EXPECT_THROW((void)convert<sell_matrix<double>>(a, {.slice_height = 0}), error);
  EXPECT_THROW((void)convert<sell_matrix<double>>(a, {.slice_height = 8, .sort_window = 12}), error);
  EXPECT_THROW((void)convert<bsr_matrix<double>>(a, {.block_size = 65}), error);
}

TEST(Storage, CountsTheBytesThatConversionAllocates) {
  const auto bytes = [](const auto& array) { return array.size() * static_cast<std::int64_t>(sizeof array[0]); };
  for (const auto& [name, a] : test_matrices<std::complex<float>>()) {
    const auto coo = convert<coo_matrix<std::complex<float>>>(a);
    const auto csc = convert<csc_matrix<std::complex<float>>>(a);
    const auto ell = convert<ell_matrix<std::complex<float>>>(a);
    const auto hyb = convert<hyb_matrix<std::complex<float>>>(a);
    const auto jds = convert<jds_matrix<std::complex<float>>>(a);
    const auto sell = convert<sell_matrix<std::complex<float>>>(a);
    const auto bsr = convert<bsr_matrix<std::complex<float>>>(a);
    const auto dia = convert<dia_matrix<std::complex<float>>>(a);
    const auto ell_bytes = [&](const auto& e) {
      return bytes(e.row_lengths) + bytes(e.columns) + bytes(e.values.data);
    };
    const auto coo_bytes = [&](const auto& c) {
      return bytes(c.row_indices) + bytes(c.columns) + bytes(c.values.data);
    };
    EXPECT_EQ(storage_bytes(a, matrix_format::csr), bytes(a.row_offsets) + bytes(a.columns) + bytes(a.values.data))
        << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::coo), coo_bytes(coo)) << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::csc),
              bytes(csc.column_offsets) + bytes(csc.row_indices) + bytes(csc.values.data))
        << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::ell), ell_bytes(ell)) << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::hyb), ell_bytes(hyb.ell) + coo_bytes(hyb.coo)) << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::jds),
              bytes(jds.permutation) + bytes(jds.diagonal_offsets) + bytes(jds.columns) + bytes(jds.values.data))
        << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::sell), bytes(sell.permutation) + bytes(sell.row_lengths) +
                                                         bytes(sell.slice_offsets) + bytes(sell.columns) +
                                                         bytes(sell.values.data))
        << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::bsr),
              bytes(bsr.row_offsets) + bytes(bsr.block_columns) + bytes(bsr.mask) + bytes(bsr.values.data))
        << name;
    EXPECT_EQ(storage_bytes(a, matrix_format::dia), bytes(dia.diagonals) + bytes(dia.mask) + bytes(dia.values.data))
        << name;
  }
}

TEST(Storage, NamesEveryFormat) {
  for (const matrix_format f : all_formats) EXPECT_EQ(format_named(name_of(f)), f);
  EXPECT_EQ(format_named("cusp"), std::nullopt);
}

}  // namespace
}  // namespace lacis::test
