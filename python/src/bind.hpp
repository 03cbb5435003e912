// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What each file adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace lacis_python {

void bind_batch(nanobind::module_& m);
void bind_products(nanobind::module_& m);
void bind_sparsetools(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_operator(nanobind::module_& m);
void bind_solve(nanobind::module_& m);
void bind_eigen(nanobind::module_& m);
void bind_files(nanobind::module_& m);
void bind_facts(nanobind::module_& m);
void bind_threads(nanobind::module_& m);

}  // namespace lacis_python
