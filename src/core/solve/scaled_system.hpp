// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A x = b with both sides brought near one by powers of two, and the only place that says whether x solves it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "solve/operations.hpp"
#include "summation/precise.hpp"

namespace lacis::solver {

/// How far x is from a solution.
struct verdict {
  double residual = 0;  ///< |b - A x| / |b|
  double error = 0;     ///< the same, or what the method asks for
  double rounding = 0;  ///< what the rounding errors of the residual may hide; known where the error is small enough
  bool is_estimated = false;  ///< the rounding errors are; otherwise it is a bound
  [[nodiscard]] bool reaches(double tolerance) const {
    return error <= tolerance && (is_estimated ? rounding : error + rounding) <= tolerance;
  }
};

/// Signs that no matrix is made for.
inline int sign_of(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z >> 40 & 1) != 0 ? 1 : -1;
}

/// Patterns of signs of which any two unknowns differ in one at least: the digits of scattered numbers of the unknowns.
class separating_signs {
 public:
  explicit separating_signs(std::int64_t unknowns)
      : count_(unknowns > 1 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(unknowns - 1))) : 0) {}

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int of(std::uint64_t index, int pattern) const {
    // An odd factor and a shift that is added take no two numbers of that many digits to one.
    std::uint64_t z = digits(index * 0x9e3779b97f4a7c15u);
    z ^= z >> (count_ / 2 + 1);
    return (digits(z * 0xbf58476d1ce4e5b9u) >> pattern & 1) != 0 ? 1 : -1;
  }

 private:
  [[nodiscard]] std::uint64_t digits(std::uint64_t z) const { return z & ((std::uint64_t{1} << count_) - 1); }

  int count_;
};

/// Products with A whose exponents stay below this are not scaled.
template <class Real> inline constexpr int usual_exponent = std::numeric_limits<Real>::max_exponent / 4;
/// Between two numbers so far apart half of the exponents lie.
template <class Real> inline constexpr int far_exponent = std::numeric_limits<Real>::max_exponent / 2;

