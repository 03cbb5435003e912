// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the laboratory counts.
#include <gtest/gtest.h>

#include <lacis/lab.hpp>

namespace {

TEST(Lab, KnowsGpusByName) { EXPECT_EQ(lacis::lab::gpu_named("t4").name, "t4"); }

}  // namespace
