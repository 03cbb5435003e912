// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis reorder, partition and scale: numbers that follow from exchanges known by hand, and the program itself.
#include <algorithm>
#include <nlohmann/json.hpp>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/io.hpp>
#include <lacis/structure.hpp>

#include "commands/cluster/partition_findings.hpp"
#include "commands/cluster/scale_model.hpp"
#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

/// Two ranks of 10 rows and 30 entries; the first receives 2 elements and sends 4.
row_exchange two_ranks() {
  row_exchange exchange;
  exchange.ranges = {{.rows = 10, .entries = 30, .ghosts = 2, .sent = 4, .messages_in = 1, .messages_out = 1},
                     {.rows = 10, .entries = 30, .ghosts = 4, .sent = 2, .messages_in = 1, .messages_out = 1}};
  exchange.ghosts = 6;
  return exchange;
}

TEST(ScaleModel, AddsBytesOverRatesAndMessages) {
  const modelled_cluster cluster{{"test", 2, 0.5, "given"}, 4};
  const scale_point at = modelled(two_ranks(), {}, cluster);
  const double compute = (30 * 12 + 10 * 24 + 4 * 8) / 4e9;
  const double exchange = 2e-6 + 4 * 8 / 0.5e9;
  EXPECT_EQ(at.ranks, 2);
  EXPECT_EQ(at.rows, 20);
  EXPECT_DOUBLE_EQ(at.compute_seconds, compute);
  EXPECT_DOUBLE_EQ(at.exchange_seconds, exchange);
  EXPECT_DOUBLE_EQ(at.product_seconds, compute + exchange);
  EXPECT_DOUBLE_EQ(at.overlapped_seconds, exchange);
  EXPECT_DOUBLE_EQ(at.iteration_seconds, compute + exchange + 11 * 10 * 8 / 4e9 + 2 * (2e-6 + 8 / 0.5e9));
  EXPECT_DOUBLE_EQ(at.efficiency, (30 * 12 + 10 * 24) / 4e9 / (compute + exchange));
}

TEST(ScaleModel, OneRankWaitsForNobody) {
  row_exchange alone;
  alone.ranges = {{.rows = 10, .entries = 30}};
  const scale_point at = modelled(alone, {.value_bytes = 4, .stores_values = false}, {{"test", 2, 0.5, "given"}, 4});
  EXPECT_EQ(at.exchange_seconds, 0);
  EXPECT_EQ(at.efficiency, 1);
  EXPECT_DOUBLE_EQ(at.compute_seconds, (30 * 4 + 10 * 16) / 4e9);
}

TEST(ScaleModel, KnowsNetworksByNameAndByNumbers) {
  EXPECT_EQ(parse_network("ethernet-10g").latency_us, 15);
  EXPECT_EQ(parse_network("2,12.5").gbs, 12.5);
  EXPECT_EQ(parse_network("2,12.5").latency_us, 2);
  for (const char* wrong : {"ethernet-10", "2", "2,", ",3", "-1,3", "2,x", "2,3,4"})
    EXPECT_THROW(static_cast<void>(parse_network(wrong)), error) << wrong;
}

TEST(ScaleModel, FindsTheSizeOfAGeneratedMatrix) {
  EXPECT_EQ(resized("@poisson3d:100", 64000), "@poisson3d:40");
  EXPECT_EQ(resized("@poisson3d:100", 63999), "@poisson3d:39");
  EXPECT_EQ(resized("@rmat:20,8,seed=3", 1 << 14), "@rmat:14,8,seed=3");
  EXPECT_EQ(resized("@banded:1M,3", 5000), "@banded:5000,3");
  EXPECT_EQ(resized("@nonsense:5", 5000), "");
}

