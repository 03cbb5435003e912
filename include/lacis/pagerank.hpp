// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PageRank: the share of time that a random surfer spends on each page.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How far the iteration is.
struct pagerank_progress {
  std::int64_t iteration = 0;   ///< from 1 on
  double change = 0;            ///< sum of |new - old| over all pages
  double edges_per_second = 0;  ///< of all iterations so far
};

/// How pages are ranked and when the iteration stops.
struct pagerank_options {
  double damping = 0.85;  ///< damping factor: the probability that a link is followed
  /// Of the change in one iteration, summed over all pages. The ranks are then within damping / (1 - damping) times
  /// that of the exact ones: about 6 times at 0.85, 1000 times at 0.999.
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;  ///< the iteration stops there without having converged
  /// Where a random surfer who follows no link goes, in proportion, one number per page and none negative; empty:
  /// anywhere.
  std::span<const double> personalisation = {};
  int threads = 0;  ///< 0: as many as OpenMP gives; a plan has its own
  /// Called after every iteration; false stops.
  std::function<bool(const pagerank_progress&)> monitor = {};
};

/// The ranks, and how the iteration went.
struct pagerank_result {
  buffer<double> ranks;         ///< they add up to one
  std::int64_t iterations = 0;  ///< that were done
  double change = 0;            ///< of the last iteration, summed over all pages
  bool converged = false;       ///< whether the change is within the tolerance
  std::int64_t links = 0;       ///< different ones
  std::int64_t dangling = 0;    ///< pages without links
  double prepare_seconds = 0;   ///< of the plan
  double seconds = 0;           ///< of the iterations
};

/// One line of a list of pages by rank.
struct ranked_page {
  std::int64_t page = 0;  ///< its row in the matrix
  double rank = 0;        ///< its share of the sum of all ranks
};

namespace detail {
struct pagerank_data;
template <class Index>
LACIS_API std::shared_ptr<const pagerank_data> pagerank_inspect(std::int64_t rows, std::int64_t cols,
                                                                std::span<const std::int64_t> row_offsets,
                                                                std::span<const Index> columns, int threads);
}  // namespace detail

/// Links, prepared for iterations. Copies share their arrays, which no call changes: any number of threads may rank
/// with one plan at a time. Links that are spread over processes (mpi.hpp) are for one call at a time.
class pagerank_plan {
 public:
  /// For the library itself, as internals(): pagerank_inspect makes plans.
  explicit pagerank_plan(std::shared_ptr<const detail::pagerank_data> data) : data_(std::move(data)) {}
  /// For the library itself; not part of the interface.
  [[nodiscard]] const std::shared_ptr<const detail::pagerank_data>& internals() const { return data_; }

 private:
  std::shared_ptr<const detail::pagerank_data> data_;
};

/// Entry (i, j) of a square matrix is a link from page i to page j, whatever its value; the same link twice counts
/// once. `threads` is 0 for as many as OpenMP gives. The matrix may go. Throws error(invalid_matrix) where it is not
/// valid (validate.hpp).
template <class Matrix> [[nodiscard]] pagerank_plan pagerank_inspect(const Matrix& links, int threads = 0) {
  const auto wide = detail::wide(links);
  const auto a = wide.view();
  return pagerank_plan(detail::pagerank_inspect(a.rows, a.cols, a.row_offsets, a.columns, threads));
}

/// From a page without links the random surfer goes where personalisation sends it. Values are never made: the product
/// is that of the pattern. The same bits on any number of threads.
[[nodiscard]] LACIS_API pagerank_result pagerank(const pagerank_plan& links, const pagerank_options& options = {});

/// Once, with preparation.
template <class Matrix>
[[nodiscard]] pagerank_result pagerank(const Matrix& links, const pagerank_options& options = {}) {
  return pagerank(pagerank_inspect(links, options.threads), options);
}

/// The best `count` pages, best first; of equal ones the one with the lower number.
[[nodiscard]] LACIS_API std::vector<ranked_page> top_pages(std::span<const double> ranks, std::int64_t count);

}  // namespace lacis
