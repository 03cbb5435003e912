// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Laws that structural operations keep for matrices drawn at random.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <lacis/builder.hpp>
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

/// Any small canonical matrix, iso or not.
csr_matrix<double> any_matrix() {
  model<double> m{*rc::gen::inRange<std::int64_t>(0, 40), *rc::gen::inRange<std::int64_t>(0, 40), {}, {}};
  if (m.rows > 0 && m.cols > 0)
    for (const auto& [i, j] : *rc::gen::container<std::vector<std::pair<std::int64_t, std::int64_t>>>(
             rc::gen::pair(rc::gen::inRange<std::int64_t>(0, m.rows), rc::gen::inRange<std::int64_t>(0, m.cols))))
      m.places[{i, j}] = {static_cast<double>(1 + i * 100 + j)};
  if (*rc::gen::arbitrary<bool>()) m.iso = 2.5;
  return matrix_of<csr_matrix<double>>(m);
}

RC_GTEST_PROP(StructureProperty, TransposingTwiceChangesNothing, ()) {
  const auto a = any_matrix();
  RC_ASSERT(difference(transpose(transpose(a)), a).empty());
}

RC_GTEST_PROP(StructureProperty, PermutingBackChangesNothing, ()) {
  const auto a = any_matrix();
  const auto rows = shuffled(a.rows, *rc::gen::arbitrary<std::uint64_t>());
  const auto cols = shuffled(a.cols, *rc::gen::arbitrary<std::uint64_t>());
  const auto back = [](const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> inverse(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      inverse[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    return inverse;
  };
  RC_ASSERT(difference(permute(permute(a, rows, cols), back(rows), back(cols)), a).empty());
}

RC_GTEST_PROP(StructureProperty, PartsStackedTogetherAreTheWhole, ()) {
  const auto a = any_matrix();
  const auto row = *rc::gen::inRange<std::int64_t>(0, a.rows + 1);
  const auto col = *rc::gen::inRange<std::int64_t>(0, a.cols + 1);
  const auto upper = hstack(std::vector{extract(a, 0, row, 0, col), extract(a, 0, row, col, a.cols)});
  const auto lower = hstack(std::vector{extract(a, row, a.rows, 0, col), extract(a, row, a.rows, col, a.cols)});
  RC_ASSERT(difference(vstack(std::vector{upper, lower}), a).empty());
}

RC_GTEST_PROP(StructureProperty, TrianglesShareNothingButTogetherHaveEveryEntry, ()) {
  const auto a = any_matrix();
  const auto k = *rc::gen::inRange<std::int64_t>(-50, 50);
  RC_ASSERT(tril(a, k).nnz() + triu(a, k + 1).nnz() == a.nnz());
  RC_ASSERT(hadamard(tril(a, k), triu(a, k + 1)).nnz() == 0);
}

}  // namespace
}  // namespace lacis::test
