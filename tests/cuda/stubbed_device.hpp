// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The plugin over the stub of CUDA's runtime, as a device that computes: the plugin does all that it does before a GPU,
// and where a GPU would run a kernel, the host executor runs it in the stub's memory, with the arguments that CUDA got.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "device/runtime.hpp"
#include "simt/runtime.hpp"
#include "stub.hpp"

namespace lacis::device {

/// The table of the plugin that is linked with the stub; opened once.
[[nodiscard]] const lacis_runtime& stubbed_plugin();

class stubbed_device final : private allocations {
 public:
  /// Resets the stub.
  stubbed_device();
  ~stubbed_device() override;
  stubbed_device(const stubbed_device&) = delete;
  stubbed_device& operator=(const stubbed_device&) = delete;

  [[nodiscard]] const lacis_runtime& table() const { return table_; }
  /// What the host executor said when it refused a kernel or found a fault in it.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  struct functions;
  [[nodiscard]] range find(const void* pointer) const override;

  simt_runtime host_;
  lacis_runtime table_;
  std::int32_t kernel_ = -1;  ///< that the plugin is asked to launch
  std::int32_t argument_count_ = 0;
  void* stream_ = nullptr;
  std::string fault_;
};

/// Every violation so far, a line each.
[[nodiscard]] std::string violations();

/// A test after which nothing is left on the device, and no rule has been broken.
class StubbedCuda : public ::testing::Test {
 protected:
  void TearDown() override {
    stub_expect_nothing_left();
    EXPECT_EQ(violations(), "");
    EXPECT_EQ(stub_live_bytes(), 0);
  }

  stubbed_device cuda;
  runtime device{cuda.table()};
};

}  // namespace lacis::device
