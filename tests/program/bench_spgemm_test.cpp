// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spgemm: a report made by hand, and the program.
#include <nlohmann/json.hpp>

#include "commands/bench/spgemm.hpp"
#include "plot/grouped_bars.hpp"
#include "plot/svg.hpp"
#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

spgemm_bench_entry entry(std::string name, double seconds, bool is_sorted = true) {
  spgemm_bench_entry one;
  one.name = std::move(name);
  one.is_peer = !one.name.starts_with("lacis");
  one.is_sorted = is_sorted;
  one.seconds = {seconds, 0.5 * seconds, 2 * seconds};
  one.lacis_gain = {seconds / 1e-3, 1, 20};
  one.first_gain = {seconds / 2e-3, 0.5, 10};
  return one;
}

spgemm_bench_report example() {
  spgemm_bench_report report;
  report.a = report.b = "@density:4096,1e-3";
  report.rows = report.inner = report.cols = 4096;
  report.value_type = "double";
  report.threads = 2;
  report.rounds = 5;
  report.product.products = 68'000;
  report.product.entries = 34'000;
  report.product.methods[1] = {4096, 68'000, 34'000, 3e-3};
  report.entries = {entry("lacis", 1e-3), entry("lacis-first", 2e-3), entry("mkl-unsorted", 4e-3, false),
                    entry("mkl", 8e-3), entry("scipy", 16e-3, false)};
  return report;
}

TEST(SpgemmBenchScreen, ComparesEveryoneWithBothOfLacis) {
  const std::string text = spgemm_bench_screen(example(), {.columns = 120});
  for (const char* words :
       {"@density:4096,1e-3 * @density:4096,1e-3  4,096 x 4,096 x 4,096", "lacis gains", "first gains", "mkl-unsorted",
        "  no  ", "8.00  1.00-20.00", "4.00  0.50-10.00", "68,000 products", "34,000 entries in C, compression 2",
        "sort 100 % of the time", "scipy has one thread"})
    EXPECT_TRUE(contains(text, words)) << words << '\n' << text;
  EXPECT_FALSE(contains(text, "!:"));
  spgemm_bench_report disturbed = example();
  disturbed.entries[0].disturbed = 1;
  EXPECT_TRUE(contains(spgemm_bench_screen(disturbed, {.columns = 120}), "lacis!"));
}

TEST(SpgemmBenchJson, IsAnArrayOnlyOfSeveralReports) {
  const json one = json::parse(spgemm_bench_json({example()}));
  EXPECT_EQ(one["operation"], "spgemm");
  EXPECT_EQ(one["products"], 68000);
  EXPECT_EQ(one["entries_of_c"], 34000);
  EXPECT_EQ(one["entries"][3]["name"], "mkl");
  EXPECT_EQ(one["entries"][3]["lacis_gain"], 8);
  EXPECT_EQ(one["entries"][3]["first_gain_high"], 10);
  EXPECT_EQ(one["entries"][2]["sorted"], false);
  EXPECT_TRUE(one["entries"][0]["version"].is_null());
  EXPECT_EQ(one["methods"][0]["method"], "sort");
  EXPECT_EQ(json::parse(spgemm_bench_json({example(), example()})).size(), 2U);
}

TEST(SpgemmBenchChart, ShowsSpeedsOverTheSlowest) {
  spgemm_bench_report other = example();
  other.a = "a & b";
  other.entries.pop_back();
  const std::string picture = spgemm_bench_chart({example(), other});
  EXPECT_TRUE(is_well_formed(picture)) << picture;
  for (const char* words : {">lacis<", ">lacis-first<", ">mkl<", ">mkl-unsorted<", ">scipy<", ">@density:4096,1e-3<",
                            ">a &amp; b * @density:4096,1e-3<", ">68 k products<", ">16<", ">8<", ">2 threads; "})
    EXPECT_TRUE(contains(picture, words)) << words;
  EXPECT_FALSE(contains(picture, ">eigen<"));
}

