// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the interpreter reports, and that it keeps quiet about what is allowed.
#include <gtest/gtest.h>

#include "run_ptx.hpp"

namespace lacis::ptx {
namespace {

const std::vector<std::uint32_t> some(64, 7);

std::string fault_of(const std::string& body, const lacis_ptx_options& how = {}, launch_shape shape = {1, 64, 0}) {
  return run_ptx(kernel_text(thread_words + body), some, 64, how, shape).fault;
}
testing::AssertionResult says(const std::string& fault, const std::string& words) {
  return fault.find(words) != std::string::npos ? testing::AssertionSuccess()
                                                : testing::AssertionFailure() << "'" << fault << "'";
}

const std::string store_shared = "st.shared.u32 [%rd5], %r1;\n";
const std::string load_neighbour =
    "xor.b32 %r2, %r1, 33;\nmul.wide.u32 %rd7, %r2, 4;\nmov.u64 %rd8, words;\n"
    "add.s64 %rd8, %rd8, %rd7;\nld.shared.u32 %r3, [%rd8];\nst.global.u32 [%rd3], %r3;\n";

TEST(PtxFaults, ABarrierOrdersAndItsAbsenceIsARace) {
  EXPECT_EQ(fault_of(store_shared + "bar.sync 0;\n" + load_neighbour), "");
  for (const lacis_ptx_turns turns : {lacis_ptx_lowest, lacis_ptx_random, lacis_ptx_ahead}) {
    // Where the load comes first, what it reads was never written.
    const std::string fault = fault_of(store_shared + load_neighbour, {.turns = turns});
    EXPECT_TRUE(fault.find("a race: this") != std::string::npos || fault.find("never written") != std::string::npos)
        << fault;
  }
}

TEST(PtxFaults, AWarpBarrierOrdersLanesOfItsMaskOnly) {
  const std::string within =
      "xor.b32 %r2, %r1, 1;\nmul.wide.u32 %rd7, %r2, 4;\nmov.u64 %rd8, words;\n"
      "add.s64 %rd8, %rd8, %rd7;\nld.shared.u32 %r3, [%rd8];\n";
  EXPECT_EQ(fault_of(store_shared + "bar.warp.sync -1;\n" + within), "");
  EXPECT_TRUE(says(fault_of(store_shared + within), "a race: this load"));
  EXPECT_NE(fault_of(store_shared + "bar.warp.sync -1;\n" + load_neighbour), "");  // of the other warp
  const std::string own = "mov.u32 %r4, 1;\nmov.u32 %r5, %laneid;\nshl.b32 %r4, %r4, %r5;\nbar.warp.sync %r4;\n";
  EXPECT_TRUE(says(fault_of(store_shared + own + within), "a race"));
}

TEST(PtxFaults, AShuffleDoesNotOrderMemory) {
  EXPECT_TRUE(
      says(fault_of(store_shared + "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;\nxor.b32 %r2, %r1, 1;\n"
                                   "mul.wide.u32 %rd7, %r2, 4;\nmov.u64 %rd8, words;\nadd.s64 %rd8, %rd8, %rd7;\n"
                                   "ld.shared.u32 %r3, [%rd8];\n"),
           "a race: this load"));
}

/// Thread 0 of block 0 stores a word and sets a flag; thread 0 of the other block waits for the flag and loads the
/// word.
std::string message(const std::string& set, const std::string& wait, const std::string& between_store_and_flag = "",
                    const std::string& after = "") {
  return thread_words +
         "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $end;\nmov.u32 %r2, %ctaid.x;\nsetp.ne.s32 %p2, %r2, 0;\n"
         "@%p2 bra $reader;\nst.global.u32 [%rd1], 5;\n" +
         between_store_and_flag + set + " [%rd2], 1;\nbra.uni $end;\n$reader:\n" + wait +
         " %r3, [%rd2];\nsetp.eq.s32 %p3, %r3, 1;\n@%p3 bra $come;\nnanosleep.u32 10;\nbra.uni $reader;\n$come:\n" +
         after + "ld.global.u32 %r4, [%rd1];\nst.global.u32 [%rd1+4], %r4;\n$end:\n";
}
std::string fault_of_message(const std::string& body, std::uint64_t seed = 1) {
  return run_ptx(kernel_text(body), some, 64,
                 {.turns = lacis_ptx_random, .resident_blocks = 2, .seed = seed, .stale = 1}, {2, 32, 0})
      .fault;
}

TEST(PtxFaults, ReleaseAndAcquireOrderWhatTheirScopeReaches) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_EQ(fault_of_message(message("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32"), seed), "");
    EXPECT_EQ(
        fault_of_message(
            message("st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32", "membar.gl;\n", "membar.gl;\n"), seed),
        "");
  }
  EXPECT_TRUE(
      says(fault_of_message(message("st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32")), "a race: this load"));
  EXPECT_TRUE(
      says(fault_of_message(message("st.release.gpu.global.u32", "ld.relaxed.gpu.global.u32")), "a race: this load"));
  EXPECT_TRUE(says(fault_of_message(message("st.release.cta.global.u32", "ld.acquire.cta.global.u32")), "a race"));
  EXPECT_TRUE(says(fault_of_message(message("st.global.u32", "ld.global.u32")), "a race"));
  EXPECT_TRUE(says(fault_of_message(message("st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32", "membar.cta;\n",
                                            "membar.gl;\n")),
                   "a race"));
}

