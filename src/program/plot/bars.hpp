// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Horizontal bars made of characters.
#pragma once

#include <string>

namespace lacis::plot {

/// A bar of at most `columns` characters for a share from 0 to 1, in eighths of a character (whole '#' without
/// Unicode). A share above 0 always shows something; the bar is not padded.
[[nodiscard]] std::string bar(double share, int columns, bool unicode);

/// The same, padded to `columns` with spaces, for a progress bar.
[[nodiscard]] std::string padded_bar(double share, int columns, bool unicode);

}  // namespace lacis::plot
