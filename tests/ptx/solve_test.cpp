// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers over the emitted code of all their kernels.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ptx/run_program.hpp"

namespace lacis::test {
namespace {

using json = nlohmann::json;

json solved(const std::string& arguments) {
  const outcome ran = run_lacis("solve " + arguments + " --json");
  EXPECT_EQ(ran.code, 0) << ran.out;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

TEST(PtxSolve, MultigridHasTheBitsOfTheProcessor) {
  // In single precision, where the cycle on the processor has the precision of A too.
  for (const char* system : {"@poisson2d:30", "@poisson3d:9"}) {
    const std::string what =
        std::string(system) + " --method cg --preconditioner amg --type float --tolerance 1e-5 --device ";
    const json here = solved(what + "cpu");
    const json there = solved(what + "cuda");
    EXPECT_EQ(there.at("solution_hash"), here.at("solution_hash")) << system;
    EXPECT_EQ(there.at("iterations"), here.at("iterations")) << system;
    EXPECT_EQ(there.at("attempts").at(0).at("hierarchy").at("levels").at(0).at("layout"), "cuda:0 sell-32");
  }
}

}  // namespace
}  // namespace lacis::test
