// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Measurements of a device: who takes part, in which order, and what is compared.
#include "verify/measure_device.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include <lacis/bsr.hpp>
#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "device/spmv.hpp"
#include "verify/device_rounds.hpp"

namespace lacis {
namespace {

device_measurements small() { return measure_device(devices::simt(), {.rounds = 2, .matrix_bytes = 12 << 10}); }

TEST(MeasureDevice, RunsEveryMethodAndFindsItsBitsRight) {
  const device_measurements all = small();
  EXPECT_TRUE(all.good());
  EXPECT_FALSE(all.times_count());
  ASSERT_EQ(all.subjects.size(), 4u);
  for (std::size_t k = 0; k < 3; ++k) {
    const device_subject& subject = all.subjects[k];
    ASSERT_EQ(subject.times.size(), device::all_spmv_methods.size());
    EXPECT_EQ(subject.copy_seconds.size(), 2u);
    for (std::size_t i = 0; i < subject.times.size(); ++i) {
      const device_time& time = subject.times[i];
      const device::spmv_facts& facts = device::all_spmv_methods[i];
      EXPECT_EQ(time.name, facts.name);
      if (!time.refused.empty()) continue;
      EXPECT_EQ(time.bits, facts.order ? device_bits::ok : device_bits::whole) << time.name << ": " << time.fault;
      EXPECT_EQ(time.seconds.size(), 2u);
    }
  }
  EXPECT_EQ(all.subjects[3].times.size(), 3u);
}

TEST(MeasureDevice, CountsTheBytesOfEachFormat) {
  const device_measurements all = small();
  const device_subject& grid = all.subjects[0];
  const auto bytes_of = [&](std::string_view name) {
    const auto found =
        std::find_if(grid.times.begin(), grid.times.end(), [&](const device_time& t) { return t.name == name; });
    return found->bytes;
  };
  const std::int64_t vectors = 2 * 8 * grid.rows;
  EXPECT_EQ(bytes_of("csr_row"), 8 * (grid.rows + 1) + 12 * grid.entries + vectors);
  EXPECT_EQ(bytes_of("csr_row_add"), bytes_of("csr_row") + 8 * grid.rows);
  EXPECT_EQ(bytes_of("coo_atomic"), 16 * grid.entries + vectors);
  EXPECT_EQ(bytes_of("ell_row"), 4 * grid.rows + 12 * grid.entries + vectors);
  const auto blocked =
      convert<bsr_matrix<double, std::int32_t>>(generate<double>(grid.name, {}));  // of 16 slots: two bytes of mask
  const auto blocks = static_cast<std::int64_t>(blocked.block_columns.size());
  const std::int64_t filled = 8 * ((grid.rows + 3) / 4 + 1) + blocks * (4 + 2) + 8 * grid.entries;
  EXPECT_EQ(bytes_of("bsr_rows"), filled + vectors) << "fill is not read";
  EXPECT_EQ(grid.copied_bytes, bytes_of("csr_row"));
}

TEST(MeasureDevice, LeavesOutFormatsThatPadTooMuch) {
  const device_measurements all = measure_device(devices::simt(), {.rounds = 1, .matrix_bytes = 30 << 10});
  const device_subject& graph = all.subjects[1];
  const auto ell = std::find_if(graph.times.begin(), graph.times.end(),
                                [](const device_time& time) { return time.name == "ell_row"; });
  EXPECT_EQ(ell->refused.find("ell would take "), 0u) << ell->refused;
  EXPECT_TRUE(ell->seconds.empty());
}

TEST(MeasureDevice, TimesTheProcessorConversionsAndThePhasesOfSparseProductsInTheSameRounds) {
  const device_measurements all = small();
  for (std::size_t k = 0; k < 3; ++k) {
    const device_subject& subject = all.subjects[k];
    ASSERT_FALSE(subject.processor.empty());
    EXPECT_EQ(subject.processor[0].name, "1 thread, csr");
    for (const processor_time& row : subject.processor) EXPECT_EQ(row.seconds.size(), 2u) << row.name;
    for (const device_time& time : subject.times) {
      if (!time.refused.empty()) continue;
      EXPECT_EQ(time.conversion_seconds.empty(), time.name.starts_with("csr")) << time.name;
    }
  }
  ASSERT_EQ(all.sparse_products.size(), 3u);
  for (const device_sparse_product& product : all.sparse_products) {
    EXPECT_EQ(product.refused, "") << product.name;
    EXPECT_EQ(product.bits, device_bits::ok) << product.name;
    EXPECT_GE(product.products, product.result_entries);
    ASSERT_EQ(product.phases.size(), 4u);
    for (const auto& [name, seconds] : product.phases) EXPECT_EQ(seconds.size(), 2u) << name;
    EXPECT_GT(product.phases[1].second[0], 0) << "count";
    EXPECT_GT(product.phases[2].second[0], 0) << "fill";
  }
}

TEST(MeasureDevice, TakesMatricesOfItsUser) {
  device_measure_options options{.rounds = 1, .matrix_bytes = 12 << 10};
  options.matrices.emplace_back("mine", generate<double>("@uniform:40,3", {.values = generated_values::integer}));
  const device_measurements all = measure_device(devices::simt(), options);
  ASSERT_EQ(all.subjects.size(), 2u);
  EXPECT_EQ(all.subjects[0].name, "mine");
  EXPECT_EQ(all.subjects[0].rows, 40);
  ASSERT_EQ(all.sparse_products.size(), 1u);
  EXPECT_EQ(all.sparse_products[0].name, "mine");
  EXPECT_TRUE(all.good());
}

TEST(MeasureDevice, SaysWhyThePeersOfTheHostExecutorDoNotRun) {
  const device_measurements all = small();
  for (const device_subject& subject : all.subjects)
    for (const device_peer& peer : subject.peers) {
      EXPECT_FALSE(peer.refused.empty()) << peer.name;
      EXPECT_TRUE(peer.seconds.empty());
    }
}

TEST(MeasureDevice, RefusesTheProcessorAndNoRounds) {
  for (const auto& [device, rounds] : {std::pair(devices::cpu(), 1), std::pair(devices::simt(), 0)}) {
    try {
      static_cast<void>(measure_device(device, {.rounds = rounds, .matrix_bytes = 1000}));
      ADD_FAILURE() << name_of(device);
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::invalid_argument);
    }
  }
}

TEST(DeviceRounds, TakeEveryTurnOnceARoundAndNotAlwaysInTheSameOrder) {
  std::vector<int> order;
  std::vector<std::vector<double>> seconds(5);
  std::vector<verification::device_turn> turns;
  for (int i = 0; i < 5; ++i)
    turns.push_back({[&order, i] {
                       order.push_back(i);
                       return static_cast<double>(i);
                     },
                     &seconds[static_cast<std::size_t>(i)]});
  int done = 0;
  verification::take_turns(turns, 3, [&](int rounds) { done = rounds; });
  EXPECT_EQ(done, 3);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(seconds[i], std::vector<double>(3, static_cast<double>(i)));
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 1, 0, 4, 3, 2, 4, 0, 1, 2, 3}));
}

}  // namespace
}  // namespace lacis
