// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The work of a sparse product in pieces of rows, and where the entries of each piece go.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::cpu {

/// Rows first_row .. last_row that are computed together.
struct spgemm_piece {
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
  std::int64_t products = 0;
  std::int64_t bound = 0;    ///< entries at most
  std::int64_t longest = 0;  ///< products of a row, at most
};

struct spgemm_pieces {
  std::vector<spgemm_piece> all;
  std::int64_t products = 0;
  std::int64_t bound = 0;
};

/// Writes the products of each row to `lengths` and cuts the rows so that pieces have about equal work. Rows of A whose
/// columns do not ascend are error(invalid_matrix).
template <class Value, class Index>
[[nodiscard]] spgemm_pieces cut_into_pieces(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                            std::int64_t* lengths, int threads);

/// Where pieces begin in the result: known for a piece as soon as all pieces before it are counted. Threads that wait
/// sleep: on a shared machine the one they wait for may not be running.
class spgemm_placement {
 public:
  explicit spgemm_placement(std::size_t pieces) : counts_(pieces, -1), offsets_(pieces + 1, 0) {}

  /// The next piece that is not taken; nothing when there is none, or when a thread has failed.
  [[nodiscard]] std::optional<std::size_t> take();
  /// The piece has so many entries.
  void publish(std::size_t piece, std::int64_t entries);
  /// Where a piece begins, if that is known.
  [[nodiscard]] std::optional<std::int64_t> place(std::size_t piece);
  /// The same, after waiting for it; nothing when a thread has failed.
  [[nodiscard]] std::optional<std::int64_t> wait(std::size_t piece);
  /// Ends the work of all threads.
  void fail();

  /// Of all pieces whose place is known.
  [[nodiscard]] std::int64_t entries_so_far();
  /// Of all pieces, once threads have done their work.
  [[nodiscard]] std::int64_t entries() const { return offsets_.back(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> offsets_;
  std::size_t next_ = 0;
  std::size_t known_ = 0;  ///< offsets_[0 .. known_] are final
  bool failed_ = false;
};

}  // namespace lacis::cpu
