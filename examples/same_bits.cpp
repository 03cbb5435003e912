// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The number of threads does not change a bit: products and a solution on one to four threads, compared by their
// hashes.
#include <iostream>
#include <vector>

#include <lacis/lacis.hpp>

int main() {
  const auto a = lacis::generate<double>("@rmat:14", {.values = lacis::generated_values::random});
  const auto grid = lacis::generate<double>("@poisson3d:20");
  std::vector<double> x(static_cast<std::size_t>(a.cols)), y(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 3);
  const std::vector<double> b(static_cast<std::size_t>(grid.rows), 0.1);

  std::uint64_t product = 0, solution = 0;
  for (int threads = 1; threads <= 4; ++threads) {
    lacis::multiply(lacis::multiply_inspect(a, {.threads = threads}), x, y);
    std::vector<double> found(b.size());
    static_cast<void>(lacis::cg(lacis::multiply_inspect(grid, {.threads = threads}), b, found));
    const std::uint64_t hashes[] = {lacis::solution_hash(y), lacis::solution_hash(found)};
    if (threads == 1) {
      product = hashes[0];
      solution = hashes[1];
    }
    if (hashes[0] != product || hashes[1] != solution) {
      std::cout << threads << " threads: other bits\n";
      return 1;
    }
  }
  std::cout << std::hex << "product " << product << ", solution " << solution << ": the same on one to four threads\n";
}
