// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Commands that mpirun has started several times: --mpi.
#pragma once

#include <functional>
#include <string>

#include "parse/options.hpp"
#include "ranks/cluster.hpp"

namespace lacis::app {

/// work(processes) on all ranks, with MPI started before and ended after; all must have been started with the same
/// arguments. What a rank throws is reported once, by the lowest of those that throw, and ends all. Threads are shared
/// out among the processes of a machine unless common or OMP_NUM_THREADS says how many.
void on_cluster(const common_options& common, const std::function<void(cluster&)>& work);

/// A matrix as a command names it.
[[nodiscard]] named_matrix named(const source_options& source, const std::string& name, const std::string& type);

/// "4 ranks with 2 threads each".
[[nodiscard]] std::string processes_text(const spread_facts& facts);

}  // namespace lacis::app
