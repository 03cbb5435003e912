// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Loops on threads over elements that are computed: with the floating-point modes that the order needs on every thread.
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "summation/environment.hpp"

namespace lacis::summation {

/// work(begin, end) on one contiguous range per thread.
template <class Work> void parallel_ranges(std::int64_t size, Work&& work) {
  detail::parallel_ranges(size, [&](std::int64_t begin, std::int64_t end) {
    const rounding_guard guard;
    work(begin, end);
  });
}

/// work(i) for every i, one contiguous range per thread.
template <class Work> void parallel_for(std::int64_t size, Work&& work) {
  parallel_ranges(size, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) work(i);
  });
}

}  // namespace lacis::summation
