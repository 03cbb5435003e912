// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Instructions whose results are easily wrong: signs, widths, shifts past the end, comparisons with NaN, lanes that
// part.
#include <gtest/gtest.h>

#include "run_ptx.hpp"

namespace lacis::ptx {
namespace {

/// What the body leaves in %r9 of thread 0, or %rd9 in two words.
std::uint32_t word_of(const std::string& body) {
  const ptx_run done = run_ptx(kernel_text(thread_words + body + "st.global.u32 [%rd3], %r9;\n"), {1, 2}, 64);
  EXPECT_EQ(done.fault, "") << body;
  return done.out[0];
}
std::uint64_t pair_of(const std::string& body) {
  const std::string store = "mul.wide.u32 %rd10, %r1, 8;\nadd.s64 %rd10, %rd1, %rd10;\nst.global.u64 [%rd10], %rd9;\n";
  const ptx_run done = run_ptx(kernel_text(thread_words + body + store), {1, 2}, 128);
  EXPECT_EQ(done.fault, "") << body;
  return done.out[0] | std::uint64_t{done.out[1]} << 32;
}

TEST(PtxInstructions, IntegersHaveTheirWidthAndSign) {
  EXPECT_EQ(word_of("mov.u32 %r2, -7;\ndiv.s32 %r9, %r2, 2;\n"), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(word_of("mov.u32 %r2, -7;\nrem.s32 %r9, %r2, 4;\n"), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(word_of("mov.u32 %r2, -7;\ndiv.u32 %r9, %r2, 2;\n"), 0x7ffffffcU);
  EXPECT_EQ(pair_of("mov.u32 %r2, -7;\ncvt.s64.s32 %rd9, %r2;\n"), static_cast<std::uint64_t>(-7));
  EXPECT_EQ(pair_of("mov.u32 %r2, -7;\ncvt.u64.u32 %rd9, %r2;\n"), 0xfffffff9U);
  EXPECT_EQ(pair_of("mov.u32 %r2, -7;\nmul.wide.s32 %rd9, %r2, 3;\n"), static_cast<std::uint64_t>(-21));
  EXPECT_EQ(pair_of("mov.u32 %r2, -7;\nmul.wide.u32 %rd9, %r2, 3;\n"), 0xfffffff9ULL * 3);
  EXPECT_EQ(pair_of("mov.u64 %rd8, -1;\nmul.hi.u64 %rd9, %rd8, %rd8;\n"), ~std::uint64_t{1});
  EXPECT_EQ(word_of("mov.u32 %r2, -7;\nmax.s32 %r9, %r2, 3;\n"), 3U);
  EXPECT_EQ(word_of("mov.u32 %r2, -7;\nmax.u32 %r9, %r2, 3;\n"), 0xfffffff9U);
}

TEST(PtxInstructions, ShiftsPastTheEndClamp) {
  EXPECT_EQ(word_of("mov.u32 %r2, -8;\nshr.s32 %r9, %r2, 40;\n"), ~0U);
  EXPECT_EQ(word_of("mov.u32 %r2, -8;\nshr.u32 %r9, %r2, 40;\n"), 0U);
  EXPECT_EQ(word_of("mov.u32 %r2, 1;\nshl.b32 %r9, %r2, 32;\n"), 0U);
  EXPECT_EQ(word_of("mov.u32 %r2, 0x80000001;\nshf.l.wrap.b32 %r9, %r2, %r2, 1;\n"), 3U);
  EXPECT_EQ(word_of("mov.u32 %r2, 0x12345678;\nbfe.u32 %r9, %r2, 8, 8;\n"), 0x56U);
  EXPECT_EQ(word_of("mov.u32 %r2, 0xff;\nbfi.b32 %r9, %r2, 0, 28, 8;\n"), 0xf0000000U);
  EXPECT_EQ(word_of("mov.u32 %r2, 3;\nbmsk.clamp.b32 %r9, %r2, 4;\n"), 0x78U);
  EXPECT_EQ(word_of("mov.u32 %r2, 0x12345678;\nprmt.b32 %r9, %r2, 0, 0x3012;\n"), 0x12785634U);
  EXPECT_EQ(word_of("mov.u32 %r2, 0x10;\nbrev.b32 %r9, %r2;\n"), 0x08000000U);
}

TEST(PtxInstructions, ComparisonsWithNaNAreFalseUnlessUnordered) {
  const std::string flag = "selp.b32 %r9, 1, 0, %p1;\n";
  EXPECT_EQ(word_of("setp.lt.f32 %p1, 0f7FC00000, 0f00000000;\n" + flag), 0U);
  EXPECT_EQ(word_of("setp.ne.f32 %p1, 0f7FC00000, 0f00000000;\n" + flag), 0U);
  EXPECT_EQ(word_of("setp.neu.f32 %p1, 0f7FC00000, 0f00000000;\n" + flag), 1U);
  EXPECT_EQ(word_of("setp.ltu.f32 %p1, 0f7FC00000, 0f00000000;\n" + flag), 1U);
  EXPECT_EQ(word_of("setp.ge.f64 %p1, 0d7FF8000000000000, 0d0000000000000000;\n" + flag), 0U);
}

TEST(PtxInstructions, ProductsAndSumsAreRoundedOneByOneAndFusedOnesOnce) {
  // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 when nothing is rounded between.
  const std::string load = "mov.f32 %f1, 0f3F800800;\nmov.f32 %f2, 0fBF801000;\n";
  EXPECT_EQ(word_of(load + "mul.rn.f32 %f3, %f1, %f1;\nadd.rn.f32 %f4, %f3, %f2;\nmov.b32 %r9, %f4;\n"), 0U);
  EXPECT_EQ(word_of(load + "fma.rn.f32 %f4, %f1, %f1, %f2;\nmov.b32 %r9, %f4;\n"), 0x33800000U);
}

TEST(PtxInstructions, ShufflesMoveWithinTheirSegment) {
  const auto lanes_after = [](const std::string& shuffle) {
    return run_ptx(kernel_text(thread_words + shuffle + "st.global.u32 [%rd3], %r9;\n"), {1}, 32, {}, {1, 32, 0}).out;
  };
  const auto down = lanes_after("shfl.sync.down.b32 %r9|%p1, %r1, 8, 31, -1;\n");
  EXPECT_EQ(down[3], 11U);
  EXPECT_EQ(down[30], 30U);
  const auto up = lanes_after("shfl.sync.up.b32 %r9|%p1, %r1, 4, 0, -1;\n");
  EXPECT_EQ(up[3], 3U);
  EXPECT_EQ(up[30], 26U);
  const auto halves = lanes_after("shfl.sync.down.b32 %r9, %r1, 8, 0x101f, -1;\n");
  EXPECT_EQ(halves[12], 12U);
  EXPECT_EQ(halves[17], 25U);
  EXPECT_EQ(lanes_after("shfl.sync.bfly.b32 %r9, %r1, 5, 31, -1;\n")[6], 3U);
}

TEST(PtxInstructions, LanesThatPartMeetAgain) {
  const std::string body =
      "and.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\nmov.u32 %r9, 10;\n@%p1 bra $even;\n"
      "add.u32 %r9, %r9, %r1;\nbra.uni $join;\n$even:\nsub.u32 %r9, %r9, %r1;\n$join:\n"
      "vote.sync.ballot.b32 %r3, %p1, -1;\nxor.b32 %r9, %r9, %r3;\nst.global.u32 [%rd3], %r9;\n";
  for (const lacis_ptx_turns turns : {lacis_ptx_lowest, lacis_ptx_random, lacis_ptx_ahead}) {
    const ptx_run done = run_ptx(kernel_text(thread_words + body), {1}, 64, {.turns = turns});
    ASSERT_EQ(done.fault, "");
    for (std::uint32_t k = 0; k < 64; ++k) EXPECT_EQ(done.out[k], ((k % 2 == 0 ? 10 - k : 10 + k) ^ 0x55555555U)) << k;
  }
}

TEST(PtxInstructions, SectorsAndBankConflictsAreCounted) {
  const auto counted = [](const std::string& body) {
    device_memory memory(1 << 20);
    void* const to = memory.allocate(4096);
    module all;
    read_module(kernel_text(thread_words + body, 1024), all);
    machine runs(memory);
    runs.options.count = 1;
    const void* arguments[] = {&to, &to};
    runs.launch(all, all.kernels.at("k"), {1, 32, 0}, const_cast<void**>(arguments));
    return runs.counters;
  };
  const lacis_ptx_counters row = counted("st.global.u32 [%rd3], %r1;\nst.shared.u32 [%rd5], %r1;\n");
  EXPECT_EQ(row.sectors, 4U);
  EXPECT_EQ(row.requests, 1U);
  EXPECT_EQ(row.bank_conflicts, 0U);
  const lacis_ptx_counters column = counted(
      "mul.wide.u32 %rd7, %r1, 128;\nadd.s64 %rd8, %rd1, %rd7;\nst.global.u32 [%rd8], %r1;\nmov.u64 %rd9, words;\n"
      "add.s64 %rd9, %rd9, %rd7;\nst.shared.u32 [%rd9], %r1;\n");
  EXPECT_EQ(column.sectors, 32U);
  EXPECT_EQ(column.bank_conflicts, 31U);
  EXPECT_EQ(column.active_lanes, column.instructions * 32);
  // Accesses of 8 bytes are served in halves of the warp: neighbours do not conflict, two columns of a row do.
  const std::string wide = "mov.u64 %rd9, words;\nadd.s64 %rd9, %rd9, %rd7;\nst.shared.u64 [%rd9], %rd7;\n";
  EXPECT_EQ(counted("mul.wide.u32 %rd7, %r1, 8;\n" + wide).bank_conflicts, 0U);
  EXPECT_EQ(counted("mul.wide.u32 %rd7, %r1, 16;\n" + wide).bank_conflicts, 2U);
  // A generic address of shared memory is no request to global memory.
  const lacis_ptx_counters generic = counted("cvta.shared.u64 %rd9, %rd5;\nst.u32 [%rd9], %r1;\n");
  EXPECT_EQ(generic.requests, 0U);
  EXPECT_EQ(generic.shared_requests, 1U);
}

}  // namespace
}  // namespace lacis::ptx