TEST(GroupedBars, AreAsLongAsTheLogarithmSays) {
  plot::grouped_bar_chart chart{"t", "s", "x", {{"one", plot::palette::blue}, {"two", plot::palette::green}}, {}};
  chart.groups = {{"g", "n", {4.0, 16.0}}, {"h", "n", {std::nullopt, 1.0}}};
  const std::string picture = drawn(chart);
  EXPECT_TRUE(is_well_formed(picture));
  const auto widths = [&](std::string_view color) {
    std::vector<double> all;
    const std::string wanted = "fill=\"" + std::string(color) + "\"";
    for (std::size_t at = picture.find("<rect"); at != std::string::npos; at = picture.find("<rect", at + 1)) {
      const std::string element = picture.substr(at, picture.find("/>", at) - at);
      if (contains(element, wanted)) all.push_back(std::stod(element.substr(element.find("width=\"") + 7)));
    }
    return all;
  };
  const std::vector<double> first = widths(plot::palette::blue);
  const std::vector<double> second = widths(plot::palette::green);
  ASSERT_EQ(first.size(), 2U);  // the legend and one bar
  ASSERT_EQ(second.size(), 3U);
  EXPECT_EQ(2 * first[1], second[1]);
  EXPECT_LT(second[2], first[1]);
}

TEST_F(Program, MeasuresSparseProducts) {
  const outcome ran =
      shell("$LACIS bench spgemm @density:512,1e-2 @poisson2d:20 --seconds 0 --threads 1 --json --chart chart.svg");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]["a"], "@poisson2d:20");
  for (const json& report : all) {
    EXPECT_GE(report["rounds"], 5);
    EXPECT_GT(report["products"], report["entries_of_c"]);
    ASSERT_EQ(report["entries"].size(), 2U);
    for (const json& one : report["entries"]) {
      EXPECT_EQ(one["is_peer"], false);
      EXPECT_LE(one["low_s"], one["median_s"]);
      EXPECT_LE(one["median_s"], one["high_s"]);
      if (one["name"] == "lacis") {
        EXPECT_EQ(one["lacis_gain"], 1);
      }
    }
  }
  EXPECT_TRUE(is_well_formed(content(file("chart.svg"))));
  const outcome screen = shell("$LACIS bench spgemm @rmat:6 --seconds 0");
  EXPECT_EQ(screen.code, 0) << screen.err;
  EXPECT_TRUE(contains(screen.out, "lacis-first")) << screen.out;
}

TEST_F(Program, MultipliesWithAnotherMatrixOrTheTranspose) {
  put("a.mtx", small_matrix);
  const json transposed = json::parse(shell("$LACIS bench spgemm a.mtx --seconds 0 --json").out);
  EXPECT_EQ(transposed["b"], "its transpose");
  EXPECT_EQ(transposed["inner"], 4);
  EXPECT_EQ(transposed["cols"], 3);
  const json other = json::parse(shell("$LACIS bench spgemm a.mtx --with @banded:4,1 --seconds 0 --json").out);
  EXPECT_EQ(other["b"], "@banded:4,1");
  EXPECT_EQ(other["cols"], 4);
}

TEST_F(Program, ComparesSparseProductsWithPeersThatAreThere) {
  const outcome ran = shell("$LACIS bench spgemm @rmat:7 --seconds 0 --peers all --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["entries"].size() + all["remarks"].size(), 2U + 6U);
  for (const json& remark : all["remarks"])
    EXPECT_TRUE(contains(remark, "not installed") || contains(remark, "not built")) << remark;
}

TEST_F(Program, LeavesOutPeersWhoseProductsAreWrong) {
  // A peer that answers everything and writes nothing.
  put("liar", "#!/bin/sh\necho ok 1\nwhile read -r command rest; do echo ok 0; done\n");
  const outcome ran =
      shell("chmod +x liar; LACIS_PEER_PYTHON=./liar $LACIS bench spgemm @rmat:7 --seconds 0 --peers mkl,scipy");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "mkl: ") || contains(ran.err, "shorter than expected")) << ran.err;
  EXPECT_FALSE(contains(ran.out, "mkl")) << ran.out;
}

TEST_F(Program, RefusesOptionsOfOtherBenchmarks) {
  for (const char* command :
       {"spgemm", "spgemm @rmat:4 --formats csr", "spgemm @rmat:4 --reorder rcm", "spgemm @rmat:4 --roofline r.svg",
        "spgemm @rmat:4 --all", "spgemm @rmat:4 --peers cusparse", "spgemm @rmat:4 --json --chart -",
        "spmv @rmat:4 --with @rmat:4", "spmv @rmat:4 --peers mkl-unsorted", "plan @rmat:4 --chart c.svg",
        "spgemm @rmat:4 --with @rmat:5", "spgem @rmat:4"}) {
    const outcome ran = shell(std::string("$LACIS bench ") + command);
    EXPECT_EQ(ran.code, 2) << command << ran.err;
    EXPECT_EQ(ran.out, "") << command;
  }
}

}  // namespace
}  // namespace lacis::app
