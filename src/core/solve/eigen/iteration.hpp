// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the driver asks of a method for eigenvalues.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <lacis/eigs.hpp>

#include "solve/eigen/orthonormal.hpp"
#include "solve/eigen/pencil.hpp"
#include "solve/methods/iteration.hpp"

namespace lacis::solver {

/// Pairs that are wanted, in any order.
template <value T> struct found_pairs {
  std::vector<double> values;
  block<T> vectors;
};

/// What the last step has left, as the iteration estimates it.
struct eigen_state {
  std::int64_t converged = 0;                                 ///< pairs within their limits
  double residual = std::numeric_limits<double>::infinity();  ///< the largest relative to its eigenvalue
  bool is_there = false;  ///< all are within their limits, and nothing is left to look for
};

template <value T> class eigen_iteration {
 public:
  virtual ~eigen_iteration() = default;
  /// From the start vectors. False: products are not finite, or B is not positive definite.
  [[nodiscard]] virtual bool start() = 0;
  /// False: it cannot go on; fault() says why.
  [[nodiscard]] virtual bool step() = 0;
  [[nodiscard]] virtual eigen_state state() const = 0;
  /// The best pairs so far.
  [[nodiscard]] virtual found_pairs<T> pairs() = 0;
  /// The true residuals of the pairs are larger than estimated: goes on from there with images that are computed anew.
  [[nodiscard]] virtual bool refresh() = 0;
  /// Everything that the next step depends on, besides the pencil. Reading, it takes the place of start().
  virtual void exchange(archive<T>& state) = 0;
  /// Computes what follows from what was read.
  virtual void derive() = 0;
  /// Whether a search can go on from a state.
  [[nodiscard]] virtual bool has_states() const { return true; }
  [[nodiscard]] const std::string& fault() const { return fault_; }

  static constexpr const char* not_finite =
      "products with A, B or the preconditioner are not finite: entries are infinite or not numbers";

 protected:
  bool fail(std::string why) {
    fault_ = std::move(why);
    return false;
  }
  static constexpr const char* not_definite =
      "start vectors are not independent in the inner product of B: B is not positive definite";
  static constexpr const char* nothing_new =
      "the preconditioned residuals lie in the space that was searched already: relax the tolerance, or take another "
      "preconditioner";

  // Parts of a state. A file is untrusted: counts are held against what they may be.

  static void exchange_number(archive<T>& state, wide_of<T>& x) {
    double real = std::real(x);
    state.number(real);
    if constexpr (is_complex<T>) {
      double imaginary = std::imag(x);
      state.number(imaginary);
      x = {real, imaginary};
    } else {
      x = real;
    }
  }
  static void exchange_count(archive<T>& state, std::size_t& count, std::size_t most) {
    auto number = static_cast<std::int64_t>(count);
    state.number(number);
    if (number < 0 || static_cast<std::uint64_t>(number) > most)
      throw error(errc::bad_input, "a checkpoint has a count that is out of range");
    count = static_cast<std::size_t>(number);
  }
  static void exchange_flag(archive<T>& state, bool& flag) {
    std::size_t number = flag ? 1 : 0;
    exchange_count(state, number, 1);
    flag = number == 1;
  }
  /// A block of `count` vectors, which come from the pool where they are not there yet.
  static void exchange_block(archive<T>& state, vector_pool<T>& pool, block<T>& x, std::size_t count) {
    if (x.size() < count) {
      const block<T> more = pool.take(count - x.size());
      x.insert(x.end(), more.begin(), more.end());
    }
    for (const auto& one : x) state.vector(one);
  }

 private:
  std::string fault_;
};

/// The numbers of `count` of the ascending values, as wanted: the most wanted first.
[[nodiscard]] std::vector<std::size_t> wanted_of(const std::vector<double>& ascending, std::size_t count,
                                                 eigen_part part);

template <value T>
[[nodiscard]] std::unique_ptr<eigen_iteration<T>> make_lobpcg(pencil<T>& p, std::size_t pairs, std::size_t vectors,
                                                              eigen_part part);
struct lanczos_sizes {
  std::size_t pairs;    ///< that are wanted
  std::size_t width;    ///< vectors that a step multiplies
  std::size_t vectors;  ///< of the basis; at least pairs + width
  std::size_t most;     ///< that it grows to where the search is slow
};
template <value T>
[[nodiscard]] std::unique_ptr<eigen_iteration<T>> make_lanczos(pencil<T>& p, const lanczos_sizes& sizes,
                                                               eigen_part part);
/// All eigenvalues of the matrix that is made by products with the columns of the identity.
template <value T>
[[nodiscard]] std::unique_ptr<eigen_iteration<T>> make_whole(pencil<T>& p, std::size_t pairs, eigen_part part);

/// Whether y_i^H x_j is the conjugate of y_j^H x_i, but for half of the digits: a sample of a Hermitian matrix.
template <class Wide> [[nodiscard]] bool looks_hermitian(const small_matrix<Wide>& a, double precision, double norm) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (magnitude_of(a(i, j) - conjugate(a(j, i))) > std::sqrt(precision) * norm) return false;
  return true;
}

}  // namespace lacis::solver
