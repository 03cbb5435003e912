// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program, with the interpreter of PTX as its own plugin and in place of the CUDA plugin.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace lacis::test {

/// How a run ended, and what it printed.
struct outcome {
  int code = 0;
  std::string out;
};

inline outcome run_lacis(const std::string& arguments) {
  const std::string command = "LACIS_PTX_PLUGIN='" LACIS_PTX_PLUGIN "' LACIS_CUDA_PLUGIN='" LACIS_PTX_PLUGIN
                              "' '" LACIS_PROGRAM "' " +
                              arguments + " --quiet 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  outcome ran;
  std::array<char, 4096> part{};
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) ran.out.append(part.data(), read);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

}  // namespace lacis::test
