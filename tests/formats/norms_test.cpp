// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Norms, with sums in the canonical order.
#include <omp.h>

#include <lacis/structure.hpp>

#include "formats/model.hpp"
#include "summation/sum.hpp"
#include "summation/vector.hpp"

namespace lacis::test {
namespace {

template <class Real> Real larger(Real a, Real b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }

/// NaN equals NaN; everything else by bits.
template <class Real> bool same(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) ||
         same_bits<Real>(std::span<const Real>(&a, 1), std::span<const Real>(&b, 1));
}

/// The values of each row, or of each column, in ascending order of the other index.
template <value Value> std::vector<std::vector<Value>> lines_of(const model<Value>& m, bool by_rows) {
  std::vector<std::vector<Value>> lines(static_cast<std::size_t>(by_rows ? m.rows : m.cols));
  for (const auto& [place, values] : m.places)
    lines[static_cast<std::size_t>(by_rows ? place.first : place.second)].push_back(values[0]);
  return lines;
}

template <value Value> real_of<Value> largest_sum(const std::vector<std::vector<Value>>& lines) {
  real_of<Value> most = 0;
  for (const auto& line : lines)
    most =
        larger(most, summation::sum_terms<real_of<Value>>(static_cast<std::int64_t>(line.size()), [&](std::int64_t k) {
                 return summation::magnitude(line[static_cast<std::size_t>(k)]);
               }));
  return most;
}

template <class Matrix> class Norms : public testing::Test {};
TYPED_TEST_SUITE(Norms, structure_types);

TYPED_TEST(Norms, AreSumsInTheCanonicalOrderForAnyNumberOfThreads) {
  using V = typename TypeParam::value_type;
  using real = real_of<V>;
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    SCOPED_TRACE(name);
    const real one = largest_sum(lines_of(places, false));
    const real infinity = largest_sum(lines_of(places, true));
    std::vector<V> all;
    real most = 0;
    for (const auto& [place, values] : places.places) {
      all.push_back(values[0]);
      most = larger(most, summation::magnitude(values[0]));
    }
    omp_set_num_threads(1);
    const real frobenius = summation::norm<V>(all);
    for_each_thread_count([&] {
      EXPECT_TRUE(same(norm_one(a), one));
      EXPECT_TRUE(same(norm_infinity(a), infinity));
      EXPECT_TRUE(same(norm_frobenius(a), frobenius));
      EXPECT_TRUE(same(norm_max(a), most));
    });
  }
}

TYPED_TEST(Norms, OfASmallMatrixAreKnown) {
  using V = typename TypeParam::value_type;
  auto a =
      from_rows<V, typename TypeParam::index_type>(2, 3, entries::integers, [](auto i) { return consecutive(i, 3); });
  const real_of<V> values[] = {-2, 4, -4, 1, 8};  // -2 4 -4 / . 1 8
  for (std::int64_t k = 0; k < 5; ++k) a.values.data[k] = V(values[k]);
  EXPECT_EQ(norm_one(a), 12);
  EXPECT_EQ(norm_infinity(a), 10);
  EXPECT_EQ(norm_max(a), 8);
  EXPECT_EQ(norm_frobenius(a), std::sqrt(real_of<V>(101)));
  EXPECT_EQ(norm_one(TypeParam{}), 0);
  EXPECT_EQ(norm_frobenius(TypeParam{}), 0);
}

TYPED_TEST(Norms, AreNaNWhenAnEntryIs) {
  using V = typename TypeParam::value_type;
  auto a = from_rows<V, typename TypeParam::index_type>(20000, 20000, entries::integers,
                                                        [](auto i) { return std::vector{i}; });
  a.values.data[7] = V(std::numeric_limits<real_of<V>>::quiet_NaN());
  for_each_thread_count([&] {
    EXPECT_TRUE(std::isnan(norm_one(a)));
    EXPECT_TRUE(std::isnan(norm_infinity(a)));
    EXPECT_TRUE(std::isnan(norm_frobenius(a)));
    EXPECT_TRUE(std::isnan(norm_max(a)));
  });
}

TYPED_TEST(Norms, RefuseDuplicates) {
  const auto a = from_rows<typename TypeParam::value_type, typename TypeParam::index_type>(
      1, 4, entries::integers, [](auto) { return std::vector<std::int64_t>{3, 3}; });
  const std::string complaint =
      " needs strictly ascending columns, but row 0 has column 3 after column 3; call canonical() first";
  EXPECT_ERROR(norm_one(a), errc::invalid_matrix, "norm_one" + complaint);
  EXPECT_ERROR(norm_infinity(a), errc::invalid_matrix, "norm_infinity" + complaint);
  EXPECT_ERROR(norm_frobenius(a), errc::invalid_matrix, "norm_frobenius" + complaint);
  EXPECT_ERROR(norm_max(a), errc::invalid_matrix, "norm_max" + complaint);
}

}  // namespace
}  // namespace lacis::test
