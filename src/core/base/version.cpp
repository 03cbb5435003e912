// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The version of the library.
#include <lacis/version.hpp>

namespace lacis {

std::string_view version() { return LACIS_VERSION; }

}  // namespace lacis
