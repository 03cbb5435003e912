// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices and vectors as solvers use them: a dozen operations, independent of formats, devices and processes.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/plan.hpp>
#include <lacis/types.hpp>

namespace lacis {

/// Internals of solvers; not part of the interface.
namespace solver {
class state_files;
/// A number that stands for an argument of a function which several ranks call, and its name for messages.
struct same_argument {
  /// Of the argument.
  const char* name;
  /// Equal on all ranks, unless a caller made a mistake.
  std::uint64_t number;
};
}  // namespace solver

/// Where the elements that this process holds lie in a vector that may be spread over several.
struct vector_place {
  /// Where this process's elements begin in the whole vector.
  std::int64_t first = 0;
  std::int64_t whole = 0;  ///< elements of all processes
};

/// A vector of a solver: the elements that this process holds, wherever they are. It is a handle, as std::shared_ptr
/// is: copies are the same vector, and `const` keeps the handle, not the elements. Operations therefore take the
/// vectors that they write as `const vector&` too, and say which these are. The handle may be shared between threads;
/// elements that one of them writes are for that one alone.
template <value T> class space_vector {
 public:
  /// Refers to no vector.
  space_vector() = default;
  /// For spaces: `size` elements at `data`, which `memory` keeps alive.
  space_vector(std::shared_ptr<void> memory, T* data, std::int64_t size)
      : memory_(std::move(memory)), data_(data), size_(size) {}

  /// The number of elements that this process holds.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Where the elements are, which only the space that made the vector may follow.
  [[nodiscard]] T* data() const { return data_; }
  /// What the space keeps behind it.
  [[nodiscard]] void* memory() const { return memory_.get(); }

 private:
  std::shared_ptr<void> memory_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// Where vectors live and what is done with them. Sums have the bits of the order of summation, and an operation that
/// is two in one has the bits of the two: a solver gives the same iterates in every space. Vectors that an operation
/// writes are apart from those that it reads, unless it says otherwise.
/// Spaces of host memory (make_host_space) keep nothing from call to call and may be shared between threads that write
/// different vectors; those of devices and of several processes are for one thread at a time.
template <value T> class vector_space {
 public:
  /// The vectors of this space.
  using vector = space_vector<T>;

  /// Vectors may outlive their space.
  virtual ~vector_space() = default;

  /// A new vector of `size` zeros. Throws error(out_of_memory).
  [[nodiscard]] virtual vector zeros(std::int64_t size) = 0;
  /// Writes the elements of x.
  virtual void from_host(std::span<const T> host, const vector& x) = 0;
  /// Copies the elements of x to `host`, which has as many.
  virtual void to_host(const vector& x, std::span<T> host) = 0;

  /// y = alpha x + beta y, as axpby in vector.hpp: beta = 0 does not read y.
  virtual void axpby(T alpha, const vector& x, T beta, const vector& y) = 0;
  /// x^H y. x and y may be the same.
  [[nodiscard]] virtual T dot(const vector& x, const vector& y) = 0;

  /// Which elements of the whole vector x holds.
  [[nodiscard]] virtual vector_place place(const vector& x) { return {0, x.size()}; }
  /// The norm of the whole vector, as norm() in vector.hpp.
  [[nodiscard]] LACIS_API virtual real_of<T> norm(const vector& x);
  /// The hash of the whole vector, as solution_hash().
  [[nodiscard]] LACIS_API virtual std::uint64_t hash(const vector& x);
  /// States of solvers in a directory; processes that share vectors share the states.
  [[nodiscard]] LACIS_API virtual std::unique_ptr<solver::state_files> make_state_files(const std::string& directory);

  // Ranks that share vectors run a solver together; here there is one.

  /// work(), which all ranks run with the same arguments. Where it throws on one, it throws on all.
  virtual void together(const char* function, std::span<const solver::same_argument> arguments,
                        const std::function<void()>& work) {
    static_cast<void>(function);
    static_cast<void>(arguments);
    work();
  }
  /// A monitor has thrown `why`, or without it asks to stop: throws that or solver::stop_asked. Ranks that share
  /// vectors throw it together, in the next sum over a vector or in settle().
  LACIS_API virtual void ask_to_stop(std::exception_ptr why);
  /// Throws what ask_to_stop() announced on another rank and no sum has thrown yet.
  virtual void settle() {}

  // Several in one, for spaces that read memory once; here one after the other.

  /// y = y + alpha x, then y^H y.
  virtual T axpy_and_square(T alpha, const vector& x, const vector& y) {
    axpby(alpha, x, T(1), y);
    return dot(y, y);
  }
  /// x = x + alpha p, then p = z + beta p.
  virtual void advance(T alpha, const vector& x, const vector& z, T beta, const vector& p) {
    axpby(alpha, p, T(1), x);
    axpby(T(1), z, beta, p);
  }
  /// products[i] = basis[i]^H x.
  virtual void dots(std::span<const vector> basis, const vector& x, std::span<T> products) {
    for (std::size_t i = 0; i < basis.size(); ++i) products[i] = dot(basis[i], x);
  }
  /// x = x + the sum of factors[i] basis[i], added one after the other.
  virtual void add_combination(std::span<const T> factors, std::span<const vector> basis, const vector& x) {
    for (std::size_t i = 0; i < basis.size(); ++i) axpby(factors[i], basis[i], T(1), x);
  }
  /// y[j] = y[j] + the sum of factors[i y.size() + j] x[i], added one after the other.
  virtual void add_combinations(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
    for (std::size_t j = 0; j < y.size(); ++j)
      for (std::size_t i = 0; i < x.size(); ++i) axpby(factors[i * y.size() + j], x[i], T(1), y[j]);
  }
  /// products[i y.size() + j] = x[i]^H y[j].
  virtual void gram(std::span<const vector> x, std::span<const vector> y, std::span<T> products) {
    for (std::size_t j = 0; j < y.size(); ++j)
      for (std::size_t i = 0; i < x.size(); ++i) products[i * y.size() + j] = dot(x[i], y[j]);
  }
  /// y[j] = the sum of factors[i y.size() + j] x[i], added to zero one after the other.
  virtual void combine(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      axpby(T(0), y[j], T(0), y[j]);
      for (std::size_t i = 0; i < x.size(); ++i) axpby(factors[i * y.size() + j], x[i], T(1), y[j]);
    }
  }
};

/// A matrix as solvers see it, or whatever acts like one. A preconditioner is one too: it multiplies with what is
/// nearly the inverse. A plan, a matrix on disk and one of a cluster are operators, and every solver takes them alike.
/// Operators and preconditioners that the library makes for the processor may be shared between threads: apply() has
/// the memory that it needs for each call. Those of devices, whose memory is for one product, and of several processes,
/// which must agree on the next one, are for one thread at a time.
template <value T> class linear_operator {
 public:
  /// The vectors that it takes: those of space().
  using vector = space_vector<T>;

  /// Vectors of its space may outlive it.
  virtual ~linear_operator() = default;

  /// Of a matrix that is spread over processes, the rows and columns whose elements of vectors this process holds.
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  /// Elements of x that this process holds.
  [[nodiscard]] virtual std::int64_t cols() const = 0;
  /// Where the vectors that it takes live.
  [[nodiscard]] virtual vector_space<T>& space() const = 0;

  /// y = A x; writes the elements of y.
  virtual void apply(const vector& x, const vector& y) const = 0;
  /// y = A x, then x^H y; A is square.
  virtual T apply_and_dot(const vector& x, const vector& y) const {
    apply(x, y);
    return space().dot(x, y);
  }
  /// y[i] = A x[i], with the bits of one after the other; for matrices that several vectors read once.
  virtual void apply_to_each(std::span<const vector> x, std::span<const vector> y) const {
    for (std::size_t i = 0; i < x.size(); ++i) apply(x[i], y[i]);
  }
  /// y = A^H x. error(unsupported) where it cannot.
  LACIS_API virtual void apply_adjoint(const vector& x, const vector& y) const;
  // What rounding does to products. An operator that has its entries at hand answers both, and then a solver claims no
  // success that rounding errors may have made up; for one that does not, the errors are estimated from products.

  /// y[i] = a bound of the rounding errors of element i of A x, as apply() computes it. False: not known, and y is as
  /// it was.
  [[nodiscard]] virtual bool bound_rounding(const vector& x, const vector& y) const {
    static_cast<void>(x);
    static_cast<void>(y);
    return false;
  }
  /// r = b - A x with at least twice the digits of T in products and sums, rounded to T at the end. False: it cannot,
  /// and r is as it was. bound_rounding() and this are both known, or neither is.
  [[nodiscard]] virtual bool precise_residual(const vector& b, const vector& x, const vector& r) const {
    static_cast<void>(b);
    static_cast<void>(x);
    static_cast<void>(r);
    return false;
  }
  /// Bytes that one product moves at least; 0: unknown.
  [[nodiscard]] virtual std::int64_t moved_bytes() const { return 0; }
  /// The same of apply_to_each() with that many vectors.
  [[nodiscard]] virtual std::int64_t moved_bytes_of_each(std::int64_t vectors) const { return vectors * moved_bytes(); }
  /// A hash over the places and values of all entries, the same on any number of processes; 0: unknown.
  [[nodiscard]] virtual std::uint64_t hash() const { return 0; }
  /// Whether apply() is no linear map, as an iteration inside of a preconditioner is none. Methods with
  /// method_traits::takes_variable take such a preconditioner.
  [[nodiscard]] virtual bool is_variable() const { return false; }
};

/// The plan's matrix, and its adjoint when the plan holds it. Vectors live where the plan's products run.
template <value T, index Index>
[[nodiscard]] LACIS_API std::unique_ptr<linear_operator<T>> make_operator(const plan<T, Index>& matrix);

namespace detail {
/// y = A x, computed by the caller.
template <class T> using vector_function = std::function<void(std::span<const T> x, std::span<T> y)>;
template <class T>
LACIS_API std::unique_ptr<linear_operator<T>> make_function_operator(std::int64_t rows, std::int64_t cols,
                                                                     vector_function<T> apply,
                                                                     vector_function<T> adjoint,
                                                                     const multiply_options& options);
}  // namespace detail

/// An operator without a matrix: apply(x, y) computes y = A x, adjoint(x, y) computes y = A^H x, which only lsqr needs.
///
///     const auto op = make_operator<double>(n, n, [&](std::span<const double> x, std::span<double> y) { ... });
///
/// x and y are in host memory, do not overlap and have the sizes of the operator; the function writes every element of
/// y, which holds arbitrary numbers before. It is called on the thread that solves, outside of parallel regions, and
/// what it throws passes through the solver unchanged. `options` are for the other operations on vectors. The operator
/// may be shared between threads if the functions may.
template <value T>
[[nodiscard]] std::unique_ptr<linear_operator<T>> make_operator(
    std::int64_t rows, std::int64_t cols,
    std::type_identity_t<std::function<void(std::span<const T>, std::span<T>)>> apply,
    std::type_identity_t<std::function<void(std::span<const T>, std::span<T>)>> adjoint = {},
    const multiply_options& options = {}) {
  return detail::make_function_operator<T>(rows, cols, std::move(apply), std::move(adjoint), options);
}

/// Vectors in host memory, worked on by `threads` threads (0: OpenMP's default).
template <value T>
[[nodiscard]] LACIS_API std::unique_ptr<vector_space<T>> make_host_space(const multiply_options& options = {});

}  // namespace lacis
