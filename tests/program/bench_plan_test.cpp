// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench plan: names of candidates, regret and its spread, lines of the table, the built-in list.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "commands/bench/plan.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

/// The choice is predicted to take 2 s and takes 4; another candidate takes 3.2.
plan_trial example() {
  plan_trial trial;
  trial.matrix = "@rmat:18";
  trial.values = "pattern";
  trial.entries = 4000000;
  trial.inspection_seconds = 50;
  trial.plain_seconds = 10;
  trial.gain = {1.25, 1.2, 1.3};
  trial.all = {{"stencil-8", "one", true, 2, {4, 3, 5}, 0}, {"csr", "double", false, 9, {3.2, 3, 3.5}, 0}};
  return trial;
}

/// Chosen with that regret; the prediction is right.
plan_trial with_regret(std::string name, double regret) {
  plan_trial trial = example();
  trial.matrix = std::move(name);
  trial.all[0] = {"csr", "", true, 1 + regret, {1 + regret, 1, 2}, 0};
  trial.all[1].seconds.median = 1;
  return trial;
}

TEST(CandidateNames, TellWhatToAskFor) {
  EXPECT_EQ(layout_named("csr").layout, plan_layout::csr);
  EXPECT_EQ(layout_named("csr").column_blocks, 0);
  EXPECT_EQ(layout_named("stencil-8").layout, plan_layout::stencil);
  EXPECT_EQ(layout_named("staged-16").layout, plan_layout::staged);
  EXPECT_EQ(layout_named("staged-16").column_blocks, 2);
  EXPECT_EQ(layout_named("staged-16 by frequency").layout, plan_layout::staged);
  EXPECT_EQ(layout_named("staged-16 by frequency").column_blocks, 1);
  EXPECT_EQ(layout_named("sell-8").layout, plan_layout::sell);
  for (const char* name : {"sell", "sell-8", "sell-16"}) EXPECT_EQ(layout_named(name).column_blocks, 1) << name;
  for (const char* name : {"sell-8 in 12 ranges", "sell-16/12", "sell-8 x12", "sell in 12"})
    EXPECT_EQ(layout_named(name).column_blocks, 12) << name;
  EXPECT_EQ(layout_named("bsr-3").layout, plan_layout::bsr);
  EXPECT_EQ(layout_named("ell").layout, std::nullopt);
}

TEST(PlanTrial, ComparesTheChoiceWithTheBestAndWithItsPrediction) {
  const plan_trial trial = example();
  EXPECT_EQ(trial.best().layout, "csr");
  EXPECT_EQ(trial.regret(), 4 / 3.2 - 1);
  EXPECT_EQ(trial.prediction_error(), 0.5);
  EXPECT_EQ(trial.inspection_products(), 5);
  plan_trial silent = example();
  silent.all[0].predicted.reset();
  EXPECT_EQ(silent.prediction_error(), std::nullopt);
}

TEST(PlanSummary, HasMediansTheWorstAndShares) {
  const plan_trial trials[] = {with_regret("a", 0), with_regret("b", 0.05), with_regret("c", 0.25),
                               with_regret("d", 0.5)};
  const plan_summary all = summary_of(trials);
  EXPECT_EQ(all.matrices, 4U);
  EXPECT_EQ(all.regret.worst, 0.5);
  EXPECT_EQ(all.regret.worst_matrix, "d pattern");
  EXPECT_EQ(all.regret.median, ((1 + 0.05 - 1) + 0.25) / 2);
  EXPECT_EQ(all.regret.within_30_percent, 0.75);
  ASSERT_TRUE(all.prediction);
  EXPECT_EQ(all.prediction->worst, 0);
  EXPECT_EQ(all.prediction->within_5_percent, 1);
  EXPECT_EQ(all.inspection.median, 5);
  plan_trial silent = example();
  silent.all[0].predicted.reset();
  EXPECT_FALSE(summary_of(std::span(&silent, 1)).prediction);
}

TEST(PlanSummary, CountsLossesAgainstPlainLoopsBeyondNoise) {
  std::vector<plan_trial> trials = {with_regret("a", 0), with_regret("b", 0), with_regret("c", 0)};
  trials[1].gain = {0.9, 0.8, 0.99};   // even the upper end is below 1
  trials[2].gain = {0.95, 0.8, 1.05};  // noise
  const plan_gains found = summary_of(trials).gain;
  EXPECT_EQ(found.median, 0.95);
  EXPECT_EQ(found.least, 0.9);
  EXPECT_EQ(found.least_matrix, "b pattern");
  EXPECT_EQ(found.losses, 1U);
  const plan_table table(std::vector<plan_case>{{"a", "", 0}}, {.columns = 100});
  EXPECT_TRUE(
      contains(table.summary(trials), "  gain            0.95x    0.90x                1 below 1x  b pattern\n"))
      << table.summary(trials);
}

TEST(PlanTable, HasALineForEachMatrix) {
  const std::vector<plan_case> cases = {{"@rmat:18", "pattern", 0}, {"folder/of/a/matrix.mtx", "", 0}};
  const plan_table wide(cases, {.columns = 100});
  EXPECT_EQ(wide.head(),
            "  matrix      values    entries      choice      time  off by        best  regret    gain  inspect\n");
  EXPECT_EQ(wide.line(example()),
            "  @rmat:18    pattern       4 M   stencil-8       4 s    50 %         csr    25 %   1.25x        5\n");
  const plan_table usual(cases, {.columns = 80});
  EXPECT_EQ(usual.line(example()), "  @rmat:18    pattern   stencil-8    50 %         csr    25 %   1.25x        5\n");
  plan_trial in_ranges = example();
  in_ranges.all[1].layout = "sell-8 in 12 ranges";
  EXPECT_TRUE(contains(usual.line(in_ranges), "  50 %   sell-8/12    25 %")) << usual.line(in_ranges);
  plan_trial good = with_regret("@rmat:18", 0);
  good.all[1].disturbed = 1;
  EXPECT_TRUE(contains(usual.line(good), "     =  0.0 %!")) << usual.line(good);
  const plan_trial trials[] = {example()};
  EXPECT_TRUE(contains(usual.summary(trials), "\n1 matrix\n"));
  EXPECT_TRUE(
      contains(usual.summary(trials), "  regret           25 %     25 %        0.0 %        100 %  @rmat:18 pattern\n"))
      << usual.summary(trials);
}

