// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products on the processor: every method, in parts, within limits, filled in again; each with the bits of the
// definition.
#include "summation/spgemm.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/structure.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/exact_product.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class Value> csr_matrix<Value> random_matrix(const std::string& spec) {
  generate_options options;
  options.values = generated_values::random;
  return generate<Value, std::int32_t>(spec, options);
}

const std::vector<std::int64_t> no_entries;

/// Every method has a matrix whose square needs it; the last has rows of all kinds.
const std::vector<std::pair<std::string, spgemm_method>> matrices_of_methods = {
    {"@uniform:900,1", spgemm_method::copy},        {"@uniform:1500,6", spgemm_method::sort},
    {"@density:2500,0.005", spgemm_method::sort},   {"@density:300,0.05", spgemm_method::dense},
    {"@stencil27:13", spgemm_method::stencil},      {"@poisson2d:40", spgemm_method::stencil},
    {"@powerlaw:2000,3,500", spgemm_method::dense},
};

template <class Value> void expect_bits_of_every_launch(const csr_matrix<Value>& a, const std::string& name) {
  const auto expected = summation::spgemm(a.view(), a.view());
  for (const isa set : supported_isas())
    for (const int threads : {1, 3}) {
      const spgemm_options options{.threads = threads, .isa = set};
      EXPECT_EQ(difference(multiply(a, a, options), expected), "") << name << ' ' << name_of(set) << ' ' << threads;
      const auto plan = multiply_compute(a, a, options);
      EXPECT_EQ(difference(multiply_fill(plan, a, a, options), expected), "")
          << name << " filled, " << name_of(set) << ' ' << threads;
    }
}

TEST(Spgemm, EveryMethodHasTheBitsOfTheDefinitionOnEveryThreadCountAndInstructionSet) {
  for (const auto& [spec, method] : matrices_of_methods) {
    spgemm_report report;
    const auto a = random_matrix<double>(spec);
    static_cast<void>(multiply(a, a, {}, &report));
    if (default_isa() != isa::scalar || method != spgemm_method::stencil) {
      EXPECT_GT(report.of(method).rows, 0) << spec;
    }
    expect_bits_of_every_launch(a, spec);
    expect_bits_of_every_launch(random_matrix<float>(spec), spec);
    if (method != spgemm_method::stencil) expect_bits_of_every_launch(random_matrix<std::complex<double>>(spec), spec);
  }
}

TEST(Spgemm, WideRowsAreHashedAndSorted) {
  constexpr std::int64_t rows = 40;
  constexpr std::int64_t cols = 40'000'000;
  const auto a = from_rows<double, std::int32_t>(rows, rows, entries::reals,
                                                 [](auto i) { return random_columns(i, 30, rows, 3); });
  const auto b = from_rows<double, std::int32_t>(rows, cols, entries::reals, [](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t k = 0; k < 40; ++k) columns.push_back(k * (cols / 40) + i / 8);
    return columns;
  });
  const auto expected = summation::spgemm(a.view(), b.view());
  for (const isa set : supported_isas()) {
    spgemm_report report;
    EXPECT_EQ(difference(multiply(a, b, {.isa = set}, &report), expected), "");
    EXPECT_EQ(report.of(spgemm_method::hash).rows, rows);
    EXPECT_EQ(difference(multiply_fill(multiply_compute(a, b, {.isa = set}), a, b), expected), "");
  }
}

TEST(Spgemm, KeysHaveRoomForColumnsBeyondTwentySixBits) {
  const std::int64_t size = (std::int64_t{1} << 27) + 5;
  const auto columns_of = [](std::int64_t i) {
    return i == 0 ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{i, size - 4 + i, size - 1};
  };
  const auto a = from_rows<double, std::int32_t>(1, 3, entries::reals, columns_of);
  const auto b = from_rows<double, std::int32_t>(3, size, entries::reals, [&](auto i) { return columns_of(i); });
  EXPECT_EQ(difference(multiply(a, b), summation::spgemm(a.view(), b.view())), "");
}

TEST(Spgemm, IntegersAreExact) {
  for (const auto& [name, a] : test_matrices<double>(entries::integers)) {
    if (name == "zeros, subnormals, Inf and NaN") continue;
    const auto t = transpose(a);
    EXPECT_EQ(difference(multiply(a, t), exact_product(a, t)), "") << name;
  }
}

TEST(Spgemm, OneValueForAllEntriesIsReadAsSuch) {
  for (const char* spec : {"@stencil27:9", "@uniform:3000,5", "@density:500,0.03", "@uniform:900,1"}) {
    auto a = random_matrix<double>(spec);
    const auto b = random_matrix<double>(spec);
    a.values = values_array<double>::same(0.3);
    EXPECT_EQ(difference(multiply(a, b), summation::spgemm(a.view(), b.view())), "") << spec;
    EXPECT_EQ(difference(multiply(b, a), summation::spgemm(b.view(), a.view())), "") << spec;
    const auto plan = multiply_compute(b, b);
    EXPECT_EQ(difference(multiply_fill(plan, a, b), summation::spgemm(a.view(), b.view())), "") << spec;
    EXPECT_EQ(difference(multiply_fill(plan, a, a), summation::spgemm(a.view(), a.view())), "") << spec;
  }
}

