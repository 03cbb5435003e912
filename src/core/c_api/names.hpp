// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Values of enumerations by their names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "c_api/status.hpp"

namespace lacis::c_api {

/// The one of `count` values of an enumeration that has a name.
template <class Enum> Enum named(std::string_view name, std::size_t count, const char* what) {
  std::string known;
  for (std::size_t i = 0; i < count; ++i) {
    const auto each = static_cast<Enum>(i);
    if (name_of(each) == name) return each;
    known += detail::text(i == 0 ? "" : ", ", name_of(each));
  }
  throw error(errc::invalid_argument, detail::text("there is no ", what, " \"", name, "\"; there are ", known));
}

}  // namespace lacis::c_api
