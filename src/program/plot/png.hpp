// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A canvas as the bytes of a PNG file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plot/canvas.hpp"

namespace lacis::plot {

/// An 8-bit RGB PNG with that title in its text. Throws error(unsupported) in a build without libpng.
[[nodiscard]] std::vector<std::byte> encode_png(const canvas& picture, std::string_view title);

}  // namespace lacis::plot
