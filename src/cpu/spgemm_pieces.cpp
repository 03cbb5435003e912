// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products counted, rows cut into pieces, pieces placed.
#include "cpu/spgemm_pieces.hpp"

#include <algorithm>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace lacis::cpu {
namespace {

/// Products of a piece: many enough that taking it costs nothing, few enough that its entries stay in cache.
constexpr std::int64_t products_of_piece = std::int64_t{1} << 16;

/// A row costs something even without products.
constexpr std::int64_t cost_of_row = 4;

}  // namespace

template <class Value, class Index>
spgemm_pieces cut_into_pieces(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b, std::int64_t* lengths) {
  const std::int64_t* a_offsets = a.row_offsets.data();
  const std::int64_t* b_offsets = b.row_offsets.data();
  const Index* columns = a.columns.data();
  const int threads = detail::threads_for(a.rows + a.nnz());
  std::vector<spgemm_pieces> parts(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    spgemm_pieces& mine = parts[static_cast<std::size_t>(t)];
    const std::int64_t last = detail::balanced_cut(a.row_offsets, t + 1, count);
    spgemm_piece piece;
    piece.first_row = detail::balanced_cut(a.row_offsets, t, count);
    const auto close = [&](std::int64_t end) {
      piece.last_row = end;
      mine.products += piece.products;
      mine.bound += piece.bound;
      if (piece.products != 0) mine.all.push_back(piece);
      piece = {end, end, 0, 0};
    };
    for (std::int64_t i = piece.first_row; i < last; ++i) {
      std::int64_t products = 0;
      for (std::int64_t p = a_offsets[i]; p < a_offsets[i + 1]; ++p)
        products += b_offsets[columns[p] + 1] - b_offsets[columns[p]];
      lengths[i] = products;
      piece.products += products;
      piece.bound += std::min(products, b.cols);
      if (piece.products + cost_of_row * (i - piece.first_row) >= products_of_piece) close(i + 1);
    }
    close(last);
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
    if (offsets_[known_] > most_)
      throw error(errc::out_of_memory,
                  detail::text("the product has more than the ", most_,
                               " entries that the memory limit leaves room for; raise it, or take the product in parts "
                               "(multiply_in_slabs)"));
  }
  changed_.notify_all();
}

std::optional<std::int64_t> spgemm_placement::place(std::size_t piece) {
  const std::scoped_lock lock(mutex_);
  return piece <= known_ ? std::optional(offsets_[piece]) : std::nullopt;
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

#define LACIS_CUT(Value, Index) \
  template spgemm_pieces cut_into_pieces(const csr_view<Value, Index>&, const csr_view<Value, Index>&, std::int64_t*);
LACIS_FOR_EACH_TYPE(LACIS_CUT)

}  // namespace lacis::cpu
