// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What all methods have in common: scaling, stopping, the true residual, checkpoints.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>

#include "base/text.hpp"
#include "solve/bicgstab.hpp"
#include "solve/cg.hpp"
#include "solve/chebyshev.hpp"
#include "solve/checkpoint.hpp"
#include "solve/gmres.hpp"
#include "solve/lsqr.hpp"
#include "solve/minres.hpp"
#include "solve/resumable.hpp"
#include "summation/environment.hpp"

namespace lacis {

std::string_view name_of(solve_method method) {
  constexpr std::array<std::string_view, solve_methods> names = {"cg",     "minres", "bicgstab", "gmres",
                                                                 "fgmres", "lsqr",   "chebyshev"};
  return names[static_cast<std::size_t>(method)];
}

std::string_view name_of(solve_outcome outcome) {
  constexpr std::array<std::string_view, 5> names = {"converged", "out of iterations", "stopped", "stagnated",
                                                     "broke down"};
  return names[static_cast<std::size_t>(outcome)];
}

namespace solver {
namespace {

template <value T>
std::unique_ptr<iteration<T>> make_iteration(solve_method method, operations<T>& ops, const space_vector<T>& b,
                                             const space_vector<T>& x, const solve_options& options) {
  switch (method) {
    case solve_method::cg:
      return std::make_unique<cg<T>>(ops, b, x);
    case solve_method::minres:
      return std::make_unique<minres<T>>(ops, b, x);
    case solve_method::bicgstab:
      return std::make_unique<bicgstab<T>>(ops, b, x);
    case solve_method::gmres:
      return std::make_unique<gmres<T, false>>(ops, b, x, options.restart);
    case solve_method::fgmres:
      return std::make_unique<gmres<T, true>>(ops, b, x, options.restart);
    case solve_method::lsqr:
      return std::make_unique<lsqr<T>>(ops, b, x);
    case solve_method::chebyshev:
      return std::make_unique<chebyshev<T>>(ops, b, x,
                                            interval{options.smallest_eigenvalue, options.largest_eigenvalue});
  }
  throw error(errc::invalid_argument, "there is no such method");
}

template <value T>
void require_system(solve_method method, const linear_operator<T>& a, std::size_t b, std::size_t x,
                    const linear_operator<T>* preconditioner, const solve_options& options) {
  if (b != static_cast<std::size_t>(a.rows()) || x != static_cast<std::size_t>(a.cols()))
    throw error(errc::invalid_argument,
                detail::text("A is ", a.rows(), " x ", a.cols(), ", b has ", b, " elements and x ", x));
  if (method != solve_method::lsqr && a.rows() != a.cols())
    throw error(errc::invalid_argument, detail::text(name_of(method), " needs a square matrix, not one of ", a.rows(),
                                                     " x ", a.cols(), "; lsqr takes any"));
  if (preconditioner != nullptr && method == solve_method::lsqr)
    throw error(errc::invalid_argument, "lsqr takes no preconditioner; scale the columns of A instead");
  if (preconditioner != nullptr && (preconditioner->rows() != a.rows() || preconditioner->cols() != a.rows()))
    throw error(errc::invalid_argument, "the preconditioner does not have the size of the matrix");
  if (options.restart < 1) throw error(errc::invalid_argument, "restart must keep one direction at least");
  if (!(options.tolerance >= 0)) throw error(errc::invalid_argument, "the tolerance must not be negative");
}

/// One system on its way to a solution.
template <value T> class run final : public resumable<T> {
 public:
  using real = real_of<T>;

  run(solve_method method, const linear_operator<T>& a, std::span<const T> b, std::span<T> x,
      const solve_options& options, const linear_operator<T>* preconditioner)
      : method_(method), options_(options), ops_(a, preconditioner), host_b_(b), host_x_(x) {}

  bool go_on(std::int64_t until) override {
    const stopwatch watch(report_.seconds);
    const summation::rounding_guard guard;
    if (method_state_ == nullptr && !has_ended_) begin();
    if (!has_ended_) has_ended_ = iterate(std::min(until, most()));
    return has_ended_;
  }

  solve_report report() override {
    if (is_zero_) return report_;
    {
      const stopwatch watch(report_.seconds);
      const summation::rounding_guard guard;
      if (!has_ended_) {
        end(solve_outcome::iterations, detail::text("not there after ", done_, " iterations"));
        method_state_->finish();
        measure();
        has_ended_ = true;
      }
      take_out();
    }
    report_.iterations = done_;
    report_.shares = ops_.shares();
    return report_;
  }

  [[nodiscard]] const solve_report& so_far() const override { return report_; }

 private:
  /// Adds the time of its life.
  class stopwatch {
   public:
    explicit stopwatch(double& seconds) : seconds_(seconds), begin_(std::chrono::steady_clock::now()) {}
    ~stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;

   private:
    double& seconds_;
    std::chrono::steady_clock::time_point begin_;
  };

  void begin() {
    bring_in();
    const double norm_of_b = static_cast<double>(ops_.space().norm(b_));
    if (!std::isfinite(norm_of_b)) throw error(errc::invalid_argument, "b has elements that are not finite");
    if (norm_of_b == 0) {
      is_zero_ = true;
      std::fill(host_x_.begin(), host_x_.end(), T(0));
      end(solve_outcome::converged, "b is zero, and so is x");
      has_ended_ = true;
      return;
    }
    // By a power of two, which changes no digit: squares of what is near one neither overflow nor vanish.
    std::frexp(norm_of_b, &exponent_);
    scale(b_, -exponent_);
    scale(x_, -exponent_);
    norm_ = std::ldexp(norm_of_b, -exponent_);
    method_state_ = make_iteration(method_, ops_, b_, x_, options_);
    resume_or_start();
  }

  /// Times a power of two, in two steps: one alone may be out of range.
  void scale(const space_vector<T>& x, int exponent) {
    const int half = exponent / 2;
    for (const int part : {half, exponent - half})
      if (part != 0) ops_.scale(T(std::ldexp(real(1), part)), x);
  }

  void bring_in() {
    b_ = ops_.zeros(ops_.rows());
    x_ = ops_.zeros(ops_.cols());
    r_ = ops_.zeros(ops_.rows());
    unknowns_ = ops_.space().place(x_).whole;
    ops_.space().from_host(host_b_, b_);
    ops_.space().from_host(host_x_, x_);
  }

  void take_out() {
    scale(x_, exponent_);
    ops_.space().to_host(x_, host_x_);
  }

  /// b, A b, the x it begins with and what the method is asked for: another system has another number.
  [[nodiscard]] std::uint64_t system() {
    vector_space<T>& space = ops_.space();
    std::uint64_t number = space.hash(b_) * 3 + space.hash(x_) * 5;
    if (space.place(b_).whole == unknowns_) {
      ops_.apply(b_, r_);
      number += space.hash(r_) * 7;
      ops_.precondition(b_, r_);
      number += space.hash(r_) * 11;
    }
    return number + static_cast<std::uint64_t>(method_) * 1000003 + static_cast<std::uint64_t>(options_.restart) * 13;
  }

  void resume_or_start() {
    if (!options_.checkpoint.empty()) {
      checkpoint_.emplace(ops_.space().make_state_files(options_.checkpoint), system());
      if (const auto found = checkpoint_->newest()) {
        reading_archive<T> state(ops_.space(), *checkpoint_, found->numbers);
        state.vector(x_);
        state.number(closest_);
        method_state_->exchange(state);
        done_ = report_.resumed_at = found->iteration;
        report_.history = found->history;
        return;
      }
    }
    method_state_->start();
  }

  void save() {
    solver_state now{done_, report_.history, {}, {}};
    writing_archive<T> state(ops_.space(), now);
    state.vector(x_);
    state.number(closest_);
    method_state_->exchange(state);
    checkpoint_->save(now);
  }

  [[nodiscard]] std::int64_t most() const {
    if (options_.max_iterations > 0) return options_.max_iterations;
    return std::max<std::int64_t>(1000, 10 * unknowns_);
  }

  /// The true residual, |b - A x| / |b| or what the method asks for.
  double measure() {
    ops_.residual(b_, x_, r_);
    report_.true_residual = std::sqrt(static_cast<double>(ops_.square(r_))) / norm_;
    return method_state_->error_of(r_, norm_);
  }

  void end(solve_outcome outcome, std::string reason) {
    report_.outcome = outcome;
    report_.reason = std::move(reason);
  }

  enum class course { arrived, paused, ended };

  /// Steps until the recurrence has reached the goal, or so many iterations are done.
  course steps(std::int64_t until) {
    while (!(method_state_->error_now(norm_) <= options_.tolerance)) {
      if (done_ >= until) {
        if (until < most()) return course::paused;
        end(solve_outcome::iterations, detail::text("not there after ", done_, " iterations"));
        return course::ended;
      }
      if (!method_state_->step()) {
        end(solve_outcome::broke_down, method_state_->fault());
        return course::ended;
      }
      report_.iterations = ++done_;
      report_.residual = static_cast<double>(method_state_->residual()) / norm_;
      report_.history.push_back(report_.residual);
      if (options_.monitor && !options_.monitor({done_, report_.residual})) {
        end(solve_outcome::stopped, "stopped by the monitor");
        return course::ended;
      }
      if (checkpoint_ && done_ % options_.checkpoint_every == 0) save();
    }
    return course::arrived;
  }

  /// A recurrence drifts away from the residual that it stands for: when that is not as small as it says, it starts
  /// again from where it is, as long as each start brings the true residual to a half at least. False: paused.
  bool iterate(std::int64_t until) {
    for (;;) {
      const course now = steps(until);
      if (now == course::paused) return false;
      method_state_->finish();
      const double error = measure();
      report_.residual = static_cast<double>(method_state_->residual()) / norm_;
      if (error <= options_.tolerance) {
        end(solve_outcome::converged, detail::text("the true residual is ", report_.true_residual));
        if (checkpoint_) checkpoint_->remove();
        return true;
      }
      if (now == course::ended) return true;
      if (!(error <= closest_ / 2)) {
        end(solve_outcome::stagnated,
            detail::text("the recurrence says it is done, but the true residual stays at ", error,
                         ": the rounding errors of the matrix allow no better; ask for less, or scale the rows of A"));
        return true;
      }
      closest_ = error;
      method_state_->start();
    }
  }

  solve_method method_;
  const solve_options& options_;
  operations<T> ops_;
  std::span<const T> host_b_;
  std::span<T> host_x_;
  int exponent_ = 0;
  double norm_ = 0;  ///< of b, scaled
  std::int64_t unknowns_ = 0;
  space_vector<T> b_;
  space_vector<T> x_;
  space_vector<T> r_;
  std::unique_ptr<iteration<T>> method_state_;
  std::optional<checkpoint> checkpoint_;
  std::int64_t done_ = 0;
  double closest_ = std::numeric_limits<double>::infinity();
  bool has_ended_ = false;
  bool is_zero_ = false;  ///< b, and so x
  solve_report report_;
};

}  // namespace

template <value T>
std::unique_ptr<resumable<T>> make_resumable(solve_method method, const linear_operator<T>& a, std::span<const T> b,
                                             std::span<T> x, const solve_options& options,
                                             const linear_operator<T>* preconditioner) {
  require_system(method, a, b.size(), x.size(), preconditioner, options);
  return std::make_unique<run<T>>(method, a, b, x, options, preconditioner);
}

}  // namespace solver

template <value T>
solve_report solve(solve_method method, const linear_operator<T>& a, std::span<const T> b, std::span<T> x,
                   const solve_options& options, const linear_operator<T>* preconditioner) {
  const auto run = solver::make_resumable(method, a, b, x, options, preconditioner);
  run->go_on(std::numeric_limits<std::int64_t>::max());
  return run->report();
}

#define LACIS_INSTANTIATE(T)                                                                                       \
  template LACIS_API solve_report solve(solve_method, const linear_operator<T>&, std::span<const T>, std::span<T>, \
                                        const solve_options&, const linear_operator<T>*);                          \
  template std::unique_ptr<solver::resumable<T>> solver::make_resumable(                                           \
      solve_method, const linear_operator<T>&, std::span<const T>, std::span<T>, const solve_options&,             \
      const linear_operator<T>*);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
