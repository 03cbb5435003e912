// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A few eigenvalues of large Hermitian matrices, and singular values of any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/dense.hpp>
#include <lacis/export.hpp>
#include <lacis/operator.hpp>
#include <lacis/solve.hpp>

namespace lacis {

/// Which eigenvalues.
enum class eigen_part {
  smallest,          ///< the lowest, signs counted
  largest,           ///< the highest, signs counted
  both,              ///< half from each end; of an odd number one more from the upper end
  largest_magnitude  ///< those farthest from zero
};
/// The number of eigen_part's values.
inline constexpr std::size_t eigen_parts = 4;
/// "smallest", "largest", "both", "magnitude".
[[nodiscard]] LACIS_API std::string_view name_of(eigen_part part);

/// How eigenvalues are found; the same bits on any number of threads and ranks with either.
enum class eigen_method {
  lobpcg,  ///< locally optimal block preconditioned conjugate gradients (Knyazev 2001): one end, takes a preconditioner
  lanczos  ///< Lanczos with thick restarts (Wu and Simon 2000) and full orthogonalisation: any part
};
/// The number of eigen_method's values.
inline constexpr std::size_t eigen_methods = 2;
/// "lobpcg", "lanczos".
[[nodiscard]] LACIS_API std::string_view name_of(eigen_method method);

/// How far the iteration is.
struct eigen_progress {
  /// From 1 on, 0 before the first has ended: steps of a block; lanczos has blocks of two vectors, of three where a
  /// start vector is given.
  std::int64_t iteration = 0;
  std::int64_t converged = 0;  ///< wanted pairs within the tolerance, as the iteration estimates them
  /// The largest |A x - w x| / |w| of the wanted pairs, as the iteration estimates it; infinite while that is unknown.
  double residual = 0;
};

/// Which eigenvalues are wanted, how they are found and when the iteration stops.
template <value T> struct eigen_options {
  /// Which ones.
  eigen_part part = eigen_part::smallest;
  /// None: lobpcg where there is a preconditioner or a matrix B, lanczos elsewhere.
  std::optional<eigen_method> method = {};
  /// A pair (w, x) with |x| = 1 has converged when |A x - w x| <= tolerance |w|, or at ten times machine precision
  /// times |A|: an eigenvalue that is zero or nearly zero is not known better. |A| is estimated from below.
  /// With B: |A x - w B x| <= tolerance |w| |B x|, or ten times machine precision times |A| |x|.
  double tolerance = 1e-8;
  /// A residual of this length has converged too, whatever w is.
  double absolute_tolerance = 0;
  /// 0: a thousand steps (lobpcg), or five per row and 1000 at least (lanczos). A search in the whole space of more
  /// than 64 dimensions counts sweeps of rotations, of which about ten are enough, and has no limit of its own.
  std::int64_t max_iterations = 0;
  /// Vectors that are held at a time: of the block (lobpcg) or of the basis (lanczos). 0: two more than the pairs or
  /// some more (lobpcg); lanczos begins with two more than the largest of 2 k, k + 20 and min(4 k, k + 30) for k pairs,
  /// and takes more where it converges slowly.
  std::int64_t vectors = 0;
  /// lobpcg: nearly the inverse of A, Hermitian and positive definite. It helps the smallest eigenvalues.
  preconditioner_ref<T> preconditioner = {};
  /// lobpcg: B of A x = w B x, Hermitian and positive definite; none: A x = w x.
  preconditioner_ref<T> b = {};
  /// Vectors to begin with, one per column, of each the elements that this process holds; borrowed. lobpcg takes as
  /// many as its block has, lanczos as many as three, and the others where it looks for copies. None or fewer: fixed
  /// numbers, a hash of the row.
  dense_view<const T> start = {};
  /// Called after every iteration, and now and then during one that takes long, with its number before; false stops.
  std::function<bool(const eigen_progress&)> monitor = {};
  /// A directory where the state is kept every `checkpoint_every` iterations, and from which it goes on with the same
  /// bits when it holds a state of the same problem; empty: none.
  std::string checkpoint = {};
  /// Iterations between states.
  std::int64_t checkpoint_every = 100;
  /// The state stays when all pairs have converged, for callers who have yet to save them; remove_checkpoint() takes it
  /// away.
  bool keep_checkpoint = false;
};

/// Eigenvalues and vectors, and how they were found.
template <value T> struct eigen_result {
  /// converged where all pairs are within the tolerance; the pairs are the best that were found in any case.
  solve_outcome outcome = solve_outcome::max_iterations;
  /// Ascending. Real, as those of Hermitian matrices are.
  std::vector<double> values;
  /// |A x - w x| of each pair, computed with A at the end. A Hermitian A has an eigenvalue within this distance of w,
  /// rounding errors apart; with B this holds in the norm of the inverse of B.
  std::vector<double> residuals;
  /// Whether the residual is within the tolerance.
  std::vector<bool> is_converged;
  /// One column per pair, column-major: the elements that this process holds. |x| = 1, or x^H B x = 1. Of the vectors
  /// in a direction that one is given whose sum, weighted with fixed numbers between 1 and 2, is positive.
  buffer<T> vectors;
  /// A hash over all vectors, the same on any number of threads and ranks.
  std::uint64_t hash = 0;
  /// Steps or products, as eigen_progress counts them, those before a checkpoint included.
  std::int64_t iterations = 0;
  /// The residual of eigen_progress after each of them; infinite where it was not known.
  std::vector<double> history;
  std::int64_t resumed_at = 0;  ///< the iteration of the checkpoint it went on from
  std::uint64_t system = 0;     ///< identifies the states of this problem; 0 without a checkpoint
  /// Products with A.
  std::int64_t products = 0;
  /// Which method it was.
  eigen_method method = eigen_method::lanczos;
  /// Of the call.
  double seconds = 0;
  /// One sentence, with advice where not all pairs converged.
  std::string reason;
  /// Where the time went, one element per kind of operation.
  std::vector<solve_share> shares;

  /// Whether all pairs are within the tolerance.
  [[nodiscard]] bool converged() const { return outcome == solve_outcome::converged; }
};

/// `pairs` eigenvalues of a Hermitian A with their vectors. Only products with A are taken; that A is Hermitian is the
/// caller's promise, of which a sample is tested. Where the vectors that a method holds would be a large part of the
/// space, the whole space is taken, and the eigenvalues are those of a dense matrix.
///
/// lanczos finds two copies of an eigenvalue of higher multiplicity: where all have converged and one is there twice,
/// it looks for more from another start; lobpcg finds as many at once as its block has vectors. Throws
/// error(invalid_argument) where A is not square, there are not so many pairs, an option does not go with the method,
/// or the sample shows that A is not Hermitian. Products that are not finite end it as broken down.
template <value T>
[[nodiscard]] LACIS_API eigen_result<T> eigs(const linear_operator<T>& a, std::int64_t pairs,
                                             const eigen_options<T>& options = {});
/// The same for a plan.
template <value T, index Index>
[[nodiscard]] eigen_result<T> eigs(const plan<T, Index>& a, std::int64_t pairs,
                                   const std::type_identity_t<eigen_options<T>>& options = {}) {
  return eigs<T>(*make_operator(a), pairs, options);
}

/// How singular values are found; the same bits on any number of threads and ranks with either.
enum class singular_method {
  normal,  ///< Lanczos with A^H A, or A A^H: values below the root of machine precision times |A| are lost in rounding
  bidiagonal  ///< Golub-Kahan bidiagonalisation with thick restarts (Baglama and Reichel 2005): nothing is squared
};
/// The number of singular_method's values.
inline constexpr std::size_t singular_methods = 2;
/// "normal", "bidiagonal".
[[nodiscard]] LACIS_API std::string_view name_of(singular_method method);

/// Which singular values are wanted, how they are found and when the search stops.
template <value T> struct singular_options {
  /// The largest or the smallest ones.
  eigen_part part = eigen_part::largest;
  /// None: bidiagonal for the smallest, normal for the largest.
  std::optional<singular_method> method = {};
  /// Of |A^H u - s v| / s; see eigen_options.
  double tolerance = 1e-8;
  /// Products with A^H A, or with A and A^H; 0: ten per row or column, 1000 at least.
  std::int64_t max_iterations = 0;
  /// Vectors that are held at a time; 0: see eigen_options.
  std::int64_t vectors = 0;
  /// Vectors to begin with, as of eigen_options: left singular ones where A has fewer rows than columns, right ones
  /// otherwise.
  dense_view<const T> start = {};
  /// Called after every product with A^H A, or with A and A^H; false stops.
  std::function<bool(const eigen_progress&)> monitor = {};
};

/// Singular values and vectors, and how they were found.
template <value T> struct singular_result {
  /// converged where all triplets are within the tolerance.
  solve_outcome outcome = solve_outcome::max_iterations;
  /// The largest first.
  std::vector<double> values;
  /// The length of (A v - s u, A^H u - s v) of each, computed with A at the end: A has a singular value that near.
  std::vector<double> residuals;
  /// Whether the residual is within the tolerance.
  std::vector<bool> is_converged;
  /// Left singular vectors, one column per value, column-major.
  buffer<T> left;
  /// Right singular vectors, one column per value, column-major.
  buffer<T> right;
  /// A hash over all vectors, the same on any number of threads.
  std::uint64_t hash = 0;
  /// Products with A^H A or A A^H, or of each of A and A^H one.
  std::int64_t iterations = 0;
  /// Which method it was.
  singular_method method = singular_method::normal;
  /// Of the call.
  double seconds = 0;
  /// One sentence, with advice where not all converged.
  std::string reason;

  /// Whether all triplets are within the tolerance.
  [[nodiscard]] bool converged() const { return outcome == solve_outcome::converged; }
};

/// The `count` largest or smallest of the min(rows, columns) singular values of A, with their vectors. It needs
/// products with A^H: make the plan with plan_options.transpose, or plan_options.conjugate_transpose where A is
/// complex. Throws as eigs().
template <value T>
[[nodiscard]] LACIS_API singular_result<T> svds(const linear_operator<T>& a, std::int64_t count,
                                                const singular_options<T>& options = {});
/// The same for a plan.
template <value T, index Index>
[[nodiscard]] singular_result<T> svds(const plan<T, Index>& a, std::int64_t count,
                                      const std::type_identity_t<singular_options<T>>& options = {}) {
  return svds<T>(*make_operator(a), count, options);
}

}  // namespace lacis
