// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every method with every preconditioner on small random systems that are as bad as systems get. Nothing may crash, no
// success may be false, x must be finite, and what is easy must be solved at any scale.
//
//   solve_torture [--systems N | --seconds S] [--from SEED] [--only SEED]
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <unistd.h>

#include <lacis/error.hpp>
#include <lacis/plan.hpp>
#include <lacis/solve.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/solve_direct.hpp>

#include "solve/torture/judge.hpp"
#include "solve/torture/random_system.hpp"

namespace lacis::torture {
namespace {

/// Besides the methods of solve_method: ways through the library.
enum class way { method, automatic, mixed, direct, columns };
constexpr std::array<const char*, 5> way_names = {"method", "auto", "mixed", "direct", "columns"};

struct counts {
  std::int64_t systems = 0;
  std::int64_t converged = 0;
  std::int64_t told = 0;  ///< ended otherwise, and the report says so
  std::int64_t out_of_range = 0;
  std::int64_t refused = 0;  ///< error()
  std::int64_t crashes = 0;  ///< exceptions that are none of ours
  std::int64_t false_successes = 0;
  std::int64_t nans = 0;
  std::int64_t easy = 0;
  std::int64_t easy_but_unsolved = 0;
};

volatile std::uint64_t current = 0;

template <value T> struct experiment {
  random_system<T> system;
  way how = way::method;
  solve_method method = solve_method::cg;
  std::optional<preconditioner_kind> kind;
  solve_options options;

  [[nodiscard]] std::string describe(std::uint64_t seed) const {
    std::string text = "--only " + std::to_string(seed) + ": " + way_names[static_cast<std::size_t>(how)] + ' ' +
                       std::string(name_of(method)) + (kind ? " with " + std::string(name_of(*kind)) : "") + ", " +
                       std::string(family_names[static_cast<std::size_t>(system.kind)]) + ' ' +
                       std::to_string(system.a.rows) + " x " + std::to_string(system.a.cols) + ", A 2^" +
                       std::to_string(system.exponent_of_a) + ", b 2^" + std::to_string(system.exponent_of_b);
    char numbers[100];
    std::snprintf(numbers, sizeof numbers, ", tolerance %g, restart %d, at most %lld, %zu bytes", options.tolerance,
                  options.restart, static_cast<long long>(options.max_iterations), sizeof(T));
    return text + numbers;
  }
};

template <value T> experiment<T> draw(dice& chance) {
  experiment<T> e;
  e.system = make_system<T>(chance);
  e.how = chance.one_in(6) ? static_cast<way>(chance.between(1, 4)) : way::method;
  e.method = static_cast<solve_method>(chance.roll(static_cast<int>(solve_methods)));
  if (chance.one_in(2)) e.kind = static_cast<preconditioner_kind>(chance.roll(static_cast<int>(preconditioner_kinds)));
  constexpr std::array<double, 8> tolerances = {1e-8, 1e-4, 1e-2, 1e-6, 1e-10, 1e-13, 1e-16, 0};
  e.options.tolerance = tolerances[static_cast<std::size_t>(chance.roll(8))];
  constexpr std::array<int, 4> restarts = {50, 1, 3, 10000};
  e.options.restart = restarts[static_cast<std::size_t>(chance.roll(4))];
  constexpr std::array<std::int64_t, 3> most = {0, 40, 3};
  e.options.max_iterations = most[static_cast<std::size_t>(chance.roll(8) < 2 ? chance.between(1, 2) : 0)];
  if (e.method == solve_method::chebyshev && chance.one_in(4)) {
    e.options.smallest_eigenvalue = scaled(0.5, e.system.exponent_of_a);
    e.options.largest_eigenvalue = scaled(static_cast<double>(chance.between(0, 30)), e.system.exponent_of_a);
  }
  return e;
}

/// What must be solved whatever the scale: a diagonal that outweighs each row, numbers and a solution in range, and a
/// start from zero.
template <value T> bool is_easy(const experiment<T>& e) {
  using real = real_of<T>;
  const auto& s = e.system;
  const bool definite = s.kind == family::definite || s.kind == family::diagonal;
  const bool is_sure = e.method == solve_method::gmres || e.method == solve_method::lsqr ||
                       (definite && (e.method == solve_method::cg || e.method == solve_method::minres));
  const bool suits =
      e.how == way::direct || (!e.kind && (e.how == way::automatic || (e.how == way::method && is_sure)));
  const bool from_zero = std::all_of(s.x.begin(), s.x.end(), [](const T& element) { return element == T(0); });
  const int of_x = s.exponent_of_b - s.exponent_of_a;
  constexpr int room = 12;
  constexpr int low = std::numeric_limits<real>::min_exponent + std::numeric_limits<real>::digits + room;
  constexpr int high = std::numeric_limits<real>::max_exponent - room;
  const bool in_range = of_x > low && of_x < high && s.exponent_of_a > low && s.exponent_of_b > low;
  return suits && from_zero && s.a.rows > 0 && (definite || s.kind == family::dominant) && s.is_even && s.is_finite &&
         s.a.rows == s.a.cols && in_range && e.options.max_iterations == 0 && e.options.largest_eigenvalue == 0 &&
         e.options.restart >= 50 &&
         e.options.tolerance >= 1000 * static_cast<double>(std::numeric_limits<real>::epsilon());
}

template <value T> solve_report run(experiment<T>& e, std::vector<T>& x) {
  const auto& a = e.system.a;
  const std::span<const T> b(e.system.b);
  const bool needs_adjoint = traits_of(e.method).least_squares;
  plan_options how;
  how.threads = 1;
  (is_complex<T> ? how.conjugate_transpose : how.transpose) = needs_adjoint;
  const auto preconditioner_for = [&](const auto& matrix) {
    using M = typename std::decay_t<decltype(matrix)>::value_type;
    std::unique_ptr<preconditioner<M>> m;
    if (e.kind) m = make_preconditioner(matrix, {.kind = *e.kind, .threads = 1});
    return m;
  };
  switch (e.how) {
    case way::automatic: {
      auto_options options;
      options.solve = e.options;
      options.threads = 1;
      options.preconditioner = e.kind;
      return solve_auto(a, b, std::span<T>(x), options).result();
    }
    case way::direct:
      return solve_direct(a, b, std::span<T>(x), {e.options.tolerance, false});
    case way::columns: {
      const auto n = static_cast<std::int64_t>(b.size());
      const auto m = static_cast<std::int64_t>(x.size());
      return solve_columns(multiply_inspect(a, how),
                           dense_view<const T>{b.data(), n, 1, 1, std::max<std::int64_t>(1, n)},
                           dense_view<T>{x.data(), m, 1, 1, std::max<std::int64_t>(1, m)}, e.options)
          .at(0);
    }
    case way::mixed:
      if constexpr (!std::is_same_v<T, narrow_of<T>>) {
        using narrow = narrow_of<T>;
        if (e.system.a.rows == e.system.a.cols && e.kind) {  // through solve_auto, which scales what it narrows
          auto_options options;
          options.solve = e.options;
          options.method = e.method;
          options.mixed = true;
          options.threads = 1;
          options.preconditioner = e.kind;
          return solve_auto(a, b, std::span<T>(x), options).result();
        }
        csr_matrix<narrow, std::int32_t> small{.rows = a.rows,
                                               .cols = a.cols,
                                               .row_offsets = a.row_offsets,
                                               .columns = a.columns,
                                               .values = values_array<narrow>(a.nnz())};
        for (std::int64_t k = 0; k < a.nnz(); ++k) small.values.data[k] = static_cast<narrow>(a.values[k]);
        return solve_refined<T>(e.method, *make_operator(multiply_inspect(a, how)),
                                *make_operator(multiply_inspect(small, how)), b, x, e.options);
      }
      [[fallthrough]];
    case way::method: {
      const auto m = preconditioner_for(a);
      return solve<T>(e.method, *make_operator(multiply_inspect(a, how)), b, x, e.options, m.get());
    }
  }
  return {};
}

template <value T> void try_one(std::uint64_t seed, dice& chance, counts& all) {
  experiment<T> e = draw<T>(chance);
  std::vector<T> x = e.system.x;
  solve_report report;
  ++all.systems;
  const auto complain = [&](const std::string& what) { std::cout << what << ": " << e.describe(seed) << '\n'; };
  const bool easy = is_easy(e) && has_direct_solver();
  all.easy += easy ? 1 : 0;
  try {
    report = run(e, x);
  } catch (const error& problem) {
    ++all.refused;
    if (easy) {
      ++all.easy_but_unsolved;
      complain(std::string("easy, but ") + problem.what());
    }
    return;
  } catch (const std::exception& problem) {
    ++all.crashes;
    complain(std::string("exception ") + problem.what());
    return;
  }
  for (const T& element : x)
    if (!std::isfinite(std::real(element)) || !std::isfinite(std::imag(element))) {
      ++all.nans;
      complain("x is not finite: " + report.reason);
      return;
    }
  if (!report.converged()) {
    ++all.told;
    if (report.outcome == solve_outcome::out_of_range) ++all.out_of_range;
    if (easy) {
      ++all.easy_but_unsolved;
      complain("easy, but " + std::string(name_of(report.outcome)) + ": " + report.reason);
    }
    return;
  }
  ++all.converged;
  const judgement found = judge<T>(e.system.a, e.system.b, x);
  const auto tolerance = static_cast<wide>(e.options.tolerance);
  // The norm of the residual is rounded too. |A^H r| is a product in the working precision.
  const wide limit = tolerance * (1 + 100 * static_cast<wide>(std::numeric_limits<real_of<T>>::epsilon()));
  const bool takes_least_squares = e.method == solve_method::lsqr || e.how == way::automatic;
  if (!(found.residual <= limit) && !(takes_least_squares && found.least_squares <= 2 * tolerance)) {
    ++all.false_successes;
    complain("FALSE SUCCESS, residual " + std::to_string(static_cast<double>(found.residual)) + " reported " +
             std::to_string(report.true_residual) + " (" + report.reason + ")");
  }
}

void try_seed(std::uint64_t seed, counts& all) {
  current = seed;
  dice chance(seed * 0x9e3779b97f4a7c15u + 1);
  switch (chance.roll(5)) {
    case 0:
      return try_one<float>(seed, chance, all);
    case 1:
      return try_one<std::complex<float>>(seed, chance, all);
    case 2:
      return try_one<std::complex<double>>(seed, chance, all);
    default:
      return try_one<double>(seed, chance, all);
  }
}

extern "C" void name_the_seed(int signal) {
  char text[80];
  const int size =
      std::snprintf(text, sizeof text, "signal %d: --only %llu\n", signal, static_cast<unsigned long long>(current));
  if (write(STDOUT_FILENO, text, static_cast<std::size_t>(size)) < 0) _exit(2);
  _exit(1);
}

int report_counts(const counts& all, double seconds) {
  std::printf(
      "%lld systems in %.0f s: %lld converged, %lld did not and say so (%lld out of range), %lld refused with an "
      "error; of %lld easy ones %lld unsolved\n",
      static_cast<long long>(all.systems), seconds, static_cast<long long>(all.converged),
      static_cast<long long>(all.told), static_cast<long long>(all.out_of_range), static_cast<long long>(all.refused),
      static_cast<long long>(all.easy), static_cast<long long>(all.easy_but_unsolved));
  std::printf("%lld crashes, %lld false successes, %lld NaN unreported\n", static_cast<long long>(all.crashes),
              static_cast<long long>(all.false_successes), static_cast<long long>(all.nans));
  const bool fine = all.crashes + all.false_successes + all.nans + all.easy_but_unsolved == 0 && all.converged > 0;
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace lacis::torture

int main(int count, char** arguments) {
  using namespace lacis::torture;
  std::int64_t systems = 2000;
  double seconds = 1e9;
  std::uint64_t from = 0;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--systems") systems = std::atoll(arguments[i + 1]);
    if (name == "--seconds") systems = INT64_MAX, seconds = std::atof(arguments[i + 1]);
    if (name == "--from") from = std::strtoull(arguments[i + 1], nullptr, 10);
    if (name == "--only") from = std::strtoull(arguments[i + 1], nullptr, 10), systems = 1;
  }
  for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL}) std::signal(signal, name_the_seed);
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  counts all;
  for (std::int64_t k = 0; k < systems && passed() < seconds; ++k) try_seed(from + static_cast<std::uint64_t>(k), all);
  return report_counts(all, passed());
}
