// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The driver of methods for eigenvalues: what is asked for, when it stops, and the only place that decides whether a
// pair has converged.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "solve/checkpoint.hpp"
#include "solve/device_space.hpp"
#include "solve/eigen/iteration.hpp"
#include "solve/stop.hpp"
#include "summation/environment.hpp"
#include "summation/hash.hpp"

namespace lacis {

std::string_view name_of(eigen_part part) {
  constexpr std::array<std::string_view, eigen_parts> names = {"smallest", "largest", "both", "magnitude"};
  return names[static_cast<std::size_t>(part)];
}

std::string_view name_of(eigen_method method) {
  constexpr std::array<std::string_view, eigen_methods> names = {"lobpcg", "lanczos"};
  return names[static_cast<std::size_t>(method)];
}

namespace solver {
namespace {

template <value T> class eigen_run {
 public:
  using vector = space_vector<T>;

  eigen_run(const linear_operator<T>& a, std::int64_t pairs, const eigen_options<T>& options)
      : a_(a),
        options_(options),
        pencil_(a, options, [this] { ask_monitor(); }),
        pairs_(static_cast<std::size_t>(pairs)) {
    const bool needs_lobpcg = options.b.get() != nullptr || options.preconditioner.get() != nullptr;
    result_.method = options.method.value_or(needs_lobpcg ? eigen_method::lobpcg : eigen_method::lanczos);
    require_sense(a, pairs, needs_lobpcg);
  }

  eigen_result<T> operator()() {
    const auto begin = std::chrono::steady_clock::now();
    const summation::rounding_guard guard;
    iteration_ = make_iteration();
    try {
      run();
      pencil_.space().settle();
    } catch (const stop_asked&) {
      is_stopped_ = true;
      end(solve_outcome::stopped, "stopped by the monitor");
    }
    if (has_started_ && !is_judged_) judge(iteration_->pairs());
    take_out();
    if (checkpoint_ && result_.converged() && !options_.keep_checkpoint) checkpoint_->remove();
    result_.products = pencil_.products();
    result_.shares = pencil_.shares();
    result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  void require_sense(const linear_operator<T>& a, std::int64_t pairs, bool needs_lobpcg) const {
    if (a.rows() != a.cols())
      throw error(errc::invalid_argument,
                  detail::text("eigenvalues need a square matrix, not one of ", a.rows(), " x ", a.cols()));
    if (pairs < 1 || pairs > pencil_.size())
      throw error(errc::invalid_argument,
                  detail::text("a matrix of ", pencil_.size(), " rows has no ", pairs, " eigenvalues to compute"));
    for (const auto* other : {options_.b.get(), options_.preconditioner.get()}) {
      if (other == nullptr) continue;
      if (other->rows() != a.rows() || other->cols() != a.cols())
        throw error(errc::invalid_argument, "B or the preconditioner does not have the size of the matrix");
      require_same_device(a, *other, "B or the preconditioner");
    }
    if (options_.start.cols > 0 && options_.start.rows != a.rows())
      throw error(errc::invalid_argument, detail::text("start vectors have ", options_.start.rows,
                                                       " elements, the matrix has ", a.rows(), " rows"));
    if (!(options_.tolerance >= 0) || !(options_.absolute_tolerance >= 0))
      throw error(errc::invalid_argument, "the tolerance must not be negative");
    if (!options_.checkpoint.empty() && options_.checkpoint_every < 1)
      throw error(errc::invalid_argument, "checkpoint_every must be at least 1");
    const bool is_block = result_.method == eigen_method::lobpcg;
    if (needs_lobpcg && !is_block)
      throw error(errc::invalid_argument, "lanczos takes neither a preconditioner nor a matrix B; lobpcg does");
    if (is_block && options_.part != eigen_part::smallest && options_.part != eigen_part::largest)
      throw error(errc::invalid_argument, "lobpcg finds the smallest or the largest eigenvalues; lanczos finds others");
    const std::int64_t least = is_block ? pairs : pairs + 2;
    if (options_.vectors != 0 && options_.vectors < least)
      throw error(errc::invalid_argument, detail::text(name_of(result_.method), " needs ", least, " vectors for ",
                                                       pairs, " pairs, not ", options_.vectors));
  }

  /// Spaces of so few dimensions are searched at once.
  static constexpr std::int64_t few = 64;

  [[nodiscard]] std::unique_ptr<eigen_iteration<T>> make_iteration() {
    const auto asked = static_cast<std::size_t>(options_.vectors);
    const auto size = static_cast<std::size_t>(pencil_.size());
    if (result_.method == eigen_method::lobpcg) {
      // Two more converge faster than the last wanted one; kernels take vectors by fours.
      const std::size_t vectors = asked > 0 ? asked : (pairs_ + 2 + 3) / 4 * 4;
      if (size <= std::max<std::size_t>(few, 3 * vectors)) return make_whole_search();
      most_ = options_.max_iterations > 0 ? options_.max_iterations : 1000;
      return make_lobpcg(pencil_, pairs_, vectors, options_.part);
    }
    // A given vector may lack an eigenvector; two arbitrary ones beside it spare a search for copies.
    const std::size_t width = options_.start.cols > 0 ? 3 : 2;
    // More spare products where they converge slowly, and cost as much in reading the basis where they converge fast.
    const std::size_t enough = std::max({2 * pairs_, pairs_ + 20, std::min(4 * pairs_, pairs_ + 30)}) + 2;
    const std::size_t vectors = std::max(asked > 0 ? asked : enough, pairs_ + width);
    if (size < std::max<std::size_t>(few, vectors) + width) return make_whole_search();
    most_ = options_.max_iterations > 0 ? options_.max_iterations : std::max<std::int64_t>(1000, 5 * pencil_.size());
    return make_lanczos(pencil_, {pairs_, width, vectors, asked > 0 ? vectors : most_vectors(vectors)}, options_.part);
  }

  /// What a basis of lanczos may grow to: about the root of the size, where rotations of the projected matrix cost as
  /// much as the products that more vectors spare, and no more than 256 MiB of doubles.
  [[nodiscard]] std::size_t most_vectors(std::size_t at_first) const {
    const auto size = static_cast<std::size_t>(pencil_.size());
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(size)));
    return std::max(at_first, std::min({2 * std::max(at_first, root), size / 2, (std::size_t{1} << 25) / size}));
  }

