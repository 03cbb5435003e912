// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The cost of an iteration, and methods that make no progress.
#include "solve/turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacis::solver {

double work_of(const solver_choice& choice, double rows, double entries, double value, int restart) {
  const double product = entries * (value + 4) + 2 * rows * value;
  const double vector = rows * value;
  const double preconditioner = [&] {
    if (!choice.preconditioner) return 0.0;
    switch (*choice.preconditioner) {
      case preconditioner_kind::jacobi:
        return 3 * vector;
      case preconditioner_kind::block_jacobi:
        return 6 * vector;
      case preconditioner_kind::chebyshev:
        return 4 * product + 16 * vector;
      case preconditioner_kind::amg:
        return 3 * product + 20 * vector;  // four products in single precision, and what coarser levels add
      default:
        return 3 * product;  // triangles, whose rows wait for each other: 2.6 to 3.3 were measured
    }
  }();
  const double all = [&] {
    switch (choice.method) {
      case solve_method::minres:
        return product + 14 * vector + preconditioner;
      case solve_method::bicgstab:
        return 2 * (product + 10 * vector + preconditioner);
      case solve_method::gmres:
      case solve_method::fgmres:
        return product + restart * vector + preconditioner;  // half of them on average, twice orthogonal
      case solve_method::lsqr:
        return 2 * product + 12 * vector;
      default:
        return product + 8 * vector + preconditioner;
    }
  }();
  return all / (product + 8 * vector);
}

bool is_hopeless(solve_method method, const std::vector<double>& history) {
  constexpr std::size_t many = 200;
  const bool can_stay =
      method == solve_method::gmres || method == solve_method::fgmres || method == solve_method::bicgstab;
  if (!can_stay || history.size() < many) return false;
  const auto middle = history.begin() + static_cast<std::ptrdiff_t>(history.size() / 2);
  return !(*std::min_element(middle, history.end()) < 0.9 * *std::min_element(history.begin(), middle));
}

double iterations_left(const std::vector<double>& history, double tolerance) {
  if (history.size() < 2) return std::numeric_limits<double>::infinity();
  const auto middle = history.begin() + static_cast<std::ptrdiff_t>(history.size() / 2);
  const double before = *std::min_element(history.begin(), middle);
  const double now = *std::min_element(middle, history.end());
  if (now <= tolerance) return 0;
  const double gained = std::log10(before / now);
  if (!(gained > 0)) return std::numeric_limits<double>::infinity();
  const double halves = std::log10(now / tolerance) / gained;
  const auto size = static_cast<double>(history.size());
  return size * std::sqrt(halves / 2 * (std::exp2(halves) - 1));
}

}  // namespace lacis::solver
