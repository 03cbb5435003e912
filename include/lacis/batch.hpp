// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Thousands of small matrices of one pattern: their products and the solutions of their systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/pattern.hpp>
#include <lacis/ranges.hpp>
#include <lacis/solve.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How solve_batch solves its systems.
enum class batch_method {
  cg,             ///< conjugate gradients: symmetric, positive definite
  bicgstab,       ///< any square matrix, by iteration
  band_lu,        ///< factors of the band with the largest pivot of each column: any square matrix
  band_cholesky,  ///< factors of the lower half of the band: symmetric, positive definite
};
/// The number of batch_method's values.
inline constexpr std::size_t batch_methods = 4;
/// "cg", "bicgstab", "band-lu", "band-cholesky".
[[nodiscard]] LACIS_API std::string_view name_of(batch_method method);

/// What cg and bicgstab of a batch precondition with.
enum class batch_preconditioner {
  none,   ///< nothing
  jacobi  ///< the diagonal of each system
};
/// The number of batch_preconditioner's values.
inline constexpr std::size_t batch_preconditioners = 2;
/// "none", "jacobi".
[[nodiscard]] LACIS_API std::string_view name_of(batch_preconditioner preconditioner);

/// How a batch is solved: for all of its systems alike.
struct batch_options {
  /// See batch_method; band factors suit narrow bands.
  batch_method method = batch_method::cg;
  batch_preconditioner preconditioner = batch_preconditioner::none;  ///< of cg and bicgstab
  double tolerance = tolerance_of_type;                              ///< of |b - A x| / |b|
  std::int64_t max_iterations = 0;     ///< 0: ten times the unknowns, 1000 at least; cg and bicgstab
  int threads = 0;                     ///< 0: as many as OpenMP gives, one for little work
  std::optional<lacis::isa> isa = {};  ///< nothing: default_isa()
};

/// How one system of a batch went.
struct system_report {
  /// Why this system's solver stopped.
  solve_outcome outcome = solve_outcome::max_iterations;
  std::int64_t iterations = 0;  ///< of band factors: solutions, the first and its corrections
  double residual = 0;          ///< by the recurrence
  double true_residual = 0;     ///< |b - A x| / |b|, computed at the end
  std::string reason;           ///< why it did not converge, with advice; empty where it did

  /// Whether the true residual is within the tolerance.
  [[nodiscard]] bool converged() const { return outcome == solve_outcome::converged; }
};

/// How the systems of a batch went.
struct batch_report {
  /// One report per system, in their order.
  std::vector<system_report> systems;
  std::int64_t alone = 0;  ///< systems that cg or bicgstab solved one at a time, as their numbers needed scaling
  /// Of the whole call, measured.
  double seconds = 0;

  /// The number of systems that did not converge.
  [[nodiscard]] LACIS_API std::int64_t unsolved() const;
  /// Whether every system converged.
  [[nodiscard]] bool converged() const { return unsolved() == 0; }
};

namespace detail {

template <class T, class Index>
LACIS_API batch_report solve_batch(const csr_view<float, Index>& pattern, std::span<const T> values,
                                   std::span<const T> b, std::span<T> x, const batch_options& options);
template <class T, class Index>
LACIS_API void multiply_batch(const csr_view<float, Index>& pattern, std::span<const T> values, std::span<const T> x,
                              std::span<T> y, const multiply_options& options);

/// Whether values and vectors are arrays of one type; the reason why not is a compiler's error.
template <class Values, class B, class X> consteval bool are_batch_arrays() {
  constexpr bool taken = vector_range<Values> && vector_range<B> && vector_range<X>;
  static_assert(taken, "values and vectors must be contiguous ranges of numbers: std::vector, std::span, buffer");
  constexpr bool same =
      std::is_same_v<element_of<Values>, element_of<B>> && std::is_same_v<element_of<Values>, element_of<X>>;
  static_assert(!taken || same, "values and vectors must have elements of one type");
  return taken && same;
}

}  // namespace detail

/// Solves A_s x_s = b_s for systems s = 0, 1, ... whose matrices have one pattern. `a` is a CSR matrix or a pattern
/// with canonical rows, of which only the pattern is read. The values of system s are values[s * entries] and those
/// behind it, in the order of the pattern; b and x hold one vector per system, one after the other. cg and bicgstab
/// start from the x that is given. Numbers are float or double.
///
/// With cg and bicgstab, each x_s and its report have the bits of solve(method, plan, b_s, x_s) with the same options
/// and preconditioner, whatever the number of threads, the instruction set and the other systems. band_lu and
/// band_cholesky give the bits of a batch of one. One system that has no solution leaves the others alone: what solve()
/// would throw because of its numbers is in its report, as broken down, with x_s = 0. Success is reported as solve()
/// reports it. x is finite in any case.
///
/// Throws error(invalid_argument) where sizes or options do not fit, error(invalid_matrix) where the pattern is not
/// square or canonical, or lacks a diagonal that jacobi needs.
template <class Pattern, class Values, class B, class X>
[[nodiscard]] batch_report solve_batch(const Pattern& a, const Values& values, const B& b, X&& x,
                                       const batch_options& options = {}) {
  if constexpr (detail::are_batch_arrays<Values, B, X>()) {
    using T = detail::element_of<Values>;
    static_assert(!is_complex<T>, "batches are solved in float and double; solve complex systems one by one");
    const auto pattern = pattern_of(a);
    return detail::solve_batch<T>(detail::wide(pattern).view(), detail::elements(values), detail::elements(b),
                                  detail::writable_elements(x), options);
  } else {
    return {};
  }
}

/// y_s = A_s x_s for matrices of one pattern, with the bits of multiply(A_s, x_s, y_s). Arrays are those of
/// solve_batch; matrices need not be square, and numbers may be complex.
template <class Pattern, class Values, class X, class Y>
void multiply_batch(const Pattern& a, const Values& values, const X& x, Y&& y, const multiply_options& options = {}) {
  if constexpr (detail::are_batch_arrays<Values, X, Y>()) {
    using T = detail::element_of<Values>;
    const auto pattern = pattern_of(a);
    detail::multiply_batch<T>(detail::wide(pattern).view(), detail::elements(values), detail::elements(x),
                              detail::writable_elements(y), options);
  }
}

}  // namespace lacis
