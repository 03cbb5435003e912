// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Other libraries as contestants of lacis bench spgemm.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/csr.hpp>

#include "measure/peer.hpp"

namespace lacis::app {

/// A peer that holds the operands and has shown that it multiplies correctly.
struct ready_spgemm_peer {
  std::unique_ptr<measure::peer> process;
  int threads = 1;
  bool is_sorted = true;
};

struct ready_spgemm_peers {
  std::vector<ready_spgemm_peer> all;
  std::vector<std::string> remarks;  ///< who is missing or wrong, and why
};

/// Starts the peers, hands them A and, when it is another matrix, B, and compares their products with `c`.
template <class Value, class Index>
[[nodiscard]] ready_spgemm_peers start_spgemm_peers(const std::vector<std::string>& names,
                                                    const csr_matrix<Value, Index>& a,
                                                    const csr_matrix<Value, Index>& b,
                                                    const csr_matrix<Value, Index>& c, int threads,
                                                    const std::function<void(std::string_view)>& announce);

}  // namespace lacis::app
