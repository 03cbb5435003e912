// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "parse/workshop.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <unistd.h>

#include <lacis/error.hpp>

namespace lacis::app {
namespace {

struct entry {
  std::string_view name;
  command_group group;
  const char* summary;
};
constexpr entry entries[] = {
    {"lab", command_group::look, "memory traffic of GPU kernels, counted on the host, and a model"},
    {"scale", command_group::look, "modelled scaling of a product and a CG iteration on a cluster"},
    {"verify", command_group::check, "verify that results here are bit-identical to the reference"},
    {"bench", command_group::check, "benchmark against other libraries, or evaluate the cost model"},
};

std::filesystem::path path_of_workshop() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "lacis-workshop";
}

}  // namespace

command workshop_command(std::string_view name) {
  const auto found =
      std::find_if(std::begin(entries), std::end(entries), [&](const entry& e) { return e.name == name; });
  return {
      .name = std::string(found->name), .group = found->group, .summary = found->summary, .about = {}, .examples = {}};
}

bool has_workshop() { return access(path_of_workshop().c_str(), X_OK) == 0; }

void start_workshop(const std::vector<std::string>& arguments) {
  const std::string path = path_of_workshop();
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(path.c_str(), words.data());
  if (errno != ENOENT)
    throw error(errc::unsupported, fmt::format("{} does not start: {}", path, std::generic_category().message(errno)));
  throw error(
      errc::unsupported,
      fmt::format("'lacis {}' is part of lacis-workshop, which is not installed beside this program; install the "
                  "package lacis-workshop, or build with -DLACIS_BUILD_WORKSHOP=ON",
                  arguments.front() == "device" ? "doctor --device" : arguments.front()));
}

void let_workshop_answer(const std::vector<std::string>& arguments) {
  const bool is_part =
      std::any_of(all_commands().begin(), all_commands().end(), [](const command& one) { return !one.run; });
  if (is_part && has_workshop()) start_workshop(arguments);
}

}  // namespace lacis::app
