// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Elements of the library's enumerations by their names.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include <lacis/error.hpp>

#include "parse/suggest.hpp"

namespace lacis::app {

/// The element of an enumeration that has a name; throws with a list and a suggestion when there is none. `what` it is,
/// the command whose help describes the names, and other words that its option takes are for the message.
template <class Kind, std::size_t Count>
Kind parse_kind(const std::string& name, const char* what, const char* command, std::vector<std::string> known = {}) {
  for (std::size_t i = 0; i < Count; ++i) {
    if (name_of(static_cast<Kind>(i)) == name) return static_cast<Kind>(i);
    known.emplace_back(name_of(static_cast<Kind>(i)));
  }
  throw error(errc::invalid_argument, fmt::format("there is no {} '{}'{} (there are {}; see 'lacis help {}')", what,
                                                  name, did_you_mean(name, known), fmt::join(known, ", "), command));
}

/// All names with | between them.
template <class Kind, std::size_t Count> std::string names_of_kind() {
  std::string names;
  for (std::size_t i = 0; i < Count; ++i) {
    if (i > 0) names += '|';
    names += name_of(static_cast<Kind>(i));
  }
  return names;
}

}  // namespace lacis::app
