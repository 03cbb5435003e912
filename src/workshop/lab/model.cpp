// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Estimates for the whole product, and the roofline of a GPU over them.
#include "lab/model.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lacis::lab {
namespace {

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b); }

struct dram_bytes {
  double compulsory = 0;
  double moved = 0;
};

/// Compulsory is what an endless cache would move: a sector that is read before it is written once in, one that is
/// written once out. A sample's cache is warm for all but what is new, so x may look as if it came from nowhere: the
/// whole product moves what it needs at least.
dram_bytes dram_of(role which, const role_counts& counts, const product_size& size, double scale) {
  dram_bytes bytes;
  bytes.compulsory = sector_bytes * scale * static_cast<double>(counts.first_reads + counts.first_writes);
  bytes.moved = sector_bytes * static_cast<double>(counts.fetched + counts.written_back);
  if (!size.sampled()) return bytes;
  if (which == role::x) bytes.compulsory = static_cast<double>(sector_bytes * size.x_sectors);
  if (const std::int64_t whole = size.whole_bytes[static_cast<std::size_t>(which)]; whole > 0)
    bytes.compulsory = std::min(bytes.compulsory, static_cast<double>(whole));
  bytes.moved *= scale * ratio(counts.sectors, counts.measured_sectors);
  bytes.moved = std::max(bytes.moved, bytes.compulsory);
  return bytes;
}

}  // namespace

void fill_report(method_report& report, const traffic& counts, const product_size& size, int launches,
                 const gpu& model) {
  const auto nnz = static_cast<double>(std::max<std::int64_t>(1, size.nnz));
  const double by_rows = size.sampled() ? ratio(size.rows, size.sampled_rows) : 1;
  const double by_entries = size.sampled() ? ratio(size.nnz, size.sampled_entries) : 1;

  std::int64_t entry_requests = 0;
  std::int64_t entry_lanes = 0;
  double requests = 0;
  double sectors = 0;
  double cycles = by_entries * static_cast<double>(counts.shared_passes);
  double atomics = 0;
  dram_bytes dram;
  for (std::size_t k = 0; k < role_count; ++k) {
    const role which{static_cast<std::uint8_t>(k)};
    const role_counts& own = counts[which];
    if (own.requests == 0) continue;
    const double scale = facts_of(which).of_rows ? by_rows : by_entries;
    if (facts_of(which).of_entries) {
      entry_requests += own.requests;
      entry_lanes += own.lanes;
    }
    requests += scale * static_cast<double>(own.requests);
    sectors += scale * static_cast<double>(own.sectors);
    cycles += scale * static_cast<double>(own.lines);
    atomics += scale * static_cast<double>(own.atomics);
    const dram_bytes bytes = dram_of(which, own, size, scale);
    dram.compulsory += bytes.compulsory;
    dram.moved += bytes.moved;
    report.arrays.push_back({std::string(facts_of(which).name), own.requests, own.sectors, bytes.moved / nnz});
  }
  report.active_lanes = ratio(entry_lanes, simt::warp_size * entry_requests);
  report.requests_per_nnz = requests / nnz;
  report.bytes_requested_per_nnz = sector_bytes * sectors / nnz;
  report.shared_requests_per_nnz = by_entries * static_cast<double>(counts.shared_requests) / nnz;
  report.bank_conflicts_per_nnz = by_entries * static_cast<double>(counts.bank_conflicts) / nnz;
  report.atomics_per_nnz = atomics / nnz;
  report.compulsory_bytes_per_nnz = dram.compulsory / nnz;
  report.dram_bytes_per_nnz = dram.moved / nnz;

  // A multiprocessor sends a line of a request, or makes a pass over its banks, a clock. Atomic operations count by
  // their sectors only.
  const std::array<std::pair<const char*, double>, 4> terms = {{
      {"DRAM", dram.moved / model.dram_bytes_per_s},
      {"L2", sector_bytes * sectors / model.l2_bytes_per_s},
      {"requests", cycles / (model.multiprocessors * model.clock_hz)},
      {"launches", launches * model.launch_seconds},
  }};
  const auto longer = [](const auto& a, const auto& b) { return a.second < b.second; };
  report.bound_by = std::max_element(terms.begin(), terms.end(), longer)->first;
  report.model_s = std::max_element(terms.begin(), terms.end() - 1, longer)->second + terms.back().second;
  if (report.model_s > 0)
    report.model_share = static_cast<double>(size.csr_bytes) / report.model_s / model.dram_bytes_per_s;
}

}  // namespace lacis::lab
