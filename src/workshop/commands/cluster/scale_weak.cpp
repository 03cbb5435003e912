// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Generated matrices of one kind in other sizes.
#include <optional>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "commands/cluster/scale_model.hpp"

namespace lacis::app {
namespace {

/// A description whose first argument is replaced.
struct sized_spec {
  std::string before;  ///< "@poisson3d:"
  std::string after;   ///< ",seed=7"

  explicit sized_spec(const std::string& spec) {
    const std::size_t begin = std::min(spec.find(':'), spec.size());
    const std::size_t end = std::min(spec.find(',', begin), spec.size());
    before = spec.substr(0, begin) + ':';
    after = spec.substr(end);
  }
  [[nodiscard]] std::string with(std::int64_t size) const { return before + std::to_string(size) + after; }
  /// Nothing for a size that the generator refuses, or that makes no square matrix.
  [[nodiscard]] std::optional<std::int64_t> rows(std::int64_t size) const {
    try {
      const matrix_size made = size_of_generated(with(size));
      if (made.rows == made.cols) return made.rows;
    } catch (const error&) {
      return std::nullopt;
    }
    return std::nullopt;
  }
};

}  // namespace

std::string resized(const std::string& spec, std::int64_t rows) {
  const sized_spec sized(spec);
  const auto fits = [&](std::int64_t size) {
    const std::optional<std::int64_t> made = sized.rows(size);
    return made && *made <= rows;
  };
  // Sizes below the least that a generator takes are refused, as are those beyond its largest: double until one fits,
  // then until one does not.
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  std::int64_t low = 1;
  while (low < largest && !fits(low)) low *= 2;
  if (low >= largest) return {};
  std::int64_t high = low;
  while (high < largest && fits(high)) high *= 2;
  low = high / 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return fits(low) ? sized.with(low) : std::string();
}

}  // namespace lacis::app
