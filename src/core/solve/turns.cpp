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
  const method_traits& method = traits_of(choice.method);
  double step = product;
  if (choice.preconditioner) {
    const preconditioner_traits& m = traits_of(*choice.preconditioner);
    step += m.products * product + m.vectors * vector;
  }
  // Of the directions that are kept, half on average, twice orthogonal.
  const double vectors = method.restarts ? restart : method.vectors;
  return (method.products * step + vectors * vector) / (product + 8 * vector);
}

bool is_hopeless(solve_method method, const std::vector<double>& history) {
  constexpr std::size_t many = 200;
  if (!traits_of(method).may_stall || history.size() < many) return false;
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
