// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The limits of an input: what was asked for, or a share of the memory that is available.
#include "io/bytes/input_budget.hpp"

#include <algorithm>
#include <limits>

#include <lacis/error.hpp>

#include "base/machine_memory.hpp"
#include "base/text.hpp"

namespace lacis::detail {
namespace {

/// Compressed input may always unpack to so many bytes: small files of one repeated line are no attack.
constexpr std::int64_t always_unpacked = std::int64_t{64} << 20;
/// What no input reaches, with room for one more.
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max() / 2;

}  // namespace

input_budget::input_budget(const read_options& options, std::string name)
    : name_(std::move(name)),
      limit_(std::min(no_limit, options.max_bytes > 0 ? options.max_bytes : available_memory() / 2)),
      chosen_here_(options.max_bytes <= 0) {}

input_budget input_budget::for_unpacking(const read_options& options, std::string name, std::size_t compressed) {
  input_budget budget(options, std::move(name));
  const std::int64_t ratio = options.max_ratio > 0 ? options.max_ratio : default_max_ratio;
  std::int64_t most = 0;
  if (__builtin_mul_overflow(ratio, static_cast<std::int64_t>(compressed), &most)) most = no_limit;
  most = std::max(most, always_unpacked);
  if (most >= budget.limit_) return budget;
  budget.limit_ = most;
  budget.ratio_ = ratio;
  budget.compressed_ = static_cast<std::int64_t>(compressed);
  return budget;
}

input_budget input_budget::for_arrays(const read_options& options, std::string name) {
  input_budget budget(options, std::move(name));
  if (budget.chosen_here_) budget.limit_ = std::min(no_limit, available_memory());
  return budget;
}

void input_budget::refuse() const {
  if (ratio_ > 0)
    throw error(errc::out_of_memory,
                text(name_, ": ", compressed_, " compressed bytes unpack to more than ", limit_, ", the limit for ",
                     ratio_, " times as many; raise read_options::max_ratio if the file can be trusted"));
  throw error(errc::out_of_memory,
              text(name_, ": holds more than ", limit_, " bytes, the limit",
                   chosen_here_ ? " that the available memory sets" : "", "; raise read_options::max_bytes"));
}

}  // namespace lacis::detail
