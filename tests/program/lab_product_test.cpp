// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --op spgemm: a sparse product on a screen, as JSON and in words.
#include <nlohmann/json.hpp>

#include "commands/lab/product.hpp"
#include "program/lab_results.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

lab_product product_of_two_parts() {
  lab::product_part fill{"fill", "few", 50, 400, 600, 0, 1, full_sectors("fill few", 3e-6)};
  lab::product_part sort{"sort", "large", 2, 100, 0, 0, 1, full_sectors("sort large", 1e-6)};
  fill.asked.arrays = {{"b_columns", 100, 400, 8}, {"table_keys", 10, 10, 1}};
  return {"a.mtx", "A A", "double", {100, 500, 100, 500, 300, &small_gpu, {fill, sort}}};
}

TEST(LabProduct, ScreenSaysWhatIsModelledAndExplainsIt) {
  const std::string screen = product_screen(product_of_two_parts(), {.unicode = true, .columns = 80});
  for (const char* words : {"a.mtx  A A, 100 rows, 500 products, double", "fill few", "sort large", "1.50",
                            "model: NVIDIA T4", "run: every row"})
    EXPECT_TRUE(contains(screen, words)) << words << '\n' << screen;
  EXPECT_EQ(
      product_explanation(product_of_two_parts()),
      "In the model, fill few takes 75 % of the time, bound by DRAM: of the 1.38 sectors that a product costs "
      "there, 1 are of b_columns. A product is filled in after looking at 1.5 slots of tables in shared memory and "
      "0 in global memory on average.");
  for (std::size_t at = 0; at < screen.size(); at = screen.find('\n', at) + 1)
    EXPECT_LE(columns_of(screen.substr(at, screen.find('\n', at) - at)), 80u) << screen;
}

TEST(LabProduct, JsonHasTheNamesThatScriptsRelyOn) {
  json all = json::parse(product_json(product_of_two_parts()));
  EXPECT_EQ(all["operation"], "spgemm");
  EXPECT_EQ(all["factors"], "A A");
  EXPECT_EQ(all["products"], 500);
  EXPECT_EQ(all["model"], true);
  EXPECT_EQ(all["model_s"], 4e-6);
  ASSERT_EQ(all["parts"].size(), 2u);
  json& first = all["parts"][0];
  EXPECT_EQ(first["phase"], "fill");
  EXPECT_EQ(first["list"], "few");
  EXPECT_EQ(first["shared_probes_per_product"], 1.5);
  EXPECT_EQ(first["global_probes_per_product"], 0);
  EXPECT_EQ(first["sectors_per_product"], 1.375);
  EXPECT_EQ(first["dram_bytes_per_product"], 13);
  EXPECT_EQ(first["bound_by"], "DRAM");
  EXPECT_EQ(first["arrays"][0]["name"], "b_columns");
}

TEST(LabProduct, SweepHasALinePerProductAndTheTimeOfEachPhase) {
  lab_product other = product_of_two_parts();
  other.matrix = "@density:32768,1e-3";
  other.report.parts[0].phase = "count";
  const std::string screen = product_sweep_screen({product_of_two_parts(), other}, {.unicode = true, .columns = 80});
  EXPECT_TRUE(contains(screen,
                       "  @density:   products   count    fill  sectors  inspect  count   fill   sort\n"
                       "  a.mtx            500       -    1.50     1.38                  3.000  1.000\n"
                       "  32768,1e-3       500    1.50       -     1.38           3.000         1.000\n"))
      << screen;
  EXPECT_TRUE(contains(screen, "nothing ran on it")) << screen;
  for (std::size_t at = 0; at < screen.size(); at = screen.find('\n', at) + 1)
    EXPECT_LE(columns_of(screen.substr(at, screen.find('\n', at) - at)), 80u) << screen;
}

TEST_F(Program, SweepsDensitiesOfSparseProducts) {
  const outcome ran = shell("$LACIS lab --op spgemm --sweep densities --entries 2000 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["sweep"], "densities");
  ASSERT_EQ(all["points"].size(), 12u);
  EXPECT_EQ(all["points"][0]["matrix"], "@density:4096,1e-3");
  EXPECT_EQ(all["points"][11]["matrix"], "@density:32768,1e-5");
  for (const json& point : all["points"]) EXPECT_GT(point["products"], 0) << point;
}

TEST_F(Program, ExaminesASparseProduct) {
  const outcome ran = shell("$LACIS lab --op spgemm @uniform:500,8 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["factors"], "A A");
  EXPECT_EQ(all["products"], 32000);
  EXPECT_EQ(all["sampled_products"], 32000);
  std::int64_t filled = 0;
  for (const json& part : all["parts"])
    if (part["phase"] == "fill") filled += part["products"].get<std::int64_t>();
  EXPECT_EQ(filled, 32000);
  const outcome sampled = shell("$LACIS lab --op spgemm @uniform:5000,8 --entries 20000 --gpu a100");
  ASSERT_EQ(sampled.code, 0) << sampled.err;
  EXPECT_TRUE(contains(sampled.out, "sampled: ")) << sampled.out;
  EXPECT_TRUE(contains(sampled.out, "In the model, ")) << sampled.out;
}

}  // namespace
}  // namespace lacis::app
