// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cycles through the levels of a hierarchy that are copied to a device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lacis/multigrid.hpp>
#include <lacis/plan.hpp>

#include "solve/device_space.hpp"
#include "solve/multigrid/hierarchy.hpp"

namespace lacis::multigrid {

/// One level on a device. A last level that factors solve has vectors only.
template <class T, class Index> struct device_level {
  std::optional<plan<T, Index>> product;
  std::optional<plan<T, Index>> inverse;  ///< a diagonal matrix, which the smoother multiplies by
  std::optional<plan<T, Index>> interpolation;
  std::optional<plan<T, Index>> restriction;
  // Kept from cycle to cycle, as those of level_vectors.
  space_vector<T> b;
  space_vector<T> x;
  space_vector<T> r;
  space_vector<T> direction;

  device_level(vector_space<T>& space, std::int64_t rows)
      : b(space.zeros(rows)), x(space.zeros(rows)), r(space.zeros(rows)), direction(space.zeros(rows)) {}
};

/// The steps of hierarchy::cycle with the same bits, by products with the plans of a device and updates of vectors
/// there. Dense factors solve on the processor, so their few hundred numbers go there and back. For one thread at a
/// time, as other operators of devices.
template <class T, class Index> class device_cycle {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  /// Both must outlive it. It is ready after upload().
  device_cycle(const hierarchy<T, Index>& levels, device_space<T>& space) : levels_(levels), space_(space) {}

  /// y = factor M x, M one cycle from zero. The largest element of x is brought to about one on the way.
  void apply(const vector& x, real factor, const vector& y) const;
  /// Copies the values of the levels, and all of them where their patterns are not those of the last time. What a copy
  /// of this shares with it stays as it is.
  void upload(bool has_same_patterns);

  /// What is said of the levels where they are on a device.
  void describe(multigrid_report& report) const;
  [[nodiscard]] std::int64_t moved_bytes() const;
  [[nodiscard]] std::int64_t storage_bytes() const;

 private:
  using level_there = device_level<T, Index>;

  void visit(std::size_t depth, bool from_zero) const;
  void solve_by_factors(const level_there& last) const;
  void smooth(const level_there& here, const smoothing_steps<T>& steps, bool from_zero, bool with_residual) const;
  void multiply(T alpha, const plan<T, Index>& a, const vector& x, T beta, const vector& y) const;

  const hierarchy<T, Index>& levels_;
  device_space<T>& space_;
  std::vector<level_there> there_;
  // Of the last level, where factors solve it.
  mutable buffer<T> b_of_factors_;
  mutable buffer<T> x_of_factors_;
};

}  // namespace lacis::multigrid
