// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The module lacis._dist, which links MPI: what lacis.dist is made of.
#include <array>
#include <nanobind/stl/string.h>

#include "distributed.hpp"

namespace lacis_python {

namespace {

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int size = 0;
  MPI_Get_library_version(text.data(), &size);
  return {text.data(), static_cast<std::size_t>(size)};
}

nb::object together(std::uintptr_t communicator, nb::handle function) {
  python_work python;
  nb::object result = nb::none();
  collectively(python, [&] {
    lacis::together(communicator_at(communicator), [&] { python.run([&] { result = nb::object(function()); }); });
  });
  return result;
}

nb::tuple even_rows(std::uintptr_t communicator, std::int64_t rows) {
  require_mpi();
  const lacis::row_range own = lacis::even_rows(communicator_at(communicator), rows);
  return nb::make_tuple(own.first, own.last);
}

}  // namespace

}  // namespace lacis_python

NB_MODULE(_dist, m) {
  namespace here = lacis_python;
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled part of lacis.dist.";
  m.def("use_numpy", &here::use_numpy, nanobind::arg("numpy"), nanobind::sig("def use_numpy(numpy: object) -> None"));
  m.def("mpi_version", &here::mpi_version, "What the MPI library that this module uses calls itself.");
  m.def("together", &here::together, nanobind::arg("communicator"), nanobind::arg("function"),
        nanobind::sig("def together(communicator: int, function: object) -> object"));
  m.def("even_rows", &here::even_rows, nanobind::arg("communicator"), nanobind::arg("rows"),
        nanobind::sig("def even_rows(communicator: int, rows: int) -> tuple[int, int]"));
  // lacis._core translates the exceptions of lacis for both modules.
  here::bind_distributed_matrix(m);
  here::bind_distributed_plan(m);
  here::bind_distributed_solve(m);
}
