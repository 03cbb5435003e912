// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --op spgemm: what was found out about a product of two sparse matrices, and the ways to show it.
#pragma once

#include <string>
#include <vector>

#include "console/console.hpp"
#include "input/load.hpp"
#include "lab/lab.hpp"

namespace lacis::app {

struct lab_product {
  std::string matrix;
  std::string factors;     ///< "A A" or "A A^T"
  std::string value_type;  ///< "float" or "double"
  lab::product_report report;

  [[nodiscard]] bool sampled() const { return report.sampled_rows < report.rows; }
};

/// A A, or A A^T where A is not square, as float or double.
[[nodiscard]] lab_product examine_product(const loaded& source, const std::string& type,
                                          const lab::lab_options& options);

/// Which phase and list take most of the modelled time, what they ask for most, and how far they look for columns.
[[nodiscard]] std::string product_explanation(const lab_product& product);

[[nodiscard]] std::string product_screen(const lab_product& product, const terminal& where);
[[nodiscard]] std::string product_json(const lab_product& product);

/// "@density:4096,1e-3" and so on: three densities, four sizes each.
[[nodiscard]] std::vector<std::string> density_specs();
/// One line for each of several products, with what is modelled phase by phase.
[[nodiscard]] std::string product_sweep_screen(const std::vector<lab_product>& products, const terminal& where);
[[nodiscard]] std::string product_sweep_json(const std::vector<lab_product>& products);

}  // namespace lacis::app
