// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bringing the elements of x that other processes own to where a product reads them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/mpi.hpp>

#include "mpi/processes.hpp"

namespace lacis::dist {

/// Which elements go where in every product.
struct exchange_lists {
  /// Ghosts first .. first + count come from this process.
  struct incoming {
    int rank = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
  };
  /// These elements of this process go to that one.
  struct outgoing {
    int rank = 0;
    std::int64_t first = 0;  ///< in `elements`
    std::int64_t count = 0;
    bool side_by_side = false;  ///< the elements are neighbours, so they can be sent from where they are
  };
  std::vector<incoming> in;
  std::vector<outgoing> out;
  buffer<std::int32_t> elements;
};

/// Everybody tells the owners of its ghosts which it needs.
[[nodiscard]] LACIS_INTERNAL exchange_lists make_lists(const processes& group, std::span<const std::int64_t> col_ranges,
                                                       std::span<const std::int64_t> ghosts);

/// Elements of x before and behind the process's own, brought there. One exchange at a time.
template <value T> class ghost_exchange {
 public:
  /// Times the kinds, unless one is asked for, and keeps the fastest.
  ghost_exchange(std::shared_ptr<const processes> group, exchange_lists lists, std::int64_t own, std::int64_t before,
                 std::int64_t behind, const distributed_options& options);
  ~ghost_exchange();
  ghost_exchange(const ghost_exchange&) = delete;
  ghost_exchange& operator=(const ghost_exchange&) = delete;

  /// Begins to fill the elements before and behind x[0 .. own]. Until finish() they and x must be left alone, but x may
  /// be read.
  void start(T* x);
  void finish();

  [[nodiscard]] const exchange_report& report() const { return report_; }
  [[nodiscard]] std::int64_t storage_bytes() const;

 private:
  using requests = std::vector<MPI_Request>;
  /// What MPI reads until a collective has ended.
  struct collective_arrays {
    std::vector<int> send_counts;
    std::vector<int> send_begins;
    std::vector<int> receive_counts;
    std::vector<int> receive_begins;
  };

  [[nodiscard]] bool is_possible(exchange_kind kind) const;
  void choose();
  [[nodiscard]] double time_of(exchange_kind kind, T* x);
  void forget_requests();
  requests& requests_for(T* x);
  requests make_point_to_point(T* x);
  requests make_neighbourhood();
  void prepare_collectives();
  void pack(const T* x, bool all);
  [[nodiscard]] T* ghost(T* x, std::int64_t number) const {
    return number < before_ ? x - before_ + number : x + own_ + (number - before_);
  }

  std::shared_ptr<const processes> group_;
  exchange_lists lists_;
  std::int64_t own_;
  std::int64_t before_;
  std::int64_t behind_;
  distributed_options options_;
  exchange_report report_;
  bool is_needed_ = false;  ///< by some process
  MPI_Datatype element_ = MPI_DATATYPE_NULL;
  MPI_Comm neighbours_ = MPI_COMM_NULL;
  collective_arrays among_neighbours_;
  collective_arrays among_all_;
  buffer<T> packed_;
  buffer<T> arrived_;                 ///< among neighbours: ghosts on their way to where x has room for them
  std::map<T*, requests> ready_;      ///< requests are made for an address and started again and again
  MPI_Comm made_on_ = MPI_COMM_NULL;  ///< the communicator of `ready_`
  requests among_neighbours_ready_;
  requests* started_ = nullptr;
  T* x_ = nullptr;  ///< of the exchange that is under way
  requests once_;   ///< of an exchange that MPI cannot keep
};

}  // namespace lacis::dist
