// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A raster of sums, for pictures of counts that are stored as a matrix.
#pragma once

#include <lacis/spy.hpp>

#include "base/internal.hpp"

namespace lacis::detail {

/// As spy(), with the sums of values instead of counts of entries: the values are integers from 0 on.
[[nodiscard]] LACIS_INTERNAL spy_raster sum_raster(const csr_view<double, std::int32_t>& a, std::int64_t width,
                                                   std::int64_t height);

}  // namespace lacis::detail
