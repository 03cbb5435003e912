// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products entry by entry.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

/// The product with every operation rounded, written out.
template <class Real> Real product(Real a, Real b) { return a * b; }
template <class Real> std::complex<Real> product(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <value Value> std::vector<Value> factors(std::int64_t count) {
  std::vector<Value> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(entry_value<Value>(static_cast<std::uint64_t>(k) + 99, entries::reals));
  return all;
}

template <class Matrix> class Scale : public testing::Test {};
TYPED_TEST_SUITE(Scale, structure_types);

TYPED_TEST(Scale, MultipliesRowsAndColumns) {
  using V = typename TypeParam::value_type;
  for (const bool by_rows : {true, false})
    check_on_test_matrices<TypeParam>(
        [&](const auto& a) {
          return by_rows ? scale_rows(a, factors<V>(a.rows)) : scale_columns(a, factors<V>(a.cols));
        },
        [&](model<V> m) {
          const auto all = factors<V>(std::max(m.rows, m.cols));
          for (auto& [place, values] : m.places)
            values[0] = by_rows ? product(all[static_cast<std::size_t>(place.first)], values[0])
                                : product(values[0], all[static_cast<std::size_t>(place.second)]);
          m.iso.reset();
          return m;
        });
}

TYPED_TEST(Scale, AsksForAFactorEach) {
  using V = typename TypeParam::value_type;
  const auto a = disordered<TypeParam>(9, 5);
  EXPECT_ERROR(scale_rows(a, factors<V>(5)), errc::invalid_argument,
               "scale_rows needs a factor for each of the 9 rows, but was given 5");
  EXPECT_ERROR(scale_columns(a, factors<V>(9)), errc::invalid_argument,
               "scale_columns needs a factor for each of the 5 columns, but was given 9");
}

TYPED_TEST(Scale, MultipliesTwoMatricesEntryByEntry) {
  for (const bool iso : {false, true})
    for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
      SCOPED_TRACE(name);
      const auto b = partner_of<TypeParam>(places, iso);
      const auto partner = model_of(b);
      auto expected = without_places(places, a.rows, a.cols);
      expected.iso.reset();
      if (places.iso && partner.iso) expected.iso = product(*places.iso, *partner.iso);
      for (const auto& [place, values] : places.places)
        if (const auto other = partner.places.find(place); other != partner.places.end())
          expected.places[place] = {product(values[0], other->second[0])};
      const auto matrix = with_plain_nans(matrix_of<TypeParam>(expected));
      for_each_thread_count([&] { EXPECT_EQ(difference(with_plain_nans(hadamard(a, b)), matrix), ""); });
    }
}

TYPED_TEST(Scale, RefusesMatricesThatDoNotFit) {
  const auto a = sort_rows(from_rows<typename TypeParam::value_type, typename TypeParam::index_type>(
      5, 4, entries::integers, [](auto) { return consecutive(1, 3); }));
  const auto b = disordered<TypeParam>(9, 5);
  EXPECT_ERROR(hadamard(a, b), errc::invalid_argument, "hadamard needs two matrices of one size, not 5 x 4 and 9 x 5");
  const auto repeating = from_rows<typename TypeParam::value_type, typename TypeParam::index_type>(
      5, 4, entries::integers, [](auto) { return std::vector<std::int64_t>{2, 2}; });
  const std::string advice =
      "hadamard needs strictly ascending columns, but row 0 has column 2 after column 2; call canonical() first";
  EXPECT_ERROR(hadamard(a, repeating), errc::invalid_matrix, advice);
  EXPECT_ERROR(hadamard(repeating, a), errc::invalid_matrix, advice);
}

}  // namespace
}  // namespace lacis::test
