// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors that are spread over processes, and the reduction that joins their sums.
#include "mpi/space.hpp"

#include <cstring>
#include <exception>
#include <utility>

#include <lacis/error.hpp>

#include "mpi/state_files.hpp"
#include "solve/stop.hpp"
#include "summation/environment.hpp"

namespace lacis::dist {

/// The range before and the range behind as one. A rank without leaves changes nothing. No exception may leave it.
template <value T> void spread_space<T>::join_ranges(void* before, void* behind, int* count, MPI_Datatype*) {
  const summation::rounding_guard guard;
  for (int k = 0; k < *count; ++k) {
    nodes range(0);
    nodes next(0);
    std::memcpy(static_cast<void*>(&range), static_cast<const nodes*>(before) + k, sizeof(nodes));
    std::memcpy(static_cast<void*>(&next), static_cast<const nodes*>(behind) + k, sizeof(nodes));
    const bool has_wish = range.first() < 0 || next.first() < 0;
    if (!has_wish && range.first() == range.last()) continue;
    if (has_wish)
      range = range_of(std::max(wish_in(range), wish_in(next)));
    else if (next.first() != next.last() && next.first() != range.last())
      range = range_of(wish::other_vectors);
    else if (next.first() != next.last())
      range.append(next);
    std::memcpy(static_cast<void*>(static_cast<nodes*>(behind) + k), &range, sizeof(nodes));
  }
}

template <value T>
spread_space<T>::spread_space(std::shared_ptr<const processes> group, const multiply_options& options)
    : host_space<T>(options), group_(std::move(group)) {
  constexpr int is_commutative = 0;
  MPI_Op_create(join_ranges, is_commutative, &join_);
  MPI_Type_contiguous(static_cast<int>(sizeof(nodes)), MPI_BYTE, &range_);
  MPI_Type_commit(&range_);
}

template <value T> spread_space<T>::~spread_space() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over != 0) return;
  MPI_Op_free(&join_);
  MPI_Type_free(&range_);
}

template <value T> space_vector<T> spread_space<T>::zeros(std::int64_t size) {
  return group_->guarded([&] {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t before = (before_ + line - 1) / line * line;
    auto held = std::make_shared<spread_vector<T>>();
    held->memory = buffer<T>(before + size + behind_);
    held->place = {group_->sum_before(size), group_->sum(size)};
    T* const data = held->memory.data() + before;
    const vector x(std::move(held), data, size);
    this->axpby(T(0), x, T(0), x);  // by the threads that will use it
    return x;
  });
}

template <value T>
std::unique_ptr<solver::state_files> spread_space<T>::make_state_files(const std::string& directory) {
  return std::make_unique<spread_state_files>(directory, group_);
}

template <value T> void spread_space<T>::join(std::span<nodes> sums) {
  if (wish_ != wish::none) std::fill(sums.begin(), sums.end(), range_of(wish_));
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), range_, join_, group_->communicator());
  if (!sums.empty() && sums[0].first() < 0) fulfil(wish_in(sums[0]));
}

template <value T>
void spread_space<T>::together(const char* function, std::span<const solver::same_argument> arguments,
                               const std::function<void()>& work) {
  group_->together([&] {
    group_->require_same(function, arguments);
    wish_ = wish::none;
    why_ = nullptr;
    work();
  });
}

template <value T> void spread_space<T>::ask_to_stop(std::exception_ptr why) {
  wish_ = why ? wish::to_throw : wish::to_stop;
  why_ = std::move(why);
}

template <value T> void spread_space<T>::settle() {
  const auto heard = static_cast<wish>(group_->most(static_cast<std::int64_t>(wish_)));
  if (heard != wish::none) fulfil(heard);
}

template <value T> void spread_space<T>::fulfil(wish heard) {
  const std::exception_ptr why = std::exchange(why_, nullptr);
  wish_ = wish::none;
  if (heard == wish::other_vectors)
    throw error(errc::invalid_argument,
                "ranks sum over different vectors; all must make the same calls in the same order");
  if (heard == wish::to_stop) throw solver::stop_asked{};
  if (why) std::rethrow_exception(why);
  throw processes::other_rank_failed{};
}

template class spread_space<float>;
template class spread_space<double>;
template class spread_space<std::complex<float>>;
template class spread_space<std::complex<double>>;

}  // namespace lacis::dist
