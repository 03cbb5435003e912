// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the formats' files share.
#include "formats/layout.hpp"

#include <atomic>
#include <unistd.h>

namespace lacis::detail {

std::int64_t longest_row(std::span<const std::int64_t> row_offsets) {
  std::atomic<std::int64_t> longest{0};
  parallel_ranges(static_cast<std::int64_t>(row_offsets.size()) - 1, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t mine = 0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      mine = std::max(mine, row_offsets[i + 1] - row_offsets[i]);
    std::int64_t known = longest.load();
    while (known < mine && !longest.compare_exchange_weak(known, mine)) {
    }
  });
  return longest;
}

void require_memory(std::int64_t bytes, matrix_format f, const convert_options& options) {
  const std::int64_t limit = options.memory_limit > 0
                                 ? options.memory_limit
                                 : static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) / 4 * 3 * sysconf(_SC_PAGESIZE);
  if (bytes > limit)
    throw error(errc::out_of_memory,
                text(name_of(f), " would take ", bytes, " bytes of padding and entries, more than ", limit,
                     "; this matrix suits another format (csr, sell, hyb)"));
}

void require_sell_options(const convert_options& options) {
  if (options.slice_height < 1 || options.slice_height > 1024)
    throw error(errc::invalid_argument, text("a slice height of ", options.slice_height, "; choose 1 to 1024"));
  if (options.sort_window != 1 && (options.sort_window < 1 || options.sort_window % options.slice_height != 0))
    throw error(errc::invalid_argument, text("a sort window of ", options.sort_window,
                                             "; choose 1 or a multiple of the slice height ", options.slice_height));
}

void require_bsr_options(const convert_options& options) {
  if (options.block_size < 1 || options.block_size > 64)
    throw error(errc::invalid_argument, text("a block size of ", options.block_size, "; choose 1 to 64"));
}

}  // namespace lacis::detail
