// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems of equations, solved by iteration.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lacis/export.hpp>
#include <lacis/operator.hpp>
#include <lacis/ranges.hpp>

/// Method(name, what it is, traits), one line each; members of method_traits without a value have their defaults. A
/// method is the class `name` in `src/core/solve/methods/<name>.hpp` and its line here: CMake reads these lines too. A
/// new line goes to the end: checkpoints have the numbers of the values.
// clang-format off
#define LACIS_FOR_EACH_SOLVE_METHOD(Method)                                                                            \
  Method(cg, "Conjugate gradients (Hestenes and Stiefel 1952), for Hermitian positive definite A.", .for_hermitian = true, .takes_variable = true) \
  Method(minres, "Minimal residuals (Paige and Saunders 1975), for Hermitian A, also indefinite or singular.", .vectors = 14, .for_hermitian = true) \
  Method(bicgstab, "Stabilised biconjugate gradients (van der Vorst 1992), for any square A: few vectors, erratic.", .products = 2, .vectors = 20, .takes_variable = true, .may_stall = true) \
  Method(gmres, "Generalised minimal residuals (Saad and Schultz 1986), restarted, for any square A.", .restarts = true, .may_stall = true) \
  Method(fgmres, "Flexible gmres (Saad 1993), whose preconditioner may change from step to step.", .takes_variable = true, .restarts = true, .may_stall = true) \
  Method(lsqr, "Least squares (Paige and Saunders 1982), for any A. It needs products with A^H: make the plan with plan_options.transpose, or plan_options.conjugate_transpose where A is complex.", .products = 2, .vectors = 12, .least_squares = true) \
  Method(chebyshev, "Chebyshev iteration (Golub and Varga 1961), for Hermitian positive definite A: no dot products.", .for_hermitian = true) \
  Method(idr, "Induced dimension reduction (van Gijzen and Sonneveld 2011) with four shadow vectors, for any square A: short recurrences, one product per iteration.", .vectors = 30, .takes_variable = true, .may_stall = true)
// clang-format on

namespace lacis {

/// The iterative methods, all with the same bits on any number of threads.
#define LACIS_METHOD_NAME(name, ...) name,
enum class solve_method { LACIS_FOR_EACH_SOLVE_METHOD(LACIS_METHOD_NAME) };
#undef LACIS_METHOD_NAME

/// What holds for a method, whatever the system.
struct method_traits {
  std::string_view name;   ///< in commands, in C and in Python
  std::string_view words;  ///< what it is, in a sentence
  double products = 1;     ///< products with A, and applications of the preconditioner, in one iteration
  double vectors = 8;  ///< vectors that one iteration reads or writes besides; where it restarts, solve_options.restart
  bool for_hermitian = false;   ///< needs A Hermitian, and the preconditioner Hermitian and positive definite
  bool takes_variable = false;  ///< the preconditioner may change from step to step (linear_operator::is_variable)
  bool restarts = false;        ///< solve_options.restart is for it
  bool least_squares = false;   ///< takes A of any shape, with its adjoint and without a preconditioner
  bool may_stall = false;       ///< its residual may jump or stay for good
};

/// One element for each solve_method.
#define LACIS_METHOD_TRAITS(value, about, ...) {.name = #value, .words = about __VA_OPT__(, ) __VA_ARGS__},
inline constexpr method_traits all_method_traits[] = {LACIS_FOR_EACH_SOLVE_METHOD(LACIS_METHOD_TRAITS)};
#undef LACIS_METHOD_TRAITS

/// The number of solve_method's values.
inline constexpr std::size_t solve_methods = std::size(all_method_traits);
/// What holds for this one.
[[nodiscard]] constexpr const method_traits& traits_of(solve_method method) {
  return all_method_traits[static_cast<std::size_t>(method)];
}
/// "cg", "minres", ...
[[nodiscard]] LACIS_API std::string_view name_of(solve_method method);

/// How far a solver is.
struct solve_progress {
  /// From 1 on.
  std::int64_t iteration = 0;
  double residual = 0;  ///< |b - A x| / |b| as the recurrence has it
};

/// Why a solver stopped.
enum class solve_outcome {
  converged,       ///< the true residual is within the tolerance
  max_iterations,  ///< solve_options.max_iterations reached
  stopped,         ///< by the monitor
  stagnated,       ///< converged by the recurrence, not by the true residual, and going on does not help
  broke_down,      ///< a division by zero, or the matrix is not what the method needs
  out_of_range     ///< there is a solution, but its elements are too large or too small for the type
};
/// "converged", "out of iterations", "stopped", "stagnated", "broke down", "out of range".
[[nodiscard]] LACIS_API std::string_view name_of(solve_outcome outcome);

template <value T> struct method_options;

/// For the tolerance of options: default_tolerance of the matrix's type.
inline constexpr double tolerance_of_type = -std::numeric_limits<double>::infinity();
/// Where no tolerance is given: 1e-8, and 1e-4 in single precision, whose rounding errors reach further.
template <value T> inline constexpr double default_tolerance = sizeof(real_of<T>) == sizeof(float) ? 1e-4 : 1e-8;

/// How a method runs and when it stops.
struct solve_options {
  double tolerance = tolerance_of_type;  ///< of |b - A x| / |b|
  std::int64_t max_iterations = 0;       ///< 0: ten times the unknowns, 1000 at least
  int restart = 50;                      ///< restart length of gmres and fgmres, at most the number of unknowns
  /// Called after every iteration; false stops.
  std::function<bool(const solve_progress&)> monitor = {};
  /// A directory where the state is kept every `checkpoint_every` iterations, and from which it goes on when it holds
  /// the state of this system; empty: none. The bits of the result are those of an undisturbed run.
  std::string checkpoint = {};
  /// Iterations from one state to the next.
  std::int64_t checkpoint_every = 100;
  /// The state stays when the system is solved, for callers who have yet to save x; remove_checkpoint() takes it away.
  bool keep_checkpoint = false;
  /// chebyshev: bounds of the eigenvalues; 0: estimated.
  double smallest_eigenvalue = 0;
  /// chebyshev: the upper bound; 0: estimated.
  double largest_eigenvalue = 0;

