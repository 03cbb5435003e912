// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spmm: reports made by hand, and the program.
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands/bench/spmm.hpp"
#include "commands/bench/vectors.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

spmm_bench_entry entry(std::string name, double seconds, bool is_peer = false) {
  spmm_bench_entry one;
  one.name = std::move(name);
  one.is_peer = is_peer;
  one.seconds = {seconds, 0.5 * seconds, 2 * seconds};
  one.speed_to_loop = {8e-3 / seconds, 1, 20};
  one.speed_to_peer = {4e-3 / seconds, 0.5, 10};
  return one;
}

spmm_bench_run run_of(std::int64_t columns) {
  spmm_bench_run run;
  run.columns = columns;
  run.rounds = static_cast<int>(columns) + 6;
  run.layout = columns == 4 ? "sell-8" : "csr";
  run.peer = "mkl";
  run.entries = {entry("plan", 2e-3), entry("csr", 5e-3), entry("loop", 8e-3), entry("mkl", 4e-3, true),
                 entry("scipy", 16e-3, true)};
  return run;
}

spmm_bench_report example() {
  spmm_bench_report report;
  report.matrix = "a.mtx";
  report.rows = report.cols = 1000;
  report.matrix_entries = 100'000;
  report.value_type = "double";
  report.threads = 2;
  report.runs = {run_of(4), run_of(8)};
  return report;
}

TEST(SpmmBenchScreen, ComparesEveryoneWithOnePeer) {
  const std::string text = spmm_bench_screen(example(), {.columns = 120});
  for (const char* words :
       {"a.mtx  1,000 x 1,000, 100,000 entries, double; X and Y row-major; 2 threads, 10 to 14 rounds\n",
        "\n  columns             4           8\n", "\n  plan, ms        2.000       2.000\n",
        "\n    vs mkl         2.00        2.00\n", "\n    95 %     0.50-10.00  0.50-10.00\n",
        "\n    GFLOP/s         0.4         0.8\n", "\n  scipy, ms       16.00       16.00\n",
        "layout of the plan: sell-8 with 4 columns; csr with 8 columns", "scipy has one thread and creates Y"})
    EXPECT_TRUE(contains(text, words)) << words << '\n' << text;
  EXPECT_FALSE(contains(text, "!"));
  // MKL is not compared with itself.
  EXPECT_TRUE(contains(text, "\n  mkl, ms         4.000       4.000\n  scipy, ms")) << text;
  spmm_bench_report other = example();
  other.order = measure::dense_order::column;
  other.runs[1].entries[0].disturbed = 1;
  const std::string marked = spmm_bench_screen(other, {.columns = 120});
  for (const char* words : {"X and Y column-major", "2.000!", "!: other load disturbed", "copies X to row-major"})
    EXPECT_TRUE(contains(marked, words)) << words << '\n' << marked;
}

TEST(SpmmBenchScreen, ComparesWithTheLoopWhereThereIsNoPeer) {
  spmm_bench_report report = example();
  for (spmm_bench_run& run : report.runs) {
    run.peer.clear();
    run.entries.resize(3);
  }
  const std::string text = spmm_bench_screen(report, {.columns = 80});
  EXPECT_TRUE(contains(text, "    vs loop        4.00        4.00\n")) << text;
  EXPECT_FALSE(contains(text, "mkl")) << text;
}

TEST(SpmmBenchScreen, NamesThePeersWhereTheyDiffer) {
  spmm_bench_report report = example();
  report.runs[1].peer = "scipy";
  report.runs[1].entries.erase(report.runs[1].entries.begin() + 3);
  const std::string text = spmm_bench_screen(report, {.columns = 80});
  for (const char* words :
       {"    vs peer ", "\n  mkl, ms         4.000           -\n", "peer: mkl with 4 columns; scipy with 8 columns"})
    EXPECT_TRUE(contains(text, words)) << words << '\n' << text;
}

TEST(SpmmBenchScreen, BreaksTheTableWhereItIsTooWide) {
  spmm_bench_report report = example();
  for (std::int64_t count = 9; count < 20; ++count) report.runs.push_back(run_of(count));
  const std::string text = spmm_bench_screen(report, {.columns = 80});
  std::istringstream lines(text);
  int tables = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    tables += line.starts_with("  columns  ") ? 1 : 0;
  }
  EXPECT_EQ(tables, 3) << text;
}

TEST(SpmmBenchJson, IsAnArrayOnlyOfSeveralReports) {
  spmm_bench_report report = example();
  report.runs[1].peer.clear();
  report.runs[1].entries[0].speed_to_peer.reset();
  const json one = json::parse(spmm_bench_json({report}));
  EXPECT_EQ(one["schema"], 2);
  EXPECT_EQ(one["operation"], "spmm");
  EXPECT_EQ(one["order"], "row");
  EXPECT_EQ(one["matrix_entries"], 100000);
  ASSERT_EQ(one["runs"].size(), 2U);
  EXPECT_EQ(one["runs"][0]["columns"], 4);
  EXPECT_EQ(one["runs"][0]["peer"], "mkl");
  EXPECT_EQ(one["runs"][0]["layout"], "sell-8");
  EXPECT_EQ(one["runs"][0]["entries"][0]["name"], "plan");
  EXPECT_EQ(one["runs"][0]["entries"][0]["ratio_to_peer"], 2);
  EXPECT_EQ(one["runs"][0]["entries"][0]["ratio_to_loop_high"], 20);
  EXPECT_TRUE(one["runs"][0]["entries"][0]["version"].is_null());
  EXPECT_TRUE(one["runs"][1]["peer"].is_null());
  EXPECT_TRUE(one["runs"][1]["entries"][0]["ratio_to_peer"].is_null());
  EXPECT_EQ(json::parse(spmm_bench_json({example(), example()})).size(), 2U);
}

