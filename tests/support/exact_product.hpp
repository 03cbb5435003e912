// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The exact products that `lacis verify spgemm` uses, under the tests' own roof.
#pragma once

#include "verify/exact_product.hpp"

namespace lacis::test {
using verification::exact_product;
}
