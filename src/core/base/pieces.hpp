// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Loops over few pieces that are much work each, such as slices and blocks: threads in proportion to the work, where
// the loops of parallel.hpp take them in proportion to the number of elements.
#pragma once

#include "base/parallel.hpp"

namespace lacis::detail {

/// work(begin, end) on one contiguous range of pieces per thread; `rows_and_entries`: what all of them are.
template <class Work> void parallel_piece_ranges(std::int64_t pieces, std::int64_t rows_and_entries, Work&& work) {
  const auto most = static_cast<int>(std::min<std::int64_t>(threads_for_work(rows_and_entries), pieces));
  on_threads(most, [&](int t, int threads) {
    const std::int64_t begin = even_cut(pieces, t, threads);
    const std::int64_t end = even_cut(pieces, t + 1, threads);
    if (begin < end) work(begin, end);
  });
}

/// work(i) for every piece.
template <class Work> void parallel_pieces(std::int64_t pieces, std::int64_t rows_and_entries, Work&& work) {
  parallel_piece_ranges(pieces, rows_and_entries, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) work(i);
  });
}

}  // namespace lacis::detail
