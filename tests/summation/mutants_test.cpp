// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The oracle tells orders apart: deliberately wrong sums differ in bits somewhere on the test matrices, for every type.
#include <functional>
#include <gtest/gtest.h>
#include <iostream>

#include "summation/orders.hpp"
#include "summation/reference.hpp"
#include "summation/sum.hpp"

namespace lacis::test {
namespace {

using summation::order;

/// One vector is not enough: few rows of the test matrices have several chunks, and a sum in another order often rounds
/// to the same bits. So matrices with such rows meet more vectors.
std::uint64_t vectors_for(std::int64_t longest_row) { return longest_row > 1024 ? 40 : 2; }

/// A row as the mutants see it: where it starts in the matrix, its values, and the elements of x that they meet.
template <class T> struct row {
  std::int64_t offset;
  std::vector<T> values;
  std::vector<T> x;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
  [[nodiscard]] T product(std::int64_t k) const {
    return summation::multiply(values[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(k)]);
  }
  [[nodiscard]] T sum_in(const order& o) const {
    return summation::sum_products<T, T>(
        size(), [&](std::int64_t k) { return values[static_cast<std::size_t>(k)]; },
        [&](std::int64_t k) { return x[static_cast<std::size_t>(k)]; }, o);
  }
};

template <class T> T left_to_right(const std::vector<T>& parts) {
  T sum{};
  for (const T& part : parts) sum = summation::add(sum, part);
  return sum;
}

/// A long row with the join of lanes and the join of chunks replaced.
template <class T, class JoinLanes, class JoinChunks>
T long_row(const row<T>& r, std::int64_t first_chunk, JoinLanes join_lanes, JoinChunks join_chunks) {
  if (r.size() <= 32) return r.sum_in(summation::canonical);
  std::vector<T> chunks;
  for (std::int64_t begin = 0, end = 0; begin < r.size(); begin = end) {
    end = std::min(r.size(), begin == 0 ? first_chunk : begin + 1024);
    std::vector<T> lanes(32, T{});
    for (std::int64_t k = begin; k < end; ++k) {
      T& lane = lanes[static_cast<std::size_t>((k - begin) % 32)];
      lane = summation::add(lane, r.product(k));
    }
    chunks.push_back(join_lanes(lanes, end - begin));
  }
  return join_chunks(chunks);
}

template <class T> T halved(std::vector<T> lanes, std::int64_t) {
  return summation::join_by_halving(std::span<T>(lanes));
}
template <class T> T neighbours(const std::vector<T>& chunks) { return summation::neighbour_tree<T>(chunks); }

/// Pads to a power of two and halves: node k meets k + half instead of its neighbour.
template <class T> T chunks_halved(std::vector<T> chunks) {
  chunks.resize(std::bit_ceil(chunks.size()), T{});
  return summation::join_by_halving(std::span<T>(chunks));
}

template <class T> struct mutant {
  std::string name;
  std::function<T(const row<T>&)> sum;
};

template <class T> std::vector<mutant<T>> mutants() {
  const auto in = [](order o) { return [=](const row<T>& r) { return r.sum_in(o); }; };
  return {
      {"plain loop", in(summation::serial)},
      {"fused products", in({32, 32, 1024, true})},
      {"fused plain loop", in(summation::serial_fused)},
      {"warp for short rows too", in({0, 32, 1024, false})},
      {"one warp, no chunks", in(summation::warp_per_row)},
      {"16 lanes", in({32, 16, 1024, false})},
      {"64 lanes", in({32, 64, 1024, false})},
      {"short up to 31", in({31, 32, 1024, false})},
      {"short up to 33", in({33, 32, 1024, false})},
      {"chunks of 1023", in({32, 32, 1023, false})},
      {"chunks of 2048", in({32, 32, 2048, false})},
      {"chunks joined left to right", [](const row<T>& r) { return long_row(r, 1024, halved<T>, left_to_right<T>); }},
      {"chunks joined by halving", [](const row<T>& r) { return long_row(r, 1024, halved<T>, chunks_halved<T>); }},
      {"lanes joined as neighbours",
       [](const row<T>& r) {
         return long_row(r, 1024, [](const auto& lanes, auto) { return neighbours(lanes); }, neighbours<T>);
       }},
      {"lanes joined left to right",
       [](const row<T>& r) {
         return long_row(r, 1024, [](const auto& lanes, auto) { return left_to_right(lanes); }, neighbours<T>);
       }},
      {"padding skipped: a last chunk of few entries joined left to right",
       [](const row<T>& r) {
         return long_row(
             r, 1024,
             [](const auto& lanes, std::int64_t entries) {
               return entries < 32 ? left_to_right(lanes) : halved(lanes, entries);
             },
             neighbours<T>);
       }},
      {"a dropped lane",
       [](const row<T>& r) {
         return long_row(
             r, 1024,
             [](auto lanes, std::int64_t entries) {
               lanes[31] = T{};
               return halved(lanes, entries);
             },
             neighbours<T>);
       }},
      {"chunks counted from the start of the matrix",
       [](const row<T>& r) { return long_row(r, 1024 - r.offset % 1024, halved<T>, neighbours<T>); }},
  };
}

template <class T> std::vector<row<T>> rows_of_the_test_matrices() {
  std::vector<row<T>> rows;
  for (const auto& [name, matrix] : test_matrices<T>(entries::reals)) {
    if (name == "zeros, subnormals, Inf and NaN") continue;
    std::int64_t longest = 0;
    for (std::int64_t i = 0; i < matrix.rows; ++i)
      longest = std::max(longest, matrix.row_offsets[i + 1] - matrix.row_offsets[i]);
    for (std::uint64_t salt = 1; salt <= vectors_for(longest); ++salt) {
      const auto x = full_numbers<T>(matrix.cols, salt);
      for (std::int64_t i = 0; i < matrix.rows; ++i) {
        row<T> r{matrix.row_offsets[i], {}, {}};
        for (std::int64_t k = matrix.row_offsets[i]; k < matrix.row_offsets[i + 1]; ++k) {
          r.values.push_back(matrix.values[k]);
          r.x.push_back(x[static_cast<std::size_t>(matrix.columns[k])]);
        }
        rows.push_back(std::move(r));
      }
    }
  }
  return rows;
}

template <class T> class Mutants : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Mutants, Types);

TYPED_TEST(Mutants, AreAllToldFromTheCanonicalOrder) {
  const auto rows = rows_of_the_test_matrices<TypeParam>();
  const auto restated = [](const row<TypeParam>& r) {
    return long_row(r, 1024, halved<TypeParam>, neighbours<TypeParam>);
  };
  for (const auto& r : rows) ASSERT_EQ(restated(r), r.sum_in(summation::canonical));  // the mutants' own frame is right
  std::cout << "sums that differ from the canonical bits, of " << rows.size() << ":\n";
  for (const auto& [name, sum] : mutants<TypeParam>()) {
    const auto differing = std::count_if(rows.begin(), rows.end(),
                                         [&](const auto& r) { return sum(r) != r.sum_in(summation::canonical); });
    std::cout << "  " << differing << "  " << name << '\n';
    EXPECT_GT(differing, 0) << name;
  }
}

TEST(Mutants, ThatSkipExplicitZerosMoveTheEntriesBehindThemToOtherLanes) {
  auto values = full_numbers<double>(200);
  values[3] = values[77] = 0;
  std::vector<double> nonzero;
  for (const double v : values)
    if (v != 0) nonzero.push_back(v);
  const auto sum = [](const std::vector<double>& terms) {
    return summation::sum_terms<double>(static_cast<std::int64_t>(terms.size()),
                                        [&](std::int64_t k) { return terms[static_cast<std::size_t>(k)]; });
  };
  EXPECT_NE(sum(values), sum(nonzero));
}

TEST(Mutants, ThatMultiplyTheSumByTheIsoValueDiffer) {
  const auto x = full_numbers<double>(500);
  const std::vector<double> one{1.0 / 3.0};
  std::vector<std::int32_t> columns;
  for (std::int32_t j = 0; j < 500; ++j) columns.push_back(j);
  const double right = summation::row_sum<double, std::int32_t, double>(values_view<double>(one, true), columns, x);
  const double wrong =
      one[0] * summation::sum_terms<double>(500, [&](std::int64_t k) { return x[static_cast<std::size_t>(k)]; });
  EXPECT_NE(right, wrong);
}

}  // namespace
}  // namespace lacis::test
