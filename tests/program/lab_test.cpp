// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab: which kernels are meant, what a report becomes on a screen, as JSON, as a picture and in words.
#include <algorithm>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>

#include "commands/lab/methods.hpp"
#include "program/lab_results.hpp"
#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;
using strings = std::vector<std::string>;

constexpr lab::method_facts some_methods[] = {{"csr_stream", "", "csr_stream", 256},
                                              {"csr_row", "", "csr_row", 256},
                                              {"csr_row_128", "", "csr_row", 128},
                                              {"csr_row_1024", "", "csr_row", 1024},
                                              {"sell_32", "", "sell_32", 128}};

std::string message_of(const auto& work) {
  try {
    static_cast<void>(work());
  } catch (const error& problem) {
    return problem.what();
  }
  return {};
}

std::ptrdiff_t sentences(const std::string& text) {
  std::ptrdiff_t count = text.ends_with('.') ? 1 : 0;
  for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1)) ++count;
  return count;
}

TEST(LabMethods, AreThoseWithTheNameOfTheirFamilyUnlessBlocksAreNamed) {
  EXPECT_EQ(choose_methods(some_methods, {}, {}), (strings{"csr_stream", "csr_row", "sell_32"}));
  const int blocks[] = {128, 1024};
  EXPECT_EQ(choose_methods(some_methods, {}, blocks), (strings{"csr_row_128", "csr_row_1024", "sell_32"}));
}

TEST(LabMethods, AreNamedByFamilyOrInFull) {
  const strings row = {"csr_row"};
  EXPECT_EQ(choose_methods(some_methods, row, {}), row);
  const int blocks[] = {128, 256};
  EXPECT_EQ(choose_methods(some_methods, row, blocks), (strings{"csr_row", "csr_row_128"}));
  EXPECT_EQ(choose_methods(some_methods, row, std::span(blocks, 1)), strings{"csr_row_128"});
  const strings full = {"csr_row_1024", "csr_stream", "csr_row_1024"};
  EXPECT_EQ(choose_methods(some_methods, full, {}), (strings{"csr_stream", "csr_row_1024"}));
}

TEST(LabMethods, SuggestAndExplainWhatThereIsNot) {
  const strings misspelt = {"csr_raw"};
  EXPECT_EQ(message_of([&] { return choose_methods(some_methods, misspelt, {}); }),
            "--kernel: there is no kernel 'csr_raw'; did you mean 'csr_row'?");
  const strings row = {"csr_row"};
  const int blocks[] = {512};
  EXPECT_EQ(message_of([&] { return choose_methods(some_methods, row, blocks); }),
            "csr_row has no block of a size that --block names; it has 256, 128, 1024");
  EXPECT_NE(message_of([&] { return choose_methods(some_methods, {}, blocks); }), "");
}