TEST(PtxFaults, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  EXPECT_EQ(fault_of("atom.global.add.u32 %r2, [%rd2], 1;\n"), "");
  EXPECT_TRUE(says(fault_of("atom.global.add.u32 %r2, [%rd2], 1;\nld.global.u32 %r3, [%rd2];\n"), "a race: this load"));
  EXPECT_TRUE(says(fault_of("atom.cta.global.add.u32 %r2, [%rd2], 1;\n", {}, {2, 32, 0}), "a race"));
}

TEST(PtxFaults, StoresOfTheSameValueAreAllowed) {
  EXPECT_EQ(fault_of("st.global.u32 [%rd1], 3;\n"), "");
  EXPECT_TRUE(says(fault_of("st.global.u32 [%rd1], %r1;\n"), "a race: this store"));
}

TEST(PtxFaults, AStoreAfterUnorderedLoadsIsARace) {
  EXPECT_TRUE(says(
      fault_of(
          "ld.global.u32 %r2, [%rd2];\nsetp.ne.s32 %p1, %r1, 40;\n@%p1 bra $end;\nst.global.u32 [%rd2], 9;\n$end:\n"),
      "a race: this store is not ordered after the load"));
}

TEST(PtxFaults, TheReadOnlyPathIsForWhatIsNotWritten) {
  EXPECT_EQ(fault_of("ld.global.nc.u32 %r2, [%rd4];\nst.global.u32 [%rd3], %r2;\n"), "");
  EXPECT_TRUE(
      says(fault_of("st.global.u32 [%rd3], 1;\nld.global.nc.u32 %r2, [%rd3];\n"), "read-only path (.nc) of what"));
  EXPECT_TRUE(
      says(fault_of("ld.global.nc.u32 %r2, [%rd4];\nst.global.u32 [%rd4], 1;\n"), "loaded through the read-only path"));
}

TEST(PtxFaults, TheReadOnlyPathIsRememberedPastLaterLoads) {
  const std::string load_all = "ld.global.u32 %r2, [%rd2];\nbar.sync 0;\n";  // by more threads than are remembered
  const std::string store_once = "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra $end;\nst.global.u32 [%rd2], 9;\n$end:\n";
  EXPECT_EQ(fault_of(load_all + store_once), "");
  EXPECT_TRUE(says(fault_of("ld.global.nc.u32 %r3, [%rd2];\nbar.sync 0;\n" + load_all + store_once),
                   "loaded through the read-only path"));
}

TEST(PtxFaults, CubMayStoreAfterItsReadOnlyLoadsAndNothingElse) {
  const auto fault_of_cub = [](const std::string& body, const lacis_ptx_options& how) {
    std::string text = kernel_text(thread_words + body);
    text.replace(text.find(".entry k("), 9, ".entry _ZN3cub1k(");
    return run_ptx(text, some, 64, how).fault;
  };
  const std::string load_own = "ld.global.nc.u32 %r3, [%rd4];\n";
  const std::string load_other =  // what the thread of the other warp stores
      "xor.b32 %r2, %r1, 33;\nmul.wide.u32 %rd7, %r2, 4;\nadd.s64 %rd8, %rd2, %rd7;\nld.global.nc.u32 %r3, [%rd8];\n";
  const std::string first_warp_loads =  // and the other one stores
      "setp.gt.u32 %p1, %r1, 31;\nmov.u32 %r3, 1;\n@%p1 bra $store;\n" + load_other + "ret;\n$store:\n";
  const std::string barrier = "bar.sync 0;\n";
  const std::string store = "st.global.u32 [%rd4], %r3;\n";
  for (const lacis_ptx_turns turns : {lacis_ptx_lowest, lacis_ptx_random, lacis_ptx_ahead})
    for (const int races : {0, 1}) {
      const lacis_ptx_options how{.turns = turns, .races = races};
      EXPECT_EQ(fault_of_cub(load_own + store, how), "");
      EXPECT_EQ(fault_of_cub(load_other + barrier + store, how), "");
      EXPECT_TRUE(says(fault_of_cub(first_warp_loads + store, how), "the read-only path (.nc)"));
      EXPECT_TRUE(says(fault_of_cub("mov.u32 %r3, 1;\n" + store + barrier + load_other, how), "(.nc) of what"));
      EXPECT_TRUE(says(fault_of_cub(load_own + store + load_own, how), "(.nc) of what"));
      EXPECT_TRUE(says(fault_of(load_own + store, how), "loaded through the read-only path"));
      EXPECT_TRUE(says(fault_of(load_other + barrier + store, how), "loaded through the read-only path"));
    }
}

