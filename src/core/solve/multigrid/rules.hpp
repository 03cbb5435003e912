// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a hierarchy is made by, on one process and on ranks: numbers, the steps of a smoother, the diagonal of a level.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/error.hpp>
#include <lacis/multigrid.hpp>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "solve/multigrid/prolongator.hpp"
#include "solve/multigrid/smoother.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis::multigrid {

inline constexpr std::size_t most_levels = 30;
/// A level that keeps more than this share of the rows is not worth its cycle.
inline constexpr double most_rows_kept = 0.8;
/// Rows that are solved by dense factors although they are no longer put together.
inline constexpr std::int64_t most_dense_rows = 3000;
/// Steps of smoothing that stand for the solution of a last level without factors.
inline constexpr int last_steps = 8;
/// The smoother deals with the part of the spectrum above the largest eigenvalue over this.
inline constexpr double smoothed_ratio = 10;
/// Of Lanczos' method for the largest eigenvalue; it is widened by a tenth.
inline constexpr int lanczos_steps = 10;
/// Of the step of Jacobi's method that smooths interpolation, over the largest eigenvalue.
inline constexpr double damping = 4.0 / 3;
/// Products of a solve that takes some fifteen cycles.
inline constexpr double uses_of_plans = 60;

/// Whether so many aggregates of `width` rows are worth a level below one of `rows` rows.
[[nodiscard]] inline bool is_coarser(std::int64_t aggregates, std::int64_t width, std::int64_t rows) {
  return aggregates > 0 && static_cast<double>(aggregates * width) <= most_rows_kept * static_cast<double>(rows);
}

/// A number between -1/2 and 1/2 that depends on i alone.
[[nodiscard]] inline double hashed(std::int64_t i) {
  auto z = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53 - 0.5;
}

template <class S> [[nodiscard]] smoothing_steps<S> chebyshev_steps(double largest, int degree) {
  using real = real_of<S>;
  const double smallest = largest / smoothed_ratio;
  const double middle = (largest + smallest) / 2;
  const double half = (largest - smallest) / 2;
  smoothing_steps<S> steps{{S(static_cast<real>(1 / middle)), S(0)}};
  double rho = half / middle;
  for (int k = 1; k < degree; ++k) {
    const double next = 1 / (2 * middle / half - rho);
    steps.push_back({S(static_cast<real>(2 * next / half)), S(static_cast<real>(next * rho))});
    rho = next;
  }
  return steps;
}

/// Of D^-1 A, where that has no real spectrum: at most 2 where the diagonal outweighs its row.
inline constexpr double largest_where_not_hermitian = 2;
template <class S>
[[nodiscard]] smoothing_steps<S> steps_of_smoother(multigrid_smoother smoother, double largest_eigenvalue, int degree) {
  if (smoother == multigrid_smoother::chebyshev) return chebyshev_steps<S>(largest_eigenvalue, degree);
  return smoothing_steps<S>(static_cast<std::size_t>(degree), {S(1), S(0)});
}

/// The smoother that is requested, or the one that suits the matrix.
[[nodiscard]] inline multigrid_smoother smoother_of(const multigrid_options& options, bool hermitian) {
  const auto suitable = hermitian ? multigrid_smoother::chebyshev : multigrid_smoother::l1_jacobi;
  const multigrid_smoother chosen = options.smoother.value_or(suitable);
  if (chosen == multigrid_smoother::chebyshev && !hermitian)
    throw error(errc::invalid_argument,
                "amg: Chebyshev smoothing needs a Hermitian matrix, and A is not; use the smoother l1-jacobi");
  return chosen;
}

/// Throws what a spectrum that is not positive says.
inline void require_positive(double largest_eigenvalue, std::size_t depth) {
  if (!(largest_eigenvalue > 0))
    throw error(errc::invalid_matrix,
                detail::text("amg: the matrix is not positive definite", depth == 0 ? "" : " on a coarser level",
                             "; use minres, or gmres with ilu0"));
}

/// The diagonal of a level, and what its smoother multiplies by.
template <class S> struct level_diagonal {
  buffer<S> diagonal;
  buffer<S> inverse;              ///< of the diagonal, or of the row sums that stand for it
  std::int64_t bad = 0;           ///< the first row with a bad entry; the number of rows where there is none
  buffer<real_of<S>> roots = {};  ///< of the largest magnitude beside the diagonal, where they are asked for
};