TEST(PlanList, HasEveryFamilyInThreeSizesAndFitsTheScreen) {
  const std::vector<plan_case> cases = all_plan_cases();
  EXPECT_GE(cases.size(), 60U);
  std::set<std::string> families;
  std::set<std::string> different;
  std::set<std::string> values;
  for (const plan_case& one : cases) {
    EXPECT_GT(size_of_generated(one.matrix).rows, 0) << one.matrix;
    EXPECT_LE(one.entries, 60'000'000);
    families.insert(one.matrix.substr(1, one.matrix.find(':') - 1));
    different.insert(one.matrix + one.values);
    values.insert(one.values);
  }
  EXPECT_EQ(different.size(), cases.size());
  EXPECT_EQ(values, (std::set<std::string>{"natural", "pattern", "random"}));
  for (const generator_info& generator : generators()) EXPECT_EQ(families.count(std::string(generator.name)), 1U);
  const std::string head = plan_table(cases, {.columns = 80}).head();
  EXPECT_LE(head.size(), 81U) << head;
}

TEST(PlanFiles, AreThoseOfTheFolderByName) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "plan_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "deeper.mtx");
  EXPECT_THROW(static_cast<void>(plan_cases_in(folder.string())), error);
  for (const char* name : {"b.mtx", "a.npz", ".begun-c.mtx"}) std::ofstream(folder / name) << "anything";
  const std::vector<plan_case> cases = plan_cases_in(folder.string());
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].matrix, (folder / "a.npz").string());
  EXPECT_EQ(cases[1].matrix, (folder / "b.mtx").string());
  EXPECT_EQ(cases[0].values, "");
  EXPECT_THROW(static_cast<void>(plan_cases_in((folder / "a.npz").string())), error);
  EXPECT_THROW(static_cast<void>(plan_cases_in((folder / "missing").string())), error);
}

TEST(PlanTrialsJson, HasTheSummaryAndEveryCandidate) {
  const plan_trial trials[] = {example()};
  const json all = json::parse(plan_trials_json(trials, 2, "built in"));
  EXPECT_EQ(all["operation"], "plan");
  EXPECT_EQ(all["threads"], 2);
  EXPECT_EQ(all["rates"], "built in");
  EXPECT_EQ(all["summary"]["matrices"], 1);
  EXPECT_EQ(all["summary"]["regret"]["worst"], 4 / 3.2 - 1);
  EXPECT_EQ(all["summary"]["regret"]["within_30_percent"], 1);
  EXPECT_EQ(all["summary"]["prediction_error"]["median"], 0.5);
  EXPECT_EQ(all["summary"]["inspection_products"]["median"], 5);
  EXPECT_EQ(all["summary"]["gain"]["least"], 1.25);
  EXPECT_EQ(all["summary"]["gain"]["losses"], 0);
  EXPECT_EQ(all["matrices"][0]["gain_high"], 1.3);
  ASSERT_EQ(all["matrices"].size(), 1U);
  const json& one = all["matrices"][0];
  EXPECT_EQ(one["choice"], "stencil-8");
  EXPECT_EQ(one["best"], "csr");
  EXPECT_EQ(one["candidates"].size(), 2U);
  EXPECT_EQ(one["candidates"][0]["predicted_s"], 2);
  EXPECT_EQ(one["candidates"][1]["median_s"], 3.2);
}

TEST_F(Program, MeasuresHowWellPlansChoose) {
  const outcome ran = shell("$LACIS bench plan @poisson2d:30 @rmat:8 --seconds 0 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["summary"]["matrices"], 2);
  ASSERT_EQ(all["matrices"].size(), 2U);
  for (const json& one : all["matrices"]) {
    EXPECT_GE(one["regret"], 0);
    EXPECT_GT(one["plain_s"], 0);
    EXPECT_GT(one["gain_low"], 0);
    EXPECT_GE(one["gain_high"], one["gain_low"]);
    ASSERT_GE(one["candidates"].size(), 1U);
    EXPECT_EQ(one["candidates"][0]["chosen"], true);
    for (const json& candidate : one["candidates"]) EXPECT_GT(candidate["median_s"], 0);
  }
  const outcome screen = shell("$LACIS bench plan @rmat:8 --values pattern --seconds 0 --threads 1");
  EXPECT_EQ(screen.code, 0) << screen.err;
  EXPECT_TRUE(contains(screen.out, "  @rmat:8  pattern")) << screen.out;
  EXPECT_TRUE(contains(screen.out, "\n1 matrix\n")) << screen.out;
}

TEST_F(Program, PlansForTheMatricesInAFolder) {
  const outcome ran = shell(
      "mkdir set && $LACIS generate @poisson2d:9 -o set/b.mtx && $LACIS generate @rmat:6 -o set/a.mtx && "
      "$LACIS bench plan --files set --seconds 0 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all["matrices"].size(), 2U);
  EXPECT_EQ(all["matrices"][0]["matrix"], "a.mtx");
  EXPECT_EQ(all["matrices"][1]["matrix"], "b.mtx");
}

}  // namespace
}  // namespace lacis::app
