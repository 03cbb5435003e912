// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small collectives, and data from each rank to each in pieces that MPI can count.
#include "mpi/processes.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lacis::dist {
namespace {

std::unique_ptr<processes::held_arrays> arrays() { return std::make_unique<processes::held_arrays>(); }

}  // namespace

void processes::barrier() const {
  auto held = arrays();
  collective(held, [&](held_arrays&, MPI_Request* request) { MPI_Ibarrier(communicator_, request); });
}

std::int64_t processes::reduced(std::int64_t mine, MPI_Datatype type, MPI_Op operation) const {
  auto held = arrays();
  held->in = {mine};
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallreduce(MPI_IN_PLACE, all.in.data(), 1, type, operation, communicator_, request);
  });
  return held->in[0];
}

std::int64_t processes::sum(std::int64_t mine) const { return reduced(mine, MPI_INT64_T, MPI_SUM); }
std::uint64_t processes::sum(std::uint64_t mine) const {
  return static_cast<std::uint64_t>(reduced(static_cast<std::int64_t>(mine), MPI_UINT64_T, MPI_SUM));
}
std::int64_t processes::most(std::int64_t mine) const { return reduced(mine, MPI_INT64_T, MPI_MAX); }

double processes::most(double mine) const {
  auto held = arrays();
  held->reals = {mine};
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallreduce(MPI_IN_PLACE, all.reals.data(), 1, MPI_DOUBLE, MPI_MAX, communicator_, request);
  });
  return held->reals[0];
}

std::int64_t processes::sum_before(std::int64_t mine) const {
  auto held = arrays();
  held->in = {mine};
  held->out = {0};
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iexscan(all.in.data(), all.out.data(), 1, MPI_INT64_T, MPI_SUM, communicator_, request);
  });
  return rank_ == 0 ? 0 : held->out[0];
}

void processes::sums(std::span<const std::int64_t> mine, std::span<std::int64_t> of_all,
                     std::span<std::int64_t> before) const {
  auto held = arrays();
  held->in.assign(mine.begin(), mine.end());
  held->out.assign(mine.size(), 0);
  const auto count = static_cast<int>(mine.size());
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallreduce(all.in.data(), all.out.data(), count, MPI_INT64_T, MPI_SUM, communicator_, request);
  });
  std::copy(held->out.begin(), held->out.end(), of_all.begin());
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iexscan(all.in.data(), all.out.data(), count, MPI_INT64_T, MPI_SUM, communicator_, request);
  });
  if (rank_ == 0) std::fill(held->out.begin(), held->out.end(), 0);
  std::copy(held->out.begin(), held->out.end(), before.begin());
}

std::vector<std::int64_t> processes::collect(std::int64_t mine) const {
  auto held = arrays();
  held->in = {mine};
  held->out.resize(static_cast<std::size_t>(size_));
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallgather(all.in.data(), 1, MPI_INT64_T, all.out.data(), 1, MPI_INT64_T, communicator_, request);
  });
  return std::move(held->out);
}

std::vector<std::int64_t> processes::collect(std::span<const std::int64_t> mine) const {
  const std::vector<std::int64_t> sizes = collect(static_cast<std::int64_t>(mine.size()));
  auto held = arrays();
  held->counts.assign(sizes.begin(), sizes.end());
  held->begins.resize(sizes.size());
  std::exclusive_scan(held->counts.begin(), held->counts.end(), held->begins.begin(), 0);
  held->in.assign(mine.begin(), mine.end());
  held->out.resize(static_cast<std::size_t>(held->begins.back() + held->counts.back()));
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallgatherv(all.in.data(), static_cast<int>(all.in.size()), MPI_INT64_T, all.out.data(), all.counts.data(),
                    all.begins.data(), MPI_INT64_T, communicator_, request);
  });
  return std::move(held->out);
}

void processes::broadcast(std::span<std::byte> bytes, int root) const {
  for (std::size_t at = 0; at < bytes.size(); at += longest_piece) {
    const auto piece = bytes.subspan(at, std::min<std::size_t>(longest_piece, bytes.size() - at));
    auto held = arrays();
    held->bytes.assign(piece.begin(), piece.end());
    collective(held, [&](held_arrays& all, MPI_Request* request) {
      MPI_Ibcast(all.bytes.data(), static_cast<int>(all.bytes.size()), MPI_BYTE, root, communicator_, request);
    });
    std::copy(held->bytes.begin(), held->bytes.end(), piece.begin());
  }
}

std::vector<std::int64_t> counts_from_each(const processes& group, std::span<const std::int64_t> counts) {
  auto held = arrays();
  held->in.assign(counts.begin(), counts.end());
  held->out.resize(counts.size());
  group.collective(held, [&](processes::held_arrays& all, MPI_Request* request) {
    MPI_Ialltoall(all.in.data(), 1, MPI_INT64_T, all.out.data(), 1, MPI_INT64_T, group.communicator(), request);
  });
  return std::move(held->out);
}

void exchange_bytes(const processes& group, const std::byte* send, std::span<const std::int64_t> send_bytes,
                    std::byte* receive, std::span<const std::int64_t> receive_bytes, std::int64_t piece) {
  const int size = group.size();
  std::vector<std::int64_t> send_begins(send_bytes.size() + 1, 0);
  std::vector<std::int64_t> receive_begins(receive_bytes.size() + 1, 0);
  std::partial_sum(send_bytes.begin(), send_bytes.end(), send_begins.begin() + 1);
  std::partial_sum(receive_bytes.begin(), receive_bytes.end(), receive_begins.begin() + 1);
  // All memory before the first message: none may be under way when that fails.
  const auto pieces_of = [&](std::span<const std::int64_t> bytes) {
    std::size_t count = 0;
    for (const std::int64_t one : bytes) count += static_cast<std::size_t>((one + piece - 1) / piece);
    return count;
  };
  std::vector<MPI_Request> receives;
  std::vector<MPI_Request> sends;
  receives.reserve(pieces_of(receive_bytes));
  sends.reserve(pieces_of(send_bytes));
  const auto in_pieces = [&](std::vector<MPI_Request>& requests, std::int64_t count, auto&& start) {
    for (std::int64_t at = 0; at < count; at += piece) {
      requests.push_back(MPI_REQUEST_NULL);
      start(at, static_cast<int>(std::min(piece, count - at)), &requests.back());
    }
  };
  // The nearest ranks first, so that not all of them begin with the same one.
  for (int step = 0; step < size; ++step) {
    const auto from = static_cast<std::size_t>((group.rank() - step + size) % size);
    in_pieces(receives, receive_bytes[from], [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Irecv(receive + receive_begins[from] + at, count, MPI_BYTE, static_cast<int>(from), 0, group.communicator(),
                request);
    });
  }
  for (int step = 0; step < size; ++step) {
    const auto to = static_cast<std::size_t>((group.rank() + step) % size);
    in_pieces(sends, send_bytes[to], [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Isend(send + send_begins[to] + at, count, MPI_BYTE, static_cast<int>(to), 0, group.communicator(), request);
    });
  }
  group.finish_messages(receives, sends);
}

int owner_of(std::span<const std::int64_t> ranges, std::int64_t row) {
  return static_cast<int>(std::upper_bound(ranges.begin(), ranges.end() - 1, row) - ranges.begin()) - 1;
}

}  // namespace lacis::dist
