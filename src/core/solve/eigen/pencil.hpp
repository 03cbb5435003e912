// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A and B of A x = w B x on blocks of vectors, timed, and when a pair counts as converged.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"
#include "solve/eigen/small_matrix.hpp"
#include "solve/methods/iteration.hpp"
#include "solve/operations.hpp"
#include "solve/scaled_system.hpp"
#include "summation/hash.hpp"

namespace lacis::solver {

template <value T> using block = std::vector<space_vector<T>>;

template <value T> class pencil {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;
  using wide = wide_of<T>;

  /// `alive` is called now and then during long work on one thread.
  pencil(const linear_operator<T>& a, const eigen_options<T>& options, pulse alive = {})
      : ops_(a, options.preconditioner.get()), options_(options), alive_(std::move(alive)) {
    if (has_b()) ops_of_b_.emplace(*options.b.get(), nullptr);
    const vector one = ops_.zeros(a.rows());
    place_ = ops_.space().place(one);
  }

  /// Brings A near one by a power of two where its products are far from it: then squares neither overflow nor vanish.
  /// From here on everything is of the scaled A. False where its products are not finite.
  [[nodiscard]] bool bring_near_one() {
    const vector image = zeros();
    const auto exponent_of = [&](auto&& product, int& exponent) {
      return find_exponent(ops_, ops_.cols(), image, product, exponent);
    };
    int of_a = 0;
    int of_m = 0;
    if (!exponent_of([&](const vector& x, const vector& y) { ops_.apply(x, y); }, of_a)) return false;
    if (std::abs(of_a) < usual_exponent<real>) return true;
    if (ops_.is_preconditioned() &&
        !exponent_of([&](const vector& x, const vector& y) { ops_.precondition(x, y); }, of_m))
      return false;
    ops_.scale_operators(of_a, of_m);
    return true;
  }
  /// An eigenvalue or a residual of the scaled A, as it is for the given one.
  [[nodiscard]] double unscaled(double x) const { return std::ldexp(x, ops_.exponent_of_a()); }

  [[nodiscard]] operations<T>& ops() { return ops_; }
  [[nodiscard]] const pulse& alive() const { return alive_; }
  [[nodiscard]] vector_space<T>& space() { return ops_.space(); }
  [[nodiscard]] bool has_b() const { return options_.b.get() != nullptr; }
  [[nodiscard]] std::int64_t size() const { return place_.whole; }
  [[nodiscard]] std::int64_t products() const { return products_; }
  [[nodiscard]] static constexpr double precision() { return std::numeric_limits<real>::epsilon(); }

  [[nodiscard]] vector zeros() { return ops_.zeros(ops_.rows()); }
  [[nodiscard]] block<T> zeros(std::size_t count) {
    block<T> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(zeros());
    return all;
  }

  void apply(const vector& x, const vector& y) {
    ops_.apply(x, y);
    ++products_;
  }
  void apply(std::span<const vector> x, std::span<const vector> y) {
    ops_.apply_to_each(x, y);
    products_ += static_cast<std::int64_t>(x.size());
  }
  void apply_b(std::span<const vector> x, std::span<const vector> y) {
    for (std::size_t i = 0; i < x.size(); ++i) ops_of_b_->apply(x[i], y[i]);
  }

  /// x^H y, in double precision. Its memory grows with the number of products, so these are computed in portions.
  [[nodiscard]] small_matrix<wide> gram(std::span<const vector> x, std::span<const vector> y) {
    small_matrix<wide> all(x.size(), y.size());
    if (x.empty()) return all;
    const bool at_once = x.size() * y.size() <= portion;
    const std::size_t step = at_once ? y.size() : std::max<std::size_t>(1, portion / x.size());
    for (std::size_t first = 0; first < y.size(); first += step) {
      const auto some = y.subspan(first, std::min(step, y.size() - first));
      numbers_.resize(x.size() * some.size());
      ops_.gram(x, some, numbers_);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < some.size(); ++j) all(i, first + j) = wide(numbers_[i * some.size() + j]);
    }
    return all;
  }
  /// y = x C, with the factors rounded to the type of the vectors.
  void combine(std::span<const vector> x, const small_matrix<wide>& factors, std::span<const vector> y) {
    numbers_.resize(x.size() * y.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j) numbers_[i * y.size() + j] = static_cast<T>(factors(i, j));
    ops_.combine(numbers_, x, y);
  }

