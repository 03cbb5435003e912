// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which methods a user of lacis lab means.
#include "commands/lab/methods.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <lacis/error.hpp>

#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

/// Whether its block is one of those asked for.
bool has_block(const lab::method_facts& method, std::span<const int> blocks) {
  if (blocks.empty()) return method.name == method.family;
  return std::find(blocks.begin(), blocks.end(), method.block_threads) != blocks.end();
}

/// A method's own name, as against the name that its whole family has.
bool is_full_name(const lab::method_facts& method, std::string_view name) {
  return method.name == name && method.family != name;
}

void require_known(std::span<const lab::method_facts> all, const std::string& name) {
  std::vector<std::string> known;
  for (const lab::method_facts& method : all) {
    if (method.name == name || method.family == name) return;
    known.emplace_back(method.name);
  }
  throw error(errc::invalid_argument,
              fmt::format("--kernel: there is no kernel '{}'{}", name, did_you_mean(name, known)));
}

[[noreturn]] void refuse_block(std::span<const lab::method_facts> all, const std::string& family) {
  std::string sizes;
  for (const lab::method_facts& method : all)
    if (method.family == family) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", method.block_threads);
  throw error(errc::invalid_argument,
              fmt::format("{} has no block of a size that --block names; it has {}", family, sizes));
}

}  // namespace

std::vector<std::string> choose_methods(std::span<const lab::method_facts> all, std::span<const std::string> wanted,
                                        std::span<const int> blocks) {
  std::vector<bool> chosen(all.size());
  for (std::size_t i = 0; wanted.empty() && i < all.size(); ++i) chosen[i] = has_block(all[i], blocks);
  for (const std::string& name : wanted) {
    require_known(all, name);
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool of_family = all[i].family == name && has_block(all[i], blocks);
      if (!of_family && !is_full_name(all[i], name)) continue;
      chosen[i] = true;
      any = true;
    }
    if (!any) refuse_block(all, name);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (chosen[i]) names.emplace_back(all[i].name);
  if (names.empty()) throw error(errc::invalid_argument, "no kernel has a block of a size that --block names");
  return names;
}

}  // namespace lacis::app
