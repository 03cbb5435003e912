// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices with one array too short or one index out of range, in every format: validate, products and inspection say
// error(invalid_matrix) and read nothing outside of what they were given.
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>
#include <lacis/sddmm.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/triangular.hpp>
#include <lacis/validate.hpp>

#include "cpu/spmv/kernels.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

using index = std::int32_t;

/// The code of what `work` throws; nothing when it returns.
template <class Work> std::optional<errc> refusal(Work&& work) {
  try {
    work();
  } catch (const error& problem) {
    return problem.code();
  }
  return std::nullopt;
}

std::vector<multiply_options> ways() {
  std::vector<multiply_options> all;
  for (const isa set : {isa::scalar, isa::avx2, isa::avx512})
    for (const int threads : {1, 3})
      if (cpu::is_supported(set)) all.push_back({.threads = threads, .isa = set});
  return all;
}

/// Memory of exactly the size it needs, so that AddressSanitizer sees what lies outside.
template <class Format>
void multiply_with(const Format& a, std::int64_t rows, std::int64_t cols, bool dense, const multiply_options& how) {
  constexpr std::int64_t columns = 3;
  const std::vector<double> x(static_cast<std::size_t>(cols * (dense ? columns : 1)), 1.0);
  std::vector<double> y(static_cast<std::size_t>(rows * (dense ? columns : 1)));
  if (dense)
    multiply(a, row_major(std::span<const double>(x), cols, columns), row_major(std::span<double>(y), rows, columns),
             how);
  else
    multiply(a, x, y, how);
}

/// `sees_all`: products notice it too; validate always does.
template <class Format> void expect_refused(const Format& a, const std::string& what, bool sees_all = true) {
  SCOPED_TRACE(what);
  EXPECT_TRUE(validate(a)) << what;
  EXPECT_EQ(refusal([&] { static_cast<void>(multiply_inspect(a)); }), errc::invalid_matrix) << what;
  for (const auto& how : ways())
    for (const bool dense : {false, true}) {
      const auto found = refusal([&] { multiply_with(a, a.rows, a.cols, dense, how); });
      if (sees_all || found) {
        EXPECT_EQ(found, errc::invalid_matrix)
            << what << (dense ? ", columns, " : ", vector, ") << name_of(*how.isa) << ", " << how.threads << " threads";
      }
    }
}

/// One array of a matrix, and what it may not hold.
template <class Format, class Element> struct array_of {
  std::string name;
  buffer<Element> Format::* member;
  std::vector<Element> outside;
};

template <class Element> buffer<Element> shortened(const buffer<Element>& all, std::int64_t size) {
  return buffer<Element>(std::span<const Element>(all.data(), static_cast<std::size_t>(size)));
}

template <class Format, class Element>
void break_array(
    const Format& whole, const array_of<Format, Element>& array,
    const std::function<bool(std::int64_t)>& is_read = [](std::int64_t) { return true; }) {
  const auto& old = whole.*array.member;
  for (const std::int64_t size : {std::int64_t{0}, old.size() - 1}) {
    Format a = whole;
    a.*array.member = shortened(old, size);
    expect_refused(a, array.name + " with " + std::to_string(size) + " elements");
  }
  for (std::int64_t k = 0; k < old.size(); ++k)
    for (const Element value : array.outside) {
      Format a = whole;
      (a.*array.member)[k] = value;
      expect_refused(a, array.name + "[" + std::to_string(k) + "] = " + std::to_string(value), is_read(k));
    }
}

/// The values have one slot less, or none.
template <class Format> void break_values(const Format& whole) {
  for (const std::int64_t size : {std::int64_t{0}, whole.values.data.size() - 1}) {
    Format a = whole;
    a.values.data = shortened(whole.values.data, size);
    expect_refused(a, "values with " + std::to_string(size) + " elements");
  }
  Format a = whole;
  a.values.iso = true;
  expect_refused(a, "many values of an iso matrix");
}

/// The sizes are others than those of the arrays.
template <class Format> void break_shape(const Format& whole) {
  Format a = whole;
  a.rows += 100;
  expect_refused(a, "more rows than there are");
  a = whole;
  a.rows = 3;
  expect_refused(a, "fewer rows than there are");
  a = whole;
  a.cols = 0;
  expect_refused(a, "no columns");
  a = whole;
  a.rows = -1;
  EXPECT_TRUE(validate(a));
}

constexpr std::int64_t rows = 19;
constexpr std::int64_t cols = 23;
constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t very_far = std::numeric_limits<std::int64_t>::max();

/// An empty row, short ones and a long one, of columns up to the last.
csr_matrix<double> sample() {
  return from_rows<double, index>(rows, cols, entries::integers, [](std::int64_t i) {
    if (i == 3) return std::vector<std::int64_t>{};
    if (i == 7) return consecutive(0, cols);
    auto columns = random_columns(i, 2 + i % 5, cols, 1);
    return columns;
  });
}
template <class Format> Format sample_in() {
  return convert<Format>(sample(), {.slice_height = 4, .sort_window = 8, .block_size = 3});
}