  [[nodiscard]] std::unique_ptr<eigen_iteration<T>> make_whole_search() {
    most_ = options_.max_iterations > 0 ? options_.max_iterations : std::numeric_limits<std::int64_t>::max();
    return make_whole(pencil_, pairs_, options_.part);
  }

  void end(solve_outcome outcome, std::string reason) {
    result_.outcome = outcome;
    result_.reason = std::move(reason);
  }

  /// Not again once it has ended the search: what there is has still to be checked.
  void ask_monitor() {
    if (!options_.monitor || is_stopped_) return;
    const eigen_state now = iteration_->state();
    try {
      if (options_.monitor({result_.iterations, now.converged, now.residual})) return;
    } catch (...) {
      return pencil_.space().ask_to_stop(std::current_exception());
    }
    pencil_.space().ask_to_stop(nullptr);
  }

  void run() {
    if (!pencil_.bring_near_one()) return end(solve_outcome::broke_down, eigen_iteration<T>::not_finite);
    if (!resume() && !iteration_->start()) return end(solve_outcome::broke_down, iteration_->fault());
    has_started_ = true;
    for (;;) {
      if (iteration_->state().is_there) {
        const double farthest = judge(iteration_->pairs());
        if (farthest <= 1)
          return end(solve_outcome::converged, detail::text("all ", pairs_, " residuals are within the tolerance"));
        if (!std::isfinite(farthest)) return end(solve_outcome::broke_down, eigen_iteration<T>::not_finite);
        if (!(farthest <= closest_ / 2) || !iteration_->refresh())
          return end(solve_outcome::stagnated,
                     detail::text("converged by estimates, but a true residual stays at ", farthest,
                                  " times its limit: the attainable accuracy is reached; relax the tolerance"));
        closest_ = farthest;
        is_judged_ = false;
      }
      if (result_.iterations >= most_)
        return end(solve_outcome::max_iterations, out_of_iterations(iteration_->state()));
      if (!iteration_->step()) return end(solve_outcome::broke_down, iteration_->fault());
      ++result_.iterations;
      result_.history.push_back(iteration_->state().residual);
      ask_monitor();
      if (checkpoint_ && iteration_->has_states() && result_.iterations % options_.checkpoint_every == 0) {
        pencil_.space().settle();
        save();
      }
    }
  }

