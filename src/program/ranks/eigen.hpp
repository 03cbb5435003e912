// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of any type of values, as commands pass them on: options and results without what has a type.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lacis/eigs.hpp>

namespace lacis::app {

/// The same for another type of values; without operators and start vectors.
template <value T> eigen_options<T> options_for(const eigen_options<double>& all) {
  eigen_options<T> typed;
  typed.part = all.part;
  typed.method = all.method;
  typed.tolerance = all.tolerance;
  typed.absolute_tolerance = all.absolute_tolerance;
  typed.max_iterations = all.max_iterations;
  typed.vectors = all.vectors;
  typed.monitor = all.monitor;
  typed.checkpoint = all.checkpoint;
  typed.checkpoint_every = all.checkpoint_every;
  typed.keep_checkpoint = all.keep_checkpoint;
  return typed;
}

/// How many are found where none are asked for, and fewer in a smaller matrix.
inline constexpr std::int64_t default_pairs = 6;
/// `asked`, or the default for 0.
[[nodiscard]] inline std::int64_t pairs_of(std::int64_t asked, std::int64_t rows) {
  return asked > 0 ? asked : std::clamp<std::int64_t>(rows, 1, default_pairs);
}

/// All but the vectors.
template <value T> eigen_result<double> without_vectors(const eigen_result<T>& found) {
  eigen_result<double> some;
  some.outcome = found.outcome;
  some.values = found.values;
  some.residuals = found.residuals;
  some.is_converged = found.is_converged;
  some.hash = found.hash;
  some.iterations = found.iterations;
  some.history = found.history;
  some.resumed_at = found.resumed_at;
  some.system = found.system;
  some.products = found.products;
  some.method = found.method;
  some.seconds = found.seconds;
  some.reason = found.reason;
  some.shares = found.shares;
  return some;
}

}  // namespace lacis::app
