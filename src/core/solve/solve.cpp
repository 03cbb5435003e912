// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What all methods have in common: stopping, the true residual, checkpoints.
#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>

#include "base/text.hpp"
#include "solve/checkpoint.hpp"
#include "solve/device_space.hpp"
#include "solve/endings.hpp"
#include "solve/methods/every.hpp"  // made by CMake from the list
#include "solve/resumable.hpp"
#include "solve/scaled_system.hpp"
#include "solve/stop.hpp"
#include "solve/tolerance.hpp"
#include "summation/environment.hpp"

namespace lacis {

std::string_view name_of(solve_method method) { return traits_of(method).name; }

std::string_view name_of(solve_outcome outcome) {
  constexpr std::array<std::string_view, 6> names = {"converged", "out of iterations", "stopped",
                                                     "stagnated", "broke down",        "out of range"};
  return names[static_cast<std::size_t>(outcome)];
}

namespace solver {
namespace {

/// Methods that have options of their own take them all.
template <class Method, value T>
std::unique_ptr<iteration<T>> made(operations<T>& ops, const space_vector<T>& b, const space_vector<T>& x,
                                   const solve_options& options) {
  if constexpr (std::is_constructible_v<Method, decltype(ops), decltype(b), decltype(x), decltype(options)>)
    return std::make_unique<Method>(ops, b, x, options);
  else
    return std::make_unique<Method>(ops, b, x);
}

/// Of the scaled system.
template <value T>
std::unique_ptr<iteration<T>> make_iteration(solve_method method, scaled_system<T>& system, solve_options options) {
  operations<T>& ops = system.ops();
  options.restart = static_cast<int>(std::clamp<std::int64_t>(options.restart, 1, system.unknowns()));
  const int exponent = -(ops.exponent_of_a() + ops.exponent_of_m());
  options.smallest_eigenvalue = std::ldexp(options.smallest_eigenvalue, exponent);
  options.largest_eigenvalue = std::ldexp(options.largest_eigenvalue, exponent);
  switch (method) {
#define LACIS_MAKE(name, ...) \
  case solve_method::name:    \
    return made<name<T>>(ops, system.b(), system.x(), options);
    LACIS_FOR_EACH_SOLVE_METHOD(LACIS_MAKE)
#undef LACIS_MAKE
  }
  throw error(errc::invalid_argument, "there is no such method");
}

template <value T>
void require_system(solve_method method, const linear_operator<T>& a, std::size_t b, std::size_t x,
                    const linear_operator<T>* preconditioner, const solve_options& options) {
  if (b != static_cast<std::size_t>(a.rows()) || x != static_cast<std::size_t>(a.cols()))
    throw error(errc::invalid_argument,
                detail::text("A is ", a.rows(), " x ", a.cols(), ", b has ", b, " elements and x ", x));
  const method_traits& traits = traits_of(method);
  if (!traits.least_squares && a.rows() != a.cols())
    throw error(errc::invalid_argument, detail::text(name_of(method), " needs a square matrix, not one of ", a.rows(),
                                                     " x ", a.cols(), "; lsqr takes any"));
  if (preconditioner != nullptr && traits.least_squares)
    throw error(errc::invalid_argument,
                detail::text(traits.name, " takes no preconditioner; scale the columns of A instead"));
  if (preconditioner != nullptr && (preconditioner->rows() != a.rows() || preconditioner->cols() != a.rows()))
    throw error(errc::invalid_argument, "the preconditioner does not have the size of the matrix");
  if (preconditioner != nullptr) require_same_device(a, *preconditioner, "the preconditioner");
  if (preconditioner != nullptr && preconditioner->is_variable() && !traits.takes_variable)
    throw error(errc::invalid_argument,
                detail::text(name_of(method), " needs a preconditioner that is the same linear map in every step, ",
                             "which a K-cycle is not; use fgmres, or cg where A is Hermitian and positive definite"));
  if (options.restart < 1) throw error(errc::invalid_argument, "restart must keep one direction at least");
  if (!options.checkpoint.empty() && options.checkpoint_every < 1)
    throw error(errc::invalid_argument, "checkpoint_every must be at least 1");
}

/// One system on its way to a solution.
template <value T> class run final : public resumable<T> {
 public:
  using real = real_of<T>;

  run(solve_method method, const linear_operator<T>& a, std::span<const T> b, std::span<T> x,
      const solve_options& options, const linear_operator<T>* preconditioner)
      : method_(method), options_(settled<T>(options)), a_(a), system_(a, preconditioner, b, x), host_x_(x) {}

  bool go_on(std::int64_t until) override {
    const stopwatch watch(report_.seconds);
    const summation::rounding_guard guard;
    if (method_state_ == nullptr && !has_ended_) begin();
    if (!has_ended_) has_ended_ = iterate(std::min(until, most()));
    return has_ended_;
  }

  solve_report report() override {
    if (method_state_ == nullptr) return report_;
    {
      const stopwatch watch(report_.seconds);
      const summation::rounding_guard guard;
      if (!has_ended_) {
        end(out_of_iterations(done_));
        method_state_->finish();
        judge();
        has_ended_ = true;
      }
      system_.take_out(options_.tolerance, report_, error_of());
      if (checkpoint_ && report_.converged() && !options_.keep_checkpoint) checkpoint_->remove();
    }
    report_.iterations = done_;
    report_.shares = system_.ops().shares();
    return report_;
  }

  [[nodiscard]] bool is_at_rounding_errors() const override { return is_at_rounding_errors_; }
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
    using kind = typename scaled_system<T>::kind;
    const kind what = system_.bring_in(traits_of(method_).least_squares);
    if (what == kind::ordinary) {
      method_state_ = make_iteration(method_, system_, options_);
      resume_or_start();
      return;
    }
    has_ended_ = true;
    std::fill(host_x_.begin(), host_x_.end(), T(0));
    if (what == kind::zero) {
      end(solve_outcome::converged, "b is zero, and so is x");
    } else {
      end(solve_outcome::broke_down,
          "products with A or the preconditioner are not finite: entries are infinite or not numbers; x is set to "
          "zero");
      report_.true_residual = 1;
    }
  }

