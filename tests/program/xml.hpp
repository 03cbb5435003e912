// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether a picture is XML at all.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lacis::app {

/// Whether every element is closed by its own name in the right order, and attributes and text have no stray signs.
[[nodiscard]] inline bool is_well_formed(const std::string& xml) {
  const auto contains = [](const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
  };
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      const std::size_t end = std::min(xml.find('<', at), xml.size());
      const std::string text = xml.substr(at, end - at);
      if (contains(text, ">") || (open.empty() && text.find_first_not_of("\n ") != std::string::npos)) return false;
      for (std::size_t sign = text.find('&'); sign != std::string::npos; sign = text.find('&', sign + 1)) {
        const std::string name = text.substr(sign, text.find(';', sign) - sign + 1);
        if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;") return false;
      }
      at = end;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (contains(tag, "<") || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return false;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      if (open.empty() && had_root) return false;
      had_root = true;
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  return had_root && open.empty();
}

}  // namespace lacis::app
