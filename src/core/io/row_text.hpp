// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows written as text: formatted by all threads, put out in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lacis/progress.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/bytes/archive.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {

/// format(row, out) appends the text of one row; the text of all rows goes to `put` in their order. The memory used
/// does not grow with the matrix, only with its longest row.
template <class Format>
void write_rows(const byte_writer& put, std::span<const std::int64_t> row_offsets, Format&& format,
                const progress& report) {
  constexpr std::int64_t share = 1 << 15;  // rows and entries that a thread formats before the results are put out
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  const int threads = thread_count();
  std::vector<std::string> parts(static_cast<std::size_t>(threads));
  std::vector<std::int64_t> cuts(parts.size() + 1, 0);
  for (std::int64_t row = 0; row < rows;) {
    cuts[0] = row;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::int64_t start = row;
      const std::int64_t offset = row_offsets[static_cast<std::size_t>(start)];
      while (row < rows && row - start + row_offsets[static_cast<std::size_t>(row)] - offset < share) ++row;
      cuts[part + 1] = row;
    }
    on_threads(cuts[1] == rows ? 1 : threads, [&](int t, int team) {
      const summation::rounding_guard guard;  // a subnormal number is not zero
      for (auto part = static_cast<std::size_t>(t); part < parts.size(); part += static_cast<std::size_t>(team)) {
        parts[part].clear();
        for (std::int64_t i = cuts[part]; i < cuts[part + 1]; ++i) format(i, parts[part]);
      }
    });
    for (const std::string& part : parts)
      if (!part.empty()) put(part);
    if (report) report("writing", static_cast<double>(row) / static_cast<double>(rows));
  }
}

/// The comment of write_options, each line behind `mark`.
[[nodiscard]] inline std::string comment_lines(std::string_view comment, std::string_view mark) {
  std::string out;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    out += text(mark, ' ', comment.substr(0, end), '\n');
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return out;
}

}  // namespace lacis::detail