/// The diagonal entry of row i is in column first + i.
template <class S, class Index>
[[nodiscard]] level_diagonal<S> diagonal_of(const csr_view<S, Index>& a, std::int64_t first, bool hermitian,
                                            multigrid_smoother smoother, bool with_roots = false) {
  level_diagonal<S> made{buffer<S>(a.rows), buffer<S>(a.rows), a.rows};
  if (with_roots) made.roots = buffer<real_of<S>>(a.rows);
  std::atomic<std::int64_t> bad = a.rows;
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t i = begin; i < end; ++i) {
      S diagonal{};
      real_of<S> sum = 0;
      real_of<S> largest = 0;  // beside the diagonal
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
           ++k) {
        const S value = a.values[k];
        const real_of<S> size = std::abs(value);
        const bool is_diagonal = a.columns[static_cast<std::size_t>(k)] == first + i;
        diagonal = is_diagonal ? value : diagonal;
        largest = std::max(largest, is_diagonal ? real_of<S>(0) : size);
        sum += size;
      }
      if (with_roots) made.roots[i] = std::sqrt(largest);
      const bool is_good = std::isfinite(sum) && (hermitian ? std::real(diagonal) > 0 : diagonal != S(0));
      if (!is_good)
        for (std::int64_t known = bad; i < known && !bad.compare_exchange_weak(known, i);) {
        }
      made.diagonal[i] = diagonal;
      // Chebyshev's steps know the spectrum of D^-1 A; the others divide by the sum of the magnitudes of a row, with
      // the sign of the diagonal.
      const bool by_diagonal = smoother == multigrid_smoother::chebyshev;
      made.inverse[i] = by_diagonal ? S(1) / diagonal : S(std::abs(diagonal) / sum) / diagonal;
    }
  });
  made.bad = bad;
  return made;
}

/// 1 / d for each d of a diagonal, which estimates of the spectrum multiply by in each step.
template <class S> [[nodiscard]] buffer<S> inverses_of(std::span<const S> diagonal) {
  buffer<S> inverses(static_cast<std::int64_t>(diagonal.size()));
  summation::parallel_for(inverses.size(),
                          [&](std::int64_t i) { inverses[i] = S(1) / diagonal[static_cast<std::size_t>(i)]; });
  return inverses;
}
/// y_i = d_i x_i.
template <class S> void multiply_elements(std::span<const S> d, const S* x, S* y) {
  summation::parallel_for(static_cast<std::int64_t>(d.size()),
                          [&](std::int64_t i) { y[i] = summation::multiply(d[static_cast<std::size_t>(i)], x[i]); });
}

/// What smooths the interpolation of A^H, as `how` smooths that of A: its diagonal, which is kept in `diagonal`, is the
/// conjugate one, and strong entries are marked for A alone.
template <class S> [[nodiscard]] smoothing<S> smoothing_of_adjoint(const smoothing<S>& how, buffer<S>& diagonal) {
  diagonal = buffer<S>(static_cast<std::int64_t>(how.diagonal.size()));
  detail::parallel_for(diagonal.size(), [&](std::int64_t i) {
    diagonal[i] = summation::conjugate(how.diagonal[static_cast<std::size_t>(i)]);
  });
  return {diagonal, {}, how.factor, how.truncation};
}

/// Throws where a row of the whole matrix is bad.
inline void require_diagonal(std::int64_t bad, std::int64_t rows, std::size_t depth, bool hermitian) {
  if (bad < rows)
    throw error(errc::invalid_matrix, detail::text("amg: the diagonal entry of row ", bad, ", counted from 0,",
                                                   depth == 0 ? "" : " of a coarser level",
                                                   hermitian ? " is missing or not positive" : " is missing or zero",
                                                   "; use another preconditioner"));
}

/// Adds the time since the last call to a phase of the report.
class stage_clock {
 public:
  explicit stage_clock(multigrid_report& report) : report_(report) {}
  void end(std::string_view phase) {
    const double now = seconds();
    auto known = std::find_if(report_.phases.begin(), report_.phases.end(),
                              [&](const multigrid_phase& one) { return one.name == phase; });
    if (known == report_.phases.end()) known = report_.phases.insert(known, {std::string(phase), 0});
    known->seconds += now - last_;
    last_ = now;
  }
  /// Since the beginning.
  [[nodiscard]] double seconds() const { return detail::nanoseconds_since(begin_) * 1e-9; }

 private:
  multigrid_report& report_;
  detail::stopwatch::time_point begin_ = detail::stopwatch::now();
  double last_ = 0;
};

/// How rows of a level were put together, in words.
[[nodiscard]] inline std::string aggregation_words(const std::string& how, bool is_parted) {
  return is_parted ? how + ", weak entries apart" : how;
}

/// What is left to say of a last level that no factors solve.
[[nodiscard]] inline std::string remark_without_factors(std::int64_t rows) {
  return detail::text("rows could not be put together further: the last level of ", rows,
                      " rows is smoothed, not solved");
}

/// "V-cycle".
[[nodiscard]] inline std::string cycle_word(multigrid_cycle cycle) {
  std::string word = detail::text(name_of(cycle), "-cycle");
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

/// The words of describe().
[[nodiscard]] inline std::string words_of(const multigrid_report& report) {
  const bool is_chebyshev = report.smoother == multigrid_smoother::chebyshev;
  return detail::text("algebraic multigrid: ", report.levels.size(), " levels, ",
                      std::round(100 * report.operator_complexity) / 100, " times the entries of A in all, ",
                      cycle_word(report.cycle), " in ", report.narrow ? "single" : "full", " precision with ",
                      is_chebyshev ? "Chebyshev" : "l1-Jacobi", " smoothing",
                      report.cycle == multigrid_cycle::k ? ", for flexible methods" : "",
                      report.remark.empty() ? "" : "; ", report.remark);
}

}  // namespace lacis::multigrid