TEST(PartitionFindings, CountBothDirectionsOnce) {
  partition_findings found;
  rank_findings of{.ranks = 2, .begins = {0, 10, 20}, .exchange = two_ranks()};
  EXPECT_EQ(found.exchanged_bytes(of), 48);
  EXPECT_EQ(found.busiest_bytes(of), 32);
  EXPECT_EQ(most_messages(of.exchange), 1);
  EXPECT_EQ(found.most_memory(of), memory_of(of.exchange.ranges[1], {}));
}

class CutProgram : public Program {};

TEST_F(CutProgram, CountsGhostsOfSlabs) {
  // A square grid of side s: two ranks exchange one line each way where s divides what a rank owns.
  const outcome ran = shell("$LACIS partition @poisson2d:256 -k 1,2,4 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["cut"], "cut in the order of its rows");
  EXPECT_EQ(all["cuts"][0]["ghosts"], 0);
  EXPECT_EQ(all["cuts"][1]["ghosts"], 2 * 256);
  EXPECT_EQ(all["cuts"][1]["exchanged_bytes"], 2 * 256 * 8);
  EXPECT_EQ(all["cuts"][2]["ghosts"], 6 * 256);
  EXPECT_EQ(all["cuts"][2]["messages_most"], 2);
  EXPECT_EQ(all["cuts"][2]["ranges"].size(), 4U);
  EXPECT_EQ(all["cuts"][2]["ranges"][1]["sent"], 512);
  std::int64_t rows = 0;
  for (const json& range : all["cuts"][2]["ranges"]) rows += range["rows"].get<std::int64_t>();
  EXPECT_EQ(rows, 256 * 256);
}

TEST_F(CutProgram, RefusesMoreRanksThanPlacesToCut) {
  const outcome ran = shell("$LACIS partition @poisson2d:256 -k 2,100");
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_TRUE(contains(ran.err, "100 ranks, but 65536 rows")) << ran.err;
  put("small.mtx", small_matrix);
  const outcome shape = shell("$LACIS partition small.mtx -k 1");
  EXPECT_EQ(shape.code, 4);
  EXPECT_TRUE(contains(shape.err, "small.mtx is 3 x 4: only a square matrix")) << shape.err;
}

TEST_F(CutProgram, DrawsWhoSendsToWhom) {
  const outcome ran = shell("$LACIS partition @poisson2d:256 -k 8 --svg map.svg");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"8 ranks", "exchange", "ghosts", "order of its rows"})
    EXPECT_TRUE(contains(ran.out, words)) << ran.out;
  const std::string picture = content(file("map.svg"));
  EXPECT_TRUE(is_well_formed(picture));
  EXPECT_TRUE(contains(picture, "What 8 ranks send to each other"));
}

TEST_F(CutProgram, RenumbersAndKeepsTheOrder) {
  ASSERT_EQ(shell("$LACIS reorder @poisson2d:40 --by rcm -o b.csr --order order.txt -q").code, 0);
  ASSERT_EQ(shell("$LACIS reorder @poisson2d:40 --by rcm -o b.mtx -q").code, 0);
  ASSERT_EQ(shell("$LACIS generate @poisson2d:40 -o a.mtx -q").code, 0);
  const buffer<std::int64_t> order = read_order(file("b.csr"));
  ASSERT_EQ(order.size(), 1600);
  EXPECT_TRUE(read_parts(file("b.csr")).empty());
  const auto a = read<double>(file("a.mtx"));
  const auto b = read<double>(file("b.csr"));
  const auto expected = permute(a, order, order);
  EXPECT_TRUE(std::equal(b.columns.begin(), b.columns.end(), expected.columns.begin(), expected.columns.end()));
  EXPECT_EQ(read<double>(file("b.mtx")).nnz(), a.nnz());
  EXPECT_TRUE(content(file("order.txt")).starts_with(std::to_string(order[0]) + '\n' + std::to_string(order[1])));
  // Once more: the order still tells of the first matrix.
  ASSERT_EQ(shell("$LACIS reorder b.csr --by degree -o c.csr -q").code, 0);
  const buffer<std::int64_t> twice = read_order(file("c.csr"));
  const auto c = read<double>(file("c.csr"));
  const auto again = permute(a, twice, twice);
  EXPECT_TRUE(std::equal(c.columns.begin(), c.columns.end(), again.columns.begin(), again.columns.end()));
}

