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
#include <lacis/plan.hpp>

namespace lacis::app {

/// One way to compute y = A x. The closure owns the matrix in its format.
template <class Value> struct product {
  std::string name;    ///< "csr", "csr/scalar", "sell-8", "plan"
  std::string format;  ///< how the matrix is stored
  std::string kernel;  ///< the instruction set, or "loop"
  std::int64_t bytes = 0;
  std::function<void(std::span<const Value> x, std::span<Value> y)> run;
  /// The ordering in which it takes x and gives y; empty: the user's. Lives as long as `run`.
  std::span<const std::int64_t> order = {};
};

/// What it took to make a plan.
struct plan_cost {
  std::string name;               ///< of its product: "plan", "plan in chain order"
  double seconds = 0;             ///< of everything, the reordering too
  double inspection_seconds = 0;  ///< as the plan reports it
};

struct product_options {
  std::vector<std::string> formats;  ///< those to take; empty: all that are not too large
  std::int64_t reserved_memory = 0;  ///< bytes to leave to others
  std::vector<reordering> reorder;   ///< orderings for further plans
  plan_options plan;                 ///< what every plan is for
  std::function<void(std::string_view)> announce;
};

template <class Value> struct products {
  std::vector<product<Value>> all;   ///< the plain loop first
  std::vector<std::string> remarks;  ///< formats left out, and why
  std::string plan;                  ///< the plan's explanation, when there is one
  std::vector<plan_cost> costs;      ///< of the plan and of those in other orderings
};

/// What --formats knows: the formats and "plan".
[[nodiscard]] const std::vector<std::string>& product_names();

/// The plain loop and the products of lacis: each format without inspection, SELL in two heights, the plan; CSR and the
/// plan with each instruction set; plans in other orderings, with and without the way there and back. A format that
/// takes more than three times the bytes of CSR, or more than the memory at hand, is left out.
template <class Value, class Index>
[[nodiscard]] products<Value> make_products(std::shared_ptr<const csr_matrix<Value, Index>> a,
                                            const product_options& options);

/// The names of a reordered plan's two products: in its own ordering, and from and to the user's.
[[nodiscard]] std::string reordered_name(reordering how);
[[nodiscard]] std::string permuting_name(reordering how);

/// x and y, once.
template <class Value> [[nodiscard]] std::int64_t vector_bytes(std::int64_t rows, std::int64_t cols) {
  return (rows + cols) * static_cast<std::int64_t>(sizeof(Value));
}

}  // namespace lacis::app
