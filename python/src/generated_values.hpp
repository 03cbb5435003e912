// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of generated entries, by name.
#pragma once

#include <array>
#include <string>
#include <utility>

#include <lacis/generate.hpp>

#include "errors.hpp"

namespace lacis_python {

[[nodiscard]] inline lacis::generated_values values_named(const std::string& name) {
  static constexpr std::array<std::pair<const char*, lacis::generated_values>, 6> names = {
      {{"natural", lacis::generated_values::natural},
       {"pattern", lacis::generated_values::pattern},
       {"ones", lacis::generated_values::ones},
       {"integer", lacis::generated_values::integer},
       {"random", lacis::generated_values::random},
       {"symmetric", lacis::generated_values::symmetric}}};
  for (const auto& [known, value] : names) {
    if (name == known) return value;
  }
  raise(LACIS_INVALID_ARGUMENT,
        "values must be 'natural', 'pattern', 'ones', 'integer', 'random' or 'symmetric', not '" + name + "'");
}

}  // namespace lacis_python
