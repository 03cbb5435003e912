// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operating system reports of processors, memory and control groups.
#include "base/machine.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/machine_memory.hpp"

namespace lacis::detail {
namespace {

TEST(Machine, ReadsTheChosenWord) {
  EXPECT_EQ(chosen_word("always [madvise] never"), "madvise");
  EXPECT_EQ(chosen_word("nothing"), "");
}

TEST(Machine, HasMemoryAndProcessors) {
  EXPECT_GT(memory_of_machine().total, 0);
  EXPECT_GT(usable_memory(), 0);
  EXPECT_GE(allowed_processors(), 1);
}

class Groups : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(root_ / "proc/self"); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::filesystem::path root_ = std::filesystem::path(testing::TempDir()) / ("groups." + std::to_string(getpid()));
};

TEST_F(Groups, OfVersionTwoTakeTheTightestLimitOnTheWayUp) {
  put("proc/self/cgroup", "0::/a/b\n");
  put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/a/memory.max", "max\n");
  put("sys/fs/cgroup/a/b/memory.max", "1048576\n");
  put("sys/fs/cgroup/memory.max", "2097152\n");
  const group_limits limits = limits_of_groups(root_);
  EXPECT_EQ(limits.processors, 1.5);
  EXPECT_EQ(limits.memory, 1048576);
}

TEST_F(Groups, OfVersionOneIgnoreNumbersThatMeanNoLimit) {
  put("proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/\n");
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  const group_limits limits = limits_of_groups(root_);
  EXPECT_EQ(limits.processors, 0.5);
  EXPECT_EQ(limits.memory, std::nullopt);
}

TEST_F(Groups, WithoutLimitsSayNothing) {
  put("proc/self/cgroup", "0::/\n");
  const group_limits limits = limits_of_groups(root_);
  EXPECT_EQ(limits.processors, std::nullopt);
  EXPECT_EQ(limits.memory, std::nullopt);
}

}  // namespace
}  // namespace lacis::detail
