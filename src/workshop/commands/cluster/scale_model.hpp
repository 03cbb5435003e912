// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The model of lacis scale: times of a cluster from an exchange that was counted, rates, and a network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/partition.hpp>

#include "commands/cluster/scale_networks.hpp"
#include "console/console.hpp"

namespace lacis::app {

/// A cluster of equal ranks, each with a link of its own.
struct modelled_cluster {
  network link;
  double read_gbs = 1;  ///< with which a rank reads memory
};

/// One number of ranks. All times are of the model.
struct scale_point {
  std::string matrix;
  int ranks = 1;
  std::int64_t rows = 0;
  std::int64_t ghosts = 0;
  double compute_seconds = 0;     ///< the local product of the slowest rank: bytes it has to move over its rate
  double exchange_seconds = 0;    ///< of the slowest rank: messages times latency, and bytes over the link's rate
  double product_seconds = 0;     ///< the slowest rank, which exchanges and then computes
  double overlapped_seconds = 0;  ///< the slowest rank, if it did both at the same time
  double iteration_seconds = 0;   ///< of cg: a product without overlap, the vectors, two sums over all ranks
  double efficiency = 1;          ///< of the product: time of one rank over ranks times time
};

/// Bytes that a local product cannot but move: each entry's column and value, an offset and an element of y a row, and
/// each element of x once.
[[nodiscard]] std::int64_t product_bytes(const range_exchange& range, const rank_storage& storage);

[[nodiscard]] scale_point modelled(const row_exchange& exchange, const rank_storage& storage,
                                   const modelled_cluster& cluster);

struct scale_findings {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string cut;
  modelled_cluster cluster;
  std::string rates;                ///< where read_gbs comes from
  std::vector<scale_point> strong;  ///< this matrix
  std::vector<scale_point> weak;    ///< matrices of the same kind with the same rows per rank; may be empty
  std::string weak_remark;          ///< why some or all are missing
};

[[nodiscard]] std::string scale_screen(const scale_findings& found, const terminal& where);
[[nodiscard]] std::string scale_json(const scale_findings& found);
[[nodiscard]] std::string scale_svg(const scale_findings& found);

/// The description of a matrix of the same kind with nearly `rows` rows, at most: "@poisson3d:40" for "@poisson3d:100"
/// and 64,000. Empty where the first argument does not decide over the size of a square matrix.
[[nodiscard]] std::string resized(const std::string& spec, std::int64_t rows);

}  // namespace lacis::app
