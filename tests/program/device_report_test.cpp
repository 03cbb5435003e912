// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis doctor --device prints, from figures that were made up.
#include "commands/machine/device_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lacis::app {
namespace {

using json = nlohmann::json;

/// A GPU that copies 4 GB in 4 ms; a method that moves 3 GB takes 6 ms, cuSPARSE 9 ms.
device_diagnosis made_up() {
  device_diagnosis all;
  all.kernels.runs = 1234;
  all.kernels.kernels = 88;
  device_measurements& measured = all.measured;
  measured.device = devices::cuda(1);
  measured.found.name = "NVIDIA Made Up";
  measured.found.architecture = 80;
  measured.found.multiprocessors = 108;
  measured.found.memory_bytes = std::int64_t{40} << 30;
  measured.found.driver_version = 13010;
  measured.found.toolkit_version = 13000;
  measured.rounds = 3;
  device_subject& subject = measured.subjects.emplace_back();
  subject.name = "@rmat:21";
  subject.rows = 2097152;
  subject.entries = 31000000;
  subject.value_type = "double";
  subject.copied_bytes = 4'000'000'000;
  subject.copy_seconds = {4e-3, 4e-3, 4e-3};
  device_time& method = subject.times.emplace_back();
  method.name = "csr_stream";
  method.bytes = 3'000'000'000;
  method.seconds = {6e-3, 6e-3, 6e-3};
  device_time& refused = subject.times.emplace_back();
  refused.name = "ell_row";
  refused.refused = "ell would take 99 times the memory of csr";
  device_peer& peer = subject.peers.emplace_back();
  peer.name = "cuSPARSE";
  peer.library = "cuSPARSE 12.6.3";
  peer.remark = "default algorithm";
  peer.seconds = {9e-3, 9e-3, 9e-3};
  return all;
}

terminal plain() { return {.columns = 100}; }

TEST(DeviceReport, ComparesWithACopyAndWithThePeer) {
  const device_diagnosis all = made_up();
  const device_subject& subject = all.measured.subjects[0];
  const device_figures figures = figures_of(subject, subject.times[0]);
  EXPECT_EQ(figures.seconds.median, 6e-3);
  EXPECT_EQ(figures.gbs, 3e9 / 6e-3 * 1e-9);
  EXPECT_EQ(figures.share_of_copy.median, 4e-3 / 6e-3 * 0.75);
  ASSERT_TRUE(figures.speed_to_peer.has_value());
  EXPECT_EQ(figures.speed_to_peer->median, 9e-3 / 6e-3);
}

TEST(DeviceReport, ShowsTheDeviceAndOneLineAnOperation) {
  const std::string screen = device_screen(made_up(), plain());
  EXPECT_EQ(screen.find("cuda:1  NVIDIA Made Up, compute capability 8.0, 108 multiprocessors, 40 GiB; driver for CUDA "
                        "13.1, kernels of CUDA 13.0\n"
                        "1,234 runs of 88 kernels compared, 0 differing bits\n"),
            0u)
      << screen;
  EXPECT_NE(screen.find("\n  copy               4   0.0 %  1000\n"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\n  csr_stream    ok   6   0.0 %   500     50 %         1.50\n"), std::string::npos) << screen;
  EXPECT_NE(screen.find("ell_row was left out: ell would take 99 times"), std::string::npos) << screen;
  EXPECT_NE(screen.find("cuSPARSE 12.6.3: default algorithm"), std::string::npos) << screen;
  EXPECT_EQ(screen.find("times mean nothing"), std::string::npos);
}

/// The same with a processor that takes 60 ms, a conversion of 12 ms, and a sparse product.
device_diagnosis with_processor() {
  device_diagnosis all = made_up();
  device_subject& subject = all.measured.subjects[0];
  subject.times[0].conversion_seconds = {12e-3, 12e-3, 12e-3};
  subject.processor = {{"1 thread, csr", 1, 600'000'000, {60e-3, 60e-3, 60e-3}}};
  device_sparse_product& product = all.measured.sparse_products.emplace_back();
  product.name = "@density:64,0.1";
  product.rows = 64;
  product.products = 2'000'000;
  product.seconds = {1e-3, 1e-3, 1e-3};
  product.phases = {{"count", {4e-4, 4e-4, 4e-4}}, {"fill", {7e-4, 7e-4, 7e-4}}};
  product.processor = {{"1 thread", 1, 0, {8e-3, 8e-3, 8e-3}}};
  return all;
}

TEST(DeviceReport, ShowsTheProcessorConversionsAndPhases) {
  const std::string screen = device_screen(with_processor(), plain());
  EXPECT_NE(screen.find("50 %         1.50        10.00            12\n"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\n  processor, 1 thread, csr "), std::string::npos) << screen;
  EXPECT_NE(screen.find("\n@density:64,0.1  C = A A: 64 rows"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\n  device                 ok    1   0.0 %                2000\n"), std::string::npos)
      << screen;
  EXPECT_NE(screen.find("\n    count                    0.4   0.0 %\n"), std::string::npos) << screen;
  EXPECT_NE(screen.find("\n  processor, 1 thread          8   0.0 %                 250\n"), std::string::npos)
      << screen;
  const json all = json::parse(device_json(with_processor()));
  EXPECT_EQ(all["subjects"][0]["operations"][0]["ratio_to_one_thread"]["median"], 60e-3 / 6e-3);
  EXPECT_EQ(all["subjects"][0]["operations"][0]["conversion_seconds"]["median"], 12e-3);
  EXPECT_EQ(all["subjects"][0]["processor"][0]["threads"], 1);
  EXPECT_EQ(all["sparse_products"][0]["phases"]["fill"]["median"], 7e-4);
}

TEST(DeviceReport, LeavesOutASparseProductThatDoesNotFit) {
  device_diagnosis all = with_processor();
  all.measured.sparse_products[0].refused = "no memory";
  all.measured.sparse_products[0].seconds.clear();
  EXPECT_NE(device_screen(all, plain()).find("left out: no memory"), std::string::npos);
  EXPECT_TRUE(json::parse(device_json(all))["sparse_products"][0]["seconds"].is_null());
}

TEST(DeviceReport, SaysThatTimesOfTheHostExecutorMeanNothing) {
  device_diagnosis all = made_up();
  all.measured.device = devices::simt();
  EXPECT_NE(device_screen(all, plain()).find("host executor: times have no meaning\n"), std::string::npos);
}

TEST(DeviceReport, TellsWhereBitsDiffer) {
  device_diagnosis all = made_up();
  device_time& wrong = all.measured.subjects[0].times[0];
  EXPECT_TRUE(all.measured.good());
  wrong.bits = device_bits::differ;
  wrong.fault = "element 7 is 1, the order gives 2";
  EXPECT_FALSE(all.measured.good());
  const std::string screen = device_screen(all, plain());
  EXPECT_NE(screen.find("csr_stream  differ"), std::string::npos) << screen;
  EXPECT_NE(screen.find("csr_stream: element 7 is 1, the order gives 2"), std::string::npos) << screen;
  const json operation = json::parse(device_json(all))["subjects"][0]["operations"][0];
  EXPECT_EQ(operation["bits"], "differ");
  EXPECT_EQ(operation["fault"], wrong.fault);
}

TEST(DeviceReport, HoldsEverySampleAsJson) {
  const json all = json::parse(device_json(made_up()));
  EXPECT_EQ(all["device"]["device"], "cuda:1");
  EXPECT_EQ(all["device"]["driver"], 13010);
  EXPECT_EQ(all["times_count"], true);
  const json& subject = all["subjects"][0];
  EXPECT_EQ(subject["operations"][0]["seconds"]["samples"], json({6e-3, 6e-3, 6e-3}));
  EXPECT_EQ(subject["operations"][0]["ratio_to_peer"]["median"], 9e-3 / 6e-3);
  EXPECT_TRUE(subject["operations"][1]["seconds"].is_null());
  EXPECT_EQ(subject["operations"][1]["refused"], "ell would take 99 times the memory of csr");
  EXPECT_EQ(subject["peers"][0]["library"], "cuSPARSE 12.6.3");
}

}  // namespace
}  // namespace lacis::app
