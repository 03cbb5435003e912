// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The ways in which an operation on the processor may run.
#pragma once

#include <gtest/gtest.h>

#include <lacis/multiply_options.hpp>

namespace lacis::test {

/// check(options) for every instruction set and 1 to 7 threads.
template <class Check> void for_each_way(Check&& check) {
  for (const isa set : supported_isas())
    for (int threads = 1; threads <= 7; ++threads) {
      SCOPED_TRACE(testing::Message() << name_of(set) << ", " << threads << " threads");
      check(multiply_options{threads, set});
    }
}

}  // namespace lacis::test
