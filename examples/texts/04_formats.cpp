// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The small matrix of the textbook chapter on sparse matrix computation in every format, multiplied by every kernel:
// the bytes that a format takes, where the kernel comes from, and the product. Another matrix can be named: @rmat:8.
#include <cstdio>
#include <string>
#include <vector>

#include <lacis/builder.hpp>
#include <lacis/convert.hpp>
#include <lacis/generate.hpp>

#include "device/spmv.hpp"
#include "simt/runtime.hpp"

namespace device = lacis::device;

lacis::csr_matrix<double> matrix_of_the_chapter() {
  lacis::builder<double> entries(4, 4);
  auto put = entries.inserter();
  put(0, 0, 1), put(0, 1, 7);
  put(1, 0, 5), put(1, 2, 3), put(1, 3, 9);
  put(2, 1, 2), put(2, 2, 8);
  put(3, 3, 6);
  return entries.build();
}

int main(int count, char** arguments) {
  const auto a = count > 1 ? lacis::generate<double>(arguments[1]) : matrix_of_the_chapter();
  std::vector<double> x;
  for (int64_t j = 0; j < a.cols; ++j) x.push_back(static_cast<double>(1 + j % 4));
  device::simt_runtime host;
  device::runtime runtime(host.table());
  const auto device_a = device::upload(runtime, a.view());
  const auto device_x = runtime.upload<double>(x);
  std::printf("%-22s %-6s %8s  %-28s %s\n", "kernel", "format", "bytes", "first elements of y", "from");
  for (const auto& facts : device::all_spmv_methods) {
    const double beta = facts.update == device::spmv_update::add ? 1 : 0;
    const auto y = runtime.zeros<double>(a.rows);
    device::spmv(runtime, facts.method, device_a, 1.0, device_x.data(), beta, y.data());
    const std::vector<double> result = runtime.download<double>(y);
    std::string first;
    for (std::size_t i = 0; i < result.size() && i < 5; ++i)
      first += std::to_string(static_cast<int64_t>(result[i])) + ' ';
    std::printf("%-22s %-6s %8lld  %-28s %s\n", std::string(facts.name).c_str(),
                std::string(lacis::name_of(facts.stored)).c_str(),
                static_cast<long long>(lacis::storage_bytes(a, facts.stored)), first.c_str(),
                std::string(facts.text).c_str());
  }
}