TEST_F(CutProgram, CutsIntoPartsThatPartitionTakes) {
  if (!has_partitioner()) GTEST_SKIP() << "built without METIS";
  const outcome ran = shell("$LACIS reorder @poisson3d:50 --parts 8 -o b.csr --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["parts"], 8);
  EXPECT_LT(all["ghosts_after"], all["ghosts_before"]);
  EXPECT_EQ(read_parts(file("b.csr")).size(), 9);
  const json cut = json::parse(shell("$LACIS partition b.csr -k 8 --json").out);
  EXPECT_EQ(cut["cut"], "8 parts stored with it");
  EXPECT_EQ(cut["cuts"][0]["ghosts"], all["ghosts_after"]);
  const outcome more = shell("$LACIS partition b.csr -k 9");
  EXPECT_EQ(more.code, 2);
  EXPECT_TRUE(contains(more.err, "was cut into 8 parts")) << more.err;
}

TEST_F(CutProgram, RefusesOrdersThatMakeNoSense) {
  EXPECT_EQ(shell("$LACIS reorder @poisson2d:40 -o b.csr").code, 2);
  EXPECT_EQ(shell("$LACIS reorder @poisson2d:40 --by rcm --parts 2 -o b.csr").code, 2);
  const outcome file_format = shell("$LACIS reorder @poisson2d:40 --parts 2 -o b.mtx");
  EXPECT_EQ(file_format.code, 2);
  EXPECT_TRUE(contains(file_format.err, "end its name with .csr")) << file_format.err;
  const outcome unknown = shell("$LACIS reorder @poisson2d:40 --by rmc -o b.csr");
  EXPECT_TRUE(contains(unknown.err, "--by must be one of none, rcm, chain, degree (got 'rmc')")) << unknown.err;
}

TEST_F(CutProgram, ModelsACluster) {
  const outcome ran = shell("$LACIS scale @poisson2d:256 -k 8,2 --network 1,10 --bandwidth 20 --svg scale.svg --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  ASSERT_EQ(all["strong"].size(), 2U);
  EXPECT_EQ(all["strong"][0]["ranks"], 2);
  EXPECT_EQ(all["strong"][0]["ghosts"], 512);
  EXPECT_GT(all["strong"][0]["model_product_s"], all["strong"][1]["model_product_s"]);
  ASSERT_EQ(all["weak"].size(), 2U);
  EXPECT_EQ(all["weak"][0]["matrix"], "@poisson2d:128");
  EXPECT_EQ(all["weak"][1]["matrix"], "@poisson2d:256");
  EXPECT_EQ(all["network"]["latency_us"], 1);
  EXPECT_TRUE(is_well_formed(content(file("scale.svg"))));
  const outcome screen = shell("$LACIS scale @poisson2d:256 -k 2,8 --network ethernet-1g --bandwidth 20");
  for (const char* words : {"(model)", "strong scaling", "weak scaling", "ethernet-1g"})
    EXPECT_TRUE(contains(screen.out, words)) << screen.out;
}

TEST_F(CutProgram, AsksForTheRateOfARank) {
  const outcome ran = shell("XDG_CACHE_HOME=$PWD/none $LACIS scale @poisson2d:256 -k 2 --network loopback");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "lacis doctor --measure")) << ran.err;
  EXPECT_EQ(shell("$LACIS scale @poisson2d:256 -k 2 --network loopback --bandwidth 9 --svg a.svg").code, 2);
  EXPECT_EQ(shell("$LACIS scale @poisson2d:256 -k 2 --network carrier-pigeon --bandwidth 9").code, 2);
}

}  // namespace
}  // namespace lacis::app
