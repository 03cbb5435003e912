// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors that are spread over processes.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>

#include <lacis/buffer.hpp>

#include "mpi/processes.hpp"
#include "solve/host_space.hpp"

namespace lacis::dist {

/// Elements of this process, with room for those of others before and behind them: a product has them brought there.
template <value T> struct spread_vector {
  buffer<T> memory;
  vector_place place;
};

/// Sums are joined by one reduction of ranges of nodes, which is not commutative: the order of processes is the order
/// of leaves.
template <value T> class spread_space final : public host_space<T> {
 public:
  using vector = space_vector<T>;
  using nodes = summation::node_range<T>;
  using real = real_of<T>;

  spread_space(std::shared_ptr<const processes> group, const multiply_options& options);
  ~spread_space() override;
  spread_space(const spread_space&) = delete;
  spread_space& operator=(const spread_space&) = delete;

  /// Vectors that are made from here on have room for so many elements of others.
  void reserve(std::int64_t before, std::int64_t behind) {
    before_ = std::max(before_, before);
    behind_ = std::max(behind_, behind);
  }

  [[nodiscard]] vector zeros(std::int64_t size) override;
  [[nodiscard]] vector_place place(const vector& x) override {
    return static_cast<spread_vector<T>*>(x.memory())->place;
  }
  [[nodiscard]] std::unique_ptr<solver::state_files> make_state_files(const std::string& directory) override;
  void together(const char* function, std::span<const solver::same_argument> arguments,
                const std::function<void()>& work) override;
  /// The wish goes with the next sum, which costs nothing; all ranks then throw.
  void ask_to_stop(std::exception_ptr why) override;
  void settle() override;
  void join(std::span<nodes> sums) override;
  [[nodiscard]] const processes& group() const { return *group_; }

 protected:
  [[nodiscard]] real largest_of_all(real mine) override {
    return static_cast<real>(group_->most(static_cast<double>(mine)));
  }
  [[nodiscard]] std::uint64_t sum_of_all(std::uint64_t mine) override { return group_->sum(mine); }

 private:
  /// What a rank has to say instead of its part of a sum. The largest is heard.
  enum class wish : std::int64_t { none, to_stop, to_throw, other_vectors };
  /// A range that no sum has.
  [[nodiscard]] static nodes range_of(wish one) { return nodes(-static_cast<std::int64_t>(one)); }
  [[nodiscard]] static wish wish_in(const nodes& range) {
    return range.first() < 0 ? static_cast<wish>(-range.first()) : wish::none;
  }
  static void join_ranges(void* before, void* behind, int* count, MPI_Datatype* type);
  /// Throws what all throw.
  [[noreturn]] void fulfil(wish heard);

  std::shared_ptr<const processes> group_;
  wish wish_ = wish::none;
  std::exception_ptr why_;
  MPI_Op join_ = MPI_OP_NULL;
  MPI_Datatype range_ = MPI_DATATYPE_NULL;
  std::int64_t before_ = 0;
  std::int64_t behind_ = 0;
};

}  // namespace lacis::dist
