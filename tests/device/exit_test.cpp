// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The end of a process that has used a device.
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

#include <lacis/device_vector.hpp>

#include "device/context.hpp"

namespace lacis {
namespace {

/// Opens the device and leaves; what the process holds of it is destroyed by no one.
[[noreturn]] void use_and_leave() {
  ::setenv("LACIS_CUDA_PLUGIN", LACIS_PLUGIN_GONE_AT_EXIT, 1);
  {
    const device_context gpu(devices::cuda());
    const device_vector<double> x(gpu, std::vector<double>{1, 2, 3});
    if (x.to_host() != std::vector<double>{1, 2, 3}) std::exit(1);
  }
  std::exit(0);
}

TEST(DeviceExitTest, APluginMayBeGoneBeforeTheDevicesThatWereOpen) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_and_leave(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lacis
