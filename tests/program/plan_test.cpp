// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis plan: the words it understands, what a report becomes on a screen and as JSON, and the rates it takes.
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>

#include "commands/machine/machine.hpp"
#include "commands/plan/findings.hpp"
#include "commands/plan/words.hpp"
#include "measure/profile.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

std::string message_of(const auto& work) {
  try {
    static_cast<void>(work());
  } catch (const error& problem) {
    return problem.what();
  }
  return {};
}

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, columns_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

/// 1000 entries: stencil-8 saves 2 us of 6 and costs 30 us; staged does not fit and is slower than csr.
plan_findings example() {
  plan_findings found;
  found.matrix = "a.mtx";
  found.rows = 100;
  found.cols = 200;
  found.entries = 1000;
  found.value_type = "double";
  found.threads = 2;
  found.memory_limit = 3 << 20;
  found.layout = "stencil-8";
  found.storage_bytes = 2048;
  found.moved_bytes = 4500;
  found.explanation = "Few diagonals.";
  found.report.candidates = {
      {"stencil-8", "one", 2048, 4500, 4e-6, 30e-6, {}, true, true, "memory bandwidth"},
      {"sell-8", "int8", 6000, 8000, 5e-6, 7e-6, {}, true, false, "memory bandwidth"},
      {"csr", "double", 12000, 14000, 6e-6, 2e-6, {}, true, false, "memory bandwidth"},
      {"staged-8", "double", 9000000, 20000, 7e-6, 90e-6, {}, false, false, "arithmetic"},
  };
  found.report.expected_uses = 5000;
  found.report.read_gbs = 19.25;
  found.report.rates = "built in";
  found.report.inspection_seconds = 60e-6;
  found.report.plain_seconds = 6e-6;
  return found;
}

TEST(PlanWords, AreLayoutsNumberingsAndKindsOfValues) {
  EXPECT_EQ(parse_layout(""), std::nullopt);
  EXPECT_EQ(parse_layout("stencil"), plan_layout::stencil);
  EXPECT_EQ(parse_reordering(""), reordering::none);
  EXPECT_EQ(parse_reordering("chain"), reordering::chain);
  EXPECT_EQ(parse_plan_values(""), plan_values::exact);
  EXPECT_EQ(parse_plan_values("given"), plan_values::as_given);
  EXPECT_EQ(parse_plan_values("float"), plan_values::as_float);
  const std::string misspelt = message_of([] { return parse_layout("stencl"); });
  EXPECT_TRUE(misspelt.starts_with("--layout must be one of csr, sell, stencil, ")) << misspelt;
  EXPECT_TRUE(misspelt.ends_with(" (got 'stencl'); did you mean 'stencil'?")) << misspelt;
  for (const plan_layout layout : plan_layouts) EXPECT_EQ(parse_layout(std::string(name_of(layout))), layout);
  EXPECT_EQ(message_of([] { return parse_reordering("amd"); }),
            "--reorder must be one of none, rcm, chain, degree (got 'amd')");
}

