// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The transpose, plain and conjugated.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <value Value> Value conjugated(Value v) {
  if constexpr (is_complex<Value>)
    return std::conj(v);
  else
    return v;
}

template <value Value> model<Value> transposed_model(const model<Value>& m, bool conjugate) {
  auto t = without_places(m, m.cols, m.rows);
  for (const auto& [place, values] : m.places)
    for (const Value v : values) t.places[{place.second, place.first}].push_back(conjugate ? conjugated(v) : v);
  if (t.iso && conjugate) t.iso = conjugated(*t.iso);
  return t;
}

template <class Matrix> class Transpose : public testing::Test {};
TYPED_TEST_SUITE(Transpose, structure_types);

TYPED_TEST(Transpose, ExchangesRowsAndColumns) {
  check_on_test_matrices<TypeParam>([](const auto& a) { return transpose(a); },
                                    [](const auto& m) { return transposed_model(m, false); });
}

TYPED_TEST(Transpose, ConjugatesWhenAsked) {
  check_on_test_matrices<TypeParam>([](const auto& a) { return conjugate_transpose(a); },
                                    [](const auto& m) { return transposed_model(m, true); });
}

TYPED_TEST(Transpose, SortsRowsAndKeepsDuplicatesInOrder) {
  for (const std::int64_t cols : {40, 6000}) {
    const auto a = disordered_and_distinct<TypeParam>(900, cols);
    const auto expected = matrix_of<TypeParam>(transposed_model(model_of(a), false));
    for_each_thread_count([&] { EXPECT_EQ(difference(transpose(a), expected), "") << cols; });
  }
}

TEST(TransposeLimits, RefusesRowsThatColumnsCannotNumber) {
  const std::int64_t rows = std::int64_t{1} << 31;
  const csr_view<double> tall{rows, 1, std::span<const std::int64_t>(), {}, {}};
  EXPECT_ERROR(transpose(tall), errc::overflow,
               "2147483648 rows do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
}

}  // namespace
}  // namespace lacis::test
