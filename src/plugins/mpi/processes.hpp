// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The ranks that share a matrix: small sums, data from each to each, and errors that all of them throw.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mpi.h>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/export.hpp>
#include <lacis/operator.hpp>

#include "base/internal.hpp"

namespace lacis::dist {

using same_argument = solver::same_argument;
/// Numbers for other arguments: alike for what is alike.
[[nodiscard]] LACIS_INTERNAL std::uint64_t number_of(std::string_view text);
[[nodiscard]] std::uint64_t number_of(double value);
[[nodiscard]] std::uint64_t number_of(std::span<const std::int64_t> values);

/// A communicator of our own, so that our messages meet no others. MPI's errors end the program, as MPI has it.
///
/// A rank that throws inside together() tells the others, and they throw the same: every wait of this class looks for
/// such word. Waits that do not (the reduction of dot products, the exchange of a product, MPI-IO, PT-Scotch) make the
/// rank that failed give up after a few seconds; then the error handler of the communicator that was given decides:
/// with MPI_ERRORS_ARE_FATAL, the default of MPI, it prints its message and ends all ranks, otherwise it throws alone.
class LACIS_API processes {
 public:
  /// Called by all ranks; nothing that may throw on one of them comes before it.
  explicit processes(MPI_Comm given);
  ~processes();
  processes(const processes&) = delete;
  processes& operator=(const processes&) = delete;

  [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// work() on all ranks, until all have done it. Where one throws, all throw: rank_error with the message of the
  /// lowest that failed. A rank gets its own exception back when that is neither lacis::error nor std::bad_alloc.
  template <class Work> auto together(Work&& work) const {
    return guarded([&] {
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        barrier();
      } else {
        auto made = work();
        barrier();
        return made;
      }
    });
  }
  /// The same without waiting for the others at the end, for products: it costs nothing.
  template <class Work> auto guarded(Work&& work) const {
    try {
      return work();
    } catch (...) {
      agree();
    }
  }

  /// An error on all ranks where one calls another function or gives it other arguments, of which there are seven at
  /// most.
  void require_same(std::string_view function, std::span<const same_argument> arguments,
                    errc code = errc::invalid_argument) const;

  void require_same(std::string_view function, std::initializer_list<same_argument> arguments,
                    errc code = errc::invalid_argument) const {
    require_same(function, std::span<const same_argument>(arguments.begin(), arguments.size()), code);
  }

  void barrier() const;
  [[nodiscard]] std::int64_t sum(std::int64_t mine) const;
  [[nodiscard]] std::uint64_t sum(std::uint64_t mine) const;
  [[nodiscard]] std::int64_t most(std::int64_t mine) const;
  [[nodiscard]] double most(double mine) const;
  /// Whether it is so for every rank.
  [[nodiscard]] bool all(bool mine) const { return most(std::int64_t{mine ? 0 : 1}) == 0; }
  /// The sum over the ranks before this one.
  [[nodiscard]] std::int64_t sum_before(std::int64_t mine) const;
  /// The sums over all ranks and over those before this one, element by element.
  void sums(std::span<const std::int64_t> mine, std::span<std::int64_t> of_all, std::span<std::int64_t> before) const;
  /// Everybody's number, in the order of ranks.
  [[nodiscard]] std::vector<std::int64_t> collect(std::int64_t mine) const;
  /// Everybody's numbers, one after the other.
  [[nodiscard]] std::vector<std::int64_t> collect(std::span<const std::int64_t> mine) const;
  /// The bytes of rank `root`, for all.
  void broadcast(std::span<std::byte> bytes, int root) const;

  /// Thrown in together() by a rank that knows of another one's failure.
  struct other_rank_failed {};

  /// Memory of a collective that is under way.
  struct held_arrays {
    std::vector<std::int64_t> in;
    std::vector<std::int64_t> out;
    std::vector<double> reals;
    std::vector<std::byte> bytes;
    std::vector<int> counts;
    std::vector<int> begins;
  };
  /// start(arrays, &request) begins a collective, which is waited for. A rank that hears of a failure leaves the arrays
  /// to MPI, which may still write to them.
  template <class Start> void collective(std::unique_ptr<held_arrays>& held, Start&& start) const {
    MPI_Request request = MPI_REQUEST_NULL;
    ++begun_;
    start(*held, &request);
    finish(request, held);
  }
  /// Waits for messages between two ranks; where one fails, what was to come is cancelled.
  void finish_messages(std::span<MPI_Request> receives, std::span<MPI_Request> sends) const;

 private:
  struct agreement;

  [[nodiscard]] bool waits_for_failed_rank() const;
  void receive_word(int from) const;
  /// False: another rank has failed.
  [[nodiscard]] bool arrives(std::span<MPI_Request> requests) const;
  [[nodiscard]] bool arrives_in_time(MPI_Request& request, double deadline) const;
  /// While memory of messages that are under way still stands.
  [[noreturn]] void interrupt() const;
  /// In a handler: learns of everybody's failure and throws what all throw.
  [[noreturn]] void agree() const;
  [[noreturn]] void give_up() const;
  void finish(MPI_Request request, std::unique_ptr<held_arrays>& held) const;
  [[nodiscard]] std::int64_t reduced(std::int64_t mine, MPI_Datatype type, MPI_Op operation) const;

  mutable MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Comm failures_ = MPI_COMM_NULL;  ///< carries word of failures only, so it stays in order when one comes
  int rank_ = 0;
  int size_ = 1;
  bool ends_all_ = true;            ///< where ranks cannot agree
  mutable std::int64_t begun_ = 0;  ///< collectives
  mutable bool is_interrupted_ = false;
  mutable std::unique_ptr<agreement> agreement_;
};

/// The most bytes of one message; longer ones are sent in pieces. MPI counts with 32 bits.
inline constexpr std::int64_t longest_piece = std::int64_t{1} << 30;

/// Bytes from each rank to each: those for rank k lie behind those for k - 1, and the same for what comes.
LACIS_API void exchange_bytes(const processes& group, const std::byte* send, std::span<const std::int64_t> send_bytes,
                              std::byte* receive, std::span<const std::int64_t> receive_bytes,
                              std::int64_t piece = longest_piece);

/// How much each rank is going to send to this one, where `counts` says how much this one sends to each.
[[nodiscard]] LACIS_API std::vector<std::int64_t> counts_from_each(const processes& group,
                                                                   std::span<const std::int64_t> counts);

/// Elements from every rank, those of rank k from begins[k] on.
template <class T> struct arrived {
  buffer<T> data;
  std::vector<std::int64_t> begins;
};

/// counts[k] elements of `data` go to rank k.
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

/// The rank that has row `row` of ranges.
[[nodiscard]] int owner_of(std::span<const std::int64_t> ranges, std::int64_t row);

}  // namespace lacis::dist
