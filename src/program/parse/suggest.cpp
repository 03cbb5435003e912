// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Edit distance (optimal string alignment) and suggestions.
#include "parse/suggest.hpp"

#include <algorithm>
#include <vector>

#include <lacis/error.hpp>

namespace lacis::app {

int edit_distance(std::string_view from, std::string_view to) {
  const std::size_t columns = to.size() + 1;
  std::vector<int> before(columns);
  std::vector<int> last(columns);
  std::vector<int> now(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      const bool same = from[i - 1] == to[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[to.size()];
}

std::string nearest(std::string_view as_typed, std::span<const std::string> candidates) {
  std::string word(as_typed);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::string best;
  if (word.size() > 1)
    for (const std::string& candidate : candidates)
      if (candidate.starts_with(word) && (best.empty() || candidate.size() < best.size())) best = candidate;
  if (!best.empty()) return best;
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? found : "; did you mean '" + found + "'?";
}

void refuse_choice(std::string_view option, std::string_view word, std::span<const std::string> choices) {
  std::string listed;
  for (const std::string& choice : choices) listed += (listed.empty() ? "" : ", ") + choice;
  throw error(errc::invalid_argument, std::string(option) + " must be one of " + listed + " (got '" +
                                          std::string(word) + "')" + did_you_mean(word, choices));
}

}  // namespace lacis::app