TEST(LabJson, HasTheNamesThatScriptsRelyOn) {
  lab_result result = result_of({full_sectors("csr_row", 2e-6), full_sectors("sell_32", 1e-6), {}});
  result.report.methods[2].kernel = "ell_row";
  result.report.methods[2].refused = "ELL would pad 1 to 900";
  json all = json::parse(lab_json(result, std::nullopt));
  EXPECT_EQ(all["matrix"], "a.mtx");
  EXPECT_EQ(all["rows"], 100);
  EXPECT_EQ(all["cols"], 400);
  EXPECT_EQ(all["entries"], 3200);
  EXPECT_EQ(all["gpu"], "t4");
  EXPECT_EQ(all["model"], true);
  EXPECT_EQ(all["sampled_rows"], 100);
  EXPECT_EQ(all["sampled_entries"], 3200);
  EXPECT_EQ(all["fits_l2"], false);
  EXPECT_FALSE(all.contains("explanation"));
  ASSERT_EQ(all["kernels"].size(), 2u);
  json& first = all["kernels"][0];
  EXPECT_EQ(first["kernel"], "sell_32");
  EXPECT_EQ(first["block"], 256);
  EXPECT_EQ(first["active_lanes"], 1);
  EXPECT_EQ(first["requests_per_nnz"], 0.125);
  EXPECT_EQ(first["bytes_requested_per_nnz"], 44);
  EXPECT_EQ(first["dram_bytes_per_nnz"], 13);
  EXPECT_EQ(first["compulsory_bytes_per_nnz"], 13);
  EXPECT_EQ(first["bank_conflicts_per_nnz"], 0);
  EXPECT_EQ(first["atomics_per_nnz"], 0);
  EXPECT_EQ(first["model_s"], 1e-6);
  EXPECT_EQ(first["model_share"], 0.5);
  EXPECT_EQ(first["bound_by"], "DRAM");
  ASSERT_EQ(first["arrays"].size(), 3u);
  EXPECT_EQ(first["arrays"][0]["name"], "values");
  EXPECT_EQ(first["arrays"][0]["sectors_per_request"], 8);
  ASSERT_EQ(all["refused"].size(), 1u);
  EXPECT_EQ(all["refused"][0]["kernel"], "ell_row");
  EXPECT_EQ(all["refused"][0]["reason"], "ELL would pad 1 to 900");
  EXPECT_EQ(json::parse(lab_json(result, "words"))["explanation"], "words");
}

TEST(LabScreen, SaysWhatIsModelledSampledAndRefused) {
  lab_result result = result_of({full_sectors("csr_row", 2e-6), full_sectors("csr_warp_shuffle_1024", 1e-6), {}});
  result.report.methods[2].kernel = "ell_row";
  result.report.methods[2].refused = "ELL would pad 1 to 900";
  const terminal narrow{.unicode = true, .columns = 80};
  const std::string whole = lab_screen(result, std::nullopt, narrow);
  EXPECT_TRUE(contains(whole, " model model model model\n")) << whole;
  EXPECT_TRUE(contains(whole, "model: NVIDIA T4, 4 MiB of L2, 320 GB/s, no L1; nothing ran on it")) << whole;
  EXPECT_TRUE(contains(whole, "run: every row")) << whole;
  EXPECT_TRUE(contains(whole, "not run: ell_row: ELL would pad 1 to 900")) << whole;
  EXPECT_LT(whole.find("csr_warp_shuffle_1024"), whole.find("csr_row")) << whole;
  EXPECT_FALSE(contains(whole, "fits in the L2"));
  EXPECT_FALSE(contains(whole, "atomics"));

  result.report.rows = 1'000'000;
  result.report.nnz = 32'000'000;
  result.report.fits_l2 = true;
  result.report.methods[0].atomics_per_nnz = 1;
  const std::string sampled = lab_screen(result, "Words.", narrow);
  EXPECT_TRUE(contains(sampled, "sampled: 100 of 1,000,000 rows, 3,200 of 32,000,000 entries")) << sampled;
  EXPECT_TRUE(contains(sampled, "the matrix fits in the L2, so DRAM bytes are of little use")) << sampled;
  EXPECT_TRUE(contains(sampled, "atomics per entry: csr_row 1.00")) << sampled;
  EXPECT_TRUE(sampled.ends_with("\n\nWords.\n")) << sampled;
  EXPECT_TRUE(contains(lab_screen(result, std::nullopt, {.unicode = true, .columns = 120}), "atomics\n"));
}

TEST(LabScreen, SaysWhenASampleDoesNotFillTheGpu) {
  lab_result result = result_of({full_sectors("csr_row", 1e-6)});
  result.report.rows = 1'000'000;
  result.report.nnz = 32'000'000;
  result.report.sampled_rows = 81'919;  // 40 multiprocessors with 1024 threads, twice, less one
  EXPECT_TRUE(contains(sample_words(result), "the GPU runs 40,960 threads at once")) << sample_words(result);
  EXPECT_TRUE(contains(sample_words(result), "--entries 2621440 would fill it twice")) << sample_words(result);
  result.report.sampled_rows = 81'920;
  EXPECT_FALSE(contains(sample_words(result), "at once")) << sample_words(result);
}

