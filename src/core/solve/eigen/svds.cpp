// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Singular values from the eigenvalues of A^H A or A A^H, or by bidiagonalisation; checked with A and A^H.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "solve/eigen/bidiagonal.hpp"
#include "solve/operations.hpp"
#include "solve/scalars.hpp"
#include "solve/stop.hpp"
#include "summation/environment.hpp"
#include "summation/hash.hpp"

namespace lacis {

std::string_view name_of(singular_method method) {
  constexpr std::array<std::string_view, singular_methods> names = {"normal", "bidiagonal"};
  return names[static_cast<std::size_t>(method)];
}

namespace {

/// A^H A, or A A^H, of the A that the operations have scaled.
template <value T> class normal_operator final : public linear_operator<T> {
 public:
  using typename linear_operator<T>::vector;

  normal_operator(const linear_operator<T>& a, solver::operations<T>& ops, bool adjoint_first)
      : a_(a), ops_(ops), adjoint_first_(adjoint_first), between_(ops.zeros(adjoint_first ? a.cols() : a.rows())) {}

  [[nodiscard]] std::int64_t rows() const override { return adjoint_first_ ? a_.rows() : a_.cols(); }
  [[nodiscard]] std::int64_t cols() const override { return rows(); }
  [[nodiscard]] vector_space<T>& space() const override { return a_.space(); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return 2 * a_.moved_bytes(); }
  void apply(const vector& x, const vector& y) const override {
    if (adjoint_first_) {
      ops_.apply_adjoint(x, between_);
      ops_.apply(between_, y);
    } else {
      ops_.apply(x, between_);
      ops_.apply_adjoint(between_, y);
    }
  }

 private:
  const linear_operator<T>& a_;
  solver::operations<T>& ops_;
  bool adjoint_first_;
  vector between_;
};

/// A or A^H, of the A that the operations have scaled.
template <value T> class side_operator final : public linear_operator<T> {
 public:
  using typename linear_operator<T>::vector;

  side_operator(const linear_operator<T>& a, solver::operations<T>& ops, bool is_adjoint)
      : a_(a), ops_(ops), is_adjoint_(is_adjoint) {}

  [[nodiscard]] std::int64_t rows() const override { return is_adjoint_ ? a_.cols() : a_.rows(); }
  [[nodiscard]] std::int64_t cols() const override { return is_adjoint_ ? a_.rows() : a_.cols(); }
  [[nodiscard]] vector_space<T>& space() const override { return a_.space(); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return a_.moved_bytes(); }
  void apply(const vector& x, const vector& y) const override {
    is_adjoint_ ? ops_.apply_adjoint(x, y) : ops_.apply(x, y);
  }

 private:
  const linear_operator<T>& a_;
  solver::operations<T>& ops_;
  bool is_adjoint_;
};

/// Singular values of one matrix.
template <value T> class singular_run {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  singular_run(const linear_operator<T>& a, std::int64_t count, const singular_options<T>& options)
      : a_(a), space_(a.space()), ops_(a, nullptr), count_(count), options_(options) {
    rows_ = space_.place(space_.zeros(a.rows())).whole;
    cols_ = space_.place(space_.zeros(a.cols())).whole;
    if (count < 1 || count > least())
      throw error(errc::invalid_argument,
                  detail::text("a matrix of ", rows_, " x ", cols_, " has no ", count, " singular values to compute"));
    if (options.part != eigen_part::largest && options.part != eigen_part::smallest)
      throw error(errc::invalid_argument, "the largest or the smallest singular values can be found");
    if (!(options.tolerance >= 0)) throw error(errc::invalid_argument, "the tolerance must not be negative");
    const bool is_small = options.part == eigen_part::smallest;
    result_.method = options.method.value_or(is_small ? singular_method::bidiagonal : singular_method::normal);
    result_.left = buffer<T>(a.rows() * count);
    result_.right = buffer<T>(a.cols() * count);
  }

  singular_result<T> operator()() {
    if (!bring_near_one())
      end(solve_outcome::broke_down, not_finite);
    else
      result_.method == singular_method::normal ? with_normal() : with_both();
    const auto converged = std::count(result_.is_converged.begin(), result_.is_converged.end(), true);
    if (result_.converged() && converged < count_)
      end(solve_outcome::stagnated,
          detail::text(converged, " of ", count_, " singular values are within the tolerance; ",
                       result_.method == singular_method::normal
                           ? "small ones are lost in the rounding errors of A^H A: take the method bidiagonal"
                           : "the attainable accuracy is reached",
                       ", ask for fewer, or relax the tolerance"));
    for (auto* const all : {&result_.values, &result_.residuals})
      for (double& one : *all) one = std::ldexp(one, ops_.exponent_of_a());
    return std::move(result_);
  }

 private:
  /// The sides of a matrix that has no fewer rows than columns: A, or A^H where A is wide.
  struct sides {
    sides(singular_run& run, const eigen_options<T>& of_right)
        : tall(run.a_, run.ops_, run.is_wide()),
          wide(run.a_, run.ops_, !run.is_wide()),
          left(tall, of_left, [&run] { run.ask_monitor(); }),
          right(wide, of_right) {
      of_left.tolerance = run.options_.tolerance;
    }
    side_operator<T> tall;
    side_operator<T> wide;
    eigen_options<T> of_left;
    solver::pencil<T> left;
    solver::pencil<T> right;
  };

  [[nodiscard]] std::int64_t least() const { return std::min(rows_, cols_); }
  [[nodiscard]] std::int64_t longest() const { return std::max(rows_, cols_); }
  [[nodiscard]] bool is_wide() const { return rows_ < cols_; }

  void end(solve_outcome outcome, std::string reason) {
    result_.outcome = outcome;
    result_.reason = std::move(reason);
  }

  /// By a power of two, where products with A are far from one. False where they are not finite.
  [[nodiscard]] bool bring_near_one() {
    int exponent = 0;
    const auto product = [&](const vector& x, const vector& y) { ops_.apply(x, y); };
    if (!solver::find_exponent(ops_, a_.cols(), space_.zeros(a_.rows()), product, exponent)) return false;
    if (std::abs(exponent) >= solver::usual_exponent<real>) ops_.scale_operators(exponent, 0);
    return true;
  }

  /// From eigenvectors of A^H A or A A^H: what A makes of them is a small matrix in an orthonormal basis, whose
  /// singular vectors turn them.
  void with_normal() {
    const normal_operator<T> normal(a_, ops_, is_wide());
    eigen_options<T> how;
    how.part = options_.part;
    how.method = eigen_method::lanczos;
    how.tolerance = options_.tolerance;
    how.max_iterations = options_.max_iterations;
    how.vectors = options_.vectors;
    how.start = options_.start;
    how.monitor = options_.monitor;
    const eigen_result<T> found = eigs<T>(normal, count_, how);
    result_.iterations = found.iterations;
    end(found.outcome, found.reason);
    if (found.values.empty()) return;
    const eigen_options<T> plain;
    sides both(*this, plain);
    solver::block<T> vectors;
    const std::int64_t size = both.wide.rows();
    for (auto from = static_cast<std::int64_t>(found.values.size()) - 1; from >= 0; --from) {  // eigenvalues ascend
      vectors.push_back(both.right.zeros());
      space_.from_host({found.vectors.data() + from * size, static_cast<std::size_t>(size)}, vectors.back());
    }
    solver::bidiagonal<T> search(both.left, both.right, vectors.size(), vectors.size(), options_.part);
    is_stopped_ = found.outcome == solve_outcome::stopped;
    if (!search.take(std::move(vectors))) return end(solve_outcome::broke_down, not_finite);
    judge(search, both);
  }

  /// From bases on both sides.
  void with_both() {
    eigen_options<T> of_right;
    of_right.start = options_.start;
    const std::int64_t short_side = is_wide() ? a_.rows() : a_.cols();
    if (options_.start.cols > 0 && options_.start.rows != short_side)
      throw error(errc::invalid_argument, detail::text("start vectors have ", options_.start.rows,
                                                       " elements, singular vectors have ", short_side));
    sides both(*this, of_right);
    constexpr std::int64_t few = 64;  // so many are found at once
    std::int64_t vectors = options_.vectors > 0 ? options_.vectors : std::max(2 * count_, count_ + 20);
    if (options_.vectors > 0 && vectors < count_ + 2)
      throw error(errc::invalid_argument, detail::text("bidiagonal needs ", count_ + 2, " vectors for ", count_,
                                                       " singular values, not ", vectors));
    if (least() <= std::max(few, vectors)) vectors = least();
    solver::bidiagonal<T> search(both.left, both.right, static_cast<std::size_t>(count_),
                                 static_cast<std::size_t>(vectors), options_.part);
    std::int64_t most =
        options_.max_iterations > 0 ? options_.max_iterations : std::max<std::int64_t>(1000, 10 * longest());
    if (vectors == least()) most = vectors;
    if (!search.start()) return end(solve_outcome::broke_down, not_finite);
    try {
      double closest = std::numeric_limits<double>::infinity();
      while (steps(search, most)) {
        const double farthest = judge(search, both);
        if (farthest <= 1 || vectors == least() || !(farthest <= closest / 2) || !search.refresh()) return;
        closest = farthest;
      }
      space_.settle();
    } catch (const solver::stop_asked&) {
      is_stopped_ = true;
      end(solve_outcome::stopped, "stopped by the monitor");
    }
    if (result_.iterations > 0) judge(search, both);
  }

  /// The best triplets so far, with true residuals. How far the farthest is, in units of its limit.
  double judge(solver::bidiagonal<T>& search, sides& both) {
    const auto found = search.found();
    const vector weights = both.right.zeros();
    both.right.fill_weights(weights);
    result_.values.clear();
    result_.residuals.clear();
    result_.is_converged.clear();
    result_.hash = 0;
    norm_ = both.left.norm();
    double farthest = 0;
    for (std::size_t k = 0; k < found.values.size(); ++k) {
      give_sign(found.left[k], found.right[k], weights);
      const vector& u = is_wide() ? found.right[k] : found.left[k];
      const vector& v = is_wide() ? found.left[k] : found.right[k];
      farthest = std::max(farthest, take(u, v, found.values[k]));
    }
    return farthest;
  }

  /// True: all have converged, as the search estimates it.
  bool steps(solver::bidiagonal<T>& search, std::int64_t most) {
    while (!search.state().is_there) {
      if (result_.iterations >= most) {
        end(solve_outcome::max_iterations,
            detail::text(search.state().converged, " of ", count_, " singular values converged in ", result_.iterations,
                         " iterations; allow more iterations or more vectors"));
        return false;
      }
      if (!search.step()) {
        end(solve_outcome::broke_down, not_finite);
        return false;
      }
      ++result_.iterations;
      state_ = search.state();
      ask_monitor();
    }
    end(solve_outcome::converged, detail::text("all ", count_, " residuals are within the tolerance"));
    return true;
  }

  /// Not again once it has ended the search: what there is has still to be checked.
  void ask_monitor() {
    if (!options_.monitor || is_stopped_) return;
    try {
      if (options_.monitor({result_.iterations, state_.converged, state_.residual})) return;
    } catch (...) {
      return space_.ask_to_stop(std::current_exception());
    }
    space_.ask_to_stop(nullptr);
  }

  /// Both sides are turned alike.
  void give_sign(const vector& left, const vector& right, const vector& weights) {
    const T sum = ops_.dot(weights, right);
    const auto length = solver::magnitude_of(sum);
    if (!(length > 0)) return;
    const T turn = solver::divide(solver::conjugate(sum), T(length));
    if (turn == T(1)) return;
    ops_.scale(turn, left);
    ops_.scale(turn, right);
  }

  /// The next triplet, the largest first, with its true residual: which is given in units of its limit.
  double take(const vector& u, const vector& v, double s) {
    const vector au = space_.zeros(a_.cols());
    const vector av = space_.zeros(a_.rows());
    ops_.apply(v, av);
    ops_.apply_adjoint(u, au);
    ops_.axpy(T(static_cast<real>(-s)), u, av);
    ops_.axpy(T(static_cast<real>(-s)), v, au);
    const double residual = solver::length_of<double>(ops_.length(av), ops_.length(au));
    norm_ = std::max(norm_, s);
    const double limit = std::max(options_.tolerance * s, 10 * double{std::numeric_limits<real>::epsilon()} * norm_);
    const auto k = static_cast<std::int64_t>(result_.values.size());
    result_.values.push_back(s);
    result_.residuals.push_back(residual);
    result_.is_converged.push_back(residual <= limit);
    result_.hash = summation::mix(summation::mix(result_.hash + space_.hash(u)) + space_.hash(v));
    space_.to_host(u, {result_.left.data() + k * u.size(), static_cast<std::size_t>(u.size())});
    space_.to_host(v, {result_.right.data() + k * v.size(), static_cast<std::size_t>(v.size())});
    return residual <= limit ? 1 : residual / limit;
  }

  static constexpr const char* not_finite =
      "products with A or A^H are not finite: entries are infinite or not numbers";

  const linear_operator<T>& a_;
  vector_space<T>& space_;
  solver::operations<T> ops_;
  std::int64_t count_;
  const singular_options<T>& options_;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  double norm_ = 0;  ///< |A| is at least so much
  bool is_stopped_ = false;
  solver::eigen_state state_;
  singular_result<T> result_;
};

}  // namespace

template <value T>
singular_result<T> svds(const linear_operator<T>& a, std::int64_t count, const singular_options<T>& options) {
  singular_result<T> result;
  const std::array<solver::same_argument, 4> arguments = {
      {{"count", static_cast<std::uint64_t>(count)},
       {"options.part", static_cast<std::uint64_t>(options.part)},
       {"options.method", options.method ? static_cast<std::uint64_t>(*options.method) + 1 : 0},
       {"options.start", static_cast<std::uint64_t>(options.start.cols)}}};
  const auto begin = std::chrono::steady_clock::now();
  a.space().together("svds()", arguments, [&] {
    const summation::rounding_guard guard;
    result = singular_run<T>(a, count, options)();
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

#define LACIS_INSTANTIATE(T) \
  template LACIS_API singular_result<T> svds(const linear_operator<T>&, std::int64_t, const singular_options<T>&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
