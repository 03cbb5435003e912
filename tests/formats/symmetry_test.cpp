// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Symmetry, made and found.
#include <lacis/structure.hpp>

#include "formats/model.hpp"
#include "formats/partners.hpp"

namespace lacis::test {
namespace {

template <class Matrix> class Symmetry : public testing::Test {};
TYPED_TEST_SUITE(Symmetry, structure_types);

template <class Real> Real half(Real a) { return a / 2; }
template <class Real> std::complex<Real> half(std::complex<Real> a) { return {a.real() / 2, a.imag() / 2}; }

/// A + A^T place by place; iso when every value has the same bits and A is iso.
template <value Value> std::optional<model<Value>> symmetrised(const model<Value>& m, symmetry_rule rule) {
  if (m.rows != m.cols) return std::nullopt;
  auto result = without_places(m, m.rows, m.cols);
  for (const auto& [place, values] : m.places) {
    const std::pair mirrored{place.second, place.first};
    const auto other = m.places.find(mirrored);
    Value sum = other == m.places.end() ? values[0] : values[0] + other->second[0];
    if (rule == symmetry_rule::average) sum = half(sum);
    if (rule == symmetry_rule::pattern) sum = Value(1);
    result.places[place] = result.places[mirrored] = {sum};
  }
  if (rule == symmetry_rule::pattern) result.iso = Value(1);
  if (rule != symmetry_rule::pattern && m.iso) {
    result.iso.reset();
    const auto differs = [&](const auto& entry) { return entry.second != result.places.begin()->second; };
    if (result.places.empty())
      result.iso = rule == symmetry_rule::sum ? *m.iso + *m.iso : *m.iso;
    else if (std::none_of(result.places.begin(), result.places.end(), differs))
      result.iso = result.places.begin()->second[0];
  }
  return result;
}

TYPED_TEST(Symmetry, AddsTheTranspose) {
  check_on_test_matrices<TypeParam>([](const auto& a) { return a.rows == a.cols ? symmetrise(a) : a; },
                                    [](const auto& m) { return symmetrised(m, symmetry_rule::sum); });
}

TYPED_TEST(Symmetry, JoinsPatterns) {
  check_on_test_matrices<TypeParam>(
      [](const auto& a) { return a.rows == a.cols ? symmetrise(a, symmetry_rule::pattern) : a; },
      [](const auto& m) { return symmetrised(m, symmetry_rule::pattern); });
}

TYPED_TEST(Symmetry, Averages) {
  using real = real_of<typename TypeParam::value_type>;
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    // The largest number overflows in a plain sum; its average is tested below.
    if (a.rows != a.cols || norm_max(a) >= std::numeric_limits<real>::max() / 2 || name.find("NaN") != name.npos)
      continue;
    SCOPED_TRACE(name);
    const auto expected = matrix_of<TypeParam>(*symmetrised(places, symmetry_rule::average));
    for_each_thread_count([&] { EXPECT_EQ(difference(symmetrise(a, symmetry_rule::average), expected), ""); });
  }
}

TYPED_TEST(Symmetry, AveragesASymmetricMatrixToItselfEvenAtTheEdgesOfTheRange) {
  using V = typename TypeParam::value_type;
  using limits = std::numeric_limits<real_of<V>>;
  auto a = from_rows<V, typename TypeParam::index_type>(4, 4, entries::integers, [](auto i) { return std::vector{i}; });
  const V values[] = {V(limits::max()), V(-limits::max()), V(limits::denorm_min()), V(-limits::infinity())};
  for (std::int64_t k = 0; k < 4; ++k) a.values.data[k] = values[k];
  EXPECT_EQ(difference(symmetrise(a, symmetry_rule::average), a), "");
}

TYPED_TEST(Symmetry, RefusesWhatIsNotSquareOrNotCanonical) {
  EXPECT_ERROR(symmetrise(disordered<TypeParam>(9, 5)), errc::invalid_argument,
               "symmetrise needs a square matrix; this one is 9 x 5");
  const auto repeating = from_rows<typename TypeParam::value_type, typename TypeParam::index_type>(
      5, 5, entries::integers, [](auto i) { return std::vector<std::int64_t>{i, 4}; });
  const std::string complaint =
      " needs strictly ascending columns, but row 4 has column 4 after column 4; call canonical() first";
  EXPECT_ERROR(symmetrise(repeating), errc::invalid_matrix, "symmetrise" + complaint);
  EXPECT_ERROR(find_symmetry(repeating), errc::invalid_matrix, "find_symmetry" + complaint);
}

/// The definition, place by place.
template <value Value> symmetry_report report_on(const model<Value>& m) {
  symmetry_report r;
  if (m.rows != m.cols) return r;
  r = {true, true, true, true, true};
  for (const auto& [place, values] : m.places) {
    const auto other = m.places.find({place.second, place.first});
    if (other == m.places.end()) return {.square = true};
    const Value a = values[0];
    const Value b = other->second[0];
    r.symmetric = r.symmetric && a == b;
    r.skew_symmetric = r.skew_symmetric && a == -b;
    if constexpr (is_complex<Value>)
      r.hermitian = r.hermitian && a == std::conj(b);
    else
      r.hermitian = r.symmetric;
  }
  return r;
}

template <class Matrix> void check_report(const Matrix& a) {
  const symmetry_report expected = report_on(model_of(a));
  for_each_thread_count([&] {
    const symmetry_report found = find_symmetry(a);
    EXPECT_EQ(found.square, expected.square);
    EXPECT_EQ(found.pattern, expected.pattern);
    EXPECT_EQ(found.symmetric, expected.symmetric);
    EXPECT_EQ(found.skew_symmetric, expected.skew_symmetric);
    EXPECT_EQ(found.hermitian, expected.hermitian);
  });
}

TYPED_TEST(Symmetry, IsFoundInEveryMatrixThatHasIt) {
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    SCOPED_TRACE(name);
    check_report(a);
    if (a.rows != a.cols || name.find("NaN") != name.npos) continue;
    const auto symmetric = symmetrise(a);
    check_report(symmetric);
    EXPECT_TRUE(find_symmetry(symmetric).symmetric);
    auto skew = symmetric;
    if (skew.values.iso) continue;
    for (std::int64_t i = 0; i < skew.rows; ++i)
      for (std::int64_t k = skew.row_offsets[i]; k < skew.row_offsets[i + 1]; ++k)
        skew.values.data[k] *=
            static_cast<real_of<typename TypeParam::value_type>>((skew.columns[k] > i) - (skew.columns[k] < i));
    check_report(skew);
    EXPECT_TRUE(find_symmetry(skew).skew_symmetric);
  }
}

