// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From counts to figures: what the whole product asks for, moves, and takes on a GPU.
#pragma once

#include <array>
#include <cstdint>

#include "lab/lab.hpp"
#include "lab/memory.hpp"

namespace lacis::lab {

/// The product, and how much of it was run.
struct product_size {
  std::int64_t rows = 0;
  std::int64_t nnz = 0;
  std::int64_t csr_bytes = 0;  ///< that every product with the CSR arrays has to move
  std::int64_t x_sectors = 0;  ///< that the matrix needs
  std::int64_t sampled_rows = 0;
  std::int64_t sampled_entries = 0;
  /// Of arrays that the sample has whole, so that what it touches of them is no more for all; 0 for the others.
  std::array<std::int64_t, role_count> whole_bytes = {};

  [[nodiscard]] bool sampled() const { return sampled_rows < rows; }
};

/// Fills in everything but the names. What was run of the product is taken as a sample of it: an array of rows grows
/// with them, the others with the entries.
void fill_report(method_report& report, const traffic& counts, const product_size& size, int launches,
                 const gpu& model);

}  // namespace lacis::lab
