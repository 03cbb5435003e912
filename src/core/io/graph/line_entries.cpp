// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Entries that stand one on a line: how many each chunk of a text holds, and where one begins.
#include "io/graph/line_entries.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "io/chunks.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

/// Sixteen comparisons at a time, summed in bytes that cannot overflow within 255 steps.
std::int64_t count_newlines(const char* first, const char* last) {
  using bytes = unsigned char __attribute__((vector_size(16)));
  constexpr bytes newline = bytes{} + static_cast<unsigned char>('\n');
  constexpr std::ptrdiff_t width = sizeof(bytes);
  std::int64_t count = 0;
  while (last - first >= width) {
    bytes found{};
    const std::ptrdiff_t steps = std::min<std::ptrdiff_t>(255, (last - first) / width);
    for (std::ptrdiff_t step = 0; step < steps; ++step, first += width) {
      bytes piece;
      std::memcpy(&piece, first, sizeof piece);
      found -= reinterpret_cast<bytes>(piece == newline);
    }
    for (int lane = 0; lane < width; ++lane) count += found[lane];
  }
  return count + std::count(first, last, '\n');
}

/// Calls visit(place of the first character that is no blank) for every line that is not blank, until it says stop.
template <class Visit> void for_each_filled_line(const char* first, const char* last, Visit&& visit) {
  for (const char* line = first; line != last; line = next_line(line, last)) {
    const char* at = skip_blanks(line, last);
    if (!at_line_end(at, last) && !visit(at)) return;
  }
}

}  // namespace

std::string_view trim_end(std::string_view text) {
  const auto filled = text.find_last_not_of(" \t\r\n");
  return text.substr(0, filled == std::string_view::npos ? 0 : filled + 1);
}

std::vector<std::int64_t> count_entries(const std::vector<std::string_view>& chunks, std::int64_t limit) {
  std::vector<std::int64_t> before(chunks.size() + 1, 0);
  const auto count_chunks = [&](auto&& count) {
    for_each_chunk(chunks, [&](std::int64_t c, std::string_view chunk) {
      before[static_cast<std::size_t>(c) + 1] = count(chunk.data(), chunk.data() + chunk.size());
    });
    std::partial_sum(before.begin(), before.end(), before.begin());
  };

  // Most files have one entry per line; then counting line ends, which runs at the speed of memory, is enough. The last
  // line has none.
  count_chunks([](const char* first, const char* last) { return count_newlines(first, last) + (last[-1] != '\n'); });
  if (before.back() != limit)
    count_chunks([](const char* first, const char* last) {
      std::int64_t filled = 0;
      for_each_filled_line(first, last, [&](const char*) { return ++filled, true; });
      return filled;
    });
  for (auto& count : before) count = std::min(count, limit);
  return before;
}

const char* find_entry(std::string_view text, std::int64_t entry) {
  const char* found = text.data() + text.size();
  for_each_filled_line(text.data(), found, [&](const char* at) {
    found = at;
    return entry-- > 0;
  });
  return found;
}

}  // namespace lacis::detail