TEST(LabScreen, StaysWithinEightyColumns) {
  lab_result result = result_of({full_sectors("csr_warp_shuffle_1024", 9.87654e-3), full_sectors("csr_row", 1e-6)});
  result.report.methods[0].bytes_requested_per_nnz = 1234;
  result.report.methods[0].dram_bytes_per_nnz = 99.9;
  result.report.methods[0].bank_conflicts_per_nnz = 3;
  const std::string screen = lab_screen(result, lab_explanation(result), {.unicode = true, .columns = 80});
  for (std::size_t at = 0; at < screen.size(); at = screen.find('\n', at) + 1)
    EXPECT_LE(columns_of(screen.substr(at, screen.find('\n', at) - at)), 80u) << screen;
}

TEST(LabExplanation, FindsUncoalescedValuesAndColumns) {
  lab::method_report slow = full_sectors("csr_row", 3e-6);
  slow.arrays[0].sectors = slow.arrays[1].sectors = 3200;
  const std::string text = lab_explanation(result_of({slow, full_sectors("sell_32", 1e-6)}));
  EXPECT_EQ(text,
            "Uncoalesced values and columns decide between the kernels: csr_row requests 64 bytes of them per entry, "
            "sell_32 only 12. Take sell_32: in the model it is 3.00 times as fast as csr_row.");
}

TEST(LabExplanation, FindsIdleLanes) {
  lab::method_report slow = full_sectors("csr_warp_shuffle", 4e-6);
  slow.active_lanes = 0.0625;
  const std::string text = lab_explanation(result_of({slow, full_sectors("csr_row", 1e-6)}));
  EXPECT_EQ(text,
            "Idle lanes decide between the kernels: 6 % of the lanes of csr_warp_shuffle work, against 100 % in "
            "csr_row. Take csr_row: in the model it is 4.00 times as fast as csr_warp_shuffle.");
}

TEST(LabExplanation, FindsPadding) {
  lab::method_report slow = full_sectors("ell_row", 2e-6);
  slow.compulsory_bytes_per_nnz = slow.dram_bytes_per_nnz = 26;
  const std::string text = lab_explanation(result_of({slow, full_sectors("csr_row", 1e-6)}));
  EXPECT_EQ(text,
            "Padding and other stored bytes decide between the kernels: ell_row has to read 26 bytes per entry, "
            "csr_row only 13. Take csr_row: in the model it is 2.00 times as fast as ell_row.");
}

TEST(LabExplanation, FindsMissesOnX) {
  lab::method_report best = full_sectors("sell_32", 2e-6);
  best.arrays[2].dram_bytes_per_nnz = 25;
  best.dram_bytes_per_nnz = 37;
  const std::string text = lab_explanation(result_of({best, full_sectors("csr_row", 2.5e-6)}));
  EXPECT_EQ(text,
            "L2 misses on x decide: fetching x again takes 24 of the 37 bytes per entry that sell_32 moves in the "
            "model. Take sell_32: in the model it is 1.25 times as fast as csr_row.");
}

TEST(LabExplanation, FindsScatteredX) {
  lab::method_report best = full_sectors("sell_32", 1e-6);
  best.bound_by = "L2";
  const std::string text = lab_explanation(result_of({best, full_sectors("csr_stream", 2e-6)}));
  EXPECT_EQ(text,
            "Scattered x decides: a request for x touches 32 sectors, which makes 32 of the 44 bytes that sell_32 "
            "requests per entry. Take sell_32: in the model it is 2.00 times as fast as csr_stream.");
}

TEST(LabExplanation, FindsLaunches) {
  lab::method_report best = full_sectors("csr_row", 3.5e-6);
  best.bound_by = "launches";
  const std::string text = lab_explanation(result_of({best, full_sectors("csr_stream", 3.6e-6)}));
  EXPECT_EQ(
      text,
      "The matrix is small: in the model, launching takes most of the 3.5 microseconds that even csr_row needs. Take "
      "csr_row or csr_stream: in the model they are within 5 % of each other.");
}

