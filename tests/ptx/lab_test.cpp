// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --ptx and lacis verify --counts: counts of the emitted code that can be said beforehand.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ptx/run_program.hpp"

namespace lacis::test {
namespace {

using json = nlohmann::json;

/// Rows of 32 entries, a multiple of nothing that nvcc unrolls by is left over, and 64 warps of rows: lanes are in
/// step, so that source and PTX must agree.
TEST(PtxLab, SourceAndEmittedCodeAgreeOnEqualRows) {
  const outcome ran = run_lacis("lab @uniform:2048,32 --ptx --json --kernel csr_row,coo_atomic,sell_32");
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
  EXPECT_EQ(run_lacis("lab --sweep rows --ptx").code, 2);
  EXPECT_EQ(run_lacis("lab @poisson2d:9 --op spgemm --ptx").code, 2);
}

}  // namespace
}  // namespace lacis::test
