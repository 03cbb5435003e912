// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A direct solution, corrected until its residual stays.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>

#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/structure.hpp>
#include <lacis/vector.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "plan/entries.hpp"
#include "solve/direct/whole_factors.hpp"
#include "solve/scalars.hpp"
#include "solve/scaled_system.hpp"
#include "solve/tolerance.hpp"
#include "summation/environment.hpp"

namespace lacis {

bool has_direct_solver() {
#ifdef LACIS_HAS_KLU
  return true;
#else
  return false;
#endif
}

bool has_cholmod() {
#ifdef LACIS_HAS_CHOLMOD
  return true;
#else
  return false;
#endif
}

namespace detail {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

template <class T, class Index> void require_system(const csr_view<T, Index>& a, std::size_t b, std::size_t x) {
  if (!has_direct_solver())
    throw error(errc::unsupported, "this build has no direct solver; build with -DLACIS_WITH_KLU=ON");
  if (a.rows != a.cols || b != static_cast<std::size_t>(a.rows) || x != b)
    throw error(errc::invalid_argument, text("A is ", a.rows, " x ", a.cols, ", b has ", b, " elements and x ", x));
  require_canonical(a, "direct");
}

#ifdef LACIS_HAS_KLU

template <class T> using wide_of = std::conditional_t<is_complex<T>, std::complex<double>, double>;

template <class T, class Index> solver::wide_matrix<wide_of<T>> widened(const csr_view<T, Index>& a) {
  solver::wide_matrix<wide_of<T>> all{a.rows, a.row_offsets, buffer<std::int64_t>(a.nnz()),
                                      buffer<wide_of<T>>(a.nnz())};
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    all.columns[k] = a.columns[static_cast<std::size_t>(k)];
    all.values[k] = static_cast<wide_of<T>>(a.values[k]);
  }
  return all;
}

template <class Wide>
std::unique_ptr<solver::whole_factors<Wide>> factors_of(const solver::wide_matrix<Wide>& a,
                                                        [[maybe_unused]] bool positive_definite, std::string& why) {
#ifdef LACIS_HAS_CHOLMOD
  if constexpr (std::is_same_v<Wide, double>)
    if (positive_definite)
      if (auto found = solver::factor_with_cholmod(a, why)) return found;
#endif
  return solver::factor_with_klu(a, why);
}

/// Products with rows as they are.
template <class T, class Index> class view_operator final : public linear_operator<T> {
 public:
  using typename linear_operator<T>::vector;
  explicit view_operator(const csr_view<T, Index>& a) : a_(a), space_(make_host_space<T>()) {}
  [[nodiscard]] std::int64_t rows() const override { return a_.rows; }
  [[nodiscard]] std::int64_t cols() const override { return a_.cols; }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  void apply(const vector& x, const vector& y) const override {
    multiply(a_, std::span<const T>(x.data(), static_cast<std::size_t>(x.size())),
             std::span<T>(y.data(), static_cast<std::size_t>(y.size())), {});
  }
  [[nodiscard]] bool bound_rounding(const vector& x, const vector& y) const override {
    detail::bound_rounding(a_, x.data(), y.data());
    return true;
  }
  [[nodiscard]] bool precise_residual(const vector& b, const vector& x, const vector& r) const override {
    detail::precise_residual(a_, b.data(), x.data(), r.data());
    return true;
  }

 private:
  csr_view<T, Index> a_;
  std::unique_ptr<vector_space<T>> space_;
};

template <class T, class Index> class direct_run {
 public:
  direct_run(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x, const direct_options& options)
      : a_(a), b_(b), x_(x), options_(solver::settled<T>(options)), product_(a), r_(a.rows) {}

  solve_report go() {
    const auto begin = clock::now();
    const summation::rounding_guard guard;
    const solver::wide_matrix<wide> matrix = widened(a_);
    const auto factors = factors_of(matrix, options_.positive_definite, report_.reason);
    report_.shares.push_back({"factors", 1, seconds_since(begin), 0});
    const auto solving = clock::now();
    std::fill(x_.begin(), x_.end(), T(0));
    if (factors == nullptr) {
      report_.outcome = solve_outcome::broke_down;
      report_.true_residual = 1;
    } else {
      correct(*factors);
      judge(factors->describe());
    }
    report_.shares.push_back({"solutions", report_.iterations, seconds_since(solving), 0});
    report_.residual = report_.true_residual;
    report_.seconds = seconds_since(begin);
    return report_;
  }

 private:
  using wide = wide_of<T>;

  /// Whether the x that there is solves the system.
  void judge(const std::string& description) {
    using kind = typename solver::scaled_system<T>::kind;
    solver::scaled_system<T> system(product_, nullptr, b_, x_);
    const kind what = system.bring_in(false);
    solver::verdict found;
    if (what == kind::ordinary) found = system.judge(options_.tolerance);
    report_.true_residual = what == kind::not_finite ? 1 : found.residual;
    report_.outcome = what != kind::not_finite && found.reaches(options_.tolerance) ? solve_outcome::converged
                                                                                    : solve_outcome::stagnated;
    report_.reason = description;
    if (!report_.converged() && left_range_) {
      report_.outcome = solve_outcome::out_of_range;
      report_.reason += "; the solution is above the range of the type, or A is nearly singular; scale A or b";
    }
    if (!report_.converged() && what == kind::ordinary && found.error <= options_.tolerance)
      report_.reason += detail::text("; the rounding errors of the residual itself are about ", found.rounding);
  }

  /// r = b - A x; its norm over that of b.
  double residual() {
    multiply(a_, std::span<const T>(x_), std::span<T>(r_), {});
    lacis::axpby(T(1), b_, T(-1), r_);
    const auto all = lacis::norm(b_);
    return all == 0 ? 0 : static_cast<double>(lacis::norm(r_) / all);
  }

  /// x + A^-1 (b - A x), as long as that halves the residual.
  void correct(solver::whole_factors<wide>& factors) {
    std::vector<wide> d(static_cast<std::size_t>(a_.rows));
    report_.true_residual = residual();
    for (;;) {
      std::copy(r_.begin(), r_.end(), d.begin());
      factors.solve(d);
      const std::vector<T> before(x_.begin(), x_.end());
      for (std::size_t i = 0; i < d.size(); ++i) x_[i] += static_cast<T>(d[i]);
      ++report_.iterations;
      const bool is_finite = std::all_of(x_.begin(), x_.end(), [](const T& x) { return solver::is_finite(x); });
      left_range_ = left_range_ || !is_finite;
      const double now = is_finite ? residual() : std::numeric_limits<double>::infinity();
      if (!(now <= report_.true_residual)) std::copy(before.begin(), before.end(), x_.begin());
      const bool goes_on = now <= report_.true_residual / 2 && now > 0;
      if (now <= report_.true_residual) report_.true_residual = now;
      report_.history.push_back(report_.true_residual);
      if (!goes_on) break;
    }
  }

  const csr_view<T, Index>& a_;
  std::span<const T> b_;
  std::span<T> x_;
  const direct_options options_;
  view_operator<T, Index> product_;
  buffer<T> r_;
  bool left_range_ = false;  ///< a solution had elements that are not finite
  solve_report report_;
};

#endif

}  // namespace

template <class T, class Index>
solve_report solve_direct(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x,
                          [[maybe_unused]] const direct_options& options) {
  require_system(a, b.size(), x.size());
#ifdef LACIS_HAS_KLU
  return direct_run<T, Index>(a, b, x, options).go();
#else
  return {};
#endif
}

#define LACIS_INSTANTIATE(T, Index)                                                                         \
  template LACIS_API solve_report solve_direct(const csr_view<T, Index>&, std::span<const T>, std::span<T>, \
                                               const direct_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace detail
}  // namespace lacis
