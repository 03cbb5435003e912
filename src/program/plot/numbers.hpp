// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include "base/numbers.hpp"

namespace lacis::plot {

using detail::bytes_text;
using detail::duration_text;
using detail::grouped;
using detail::percent;
using detail::short_count;
using detail::significant;

}  // namespace lacis::plot
