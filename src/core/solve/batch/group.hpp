// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A group of systems, one per lane, brought near one by powers of two as scaled_system does it, and the only place that
// decides whether a lane's x solves its system.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lacis/batch.hpp>
#include <lacis/buffer.hpp>
#include <lacis/vector.hpp>

#include "cpu/batch/kernels.hpp"
#include "solve/endings.hpp"
#include "solve/scaled_system.hpp"
#include "summation/precise.hpp"

namespace lacis::solver {

/// What all groups of a batch share.
template <class T> struct batch_task {
  cpu::batch_pattern pattern;
  const std::int64_t* diagonal = nullptr;  ///< the place of each row's diagonal entry; -1 where a row has none
  std::int64_t entries = 0;
  std::int64_t lower = 0;  ///< diagonals below the main one, and above
  std::int64_t upper = 0;
  const T* values = nullptr;
  const T* b = nullptr;
  T* x = nullptr;
  const cpu::batch_table<T>* kernels = nullptr;
  isa set = isa::scalar;
  batch_options options;
};

/// One number for each lane.
template <class Number, class T> struct alignas(64) per_lane {
  std::array<Number, static_cast<std::size_t>(cpu::batch_lanes<T>)> all{};
  Number& operator[](std::int64_t lane) { return all[static_cast<std::size_t>(lane)]; }
  const Number& operator[](std::int64_t lane) const { return all[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] Number* data() { return all.data(); }
  [[nodiscard]] const Number* data() const { return all.data(); }
};

enum class lane_state : std::uint8_t {
  empty,    ///< no system
  running,  ///< takes part in every step
  arrived,  ///< by the recurrence; to be judged
  ended,    ///< cannot go on; to be judged
  judged,   ///< its report stands
  refused,  ///< its report stands, and its x is zero
  alone     ///< left to solve()
};

template <class T> class system_group {
 public:
  static constexpr std::int64_t lanes = cpu::batch_lanes<T>;
  using numbers = per_lane<T, T>;

  /// `vectors` is how many the method needs for itself.
  system_group(const batch_task<T>& task, int vectors)
      : task_(task),
        kernels_(*task.kernels),
        rows_(task.pattern.rows),
        memory_((task.entries + (4 + vectors) * rows_) * lanes),
        lane_copy_(static_cast<std::size_t>(rows_)) {
    T* place = memory_.data();
    values_ = place;
    place += task.entries * lanes;
    for (T** vector : {&b_, &x_, &s_, &t_}) {
      *vector = place;
      place += rows_ * lanes;
    }
    spare_ = place;
  }

  [[nodiscard]] T* vector(int number) { return spare_ + number * rows_ * lanes; }
  [[nodiscard]] const T* values() const { return values_; }
  [[nodiscard]] T* b() { return b_; }
  [[nodiscard]] T* x() { return x_; }
  [[nodiscard]] lane_state& state(std::int64_t lane) { return state_[lane]; }
  [[nodiscard]] double norm_of_b(std::int64_t lane) const { return norm_[lane]; }
  [[nodiscard]] system_report& report(std::int64_t lane) { return report_[lane]; }
  [[nodiscard]] const verdict& found(std::int64_t lane) const { return verdict_[lane]; }
  [[nodiscard]] bool any(lane_state which) const {
    return std::find(state_.all.begin(), state_.all.end(), which) != state_.all.end();
  }
  void end(std::int64_t lane, lane_state to, ending how) {
    state_[lane] = to;
    report_[lane].outcome = how.outcome;
    report_[lane].reason = std::move(how.reason);
  }

  /// Systems first .. first + count, scaled. Lanes whose numbers are not ordinary are left alone.
  void bring_in(std::int64_t first, std::int64_t count) {
    interleave(task_.values + first * task_.entries, task_.entries, count, values_);
    interleave(task_.b + first * rows_, rows_, count, b_);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      state_[lane] = lane < count ? lane_state::running : lane_state::empty;
      report_[lane] = {};
    }
    numbers factor;
    numbers other;
    factors_of(b_, factor, other);
    kernels_.scale_twice(rows_, factor.data(), other.data(), b_, b_);
    kernels_.dot(rows_, b_, b_, sums_.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) norm_[lane] = static_cast<double>(norm_of(b_, sums_, lane));
    kernels_.product(task_.pattern, values_, b_, s_);
    kernels_.dot(rows_, s_, s_, sums_.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) size_[lane] = static_cast<double>(norm_of(s_, sums_, lane));
  }

  /// The same for x, and leaves alone what solve() would scale. An iteration needs it.
  void bring_x_in(std::int64_t first, std::int64_t count) {
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      if (!(std::isfinite(size_[lane]) && size_[lane] > 0 && std::abs(std::ilogb(size_[lane])) < usual_exponent<T>))
        leave_alone(lane);
    interleave(task_.x + first * rows_, rows_, count, x_);
    leave_alone_unless_finite(x_);
    scale(x_, -1);
    leave_alone_unless_finite(x_);
  }

  /// Judges the lanes that `which` selects, and gives those that are done their outcome.
  template <class Which> void judge(Which&& which) {
    kernels_.product(task_.pattern, values_, x_, s_);
    kernels_.subtract_from(rows_, b_, s_);
    kernels_.dot(rows_, s_, s_, sums_.data());
    const double tolerance = task_.options.tolerance;
    per_lane<bool, T> is_close;
    bool any_close = false;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!which(lane)) continue;
      verdict_[lane] = {};
      set_residual(lane);
      any_close |= is_close[lane] = verdict_[lane].error <= tolerance;
    }
    if (any_close) find_rounding(is_close);
  }

  /// As scaled_system has it.
  [[nodiscard]] double rounding_over(std::int64_t lane) {
    constexpr double unit = std::numeric_limits<T>::epsilon();
    bound_rows();
    numbers squares;
    kernels_.dot(rows_, t_, t_, squares.data());
    const double length = verdict_[lane].residual * norm_[lane];
    const double bound = static_cast<double>(norm_of(t_, squares, lane)) + unit * length;
    return bound >= length ? bound / norm_[lane] : 0;
  }

  /// Writes x of the lanes that are judged; what is out of the range of the type is left alone.
  void take_out(std::int64_t first, std::int64_t count) {
    leave_alone_unless_finite(x_);
    // An underflow is seen by going there and back.
    scale(x_, 1, s_);
    std::copy_n(s_, rows_ * lanes, t_);
    scale(t_, -1);
    for (std::int64_t lane = 0; lane < count; ++lane)
      if (exponent_[lane] < 0 && differ(x_, t_, lane)) leave_alone(lane);
    leave_alone_unless_finite(s_);
    for (std::int64_t lane = 0; lane < count; ++lane)
      if (state_[lane] == lane_state::judged) copy_lane(s_, lane, task_.x + (first + lane) * rows_);
  }

  void copy_lane(const T* from, std::int64_t lane, T* to) const {
    for (std::int64_t i = 0; i < rows_; ++i) to[i] = from[i * lanes + lane];
  }

  /// The norm of a lane's vector, of which `sums` has the square.
  [[nodiscard]] T norm_of(const T* x, const numbers& sums, std::int64_t lane) {
    using limits = std::numeric_limits<T>;
    const T sum = sums[lane];
    if (sum >= limits::min() / limits::epsilon() && sum <= limits::max()) return std::sqrt(sum);
    if (state_[lane] == lane_state::empty) return 0;
    copy_lane(x, lane, lane_copy_.data());
    return detail::norm(std::span<const T>(lane_copy_), {.threads = 1, .isa = task_.set});
  }
  /// |A b| with b of a norm near one.
  [[nodiscard]] double size_of_product(std::int64_t lane) const { return size_[lane]; }

 private:
  void leave_alone(std::int64_t lane) {
    if (state_[lane] != lane_state::empty && state_[lane] != lane_state::refused) state_[lane] = lane_state::alone;
  }

  void leave_alone_unless_finite(const T* x) {
    kernels_.dot(rows_, x, x, sums_.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      if (!std::isfinite(sums_[lane])) leave_alone(lane);
  }

  /// System-major to one element per lane, a few elements of every system at a time. Lanes without a system are zero.
  static void interleave(const T* from, std::int64_t size, std::int64_t count, T* to) {
    constexpr std::int64_t few = 16;
    for (std::int64_t begin = 0; begin < size; begin += few) {
      const std::int64_t end = std::min(begin + few, size);
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        for (std::int64_t k = begin; k < end; ++k) to[k * lanes + lane] = lane < count ? from[lane * size + k] : T(0);
    }
  }

  /// Finds exponents such that the lanes' vectors divided by two to them have norms between 1/2 and 1; the two factors
  /// that do it.
  void factors_of(const T* x, numbers& factor, numbers& other) {
    kernels_.dot(rows_, x, x, sums_.data());
    constexpr int largest_step = std::numeric_limits<T>::max_exponent - 24;  // scale_by_power takes two steps below it
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const auto norm = static_cast<double>(norm_of(x, sums_, lane));
      exponent_[lane] = 0;
      if (std::isfinite(norm)) std::frexp(norm, &exponent_[lane]);
      if (!std::isfinite(norm) || norm == 0 || std::abs(exponent_[lane]) >= largest_step) leave_alone(lane);
      set_factors(lane, -exponent_[lane], factor, other);
    }
  }

  static void set_factors(std::int64_t lane, int exponent, numbers& factor, numbers& other) {
    factor[lane] = std::ldexp(T(1), exponent / 2);
    other[lane] = std::ldexp(T(1), exponent - exponent / 2);
  }

  /// Times two to the exponents of b, or divided by it.
  void scale(T* x, int sign) { scale(x, sign, x); }
  void scale(const T* x, int sign, T* to) {
    numbers factor;
    numbers other;
    for (std::int64_t lane = 0; lane < lanes; ++lane) set_factors(lane, sign * exponent_[lane], factor, other);
    kernels_.scale_twice(rows_, factor.data(), other.data(), x, to);
  }

  [[nodiscard]] bool differ(const T* x, const T* y, std::int64_t lane) const {
    for (std::int64_t i = 0; i < rows_; ++i)
      if (x[i * lanes + lane] != y[i * lanes + lane]) return true;
    return false;
  }

  /// As scaled_system has it, for the lanes that are close.
  void find_rounding(const per_lane<bool, T>& is_close) {
    constexpr double unit = std::numeric_limits<T>::epsilon();
    const double tolerance = task_.options.tolerance;
    bound_rows();
    numbers squares;
    kernels_.dot(rows_, t_, t_, squares.data());
    per_lane<double, T> bound;
    per_lane<bool, T> is_open;
    bool any_open = false;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!is_close[lane]) continue;
      verdict& found = verdict_[lane];
      bound[lane] = static_cast<double>(norm_of(t_, squares, lane));
      found.rounding = (bound[lane] + unit * static_cast<double>(norm_of(s_, sums_, lane))) / norm_[lane];
      any_open |= is_open[lane] = !found.reaches(tolerance);
    }
    if (!any_open) return;
    for (std::int64_t lane = 0; lane < lanes; ++lane)
      if (is_open[lane]) residual_of_lane(lane);
    kernels_.dot(rows_, s_, s_, sums_.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if (!is_open[lane]) continue;
      set_residual(lane);
      verdict_[lane].rounding = bound[lane] * summation::precise_share<T>() / norm_[lane];
    }
  }

  void set_residual(std::int64_t lane) {
    verdict& found = verdict_[lane];
    found.residual = found.error = static_cast<double>(norm_of(s_, sums_, lane)) / norm_[lane];
    report_[lane].true_residual = found.residual;
  }

  /// t = bounds of the rounding errors of A x.
  void bound_rows() {
    for (std::int64_t i = 0; i < rows_; ++i) {
      per_lane<double, T> sum;
      const std::int64_t begin = task_.pattern.row_offsets[i];
      const std::int64_t end = task_.pattern.row_offsets[i + 1];
      for (std::int64_t k = begin; k < end; ++k) {
        const T* a = values_ + k * lanes;
        const T* x = x_ + task_.pattern.columns[k] * lanes;
        for (std::int64_t lane = 0; lane < lanes; ++lane)
          sum[lane] += summation::magnitude_of_product(a[lane], x[lane]);
      }
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        t_[i * lanes + lane] = summation::bound_of_row<T>(end - begin, sum[lane]);
    }
  }

  /// s = b - A x in twice the digits.
  void residual_of_lane(std::int64_t lane) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      summation::precise_row<T> row(b_[i * lanes + lane]);
      for (std::int64_t k = task_.pattern.row_offsets[i]; k < task_.pattern.row_offsets[i + 1]; ++k)
        row.subtract(values_[k * lanes + lane], x_[task_.pattern.columns[k] * lanes + lane]);
      s_[i * lanes + lane] = row.rounded();
    }
  }

  const batch_task<T>& task_;
  const cpu::batch_table<T>& kernels_;
  std::int64_t rows_;
  buffer<T> memory_;
  std::vector<T> lane_copy_;
  T* values_ = nullptr;
  T* b_ = nullptr;
  T* x_ = nullptr;
  T* s_ = nullptr;
  T* t_ = nullptr;
  T* spare_ = nullptr;
  numbers sums_;
  per_lane<lane_state, T> state_;
  per_lane<int, T> exponent_;
  per_lane<double, T> norm_;  ///< of b, scaled
  per_lane<double, T> size_;
  per_lane<verdict, T> verdict_;
  per_lane<system_report, T> report_;
};

}  // namespace lacis::solver