  /// A, B, the preconditioner, the start vectors and what is asked for: another problem has another number.
  [[nodiscard]] std::uint64_t number_of_system() {
    vector_space<T>& space = pencil_.space();
    const vector x = pencil_.zeros();
    const vector y = pencil_.zeros();
    pencil_.fill_weights(x);
    std::uint64_t number = a_.hash();
    if (number == 0) {
      pencil_.ops().apply(x, y);
      number = space.hash(y);
    }
    pencil_.ops().precondition(x, y);
    number = summation::mix(number + space.hash(y));
    if (pencil_.has_b()) {
      pencil_.apply_b({&x, 1}, {&y, 1});
      number = summation::mix(number + space.hash(y));
    }
    for (std::int64_t j = 0; j < options_.start.cols; ++j) {
      pencil_.fill(x, static_cast<std::uint64_t>(j));
      number = summation::mix(number + space.hash(x));
    }
    for (const auto asked : {static_cast<std::uint64_t>(pairs_), static_cast<std::uint64_t>(options_.vectors),
                             static_cast<std::uint64_t>(options_.part), static_cast<std::uint64_t>(result_.method)})
      number = summation::mix(number + asked);
    return number == 0 ? 1 : number;
  }

  /// False where there is no state to go on from, and where one cannot be of this method: then all is as before.
  bool resume() {
    if (options_.checkpoint.empty()) return false;
    result_.system = number_of_system();
    checkpoint_.emplace(pencil_.space().make_state_files(options_.checkpoint), result_.system);
    const auto found = checkpoint_->newest();
    if (!found) return false;
    try {
      reading_archive<T> state(pencil_.space(), *checkpoint_, found->numbers);
      exchange(state);
      state.require_end();
    } catch (const error& problem) {
      if (problem.code() != errc::bad_input) throw;
      closest_ = std::numeric_limits<double>::infinity();
      pencil_.forget();
      iteration_ = make_iteration();
      return false;
    }
    iteration_->derive();
    result_.iterations = result_.resumed_at = found->iteration;
    result_.history = found->history;
    return true;
  }
  void save() {
    solver_state now{result_.iterations, result_.history, {}, {}};
    writing_archive<T> state(pencil_.space(), now);
    exchange(state);
    checkpoint_->save(now);
  }
  void exchange(archive<T>& state) {
    state.number(closest_);
    pencil_.exchange(state);
    iteration_->exchange(state);
  }

  [[nodiscard]] std::string out_of_iterations(const eigen_state& now) const {
    if (now.converged == static_cast<std::int64_t>(pairs_))
      return detail::text("all ", pairs_,
                          " pairs converged, but the search for further copies of an eigenvalue did not finish in ",
                          result_.iterations, " iterations: one may be missing; allow more iterations or more vectors");
    const char* advice = "allow more iterations or more vectors";
    if (options_.part == eigen_part::smallest && options_.preconditioner.get() == nullptr)
      advice = "allow more iterations, or take lobpcg with a preconditioner";
    return detail::text(now.converged, " of ", pairs_, " pairs converged in ", result_.iterations, " iterations; ",
                        advice);
  }

  /// Scales the vectors and gives them their sign, then computes values and residuals with A. How far the farthest is,
  /// in units of its limit.
  double judge(found_pairs<T> found) {
    is_judged_ = true;
    judged_ = std::move(found);
    auto& ops = pencil_.ops();
    const vector ax = pencil_.zeros();
    const vector bx = pencil_.has_b() ? pencil_.zeros() : vector();
    const vector weights = pencil_.zeros();
    pencil_.fill_weights(weights);
    const std::size_t count = judged_.vectors.size();
    residuals_.assign(count, 0);
    limits_.assign(count, 0);
    double farthest = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const vector& x = judged_.vectors[j];
      give_sign(x, weights);
      if (pencil_.has_b()) pencil_.apply_b({&x, 1}, {&bx, 1});
      const double length = pencil_.has_b() ? std::sqrt(std::real(ops.dot(x, bx))) : double{ops.length(x)};
      if (length != 1) {
        const T factor = T(static_cast<real_of<T>>(1 / length));
        ops.scale(factor, x);
        if (pencil_.has_b()) ops.scale(factor, bx);
      }
      pencil_.apply(x, ax);
      const double w = std::real(ops.dot(x, ax));
      judged_.values[j] = w;
      limits_[j] = pencil_.has_b() ? pencil_.limit(w, ops.length(x), ops.length(bx)) : pencil_.limit(w);
      pencil_.residual(ax, pencil_.has_b() ? bx : x, w, ax);
      residuals_[j] = ops.length(ax);
      const double far = residuals_[j] <= limits_[j] ? 1 : residuals_[j] / limits_[j];
      farthest = far <= farthest ? farthest : far;
    }
    return farthest;
  }