  /// Column `seed` of the given start vectors; behind them, elements that are a hash of their places and `seed`,
  /// between -1/2 and 1/2.
  void fill(const vector& x, std::uint64_t seed) {
    if (seed >= static_cast<std::uint64_t>(options_.start.cols))
      return write(x, [seed](std::uint64_t row) { return element_of(row, seed); });
    const auto column = static_cast<std::int64_t>(seed);
    const auto first = static_cast<std::uint64_t>(place_.first);
    write(x, [&](std::uint64_t row) { return options_.start(static_cast<std::int64_t>(row - first), column); });
    const double length = ops_.length(x);
    if (!(length > 0) || !std::isfinite(length))
      throw error(errc::invalid_argument, detail::text("start vector ", column, " is zero or not finite"));
  }
  /// Column `row` of the identity.
  void fill_unit(const vector& x, std::uint64_t row) {
    write(x, [row](std::uint64_t i) { return i == row ? T(1) : T(0); });
  }
  /// The weights of the sum that decides the sign of an eigenvector: between 1 and 2.
  void fill_weights(const vector& x) {
    write(x, [](std::uint64_t row) { return T(static_cast<real>(1) + fraction_of(row)); });
  }

  /// w loses its parts along the first `size` vectors of an orthonormal basis; gives what they were. The first time the
  /// last `near` are enough, where the others have no part but for rounding errors; then all, and again where that has
  /// taken away more than it has left, of which rounding errors may be a large part (Daniel and others 1976).
  std::vector<wide> take_away(std::span<const vector> basis, std::size_t size, std::size_t near, const vector& w) {
    const small_matrix<wide> sum = take_away(basis, size, near, {&w, 1});
    return sum.elements();
  }
  /// The same for several vectors; column j of what it gives is of w[j].
  small_matrix<wide> take_away(std::span<const vector> basis, std::size_t size, std::size_t near,
                               std::span<const vector> w) {
    small_matrix<wide> sum(size, w.size());
    if (size == 0) return sum;
    std::vector<double> taken(w.size());
    lengths_left_.resize(w.size());
    const auto once = [&](std::size_t first) {
      const auto some = basis.subspan(first, size - first);
      const small_matrix<wide> along = gram(some, w);
      numbers_.resize(some.size() * w.size());
      std::fill(taken.begin(), taken.end(), 0.0);
      for (std::size_t i = 0; i < some.size(); ++i)
        for (std::size_t j = 0; j < w.size(); ++j) {
          sum(first + i, j) += along(i, j);
          taken[j] += std::norm(along(i, j));
          numbers_[i * w.size() + j] = -static_cast<T>(along(i, j));
        }
      ops_.add_combinations(numbers_, some, w);
    };
    const auto took_little = [&] {
      bool little = true;
      for (std::size_t j = 0; j < w.size(); ++j) {
        lengths_left_[j] = ops_.length(w[j]);
        little = little && taken[j] <= lengths_left_[j] * lengths_left_[j];
      }
      return little;
    };
    once(size - near);
    for (int round = 0; round < most_rounds; ++round) {
      once(0);
      if (took_little()) break;
    }
    return sum;
  }
  /// The lengths that the last take_away from a basis that is not empty has left.
  [[nodiscard]] const std::vector<double>& lengths_left() const { return lengths_left_; }
  /// How many vectors to begin with are the caller's.
  [[nodiscard]] std::size_t given_starts() const { return static_cast<std::size_t>(options_.start.cols); }
  /// w becomes a vector of length one that is orthogonal to the first `size` and otherwise arbitrary: start vector
  /// `seed`, or where nothing but rounding errors of that is left, other numbers. False where there is none, or it is
  /// not finite.
  [[nodiscard]] bool fill_beside(std::span<const vector> basis, std::size_t size, std::uint64_t seed, const vector& w) {
    return make_beside(basis, size, seed, w) || make_beside(basis, size, ~seed, w);
  }

