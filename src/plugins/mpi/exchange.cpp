// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Three ways to exchange, timed and chosen.
#include "mpi/exchange.hpp"

#include <algorithm>
#include <array>
#include <limits>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "base/parallel.hpp"

// A persistent collective among neighbours is MPI 4; Open MPI 4 has it as an extension.
#if MPI_VERSION >= 4
#define LACIS_NEIGHBOR_INIT MPI_Neighbor_alltoallv_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define LACIS_NEIGHBOR_INIT MPIX_Neighbor_alltoallv_init
#endif

namespace lacis {

std::string_view name_of(exchange_kind kind) {
  constexpr std::array<std::string_view, 3> names = {"point-to-point", "neighbourhood", "all-to-all"};
  return names[static_cast<std::size_t>(kind)];
}

namespace dist {
namespace {

constexpr std::array all_kinds = {exchange_kind::point_to_point, exchange_kind::neighbourhood,
                                  exchange_kind::all_to_all};
constexpr int tag = 1;
/// More vectors than this are not remembered at a time.
constexpr std::size_t most_vectors = 128;

}  // namespace

template <value T>
ghost_exchange<T>::ghost_exchange(std::shared_ptr<const processes> group, exchange_lists lists, std::int64_t own,
                                  std::int64_t before, std::int64_t behind, const distributed_options& options)
    : group_(std::move(group)),
      lists_(std::move(lists)),
      own_(own),
      before_(before),
      behind_(behind),
      options_(options) {
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &element_);
  MPI_Type_commit(&element_);
  for (const auto& one : lists_.in) report_.received_elements += one.count;
  for (const auto& one : lists_.out) {
    report_.sent_elements += one.count;
    report_.packs = report_.packs || !one.side_by_side;
  }
  report_.neighbours_in = static_cast<int>(lists_.in.size());
  report_.neighbours_out = static_cast<int>(lists_.out.size());
  packed_ = buffer<T>(std::max<std::int64_t>(report_.sent_elements, 1));
  is_needed_ = group_->most(report_.received_elements) > 0;
  if (options_.exchange)
    report_.kind = *options_.exchange;
  else if (is_needed_)
    choose();
  if (report_.kind != exchange_kind::point_to_point) prepare_collectives();
}

template <value T> ghost_exchange<T>::~ghost_exchange() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over != 0) return;
  forget_requests();
  if (neighbours_ != MPI_COMM_NULL) MPI_Comm_free(&neighbours_);
  MPI_Type_free(&element_);
}

template <value T> std::int64_t ghost_exchange<T>::storage_bytes() const {
  return (packed_.size() + arrived_.size()) * static_cast<std::int64_t>(sizeof(T)) + lists_.elements.size() * 4;
}

/// Collectives count and place elements with 32 bits, and a message is not cut for them.
template <value T> bool ghost_exchange<T>::is_possible(exchange_kind kind) const {
  if (kind == exchange_kind::point_to_point) return true;
  const std::int64_t reach = before_ + own_ + behind_;
  bool fits = reach <= std::numeric_limits<int>::max() && report_.sent_elements <= std::numeric_limits<int>::max();
  for (const auto& one : lists_.in) fits = fits && one.count <= options_.longest_message;
  return group_->all(fits);
}

template <value T> void ghost_exchange<T>::choose() {
  constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t before = (before_ + line - 1) / line * line;
  buffer<T> scratch(before + own_ + behind_);
  detail::parallel_for(scratch.size(), [&](std::int64_t i) { scratch[i] = T(0); });
  double best = std::numeric_limits<double>::infinity();
  exchange_kind fastest = exchange_kind::point_to_point;
  prepare_collectives();
  for (const exchange_kind kind : all_kinds) {
    if (!is_possible(kind)) continue;
    const double seconds = time_of(kind, scratch.data() + before);
    report_.tried.emplace_back(kind, seconds);
    if (seconds < best) {
      best = seconds;
      fastest = kind;
    }
  }
  forget_requests();
  report_.kind = fastest;
  if (fastest != exchange_kind::neighbourhood) arrived_ = {};
}