TEST(PlanWords, AreBytesWithPrefixes) {
  EXPECT_EQ(parse_bytes("1000000", "--x"), 1000000);
  EXPECT_EQ(parse_bytes("500M", "--x"), std::int64_t{500} << 20);
  EXPECT_EQ(parse_bytes("1.5G", "--x"), std::int64_t{3} << 29);
  EXPECT_EQ(parse_bytes("2GiB", "--x"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("3k", "--x"), 3072);
  EXPECT_EQ(parse_bytes("7TB", "--x"), std::int64_t{7} << 40);
  EXPECT_EQ(parse_bytes("12B", "--x"), 12);
  for (const char* wrong : {"", "G", "0", "-1", "2X", "2GG", "2G ", "1e30", "nan", "9999999T"})
    EXPECT_EQ(message_of([&] { return parse_bytes(wrong, "--x"); }),
              std::string("--x must be a number of bytes such as 500M or 2G (got '") + wrong + "')");
}

TEST(PlanFindings, ComputeWhenAllOfInspectionIsRegained) {
  const plan_findings found = example();
  EXPECT_EQ(found.break_even(found.report.candidates[0]), 60e-6 / (6e-6 - 4e-6));
  // Another candidate would have taken its own conversion instead of the one that was made.
  EXPECT_EQ(found.break_even(found.report.candidates[1]), (60e-6 - 30e-6 + 7e-6) / (6e-6 - 5e-6));
  EXPECT_EQ(found.break_even(found.report.candidates[3]), std::nullopt);  // slower
  EXPECT_EQ(found.inspection_products(), 60e-6 / 6e-6);
}

TEST(PlanFindings, NeverCountLessThanTheConversion) {
  plan_findings found = example();
  found.report.inspection_seconds = 20e-6;  // the prediction of the conversion was too high
  EXPECT_EQ(found.break_even(found.report.candidates[1]), 7e-6 / (6e-6 - 5e-6));
}

TEST(PlanFindings, KnowNoBreakEvenOfCsrItself) {
  plan_findings found = example();
  found.report.candidates[2].seconds = 5e-6;
  EXPECT_EQ(found.break_even(found.report.candidates[2]), std::nullopt);
}

TEST(PlanFindings, TakeMeasuredTimesWhereBothHaveOne) {
  plan_findings found = example();
  found.report.candidates[0].measured_seconds = 2e-6;
  EXPECT_EQ(found.break_even(found.report.candidates[0]), 60e-6 / (6e-6 - 4e-6));
  found.report.candidates[2].measured_seconds = 8e-6;
  EXPECT_EQ(found.break_even(found.report.candidates[0]), 60e-6 / (8e-6 - 2e-6));
  EXPECT_EQ(found.break_even(found.report.candidates[1]), (60e-6 - 30e-6 + 7e-6) / (6e-6 - 5e-6));
}

TEST(PlanFindings, TakeTheCandidateCsrWhereNothingElseIsKnownOfThePlainProduct) {
  plan_findings found = example();
  found.report.plain_seconds = 0;
  found.report.candidates[2].seconds = 12e-6;
  EXPECT_EQ(found.plain_seconds(), 12e-6);
  EXPECT_EQ(found.break_even(found.report.candidates[0]), 60e-6 / (12e-6 - 4e-6));
  found.report.candidates.clear();
  EXPECT_EQ(found.plain_seconds(), std::nullopt);
  EXPECT_EQ(found.inspection_products(), std::nullopt);
}

TEST(PlanScreen, ShowsTheCandidatesAndWhatTheyCost) {
  const std::string screen = plan_screen(example(), {.unicode = true, .columns = 80});
  for (const char* words :
       {"a.mtx  100 × 200, 1,000 entries, double; 2 threads, 5,000 products\n", "\n\n  Few diagonals.\n\n    layout ",
        "  * stencil-8  one          4 µs    30 µs          30  memory bandwidth      4.5\n",
        "    csr        double       6 µs     2 µs           -  memory bandwidth       14\n",
        "  ! staged-8   double       7 µs    90 µs           -        arithmetic       20\n",
        "!: takes more than the limit of 3 MiB;", "  limit       19.2 GB/s reading memory; rates: built in\n",
        "  inspection  60 µs, as long as 10 products without a plan\n",
        "  memory      2 KiB; a product moves 4.39 KiB\n"})
    EXPECT_TRUE(contains(screen, words)) << words << '\n' << screen;
  EXPECT_FALSE(contains(screen, "measured")) << screen;
  EXPECT_LE(widest_line(screen), 80U) << screen;
}

TEST(PlanScreen, LeavesOutWhatDoesNotFitAndStaysAscii) {
  plan_findings found = example();
  found.report.tuned = true;
  found.report.candidates[0].measured_seconds = 3e-6;
  const std::string wide = plan_screen(found, {.columns = 100});
  EXPECT_TRUE(contains(wide, "limited by"));
  EXPECT_TRUE(contains(wide, "4 us      3 us")) << wide;
  const std::string usual = plan_screen(found, {.columns = 80});
  EXPECT_FALSE(contains(usual, "limited by"));
  EXPECT_TRUE(contains(usual, "values"));
  EXPECT_LE(widest_line(usual), 80U) << usual;
  const std::string narrow = plan_screen(found, {.columns = 66});
  EXPECT_FALSE(contains(narrow, "values"));
  EXPECT_LE(widest_line(narrow), 66U) << narrow;
  for (const char c : wide + usual + narrow) ASSERT_EQ(static_cast<unsigned char>(c) & 0x80, 0);
  EXPECT_FALSE(contains(wide, "\x1b"));
  EXPECT_TRUE(contains(plan_screen(found, {.color = true, .columns = 80}), "\x1b[32m  * stencil-8"));
}

TEST(PlanScreen, DoesWithoutCandidatesAndEntries) {
  plan_findings found = example();
  found.report = {};
  found.entries = 0;
  const std::string screen = plan_screen(found, {.columns = 80});
  EXPECT_FALSE(contains(screen, "layout")) << screen;
  EXPECT_FALSE(contains(screen, "limit")) << screen;
  EXPECT_TRUE(contains(screen, "a product moves 4.39 KiB\n")) << screen;
}

TEST(PlanJson, HasEveryNumber) {
  const json all = json::parse(plan_json(example()));
  EXPECT_EQ(all["matrix"], "a.mtx");
  EXPECT_EQ(all["rows"], 100);
  EXPECT_EQ(all["cols"], 200);
  EXPECT_EQ(all["entries"], 1000);
  EXPECT_EQ(all["threads"], 2);
  EXPECT_EQ(all["expected_uses"], 5000);
  EXPECT_EQ(all["memory_limit"], 3 << 20);
  EXPECT_EQ(all["layout"], "stencil-8");
  EXPECT_EQ(all["storage_bytes"], 2048);
  EXPECT_EQ(all["moved_bytes"], 4500);
  EXPECT_EQ(all["bytes_per_entry"], 4.5);
  EXPECT_EQ(all["inspection_s"], 60e-6);
  EXPECT_EQ(all["inspection_products"], 60e-6 / 6e-6);
  EXPECT_EQ(all["plain_s"], 6e-6);
  EXPECT_EQ(all["read_gbs"], 19.25);
  EXPECT_EQ(all["rates"], "built in");
  EXPECT_EQ(all["tuned"], false);
  EXPECT_EQ(all["explanation"], "Few diagonals.");
  ASSERT_EQ(all["candidates"].size(), 4U);
  const json& first = all["candidates"][0];
  EXPECT_EQ(first["layout"], "stencil-8");
  EXPECT_EQ(first["values"], "one");
  EXPECT_EQ(first["chosen"], true);
  EXPECT_EQ(first["fits"], true);
  EXPECT_EQ(first["storage_bytes"], 2048);
  EXPECT_EQ(first["moved_bytes"], 4500);
  EXPECT_EQ(first["predicted_s"], 4e-6);
  EXPECT_TRUE(first["measured_s"].is_null());
  EXPECT_EQ(first["conversion_s"], 30e-6);
  EXPECT_EQ(first["bytes_per_entry"], 4.5);
  EXPECT_EQ(first["break_even_products"], 60e-6 / (6e-6 - 4e-6));
  EXPECT_EQ(first["limit"], "memory bandwidth");
  EXPECT_EQ(all["candidates"][3]["fits"], false);
}

TEST(MachineRates, AreThoseOfTheProfile) {
  const measure::machine_profile profile{
      "A processor", 300, 1200, 2, {{1, 12.5, 11.25, 10}, {2, 25, 22, 20}}, {{1, 4096, 30}, {2, 1 << 30, 0.125}}};
  const machine_rates rates = measure::machine_of(profile, "somewhere");
  EXPECT_EQ(rates.source, "somewhere");
  EXPECT_EQ(rates.cache_bytes, 300);
  ASSERT_EQ(rates.streams.size(), 2U);
  EXPECT_EQ(rates.streams[1].threads, 2);
  EXPECT_EQ(rates.streams[1].read_gbs, 25);
  ASSERT_EQ(rates.gathers.size(), 2U);
  EXPECT_EQ(rates.gathers[1].threads, 2);
  EXPECT_EQ(rates.gathers[1].bytes, 1 << 30);
  EXPECT_EQ(rates.gathers[1].gbs, 0.125);
  EXPECT_EQ(measure::tuning_path("/a/lacis/machine.json"), "/a/lacis/tuned");
  EXPECT_EQ(measure::tuning_path(""), "");
}

TEST_F(Program, PlansAndSaysWhy) {
  const outcome ran = shell("$LACIS plan @poisson2d:60 --uses 50 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["matrix"], "@poisson2d:60");
  EXPECT_EQ(all["entries"], 5 * 3600 - 4 * 60);
  EXPECT_EQ(all["threads"], 1);
  EXPECT_GT(all["storage_bytes"], 0);
  EXPECT_GT(all["moved_bytes"], all["storage_bytes"].get<double>() / 2);
  EXPECT_FALSE(all["explanation"].get<std::string>().empty());
  EXPECT_EQ(json::parse(shell("$LACIS plan @poisson2d:60 --layout csr --json").out)["layout"], "csr");
  EXPECT_EQ(json::parse(shell("$LACIS plan @poisson2d:60 --type float --json").out)["value_type"], "float");
  const outcome screen = shell("COLUMNS=80 $LACIS plan @rmat:10 --memory-limit 500M");
  EXPECT_EQ(screen.code, 0) << screen.err;
  for (const char* words : {"@rmat:10", "inspection", "memory", "bytes moved per entry"})
    EXPECT_TRUE(contains(screen.out, words)) << screen.out;
  EXPECT_LE(widest_line(screen.out), 80U) << screen.out;
}

TEST_F(Program, ShowsOneFigureOfBytesPerEntry) {
  for (const char* matrix : {"@poisson2d:60", "@rmat:12", "@kmer:20000"})
    for (const char* layout : {"", " --layout csr", " --layout sell", " --layout staged"}) {
      const outcome ran = shell(std::string("$LACIS plan ") + matrix + layout + " --threads 1 --json");
      ASSERT_EQ(ran.code, 0) << ran.err;
      const json all = json::parse(ran.out);
      const double bytes = all["bytes_per_entry"];
      for (const json& one : all["candidates"])
        if (one["chosen"]) {
          EXPECT_EQ(one["bytes_per_entry"], bytes) << matrix << layout;
        }
      const std::string words = all["explanation"];
      const std::string before = "a product moves ";
      const std::size_t at = words.find(before);
      ASSERT_NE(at, std::string::npos) << words;
      EXPECT_NEAR(std::stod(words.substr(at + before.size())), bytes, 0.005 * bytes) << words;
      EXPECT_FALSE(contains(words, "made up for")) << words;
    }
}

TEST_F(Program, KeepsWhatTuningFindsBesideTheProfile) {
  const outcome ran = shell("XDG_CACHE_HOME=$PWD/cache $LACIS plan @rmat:8 --tune --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(std::filesystem::is_directory(file("cache/lacis")));
}

TEST_F(Program, IgnoresTheProfileOfAnotherProcessorAndSaysSo) {
  std::filesystem::create_directories(file("cache/lacis"));
  measure::machine_profile profile{"Another", 1 << 20, 1 << 22, 0, {{1, 10, 10, 10}}, {{1, 4096, 10}}};
  put("cache/lacis/machine.json", measure::profile_text(profile));
  const char* command = "XDG_CACHE_HOME=$PWD/cache $LACIS plan @rmat:8";
  const outcome other = shell(command);
  EXPECT_EQ(other.code, 0);
  EXPECT_TRUE(contains(other.err, "is ignored: it was measured on 'Another'")) << other.err;
  EXPECT_EQ(shell(std::string(command) + " -q").err, "");
  profile.processor = processor_model();
  put("cache/lacis/machine.json", measure::profile_text(profile));
  EXPECT_EQ(shell(command).err, "");
}

}  // namespace
}  // namespace lacis::app
