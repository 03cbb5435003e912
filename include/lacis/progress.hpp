// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A callback for operations that take long.
#pragma once

#include <functional>
#include <string_view>

namespace lacis {

/// Called now and then from one thread at a time with what is being done and the share of it that is done, 0 to 1.
/// An exception thrown from it ends the operation.
using progress = std::function<void(std::string_view stage, double share)>;

}  // namespace lacis