/// The median of a few exchanges of the slowest process.
template <value T> double ghost_exchange<T>::time_of(exchange_kind kind, T* x) {
  forget_requests();
  report_.kind = kind;
  constexpr int warm = 2;
  constexpr int rounds = 7;
  std::array<double, rounds> seconds{};
  for (int round = -warm; round < rounds; ++round) {
    MPI_Barrier(group_->communicator());
    const double begin = MPI_Wtime();
    start(x);
    finish();
    if (round >= 0) seconds[static_cast<std::size_t>(round)] = MPI_Wtime() - begin;
  }
  for (double& one : seconds) one = group_->most(one);
  std::sort(seconds.begin(), seconds.end());
  return seconds[rounds / 2];
}

template <value T> void ghost_exchange<T>::forget_requests() {
  for (auto& [address, all] : ready_)
    for (MPI_Request& request : all) MPI_Request_free(&request);
  ready_.clear();
  for (MPI_Request& request : among_neighbours_ready_) MPI_Request_free(&request);
  among_neighbours_ready_.clear();
}

template <value T> void ghost_exchange<T>::prepare_collectives() {
  if (neighbours_ != MPI_COMM_NULL) return;
  std::vector<int> sources;
  std::vector<int> targets;
  const auto size = static_cast<std::size_t>(group_->size());
  among_all_ = {std::vector<int>(size, 0), std::vector<int>(size, 0), std::vector<int>(size, 0),
                std::vector<int>(size, 0)};
  for (const auto& one : lists_.out) {
    const auto rank = static_cast<std::size_t>(one.rank);
    targets.push_back(one.rank);
    among_neighbours_.send_counts.push_back(among_all_.send_counts[rank] = static_cast<int>(one.count));
    among_neighbours_.send_begins.push_back(among_all_.send_begins[rank] = static_cast<int>(one.first));
  }
  for (const auto& one : lists_.in) {
    const auto rank = static_cast<std::size_t>(one.rank);
    const std::int64_t place = one.first < before_ ? one.first : one.first + own_;
    sources.push_back(one.rank);
    among_neighbours_.receive_counts.push_back(among_all_.receive_counts[rank] = static_cast<int>(one.count));
    among_neighbours_.receive_begins.push_back(static_cast<int>(one.first));
    among_all_.receive_begins[rank] = static_cast<int>(place);
  }
  // Arrays must have an address, also those of processes without neighbours.
  for (std::vector<int>* all : {&sources, &targets, &among_neighbours_.send_counts, &among_neighbours_.send_begins,
                                &among_neighbours_.receive_counts, &among_neighbours_.receive_begins})
    all->reserve(1);
  arrived_ = buffer<T>(std::max<std::int64_t>(before_ + behind_, 1));
  group_->barrier();  // all have their memory: what follows waits inside MPI
  constexpr int keep_numbers = 0;
  MPI_Dist_graph_create_adjacent(group_->communicator(), static_cast<int>(sources.size()), sources.data(),
                                 MPI_UNWEIGHTED, static_cast<int>(targets.size()), targets.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, keep_numbers, &neighbours_);
}

template <value T> auto ghost_exchange<T>::make_point_to_point(T* x) -> requests {
  requests made;
  const auto in_pieces = [&](std::int64_t count, auto&& init) {
    for (std::int64_t at = 0; at < count; at += options_.longest_message) {
      made.emplace_back();
      init(at, static_cast<int>(std::min(options_.longest_message, count - at)), &made.back());
    }
  };
  for (const auto& one : lists_.in)
    in_pieces(one.count, [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Recv_init(ghost(x, one.first) + at, count, element_, one.rank, tag, group_->communicator(), request);
    });
  for (const auto& one : lists_.out) {
    const T* const from = one.side_by_side ? x + lists_.elements[one.first] : packed_.data() + one.first;
    in_pieces(one.count, [&](std::int64_t at, int count, MPI_Request* request) {
      MPI_Send_init(from + at, count, element_, one.rank, tag, group_->communicator(), request);
    });
  }
  return made;
}

