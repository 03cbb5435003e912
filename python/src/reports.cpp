// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "reports.hpp"

namespace lacis_python {

nb::dict dict_of(const solved& found, std::span<const double> history) {
  nb::dict result;
  result["outcome"] = found.outcome;
  result["iterations"] = found.iterations;
  result["recurrence_residual"] = found.recurrence_residual;
  result["residual"] = found.residual;
  result["seconds"] = found.seconds;
  result["method"] = found.method;
  result["reason"] = found.reason;
  result["history"] = copied_vector(element::float64, history.data(), static_cast<std::int64_t>(history.size()));
  return result;
}

}  // namespace lacis_python
