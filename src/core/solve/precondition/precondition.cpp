// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The preconditioners by their kinds.
#include <array>

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "solve/multigrid/preconditioner.hpp"
#include "solve/precondition/block_preconditioner.hpp"
#include "solve/precondition/polynomial_preconditioner.hpp"
#include "solve/precondition/triangular_preconditioner.hpp"

namespace lacis {

std::string_view name_of(preconditioner_kind kind) {
  constexpr std::array<std::string_view, preconditioner_kinds> names = {"jacobi", "block-jacobi", "ssor", "ilu0",
                                                                        "ic0",    "chebyshev",    "amg"};
  return names[static_cast<std::size_t>(kind)];
}

namespace detail {

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>& a,
                                                       const preconditioner_options& options) {
  if (a.rows != a.cols)
    throw error(errc::invalid_matrix, text(name_of(options.kind), ": the matrix is ", a.rows, " x ", a.cols,
                                           "; preconditioners are for square ones"));
  require_canonical(a, name_of(options.kind));
  switch (options.kind) {
    case preconditioner_kind::jacobi:
      return std::make_unique<solver::block_preconditioner<T, Index>>(a, options, 1);
    case preconditioner_kind::block_jacobi:
      if (options.block < 1 || options.block > 32)
        throw error(errc::invalid_argument, text("blocks of ", options.block, " rows; 1 to 32 are possible"));
      return std::make_unique<solver::block_preconditioner<T, Index>>(a, options, options.block);
    case preconditioner_kind::chebyshev:
      return std::make_unique<solver::polynomial_preconditioner<T, Index>>(a, options);
    case preconditioner_kind::ssor:
    case preconditioner_kind::ilu0:
    case preconditioner_kind::ic0:
      return solver::make_triangular_preconditioner(a, options);
    case preconditioner_kind::amg:
      return multigrid::make_multigrid_preconditioner(a, options);
  }
  throw error(errc::invalid_argument, "there is no such preconditioner");
}

#define LACIS_INSTANTIATE(T, Index)                                                                    \
  template LACIS_API std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>&, \
                                                                            const preconditioner_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace detail
}  // namespace lacis
