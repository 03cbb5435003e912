// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench: reports made by hand on a screen, as JSON and as a picture; orderings there and back.
#include <nlohmann/json.hpp>

#include "commands/bench/report.hpp"
#include "commands/bench/spmv.hpp"
#include "commands/bench/vectors.hpp"
#include "plot/roofline.hpp"
#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

bench_entry entry(std::string name, double seconds, bool is_peer = false) {
  bench_entry one;
  one.name = std::move(name);
  one.bytes = 12000;
  one.is_peer = is_peer;
  one.seconds = {seconds, 0.5 * seconds, 2 * seconds};
  one.speed_to_loop = {1, 0.5, 2};
  return one;
}

bench_report example() {
  bench_report report;
  report.matrix = "a.mtx";
  report.rows = report.cols = 100;
  report.matrix_entries = 1000;
  report.value_type = "double";
  report.threads = 2;
  report.limit_gbs = 10;
  report.entries = {entry("plan in chain order", 1e-6), entry("plan", 2e-6), entry("csr", 4e-6),
                    entry("mkl", 5e-6, true), entry("plan in chain order with permutation", 8e-6)};
  report.plan = "Because.";
  report.inspection_seconds = 16e-6;
  report.reorderings = {{"chain", 20e-6, 20, {}}};
  return report;
}

TEST(BenchReport, ComparesInspectionWithProductsOfCsr) {
  bench_report report = example();
  EXPECT_EQ(report.inspection_products(), 16e-6 / 4e-6);
  EXPECT_TRUE(contains(bench_screen(report, {.columns = 80}), "inspection: 0.016 ms, as long as 4 products of csr"));
  report.entries[2].name = "csc";
  EXPECT_EQ(report.inspection_products(), std::nullopt);
  EXPECT_EQ(report.find("csr"), nullptr);
}

TEST(BenchReport, TellsWhenSecondsAreRegained) {
  EXPECT_EQ(products_to_regain(6, 3, 1), 3);
  EXPECT_EQ(products_to_regain(6, 1, 1), std::nullopt);
  EXPECT_EQ(products_to_regain(6, 1, 3), std::nullopt);
}

TEST(BenchScreen, ShortensNamesOnlyWhereTheTableIsTooWide) {
  const std::string wide = bench_screen(example(), {.columns = 200});
  EXPECT_TRUE(contains(wide, "  plan in chain order with permutation  ")) << wide;
  EXPECT_FALSE(contains(wide, "+perm"));
  const std::string usual = bench_screen(example(), {.columns = 80});
  EXPECT_TRUE(contains(usual, "\n  plan:chain       ")) << usual;
  EXPECT_TRUE(contains(usual, "\n  plan:chain+perm  ")) << usual;
  EXPECT_TRUE(contains(usual, "\n  +perm: x is permuted before and y after every product\n")) << usual;
  EXPECT_FALSE(contains(usual, "in chain order"));
}

TEST(BenchScreen, CallsTheRatesOfPeersCsrEquivalent) {
  bench_report report = example();
  report.fastest_peer = "mkl";
  report.entries[3].seconds.median = 1e-6;  // 12 GB/s, where memory gives 10
  for (const std::string& text : {bench_screen(report, {.columns = 120}), bench_markdown(report)}) {
    EXPECT_TRUE(contains(text, "12.0*")) << text;
    EXPECT_TRUE(contains(text, "120 %*")) << text;
    EXPECT_TRUE(contains(text, "*: CSR-equivalent, the bytes of CSR over the time.")) << text;
  }
  report.fastest_peer.clear();
  report.entries.erase(report.entries.begin() + 3);
  EXPECT_FALSE(contains(bench_screen(report, {.columns = 120}), "CSR-equivalent"));
  const json all = json::parse(bench_json({example()}));
  EXPECT_EQ(all["entries"][1]["bytes_are_csr_equivalent"], false);
  EXPECT_EQ(all["entries"][3]["bytes_are_csr_equivalent"], true);
}

TEST(BenchScreen, GivesAReasonForWhatIsFasterThanMemory) {
  bench_report report = example();
  report.limit_gbs = 12.5;
  report.entries = {entry("plan", 0.8e-6), entry("csr", 2e-6)};  // 15 and 6 GB/s
  report.cache_bytes = 1 << 20;
  const std::string near = bench_screen(report, {.columns = 160});
  EXPECT_TRUE(contains(near, "  in cache  ")) << near;
  EXPECT_TRUE(contains(near, "  48 %  ")) << near;
  EXPECT_TRUE(contains(near, "in cache: faster than memory, from what the last-level cache (1 MiB) can hold")) << near;
  EXPECT_FALSE(contains(near, "120 %")) << near;
  report.cache_bytes = 100;
  const std::string far = bench_screen(report, {.columns = 160});
  EXPECT_TRUE(contains(far, "  120 %^  ")) << far;
  EXPECT_TRUE(contains(far, "^: above the limit:")) << far;
  EXPECT_FALSE(contains(far, "in cache")) << far;
}

TEST(BenchJson, IsAnArrayOnlyOfSeveralReports) {
  const json one = json::parse(bench_json({example()}));
  EXPECT_EQ(one["matrix"], "a.mtx");
  EXPECT_EQ(one["inspection_seconds"], 16e-6);
  EXPECT_EQ(one["inspection_to_csr"], 16e-6 / 4e-6);
  ASSERT_EQ(one["reorderings"].size(), 1U);
  EXPECT_EQ(one["reorderings"][0]["order"], "chain");
  EXPECT_EQ(one["reorderings"][0]["seconds"], 20e-6);
  EXPECT_EQ(one["reorderings"][0]["break_even_products"], 20);
  EXPECT_TRUE(one["reorderings"][0]["break_even_products_with_permutation"].is_null());
  const json two = json::parse(bench_json({example(), example()}));
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1]["matrix"], "a.mtx");
}

TEST(BenchRoofline, ShowsPlansAndPeers) {
  bench_report other = example();
  other.matrix = "b & c";
  other.limit_gbs = 12.5;
  const std::string picture = bench_roofline({example(), other});
  EXPECT_TRUE(is_well_formed(picture)) << picture;
  for (const char* words :
       {">a.mtx<", ">b &amp; c<", ">plan<", ">mkl<", ">reading memory: 12.5 GB/s<", "prefers-color-scheme: dark"})
    EXPECT_TRUE(contains(picture, words)) << words;
  EXPECT_FALSE(contains(picture, "chain"));
  EXPECT_FALSE(contains(picture, ">csr<"));
  const auto circles = [&] {
    std::size_t count = 0;
    for (std::size_t at = picture.find("<circle"); at != std::string::npos; at = picture.find("<circle", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(circles(), 4U + 2U);  // plan and mkl of both, and the legend
  std::size_t rings = 0;
  for (std::size_t at = picture.find("fill=\"none\" stroke"); at != std::string::npos;
       at = picture.find("fill=\"none\" stroke", at + 1))
    rings += picture.rfind("<circle", at) > picture.rfind('\n', at) ? 1 : 0;
  EXPECT_EQ(rings, 2U + 1U);  // mkl, whose bytes are not those it moves
  EXPECT_TRUE(contains(picture, ">rings: CSR-equivalent<")) << picture;
}

/// The boxes of the labels that stand beside points: their text, with the letters' width as the picture assumes it.
struct label {
  double x0, y0, x1, y1;
};

double number_after(const std::string& text, const std::string& name) {
  return std::stod(text.substr(text.find(name + "=\"") + name.size() + 2));
}

TEST(Roofline, LabelsNeverLieOnEachOther) {
  plot::roofline_chart chart{"t", "s", 400, "roof", "rings", {}};
  for (const char* name : {"plan", "mkl", "scipy"})
    for (int i = 0; i < 6; ++i)
      chart.points.push_back({"@uniform:" + std::to_string(i), name, 0.16 + 0.002 * i, 8 + 0.1 * i + 0.05 * name[0]});
  const std::string picture = drawn(chart);
  std::vector<label> labels;
  for (std::size_t at = picture.find("<text"); at != std::string::npos; at = picture.find("<text", at + 1)) {
    const std::string element = picture.substr(at, picture.find("</text>", at) - at);
    const std::string text = element.substr(element.find('>') + 1);
    const double size = number_after(element, "font-size");
    if (size > 12) continue;  // titles, marks and the legend
    const bool ends = contains(element, "text-anchor=\"end\"");
    const double width = 0.6 * size * static_cast<double>(text.size());
    const double x = number_after(element, " x") - (ends ? width : 0);
    const double y = number_after(element, " y");
    labels.push_back({x, y - 0.8 * size, x + width, y + 0.1 * size});
  }
  ASSERT_EQ(labels.size(), 18U + 1U);  // every point and the roof
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = i + 1; k < labels.size(); ++k)
      EXPECT_FALSE(labels[i].x0 < labels[k].x1 && labels[k].x0 < labels[i].x1 && labels[i].y0 < labels[k].y1 &&
                   labels[k].y0 < labels[i].y1)
          << i << ' ' << k;
}

TEST(Numberings, LeadThereAndBack) {
  const std::int64_t order[] = {2, 0, 3, 1};
  const double user[] = {10, 11, 12, 13};
  double own[4];
  permute_into<double>(order, user, own);
  EXPECT_EQ(std::vector<double>(own, own + 4), (std::vector<double>{12, 10, 13, 11}));
  double back[4];
  permute_back<double>(order, own, back);
  EXPECT_EQ(std::vector<double>(back, back + 4), (std::vector<double>{10, 11, 12, 13}));
}

TEST_F(Program, MeasuresSeveralMatricesAndDrawsThem) {
  const outcome ran = shell(
      "$LACIS bench spmv @poisson2d:30 @rmat:8 --formats csr,plan --reorder rcm --seconds 0 --threads 1 --json "
      "--roofline roof.svg --export-markdown table.md");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["matrix"], "@poisson2d:30");
  EXPECT_EQ(all[1]["matrix"], "@rmat:8");
  for (const json& report : all) {
    EXPECT_TRUE(report["inspection_seconds"].is_number());
    EXPECT_TRUE(report["inspection_to_csr"].is_number());
    ASSERT_EQ(report["reorderings"].size(), 1U);
    EXPECT_EQ(report["reorderings"][0]["order"], "rcm");
    EXPECT_GT(report["reorderings"][0]["seconds"], 0);
    int reordered = 0;
    for (const json& one : report["entries"]) reordered += one["name"] == "plan in rcm order" ? 1 : 0;
    EXPECT_EQ(reordered, 1);
  }
  EXPECT_TRUE(contains(ran.err, "rcm order took ")) << ran.err;
  EXPECT_TRUE(is_well_formed(content(file("roof.svg"))));
  EXPECT_TRUE(contains(content(file("roof.svg")), ">@rmat:8<"));
  EXPECT_TRUE(contains(content(file("table.md")), "**@rmat:8**"));
}

TEST_F(Program, LeavesOutNumberingsOfMatricesThatAreNotSquare) {
  put("a.mtx", small_matrix);
  const outcome ran = shell("$LACIS bench spmv a.mtx --formats plan --reorder chain --seconds 0 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "plan in chain order is left out: only a square matrix")) << ran.err;
  EXPECT_TRUE(json::parse(ran.out)["reorderings"].empty());
}

TEST_F(Program, MeasuresBatchesOfSmallSystems) {
  const outcome ran = shell("$LACIS bench batch --systems 20 --rows 12 --entries 5 --seconds 0 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["matrix"], "20 systems");
  EXPECT_EQ(report["entries"].size(), 7U);
  EXPECT_TRUE(contains(report["notes"][0].get<std::string>(), "bit for bit; 20 converged")) << report["notes"];
  EXPECT_EQ(shell("$LACIS bench batch @rmat:8").code, 2);
  EXPECT_EQ(shell("$LACIS bench batch --peers mkl").code, 2);
  EXPECT_EQ(shell("$LACIS bench spmv @rmat:8 --systems 5").code, 2);
}

TEST_F(Program, MeasuresSmallCalls) {
  const outcome ran = shell("$LACIS bench small @uniform:10,3 @poisson2d:9 --seconds 0 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all.size(), 2U);
  for (const json& report : all) EXPECT_EQ(report["entries"].size(), 9U);
  EXPECT_EQ(shell("$LACIS bench small").code, 2);
  EXPECT_EQ(shell("$LACIS bench small @rmat:8 --type float --seconds 0").code, 2);
}

TEST_F(Program, MeasuresPowersAgainstSingleProducts) {
  const outcome ran = shell("$LACIS bench powers @poisson2d:30 --power 3 --seconds 0 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json report = json::parse(ran.out);
  EXPECT_EQ(report["operation"], "powers");
  EXPECT_EQ(report["units_per_sample"], 3);
  ASSERT_EQ(report["entries"].size(), 2U);
  EXPECT_EQ(report["entries"][0]["name"], "powers");
  EXPECT_EQ(report["entries"][1]["name"], "one by one");
  EXPECT_TRUE(contains(report["notes"][0].get<std::string>(), "not fused: the matrix stays in the cache"))
      << report["notes"];
  EXPECT_EQ(shell("$LACIS bench powers").code, 2);
  EXPECT_EQ(shell("$LACIS bench powers @poisson2d:9 --power 0").code, 2);
  EXPECT_EQ(shell("$LACIS bench powers @poisson2d:9 --peers mkl").code, 2);
  EXPECT_EQ(shell("$LACIS bench spmv @poisson2d:9 --power 2").code, 2);
}

}  // namespace
}  // namespace lacis::app
