// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix as the laboratory takes it.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/structure.hpp>

#include "input/load.hpp"

namespace lacis::app {

/// examine(matrix) with the matrix as `type`, "float" or "double"; empty: as it is. Matrices that are complex, too wide
/// or empty are error(invalid_argument).
template <class Examine> auto with_lab_matrix(const loaded& source, const std::string& type, Examine&& examine) {
  using result = decltype(examine(csr_matrix<double, std::int32_t>()));
  return std::visit(
      [&]<class Matrix>(const Matrix& a) -> result {
        using Value = typename Matrix::value_type;
        if constexpr (is_complex<Value>) {
          throw error(errc::invalid_argument, source.name + " is complex; lacis lab examines float and double");
        } else if constexpr (!std::is_same_v<typename Matrix::index_type, std::int32_t>) {
          throw error(errc::invalid_argument,
                      source.name + " has more columns than 32 bits can number; lacis lab examines smaller ones");
        } else {
          if (a.nnz() == 0)
            throw error(errc::invalid_argument, "a matrix without entries has no memory traffic to examine");
          if (type.empty() || type == type_name<Value>()) return examine(a);
          if (type == "float") return examine(cast_values<float>(a));
          return examine(cast_values<double>(a));
        }
      },
      source.matrix);
}

}  // namespace lacis::app
