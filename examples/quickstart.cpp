// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The README's example: assemble a matrix from several threads, convert it, write it, read it back.
#include <iostream>

#include <lacis/lacis.hpp>

int main() {
  lacis::builder<double> entries(1000, 1000);
#pragma omp parallel
  {
    auto put = entries.inserter();  // one for each thread
#pragma omp for
    for (int i = 0; i < 1000; ++i) {
      put(i, i, 2.0);
      if (i > 0) put(i, i - 1, -1.0);
      if (i < 999) put(i, i + 1, -1.0);
    }
  }
  const auto a =
      entries.build();  // csr_matrix<double>: sorted, duplicates summed, the same bits for any number of threads
  const auto sell = lacis::convert<lacis::sell_matrix<double>>(a, {.slice_height = 8, .sort_window = 64});
  lacis::require_valid(sell);  // throws lacis::error naming the first broken invariant and its row
  lacis::write("laplace.mtx.gz", a);
  const auto again = lacis::read<double>("laplace.mtx.gz");
  std::cout << again.rows << " x " << again.cols << ", " << again.nnz()
            << " entries, sell: " << lacis::storage_bytes(a, lacis::format::sell) << " bytes\n";
}
