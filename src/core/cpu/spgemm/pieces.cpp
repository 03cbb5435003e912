// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products counted, rows cut into pieces, pieces placed.
#include "cpu/spgemm/pieces.hpp"

#include <algorithm>
#include <mutex>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "formats/order_rows.hpp"

namespace lacis::cpu {
namespace {

/// Products of a piece: many enough that taking it costs nothing, few enough that its entries stay in cache; fewer for
/// small matrices, so that threads end together.
std::int64_t products_of_piece(std::int64_t entries) {
  constexpr std::int64_t tiny = std::int64_t{1} << 15;
  constexpr std::int64_t small = std::int64_t{1} << 20;
  return std::int64_t{1} << (entries < tiny ? 11 : entries < small ? 13 : 16);
}

/// A row costs something even without products.
constexpr std::int64_t cost_of_row = 4;

/// Rows that are counted together.
constexpr std::int64_t rows_at_once = 1024;

/// Products of rows, and whether the columns of each ascend.
template <class Index> class row_counter {
 public:
  row_counter(const std::int64_t* a_offsets, const Index* columns, const std::int64_t* b_offsets)
      : a_offsets_(a_offsets), columns_(columns), b_offsets_(b_offsets), products_before_(most_short + 1) {}

  bool count(std::int64_t first, std::int64_t last, std::int64_t* lengths) {
    return a_offsets_[last] - a_offsets_[first] <= most_short ? count_short(first, last, lengths)
                                                              : count_long(first, last, lengths);
  }

 private:
  static constexpr std::int64_t most_short = 4 * rows_at_once;

  [[nodiscard]] std::int64_t length_of(Index row) const { return b_offsets_[row + 1] - b_offsets_[row]; }

  /// Entry after entry, whatever rows they are in: a loop over a row that has none, one or two entries costs more in
  /// wrong guesses than in work.
  bool count_short(std::int64_t first, std::int64_t last, std::int64_t* lengths) {
    const std::int64_t begin = a_offsets_[first];
    const std::int64_t size = a_offsets_[last] - begin;
    const Index* columns = columns_ + begin;
    const Index nothing[1] = {0};
    const Index* starts = size > 0 ? columns : nothing;
    std::int64_t* before = products_before_.data();
    std::int64_t sum = 0;
    std::int64_t descents = 0;
    Index left = -1;
    for (std::int64_t e = 0; e < size; ++e) {
      before[e] = sum;
      sum += length_of(columns[e]);
      descents += left < columns[e] ? 0 : 1;
      left = columns[e];
    }
    before[size] = sum;
    // Where a row with entries begins behind another one, columns may descend.
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t from = a_offsets_[i] - begin;
      const std::int64_t to = a_offsets_[i + 1] - begin;
      lengths[i] = before[to] - before[from];
      const std::int64_t here = std::min(from, std::max<std::int64_t>(size - 1, 0));
      const std::int64_t left_of_it = here - (here > 0 ? 1 : 0);
      descents -= static_cast<std::int64_t>((from > 0) & (from < to) & (starts[left_of_it] >= starts[here]));
    }
    return descents == 0;
  }

  bool count_long(std::int64_t first, std::int64_t last, std::int64_t* lengths) {
    bool ascends = true;
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t products = 0;
      Index left = -1;
      for (std::int64_t e = a_offsets_[i]; e < a_offsets_[i + 1]; ++e) {
        products += length_of(columns_[e]);
        ascends &= left < columns_[e];
        left = columns_[e];
      }
      lengths[i] = products;
    }
    return ascends;
  }

  const std::int64_t* a_offsets_;
  const Index* columns_;
  const std::int64_t* b_offsets_;
  std::vector<std::int64_t> products_before_;
};

}  // namespace

template <class Value, class Index>
spgemm_pieces cut_into_pieces(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b, std::int64_t* lengths,
                              int threads) {
  const std::int64_t* a_offsets = a.row_offsets.data();
  const std::int64_t* b_offsets = b.row_offsets.data();
  const std::int64_t enough = products_of_piece(a.nnz());
  std::vector<spgemm_pieces> parts(static_cast<std::size_t>(threads));
  const detail::stop_check stop;
  detail::on_threads(threads, [&](int t, int count) {
    spgemm_pieces& mine = parts[static_cast<std::size_t>(t)];
    const std::int64_t last = detail::balanced_cut(a.row_offsets, t + 1, count);
    bool ascends = true;
    spgemm_piece piece;
    piece.first_row = detail::balanced_cut(a.row_offsets, t, count);
    const auto close = [&](std::int64_t end) {
      piece.last_row = end;
      mine.products += piece.products;
      mine.bound += piece.bound;
      if (piece.products != 0) mine.all.push_back(piece);
      piece = {end, end, 0, 0, 0};
    };
    row_counter<Index> counter{a_offsets, a.columns.data(), b_offsets};
    for (std::int64_t first = piece.first_row; first < last; first += rows_at_once) {
      stop();
      const std::int64_t end = std::min(first + rows_at_once, last);
      ascends &= counter.count(first, end, lengths);
      for (std::int64_t i = first; i < end; ++i) {
        piece.products += lengths[i];
        piece.bound += std::min(lengths[i], b.cols);
        piece.longest = std::max(piece.longest, lengths[i]);
        if (piece.products + cost_of_row * (i - piece.first_row) >= enough) close(i + 1);
      }
    }
    close(last);
    if (!ascends) detail::require_canonical(a, "spgemm");
  });
  spgemm_pieces whole;
  for (const spgemm_pieces& part : parts) {
    whole.all.insert(whole.all.end(), part.all.begin(), part.all.end());
    whole.products += part.products;
    whole.bound += part.bound;
  }
  return whole;
}

std::optional<std::size_t> spgemm_placement::take() {
  const std::scoped_lock lock(mutex_);
  if (failed_ || next_ == counts_.size()) return std::nullopt;
  return next_++;
}

void spgemm_placement::publish(std::size_t piece, std::int64_t entries) {
  {
    const std::scoped_lock lock(mutex_);
    counts_[piece] = entries;
    for (; known_ < counts_.size() && counts_[known_] >= 0; ++known_)
      offsets_[known_ + 1] = offsets_[known_] + counts_[known_];
  }
  changed_.notify_all();
}

std::optional<std::int64_t> spgemm_placement::place(std::size_t piece) {
  const std::scoped_lock lock(mutex_);
  return piece <= known_ ? std::optional(offsets_[piece]) : std::nullopt;
}

std::int64_t spgemm_placement::entries_so_far() {
  const std::scoped_lock lock(mutex_);
  return offsets_[known_];
}

std::optional<std::int64_t> spgemm_placement::wait(std::size_t piece) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || piece <= known_; });
  return failed_ ? std::nullopt : std::optional(offsets_[piece]);
}

void spgemm_placement::fail() {
  {
    const std::scoped_lock lock(mutex_);
    failed_ = true;
  }
  changed_.notify_all();
}

#define LACIS_CUT(Value, Index)                                                                                       \
  template spgemm_pieces cut_into_pieces(const csr_view<Value, Index>&, const csr_view<Value, Index>&, std::int64_t*, \
                                         int);
LACIS_FOR_EACH_TYPE(LACIS_CUT)

}  // namespace lacis::cpu