template <value T> auto ghost_exchange<T>::make_neighbourhood() -> requests {
  requests made(1);
  collective_arrays& all = among_neighbours_;
#ifdef LACIS_NEIGHBOR_INIT
  LACIS_NEIGHBOR_INIT(packed_.data(), all.send_counts.data(), all.send_begins.data(), element_, arrived_.data(),
                      all.receive_counts.data(), all.receive_begins.data(), element_, neighbours_, MPI_INFO_NULL,
                      made.data());
#else
  MPI_Ineighbor_alltoallv(packed_.data(), all.send_counts.data(), all.send_begins.data(), element_, arrived_.data(),
                          all.receive_counts.data(), all.receive_begins.data(), element_, neighbours_, made.data());
#endif
  return made;
}

/// Point-to-point requests may be made by each process when it meets a vector; a collective one is made by all at the
/// same time, so it is for one place, from which what has come is copied.
template <value T> auto ghost_exchange<T>::requests_for(T* x) -> requests& {
  if (report_.kind == exchange_kind::neighbourhood) {
    if (among_neighbours_ready_.empty()) among_neighbours_ready_ = make_neighbourhood();
    return among_neighbours_ready_;
  }
  // After a failure ranks may have a new communicator. One of them would otherwise start requests of the old one, for a
  // vector that it knows, while another makes new ones for its own.
  if (made_on_ != group_->communicator()) forget_requests();
  made_on_ = group_->communicator();
  const auto found = ready_.find(x);
  if (found != ready_.end()) return found->second;
  if (ready_.size() == most_vectors) forget_requests();
  return ready_[x] = make_point_to_point(x);
}

template <value T> void ghost_exchange<T>::pack(const T* x, bool all) {
  for (const auto& one : lists_.out) {
    if (one.side_by_side && !all) continue;
    detail::parallel_for(one.count,
                         [&](std::int64_t k) { packed_[one.first + k] = x[lists_.elements[one.first + k]]; });
  }
}

template <value T> void ghost_exchange<T>::start(T* x) {
  if (!is_needed_) return;
  x_ = x;
  pack(x, report_.kind != exchange_kind::point_to_point);
  if (report_.kind == exchange_kind::all_to_all) {
    collective_arrays& all = among_all_;
    once_.resize(1);
    MPI_Ialltoallv(packed_.data(), all.send_counts.data(), all.send_begins.data(), element_, x - before_,
                   all.receive_counts.data(), all.receive_begins.data(), element_, group_->communicator(),
                   once_.data());
    started_ = &once_;
    return;
  }
#ifndef LACIS_NEIGHBOR_INIT
  if (report_.kind == exchange_kind::neighbourhood) {
    once_ = make_neighbourhood();
    started_ = &once_;
    return;
  }
#endif
  started_ = &requests_for(x);
  if (!started_->empty()) MPI_Startall(static_cast<int>(started_->size()), started_->data());
}

template <value T> void ghost_exchange<T>::finish() {
  if (started_ == nullptr) return;
  MPI_Waitall(static_cast<int>(started_->size()), started_->data(), MPI_STATUSES_IGNORE);
  started_ = nullptr;
  if (report_.kind != exchange_kind::neighbourhood) return;
  std::copy_n(arrived_.data(), before_, x_ - before_);
  std::copy_n(arrived_.data() + before_, behind_, x_ + own_);
}

template class ghost_exchange<float>;
template class ghost_exchange<double>;
template class ghost_exchange<std::complex<float>>;
template class ghost_exchange<std::complex<double>>;

}  // namespace dist
}  // namespace lacis
