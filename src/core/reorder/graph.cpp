// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A square matrix as a graph: whether its pattern is symmetric, and making it so.
#include "reorder/graph.hpp"

#include <atomic>
#include <random>

#include <lacis/structure.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {
namespace {

/// A number for an entry above the diagonal, and for its mirror image below: scattered over 64 bits, by a rule drawn
/// anew each time, so that no matrix can be made for which sums of them cancel.
class mirror_hash {
 public:
  mirror_hash() {
    std::random_device source;
    const auto word = [&] { return static_cast<std::uint64_t>(source()) << 32 | source(); };
    factor_ = word() | 1;
    shift_ = word();
  }
  [[nodiscard]] std::uint64_t operator()(std::int64_t smaller, std::int64_t larger) const {
    std::uint64_t x = static_cast<std::uint64_t>(smaller) * factor_ + static_cast<std::uint64_t>(larger) + shift_;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
  }

 private:
  std::uint64_t factor_;
  std::uint64_t shift_;
};

}  // namespace

template <class Index> pattern_facts examine(const pattern_view<Index>& a) {
  const mirror_hash hash;
  std::atomic<bool> canonical_rows{true};
  std::atomic<bool> loops{false};
  std::atomic<std::uint64_t> difference{0};
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    // Without branches on columns, which would be mispredicted all the time.
    bool disorder = false;
    bool meets_diagonal = false;
    std::uint64_t sum = 0;
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t previous = -1;
      for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k) {
        const auto j = static_cast<std::int64_t>(a.columns.data()[k]);
        disorder |= j <= previous;
        previous = j;
        meets_diagonal |= j == i;
        const std::int64_t sign = (j > i) - (j < i);
        sum += static_cast<std::uint64_t>(sign) * hash(std::min(i, j), std::max(i, j));
      }
    }
    if (disorder) canonical_rows.store(false, std::memory_order_relaxed);
    if (meets_diagonal) loops.store(true, std::memory_order_relaxed);
    difference.fetch_add(sum, std::memory_order_relaxed);
  });
  return {.canonical = canonical_rows.load(), .symmetric = difference.load() == 0, .loops = loops.load()};
}

template <index Index> graph<Index>::graph(const pattern_view<Index>& a) : pattern_(a) {
  pattern_facts facts = examine(pattern_);
  if (!facts.canonical) {
    made_ = canonical(pattern_, duplicates::keep_first);
    pattern_ = made_.view();
    facts = examine(pattern_);
  }
  if (!facts.symmetric) {
    made_ = symmetrise(pattern_, symmetry_rule::pattern);
    pattern_ = made_.view();
  }
  has_loops_ = facts.loops;
}

#define LACIS_GRAPH(Index)                                    \
  template pattern_facts examine(const pattern_view<Index>&); \
  template class graph<Index>;
LACIS_GRAPH(std::int32_t)
LACIS_GRAPH(std::int64_t)

}  // namespace lacis::detail
