// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The runtime's table over the host executor.
#include "device/runtime.hpp"

#include <complex>
#include <gtest/gtest.h>
#include <vector>

#include "kernels/vector.hpp"
#include "simt/runtime.hpp"

namespace lacis::device {
namespace {

TEST(Runtime, LaunchesAKernelByItsNumber) {
  simt_runtime host;
  runtime device(host.table());
  using value = std::complex<double>;
  const std::vector<value> x(1000, value(1, 2));
  const std::vector<value> y(1000, value(3, -1));
  const auto device_x = device.upload<value>(x);
  const auto device_y = device.upload<value>(y);
  device.launch_over(
      kernels::axpby<raw_memory, simt::complex_number<double>, simt::none>{
          1000, to_device(value(0, 1)), device_x.data(), to_device(value(2, 0)), device_y.data()},
      1000);
  EXPECT_EQ(device.download<value>(device_y), std::vector<value>(1000, value(4, -1)));
  EXPECT_EQ(host.launches(), 1);
}

}  // namespace
}  // namespace lacis::device
