// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The matrices and numbers that `lacis verify` uses, under the tests' own roof.
#pragma once

#include "verify/battery.hpp"
#include "verify/numbers.hpp"

namespace lacis::test {
using namespace verification;
}
