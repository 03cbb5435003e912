// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every way in which lacis multiplies one matrix, ready to be timed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/progress.hpp>

namespace lacis::app {

/// One way to compute y = A x. The closure owns the matrix in its format.
template <class Value> struct product {
  std::string name;    ///< "csr", "csr/scalar", "sell-8", "plan"
  std::string format;  ///< how the matrix is stored
  std::string kernel;  ///< the instruction set, or "loop"
  std::int64_t bytes = 0;
  std::function<void(std::span<const Value> x, std::span<Value> y)> run;
};

struct product_options {
  std::vector<std::string> formats;  ///< those to take; empty: all that are not too large
  std::int64_t reserved_memory = 0;  ///< bytes to leave to others
  std::function<void(std::string_view)> announce;
};

template <class Value> struct products {
  std::vector<product<Value>> all;   ///< the plain loop first
  std::vector<std::string> remarks;  ///< formats left out, and why
  std::string plan;                  ///< the plan's explanation, when there is one
};

/// What --formats knows: the formats and "plan".
[[nodiscard]] const std::vector<std::string>& product_names();

/// The plain loop and the products of lacis: each format without inspection, SELL in two heights, the plan; CSR and the
/// plan with each instruction set. A format that takes more than three times the bytes of CSR, or more than the memory
/// at hand, is left out.
template <class Value, class Index>
[[nodiscard]] products<Value> make_products(std::shared_ptr<const csr_matrix<Value, Index>> a,
                                            const product_options& options);

/// x and y, once.
template <class Value> [[nodiscard]] std::int64_t vector_bytes(std::int64_t rows, std::int64_t cols) {
  return (rows + cols) * static_cast<std::int64_t>(sizeof(Value));
}

}  // namespace lacis::app
