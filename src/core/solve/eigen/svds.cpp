// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Singular values from the eigenvalues of A^H A or A A^H, checked with A and A^H.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>

#include "base/text.hpp"
#include "solve/operations.hpp"
#include "solve/scalars.hpp"
#include "summation/environment.hpp"
#include "summation/hash.hpp"

namespace lacis {
namespace {

/// A^H A, or A A^H.
template <value T> class normal_operator final : public linear_operator<T> {
 public:
  using typename linear_operator<T>::vector;

  normal_operator(const linear_operator<T>& a, bool adjoint_first)
      : a_(a), adjoint_first_(adjoint_first), between_(a.space().zeros(adjoint_first ? a.cols() : a.rows())) {}

  [[nodiscard]] std::int64_t rows() const override { return adjoint_first_ ? a_.rows() : a_.cols(); }
  [[nodiscard]] std::int64_t cols() const override { return rows(); }
  [[nodiscard]] vector_space<T>& space() const override { return a_.space(); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return 2 * a_.moved_bytes(); }
  void apply(const vector& x, const vector& y) const override {
    if (adjoint_first_) {
      a_.apply_adjoint(x, between_);
      a_.apply(between_, y);
    } else {
      a_.apply(x, between_);
      a_.apply_adjoint(between_, y);
    }
  }

 private:
  const linear_operator<T>& a_;
  bool adjoint_first_;
  vector between_;
};

/// From the eigenvectors of one side to triplets with true residuals.
template <value T> class triplets {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  triplets(const linear_operator<T>& a, bool has_left, double tolerance, singular_result<T>& result)
      : a_(a), space_(a.space()), ops_(a, nullptr), has_left_(has_left), tolerance_(tolerance), result_(result) {}

  void take(const eigen_result<T>& found) {
    const auto count = static_cast<std::int64_t>(found.values.size());
    result_.left = buffer<T>(a_.rows() * count);
    result_.right = buffer<T>(a_.cols() * count);
    const vector u = space_.zeros(a_.rows());
    const vector v = space_.zeros(a_.cols());
    const vector au = space_.zeros(a_.cols());
    const vector av = space_.zeros(a_.rows());
    const vector& known = has_left_ ? u : v;
    const vector& other = has_left_ ? v : u;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t from = count - 1 - k;  // eigenvalues ascend
      space_.from_host({found.vectors.data() + from * known.size(), static_cast<std::size_t>(known.size())}, known);
      has_left_ ? a_.apply_adjoint(known, other) : a_.apply(known, other);
      const double s = ops_.length(other);
      // A singular value of zero has any vector on the other side; zeros say that there is none.
      if (s > 0 && std::isfinite(s)) ops_.scale(T(static_cast<real>(1 / s)), other);
      a_.apply(v, av);
      a_.apply_adjoint(u, au);
      ops_.axpy(T(static_cast<real>(-s)), u, av);
      ops_.axpy(T(static_cast<real>(-s)), v, au);
      const double residual = solver::length_of<double>(ops_.length(av), ops_.length(au));
      const double norm = result_.values.empty() ? s : result_.values.front();
      const double limit = std::max(tolerance_ * s, 10 * double{std::numeric_limits<real>::epsilon()} * norm);
      result_.values.push_back(s);
      result_.residuals.push_back(residual);
      result_.is_converged.push_back(s > 0 && residual <= limit);
      result_.hash = summation::mix(summation::mix(result_.hash + space_.hash(u)) + space_.hash(v));
      space_.to_host(u, {result_.left.data() + k * u.size(), static_cast<std::size_t>(u.size())});
      space_.to_host(v, {result_.right.data() + k * v.size(), static_cast<std::size_t>(v.size())});
    }
  }

 private:
  const linear_operator<T>& a_;
  vector_space<T>& space_;
  solver::operations<T> ops_;
  bool has_left_;
  double tolerance_;
  singular_result<T>& result_;
};

template <value T>
singular_result<T> singular_values(const linear_operator<T>& a, std::int64_t count,
                                   const singular_options<T>& options) {
  const auto begin = std::chrono::steady_clock::now();
  const summation::rounding_guard guard;
  const vector_place rows = a.space().place(a.space().zeros(a.rows()));
  const vector_place cols = a.space().place(a.space().zeros(a.cols()));
  if (count < 1 || count > std::min(rows.whole, cols.whole))
    throw error(errc::invalid_argument, detail::text("a matrix of ", rows.whole, " x ", cols.whole, " has no ", count,
                                                     " singular values to compute"));
  const bool has_left = rows.whole < cols.whole;
  const normal_operator<T> normal(a, has_left);
  const eigen_result<T> found = eigs<T>(normal, count,
                                        {.part = eigen_part::largest,
                                         .method = eigen_method::lanczos,
                                         .tolerance = options.tolerance,
                                         .absolute_tolerance = 0,
                                         .max_iterations = options.max_iterations,
                                         .vectors = options.vectors,
                                         .preconditioner = {},
                                         .b = {},
                                         .start = options.start,
                                         .monitor = options.monitor,
                                         .checkpoint = {},
                                         .checkpoint_every = 100,
                                         .keep_checkpoint = false});
  singular_result<T> result;
  result.iterations = found.iterations;
  result.outcome = found.outcome;
  result.reason = found.reason;
  triplets<T>(a, has_left, options.tolerance, result).take(found);
  const auto converged = std::count(result.is_converged.begin(), result.is_converged.end(), true);
  if (result.converged() && converged < count) {
    result.outcome = solve_outcome::stagnated;
    result.reason =
        detail::text(converged, " of ", count,
                     " singular values are within the tolerance; small ones are lost in the rounding errors "
                     "of A^H A: ask for fewer, or relax the tolerance");
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace

template <value T>
singular_result<T> svds(const linear_operator<T>& a, std::int64_t count, const singular_options<T>& options) {
  singular_result<T> result;
  const std::array<solver::same_argument, 1> arguments = {{{"count", static_cast<std::uint64_t>(count)}}};
  a.space().together("svds()", arguments, [&] { result = singular_values(a, count, options); });
  return result;
}

#define LACIS_INSTANTIATE(T) \
  template LACIS_API singular_result<T> svds(const linear_operator<T>&, std::int64_t, const singular_options<T>&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