TEST(DenseColumns, AreComparedByBitsInAnyOrder) {
  const double by_rows[] = {1, 2, 3, 4, 5, 0.0};
  const double by_columns[] = {1, 3, 5, 2, 4, 0.0};
  const double negative[] = {1, 3, 5, 2, 4, -0.0};
  const auto rows = row_major<const double>(by_rows, 3, 2);
  EXPECT_FALSE(first_difference<double>(rows, column_major<const double>(by_columns, 3, 2)));
  const auto place = first_difference<double>(rows, column_major<const double>(negative, 3, 2));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->row, 2);
  EXPECT_EQ(place->column, 1);
}

TEST_F(Program, MeasuresDenseColumns) {
  for (const char* type : {"float", "double", "complex-float", "complex-double"}) {
    const outcome ran = shell(std::string("$LACIS bench spmm @rmat:7 @poisson2d:9 --values random --columns 3,1,3 "
                                          "--order row,column --seconds 0 --threads 1 --json --type ") +
                              type);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json all = json::parse(ran.out);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0]["matrix"], "@rmat:7");
    EXPECT_EQ(all[0]["order"], "row");
    EXPECT_EQ(all[1]["order"], "column");
    EXPECT_EQ(all[3]["matrix"], "@poisson2d:9");
    for (const json& report : all) {
      ASSERT_EQ(report["runs"].size(), 2U);
      EXPECT_EQ(report["runs"][0]["columns"], 1);
      EXPECT_EQ(report["runs"][1]["columns"], 3);
      for (const json& run : report["runs"]) {
        EXPECT_GE(run["rounds"], 10);
        EXPECT_FALSE(run["layout"].get<std::string>().empty());
        ASSERT_EQ(run["entries"].size(), 3U);
        for (const json& one : run["entries"]) {
          EXPECT_EQ(one["is_peer"], false);
          EXPECT_LE(one["low_s"], one["median_s"]);
          EXPECT_LE(one["median_s"], one["high_s"]);
          EXPECT_GT(one["gflops"], 0);
          if (one["name"] == "loop") {
            EXPECT_EQ(one["ratio_to_loop"], 1);
          }
        }
      }
    }
  }
}

TEST_F(Program, MeasuresDenseColumnsOfPatternsAndOfMatricesThatAreNotSquare) {
  put("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 3\n1 1\n1 4\n3 2\n");
  const outcome ran = shell("$LACIS bench spmm a.mtx --order column,row --seconds 0");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"3 × 4, 3 entries", "X and Y column-major", "X and Y row-major", "  64\n", "vs loop"})
    EXPECT_TRUE(contains(ran.out, words)) << words << '\n' << ran.out;
}

TEST_F(Program, ComparesDenseColumnsWithPeersThatAreThere) {
  const outcome ran = shell("$LACIS bench spmm @rmat:7 --seconds 0 --columns 2 --peers all --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["runs"][0]["entries"].size() + all["remarks"].size(), 3U + 3U);
  for (const json& remark : all["remarks"])
    EXPECT_TRUE(contains(remark, "not installed") || contains(remark, "not built")) << remark;
}

TEST_F(Program, LeavesOutPeersWhoseDenseColumnsAreWrong) {
  // Zeros: 128 rows of 2 columns.
  put("liar",
      "#!/bin/sh\necho ok 1\nwhile read -r command rest; do\n"
      "[ $command = product ] && head -c 2048 /dev/zero > $rest\necho ok 0.1; done\n");
  const outcome ran = shell(
      "chmod +x liar; LACIS_PEER_PYTHON=./liar $LACIS bench spmm @rmat:7 --values random --columns 2 --seconds 0 "
      "--peers mkl,scipy");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"mkl: its product with 2 columns is wrong in row ", "scipy: its product with 2 columns"})
    EXPECT_TRUE(contains(ran.err, words)) << words << '\n' << ran.err;
  EXPECT_FALSE(contains(ran.out, "mkl")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "vs loop")) << ran.out;
}

TEST_F(Program, RefusesWrongOptionsOfDenseColumns) {
  for (const char* command :
       {"spmm", "spmm @rmat:4 --columns 0", "spmm @rmat:4 --columns 4,x", "spmm @rmat:4 --columns 4097",
        "spmm @rmat:4 --order diagonal", "spmm @rmat:4 --order row,diagonal", "spmm @rmat:4 --peers graphblas",
        "spmm @rmat:4 --formats csr", "spmm @rmat:4 --with @rmat:4", "spmm @rmat:4 --all", "spmm @rmat:4 --seconds -1",
        "spmv @rmat:4 --columns 4", "spgemm @rmat:4 --order row", "plan @rmat:4 --columns 4", "cg @rmat:4 --order row",
        "plan @rmat:4 --peers mkl"}) {
    const outcome ran = shell(std::string("$LACIS bench ") + command);
    EXPECT_EQ(ran.code, 2) << command << ran.err;
    EXPECT_EQ(ran.out, "") << command;
  }
  EXPECT_TRUE(contains(shell("$LACIS bench spmv @rmat:4 --columns 4").err, "--columns applies to bench spmm only"));
  EXPECT_TRUE(contains(shell("$LACIS bench spmm @rmat:4 --order colum").err, "did you mean 'column'?"));
}

}  // namespace
}  // namespace lacis::app
