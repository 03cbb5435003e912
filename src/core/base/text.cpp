// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a message, put together.
#include "base/text.hpp"

#include <lacis/export.hpp>

namespace lacis::detail {

LACIS_API std::string join_parts(std::initializer_list<text_part> parts) {
  std::string out;
  for (const text_part& part : parts) std::visit([&](const auto& one) { append_text(out, one); }, part);
  return out;
}

}  // namespace lacis::detail
