// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix of any kind to the laboratory for sparse products.
#include "commands/lab/product.hpp"

#include <type_traits>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/structure.hpp>

#include "commands/lab/matrix.hpp"

namespace lacis::app {
namespace {

template <class Value>
lab_product examined(const std::string& name, const csr_matrix<Value, std::int32_t>& a,
                     const lab::lab_options& options) {
  const auto rows = canonical(a);
  if (a.rows == a.cols)
    return {name, "A A", type_name<Value>(), lab::examine_product(rows.view(), rows.view(), options)};
  const auto turned = transpose(rows);
  return {name, "A A^T", type_name<Value>(), lab::examine_product(rows.view(), turned.view(), options)};
}

}  // namespace

lab_product examine_product(const loaded& source, const std::string& type, const lab::lab_options& options) {
  return with_lab_matrix(source, type, [&](const auto& a) { return examined(source.name, a, options); });
}

}  // namespace lacis::app
