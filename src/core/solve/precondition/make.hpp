// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The functions that make preconditioners, one for each line of the list in lacis/precondition.hpp.
#pragma once

#include <cstdint>
#include <memory>

#include <lacis/precondition.hpp>

#include "base/instantiate.hpp"
#include "base/internal.hpp"

namespace lacis::solver {

/// make_<name>(a, first, options). The rows of A are canonical. `first` is the column of row 0's diagonal entry: not 0
/// only for kinds with rank_work::own_rows, where A is the rows of one rank. The others take a square A.
#define LACIS_DECLARE_MAKE(name, ...)                                                                           \
  template <class T, class Index>                                                                               \
  [[nodiscard]] std::unique_ptr<preconditioner<T>> make_##name(const csr_view<T, Index>& a, std::int64_t first, \
                                                               const preconditioner_options& options);
LACIS_FOR_EACH_PRECONDITIONER(LACIS_DECLARE_MAKE)
#undef LACIS_DECLARE_MAKE

/// Instantiates `function` of that kind for a pair of types, as in
/// `#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_jacobi, T, Index)`.
#define LACIS_INSTANTIATE_MAKE(function, T, Index)                                              \
  template std::unique_ptr<preconditioner<T>> function(const csr_view<T, Index>&, std::int64_t, \
                                                       const preconditioner_options&);

/// The one of options.kind, of the rows of one rank.
template <class T, class Index>
[[nodiscard]] LACIS_INTERNAL std::unique_ptr<preconditioner<T>> make_of_rows(const csr_view<T, Index>& a,
                                                                             std::int64_t first,
                                                                             const preconditioner_options& options);

}  // namespace lacis::solver
