// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the iterations of PageRank ask of the links, of one process or of several.
#pragma once

#include <functional>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>

#include "summation/tree.hpp"

namespace lacis::detail {

/// Incoming links as a product, and one over the number of a page's own links, 0 without. The pages of this process
/// begin where a block of sums begins.
struct pagerank_data {
  std::int64_t pages = 0;  ///< of this process
  std::int64_t first_page = 0;
  std::int64_t all_pages = 0;
  std::int64_t links = 0;  ///< of all processes
  int threads = 0;
  double seconds = 0;
  buffer<double> share;
  std::function<void(std::span<const double> x, std::span<double> y, workspace& memory)> multiply;
  /// Sums over all processes.
  std::function<double(const summation::node_range<double>&)> total = [](const auto& mine) { return mine.total(); };
  std::function<std::int64_t(std::int64_t)> sum_of_all = [](std::int64_t mine) { return mine; };
  /// Whether the monitors of all ranks say so.
  std::function<bool(bool)> goes_on = [](bool mine) { return mine; };
  /// Runs work that all ranks run at the same time: where it throws on one, it throws on all.
  std::function<void(const std::function<void()>&)> together = [](const auto& work) { work(); };
};

/// One over the entries of each row, 0 for rows without.
[[nodiscard]] LACIS_API buffer<double> shares_of(std::span<const std::int64_t> row_offsets);

}  // namespace lacis::detail
