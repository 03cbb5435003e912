// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Other types of values and indices.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <value To, value From> model<To> cast_model(const model<From>& m) {
  model<To> result{m.rows, m.cols, {}, {}};
  const auto cast = [](From v) {
    if constexpr (is_complex<From> && !is_complex<To>)
      return static_cast<To>(v.real());
    else
      return static_cast<To>(v);
  };
  for (const auto& [place, values] : m.places) result.places[place] = {cast(values[0])};
  if (m.iso) result.iso = cast(*m.iso);
  return result;
}

template <value To, value From> void check_cast() {
  for (const auto& [name, a, places] : structure_test_matrices<csr_matrix<From>>()) {
    const auto expected = with_plain_nans(matrix_of<csr_matrix<To>>(cast_model<To>(places)));
    for_each_thread_count([&] { EXPECT_EQ(difference(with_plain_nans(cast_values<To>(a)), expected), "") << name; });
  }
}

TEST(CastValues, RoundsEachToNearest) {
  check_cast<float, double>();
  check_cast<double, float>();
  check_cast<std::complex<float>, std::complex<double>>();
  check_cast<std::complex<double>, float>();
  check_cast<double, double>();
}

TEST(CastValues, ComesBackFromComplexUnchanged) {
  for (const auto& [name, a, places] : structure_test_matrices<csr_matrix<float, std::int64_t>>())
    EXPECT_EQ(difference(cast_values<float>(cast_values<std::complex<double>>(a)), a), "") << name;
}

TEST(CastValues, RefusesTheFirstImaginaryPartWhateverTheThreads) {
  using C = std::complex<double>;
  auto a = cast_values<C>(from_rows<double, std::int32_t>(20000, 50, entries::integers,
                                                          [](auto i) { return std::vector<std::int64_t>{i % 50}; }));
  a.values.data[3] = C(1, -0.0);
  a.values.data[12345] = C(1, 0.5);
  a.values.data[19999] = C(1, 7);
  for_each_thread_count([&] {
    EXPECT_ERROR(cast_values<float>(a), errc::invalid_argument,
                 "the entry in row 12345, column 45 has the imaginary part 0.5; a real matrix cannot hold it");
  });
  a.values.data[12345] = a.values.data[19999] = C(2, 0);
  EXPECT_EQ(cast_values<float>(a).values.data[12345], 2.0f);
  a.values.data[5] = C(1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(thrown_by([&] { static_cast<void>(cast_values<double>(a)); }).first, errc::invalid_argument);
}

TEST(CastValues, LooksAtTheValueOfAnIsoMatrixOnlyWhenItHasEntries) {
  using C = std::complex<float>;
  auto a = from_rows<C, std::int32_t>(3, 3, entries::integers, [](auto i) { return std::vector{i}; }, true);
  EXPECT_EQ(thrown_by([&] { static_cast<void>(cast_values<float>(a)); }).first, errc::invalid_argument);
  EXPECT_TRUE(cast_values<float>(tril(a, -1)).values.iso);
}

template <class Matrix> class CastIndices : public testing::Test {};
TYPED_TEST_SUITE(CastIndices, structure_types);

TYPED_TEST(CastIndices, KeepsEverythingElse) {
  using V = typename TypeParam::value_type;
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    const auto narrow = matrix_of<csr_matrix<V, std::int32_t>>(places);
    const auto wide = matrix_of<csr_matrix<V, std::int64_t>>(places);
    for_each_thread_count([&] {
      EXPECT_EQ(difference(cast_indices<std::int32_t>(a), narrow), "") << name;
      EXPECT_EQ(difference(cast_indices<std::int64_t>(a), wide), "") << name;
    });
  }
}

TEST(CastIndicesLimits, RefusesMatricesThatAreTooWide) {
  csr_matrix<double, std::int64_t> a;
  a.cols = std::int64_t{1} << 31;
  EXPECT_ERROR(cast_indices<std::int32_t>(a), errc::overflow,
               "2147483648 columns do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
  --a.cols;
  EXPECT_EQ(cast_indices<std::int32_t>(a).cols, 2147483647);
}

}  // namespace
}  // namespace lacis::test
