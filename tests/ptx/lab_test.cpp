// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --ptx and lacis verify --counts: counts of the emitted code that can be said beforehand.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using json = nlohmann::json;

struct outcome {
  int code = 0;
  std::string out;
};

outcome lacis(const std::string& arguments) {
  const std::string command =
      "LACIS_PTX_PLUGIN='" LACIS_PTX_PLUGIN "' '" LACIS_PROGRAM "' " + arguments + " --quiet 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  outcome ran;
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) ran.out.append(part.data(), read);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

/// Rows of 32 entries, a multiple of nothing that nvcc unrolls by is left over, and 64 warps of rows: lanes are in
/// step, so that source and PTX must agree.
TEST(PtxLab, SourceAndEmittedCodeAgreeOnEqualRows) {
  const outcome ran = lacis("lab @uniform:2048,32 --ptx --json --kernel csr_row,coo_atomic,sell_32");
  ASSERT_EQ(ran.code, 0) << ran.out;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all["kernels"].size(), 3U);
  for (const json& kernel : all["kernels"]) {
    const json& emitted = kernel["emitted"];
    const double sectors = kernel["bytes_requested_per_nnz"].get<double>() / 32;
    EXPECT_DOUBLE_EQ(emitted["sectors_per_nnz"].get<double>(), sectors) << kernel["kernel"];
    EXPECT_DOUBLE_EQ(emitted["requests_per_nnz"].get<double>(), kernel["requests_per_nnz"].get<double>())
        << kernel["kernel"];
    EXPECT_GT(emitted["warp_instructions_per_nnz"].get<double>(), emitted["requests_per_nnz"].get<double>());
    EXPECT_EQ(emitted["bank_conflicts_per_nnz"], 0);
  }
}

TEST(PtxLab, IsAboutOneMatrixAndAVector) {
  EXPECT_EQ(lacis("lab --sweep rows --ptx").code, 2);
  EXPECT_EQ(lacis("lab @poisson2d:9 --op spgemm --ptx").code, 2);
}

}  // namespace