  /// r = A x - w B x from the images of x; r may be the image under A.
  void residual(const vector& ax, const vector& bx, double w, const vector& r) {
    if (r.data() != ax.data()) ops_.copy(ax, r);
    ops_.axpy(T(static_cast<real>(-w)), bx, r);
  }

  /// What it has learnt, and how often A was applied.
  void exchange(archive<T>& state) {
    state.number(norm_);
    state.number(products_);
  }
  void forget() {
    norm_ = 0;
    products_ = 0;
  }

  /// |A| is at least so much.
  void learn_norm(double at_least) {
    if (std::isfinite(at_least)) norm_ = std::max(norm_, at_least);
  }
  [[nodiscard]] double norm() const { return norm_; }
  /// What |A x - w B x| must not exceed.
  [[nodiscard]] double limit(double w, double length_of_x = 1, double length_of_bx = 1) const {
    return std::max({options_.tolerance * std::fabs(w) * length_of_bx,
                     std::ldexp(options_.absolute_tolerance, -ops_.exponent_of_a()), floor() * length_of_x});
  }
  /// What |A x - w x| of a vector of length one cannot be expected to be below.
  [[nodiscard]] double floor() const { return 10 * precision() * norm_; }

  /// What was done, the longest first.
  [[nodiscard]] std::vector<solve_share> shares() const {
    std::vector<solve_share> all = ops_.shares();
    if (ops_of_b_)
      for (solve_share& one : ops_of_b_->shares()) {
        if (one.operation == operation_names[static_cast<std::size_t>(operation::apply)]) one.operation = "B x";
        all.push_back(one);
      }
    std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.seconds > y.seconds; });
    return all;
  }

 private:
  static constexpr std::size_t portion = 1024;
  static constexpr int most_rounds = 3;

  [[nodiscard]] bool make_beside(std::span<const vector> basis, std::size_t size, std::uint64_t seed, const vector& w) {
    fill(w, seed);
    double before = ops_.length(w);
    for (int round = 0; round < 2; ++round) {
      static_cast<void>(take_away(basis, size, size, w));
      const double length = ops_.length(w);
      if (!(length > precision() * static_cast<double>(size + 1) * before) || !std::isfinite(length)) return false;
      ops_.scale(T(static_cast<real>(1 / length)), w);
      before = 1;
    }
    return true;
  }

  /// Between 0 and 1, with as many bits as every type holds.
  [[nodiscard]] static real fraction_of(std::uint64_t number) {
    return static_cast<real>(summation::mix(number) >> 40) * static_cast<real>(0x1p-24);
  }
  [[nodiscard]] static T element_of(std::uint64_t row, std::uint64_t seed) {
    const std::uint64_t number = summation::mix(row) + summation::mix(seed + 1);
    const real half = static_cast<real>(0.5);
    if constexpr (is_complex<T>)
      return {fraction_of(number) - half, fraction_of(~number) - half};
    else
      return fraction_of(number) - half;
  }
  template <class Element> void write(const vector& x, Element&& element) {
    const auto first = static_cast<std::uint64_t>(place_.first);
    std::vector<T> host(static_cast<std::size_t>(x.size()));
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = element(first + i);
    ops_.space().from_host(host, x);
  }

  operations<T> ops_;
  const eigen_options<T>& options_;
  pulse alive_;
  std::optional<operations<T>> ops_of_b_;
  vector_place place_;
  double norm_ = 0;
  std::int64_t products_ = 0;
  std::vector<T> numbers_;
  std::vector<double> lengths_left_;
};

}  // namespace lacis::solver
