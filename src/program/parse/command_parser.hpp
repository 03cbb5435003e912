// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Commands as CLI11 parses them. It costs seconds to compile: include this where they are made and where they run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace lacis::app {

/// One command: its CLI11 application and what to do once it has been parsed.
struct command {
  std::unique_ptr<CLI::App> parser;
  std::function<void()> action;
};

/// All of them, as `lacis help` lists them.
[[nodiscard]] std::vector<command> make_commands();

}  // namespace lacis::app
