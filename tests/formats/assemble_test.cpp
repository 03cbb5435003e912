// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Assembly from coordinates against a plain map, for every number of threads.
#include "formats/assemble.hpp"

#include <gtest/gtest.h>
#include <immintrin.h>
#include <limits>
#include <map>
#include <omp.h>
#include <vector>

#include <lacis/error.hpp>

#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

using detail::assemble;
using detail::gather_rows;
using detail::mirror;

template <value Value, index Index>
coo_matrix<Value, Index> random_entries(std::int64_t rows, std::int64_t cols, std::int64_t count, bool iso) {
  coo_matrix<Value, Index> a{rows, cols, buffer<Index>(count), buffer<Index>(count), values_array<Value>(count)};
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint64_t h = mix(static_cast<std::uint64_t>(k));
    a.row_indices[k] = static_cast<Index>(h % static_cast<std::uint64_t>(rows));
    a.columns[k] = static_cast<Index>((h >> 32) % static_cast<std::uint64_t>(cols));
    a.values.data[k] = entry_value<Value>(h, entries::reals);
  }
  if (iso) a.values = values_array<Value>::same(entry_value<Value>(3, entries::integers));
  return a;
}

/// Entries of each row in their order, images after their originals.
template <value Value, index Index>
csr_matrix<Value, Index> gathered_by_hand(const coo_matrix<Value, Index>& a, mirror image) {
  std::vector<std::vector<std::pair<Index, Value>>> rows(static_cast<std::size_t>(a.rows));
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    const Index i = a.row_indices[k];
    const Index j = a.columns[k];
    rows[static_cast<std::size_t>(i)].push_back({j, a.values[k]});
    if (image == mirror::none || i == j) continue;
    Value v = a.values[k];
    if (image == mirror::skew) v = -v;
    if constexpr (is_complex<Value>)
      if (image == mirror::hermitian) v = std::conj(v);
    rows[static_cast<std::size_t>(j)].push_back({i, v});
  }
  std::vector<std::int64_t> offsets{0};
  std::vector<Index> columns;
  std::vector<Value> values;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  return {a.rows, a.cols, buffer<std::int64_t>(std::span<const std::int64_t>(offsets)),
          buffer<Index>(std::span<const Index>(columns)),
          a.values.iso ? a.values : values_array<Value>(buffer<Value>(std::span<const Value>(values)))};
}

template <class Types> class Assembly : public testing::Test {};
struct double_narrow {
  using value_type = double;
  using index_type = std::int32_t;
};
struct complex_wide {
  using value_type = std::complex<float>;
  using index_type = std::int64_t;
};
using assembly_types = testing::Types<double_narrow, complex_wide>;
TYPED_TEST_SUITE(Assembly, assembly_types);

TYPED_TEST(Assembly, GathersRowsInOrderForAnyNumberOfThreads) {
  using V = typename TypeParam::value_type;
  using I = typename TypeParam::index_type;
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    for (const auto& [rows, count] :
         {std::pair{1, 40000}, {7, 3}, {100, 50000}, {70001, 200000}, {300000, 1000}, {5, 0}})
      for (const bool iso : {false, true})
        for (const mirror image : {mirror::none, mirror::symmetric, mirror::skew, mirror::hermitian}) {
          if (iso && image == mirror::skew) continue;
          const auto a = random_entries<V, I>(rows, rows, count, iso);
          EXPECT_EQ(difference(gather_rows(a.view(), image), gathered_by_hand(a, image)), "")
              << threads << " threads, " << rows << " rows, " << count << " entries";
        }
  }
}

TYPED_TEST(Assembly, MergesDuplicatesByEveryRule) {
  using V = typename TypeParam::value_type;
  using I = typename TypeParam::index_type;
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    for (const auto& [size, count] : {std::pair{30, 20000}, {3000, 100000}, {1, 100}})
      for (const duplicates rule : {duplicates::sum, duplicates::keep_first, duplicates::keep_last}) {
        const auto a = random_entries<V, I>(size, size + 5, count, false);
        std::map<std::pair<I, I>, V> model;
        for (std::int64_t k = 0; k < a.nnz(); ++k) {
          const auto [found, is_new] = model.insert({{a.row_indices[k], a.columns[k]}, a.values[k]});
          if (is_new) continue;
          if (rule == duplicates::sum) found->second += a.values[k];
          if (rule == duplicates::keep_last) found->second = a.values[k];
        }
        std::int64_t merged = 0;
        const auto result = assemble(a.view(), mirror::none, rule, &merged);
        EXPECT_EQ(result.nnz(), static_cast<std::int64_t>(model.size()));
        EXPECT_EQ(merged, count - result.nnz());
        auto expected = model.begin();
        for (std::int64_t i = 0; i < result.rows; ++i)
          for (std::int64_t k = result.row_offsets[i]; k < result.row_offsets[i + 1]; ++k, ++expected) {
            ASSERT_EQ(expected->first, (std::pair{static_cast<I>(i), result.columns[k]}));
            ASSERT_EQ(expected->second, result.values[k]);
          }
      }
  }
}

TEST(AssemblyRules, KeepsAPatternIsoUnlessDuplicatesAreSummed) {
  const auto a = random_entries<double, std::int32_t>(10, 10, 500, true);
  EXPECT_TRUE(assemble(a.view(), mirror::none, duplicates::keep_first).values.iso);
  const auto summed = assemble(a.view(), mirror::none, duplicates::sum);
  EXPECT_FALSE(summed.values.iso);
  double total = 0;
  for (const double v : summed.values.data) total += v;
  EXPECT_EQ(total, 500 * a.values[0]);
}

TEST(AssemblyRules, SumsSubnormalsWhateverModeTheCallerIsIn) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const coo_matrix<double> a{1, 1, buffer<std::int32_t>(3, 0), buffer<std::int32_t>(3, 0),
                             values_array<double>(buffer<double>(3, tiny))};
  const unsigned modes = _mm_getcsr();
  _mm_setcsr(modes | 0x8040);  // flush to zero, denormals are zero
  const auto summed = assemble(a.view(), mirror::none, duplicates::sum);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(modes);
  EXPECT_EQ(summed.values[0], 3 * tiny);
  EXPECT_EQ(after & 0x8040, 0x8040u);
}

TEST(AssemblyRules, NamesTheFirstEntryOutsideTheMatrix) {
  omp_set_num_threads(3);
  auto a = random_entries<double, std::int32_t>(1000, 1000, 100000, false);
  a.columns[70000] = 1000;
  a.row_indices[90000] = -1;
  try {
    (void)gather_rows(a.view());
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "entry 70000 is in column 1000 of a matrix with 1000 columns");
  }
}

TEST(AssemblyRules, RejectsDuplicatesWithTheirPlace) {
  coo_matrix<float> a{4, 4, buffer<std::int32_t>(3, 2), buffer<std::int32_t>(3, 1),
                      values_array<float>(buffer<float>(3, 1.f))};
  a.columns[0] = 3;
  try {
    (void)assemble(a.view(), mirror::none, duplicates::reject);
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "row 2 has column 1 more than once; sum or drop duplicates first");
  }
}

}  // namespace
}  // namespace lacis::test
