// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A text cut into chunks of whole lines that threads parse independently.
#include "io/line_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {
namespace {

/// Small enough for a core's cache and for many chunks a thread, large enough to hide the cost of handing one out.
constexpr std::int64_t chunk_bytes = 1 << 16;

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

template <class Count> void count_chunks(std::vector<line_chunk>& chunks, Count&& count) {
  const auto size = static_cast<std::int64_t>(chunks.size());
  const int threads = static_cast<int>(std::min<std::int64_t>(size, thread_count()));
  on_threads(threads, [&](int t, int parts) {
    for (std::int64_t c = even_cut(size, t, parts); c < even_cut(size, t + 1, parts); ++c) {
      line_chunk& chunk = chunks[static_cast<std::size_t>(c)];
      chunk.entries = count(chunk);
    }
  });
}

std::int64_t total_entries(const std::vector<line_chunk>& chunks) {
  std::int64_t total = 0;
  for (const auto& chunk : chunks) total += chunk.entries;
  return total;
}

}  // namespace

const char* trim_end(std::string_view text) {
  const auto filled = text.find_last_not_of(" \t\r\n");
  return text.data() + (filled == std::string_view::npos ? 0 : filled + 1);
}

std::vector<line_chunk> cut_lines(const char* first, const char* last, std::int64_t limit) {
  const std::int64_t size = last - first;
  std::vector<line_chunk> chunks(static_cast<std::size_t>((size + chunk_bytes - 1) / chunk_bytes));
  const char* begin = first;
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const std::int64_t cut = (static_cast<std::int64_t>(c) + 1) * chunk_bytes;
    const char* end = cut >= size ? last : std::max(begin, next_line(first + cut - 1, last));
    chunks[c] = {begin, end, 0, 0};
    begin = end;
  }

  // Most files have one entry a line; then counting line ends, which runs at the speed of memory, is enough. The last
  // line has none.
  count_chunks(chunks, [&](const line_chunk& chunk) {
    return count_newlines(chunk.first, chunk.last) + (chunk.first != last && chunk.last == last ? 1 : 0);
  });
  if (total_entries(chunks) != limit)
    count_chunks(chunks, [&](const line_chunk& chunk) {
      std::int64_t filled = 0;
      for_each_filled_line(chunk.first, chunk.last, [&](const char*) { return ++filled, true; });
      return filled;
    });

  std::int64_t before = 0;
  for (auto& chunk : chunks) {
    chunk.first_entry = before;
    chunk.entries = std::min(chunk.entries, limit - before);
    before += chunk.entries;
  }
  return chunks;
}

const char* find_entry(const char* first, const char* last, std::int64_t entry) {
  const char* found = last;
  for_each_filled_line(first, last, [&](const char* at) {
    found = at;
    return entry-- > 0;
  });
  return found;
}

}  // namespace lacis::detail
