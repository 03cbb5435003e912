// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small collectives, and data from each process to each in pieces that MPI can count.
#include "dist/processes.hpp"

#include <algorithm>
#include <numeric>

namespace lacis::dist {

processes::processes(MPI_Comm given) {
  MPI_Comm_dup(given, &communicator_);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
}

processes::~processes() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over == 0) MPI_Comm_free(&communicator_);
}

std::int64_t processes::sum(std::int64_t mine) const {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, communicator_);
  return mine;
}

std::uint64_t processes::sum(std::uint64_t mine) const {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, communicator_);
  return mine;
}

std::int64_t processes::most(std::int64_t mine) const {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MAX, communicator_);
  return mine;
}

double processes::most(double mine) const {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, communicator_);
  return mine;
}

std::int64_t processes::sum_before(std::int64_t mine) const {
  std::int64_t before = 0;
  MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, communicator_);
  return rank_ == 0 ? 0 : before;
}

std::vector<std::int64_t> processes::collect(std::int64_t mine) const {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size_));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, communicator_);
  return all;
}

std::vector<std::int64_t> processes::collect(std::span<const std::int64_t> mine) const {
  const std::vector<std::int64_t> sizes = collect(static_cast<std::int64_t>(mine.size()));
  std::vector<int> counts(sizes.begin(), sizes.end());
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<std::int64_t> all(static_cast<std::size_t>(begins.back() + counts.back()));
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.data(), counts.data(), begins.data(),
                 MPI_INT64_T, communicator_);
  return all;
}

void processes::broadcast(std::span<std::byte> bytes, int root) const {
  for (std::size_t at = 0; at < bytes.size(); at += longest_piece)
    MPI_Bcast(bytes.data() + at, static_cast<int>(std::min<std::size_t>(longest_piece, bytes.size() - at)), MPI_BYTE,
              root, communicator_);
}

std::vector<std::int64_t> counts_from_each(const processes& group, std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> from(counts.size());
  MPI_Alltoall(counts.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, group.communicator());
  return from;
}

void exchange_bytes(const processes& group, const std::byte* send, std::span<const std::int64_t> send_bytes,
                    std::byte* receive, std::span<const std::int64_t> receive_bytes, std::int64_t piece) {
  std::vector<MPI_Request> requests;
  // The nearest processes first, so that not all of them begin with the same one.
  const int size = group.size();
  std::vector<std::int64_t> send_begins(send_bytes.size() + 1, 0);
  std::vector<std::int64_t> receive_begins(receive_bytes.size() + 1, 0);
  std::partial_sum(send_bytes.begin(), send_bytes.end(), send_begins.begin() + 1);
  std::partial_sum(receive_bytes.begin(), receive_bytes.end(), receive_begins.begin() + 1);
  const auto in_pieces = [&](std::int64_t count, auto&& start) {
    for (std::int64_t at = 0; at < count; at += piece) {
      requests.emplace_back();
      start(at, static_cast<int>(std::min(piece, count - at)), &requests.back());
    }
  };
  for (int step = 0; step < size; ++step) {
    const int from = (group.rank() - step + size) % size;
    in_pieces(receive_bytes[static_cast<std::size_t>(from)], [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Irecv(receive + receive_begins[static_cast<std::size_t>(from)] + at, count, MPI_BYTE, from, 0,
                group.communicator(), request);
    });
  }
  for (int step = 0; step < size; ++step) {
    const int to = (group.rank() + step) % size;
    in_pieces(send_bytes[static_cast<std::size_t>(to)], [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Isend(send + send_begins[static_cast<std::size_t>(to)] + at, count, MPI_BYTE, to, 0, group.communicator(),
                request);
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

int owner_of(std::span<const std::int64_t> ranges, std::int64_t row) {
  return static_cast<int>(std::upper_bound(ranges.begin(), ranges.end() - 1, row) - ranges.begin()) - 1;
}

}  // namespace lacis::dist
