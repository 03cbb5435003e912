// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The experiment of Villa: a k-mer graph times a vector, a thread per row against a warp per row, in blocks of 128 to
// 1024. The host executor runs the kernels that a GPU gets; it has no memory system, so what is shown is which lanes
// work.
#include <cstdio>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/hash.hpp>

#include "device/spmv.hpp"
#include "simt/runtime.hpp"

namespace device = lacis::device;

/// The share of lanes with an entry, over the steps of all warps, when `lanes` lanes share a row.
double share_of_lanes(const lacis::csr_matrix<double>& a, int lanes) {
  const int64_t rows_of_warp = 32 / lanes;
  int64_t steps = 0;
  for (int64_t first = 0; first < a.rows; first += rows_of_warp) {
    int64_t longest = 0;
    for (int64_t i = first; i < std::min(a.rows, first + rows_of_warp); ++i)
      longest = std::max(longest, (a.row_offsets[i + 1] - a.row_offsets[i] + lanes - 1) / lanes);
    steps += longest;
  }
  return static_cast<double>(a.nnz()) / static_cast<double>(32 * std::max<int64_t>(steps, 1));
}

int main(int count, char** arguments) {
  const auto a =
      lacis::generate<double>(count > 1 ? arguments[1] : "@kmer:20000", {.values = lacis::generated_values::ones});
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 0.1);
  device::simt_runtime host;
  device::runtime runtime(host.table());
  const auto device_a = device::upload(runtime, a.view());
  const auto device_x = runtime.upload<double>(x);
  std::printf("%lld rows, %.2f entries per row\n", static_cast<long long>(a.rows),
              static_cast<double>(a.nnz()) / static_cast<double>(a.rows));
  std::printf("%-22s %14s  %s\n", "kernel and block", "lanes at work", "hash of y");
  for (const auto& facts : device::all_spmv_methods) {
    const bool row = facts.name.starts_with("csr_row") && facts.update == device::spmv_update::assign;
    if (!row && !facts.name.starts_with("csr_warp_shuffle") && !facts.name.starts_with("csr_subwarp")) continue;
    const int lanes = row ? 1 : static_cast<int>(facts.order->lanes);
    const auto y = runtime.allocate<double>(a.rows);
    device::spmv(runtime, facts.method, device_a, 1.0, device_x.data(), 0.0, y.data());
    const std::vector<double> result = runtime.download<double>(y);
    std::printf("%-22s %12.1f %%  %016llx\n", std::string(facts.name).c_str(), 100 * share_of_lanes(a, lanes),
                static_cast<unsigned long long>(lacis::solution_hash(std::span<const double>(result))));
  }
}
