// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether all wanted values have been found. From b arbitrary start vectors a method finds as many as b copies of a
// value of higher multiplicity. Where all that are wanted have converged and one of them is there b times, it may have
// further copies: the wanted ones alone are kept, and the next vectors are arbitrary. If there are more copies, what is
// found from there comes between the wanted ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solve/eigen/iteration.hpp"

namespace lacis::solver {

/// What a full basis has found: all values in order, and how far each is from its limit.
template <class Estimate, class Limit> struct found_values {
  const std::vector<double>& values;
  const std::vector<std::size_t>& wanted;
  Estimate estimate;  ///< of the residual of number j
  Limit limit;        ///< of a value
  double floor;       ///< no limit is below it: rounding errors

  /// Half of the limit is asked for: the rest is for what a restart from another vector leaves out, and for rounding
  /// errors. Less than these cannot be asked for.
  [[nodiscard]] bool has_converged(std::size_t j) const { return estimate(j) <= std::max(limit(values[j]) / 2, floor); }
  /// Whether two values may be one: what has gathered in them over many restarts is some times the floor.
  [[nodiscard]] bool are_one(double x, double y) const {
    return std::fabs(x - y) <= std::max({limit(x), limit(y), 10 * floor});
  }
};

class copy_search {
 public:
  /// With the next restart.
  [[nodiscard]] bool begins() const { return begins_; }
  void has_begun() { begins_ = false; }

  /// `starts`: how many arbitrary vectors it has begun with.
  template <class Estimate, class Limit>
  eigen_state examine(const found_values<Estimate, Limit>& found, std::size_t starts) {
    eigen_state state{0, 0, false};
    std::vector<double> now;
    for (const std::size_t j : found.wanted) {
      if (found.has_converged(j)) ++state.converged;
      state.residual = std::max(state.residual, found.estimate(j) / std::fabs(found.values[j]));
      now.push_back(found.values[j]);
    }
    const bool have_converged = state.converged == static_cast<std::int64_t>(found.wanted.size());
    // A look that has found something new is followed by another one.
    const bool has_looked = looks_ && are_same(now, found);
    const bool has_all = has_looked || most_copies(now, found) < starts;
    state.is_there = have_converged && has_all && are_followed(found);
    begins_ = have_converged && !has_all;
    if (begins_) before_ = std::move(now);
    if (begins_) begun_ += 1;
    // A look ends where estimates rise above their limits again. Those that are rounding errors do so time after time:
    // then it goes on all the same.
    constexpr double often = 2;
    looks_ = have_converged ? begins_ || has_looked : looks_ && begun_ >= often;
    return state;
  }

  /// Flags and values of a state; `count` is the number of wanted ones.
  template <class Flag, class Number> void exchange(std::size_t count, Flag&& flag, Number&& number) {
    flag(looks_);
    flag(begins_);
    number(begun_);
    before_.resize(count);
    for (double& one : before_) number(one);
  }

 private:
  /// How many of the values are one.
  template <class Found>
  [[nodiscard]] static std::size_t most_copies(const std::vector<double>& values, const Found& found) {
    std::size_t most = 0;
    for (const double one : values) {
      std::size_t copies = 0;
      for (const double other : values)
        if (found.are_one(one, other)) ++copies;
      most = std::max(most, copies);
    }
    return most;
  }

  template <class Found> [[nodiscard]] bool are_same(const std::vector<double>& now, const Found& found) const {
    for (std::size_t j = 0; j < now.size(); ++j)
      if (!found.are_one(now[j], before_[j])) return false;
    return true;
  }

  /// Whether what comes next behind the wanted values, at each end that these are from, is known well enough: to two
  /// digits of its distance from them, or it has converged as well. The outermost values converge first, so none is
  /// likely to be missing then.
  template <class Found> [[nodiscard]] static bool are_followed(const Found& found) {
    std::vector<bool> is_wanted(found.values.size());
    for (const std::size_t j : found.wanted) is_wanted[j] = true;
    const auto is_known = [&](std::size_t next, std::size_t last) {
      return found.estimate(next) <= std::fabs(found.values[next] - found.values[last]) / 100 ||
             found.has_converged(next);
    };
    for (std::size_t j = 0; j + 1 < is_wanted.size(); ++j) {
      if (is_wanted[j] && !is_wanted[j + 1] && !is_known(j + 1, j)) return false;
      if (!is_wanted[j] && is_wanted[j + 1] && !is_known(j, j + 1)) return false;
    }
    return true;
  }

  bool looks_ = false;          ///< for copies of what has converged
  bool begins_ = false;         ///< with the next restart
  double begun_ = 0;            ///< how often
  std::vector<double> before_;  ///< the wanted values when the look began
};

}  // namespace lacis::solver
