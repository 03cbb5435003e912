// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Generated matrices: every process makes its rows.
#include <limits>

#include <lacis/mpi.hpp>

#include "mpi/rows.hpp"

namespace lacis {

template <value T>
distributed_csr<T> generate_distributed(MPI_Comm communicator, std::string_view spec, const generate_options& options,
                                        const distribute_options& spread) {
  const auto group = std::make_shared<const dist::processes>(communicator);
  return group->together([&] {
    const matrix_size size = size_of_generated(spec);
    group->require_same("generate_distributed()", {{"description", dist::number_of(spec)},
                                                   {"seed", options.seed},
                                                   {"kind of values", static_cast<std::uint64_t>(options.values)}});
    generate_options mine = options;
    mine.rows = even_rows(communicator, size.rows);
    if (size.cols > std::numeric_limits<std::int32_t>::max())
      return dist::distribute_rows(group, size.rows, generate<T, std::int64_t>(spec, mine), spread);
    return dist::distribute_rows(group, size.rows, generate<T, std::int32_t>(spec, mine), spread);
  });
}

#define LACIS_INSTANTIATE(T)                                                                                      \
  template LACIS_API distributed_csr<T> generate_distributed(MPI_Comm, std::string_view, const generate_options&, \
                                                             const distribute_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
