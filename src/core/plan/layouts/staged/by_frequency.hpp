// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Columns in the order of how many entries refer to them: what is read most of x then lies side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/types.hpp>

namespace lacis::detail {

/// All columns, those that most entries refer to first, as far as two digits of their number tell; of equal ones the
/// first first. `entries` has the columns of entries, `cols` is less than 2^31.
template <index Index>
[[nodiscard]] buffer<std::int32_t> by_frequency(std::span<const Index> entries, std::int64_t cols);

/// What a sample says of the columns that most entries refer to.
struct frequent_columns {
  std::int64_t cols = 0;
  std::vector<double> shares = {0};  ///< of entries that refer to one of the first k columns in the sample

  /// The share of entries that refer to one of the `first` most frequent columns. Those that were not in the sample are
  /// taken for equal.
  [[nodiscard]] double share_of(std::int64_t first) const;
};
template <index Index>
[[nodiscard]] frequent_columns frequent_columns_of(std::span<const Index> entries, std::int64_t cols);

}  // namespace lacis::detail