  /// A, b, the x it begins with and what the method is asked for: another system has another number.
  [[nodiscard]] std::uint64_t number_of_system() {
    vector_space<T>& space = system_.ops().space();
    std::uint64_t number = space.hash(system_.b()) * 3 + space.hash(system_.x()) * 5 + a_.hash() * 7;
    if (space.place(system_.b()).whole == system_.unknowns()) {
      if (a_.hash() == 0) {
        system_.ops().apply(system_.b(), system_.r());
        number += space.hash(system_.r()) * 7;
      }
      system_.ops().precondition(system_.b(), system_.r());
      number += space.hash(system_.r()) * 11;
    }
    number += static_cast<std::uint64_t>(method_) * 1000003 + static_cast<std::uint64_t>(options_.restart) * 13;
    return number == 0 ? 1 : number;
  }

  void resume_or_start() {
    if (!options_.checkpoint.empty()) {
      report_.system = number_of_system();
      checkpoint_.emplace(system_.ops().space().make_state_files(options_.checkpoint), report_.system);
      if (const auto found = checkpoint_->newest(); found && resume(*found)) return;
    }
    system_.ops().assume_zero(system_.starts_from_zero());
    method_state_->start();
    system_.ops().assume_zero(false);
  }

  /// False where the state cannot be one of this method; then everything is as before.
  bool resume(const solver_state& found) {
    try {
      reading_archive<T> state(system_.ops().space(), *checkpoint_, found.numbers);
      state.vector(system_.x());
      state.number(closest_);
      method_state_->exchange(state);
      state.require_end();
    } catch (const error& problem) {
      if (problem.code() != errc::bad_input) throw;
      closest_ = std::numeric_limits<double>::infinity();
      system_.bring_x_in();
      method_state_ = make_iteration(method_, system_, options_);
      return false;
    }
    done_ = report_.resumed_at = found.iteration;
    report_.history = found.history;
    return true;
  }

  void save() {
    solver_state now{done_, report_.history, {}, {}};
    writing_archive<T> state(system_.ops().space(), now);
    state.vector(system_.x());
    state.number(closest_);
    method_state_->exchange(state);
    checkpoint_->save(now);
  }

  [[nodiscard]] std::int64_t most() const {
    if (options_.max_iterations > 0) return options_.max_iterations;
    return std::max<std::int64_t>(1000, 10 * system_.unknowns());
  }