std::vector<std::int64_t> bad_offsets() { return {-1, very_far, std::numeric_limits<std::int64_t>::min()}; }

TEST(BrokenMatrices, AreRefusedInCsr) {
  using format = csr_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_shape(whole);
  break_values(whole);
  break_array<format, std::int64_t>(whole, {"row_offsets", &format::row_offsets, bad_offsets()});
  break_array<format, index>(whole, {"columns", &format::columns, {-1, cols, far}});
}

TEST(BrokenMatrices, AreRefusedInCsc) {
  using format = csc_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  break_array<format, std::int64_t>(whole, {"column_offsets", &format::column_offsets, bad_offsets()});
  break_array<format, index>(whole, {"row_indices", &format::row_indices, {-1, rows, far}});
}

TEST(BrokenMatrices, AreRefusedInCoo) {
  using format = coo_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  break_array<format, index>(whole, {"row_indices", &format::row_indices, {-1, rows, far}});
  break_array<format, index>(whole, {"columns", &format::columns, {-1, cols, far}});
}

TEST(BrokenMatrices, AreRefusedInEll) {
  using format = ell_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_shape(whole);
  break_values(whole);
  const auto is_entry = [&](std::int64_t slot) { return slot / rows < whole.row_lengths[slot % rows]; };
  break_array<format, index>(whole,
                             {"row_lengths", &format::row_lengths, {-1, static_cast<index>(whole.width + 1), far}});
  break_array<format, index>(whole, {"columns", &format::columns, {-1, cols, far}}, is_entry);
}

TEST(BrokenMatrices, AreRefusedInHyb) {
  using format = hyb_matrix<double, index>;
  const auto whole = sample_in<format>();
  ASSERT_GT(whole.coo.nnz(), 1);
  const auto with = [&](const std::string& what, auto&& change, bool sees_all = true) {
    format a = whole;
    change(a);
    expect_refused(a, what, sees_all);
  };
  for (const index outside : {-1, static_cast<int>(rows), far})
    for (std::int64_t k = 0; k < whole.coo.nnz(); ++k)
      with("coo.row_indices", [&](format& a) { a.coo.row_indices[k] = outside; });
  for (const index outside : {-1, static_cast<int>(cols), far}) {
    for (std::int64_t k = 0; k < whole.coo.nnz(); ++k)
      with("coo.columns", [&](format& a) { a.coo.columns[k] = outside; });
    for (std::int64_t k = 0; k < whole.ell.columns.size(); ++k)
      with("ell.columns", [&](format& a) { a.ell.columns[k] = outside; }, k / rows < whole.ell.row_lengths[k % rows]);
  }
  for (const index length : {-1, static_cast<int>(whole.ell.width + 1), far})
    for (std::int64_t i = 0; i < rows; ++i) with("ell.row_lengths", [&](format& a) { a.ell.row_lengths[i] = length; });
  with("a row that goes on before it is full", [&](format& a) { a.ell.row_lengths[whole.coo.row_indices[0]] -= 1; });
  with("no ell.columns", [](format& a) { a.ell.columns = {}; });
  with("no ell.row_lengths", [](format& a) { a.ell.row_lengths = {}; });
  with("no coo.row_indices", [](format& a) { a.coo.row_indices = {}; });
  with("no coo.columns", [](format& a) { a.coo.columns = {}; });
  with("no coo.values", [](format& a) { a.coo.values.data = {}; });
  with("no ell.values", [](format& a) { a.ell.values.data = {}; });
}

TEST(BrokenMatrices, AreRefusedInJds) {
  using format = jds_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  break_array<format, std::int64_t>(whole, {"diagonal_offsets", &format::diagonal_offsets, bad_offsets()});
  break_array<format, index>(whole, {"permutation", &format::permutation, {-1, rows, far}});
  break_array<format, index>(whole, {"columns", &format::columns, {-1, cols, far}});
}

TEST(BrokenMatrices, AreRefusedInSell) {
  using format = sell_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  std::vector<bool> is_entry(static_cast<std::size_t>(whole.columns.size()));
  for (std::int64_t p = 0; p < rows; ++p)
    for (std::int64_t s = 0; s < whole.row_lengths[p]; ++s)
      is_entry[static_cast<std::size_t>(whole.slice_offsets[p / 4] + 4 * s + p % 4)] = true;
  break_array<format, std::int64_t>(whole, {"slice_offsets", &format::slice_offsets, bad_offsets()});
  break_array<format, index>(whole, {"permutation", &format::permutation, {-1, rows, far}});
  break_array<format, index>(whole, {"row_lengths", &format::row_lengths, {-1, cols + 1, far}});
  break_array<format, index>(whole, {"columns", &format::columns, {-1, cols, far}},
                             [&](std::int64_t k) { return is_entry[static_cast<std::size_t>(k)]; });
  format a = whole;
  a.slice_height = 0;
  expect_refused(a, "slices of no rows");
}

