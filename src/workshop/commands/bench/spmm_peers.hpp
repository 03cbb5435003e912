// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Other libraries as contestants of lacis bench spmm.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>

#include "measure/peer.hpp"

namespace lacis::app {

/// Peers that hold the matrix.
struct spmm_peers {
  std::vector<std::unique_ptr<measure::peer>> all;
  std::vector<std::string> remarks;  ///< who is missing or wrong, and why
};

/// Starts the peers and hands them the matrix.
template <class Value, class Index>
[[nodiscard]] spmm_peers start_spmm_peers(const std::vector<std::string>& names, const csr_view<Value, Index>& a,
                                          int threads, const std::function<void(std::string_view)>& announce);

/// Has the peers prepare for Y = A X with the columns of x, in that order, and compares their results with y. A peer
/// that cannot, or whose result is wrong, ends and takes no further part: a remark has the reason.
template <class Value, class Index>
void prepare_spmm_peers(spmm_peers& peers, const csr_view<Value, Index>& a, const dense_view<const Value>& x,
                        const dense_view<const Value>& y, measure::dense_order order,
                        const std::function<void(std::string_view)>& announce);

}  // namespace lacis::app
