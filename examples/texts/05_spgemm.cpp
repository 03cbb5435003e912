// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rose's product of sparse matrices in three kernels (count, fill, sort), at the densities of that text, and what its
// future work is worth: how many entries of the tables each variant resets.
#include <cstdio>
#include <string>

#include <lacis/generate.hpp>

#include "device/spgemm.hpp"
#include "simt/runtime.hpp"

namespace device = lacis::device;

int main() {
  using enum device::spgemm_variant;
  device::simt_runtime host;
  device::runtime runtime(host.table());
  std::printf("%-18s %-13s %10s %10s %14s %9s\n", "matrix", "variant", "products", "nnz(C)", "entries reset",
              "launches");
  for (const char* spec : {"@density:512,1e-2", "@density:1024,1e-3", "@density:2048,1e-4"}) {
    const auto a = lacis::generate<float>(spec, {.values = lacis::generated_values::integer});
    const auto device_a = device::upload(runtime, a.view());
    std::vector<float> first;
    for (const auto& [name, variant] :
         {std::pair("text", text), std::pair("touched", touched), std::pair("stamped", stamped),
          std::pair("several rows", several_rows), std::pair("dynamic", dynamic), std::pair("best", best)}) {
      device::spgemm_options options;
      options.variant = variant;
      options.sort = device::spgemm_sort::radix;
      device::spgemm_statistics counted;
      const auto c = device::spgemm(runtime, device_a, device_a, options, &counted);
      const auto values = runtime.download<float>(c.values);
      if (first.empty()) first = values;
      std::printf("%-18s %-13s %10lld %10lld %14lld %9lld%s\n", spec, name, static_cast<long long>(counted.products),
                  static_cast<long long>(counted.entries), static_cast<long long>(counted.reset_entries()),
                  static_cast<long long>(counted.launches), values == first ? "" : "  other bits");
      if (values != first) return 1;
    }
  }
}
