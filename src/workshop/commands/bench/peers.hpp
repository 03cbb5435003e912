// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Other libraries as contestants of lacis bench.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lacis/csr.hpp>

#include "measure/interleave.hpp"
#include "measure/peer.hpp"

namespace lacis::app {

/// A peer that holds the matrix and has shown that it multiplies correctly.
struct ready_peer {
  std::unique_ptr<measure::peer> process;
  std::string format;  ///< how it holds the matrix: "csr", "iso"
  int threads = 1;
  std::int64_t bytes = 0;  ///< the least that a product has to move
};

struct ready_peers {
  std::vector<ready_peer> all;
  std::vector<std::string> remarks;  ///< who is missing or wrong, and why
};

/// What so many peers may take while they hold a matrix whose entries all have a value.
template <class Value, class Index>
[[nodiscard]] std::int64_t memory_of_peers(const csr_view<Value, Index>& a, std::size_t peers);

/// Starts the peers, hands them the matrix and compares their products with `y`.
template <class Value, class Index>
[[nodiscard]] ready_peers start_peers(const std::vector<std::string>& names, const csr_view<Value, Index>& a,
                                      std::span<const Value> x, std::span<const Value> y, int threads,
                                      const std::function<void(std::string_view)>& announce);

/// The seconds of one of `times` repetitions. A peer that ends in the middle loses, and the others go on: `failure`
/// then says why, and it is not asked again.
[[nodiscard]] double seconds_or_never(measure::peer& process, int times, std::string& failure);
/// A peer that is measured so. Refers to both.
[[nodiscard]] measure::contestant contestant_of(measure::peer& process, std::string& failure);

}  // namespace lacis::app
