// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The matrices and numbers that `lacis verify` uses, under the tests' own roof.
#pragma once

#include "verify/numbers.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::test {
using namespace verification;

/// The test matrices; under AddressSanitizer every third matrix of it, for tests that would take minutes there.
template <class Value, class Index> auto quick_test_matrices(entries kind = entries::integers) {
  auto all = test_matrices<Value, Index>(kind);
#ifdef LACIS_ADDRESS_SANITIZER
  decltype(all) some;
  for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(std::move(all[i]));
  return some;
#else
  return all;
#endif
}

}  // namespace lacis::test
