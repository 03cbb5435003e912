// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What every iterative method is to the driver: it starts, takes steps, and can be written down in between.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lacis/error.hpp>

#include "solve/operations.hpp"

namespace lacis::solver {

/// Writes the state of a method down, or reads it back: one list for both directions.
template <value T> class archive {
 public:
  virtual ~archive() = default;
  virtual void vector(const space_vector<T>& x) = 0;
  virtual void number(double& x) = 0;
  virtual void numbers(std::vector<T>& x) = 0;

  void number(float& x) {
    double wide = x;
    number(wide);
    x = static_cast<float>(wide);
  }
  void number(std::int64_t& x) {
    auto wide = static_cast<double>(x);
    number(wide);
    constexpr double most = 0x1p53;  // exact up to here
    if (!(wide >= -most && wide <= most)) throw error(errc::bad_input, "a checkpoint has a count that is out of range");
    x = static_cast<std::int64_t>(wide);
  }
};

/// One method at work on A x = b.
template <value T> class iteration {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  iteration(operations<T>& ops, const vector& b, const vector& x) : ops_(ops), b_(b), x_(x) {}
  virtual ~iteration() = default;

  /// From the x that is there.
  virtual void start() = 0;
  /// One iteration; false: it cannot go on, and fault() says why. Its first sum over a vector may throw
  /// solver::stop_asked: until then it leaves x and what finish() needs alone.
  virtual bool step() = 0;
  /// |b - A x| as the recurrence has it.
  [[nodiscard]] virtual real residual() const = 0;
  /// Brings x up to date with the steps.
  virtual void finish() {}
  /// How far x is from what was asked, given the true residual and its length: as a rule |r| / |b|.
  [[nodiscard]] virtual double error_of(const vector&, double length, double norm_of_b) { return length / norm_of_b; }
  /// How far it is by the recurrence, for the same question.
  [[nodiscard]] virtual double error_now(double norm_of_b) const { return static_cast<double>(residual()) / norm_of_b; }
  /// Everything that the next step depends on, besides b.
  virtual void exchange(archive<T>& state) = 0;

  [[nodiscard]] const std::string& fault() const { return fault_; }

 protected:
  bool break_down(std::string why) {
    fault_ = std::move(why);
    return false;
  }

  operations<T>& ops_;
  const vector& b_;
  const vector& x_;

 private:
  std::string fault_;
};

}  // namespace lacis::solver
