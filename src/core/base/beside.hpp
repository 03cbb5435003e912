// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files that are installed beside a library or a program.
#pragma once

#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>

namespace lacis::detail {

/// The full path of a file in the folder of the library or program that holds `address`; empty where there is none. A
/// program that was found on the PATH is known by its bare name: that says nothing of a folder, least of all the
/// current one.
[[nodiscard]] inline std::string file_beside(const void* address, const char* file) {
  Dl_info here{};
  if (dladdr(address, &here) == 0 || here.dli_fname == nullptr) return "";
  const std::filesystem::path holder(here.dli_fname);
  if (!holder.has_parent_path()) return "";
  std::error_code failed;
  const std::filesystem::path found = std::filesystem::canonical(holder.parent_path() / file, failed);
  return failed ? "" : found.string();
}

}  // namespace lacis::detail
