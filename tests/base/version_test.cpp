// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The version as macros and as a string: one number.
#include <gtest/gtest.h>
#include <string>

#include <lacis/version.hpp>

namespace lacis {
namespace {

TEST(Version, OfMacrosAndLibraryIsOne) {
  EXPECT_EQ(version(), LACIS_VERSION);
  EXPECT_EQ(std::to_string(LACIS_VERSION_MAJOR) + '.' + std::to_string(LACIS_VERSION_MINOR) + '.' +
                std::to_string(LACIS_VERSION_PATCH),
            version());
}

}  // namespace
}  // namespace lacis
