// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One distributed matrix ready for products: plans of its rows, and the exchange they wait for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lacis/mpi.hpp>
#include <lacis/plan.hpp>

#include "mpi/exchange.hpp"
#include "mpi/long_rows.hpp"
#include "mpi/space.hpp"

namespace lacis::dist {

/// y = A x with vectors of a spread_space that has room for the ghosts. Not for two products at a time.
template <value T> class spread_product {
 public:
  using vector = space_vector<T>;
  using nodes = summation::node_range<T>;

  spread_product(distributed_csr<T> a, const distributed_options& options);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t cols() const { return cols_; }
  /// Room that vectors need before and behind their own elements.
  [[nodiscard]] std::int64_t before() const { return before_; }
  [[nodiscard]] std::int64_t behind() const { return behind_; }
  [[nodiscard]] const ghost_exchange<T>& exchange() const { return *exchange_; }

  void multiply(const vector& x, const vector& y, spread_space<T>& space);
  /// And x^H y of the whole vectors.
  [[nodiscard]] T multiply_and_dot(const vector& x, const vector& y, spread_space<T>& space);
  /// As linear_operator has them; false where rows are cut among processes.
  bool bound_rounding(const vector& x, const vector& y);
  bool precise_residual(const vector& b, const vector& x, const vector& r);
  void exchange_only(const vector& x);

  [[nodiscard]] std::int64_t moved_bytes() const;
  [[nodiscard]] std::int64_t storage_bytes() const;
  [[nodiscard]] std::string explain() const;
  /// Of most rows.
  [[nodiscard]] std::string layout() const;

 private:
  /// Rows that follow each other, with a plan of their own.
  struct segment {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool waits = false;                         ///< some row uses an element of another process
    std::optional<plan<T, std::int32_t>> rows;  ///< nothing: all rows, as they are in plain_
  };

  void make_segments(csr_matrix<T, std::int32_t> local, const distributed_options& options);
  /// visit(segment) for all rows: those that need nothing first, the others when everything has come.
  template <class Visit> void in_order_of_need(const vector& x, Visit&& visit);
  [[nodiscard]] bool is_plain() const { return !segments_.empty() && !segments_.front().rows; }
  [[nodiscard]] std::span<const T> all_elements(const vector& x) const {
    return {x.data() - before_, static_cast<std::size_t>(before_ + cols_ + behind_)};
  }

  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t before_;
  std::int64_t behind_;
  long_rows<T> long_rows_;
  std::unique_ptr<ghost_exchange<T>> exchange_;
  std::vector<segment> segments_;
  std::vector<nodes> sums_;            ///< of each, while a product with its dot product is computed
  csr_matrix<T, std::int32_t> plain_;  ///< where memory does not suffice for a plan
  int threads_ = 0;
  workspace memory_;
};

}  // namespace lacis::dist
