// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix to be shared out among ranks: where it may be cut, and what a cut costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/partition.hpp>

#include "console/console.hpp"
#include "input/load.hpp"
#include "parse/option_list.hpp"

namespace lacis::app {

/// A square matrix with what decides where ranks begin.
struct cut_source {
  loaded source = {};
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type = {};
  rank_storage storage = {};
  std::vector<std::int64_t> chunk_weights = {};
  std::vector<std::int64_t> parts = {};  ///< stored with the matrix; empty: the order of its rows

  /// The most ranks of which none is empty for want of a place to cut.
  [[nodiscard]] std::int64_t most_ranks() const;
};

/// Error(bad_input) for a matrix that is not square.
[[nodiscard]] cut_source load_to_cut(const source_options& source, const common_options& common);

/// -k, --ranks.
void add_ranks(option_list& options, std::vector<int>& ranks);

/// Where each of so many ranks begins. More than most_ranks() are error(invalid_argument) with advice.
[[nodiscard]] std::vector<std::int64_t> ranges_of(const cut_source& all, int ranks);
/// What a product exchanges between them.
[[nodiscard]] row_exchange exchange_at(const cut_source& all, int ranks);

/// "1,024 parts stored with it" or "cut in the order of its rows".
[[nodiscard]] std::string cut_words(const cut_source& all);

/// The first line of a screen: the matrix and what there is to say about it.
[[nodiscard]] std::string cut_title(const std::string& matrix, std::int64_t rows, std::int64_t entries,
                                    const std::string& about, const terminal& where);

/// The largest over the mean of rows + entries.
[[nodiscard]] double imbalance_of(const row_exchange& exchange);

}  // namespace lacis::app
