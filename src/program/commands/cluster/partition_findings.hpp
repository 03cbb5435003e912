// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis partition found, and its renderings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/partition.hpp>

#include "console/console.hpp"

namespace lacis::app {

/// A matrix shared out among so many ranks.
struct rank_findings {
  int ranks = 1;
  std::vector<std::int64_t> begins = {};  ///< where each rank's rows begin; the last element is the number of rows
  row_exchange exchange = {};
  double imbalance = 1;
};

struct partition_findings {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string cut;  ///< where it was cut, in words
  rank_storage storage;
  std::vector<rank_findings> all = {};

  /// Bytes that travel in one product.
  [[nodiscard]] std::int64_t exchanged_bytes(const rank_findings& of) const;
  /// The most that one rank receives or sends, whichever is more: links carry both ways at once.
  [[nodiscard]] std::int64_t busiest_bytes(const rank_findings& of) const;
  [[nodiscard]] std::int64_t most_memory(const rank_findings& of) const;
  [[nodiscard]] double mean_memory(const rank_findings& of) const;
};

[[nodiscard]] double mean_messages(const row_exchange& exchange);
[[nodiscard]] std::int64_t most_messages(const row_exchange& exchange);

/// A table, and below it who sends how much to whom among the last number of ranks.
[[nodiscard]] std::string partition_screen(const partition_findings& found, const terminal& where);
[[nodiscard]] std::string partition_json(const partition_findings& found);
/// The picture alone, as SVG.
[[nodiscard]] std::string partition_svg(const partition_findings& found);

}  // namespace lacis::app
