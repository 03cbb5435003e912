// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --sweep rows.
#include "commands/lab/sweep.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <lacis/facts.hpp>
#include <lacis/generate.hpp>
#include <lacis/structure.hpp>

namespace lacis::app {
namespace {

/// Small enough for every L2, so that what differs from point to point is how rows are read.
constexpr std::int64_t x_elements = 8192;
/// Of the whole GPU: so many that a launch is a small part of the time.
constexpr std::int64_t least_entries = 4'194'304;
constexpr std::int64_t longest_row = 1024;
/// Multiprocessors that are run. Whether the rows under way fit in the L2 decides much, so long rows need as many rows
/// as short ones; a part of the GPU, with its share of the L2 and of the rates, needs fewer of them.
constexpr int part = 10;

lab::gpu part_of(const lab::gpu& whole) {
  const double share = static_cast<double>(part) / whole.multiprocessors;
  lab::gpu few = whole;
  few.multiprocessors = part;
  few.l2_bytes = static_cast<std::int64_t>(static_cast<double>(whole.l2_bytes) * share);
  few.dram_bytes_per_s *= share;
  few.l2_bytes_per_s *= share;
  few.launch_seconds *= share;
  return few;
}

/// Copies of @uniform below each other, twice as many rows as threads at least: x stays what it is.
template <class Value>
csr_matrix<Value, std::int32_t> rows_of(std::int64_t length, const std::string& spec, const lab::gpu& whole) {
  const std::int64_t rows =
      std::max<std::int64_t>(2 * part * whole.threads, least_entries * part / whole.multiprocessors / length);
  const std::int64_t copies = (rows + x_elements - 1) / x_elements;
  auto once = generate<Value>(spec);
  if (copies == 1) return once;
  const std::vector<csr_view<Value, std::int32_t>> parts(static_cast<std::size_t>(copies), once.view());
  return vstack(parts);
}

}  // namespace

std::vector<std::string> sweep_kernels() {
  return {"csr_row",          "csr_subwarp_2", "csr_subwarp_4", "csr_subwarp_8", "csr_subwarp_16",
          "csr_warp_shuffle", "ell_canonical", "sell_32",       "csr_stream"};
}

template <class Value> lab_sweep sweep_rows(lab::lab_options options) {
  lab_sweep sweep;
  sweep.kernels = options.kernels;
  const lacis::progress report = std::move(options.progress);
  const lab::gpu& whole = *options.model;
  const lab::gpu few = part_of(whole);
  options.model = &few;
  options.most_entries = 0;
  double done = 0;
  constexpr double points = 11;  // 1, 2, 4, ..., 1024
  for (std::int64_t length = 1; length <= longest_row; length *= 2, done += 1) {
    const std::string spec = fmt::format("@uniform:{},{}", x_elements, length);
    options.progress = [&](std::string_view stage, double share) { report(stage, (done + share) / points); };
    const csr_matrix<Value, std::int32_t> a = rows_of<Value>(length, spec, whole);
    sweep.points.push_back({length, {spec, type_name<Value>(), sizeof(Value), lab::examine(a.view(), options)}});
    sweep.points.back().result.report.model = &whole;
  }
  return sweep;
}

template lab_sweep sweep_rows<float>(lab::lab_options options);
template lab_sweep sweep_rows<double>(lab::lab_options options);

}  // namespace lacis::app
