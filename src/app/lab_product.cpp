// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix of any kind to the laboratory for sparse products.
#include "app/lab_product.hpp"

#include <type_traits>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "app/facts.hpp"

namespace lacis::app {
namespace {

template <class Value>
lab_product examined(const std::string& name, const csr_matrix<Value, std::int32_t>& a,
                     const lab::lab_options& options) {
  const auto rows = canonical(a);
  if (a.rows == a.cols)
    return {name, "A A", type_name<Value>(), lab::examine_product(rows.view(), rows.view(), options)};
  return {name, "A A^T", type_name<Value>(), lab::examine_product(rows.view(), transpose(rows).view(), options)};
}

}  // namespace

lab_product examine_product(const loaded& source, const std::string& type, const lab::lab_options& options) {
  return std::visit(
      [&]<class Matrix>(const Matrix& a) -> lab_product {
        using Value = typename Matrix::value_type;
        if constexpr (is_complex<Value>) {
          throw error(errc::invalid_argument, source.name + " is complex; lacis lab examines float and double");
        } else if constexpr (!std::is_same_v<typename Matrix::index_type, std::int32_t>) {
          throw error(errc::invalid_argument,
                      source.name + " has more columns than 32 bits can number; lacis lab examines smaller ones");
        } else {
          if (a.nnz() == 0) throw error(errc::invalid_argument, "a matrix without entries asks nothing of a memory");
          if (type.empty() || type == type_name<Value>()) return examined(source.name, a, options);
          if (type == "float") return examined(source.name, cast_values<float>(a), options);
          return examined(source.name, cast_values<double>(a), options);
        }
      },
      source.matrix);
}

}  // namespace lacis::app
