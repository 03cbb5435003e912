// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What one thread of a sparse product does: takes pieces, computes them, puts them where they belong.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>

#include "cpu/spgemm/pieces.hpp"
#include "cpu/spgemm/spgemm.hpp"

namespace lacis::cpu {

/// Pieces that a thread has computed and cannot place yet, at most.
inline constexpr std::size_t spgemm_most_pending = 12;

template <class T, class Index> inline constexpr std::int64_t entry_bytes = sizeof(T) + sizeof(Index);

/// Rows of C as threads fill them: from `first_row` on, `lengths[0]` belongs to that one.
template <class T, class Index> struct spgemm_target {
  std::int64_t first_row = 0;
  std::int64_t* lengths = nullptr;
  Index* columns = nullptr;
  T* values = nullptr;
};

template <class T, class Index> class spgemm_worker {
 public:
  explicit spgemm_worker(bool is_timed) : scratch_(is_timed) {}

  /// Works until no piece is left or a thread has failed; done(piece) after each.
  template <class Done>
  void run(const spgemm_job<T, Index>& job, spgemm_rows_kernel<T, Index>* kernel, const spgemm_piece* pieces,
           const spgemm_target<T, Index>& target, spgemm_placement& placement, Done&& done) {
    const auto begin = std::chrono::steady_clock::now();
    scratch_.begin();
    while (const auto taken = placement.take()) {
      const spgemm_piece& piece = pieces[*taken];
      const auto compute = [&](Index* columns, T* values) {
        // The kernel counts rows as A does.
        return kernel(job, scratch_, piece, target.lengths - target.first_row, columns, values);
      };
      if (const auto at = placement.place(*taken)) {
        placement.publish(*taken, compute(target.columns + *at, target.values + *at));
      } else {
        pending one{*taken, 0, unused_entries()};
        one.held.enlarge(piece.bound + spgemm_slack);
        one.entries = compute(one.held.columns.data(), one.held.values.data());
        placement.publish(*taken, one.entries);
        waiting_.push_back(std::move(one));
      }
      done(piece);
      while (!waiting_.empty()) {
        const std::size_t first = waiting_.front().piece;
        const auto at = waiting_.size() > spgemm_most_pending ? placement.wait(first) : placement.place(first);
        if (!at) break;
        put_first(target, *at);
      }
    }
    while (!waiting_.empty()) {
      const auto at = placement.wait(waiting_.front().piece);
      if (!at) break;
      put_first(target, *at);
    }
    scratch_.leave();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  [[nodiscard]] const spgemm_scratch<T, Index>& scratch() const { return scratch_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::int64_t bytes() const {
    std::int64_t all = scratch_.bytes();
    for (const entries& one : unused_) all += one.columns.size() * entry_bytes<T, Index>;
    return all;
  }

 private:
  /// The entries of a piece on their way.
  struct entries {
    buffer<Index> columns;
    buffer<T> values;

    void enlarge(std::int64_t most) {
      if (columns.size() >= most) return;
      columns = buffer<Index>(most);
      values = buffer<T>(most);
    }
  };
  struct pending {
    std::size_t piece;
    std::int64_t entries;
    spgemm_worker::entries held;
  };

  entries unused_entries() {
    if (unused_.empty()) return {};
    entries one = std::move(unused_.back());
    unused_.pop_back();
    return one;
  }

  void put_first(const spgemm_target<T, Index>& target, std::int64_t at) {
    pending& one = waiting_.front();
    std::copy_n(one.held.columns.data(), one.entries, target.columns + at);
    std::copy_n(one.held.values.data(), one.entries, target.values + at);
    unused_.push_back(std::move(one.held));
    waiting_.pop_front();
  }

  spgemm_scratch<T, Index> scratch_;
  std::deque<pending> waiting_;
  std::vector<entries> unused_;
  double seconds_ = 0;
};

}  // namespace lacis::cpu
