// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sizes that a file declares, checked before they are allocated for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <lacis/error.hpp>
#include <lacis/io.hpp>
#include <lacis/types.hpp>

#include "base/text.hpp"

namespace lacis::detail {

/// Throws unless row offsets for `rows` rows may be allocated for a file of `bytes` bytes: see
/// read_options::memory_limit. `where` begins the message ("file:line" or "file: member").
inline void require_justified_rows(std::int64_t rows, std::int64_t bytes, const read_options& options,
                                   std::string_view where, std::string_view hint) {
  const std::int64_t limit = options.memory_limit > 0
                                 ? options.memory_limit
                                 : std::max(options.max_bytes, (std::int64_t{64} << 20) + 64 * bytes);
  if (rows < limit / 8) return;
  throw error(errc::bad_input, text(where, ": ", rows, " rows are more than ", bytes,
                                    " bytes of input justify (their offsets pass ", limit, " bytes); ", hint));
}

/// Throws unless every row and column number fits Index.
template <index Index> void require_sizes(std::int64_t rows, std::int64_t cols, std::string_view where) {
  if (rows <= std::int64_t{std::numeric_limits<Index>::max()} &&
      cols <= std::int64_t{std::numeric_limits<Index>::max()})
    return;
  throw error(errc::overflow, text(where, ": ", rows, " x ", cols,
                                   " does not fit 32-bit indices; read it with 64-bit ones (std::int64_t)"));
}

}  // namespace lacis::detail
