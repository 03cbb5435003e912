// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A group of systems from its values to its reports: by iteration as the driver of solve.cpp does it, or by band
// factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/checked.hpp"
#include "solve/batch/iterations.hpp"

namespace lacis::solver {

/// cg or bicgstab, until every lane has its report or is left alone.
template <class T, template <class> class Method> class iterated_group {
 public:
  static constexpr std::int64_t lanes = cpu::batch_lanes<T>;

  explicit iterated_group(const batch_task<T>& task)
      : task_(task), group_(task, Method<T>::vectors), method_(task, group_) {}

  system_group<T>& solve(std::int64_t first, std::int64_t count) {
    group_.bring_in(first, count);
    group_.bring_x_in(first, count);
    method_.prepare();
    for (std::int64_t lane = 0; lane < lanes; ++lane) closest_[lane] = std::numeric_limits<double>::infinity();
    while (group_.any(lane_state::running)) {
      method_.start();
      iterate();
      conclude();
    }
    group_.take_out(first, count);
    return group_;
  }

 private:
  [[nodiscard]] std::int64_t most() const {
    if (task_.options.max_iterations > 0) return task_.options.max_iterations;
    return std::max<std::int64_t>(1000, 10 * task_.pattern.rows);
  }

  /// Until no lane runs.
  void iterate() {
    for (;;) {
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        if (group_.state(lane) != lane_state::running) continue;
        const std::int64_t done = group_.report(lane).iterations;
        if (method_.residual(lane) <= task_.options.tolerance)
          group_.state(lane) = lane_state::arrived;
        else if (done >= most())
          group_.end(lane, lane_state::ended, out_of_iterations(done));
      }
      if (!group_.any(lane_state::running)) return;
      method_.step();
    }
  }

  /// Judges the lanes; those that only the recurrence calls solved start again, as long as each start brings the true
  /// residual to a half at least.
  void conclude() {
    const auto is_to_judge = [&](std::int64_t lane) {
      return group_.state(lane) == lane_state::arrived || group_.state(lane) == lane_state::ended;
    };
    group_.judge(is_to_judge);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!is_to_judge(lane)) continue;
      const bool has_ended = group_.state(lane) == lane_state::ended;
      const verdict& found = group_.found(lane);
      group_.report(lane).residual = method_.residual(lane);
      group_.state(lane) = lane_state::judged;
      if (found.reaches(task_.options.tolerance)) {
        group_.end(lane, lane_state::judged, {solve_outcome::converged, {}});
      } else if (found.error <= task_.options.tolerance) {
        group_.end(lane, lane_state::judged, lost_in_rounding(found.rounding));
      } else if (!has_ended) {
        if (found.error <= closest_[lane] / 2)
          group_.state(lane) = lane_state::running;
        else
          group_.end(lane, lane_state::judged, at_attainable_accuracy(found.error, group_.rounding_over(lane)));
        closest_[lane] = found.error;
      }
    }
  }

  const batch_task<T>& task_;
  system_group<T> group_;
  Method<T> method_;
  per_lane<double, T> closest_;
};