  [[nodiscard]] auto error_of() {
    return [this](const space_vector<T>& r, double length) {
      return method_state_->error_of(r, length, system_.norm_of_b());
    };
  }
  verdict judge() {
    const verdict now = system_.judge(options_.tolerance, error_of());
    report_.true_residual = now.residual;
    return now;
  }

  void end(ending how) { end(how.outcome, std::move(how.reason)); }
  void end(solve_outcome outcome, std::string reason) {
    report_.outcome = outcome;
    report_.reason = std::move(reason);
  }

  void ask_monitor() {
    if (!options_.monitor) return;
    try {
      if (options_.monitor({done_, report_.residual})) return;
    } catch (...) {
      return system_.ops().space().ask_to_stop(std::current_exception());
    }
    system_.ops().space().ask_to_stop(nullptr);
  }

  enum class course { arrived, paused, ended };

  /// Steps until the recurrence has reached the goal, or the iteration limit is reached.
  course steps(std::int64_t until) {
    try {
      const course now = undisturbed_steps(until);
      system_.ops().space().settle();
      return now;
    } catch (const stop_asked&) {
      end(solve_outcome::stopped, "stopped by the monitor");
      return course::ended;
    }
  }

  course undisturbed_steps(std::int64_t until) {
    while (!(method_state_->error_now(system_.norm_of_b()) <= options_.tolerance)) {
      if (done_ >= until) {
        if (until < most()) return course::paused;
        end(out_of_iterations(done_));
        return course::ended;
      }
      if (!method_state_->step()) {
        end(solve_outcome::broke_down, method_state_->fault());
        return course::ended;
      }
      report_.iterations = ++done_;
      report_.residual = residual_by_recurrence();
      report_.history.push_back(report_.residual);
      ask_monitor();
      if (checkpoint_ && done_ % options_.checkpoint_every == 0) {
        system_.ops().space().settle();
        save();
      }
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
      const verdict found = judge();
      report_.residual = residual_by_recurrence();
      if (found.reaches(options_.tolerance)) {
        end(found.residual <= options_.tolerance ? solved(found.residual) : least_squares(found.residual, found.error));
        return true;
      }
      if (found.error <= options_.tolerance) {
        end(lost_in_rounding(found.rounding));
        is_at_rounding_errors_ = !found.is_estimated;
        return true;
      }
      if (now == course::ended) return true;
      if (!(found.error <= closest_ / 2)) {
        const double rounding = system_.rounding_over(found);
        is_at_rounding_errors_ = rounding > 0;
        end(at_attainable_accuracy(found.error, rounding));
        return true;
      }
      closest_ = found.error;
      method_state_->start();
    }
  }

  [[nodiscard]] double residual_by_recurrence() const {
    return static_cast<double>(method_state_->residual()) / system_.norm_of_b();
  }

  solve_method method_;
  const solve_options options_;
  const linear_operator<T>& a_;
  scaled_system<T> system_;
  std::span<T> host_x_;
  std::unique_ptr<iteration<T>> method_state_;
  std::optional<checkpoint> checkpoint_;
  std::int64_t done_ = 0;
  double closest_ = std::numeric_limits<double>::infinity();
  bool has_ended_ = false;
  bool is_at_rounding_errors_ = false;
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
  solve_report report;
  const auto number = [](const auto& argument) { return std::hash<std::decay_t<decltype(argument)>>{}(argument); };
  const std::array<solver::same_argument, 7> arguments = {
      {{"method", static_cast<std::uint64_t>(method)},
       {"options.tolerance", number(options.tolerance)},
       {"options.max_iterations", number(options.max_iterations)},
       {"options.restart", number(options.restart)},
       {"options.checkpoint", options.checkpoint.empty() ? 0U : 1U},
       {"options.checkpoint_every", number(options.checkpoint_every)},
       {"preconditioner", preconditioner == nullptr ? 0U : 1U}}};
  a.space().together("solve()", arguments, [&] {
    const auto run = solver::make_resumable(method, a, b, x, options, preconditioner);
    run->go_on(std::numeric_limits<std::int64_t>::max());
    report = run->report();
  });
  return report;
}

void remove_checkpoint(const std::string& directory, std::uint64_t system) {
  solver::checkpoint(std::make_unique<solver::local_state_files>(directory), system).remove();
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