  void give_sign(const vector& x, const vector& weights) {
    const T sum = pencil_.ops().dot(weights, x);
    const auto length = magnitude_of(sum);
    if (!(length > 0)) return;
    const T turn = divide(conjugate(sum), T(length));
    if (turn != T(1)) pencil_.ops().scale(turn, x);
  }

  /// Pairs in ascending order.
  void take_out() {
    const std::size_t count = judged_.vectors.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return judged_.values[x] < judged_.values[y]; });
    const std::int64_t rows = pencil_.ops().rows();
    result_.vectors = buffer<T>(rows * static_cast<std::int64_t>(count));
    T* next = result_.vectors.data();
    for (const std::size_t j : order) {
      result_.values.push_back(pencil_.unscaled(judged_.values[j]));
      result_.residuals.push_back(pencil_.unscaled(residuals_[j]));
      result_.is_converged.push_back(residuals_[j] <= limits_[j]);
      result_.hash = summation::mix(result_.hash + pencil_.space().hash(judged_.vectors[j]));
      pencil_.space().to_host(judged_.vectors[j], {next, static_cast<std::size_t>(rows)});
      next += rows;
    }
    const auto is_finite = [](double one) { return std::isfinite(one); };
    if (result_.converged() && !std::ranges::all_of(result_.values, is_finite))
      end(solve_outcome::out_of_range, "an eigenvalue is above the range of numbers; scale A");
  }

  const linear_operator<T>& a_;
  const eigen_options<T>& options_;
  pencil<T> pencil_;
  std::size_t pairs_;
  std::int64_t most_ = 1;
  std::unique_ptr<eigen_iteration<T>> iteration_;
  std::optional<checkpoint> checkpoint_;
  double closest_ = std::numeric_limits<double>::infinity();  ///< of what was judged before, in units of its limit
  bool has_started_ = false;
  bool is_stopped_ = false;
  bool is_judged_ = false;
  found_pairs<T> judged_;
  std::vector<double> residuals_;
  std::vector<double> limits_;
  eigen_result<T> result_;
};

}  // namespace
}  // namespace solver

template <value T>
eigen_result<T> eigs(const linear_operator<T>& a, std::int64_t pairs, const eigen_options<T>& options) {
  eigen_result<T> result;
  const auto number = [](const auto& argument) { return std::hash<std::decay_t<decltype(argument)>>{}(argument); };
  const std::array<solver::same_argument, 11> arguments = {
      {{"pairs", number(pairs)},
       {"options.part", static_cast<std::uint64_t>(options.part)},
       {"options.method", options.method ? static_cast<std::uint64_t>(*options.method) + 1 : 0},
       {"options.tolerance", number(options.tolerance)},
       {"options.absolute_tolerance", number(options.absolute_tolerance)},
       {"options.max_iterations", number(options.max_iterations)},
       {"options.vectors", number(options.vectors)},
       {"options.start", number(options.start.cols)},
       {"options.checkpoint", options.checkpoint.empty() ? 0U : 1U},
       {"options.checkpoint_every", number(options.checkpoint_every)},
       {"options.preconditioner or options.b",
        (options.preconditioner.get() == nullptr ? 0U : 1U) + (options.b.get() == nullptr ? 0U : 2U)}}};
  a.space().together("eigs()", arguments, [&] { result = solver::eigen_run<T>(a, pairs, options)(); });
  return result;
}

#define LACIS_INSTANTIATE(T) \
  template LACIS_API eigen_result<T> eigs(const linear_operator<T>&, std::int64_t, const eigen_options<T>&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