TEST(LabExplanation, HasThreeSentencesAtMost) {
  lab::method_report best = full_sectors("sell_32", 1e-6);
  best.arrays[2].dram_bytes_per_nnz = 25;
  best.dram_bytes_per_nnz = 37;
  lab::method_report idle = full_sectors("csr_warp_shuffle", 4e-6);
  idle.active_lanes = 0.25;
  lab::method_report wide = full_sectors("csr_row", 3e-6);
  wide.arrays[0].sectors = 3200;
  const std::string text = lab_explanation(result_of({best, idle, wide}));
  EXPECT_EQ(sentences(text), 3) << text;
  EXPECT_TRUE(contains(text, "Uncoalesced")) << text;  // what the textbook's kernel suffers from goes before others
}

TEST(LabExplanation, HasWordsForNoDifferenceOneKernelAndNone) {
  EXPECT_EQ(lab_explanation(result_of({full_sectors("csr_row", 1e-6), full_sectors("sell_32", 1e-6)})),
            "No effect stands out: the arrays of the matrix are 12 of the 13 bytes per entry that csr_row moves in "
            "the model, "
            "which are 1.00 times the least. Take csr_row or sell_32: in the model they are within 5 % of each other.");
  EXPECT_TRUE(contains(lab_explanation(result_of({full_sectors("csr_row", 1e-6)})), "Only csr_row ran"));
  EXPECT_EQ(sentences(lab_explanation(result_of({}))), 1);
}

TEST(LabSvg, IsWellFormedWhateverTheNames) {
  lab_result result = result_of({full_sectors("csr_row", 2e-6), full_sectors("sell_32", 1e-6)});
  result.matrix = "a<b>&\"c\"\x01.mtx";
  const std::string bars = lab_svg(result);
  EXPECT_TRUE(is_well_formed(bars)) << bars;
  for (const char* words : {"a&lt;b&gt;&amp;&quot;c&quot; .mtx", "NVIDIA T4 (model)", "csr_row", "requested (counted)",
                            "from DRAM (model)", "compulsory (model)", "share (model)", "50 %"})
    EXPECT_TRUE(contains(bars, words)) << words;
  EXPECT_TRUE(is_well_formed(lab_svg(result_of({}))));
}

TEST(LabSvg, KnowsWhatIsNotWellFormed) {
  for (const char* broken : {"<svg>", "<svg></a>", "<svg><a></svg></a>", "<svg>&</svg>", "<svg x=\"></svg>", "words",
                             "<svg></svg><svg></svg>", "<svg>a>b</svg>"})
    EXPECT_FALSE(is_well_formed(broken)) << broken;
  EXPECT_TRUE(is_well_formed("<svg a=\"1\"><b/>&lt;</svg>\n"));
}

class LabSweep : public testing::Test {
 protected:
  LabSweep() {
    sweep_.kernels = {"csr_row", "ell_row"};
    for (std::int64_t length = 1; length <= 1024; length *= 2) {
      lab_result result = result_of({full_sectors("csr_row", 2e-6), full_sectors("ell_row", 1e-6)});
      if (length == 1024) result.report.methods[1].refused = "too wide";
      sweep_.points.push_back({length, std::move(result)});
    }
  }
  lab_sweep sweep_;
};

TEST_F(LabSweep, IsDrawnInTwoPanelsOneOfThemModelled) {
  const std::string picture = sweep_svg(sweep_);
  EXPECT_TRUE(is_well_formed(picture)) << picture;
  for (const char* words : {"Kernel comparison by row length, NVIDIA T4 (model)", "entries per row", "1,024",
                            "bytes requested per entry (counted)", "share of the bandwidth in % (model)", "ell_row"})
    EXPECT_TRUE(contains(picture, words)) << words;
}

