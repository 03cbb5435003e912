// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The module lacis._core: what the package is made of. Python code calls the package, not this.
#include <atomic>
#include <nanobind/nanobind.h>
#include <omp.h>

#include <lacis/lacis.h>

#include "arrays.hpp"
#include "bind.hpp"
#include "errors.hpp"

namespace lacis_python {

namespace {
// 0: as many as OpenMP gives.
std::atomic<int> chosen_threads = 0;
}  // namespace

int default_threads() { return chosen_threads.load(std::memory_order_relaxed); }

void bind_threads(nb::module_& m) {
  m.def(
      "set_num_threads", [](int threads) { chosen_threads.store(threads, std::memory_order_relaxed); },
      nb::arg("threads"));
  m.def("get_num_threads", [] {
    const int chosen = default_threads();
    return chosen != 0 ? chosen : omp_get_max_threads();
  });
}

}  // namespace lacis_python

NB_MODULE(_core, m) {
  namespace here = lacis_python;
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled part of lacis.";
  m.attr("__version__") = lacis_version();
  m.def("use_numpy", &here::use_numpy, nanobind::arg("numpy"), nanobind::sig("def use_numpy(numpy: object) -> None"));
  here::translate_exceptions();
  here::bind_threads(m);
  here::bind_products(m);
  here::bind_sparsetools(m);
  here::bind_plan(m);
  here::bind_operator(m);
  here::bind_solve(m);
  here::bind_eigen(m);
  here::bind_batch(m);
  here::bind_files(m);
  here::bind_facts(m);
}
