// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The findings of doctor().
#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

#include <lacis/doctor.hpp>

namespace lacis {
namespace {

const finding& finding_named(const std::vector<finding>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const finding& one) { return one.name == name; });
  if (found == all.end()) throw std::runtime_error("no finding has this name");
  return *found;
}

TEST(Doctor, HasOneFindingPerCheck) {
  const std::vector<finding> all = doctor();
  std::set<std::string> names;
  for (const finding& one : all) {
    EXPECT_FALSE(one.name.empty());
    EXPECT_FALSE(one.state.empty()) << one.name;
    EXPECT_TRUE(names.insert(one.name).second) << one.name << " appears twice";
  }
  for (const char* name : {"version", "features", "processor", "cores", "instructions", "kernels", "memory",
                           "huge pages", "OpenMP", "affinity", "CUDA", "MPI"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Doctor, DescribesTheTopologyThatItIsGiven) {
  machine_topology machine;
  machine.known = true;
  machine.packages = 2;
  machine.cores = 64;
  machine.hardware_threads = 1 << 20;  // more than this process may use
  machine.memory_nodes = 4;
  machine.caches = {{"L1d", 49152, 64}, {"L3", 1 << 25, 2}};
  EXPECT_EQ(machine.last_level_bytes(), 1 << 26);
  const std::vector<finding> all = doctor(machine);
  EXPECT_EQ(finding_named(all, "cores").mark, finding_mark::note);
  EXPECT_TRUE(finding_named(all, "cores").state.starts_with("64 cores in 2 packages, 1048576 hardware threads;"));
  EXPECT_EQ(finding_named(all, "caches").state, "L1d 48 KiB x 64, L3 32 MiB x 2");
  EXPECT_EQ(finding_named(all, "NUMA").state, "4 memory nodes");
}

TEST(Doctor, AdvisesWhereverSomethingIsNotInOrder) {
  machine_topology machine;
  machine.known = true;
  machine.hardware_threads = 1 << 20;
  const std::vector<finding> all = doctor(machine);  // without caches, and with processors that may not be used
  for (const finding& one : all)
    if (one.mark != finding_mark::ok) {
      EXPECT_FALSE(one.advice.empty()) << one.name;
    }
  EXPECT_EQ(finding_named(all, "cores").mark, finding_mark::note);
  EXPECT_EQ(finding_named(all, "caches").mark, finding_mark::note);
}

TEST(Doctor, NamesMarks) {
  EXPECT_EQ(name_of(finding_mark::ok), "ok");
  EXPECT_EQ(name_of(finding_mark::note), "note");
  EXPECT_EQ(name_of(finding_mark::warn), "warn");
}

}  // namespace
}  // namespace lacis
