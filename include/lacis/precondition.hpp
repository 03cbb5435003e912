// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners: operators that are nearly the inverse of a matrix.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/device.hpp>
#include <lacis/export.hpp>
#include <lacis/multigrid.hpp>
#include <lacis/operator.hpp>
#include <lacis/wide_offsets.hpp>

/// Kind(name, its name in text, what it is, traits), one line each; members of preconditioner_traits without a value
/// have their defaults. A preconditioner is the file `src/core/solve/precondition/<name>.cpp` and its line here: CMake
/// reads these lines too. A new line goes to the end: numbers of the values stay.
// clang-format off
#define LACIS_FOR_EACH_PRECONDITIONER(Kind)                                                                            \
  Kind(jacobi, "jacobi", "the diagonal", .vectors = 3, .on_ranks = rank_work::own_rows)                                \
  Kind(block_jacobi, "block-jacobi", "dense blocks on the diagonal", .vectors = 6, .on_ranks = rank_work::own_rows)    \
  Kind(ssor, "ssor", "symmetric successive over-relaxation: both triangles", .products = 3)                            \
  Kind(ilu0, "ilu0", "incomplete LU factors with the pattern of A", .products = 3, .on_ranks = rank_work::parts)       \
  Kind(ic0, "ic0", "incomplete Cholesky factors with the pattern of A, which is Hermitian", .products = 3, .on_ranks = rank_work::parts) \
  Kind(chebyshev, "chebyshev", "a polynomial in A: no triangles, good on many threads and on devices", .products = 4, .vectors = 16, .on_ranks = rank_work::together) \
  Kind(amg, "amg", "algebraic multigrid: iterations hardly grow with the size of a discretised equation", .products = 3, .vectors = 20, .on_ranks = rank_work::together) \
  Kind(spai0, "spai0", "SPAI(0): the diagonal M that makes I - M A smallest (Broeker and Grote 2002)", .vectors = 3, .on_ranks = rank_work::own_rows)
// clang-format on

namespace lacis {

/// What approximates the inverse of the matrix.
#define LACIS_KIND_NAME(name, ...) name,
enum class preconditioner_kind { LACIS_FOR_EACH_PRECONDITIONER(LACIS_KIND_NAME) };
#undef LACIS_KIND_NAME

/// How the ranks of a distributed matrix work on a preconditioner.
enum class rank_work {
  none,      ///< not at all: it goes through all rows in turn
  own_rows,  ///< each on its own rows, without asking the others; the bits are those of one process
  parts,     ///< each inside its stored parts
  together   ///< with products, or levels, of the distributed matrix
};

/// What holds for a preconditioner, whatever the matrix.
struct preconditioner_traits {
  std::string_view name;                 ///< in commands, in C and in Python
  std::string_view words;                ///< what it is, in a few words
  double products = 0;                   ///< the work of one application: that of so many products with A,
  double vectors = 0;                    ///< and so many vectors that are read or written
  rank_work on_ranks = rank_work::none;  ///< for a distributed matrix
};

/// One element for each preconditioner_kind.
#define LACIS_KIND_TRAITS(value, text, about, ...) {.name = text, .words = about __VA_OPT__(, ) __VA_ARGS__},
inline constexpr preconditioner_traits all_preconditioner_traits[] = {LACIS_FOR_EACH_PRECONDITIONER(LACIS_KIND_TRAITS)};
#undef LACIS_KIND_TRAITS

/// The number of preconditioner_kind's values.
inline constexpr std::size_t preconditioner_kinds = std::size(all_preconditioner_traits);
/// What holds for this one.
[[nodiscard]] constexpr const preconditioner_traits& traits_of(preconditioner_kind kind) {
  return all_preconditioner_traits[static_cast<std::size_t>(kind)];
}
/// "jacobi", "block-jacobi", ...
[[nodiscard]] LACIS_API std::string_view name_of(preconditioner_kind kind);

/// Which preconditioner is made, and how.
struct preconditioner_options {
  preconditioner_kind kind = preconditioner_kind::jacobi;  ///< which one
  int block = 4;                                           ///< block_jacobi: rows of a block, 1 to 32
  double relaxation = 1;                                   ///< ssor: between 0 and 2
  int degree = 4;                                          ///< chebyshev: products with A
  int threads = 0;                                         ///< 0: as many as OpenMP gives
  device_id device = {};                                   ///< where it works: with the operator that it goes with
  /// chebyshev: between which eigenvalues of D^-1 A, D the diagonal, the polynomial is to be small; 0: the largest is
  /// estimated by 20 Lanczos steps and widened, the smallest is a 30th of the largest.
  double smallest_eigenvalue = 0;
  double largest_eigenvalue = 0;     ///< see smallest_eigenvalue
  multigrid_options multigrid = {};  ///< amg: the hierarchy
};

/// A preconditioner that can follow its matrix. As other operators it may be shared between threads that apply it on
/// the processor; update_values needs it for itself.
template <value T> class preconditioner : public linear_operator<T> {
 public:
  /// Of the matrix that it was made from; the pattern is the same.
  virtual void update_values(std::span<const T> values) = 0;
  /// What it is and what was done to make it, in a sentence.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// Bytes of everything that it holds.
  [[nodiscard]] virtual std::int64_t storage_bytes() const = 0;
  /// The levels of amg; null for the others.
  [[nodiscard]] virtual const multigrid_report* hierarchy() const { return nullptr; }
};

namespace detail {
template <class T, class Index>
LACIS_API std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>& a,
                                                                 const preconditioner_options& options);
}

/// Throws error(invalid_matrix) where A does not allow it: a diagonal that is missing or zero, a factor without a
/// pivot, a matrix that is not square or whose rows are not canonical.
template <class Matrix>
[[nodiscard]] auto make_preconditioner(const Matrix& a, const preconditioner_options& options = {}) {
  return detail::make_preconditioner(detail::wide(a).view(), options);
}

}  // namespace lacis