TEST_F(LabSweep, IsATableOfRowLengthsAndJson) {
  const std::string screen = sweep_screen(sweep_, {.unicode = true, .columns = 80});
  EXPECT_TRUE(contains(screen, "  512  1024\n")) << screen;
  EXPECT_TRUE(contains(screen, "  csr_row  44  44")) << screen;
  EXPECT_TRUE(contains(screen, "   44     -\n")) << screen;
  EXPECT_TRUE(contains(screen, "model: share of the bandwidth in %")) << screen;
  const json all = json::parse(sweep_json(sweep_));
  EXPECT_EQ(all["sweep"], "rows");
  ASSERT_EQ(all["points"].size(), 11u);
  EXPECT_EQ(all["points"][3]["row_length"], 8);
  EXPECT_EQ(all["points"][3]["kernels"].size(), 2u);
  EXPECT_EQ(all["points"][10]["refused"][0]["reason"], "too wide");
}

TEST_F(Program, ExaminesKernelsOnAMatrix) {
  const outcome ran = shell("$LACIS lab @uniform:2000,8 --kernel csr_row --json --svg x.svg --explain");
  ASSERT_EQ(ran.code, 0) << ran.err;
  json all = json::parse(ran.out);
  EXPECT_EQ(all["entries"], 16000);
  ASSERT_EQ(all["kernels"].size(), 1u);
  EXPECT_EQ(all["kernels"][0]["kernel"], "csr_row");
  EXPECT_GT(all["kernels"][0]["bytes_requested_per_nnz"], 0);
  EXPECT_TRUE(is_well_formed(content(file("x.svg"))));
  const outcome picture = shell("$LACIS lab @uniform:2000,8 --kernel csr_row --svg -");
  EXPECT_EQ(picture.out, content(file("x.svg")));
  const outcome screen = shell("$LACIS lab @uniform:2000,8 --kernel csr_row --entries 4000 --type float");
  EXPECT_EQ(screen.code, 0) << screen.err;
  EXPECT_TRUE(contains(screen.out, "sampled: ")) << screen.out;
  EXPECT_TRUE(contains(screen.out, "entries, float")) << screen.out;
}

TEST_F(Program, CallsNonsenseInTheLaboratoryAUsageError) {
  for (const char* command :
       {"lab", "lab @rmat:4 --kernel csr_rwo", "lab @rmat:4 --block 100", "lab @rmat:4 --gpu t44",
        "lab @rmat:4 --type half", "lab @rmat:4 --entries many", "lab @rmat:4 --entries 0", "lab --sweep columns",
        "lab --sweep rows @rmat:4", "lab --sweep rows --explain", "lab --sweep rows --entries 9",
        "lab --sweep densities", "lab --op spgemm --sweep rows", "lab --op spgemm --sweep densities @rmat:4",
        "lab @rmat:4 --op spgem", "lab @rmat:4 --op spgemm --kernel csr_row", "lab @rmat:4 --op spgemm --svg x.svg",
        "lab @rmat:4 --json --svg -", "lab @density:4,0"}) {
    const outcome ran = shell(std::string("$LACIS ") + command);
    EXPECT_EQ(ran.code, 2) << command << ran.err;
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << command << ": " << ran.err;
  }
  EXPECT_TRUE(contains(shell("$LACIS lab @rmat:4 --kernel csr_rwo").err, "did you mean 'csr_row'?"));
}

TEST_F(Program, CompletesKernelsAndGpus) {
  const outcome ran = shell(
      "$LACIS completion bash > lacis.bash && bash -c '"
      ". ./lacis.bash; complete_() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _lacis; echo \"${COMPREPLY[*]}\"; }; "
      "complete_ lacis lab --kernel csr_row_12; complete_ lacis lab --gpu t; complete_ lacis lab --ex'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "csr_row_128\nt4\n--explain\n");
}

}  // namespace
}  // namespace lacis::app
