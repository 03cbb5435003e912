// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The processes that share a matrix: small sums, and data from each to each.
#pragma once

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/buffer.hpp>

namespace lacis::dist {

/// A communicator of our own, so that our messages meet nobody else's. MPI's errors end the program, as MPI has it.
class processes {
 public:
  explicit processes(MPI_Comm given);
  ~processes();
  processes(const processes&) = delete;
  processes& operator=(const processes&) = delete;

  [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  [[nodiscard]] std::int64_t sum(std::int64_t mine) const;
  [[nodiscard]] std::uint64_t sum(std::uint64_t mine) const;
  [[nodiscard]] std::int64_t most(std::int64_t mine) const;
  [[nodiscard]] double most(double mine) const;
  /// Whether it is so for every process.
  [[nodiscard]] bool all(bool mine) const { return most(std::int64_t{mine ? 0 : 1}) == 0; }
  /// The sum over the processes before this one.
  [[nodiscard]] std::int64_t sum_before(std::int64_t mine) const;
  /// Everybody's number, in the order of processes.
  [[nodiscard]] std::vector<std::int64_t> collect(std::int64_t mine) const;
  /// Everybody's numbers, one after the other.
  [[nodiscard]] std::vector<std::int64_t> collect(std::span<const std::int64_t> mine) const;
  /// The bytes of process `root`, for all.
  void broadcast(std::span<std::byte> bytes, int root) const;

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// The most bytes of one message; longer ones are sent in pieces. MPI counts with 32 bits.
inline constexpr std::int64_t longest_piece = std::int64_t{1} << 30;

/// Bytes from each process to each: those for process k lie behind those for k - 1, and the same for what comes.
void exchange_bytes(const processes& group, const std::byte* send, std::span<const std::int64_t> send_bytes,
                    std::byte* receive, std::span<const std::int64_t> receive_bytes,
                    std::int64_t piece = longest_piece);

/// How much each process is going to send to this one, where `counts` says how much this one sends to each.
[[nodiscard]] std::vector<std::int64_t> counts_from_each(const processes& group, std::span<const std::int64_t> counts);

/// Elements from every process, those of process k from begins[k] on.
template <class T> struct arrived {
  buffer<T> data;
  std::vector<std::int64_t> begins;
};

/// counts[k] elements of `data` go to process k.
template <class T>
[[nodiscard]] arrived<T> exchange(const processes& group, std::span<const T> data, std::span<const std::int64_t> counts,
                                  std::int64_t piece = longest_piece) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const std::vector<std::int64_t> from = counts_from_each(group, counts);
  arrived<T> result;
  result.begins.assign(from.size() + 1, 0);
  std::vector<std::int64_t> send_bytes(counts.size());
  std::vector<std::int64_t> receive_bytes(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    send_bytes[k] = counts[k] * size;
    receive_bytes[k] = from[k] * size;
    result.begins[k + 1] = result.begins[k] + from[k];
  }
  result.data = buffer<T>(result.begins.back());
  exchange_bytes(group, reinterpret_cast<const std::byte*>(data.data()), send_bytes,
                 reinterpret_cast<std::byte*>(result.data.data()), receive_bytes, piece);
  return result;
}

/// The process that has row `row` of ranges.
[[nodiscard]] int owner_of(std::span<const std::int64_t> ranges, std::int64_t row);

}  // namespace lacis::dist