TEST(Spgemm, ASumStartsAtPlusZero) {
  const auto one = from_rows<double, std::int32_t>(1, 1, entries::integers, [](auto) { return std::vector{0L}; });
  auto minus = one;
  minus.values.data[0] = -0.0;
  auto plus = one;
  plus.values.data[0] = 1.0;
  EXPECT_FALSE(std::signbit(multiply(minus, plus).values[0]));
  EXPECT_FALSE(std::signbit(multiply_fill(multiply_compute(minus, plus), minus, plus).values[0]));
  // A row of B that is long enough to be copied as it is, scaled.
  auto wide = from_rows<double, std::int32_t>(1, 100, entries::integers, [](auto) { return consecutive(0, 100); });
  for (double& value : wide.values.data) value = 1.0;
  for (const isa set : supported_isas()) {
    const auto c = multiply(minus, wide, {.isa = set});
    for (std::int64_t k = 0; k < c.nnz(); ++k) EXPECT_FALSE(std::signbit(c.values[k])) << name_of(set) << ' ' << k;
  }
}

TEST(Spgemm, NewValuesFillTheOldPatternInPlace) {
  for (const auto& [spec, method] : matrices_of_methods) {
    auto a = random_matrix<double>(spec);
    const auto plan = multiply_compute(a, a);
    auto c = multiply_fill(plan, a, a);
    const double* before = c.values.data.data();
    for (double& value : a.values.data) value = 1 / value;
    multiply_fill(plan, a, a, c);
    EXPECT_EQ(c.values.data.data(), before) << spec;
    EXPECT_EQ(difference(c, summation::spgemm(a.view(), a.view())), "") << spec;
  }
}

TEST(Spgemm, AnotherPatternIsRefused) {
  const auto a = random_matrix<double>("@uniform:300,4");
  const auto plan = multiply_compute(a, a);
  auto other = a;
  const std::int64_t last = other.row_offsets[1] - 1;
  other.columns[last] = other.columns[last] + 1 == 300 ? other.columns[last] - 1 : other.columns[last] + 1;
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply_fill(plan, other, a)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply_fill(plan, a, other)); }), errc::invalid_argument);
}

TEST(Spgemm, PartsAreTheRowsOfTheWholeWithinTheLimit) {
  for (const char* spec : {"@density:2000,0.01", "@stencil27:20", "@uniform:60000,4"}) {
    const auto a = random_matrix<double>(spec);
    spgemm_report whole;
    const auto expected = multiply(a, a, {.threads = 2}, &whole);
    std::int64_t next = 0;
    std::vector<csr_matrix<double>> parts;
    spgemm_report report;
    const spgemm_options options{.threads = 2, .memory_limit = 40'000'000};
    multiply_in_slabs(
        a, a,
        [&](std::int64_t first_row, csr_matrix<double> slab) {
          EXPECT_EQ(first_row, next);
          next += slab.rows;
          parts.push_back(std::move(slab));
        },
        options, &report);
    EXPECT_EQ(next, a.rows) << spec;
    EXPECT_EQ(static_cast<std::size_t>(report.slabs), parts.size());
    EXPECT_LE(report.result_bytes + report.workspace_bytes, options.memory_limit) << spec;
    EXPECT_EQ(difference(vstack(parts), expected), "") << spec;
    EXPECT_EQ(report.products, whole.products);
    EXPECT_EQ(report.entries, expected.nnz());
  }
}

TEST(Spgemm, ALimitIsNeverPassed) {
  const auto a = random_matrix<double>("@density:3000,0.01");
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, a, {.threads = 2, .memory_limit = 30'000'000})); }),
            errc::out_of_memory);
  EXPECT_EQ(
      code_of([&] { multiply_in_slabs(a, a, [](std::int64_t, csr_matrix<double>) {}, {.memory_limit = 100'000}); }),
      errc::out_of_memory);
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, a, {.memory_limit = -1})); }), errc::invalid_argument);
}

TEST(Spgemm, TheReportAddsUp) {
  const auto a = random_matrix<double>("@powerlaw:4000,3,900");
  spgemm_report report;
  const auto c = multiply(a, a, {.threads = 2}, &report);
  spgemm_share all;
  for (const spgemm_share& share : report.methods) {
    all.rows += share.rows;
    all.products += share.products;
    all.entries += share.entries;
  }
  EXPECT_EQ(all.products, report.products);
  EXPECT_EQ(all.entries, c.nnz());
  EXPECT_EQ(report.entries, c.nnz());
  EXPECT_LE(all.rows, a.rows);
}

TEST(Spgemm, NothingTimesNothingIsNothing) {
  const auto no_columns = [](std::int64_t) { return std::vector<std::int64_t>{}; };
  const auto none = from_rows<double, std::int32_t>(0, 5, entries::reals, no_columns);
  const auto empty = from_rows<double, std::int32_t>(5, 0, entries::reals, no_columns);
  EXPECT_EQ(multiply(none, empty).rows, 0);
  const auto outer = multiply(empty, none);
  EXPECT_EQ(outer.rows, 5);
  EXPECT_EQ(outer.cols, 5);
  EXPECT_EQ(outer.nnz(), 0);
  EXPECT_EQ(multiply_fill(multiply_compute(empty, none), empty, none).nnz(), 0);
}

TEST(Spgemm, RefusesSizesThatDoNotFitAndRowsOutOfOrder) {
  const auto a =
      from_rows<double, std::int32_t>(4, 6, entries::reals, [](auto i) { return random_columns(i, 2, 6, 1); });
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, a)); }), errc::invalid_argument);
  const auto falling = from_rows<double, std::int32_t>(6, 4, entries::reals, [](auto i) {
    return i == 3 ? std::vector<std::int64_t>{2, 1} : std::vector<std::int64_t>{1, 2};
  });
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, falling)); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(falling, a)); }), errc::invalid_matrix);
}

/// Rows 0, 7, 14 ... of so many have one to three entries, the last row too when it is among them.
template <class Value> csr_matrix<Value> nearly_empty(std::int64_t rows, std::int64_t cols) {
  return from_rows<Value, std::int32_t>(rows, cols, entries::reals, [cols](auto i) {
    return i % 7 == 0 ? random_columns(i, 1 + i % 3, cols, 5) : std::vector<std::int64_t>{};
  });
}

TEST(Spgemm, NearlyEmptyOperandsHaveTheBitsOfTheDefinition) {
  const auto half_empty = from_rows<double, std::int32_t>(40, 60, entries::reals, [](auto i) {
    return i % 2 == 0 ? random_columns(i, 9, 60, 7) : std::vector<std::int64_t>{};
  });
  for (const std::int64_t rows : {1, 2, 8, 9, 15, 16, 17, 1000, 1001}) {
    auto a = nearly_empty<double>(rows, 40);
    EXPECT_EQ(difference(multiply(a, half_empty), summation::spgemm(a.view(), half_empty.view())), "") << rows;
    const auto square = nearly_empty<float>(rows, rows);
    expect_bits_of_every_launch(square, std::to_string(rows));
    a.values = values_array<double>::same(0.3);
    EXPECT_EQ(difference(multiply(a, half_empty), summation::spgemm(a.view(), half_empty.view())), "") << rows;
  }
  const auto nothing = from_rows<double, std::int32_t>(30, 40, entries::reals, [](auto) { return no_entries; });
  EXPECT_EQ(difference(multiply(nothing, half_empty), summation::spgemm(nothing.view(), half_empty.view())), "");
  expect_bits_of_every_launch(random_matrix<double>("@density:3000,1e-4"), "@density:3000,1e-4");
}

TEST(Spgemm, ANearlyEmptyOperandIsReportedWhole) {
  spgemm_report report;
  const auto a = nearly_empty<double>(5000, 5000);
  const auto c = multiply(a, a, {}, &report);
  EXPECT_EQ(report.entries, c.nnz());
  EXPECT_EQ(report.result_bytes, c.nnz() * 12 + 5001 * 8);
  EXPECT_GT(report.workspace_bytes, 5000 * 4);
  std::int64_t products = 0;
  for (const std::int32_t k : a.columns) products += a.row_offsets[k + 1] - a.row_offsets[k];
  EXPECT_EQ(report.products, products);
}

TEST(Spgemm, ANearlyEmptyOperandMustBeSortedToo) {
  const auto a = nearly_empty<double>(40, 40);
  const auto falling = [](std::int64_t bad) {
    return from_rows<double, std::int32_t>(40, 40, entries::reals, [bad](auto i) {
      if (i == bad) return std::vector<std::int64_t>{5, 3};
      return i % 10 == 0 ? std::vector<std::int64_t>{40 - 1 - i} : no_entries;
    });
  };
  for (const std::int64_t bad : {0, 11, 39}) {
    const auto b = falling(bad);
    EXPECT_EQ(code_of([&] { static_cast<void>(multiply(b, a)); }), errc::invalid_matrix) << bad;
    EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, b)); }), errc::invalid_matrix) << bad;
    EXPECT_EQ(code_of([&] { static_cast<void>(multiply(b, b)); }), errc::invalid_matrix) << bad;
  }
  const auto good = falling(-1);  // columns fall from row to row
  EXPECT_EQ(difference(multiply(good, a), summation::spgemm(good.view(), a.view())), "");
}

TEST(Spgemm, AnExceptionFromProgressEndsTheProduct) {
  const auto a = random_matrix<double>("@density:2000,0.01");
  spgemm_options options{.threads = 2};
  options.progress = [](std::string_view, double) { throw error(errc::io, "stop"); };
  EXPECT_EQ(code_of([&] { static_cast<void>(multiply(a, a, options)); }), errc::io);
}

}  // namespace
}  // namespace lacis::test
