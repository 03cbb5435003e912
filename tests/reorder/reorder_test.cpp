// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numberings of square matrices.
#include <gtest/gtest.h>

#include <lacis/reorder.hpp>

namespace lacis {
namespace {

TEST(Reorder, HasNames) { EXPECT_EQ(name_of(reordering::chain), "chain"); }

}  // namespace
}  // namespace lacis
