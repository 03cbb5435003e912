// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The preconditioners by their kinds.
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "solve/precondition/make.hpp"

namespace lacis {

std::string_view name_of(preconditioner_kind kind) { return traits_of(kind).name; }

template <class T, class Index>
std::unique_ptr<preconditioner<T>> solver::make_of_rows(const csr_view<T, Index>& a, std::int64_t first,
                                                        const preconditioner_options& options) {
  detail::require_canonical(a, name_of(options.kind));
  switch (options.kind) {
#define LACIS_MAKE(name, ...)     \
  case preconditioner_kind::name: \
    return make_##name(a, first, options);
    LACIS_FOR_EACH_PRECONDITIONER(LACIS_MAKE)
  }
  throw error(errc::invalid_argument, "there is no such preconditioner");
}

template <class T, class Index>
std::unique_ptr<preconditioner<T>> detail::make_preconditioner(const csr_view<T, Index>& a,
                                                               const preconditioner_options& options) {
  if (a.rows != a.cols)
    throw error(errc::invalid_matrix, text(name_of(options.kind), ": the matrix is ", a.rows, " x ", a.cols,
                                           "; preconditioners are for square ones"));
  return solver::make_of_rows(a, 0, options);
}

#define LACIS_INSTANTIATE(T, Index)                                                                            \
  template LACIS_INTERNAL std::unique_ptr<preconditioner<T>> solver::make_of_rows(                             \
      const csr_view<T, Index>&, std::int64_t, const preconditioner_options&);                                 \
  template LACIS_API std::unique_ptr<preconditioner<T>> detail::make_preconditioner(const csr_view<T, Index>&, \
                                                                                    const preconditioner_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis
