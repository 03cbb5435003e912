// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The turns that methods take on one system.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include <lacis/error.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "solve/operations.hpp"
#include "solve/precondition/variable.hpp"
#include "solve/prepared_matrix.hpp"
#include "solve/refined_run.hpp"
#include "solve/resumable.hpp"
#include "solve/tolerance.hpp"
#include "solve/turns.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis::detail {
namespace {

using clock = std::chrono::steady_clock;

/// Work of the first turn, as iterations of conjugate gradients, and the fewest iterations that say something.
constexpr double first_turn = 150;
constexpr double first_turn_from_memory = 50;
constexpr double next_turn = 3;  ///< times as much
constexpr std::int64_t fewest_iterations = 20;
/// Matrices whose entries are no further from one than that power of two are narrowed as they are.
constexpr int usual_exponent = 30;
constexpr std::int64_t more_iterations = 4;  ///< times as many for a method that is nearly half way
/// Multigrid, set-up and solution, as iterations of conjugate gradients on a matrix that is read from memory. In cache
/// iterations are cheaper, and the set-up is not.
constexpr double work_of_multigrid = 150;
// Bytes of A, the same on every machine, as bits of solutions are.
constexpr double bytes_in_cache = 1 << 26;
constexpr double bytes_of_quick_factors = 1 << 24;  ///< of more, incomplete factors take longer than multigrid's levels

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

/// A few steps of conjugate gradients on a vector with something of every direction: negative curvature, or none met.
template <class T> bool meets_negative_curvature(const linear_operator<T>& a) {
  constexpr int steps = 12;
  solver::operations<T> ops(a, nullptr);
  const std::int64_t n = a.rows();
  const auto r = ops.zeros(n), p = ops.zeros(n), q = ops.zeros(n);
  std::vector<T> start(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = T(static_cast<real_of<T>>(static_cast<double>((i * 7919 + 13) % 1009) / 1009 - 0.5));
  ops.space().from_host(start, r);
  ops.copy(r, p);
  auto rho = ops.square(r);
  for (int k = 0; k < steps && rho > 0; ++k) {
    const auto curvature = std::real(ops.apply_and_dot(p, q));
    if (!(curvature >= 0)) return true;
    if (curvature == 0) return false;
    const auto next = ops.axpy_and_square(T(-(rho / curvature)), q, r);
    ops.axpby(T(1), r, T(next / rho), p);
    rho = next;
  }
  return false;
}

/// A method that takes turns.
template <class T> struct contender {
  solve_attempt attempt;
  std::vector<T> x;
  std::unique_ptr<solver::resumable<T>> run;
  bool is_out = false;
  bool is_told = false;  ///< the attempt has its report
};

/// One system, and what has been made for it.
template <class T, class Index> class auto_solver {
 public:
  using narrow = narrow_of<T>;

  auto_solver(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x, const auto_options& options,
              const plan<T, Index>* given = nullptr)
      : a_(a), b_(b), x_(x), options_(options), wide_(a, options_, given) {
    options_.solve = solver::settled<T>(options.solve);
  }

  auto_report go() {
    report_.facts = facts_of(a_);
    largest_ = largest_entry();
    if (options_.direct) return solved_directly();
    const auto begin = clock::now();
    const bool is_square = a_.rows == a_.cols;
    const bool is_lsqr = options_.method ? traits_of(*options_.method).least_squares : !is_square;
    if (is_lsqr && (options_.preconditioner || options_.mixed))
      throw error(errc::invalid_argument,
                  text("A is ", a_.rows, " x ", a_.cols, " and solved by lsqr, which takes ",
                       options_.preconditioner ? "no preconditioner" : "no mixed precision", "; leave it out"));
    const auto& product =
        wide_.product_for(is_square ? options_.method.value_or(solve_method::cg) : solve_method::lsqr);
    if (options_.mixed) make_narrow();
    report_.plan_seconds = seconds_since(begin);
    if (report_.facts.hermitian) report_.facts.indefinite = meets_negative_curvature(product);
    choices_ = candidates();
    const std::optional<std::size_t> winner = take_turns();
    tell(winner);
    report_.layout = wide_.layout();
    report_.read_gbs = wide_.read_gbs();
    return std::move(report_);
  }

 private:
  /// The largest part of an entry. Throws error(invalid_matrix) where one is not finite.
  [[nodiscard]] real_of<T> largest_entry() const {
    using real = real_of<T>;
    const auto size_of = [](T entry) {
      if constexpr (is_complex<T>) {
        const real larger = std::max(std::fabs(entry.real()), std::fabs(entry.imag()));
        return std::isnan(entry.real()) ? entry.real() : std::isnan(entry.imag()) ? entry.imag() : larger;
      } else {
        return std::fabs(entry);
      }
    };
    std::mutex joining;
    real largest = 0;
    auto first = std::numeric_limits<std::int64_t>::max();  // entry that is not finite
    summation::parallel_ranges(static_cast<std::int64_t>(a_.values.data.size()),
                               [&](std::int64_t begin, std::int64_t end) {
                                 real mine = 0;
                                 std::int64_t k = begin;
                                 for (; k < end; ++k) {
                                   const real size = size_of(a_.values.data[static_cast<std::size_t>(k)]);
                                   if (!std::isfinite(size)) break;
                                   mine = std::max(mine, size);
                                 }
                                 const std::scoped_lock lock(joining);
                                 largest = std::max(largest, mine);
                                 if (k < end) first = std::min(first, k);
                               });
    if (first == std::numeric_limits<std::int64_t>::max() || a_.nnz() == 0) return largest;
    const auto row = std::upper_bound(a_.row_offsets.begin(), a_.row_offsets.end(), first) - a_.row_offsets.begin() - 1;
    throw error(errc::invalid_matrix, text("A has an entry that is not finite, in row ", row, " and column ",
                                           a_.columns[static_cast<std::size_t>(first)], " counted from 0"));
  }

  auto_report solved_directly() {
    solve_attempt one;
    one.choice.why = "as requested";
    one.choice.direct = true;
    report_.layout = "no plan";
    one.report = solve_direct(a_, b_, x_, {options_.solve.tolerance, report_.facts.hermitian});
    report_.attempts.push_back(std::move(one));
    return std::move(report_);
  }

  [[nodiscard]] std::vector<solver_choice> candidates() const {
    if (options_.method) {
      solver_choice asked{*options_.method, options_.preconditioner, "as requested"};
      if (!asked.preconditioner && !options_.no_preconditioner && !traits_of(*options_.method).least_squares &&
          report_.facts.diagonal_spread > 2 && report_.facts.positive_diagonal)
        asked.preconditioner = preconditioner_kind::jacobi;
      return {asked};
    }
    std::vector<solver_choice> different;
    for (solver_choice& choice : choices_for(report_.facts)) {
      if (options_.no_preconditioner) choice.preconditioner.reset();
      if (options_.preconditioner && !traits_of(choice.method).least_squares) {
        if (choice.preconditioner != options_.preconditioner) choice.why = "with the preconditioner as requested";
        choice.preconditioner = options_.preconditioner;
      }
      if (choice.preconditioner && solver::is_variable(*choice.preconditioner, options_.multigrid)) {
        if (choice.method == solve_method::gmres) choice.method = solve_method::fgmres;
        if (!traits_of(choice.method).takes_variable) continue;
      }
      if (std::none_of(different.begin(), different.end(), [&](const solver_choice& other) {
            return other.method == choice.method && other.preconditioner == choice.preconditioner;
          }))
        different.push_back(choice);
    }
    if (bytes_of_a() > bytes_of_quick_factors) {
      const auto place_of = [&](preconditioner_kind kind) {
        return std::find_if(different.begin(), different.end(), [&](const solver_choice& choice) {
          return choice.method == solve_method::bicgstab && choice.preconditioner == kind;
        });
      };
      const auto factors = place_of(preconditioner_kind::ilu0);
      const auto levels = place_of(preconditioner_kind::amg);
      if (factors < levels && levels != different.end()) {
        levels->why = "a large matrix whose diagonal outweighs some rows, as of a flow: multigrid, before factors";
        std::rotate(factors, levels, levels + 1);
      }
    }
    return different;
  }

  [[nodiscard]] double bytes_of_a() const { return static_cast<double>(a_.nnz()) * (sizeof(T) + sizeof(Index)); }

  void make_narrow() {
    if constexpr (std::is_same_v<T, narrow>) {
      throw error(errc::invalid_argument,
                  "mixed precision needs a matrix of double or complex double: there is no type of half the precision");
    } else {
      const auto count = static_cast<std::int64_t>(a_.values.data.size());
      narrow_values_ = buffer<narrow>(count);
      // Near one, where the narrow type has its range; even, so that square roots keep their digits.
      exponent_of_narrow_ = largest_ > 0 ? std::ilogb(largest_) / 2 * 2 : 0;
      if (std::abs(exponent_of_narrow_) < usual_exponent) exponent_of_narrow_ = 0;
      const int half = exponent_of_narrow_ / 2;
      const T first(std::ldexp(real_of<T>(1), -half));
      const T second(std::ldexp(real_of<T>(1), half - exponent_of_narrow_));
      summation::parallel_for(count, [&](std::int64_t k) {
        narrow_values_[k] = static_cast<narrow>(a_.values.data[static_cast<std::size_t>(k)] * first * second);
      });
      const csr_view<narrow, Index> view{a_.rows, a_.cols, a_.row_offsets, a_.columns, {narrow_values_, a_.values.iso}};
      narrow_.emplace(view, options_);
    }
  }

  [[nodiscard]] std::int64_t most() const {
    return options_.solve.max_iterations > 0 ? options_.solve.max_iterations
                                             : std::max<std::int64_t>(1000, 10 * a_.cols);
  }

  /// Every turn has a multiple of the work of the one before, and one method more. Which one converged.
  std::optional<std::size_t> take_turns() {
    contenders_.reserve(choices_.size());
    double turn = choices_.size() == 1             ? std::numeric_limits<double>::infinity()
                  : bytes_of_a() <= bytes_in_cache ? first_turn
                                                   : first_turn_from_memory;
    for (;; turn *= next_turn) {
      if (contenders_.size() < choices_.size()) {
        enter(choices_[contenders_.size()]);
        if (contenders_.size() > 1 && !contenders_.back().is_out && go_on(contenders_.back(), fewest_iterations))
          return contenders_.size() - 1;
      }
      bool all_out = contenders_.size() == choices_.size();
      for (const std::size_t i : by_work_left()) {
        contender<T>& one = contenders_[i];
        if (!one.is_out && advance(one, turn)) return i;
        all_out = all_out && one.is_out;
      }
      if (all_out) return std::nullopt;
      if (is_at_rounding_errors_) return last_turns(turn);
    }
  }

  /// One method has come to the rounding errors of A x. Those that have not had a turn get one, since an x that is
  /// smaller has smaller ones, as minres finds it for a singular matrix; then it ends.
  std::optional<std::size_t> last_turns(double turn) {
    while (contenders_.size() < choices_.size()) {
      enter(choices_[contenders_.size()]);
      if (!contenders_.back().is_out && advance(contenders_.back(), turn)) return contenders_.size() - 1;
    }
    return std::nullopt;
  }

  /// Those that seem to need the least work first; where that cannot be said, the newest, and the others as they came.
  [[nodiscard]] std::vector<std::size_t> by_work_left() const {
    std::vector<std::size_t> order(contenders_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::rotate(order.begin(), order.end() - 1, order.end());
    std::vector<double> left;
    for (const contender<T>& one : contenders_) left.push_back(one.is_out ? 0 : work_left(one));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return left[i] < left[j]; });
    return order;
  }

  void enter(const solver_choice& choice) {
    contender<T>& one = contenders_.emplace_back();
    one.attempt.choice = choice;
    one.x.assign(x_.begin(), x_.end());
    const auto begin = clock::now();
    try {
      one.run = make_run(choice, one);
    } catch (const error& problem) {
      if (problem.code() != errc::invalid_matrix || options_.method) throw;
      one.attempt.report.outcome = solve_outcome::broke_down;
      one.attempt.report.reason = problem.what();
      one.attempt.report.true_residual = std::numeric_limits<double>::infinity();
      one.is_out = one.is_told = true;
    }
    one.attempt.prepare_seconds = seconds_since(begin);
  }

  std::unique_ptr<solver::resumable<T>> make_run(const solver_choice& choice, contender<T>& one) {
    const auto& product = wide_.product_for(choice.method);
    if constexpr (!std::is_same_v<T, narrow>)
      if (options_.mixed && !traits_of(choice.method).least_squares) {
        const auto* m = narrow_->preconditioner_for(one.attempt);
        return std::make_unique<solver::refined_run<T>>(choice.method, product, narrow_->product_for(choice.method),
                                                        exponent_of_narrow_, b_, one.x, options_.solve, m);
      }
    const auto* m = wide_.preconditioner_for(one.attempt);
    return solver::make_resumable<T>(choice.method, product, b_, one.x, options_.solve, m);
  }

  /// As iterations of conjugate gradients.
  [[nodiscard]] double work_of(const solver_choice& choice) const {
    return solver::work_of(choice, static_cast<double>(a_.rows), static_cast<double>(a_.nnz()),
                           static_cast<double>(sizeof(T)), options_.solve.restart);
  }
  [[nodiscard]] double work_left(const contender<T>& one) const {
    return work_of(one.attempt.choice) * solver::iterations_left(one.run->so_far().history, options_.solve.tolerance);
  }

  /// One turn of one method; whether it ends them all.
  bool advance(contender<T>& one, double turn) {
    const double iterations = turn * one.attempt.choice.share / work_of(one.attempt.choice);
    const std::int64_t until = iterations < static_cast<double>(most())
                                   ? std::max(fewest_iterations, static_cast<std::int64_t>(iterations))
                                   : most();
    if (go_on(one, until)) return true;
    return !one.is_out && deserves_more(one, until) && go_on(one, std::min(more_iterations * until, most()));
  }

  /// Up to that number of iterations; whether it ends them all.
  bool go_on(contender<T>& one, std::int64_t until) {
    if (!one.run->go_on(until)) {
      one.is_out = until >= most() || solver::is_hopeless(one.attempt.choice.method, one.run->so_far().history);
      return false;
    }
    one.is_out = one.is_told = true;
    is_at_rounding_errors_ = is_at_rounding_errors_ || one.run->is_at_rounding_errors();
    solve_report& report = one.attempt.report;
    report = one.run->report();
    if (!options_.method && a_.rows == a_.cols && report.converged() &&
        report.true_residual > options_.solve.tolerance) {
      report.outcome = solve_outcome::stagnated;
      report.reason = "b is not in the range of A, which is singular; x is the least-squares solution";
    }
    return report.converged() || report.outcome == solve_outcome::stopped;
  }

  /// Nearly half of the digits are there, and where multigrid comes next, the others seem to cost less than that.
  [[nodiscard]] bool deserves_more(const contender<T>& one, std::int64_t until) const {
    const auto history = one.run->so_far().history;
    if (history.empty() || std::log10(history.back()) > 0.4 * std::log10(options_.solve.tolerance)) return false;
    const std::size_t next = contenders_.size();
    if (next == choices_.size() || choices_[next].preconditioner != preconditioner_kind::amg) return true;
    const double worth = bytes_of_a() <= bytes_in_cache
                             ? static_cast<double>((more_iterations - 1) * until) * work_of(one.attempt.choice)
                             : work_of_multigrid;
    return work_left(one) <= worth;
  }

  /// The winner, or else the one that came closest, is told last and gives x.
  void tell(std::optional<std::size_t> winner) {
    if (!winner) {
      winner = 0;
      for (std::size_t i = 0; i < contenders_.size(); ++i) {
        contender<T>& one = contenders_[i];
        if (!one.is_told) one.attempt.report = one.run->report();
        one.is_told = true;
        if (residual_of(one) < residual_of(contenders_[*winner])) winner = i;
      }
    }
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (i == *winner) continue;
      contender<T>& one = contenders_[i];
      if (!one.is_told) {
        one.attempt.report = one.run->so_far();
        one.attempt.report.outcome = one.is_out ? solve_outcome::stagnated : solve_outcome::stopped;
        one.attempt.report.reason = one.is_out ? "it made no progress" : "another method was faster";
        one.attempt.report.true_residual = std::numeric_limits<double>::quiet_NaN();
      }
      report_.attempts.push_back(std::move(one.attempt));
    }
    std::copy(contenders_[*winner].x.begin(), contenders_[*winner].x.end(), x_.begin());
    report_.attempts.push_back(std::move(contenders_[*winner].attempt));
  }
  static double residual_of(const contender<T>& one) {
    const double residual = one.attempt.report.true_residual;
    return std::isnan(residual) ? std::numeric_limits<double>::infinity() : residual;
  }

  const csr_view<T, Index>& a_;
  std::span<const T> b_;
  std::span<T> x_;
  auto_options options_;
  auto_report report_;
  solver::prepared_matrix<T, Index> wide_;
  buffer<narrow> narrow_values_;
  real_of<T> largest_ = 0;      ///< part of an entry
  int exponent_of_narrow_ = 0;  ///< the narrow matrix is A over that power of two
  std::optional<solver::prepared_matrix<narrow, Index>> narrow_;
  std::vector<solver_choice> choices_;
  std::vector<contender<T>> contenders_;  ///< those whose turn has come
  bool is_at_rounding_errors_ = false;    ///< one of them
};

}  // namespace

template <class T, class Index>
auto_report solve_auto(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x, const auto_options& options) {
  const summation::rounding_guard guard;
  return auto_solver<T, Index>(a, b, x, options).go();
}

template <class T, class Index>
auto_report solve_auto(const plan<T, Index>& a, std::span<const T> b, std::span<T> x, const auto_options& options) {
  const plan_data<T, Index>& data = *a.internals();
  if (data.on_device != nullptr)
    throw error(errc::unsupported,
                "the entries of a plan of a device cannot be read back: give the matrix and auto_options.device, or "
                "choose the method, as in cg(plan, b, x)");
  if (options.device != data.options.device)
    throw error(errc::invalid_argument, text("the plan is for the processor, auto_options.device is ",
                                             name_of(options.device), ": give the matrix instead of the plan"));
  auto_options mine = options;
  if (mine.threads == 0) mine.threads = data.options.threads;
  csr_matrix<T, Index> rows = csr_of(data.plain);
  if (!is_canonical(rows.view())) rows = canonical(rows.view(), duplicates::sum);  // reordered plans
  const csr_view<T, Index> view = rows.view();
  const summation::rounding_guard guard;
  return auto_solver<T, Index>(view, b, x, mine, &a).go();
}

#define LACIS_INSTANTIATE(T, Index)                                                                      \
  template LACIS_API auto_report solve_auto(const csr_view<T, Index>&, std::span<const T>, std::span<T>, \
                                            const auto_options&);                                        \
  template LACIS_API auto_report solve_auto(const plan<T, Index>&, std::span<const T>, std::span<T>,     \
                                            const auto_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
