// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The library's sums once for each set of flags: SUMS and PRODUCTS are the functions, and CANARY_NAMESPACE stands for
// lacis, so that the linker cannot put one set's inline functions in the place of another's.
#include "canary.hpp"

#define lacis CANARY_NAMESPACE
#include "base/text.cpp"  // the only function that they call and that is compiled elsewhere
#include "summation/orders.hpp"
#include "summation/sum.hpp"
#undef lacis

namespace lacis::test {

library_sums SUMS(const double* left, const double* right, int count) {
  namespace summation = CANARY_NAMESPACE::summation;
  const auto in = [&](const summation::order& o) {
    return summation::sum_products<double, double>(
        count, [&](std::int64_t k) { return left[k]; }, [&](std::int64_t k) { return right[k]; }, o);
  };
  return {in(summation::canonical), in(summation::strided(8, true))};
}

library_products PRODUCTS(std::complex<double> a, std::complex<double> b) {
  namespace summation = CANARY_NAMESPACE::summation;
  return {summation::multiply(a, b), summation::square(a, 1.0)};
}

}  // namespace lacis::test
