// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Distributed matrices and their plans as objects of Python.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include <lacis/mpi.hpp>

#include "collective.hpp"
#include "owned.hpp"

namespace lacis_python {

/// One alternative per value type, in the order of lacis_type.
template <template <class> class Of>
using of_each_type = std::variant<Of<float>, Of<double>, Of<std::complex<float>>, Of<std::complex<double>>>;

/// function(T{}) with the type of that number.
template <class Function> auto with_type(int type, Function&& function) {
  switch (type) {
    case LACIS_FLOAT32:
      return function(float{});
    case LACIS_FLOAT64:
      return function(double{});
    case LACIS_COMPLEX64:
      return function(std::complex<float>{});
    case LACIS_COMPLEX128:
      return function(std::complex<double>{});
    default:
      throw lacis::error(lacis::errc::invalid_argument, "there is no such type of values");
  }
}

/// The communicator behind MPI._addressof(comm).
[[nodiscard]] inline MPI_Comm communicator_at(std::uintptr_t address) {
  return *reinterpret_cast<const MPI_Comm*>(address);
}

template <class T> using distributed_rows = lacis::distributed_csr<T>;
using any_distributed = of_each_type<distributed_rows>;

/// A matrix whose rows the ranks share.
struct distributed_matrix_object {
  any_distributed held;
  std::int64_t entries = 0;  ///< of all ranks: known, so that printing the matrix on one rank waits for no other
  std::shared_ptr<turn> order;

  [[nodiscard]] element kind() const { return static_cast<element>(held.index()); }
};

template <class T> struct prepared_product {
  std::unique_ptr<lacis::distributed_matrix<T>> product;
  lacis::space_vector<T> x;  ///< vectors of products by hand: an exchange is prepared for their addresses
  lacis::space_vector<T> y;
};
using any_prepared = of_each_type<prepared_product>;

/// A distributed matrix prepared for products.
struct distributed_plan_object {
  any_prepared held;
  std::shared_ptr<turn> order;
  bool has_adjoint = false;
  int threads = 0;

  [[nodiscard]] element kind() const { return static_cast<element>(held.index()); }
};

/// A vector of Python as the elements of this rank: itself where that is possible, or converted by lacis.dist. Throws
/// where it does not fit. `converted` keeps it alive.
template <class T>
std::span<const T> part_of(nb::handle given, std::int64_t size, const char* name, array& opened,
                           nb::object& converted) {
  const element kind = kind_of<T>();
  if (!opened.open(given) || !opened.is_vector() || opened.kind() != kind || opened.size() != size) {
    converted = nb::module_::import_("lacis.dist").attr("_part")(given, dtype_of(kind), size, name);
    if (!opened.open(converted)) throw nb::type_error("a contiguous vector is needed");
  }
  return {static_cast<const T*>(opened.data()), static_cast<std::size_t>(size)};
}

void bind_distributed_matrix(nb::module_& m);
void bind_distributed_plan(nb::module_& m);
void bind_distributed_solve(nb::module_& m);

}  // namespace lacis_python