TEST(BrokenMatrices, AreRefusedInBsr) {
  using format = bsr_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  break_array<format, std::int64_t>(whole, {"row_offsets", &format::row_offsets, bad_offsets()});
  break_array<format, index>(whole, {"block_columns", &format::block_columns, {-1, 8, far}});
  break_array<format, std::uint8_t>(whole, {"mask", &format::mask, {}});
  for (const std::int64_t size : {0, 65, 4}) {
    format a = whole;
    a.block_size = size;
    expect_refused(a, "a block size of " + std::to_string(size));
  }
  for (std::int64_t block = 0; block < whole.block_columns.size(); ++block) {
    format a = whole;  // 23 columns in blocks of 3: the last column of the last block is outside
    if (a.block_columns[block] != 7) continue;
    a.mask[block * 2] |= 4;
    expect_refused(a, "a bit outside the matrix");
  }
}

TEST(BrokenMatrices, AreRefusedInDia) {
  using format = dia_matrix<double, index>;
  const auto whole = sample_in<format>();
  break_values(whole);
  break_array<format, std::int64_t>(
      whole, {"diagonals", &format::diagonals, {-rows, cols, very_far, std::numeric_limits<std::int64_t>::min() + 1}});
  break_array<format, std::uint64_t>(whole, {"mask", &format::mask, {~std::uint64_t{0}}});
}

TEST(BrokenMatrices, AreRefusedWhereRowsAreCutBetweenThreads) {
  constexpr std::int64_t wide = 40'000;
  const auto whole = from_rows<double, index>(3, wide, entries::integers, [](std::int64_t i) {
    return i == 1 ? consecutive(0, wide) : std::vector<std::int64_t>{i};
  });
  for (const std::int64_t k : {std::int64_t{1}, wide / 3, wide / 2, wide - 1, wide, wide + 1})
    for (const index outside : {-1, static_cast<int>(wide), far}) {
      auto a = whole;
      a.columns[k] = outside;
      expect_refused(a, "csr, entry " + std::to_string(k));
      auto b = convert<coo_matrix<double, index>>(whole);
      b.columns[k] = outside;
      expect_refused(b, "coo, entry " + std::to_string(k));
      b = convert<coo_matrix<double, index>>(whole);
      b.row_indices[k] = outside == wide ? 3 : outside;
      expect_refused(b, "coo, row of entry " + std::to_string(k));
    }
}

TEST(BrokenMatrices, AreRefusedByOperationsOnRows) {
  const auto whole =
      from_rows<double, index>(50, 50, entries::integers, [](std::int64_t i) { return consecutive(0, i + 1); });
  const std::vector<double> dense(50 * 2, 1.0);
  const auto x = row_major(std::span<const double>(dense), 50, 2);
  const auto y = row_major(std::span<const double>(dense), 2, 50);
  const auto check = [&](const csr_matrix<double>& a, const std::string& what) {
    const auto expect = [&](const char* operation, auto&& work) {
      EXPECT_EQ(refusal(work), errc::invalid_matrix) << operation << ": " << what;
    };
    expect("A B", [&] { static_cast<void>(multiply(a, whole)); });
    expect("B A", [&] { static_cast<void>(multiply(whole, a)); });
    expect("A A", [&] { static_cast<void>(multiply(a, a)); });
    expect("masked", [&] { static_cast<void>(multiply_masked(whole, whole, a)); });
    expect("sddmm", [&] { static_cast<void>(sddmm(a, x, y)); });
    expect("triangular", [&] { static_cast<void>(triangular_inspect(a)); });
  };
  for (const std::int64_t k : {std::int64_t{0}, std::int64_t{700}, whole.nnz() - 1})
    for (const index outside : {-1, 50, far}) {
      auto a = whole;
      a.columns[k] = outside;
      check(a, "columns[" + std::to_string(k) + "] = " + std::to_string(outside));
    }
  for (const std::int64_t offset : {std::int64_t{-1}, very_far}) {
    auto a = whole;
    a.row_offsets[20] = offset;
    check(a, "an offset");
  }
  auto a = whole;
  a.row_offsets = shortened(whole.row_offsets, 20);
  check(a, "short offsets");
  a = whole;
  a.columns = shortened(whole.columns, 20);
  check(a, "short columns");
}

TEST(BrokenMatrices, AreNotReadWhenAlphaIsZero) {
  auto a = sample();
  a.columns[3] = far;
  const std::vector<double> x(cols);
  std::vector<double> y(rows, 2.0);
  multiply(0.0, a, x, 3.0, y);
  EXPECT_EQ(y, std::vector<double>(rows, 6.0));
}

}  // namespace
}  // namespace lacis::test
