// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix as solvers see it, as an object of Python: a plan, a preconditioner, functions of Python.
#pragma once

#include <cstdint>
#include <memory>

#include "arrays.hpp"

namespace lacis_python {

/// Functions of Python behind an operator.
struct function_pair {
  nb::object apply, adjoint;
  element kind = element::float64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

class operator_object {
 public:
  operator_object() = default;
  operator_object(const operator_object&) = delete;
  operator_object& operator=(const operator_object&) = delete;
  ~operator_object() { lacis_operator_free(made); }

  lacis_operator* made = nullptr;
  element kind = element::float64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::unique_ptr<function_pair> functions;
};

}  // namespace lacis_python
