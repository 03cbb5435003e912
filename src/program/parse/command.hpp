// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a command is: a name, a group, words for its help, options, and a function that runs it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parse/option_list.hpp"

namespace lacis::app {

/// The groups of `lacis help`.
enum class command_group { look, compute, check, other };

struct command_example {
  std::string line;  ///< "lacis info matrix.mtx.gz"
  std::string what;  ///< "what is in a file"
};

struct command {
  std::string name;
  command_group group = command_group::other;
  std::string summary;                    ///< one line of `lacis help`
  std::string about;                      ///< sentences of `lacis help NAME` and of the manual
  std::vector<command_example> examples;  ///< two
  bool is_hidden = false;                 ///< not in help, completions and the manual
  option_list options = {};
  std::function<void()> run = {};  ///< with what was parsed; prints the result, throws when it fails. None: it is a
                                   ///< command of lacis-workshop (workshop.hpp)
};

/// A command over a request, the struct that its options fill: add_options(options, request) says which options there
/// are, run(request) does the work.
template <class Request>
[[nodiscard]] command make_command(command description, void (*add_options)(option_list&, Request&),
                                   void (*run)(const Request&)) {
  const auto request = std::make_shared<Request>();
  add_options(description.options, *request);
  description.run = [request, run] { run(*request); };
  return description;
}

/// Every command of this program, in the order of commands/list.cmake: the build makes this function from that list.
[[nodiscard]] std::vector<command> listed_commands();
/// The same with the options that all have; each with a request of its own.
[[nodiscard]] std::vector<command> make_commands();
/// Those that are not hidden, made once, for descriptions.
[[nodiscard]] const std::vector<command>& all_commands();
/// The command of that name; throws error(invalid_argument) with a suggestion when there is none.
[[nodiscard]] const command& command_named(const std::string& name);

}  // namespace lacis::app