/// A vector with something of every direction, not too regular.
template <value T> [[nodiscard]] space_vector<T> probe(operations<T>& ops, std::int64_t size) {
  using real = real_of<T>;
  const space_vector<T> s = ops.zeros(size);
  const auto first = static_cast<std::uint64_t>(ops.space().place(s).first);
  std::vector<T> host(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = T(static_cast<real>(sign_of(first + i)) * static_cast<real>(1 + (first + i) % 3));
  ops.space().from_host(host, s);
  return s;
}

/// The exponent of what `product` does to the length of vectors, even; false where it is not finite.
template <value T, class Product>
[[nodiscard]] bool find_exponent(operations<T>& ops, std::int64_t size, const space_vector<T>& image, Product&& product,
                                 int& exponent) {
  constexpr int far = far_exponent<real_of<T>>;
  const space_vector<T> s = probe(ops, size);
  const double length = static_cast<double>(ops.space().norm(s));
  exponent = 0;
  int before = 0;
  for (const int shift : {0, -far, far}) {
    ops.scale_by_power(s, shift - before);
    before = shift;
    product(s, image);
    const double size_of_image = static_cast<double>(ops.space().norm(image));
    if (!std::isfinite(size_of_image)) {
      if (shift < 0) return false;
      continue;
    }
    if (size_of_image == 0) continue;
    exponent = (std::ilogb(size_of_image / length) - shift) / 2 * 2;
    return true;
  }
  return true;  // nothing but zeros
}

/// Inside, 2^-a A times 2^(a - b) x equals 2^-b b. Powers of two change no digit, and squares of what is near one
/// neither overflow nor vanish. A is scaled only where its products are far from one: then every product costs two
/// passes over vectors more. Exponents of operators are even, so that square roots have the same digits too.
template <value T> class scaled_system {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  enum class kind {
    ordinary,
    zero,       ///< b, and so x
    not_finite  ///< what A or the preconditioner gives
  };

  /// What is given must outlive it.
  scaled_system(const linear_operator<T>& a, const linear_operator<T>* preconditioner, std::span<const T> b,
                std::span<T> x)
      : ops_(a, preconditioner), host_b_(b), host_x_(x) {}

  [[nodiscard]] operations<T>& ops() { return ops_; }
  [[nodiscard]] const vector& b() const { return b_; }
  [[nodiscard]] const vector& x() const { return x_; }
  [[nodiscard]] const vector& r() const { return r_; }  ///< for anyone's use
  [[nodiscard]] double norm_of_b() const { return norm_; }
  [[nodiscard]] std::int64_t unknowns() const { return unknowns_; }
  [[nodiscard]] bool starts_from_zero() const { return x_was_zero_; }

  /// Vectors to where A's are, scaled. `adjoint`: the method applies A^H. Throws error(invalid_argument) where b or x
  /// is not finite.
  kind bring_in(bool adjoint) {
    b_ = ops_.zeros(ops_.rows());
    x_ = ops_.zeros(ops_.cols());
    r_ = ops_.zeros(ops_.rows());
    unknowns_ = ops_.space().place(x_).whole;
    ops_.space().from_host(host_b_, b_);
    if (!bring_near_one(b_, exponent_of_b_)) throw error(errc::invalid_argument, "b has elements that are not finite");
    norm_ = static_cast<double>(ops_.space().norm(b_));
    if (norm_ == 0) {
      ops_.apply(x_, r_);
      return std::isfinite(ops_.space().norm(r_)) ? kind::zero : kind::not_finite;
    }
    if (!scale_operators(adjoint)) return kind::not_finite;
    bring_x_in();
    return kind::ordinary;
  }

  /// Anew from the x that was given.
  void bring_x_in() {
    ops_.space().from_host(host_x_, x_);
    if (!is_finite(x_)) throw error(errc::invalid_argument, "x, from which the iteration starts, is not finite");
    ops_.scale_by_power(x_, -exponent_of_x());
    if (!is_finite(x_)) ops_.clear(x_);  // a start that is out of all proportion
    x_was_zero_ = ops_.space().norm(x_) == 0;
  }

  /// `error_of(r, |r|)` is what must be small. Where it looks small enough, the rounding errors of r are bounded; where
  /// they may decide, r is computed with twice the digits.
  template <class ErrorOf> verdict judge(double tolerance, ErrorOf&& error_of) {
    verdict found;
    const auto measure = [&] {
      const double length = static_cast<double>(ops_.length(r_));
      found.residual = length / norm_;
      found.error = error_of(r_, length);
      return length;
    };
    ops_.residual(b_, x_, r_);
    const double length = measure();
    if (!(found.error <= tolerance)) return found;
    // A least-squares solution is judged by a part of r.
    const double whole = found.residual <= tolerance ? norm_ : length;
    const std::optional<double> bound = bound_of_rounding(length);
    found.is_estimated = !bound;
    found.rounding = bound.value_or(0) / whole;
    if (!bound) found.rounding = estimated_rounding() / whole;
    if (!bound || found.reaches(tolerance)) return found;
    ops_.precise_residual(b_, x_, r_);
    measure();
    found.rounding = *bound * summation::precise_share<real>() / whole;
    return found;
  }
  verdict judge(double tolerance) {
    return judge(tolerance, [&](const vector&, double length) { return length / norm_; });
  }

  /// What rounding errors of the residual of this x, found last, may be over |b|; 0: not known, or they are smaller
  /// than the residual.
  [[nodiscard]] double rounding_over(const verdict& found) {
    const double length = found.residual * norm_;
    const std::optional<double> bound = bound_of_rounding(length);
    return bound && *bound >= length ? *bound / norm_ : 0;
  }

  /// Writes x, which a report calls a solution or not, and corrects the report where x is out of the range of the type,
  /// though inside it was not.
  template <class ErrorOf> void take_out(double tolerance, solve_report& report, ErrorOf&& error_of) {
    if (!is_finite(x_)) return refuse(report, "the iteration left the range of numbers");
    const int exponent = exponent_of_x();
    if (exponent < 0) {
      // An underflow is seen by going there and back.
      const vector before = ops_.zeros(ops_.cols());
      ops_.copy(x_, before);
      ops_.scale_by_power(x_, exponent);
      ops_.scale_by_power(x_, -exponent);
      ops_.axpy(T(-1), x_, before);
      if (ops_.space().norm(before) != 0) {
        const verdict rounded = judge(tolerance, error_of);
        report.true_residual = rounded.residual;
        if (report.converged() && !rounded.reaches(tolerance)) {
          report.outcome = solve_outcome::out_of_range;
          report.reason =
              "the solution is below the range of the type: what is left of it does not solve the system; "
              "scale A or b";
        }
      }
    }
    ops_.scale_by_power(x_, exponent);
    if (!is_finite(x_)) return refuse(report, "the solution is above the range of the type; scale A or b");
    ops_.space().to_host(x_, host_x_);
  }

 private:
  [[nodiscard]] int exponent_of_x() const { return exponent_of_b_ - ops_.exponent_of_a(); }

  void refuse(solve_report& report, const std::string& why) {
    std::fill(host_x_.begin(), host_x_.end(), T(0));
    report.true_residual = 1;
    if (report.converged()) {
      report.outcome = solve_outcome::out_of_range;
      report.reason = why;
    } else {
      report.reason += "; " + why;
    }
    report.reason += "; x is set to zero";
  }

  static constexpr int far = far_exponent<real>;

  /// Also where the norm of what is finite is not.
  bool is_finite(const vector& v) {
    if (std::isfinite(ops_.space().norm(v))) return true;
    const vector smaller = ops_.zeros(v.size());
    ops_.axpby(T(std::ldexp(real(1), -far)), v, T(0), smaller);
    return std::isfinite(ops_.space().norm(smaller));
  }

  /// Divides v by a power of two such that its norm is between 1/2 and 1; false where it is not finite.
  bool bring_near_one(const vector& v, int& exponent) {
    exponent = 0;
    auto norm = static_cast<double>(ops_.space().norm(v));
    if (!std::isfinite(norm)) {
      ops_.scale_by_power(v, -far);
      norm = static_cast<double>(ops_.space().norm(v));
      if (!std::isfinite(norm)) return false;
      exponent = far;
    }
    int rest = 0;
    std::frexp(norm, &rest);
    ops_.scale_by_power(v, -rest);
    exponent += rest;
    return true;
  }

  /// Where A takes b far from its size, A is scaled, and the preconditioner with it. False: something is not finite.
  bool scale_operators(bool adjoint) {
    constexpr int usual = usual_exponent<real>;
    const vector image = adjoint ? ops_.zeros(ops_.cols()) : r_;
    const auto product = [&](const vector& from, const vector& to) {
      adjoint ? ops_.apply_adjoint(from, to) : ops_.apply(from, to);
    };
    product(b_, image);
    const double size = static_cast<double>(ops_.space().norm(image));
    if (std::isfinite(size) && size > 0 && std::abs(std::ilogb(size)) < usual) return true;
    int of_a = 0;
    int of_m = 0;
    if (!find_exponent(ops_, ops_.rows(), image, product, of_a)) return false;
    if (ops_.is_preconditioned() &&
        !find_exponent(
            ops_, ops_.rows(), r_, [&](const vector& from, const vector& to) { ops_.precondition(from, to); }, of_m))
      return false;
    if (std::abs(of_a) >= usual) ops_.scale_operators(of_a, of_m);
    return true;
  }

  /// What rounding can have added to or taken from the length of b - A x, where the entries of A are known.
  std::optional<double> bound_of_rounding(double length) {
    constexpr double unit = std::numeric_limits<real>::epsilon();
    const vector bounds = ops_.zeros(ops_.rows());
    if (!ops_.bound_rounding(x_, bounds)) return std::nullopt;
    return static_cast<double>(ops_.length(bounds)) + unit * length;
  }

  /// The same by guess, where nothing but products is known: about one unit in the last place of the terms of each sum.
  /// With other signs the terms do not cancel as in A x, and no two of them in every pattern: the length of A times x
  /// with such signs is theirs.
  double estimated_rounding() {
    constexpr double unit = std::numeric_limits<real>::epsilon();
    const vector z = ops_.zeros(ops_.cols());
    const vector image = ops_.zeros(ops_.rows());
    const auto first = static_cast<std::uint64_t>(ops_.space().place(x_).first);
    const separating_signs signs(unknowns_);
    std::vector<T> host(static_cast<std::size_t>(x_.size()));
    double largest = norm_;
    for (int pattern = 0; pattern < signs.count(); ++pattern) {
      ops_.space().to_host(x_, host);
      detail::parallel_for(static_cast<std::int64_t>(host.size()), [&](std::int64_t i) {
        if (signs.of(first + static_cast<std::uint64_t>(i), pattern) < 0)
          host[static_cast<std::size_t>(i)] = -host[static_cast<std::size_t>(i)];
      });
      ops_.space().from_host(host, z);
      ops_.apply(z, image);
      largest = std::max(largest, static_cast<double>(ops_.length(image)));
    }
    return unit * largest;
  }

  operations<T> ops_;
  std::span<const T> host_b_;
  std::span<T> host_x_;
  int exponent_of_b_ = 0;
  double norm_ = 0;  ///< of b, scaled
  std::int64_t unknowns_ = 0;
  bool x_was_zero_ = false;
  vector b_;
  vector x_;
  vector r_;
};

}  // namespace lacis::solver
