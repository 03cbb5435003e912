// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products on a device: compared with the processor's, then timed in turn with them.
#include "verify/measure_square.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <omp.h>
#include <span>

#include <lacis/error.hpp>
#include <lacis/spgemm.hpp>

#include "device/spgemm.hpp"
#include "verify/device_rounds.hpp"
#include "verify/ledger.hpp"

namespace lacis::verification {
namespace {

using clock = std::chrono::steady_clock;
using device::runtime;
using device::spgemm_phase;

constexpr const char* phase_names[] = {"inspect", "count", "fill", "sort"};

/// The time between launches, by the phase of the launch before; the device is waited for at each.
class phase_clock final : public device::spgemm_observer {
 public:
  explicit phase_clock(runtime& device) : device_(device) {
    device_.wait();
    last_ = clock::now();
  }
  void launching(spgemm_phase phase, device::spgemm_bin, std::span<const device::spgemm_array_place>) override {
    turn();
    phase_ = phase;
  }
  [[nodiscard]] const std::array<double, 4>& end() {
    turn();
    return seconds_;
  }

 private:
  void turn() {
    device_.wait();
    const auto now = clock::now();
    seconds_[static_cast<std::size_t>(phase_)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

  runtime& device_;
  spgemm_phase phase_ = spgemm_phase::inspect;
  clock::time_point last_;
  std::array<double, 4> seconds_ = {};
};

template <class T> bool same_elements(const std::vector<T>& got, std::span<const T> expected) {
  return std::equal(got.begin(), got.end(), expected.begin(), expected.end());
}

}  // namespace

double host_seconds(const std::function<void()>& work) {
  work();
  const auto begin = clock::now();
  work();
  return std::chrono::duration<double>(clock::now() - begin).count();
}

std::vector<processor_time> processor_rows() {
  std::vector<processor_time> rows = {{"1 thread", 1, 0, {}}};
  const int most = omp_get_max_threads();
  if (most > 1) rows.push_back({std::to_string(most) + " threads", most, 0, {}});
  return rows;
}

device_sparse_product measure_square(runtime& device, const std::string& name,
                                     const csr_matrix<double, std::int32_t>& a, int rounds) {
  device_sparse_product result;
  result.name = name;
  result.rows = a.rows;
  result.entries = a.nnz();
  for (const char* const phase : phase_names) result.phases.emplace_back(phase, std::vector<double>());
  try {
    const auto there = device::upload(device, a.view());
    device::spgemm_statistics statistics;
    {
      const auto c = device::spgemm(device, there, there, {}, &statistics);
      const auto expected = multiply(a, a);
      const bool same =
          same_elements<std::int64_t>(device.download<std::int64_t>(c.row_offsets), expected.row_offsets) &&
          same_elements<std::int32_t>(device.download<std::int32_t>(c.columns), expected.columns) &&
          difference<double>(device.download<double>(c.values), expected.values.data, [](std::int64_t) {
            return std::string();
          }).empty();
      if (!same) result.bits = device_bits::differ;
    }
    result.products = statistics.products;
    result.result_entries = statistics.entries;
    device_stopwatch watch(device);
    std::vector<double> in_phases;
    std::vector<device_turn> turns;
    turns.push_back({[&] { return watch.time([&] { static_cast<void>(device::spgemm(device, there, there)); }); },
                     &result.seconds});
    turns.push_back({[&] {
                       phase_clock phases(device);
                       device::spgemm_options options;
                       options.observer = &phases;
                       static_cast<void>(device::spgemm(device, there, there, options));
                       double all = 0;
                       for (std::size_t k = 0; k < phases.end().size(); ++k) {
                         result.phases[k].second.push_back(phases.end()[k]);
                         all += phases.end()[k];
                       }
                       return all;
                     },
                     &in_phases});
    result.processor = processor_rows();
    for (processor_time& row : result.processor)
      turns.push_back({[&a, threads = row.threads] {
                         return host_seconds([&] { static_cast<void>(multiply(a, a, {.threads = threads})); });
                       },
                       &row.seconds});
    take_turns(turns, rounds, [](int) {});
  } catch (const error& problem) {
    if (problem.code() != errc::out_of_memory) throw;
    result.refused = problem.what();
  }
  return result;
}

}  // namespace lacis::verification