TEST(PtxFaults, AddressesMustBeAlignedAndInsideOfArraysThatSomebodyWrote) {
  EXPECT_TRUE(says(fault_of("ld.global.v2.u32 {%r2, %r3}, [%rd4];\n"), "not aligned to 8 bytes"));
  EXPECT_TRUE(says(fault_of("ld.global.u32 %r2, [%rd4+4];\n"), "an address outside of every array"));
  EXPECT_TRUE(says(fault_of("st.shared.u32 [%rd5+4096], 1;\n"), "shared memory ends at byte"));
  EXPECT_TRUE(says(fault_of("ld.global.u32 %r2, [%rd3];\n"), "memory that was never written"));
  EXPECT_TRUE(says(fault_of("ld.shared.u32 %r2, [%rd5];\n"), "memory that was never written"));
  EXPECT_TRUE(says(fault_of("atom.global.add.u32 %r2, [%rd1], 1;\n"), "memory that was never written"));
}

TEST(PtxFaults, MasksMustNameLanesThatCome) {
  EXPECT_TRUE(says(fault_of("shfl.sync.idx.b32 %r2, %r1, 0, 31, 2;\n"), "the mask leaves out the lane itself"));
  EXPECT_TRUE(says(fault_of("setp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\nbar.warp.sync -1;\n$end:\n"),
                   "a lane that has returned"));
  const std::string halves =
      "and.b32 %r2, %r1, 16;\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra $low;\n"
      "shfl.sync.idx.b32 %r3, %r1, 0, 31, 0xffff0000;\nbra.uni $end;\n$low:\nbar.warp.sync 0xffff;\n$end:\n";
  EXPECT_TRUE(says(fault_of(halves), "the shuffle reads lane 0, which its mask leaves out"));
}

TEST(PtxFaults, BarriersThatNotAllReachAreReported) {
  EXPECT_TRUE(says(
      fault_of(
          "setp.lt.s32 %p1, %r1, 32;\n@%p1 bra $other;\nbar.sync 0;\nbra.uni $end;\n$other:\nbar.sync 0;\n$end:\n"),
      "wait at two barriers"));
  EXPECT_TRUE(says(fault_of("$again:\nnanosleep.u32 1;\nbra.uni $again;\n"), "deadlock"));
}

TEST(PtxFaults, WhatIsNotKnownIsRefusedWithItsLine) {
  EXPECT_TRUE(says(fault_of("sin.approx.f32 %f1, %f2;\n"), "opcode 'sin' is not known"));
  EXPECT_TRUE(says(fault_of("sin.approx.f32 %f1, %f2;\n"), "PTX line 23, in k"));
  EXPECT_TRUE(says(fault_of("add.rz.f32 %f1, %f2, %f3;\n"), "add with 'rz' is not known"));
  EXPECT_TRUE(says(fault_of("add.u32 %r2, %r1;\n"), "add has 2 operands, not 3"));
  EXPECT_TRUE(says(fault_of("bra $nowhere;\n"), "label '$nowhere'"));
  EXPECT_TRUE(says(fault_of("mov.u32 %r2, %clock;\n"), "operand '%clock' is not known"));
}

TEST(PtxFaults, FaultsNameTheLineOfTheSource) {
  const std::string text = ".file 3 \"/home/me/lacis/build/../src/core/kernels/vector.hpp\"\n" +
                           kernel_text(thread_words + ".loc 3 41 7\nld.global.u32 %r2, [%rd3];\n");
  EXPECT_TRUE(says(run_ptx(text, some, 64).fault, "PTX line 25 (src/core/kernels/vector.hpp:41), block 0, thread 0"));
}

}  // namespace
}  // namespace lacis::ptx
