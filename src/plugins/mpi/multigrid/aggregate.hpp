// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which rows of a distributed matrix become one row of the next level: the very numbers that one process finds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <lacis/buffer.hpp>

#include "mpi/multigrid/halo.hpp"
#include "mpi/processes.hpp"
#include "solve/multigrid/strength.hpp"

namespace lacis::dist {

struct spread_aggregates {
  std::int64_t count = 0;   ///< on all ranks
  buffer<std::int64_t> of;  ///< the aggregate of each own row, -1 where it has none
  std::string how;          ///< in words
};

/// `ranges`: how rows lie on ranks. As multigrid::aggregate of all rows.
[[nodiscard]] LACIS_INTERNAL spread_aggregates aggregate(const std::shared_ptr<const processes>& group,
                                                         const std::vector<std::int64_t>& ranges, const halo& place,
                                                         const multigrid::connections<std::int32_t>& strong);

}  // namespace lacis::dist
