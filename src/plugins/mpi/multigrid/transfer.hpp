// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From one level of a distributed hierarchy to the next: connections, interpolation, and R A P.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/mpi.hpp>

#include "mpi/multigrid/aggregate.hpp"
#include "solve/multigrid/prolongator.hpp"

namespace lacis::dist {

/// Ranges of rows on ranks, at multiples of `block` and of the blocks of a sum.
[[nodiscard]] std::vector<std::int64_t> ranges_of_nodes(std::int64_t rows, std::int64_t block, int ranks);

/// |A| + |A^T|, for matrices that are not Hermitian.
template <value T> [[nodiscard]] distributed_csr<real_of<T>> symmetric_magnitudes(const distributed_csr<T>& a);

/// One row per node of `block` rows; an entry is the Frobenius norm of its block. Nodes are not cut between ranks.
template <value T> [[nodiscard]] distributed_csr<real_of<T>> norms_of_blocks(const distributed_csr<T>& a, int block);

/// The near null space on the aggregates, of own rows; that of the next level, of own rows there. `ranges`: how
/// aggregates lie on ranks.
template <value T>
[[nodiscard]] multigrid::tentative<T> make_tentative(const processes& group, const spread_aggregates& nodes, int block,
                                                     std::span<const T> space, std::int64_t width,
                                                     std::span<const std::int64_t> ranges);

/// As multigrid::smoothed_prolongator. `coarse`: how rows of the next level lie on ranks.
template <value T>
[[nodiscard]] distributed_csr<T> smoothed_prolongator(const distributed_csr<T>& a, const spread_aggregates& nodes,
                                                      int block, const multigrid::tentative<T>& p0,
                                                      const multigrid::smoothing<T>& how,
                                                      const std::vector<std::int64_t>& coarse);

/// As multigrid::mark_apart of all rows: whether weak entries go apart.
template <value T>
[[nodiscard]] bool mark_weak_part(const distributed_csr<T>& a, const spread_aggregates& nodes,
                                  std::span<std::uint8_t> marks);

/// R (A P) with the sums of multigrid::galerkin_product: rows of others are fetched, partial sums of ranks never added.
template <value T>
[[nodiscard]] distributed_csr<T> galerkin_product(const distributed_csr<T>& r, const distributed_csr<T>& a,
                                                  const distributed_csr<T>& p);
/// The same where the entries that are marked go apart.
template <value T>
[[nodiscard]] distributed_csr<T> galerkin_product(const distributed_csr<T>& r, const distributed_csr<T>& a,
                                                  const distributed_csr<T>& p, const spread_aggregates& nodes,
                                                  std::span<const std::uint8_t> marks);

}  // namespace lacis::dist