  /// The same without a preconditioner.
  template <value T> operator method_options<T>() const;
};

/// Refers to a preconditioner or to none. It does not own it: what a std::unique_ptr or a name holds can be given, a
/// temporary cannot.
template <value T> class preconditioner_ref {
 public:
  /// None.
  preconditioner_ref() = default;
  /// None.
  preconditioner_ref(std::nullptr_t) {}
  /// The one that it points to, or none when it is null.
  preconditioner_ref(const linear_operator<T>* m) : held_(m) {}
  /// This one, which must outlive the call.
  preconditioner_ref(const linear_operator<T>& m) : held_(&m) {}
  /// The one that the pointer holds, which must outlive the call.
  template <std::derived_from<linear_operator<T>> M> preconditioner_ref(const std::unique_ptr<M>& m) : held_(m.get()) {}
  /// The one that the pointer holds, which must outlive the call.
  template <std::derived_from<linear_operator<T>> M> preconditioner_ref(const std::shared_ptr<M>& m) : held_(m.get()) {}
  // It would be gone when the options are used: give the preconditioner a name.
  /// A temporary would be gone when the options are used: give the preconditioner a name.
  preconditioner_ref(const linear_operator<T>&& m) = delete;
  /// A temporary would be gone when the options are used: give the preconditioner a name.
  template <std::derived_from<linear_operator<T>> M> preconditioner_ref(std::unique_ptr<M>&& m) = delete;

  /// Null for none.
  [[nodiscard]] const linear_operator<T>* get() const { return held_; }

 private:
  const linear_operator<T>* held_ = nullptr;
};

/// solve_options and a preconditioner, which has the type of the matrix:
/// {.tolerance = 1e-10, .preconditioner = m}. The members are described in solve_options.
template <value T> struct method_options {
  /// Of |b - A x| / |b|.
  double tolerance = tolerance_of_type;
  /// 0: ten times the unknowns, 1000 at least.
  std::int64_t max_iterations = 0;
  /// Restart length of gmres and fgmres.
  int restart = 50;
  /// Called after every iteration; false stops.
  std::function<bool(const solve_progress&)> monitor = {};
  /// A directory for states; empty: none.
  std::string checkpoint = {};
  /// Iterations from one state to the next.
  std::int64_t checkpoint_every = 100;
  /// Whether the state stays when the system is solved.
  bool keep_checkpoint = false;
  /// chebyshev: the lower bound of the eigenvalues; 0: estimated.
  double smallest_eigenvalue = 0;
  /// chebyshev: the upper bound of the eigenvalues; 0: estimated.
  double largest_eigenvalue = 0;
  /// Nearly the inverse of A; methods for Hermitian matrices need it Hermitian and positive definite, lsqr takes none.
  preconditioner_ref<T> preconditioner = {};

  /// The same without the preconditioner.
  operator solve_options() const {
    return {tolerance,       max_iterations,      restart,           monitor, checkpoint, checkpoint_every,
            keep_checkpoint, smallest_eigenvalue, largest_eigenvalue};
  }
};
static_assert(sizeof(method_options<double>) == sizeof(solve_options) + sizeof(preconditioner_ref<double>),
              "method_options has the members of solve_options");

template <value T> solve_options::operator method_options<T>() const {
  return {tolerance,           max_iterations,     restart, monitor, checkpoint, checkpoint_every, keep_checkpoint,
          smallest_eigenvalue, largest_eigenvalue, {}};
}

/// Time that one kind of operation took.
struct solve_share {
  /// "A x", "dot", "preconditioner", ...
  std::string operation;
  /// How often it was done.
  std::int64_t calls = 0;
  /// Of all calls together.
  double seconds = 0;
  double moved_bytes = 0;  ///< at least; 0: unknown
};

/// How a solution went.
struct solve_report {
  /// Why the solver stopped.
  solve_outcome outcome = solve_outcome::max_iterations;
  /// That were done in all, those before a checkpoint included.
  std::int64_t iterations = 0;
  double residual = 0;       ///< by the recurrence
  double true_residual = 0;  ///< |b - A x| / |b|, computed at the end
  /// Of this call, measured.
  double seconds = 0;
  std::int64_t resumed_at = 0;  ///< the iteration of the checkpoint it went on from
  std::uint64_t system = 0;     ///< identifies the states of this system; 0 without a checkpoint
  std::string reason;           ///< one sentence, with advice where it did not converge
  std::vector<double> history;  ///< the residual after every iteration
  /// Where the time went, one element per kind of operation.
  std::vector<solve_share> shares;