/// Band factors of every lane.
template <class T> class factored_group {
 public:
  static constexpr std::int64_t lanes = cpu::batch_lanes<T>;
  using numbers = per_lane<T, T>;

  explicit factored_group(const batch_task<T>& task)
      : task_(task),
        group_(task, 2),
        kernels_(*task.kernels),
        rows_(task.pattern.rows),
        with_pivots_(task.options.method == batch_method::band_lu),
        // Row swaps fill as many diagonals above as there are below.
        width_(task.lower + 1 + (with_pivots_ ? task.upper + task.lower : 0)),
        band_(detail::checked_multiply(detail::checked_multiply(rows_, width_, places_of_a_band), lanes,
                                       places_of_a_band)) {}

  system_group<T>& solve(std::int64_t first, std::int64_t count) {
    group_.bring_in(first, count);
    for (std::int64_t lane = 0; lane < count; ++lane) sort_out(lane, task_.b + (first + lane) * rows_);
    factor();
    std::copy_n(group_.b(), rows_ * lanes, group_.x());
    substitute(group_.x());
    for (std::int64_t lane = 0; lane < lanes; ++lane) closest_[lane] = std::numeric_limits<double>::infinity();
    while (group_.any(lane_state::running)) conclude();
    group_.take_out(first, count);
    for (std::int64_t lane = 0; lane < count; ++lane)
      if (group_.state(lane) == lane_state::alone) refuse(lane, solve_outcome::out_of_range, out_of_type);
    return group_;
  }

 private:
  static constexpr const char* places_of_a_band = "the places of a group's bands";
  static constexpr const char* out_of_type =
      "numbers of the solution are out of the range of the type; scale A or b; x is set to zero";

  /// x of a lane without a solution is zero.
  void refuse(std::int64_t lane, solve_outcome outcome, const char* why) {
    group_.end(lane, lane_state::refused, {outcome, why});
    group_.report(lane).true_residual = outcome == solve_outcome::converged ? 0 : 1;
  }

  void sort_out(std::int64_t lane, const T* b) {
    const bool is_finite = std::all_of(b, b + rows_, [](T element) { return std::isfinite(element); });
    if (!is_finite)
      return refuse(lane, solve_outcome::broke_down, "b has elements that are not finite; x is set to zero");
    group_.state(lane) = lane_state::running;
    if (!std::isfinite(group_.size_of_product(lane)))
      return refuse(lane, solve_outcome::broke_down,
                    "products with A are not finite: entries are infinite or not numbers; x is set to zero");
    if (group_.norm_of_b(lane) == 0) return refuse(lane, solve_outcome::converged, "");
    if (!std::isfinite(group_.norm_of_b(lane))) refuse(lane, solve_outcome::out_of_range, out_of_type);
  }

  void factor() {
    std::fill_n(band_.data(), rows_ * width_ * lanes, T(0));
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t k = task_.pattern.row_offsets[i]; k < task_.pattern.row_offsets[i + 1]; ++k) {
        const std::int64_t place = task_.pattern.columns[k] - i + task_.lower;
        if (place < width_)
          std::copy_n(group_.values() + k * lanes, lanes, band_.data() + (i * width_ + place) * lanes);
      }
    numbers state;
    if (with_pivots_)
      kernels_.band_lu(rows_, task_.lower, width_, band_.data(), group_.vector(0), state.data());
    else
      kernels_.band_cholesky(rows_, task_.lower, width_, band_.data(), state.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      if (group_.state(lane) == lane_state::running && state[lane] == 0)
        refuse(lane, solve_outcome::broke_down,
               with_pivots_ ? "a pivot is zero or not finite: the matrix is singular; x is set to zero"
                            : "a pivot is not positive: the matrix is not positive definite; try band_lu; x is set to "
                              "zero");
  }

  void substitute(T* x) {
    if (with_pivots_)
      kernels_.band_lu_solve(rows_, task_.lower, width_, band_.data(), group_.vector(0), x);
    else
      kernels_.band_cholesky_solve(rows_, task_.lower, width_, band_.data(), x);
  }

  /// Judges the solutions, and corrects by A d = b - A x those that are not good enough, as long as that brings the
  /// residual to a half at least.
  void conclude() {
    const auto runs = [&](std::int64_t lane) { return group_.state(lane) == lane_state::running; };
    group_.judge(runs);
    numbers ones;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!runs(lane)) continue;
      const verdict& found = group_.found(lane);
      system_report& report = group_.report(lane);
      ++report.iterations;
      report.residual = report.true_residual;
      if (!std::isfinite(found.residual))
        refuse(lane, solve_outcome::out_of_range, out_of_type);
      else if (found.reaches(task_.options.tolerance))
        group_.end(lane, lane_state::judged, {solve_outcome::converged, {}});
      else if (found.error <= task_.options.tolerance)
        group_.end(lane, lane_state::judged, lost_in_rounding(found.rounding));
      else if (!(found.error <= closest_[lane] / 2))
        group_.end(lane, lane_state::judged,
                   {solve_outcome::stagnated,
                    detail::text("the residual stays at ", found.error,
                                 ": the matrix is nearly singular, or not symmetric where band_cholesky needs it")});
      else
        ones[lane] = 1;
      closest_[lane] = found.error;
    }
    if (!group_.any(lane_state::running)) return;
    T* correction = group_.vector(1);
    kernels_.product(task_.pattern, group_.values(), group_.x(), correction);
    kernels_.subtract_from(rows_, group_.b(), correction);
    substitute(correction);
    kernels_.axpy(rows_, ones.data(), correction, group_.x());
  }

  const batch_task<T>& task_;
  system_group<T> group_;
  const cpu::batch_table<T>& kernels_;
  std::int64_t rows_;
  bool with_pivots_;
  std::int64_t width_;
  buffer<T> band_;
  per_lane<double, T> closest_;
};

}  // namespace lacis::solver
