// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include "base/numbers.hpp"

namespace lacis::plot {

using numbers::bytes_text;
using numbers::duration_text;
using numbers::grouped;
using numbers::percent;
using numbers::short_count;
using numbers::significant;

}  // namespace lacis::plot