  /// Whether the true residual is within the tolerance.
  [[nodiscard]] bool converged() const { return outcome == solve_outcome::converged; }
};

/// Solves A x = b from the x that is given; |b| = 0 gives x = 0. `preconditioner` is nearly the inverse of A;
/// methods for Hermitian matrices need it Hermitian and positive definite.
///
/// A and b may have any size that the type holds: both are scaled by powers of two. Success is reported only where the
/// true residual of the x that is given back, rounding errors of its own computation included, is within the tolerance;
/// for lsqr, which takes a least-squares solution for an answer, |A^H r| / (|A| |r|) may be within it instead. x is
/// finite in any case.
/// Throws error(invalid_argument) where sizes do not fit, b or x is not finite, or the method cannot take a
/// preconditioner. Entries of A that are not finite end it as broken down.
template <value T>
[[nodiscard]] LACIS_API solve_report solve(solve_method method, const linear_operator<T>& a, std::span<const T> b,
                                           std::span<T> x, const solve_options& options = {},
                                           const linear_operator<T>* preconditioner = nullptr);

namespace detail {

template <value T, index Index> T entry_of(const plan<T, Index>& a);
template <value T> T entry_of(const linear_operator<T>& a);
/// The type of the entries of a plan or an operator.
template <class A> using entry_type = decltype(entry_of(std::declval<const A&>()));

/// Whether b and x are the vectors of a system with entries of that type; the reason why not is a compiler's error.
template <class T, class B, class X> consteval bool are_system_vectors() {
  constexpr bool taken = vector_range<B> && vector_range<X>;
  static_assert(taken,
                "b and x must be contiguous ranges of float, double or their complex numbers: std::vector, std::span, "
                "lacis::buffer, an Eigen vector; copy elements that lie apart to a std::vector");
  constexpr bool same = std::is_same_v<element_of<B>, T> && std::is_same_v<element_of<X>, T>;
  static_assert(!taken || same,
                "the elements of b and x must have the type of the entries of A: convert b, or make the plan from "
                "cast_values<T>(A)");
  return taken && same;
}

template <class T>
LACIS_API solve_report solve_with(solve_method method, const linear_operator<T>& a, std::span<const T> b,
                                  std::span<T> x, const method_options<T>& options);
template <class T, class Index>
LACIS_API solve_report solve_with(solve_method method, const plan<T, Index>& a, std::span<const T> b, std::span<T> x,
                                  const method_options<T>& options);

template <class A, class B, class X>
solve_report solve_system(solve_method method, const A& a, const B& b, X& x,
                          const method_options<entry_type<A>>& options) {
  using T = entry_type<A>;
  if constexpr (are_system_vectors<T, B, X>())
    return solve_with<T>(method, a, elements(b), writable_elements(x), options);
  else
    return {};
}

}  // namespace detail

/// What a method solves with: a plan, or an operator.
template <class A>
concept plan_or_operator = requires { typename detail::entry_type<A>; };

/// The same for b and x in any contiguous range (std::vector, std::span, buffer, an Eigen vector), with the
/// preconditioner among the options. solve(A, b, x) without a method is in solve_auto.hpp: it chooses one.
template <class B, class X, value T>
[[nodiscard]] solve_report solve(solve_method method, const linear_operator<T>& a, const B& b, X&& x,
                                 const std::type_identity_t<method_options<T>>& options = {}) {
  return detail::solve_system(method, a, b, x, options);
}
/// The same for a plan.
template <class B, class X, value T, index Index>
[[nodiscard]] solve_report solve(solve_method method, const plan<T, Index>& a, const B& b, X&& x,
                                 const std::type_identity_t<method_options<T>>& options = {}) {
  return detail::solve_system(method, a, b, x, options);
}

// One function per method, each solve() of that method: report = cg(plan, b, x, {.tolerance = 1e-10}). All throw what
// solve() throws.
#define LACIS_METHOD_FUNCTION(name, ...)                                                       \
  template <plan_or_operator A, class B, class X>                                              \
  [[nodiscard]] solve_report name(const A& a, const B& b, X&& x,                               \
                                  const method_options<detail::entry_type<A>>& options = {}) { \
    return detail::solve_system(solve_method::name, a, b, x, options);                         \
  }
LACIS_FOR_EACH_SOLVE_METHOD(LACIS_METHOD_FUNCTION)
#undef LACIS_METHOD_FUNCTION

/// Removes the states of a system that has been solved with keep_checkpoint; `system` is that of its report. Others
/// stay.
LACIS_API void remove_checkpoint(const std::string& directory, std::uint64_t system);

/// The single-precision type of the same kind.
template <class T> using narrow_of = std::conditional_t<is_complex<T>, std::complex<float>, float>;

/// The same with half the bytes: corrections x + d with A d = b - A x are found by the method in the narrow type,
/// residuals are computed in T. `narrow` is A in that type, `preconditioner` is for it. For T double or complex double,
/// square systems whose condition the narrow type can bear; no checkpoints.
template <value T>
[[nodiscard]] LACIS_API solve_report solve_refined(solve_method method, const linear_operator<T>& a,
                                                   const linear_operator<narrow_of<T>>& narrow, std::span<const T> b,
                                                   std::span<T> x, const solve_options& options = {},
                                                   const linear_operator<narrow_of<T>>* preconditioner = nullptr);

/// Solves A X = B for all columns of B at once, by conjugate gradients whose products share one pass over the matrix. A
/// column's bits are those of solve(solve_method::cg, ...) alone. B and X are column-major, on the processor; the
/// monitor sees the largest residual. One report per column; their times are those of the whole.
template <value T, index Index>
[[nodiscard]] LACIS_API std::vector<solve_report> solve_columns(const plan<T, Index>& a, const dense_view<const T>& b,
                                                                const dense_view<T>& x,
                                                                const solve_options& options = {});

}  // namespace lacis