TEST(SymmetryOfComplex, TellsHermitianFromSymmetric) {
  using C = std::complex<double>;
  auto a = from_rows<C, std::int32_t>(2, 2, entries::integers, [](auto) { return consecutive(0, 2); });
  const C values[] = {{1, 0}, {2, 3}, {2, -3}, {4, 0}};
  for (std::int64_t k = 0; k < 4; ++k) a.values.data[k] = values[k];
  EXPECT_TRUE(find_symmetry(a).hermitian);
  EXPECT_FALSE(find_symmetry(a).symmetric);
  a.values.data[3] = {4, 1};
  EXPECT_FALSE(find_symmetry(a).hermitian);
  a.values.data[2] = {2, 3};
  EXPECT_TRUE(find_symmetry(a).symmetric);
}

/// Entries near the diagonal and others far from it, whose rows share what a search remembers.
csr_matrix<double> near_and_far(std::int64_t rows, std::int64_t far) {
  return from_rows<double, std::int32_t>(rows, rows, entries::integers, [=](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (const std::int64_t j : {i - far, i - 1, i, i + 1, i + far})
      if (j >= 0 && j < rows) columns.push_back(j);
    return columns;
  });
}

TEST(Partners, AreFoundWhereverTheyAre) {
  for (const std::int64_t far : {3, 4096, 32768, 40000}) {
    const auto a = near_and_far(70000, far);
    const auto view = a.view();
    detail::partner_search<double, std::int32_t> partners(view);
    // Forwards, as rows are meant to be gone through, and backwards, where nothing remembered is of use.
    for (std::int64_t turn = 0; turn < 2 * a.rows; ++turn) {
      const std::int64_t i = turn < a.rows ? turn : 2 * a.rows - 1 - turn;
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        const std::int64_t partner = partners.find(i, a.columns[k]);
        ASSERT_GE(partner, a.row_offsets[a.columns[k]]);
        ASSERT_LT(partner, a.row_offsets[a.columns[k] + 1]);
        ASSERT_EQ(a.columns[partner], i);
      }
      ASSERT_EQ(partners.find(i, static_cast<std::int32_t>((i + 2) % a.rows)), -1) << i;
    }
  }
}

TEST(Partners, OneThatIsMissingIsMissed) {
  auto a = near_and_far(50000, 40000);
  ASSERT_TRUE(find_symmetry(a).pattern);
  a.columns[a.row_offsets[30001] - 1] = 30003;  // row 30000 ends in another column
  EXPECT_FALSE(find_symmetry(a).pattern);
}

TEST(SymmetryOfNothing, IsEveryKind) {
  const auto r = find_symmetry(csr_matrix<double>{});
  EXPECT_TRUE(r.square && r.pattern && r.symmetric && r.skew_symmetric && r.hermitian);
}

}  // namespace
}  // namespace lacis::test
