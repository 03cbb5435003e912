// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Registers that share a place: only those that are never needed at the same time.
#include <gtest/gtest.h>

#include "run_ptx.hpp"

namespace lacis::ptx {
namespace {

/// What each thread leaves in %r9, in every schedule.
void expect_words(const std::string& body, const std::vector<std::uint32_t>& expected) {
  for (const lacis_ptx_turns turns : {lacis_ptx_lowest, lacis_ptx_random, lacis_ptx_ahead}) {
    const ptx_run done =
        run_ptx(kernel_text(thread_words + body + "st.global.u32 [%rd3], %r9;\n"), {1}, 64, {.turns = turns});
    EXPECT_EQ(done.fault, "");
    EXPECT_EQ(done.out, expected);
  }
}
std::vector<std::uint32_t> for_each_thread(std::uint32_t (*value)(std::uint32_t)) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t thread = 0; thread < 64; ++thread) all.push_back(value(thread));
  return all;
}
/// Values that are needed for one instruction and would be in the way.
const std::string passing = "add.u32 %r6, %r1, 1000;\nadd.u32 %r7, %r6, %r6;\nadd.u32 %r8, %r7, %r6;\n";

TEST(PtxRegisters, ThoseThatAreNotNeededTogetherShareAPlace) {
  std::string body = "mov.u32 %r2, 0;\n";
  for (int k = 0; k < 100; ++k)
    body += "{\n.reg .b32 %t<3>;\nadd.u32 %t1, %r2, 1;\nadd.u32 %t2, %t1, 1;\nmov.u32 %r2, %t2;\n}\n";
  module all;
  read_module(kernel_text(thread_words + body), all);
  EXPECT_LT(all.kernels.at("k").registers, 20);
  expect_words(body + "mov.u32 %r9, %r2;\n", std::vector<std::uint32_t>(64, 200));
}

TEST(PtxRegisters, WhatTheNextTurnOfALoopReadsIsKept) {
  // %r3 is written last in a turn and read first in the next one; after it the turn has other values.
  expect_words(
      "mov.u32 %r2, 0;\nmov.u32 %r9, 0;\n$loop:\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra $first;\n"
      "add.u32 %r9, %r9, %r3;\n$first:\nadd.u32 %r3, %r1, %r2;\n" +
          passing + "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 4;\n@%p2 bra $loop;\n",
      for_each_thread([](std::uint32_t thread) { return 3 * thread + 3; }));
}

TEST(PtxRegisters, AWriteThatSomeLanesSkipKeepsTheirValue) {
  // In the second turn odd threads write %r3 anew, the others keep that of the first.
  expect_words(
      "mov.u32 %r2, 0;\nand.b32 %r4, %r1, 1;\nmov.u32 %r9, 0;\n$loop:\nsetp.ne.s32 %p1, %r2, 0;\n"
      "@%p1 bra $later;\nmov.u32 %r3, 5;\nbra.uni $go;\n$later:\nsetp.eq.s32 %p3, %r4, 1;\n"
      "@%p3 mov.u32 %r3, 7;\nadd.u32 %r9, %r9, %r3;\n$go:\n" +
          passing + "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 2;\n@%p2 bra $loop;\n",
      for_each_thread([](std::uint32_t thread) { return thread % 2 == 1 ? 7U : 5U; }));
}

TEST(PtxRegisters, WhatIsReadBeforeItIsWrittenIsNoValueOfTheKernel) {
  expect_words(passing + "mov.u32 %r9, %r5;\n", std::vector<std::uint32_t>(64, 0xcbcbcbcb));
}

}  // namespace
}  // namespace lacis::ptx
