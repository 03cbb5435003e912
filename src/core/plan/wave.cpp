// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sizes of waves.
#include "plan/wave.hpp"

#include "base/text.hpp"
#include "plan/cost.hpp"

namespace lacis::detail {
namespace {

/// Bytes of a row while a wave passes over it: its entries for as many planes as there are products, and three planes
/// of what each product reads.
double bytes_of_row(const wave_task& task, int products) {
  const double matrix = task.matrix_bytes / static_cast<double>(task.rows);
  return products * matrix + (3 * products + 1) * static_cast<double>(task.vector_bytes) / 2;
}

/// The wave for so many products; products 1 where there is none.
wave wave_for(const row_reach& reach, const wave_task& task, int products) {
  wave w{products, task.rows, 0, 0, reach.in_plane + reach.slice - 1, reach.slice};
  // Half of the cache: the other half is for what just passes.
  const auto rows = static_cast<std::int64_t>(static_cast<double>(task.cache_bytes) / 2 / bytes_of_row(task, products));
  const auto whole_planes = [&](std::int64_t least) {  // one strip of `least` rows or more
    const std::int64_t most = task.rows / (4 * products * task.threads);
    w.period = (std::max(least, std::min(rows / 2, most)) + w.slice - 1) / w.slice * w.slice;
    w.width = w.period;
    return w.period <= rows;
  };
  if (!whole_planes(std::max<std::int64_t>(1, reach.band))) {
    if (reach.period == 0) return {};
    w.period = reach.period;
    w.width = rows / reach.slice * reach.slice;
    if (w.width < 2 * w.skew) return {};
  }
  if (w.planes() < 2 * static_cast<std::int64_t>(products) * task.threads) return {};
  return w;
}

bool stays_in_cache(const wave_task& task) {
  const double bytes = task.matrix_bytes + static_cast<double>(task.vector_bytes) * static_cast<double>(task.rows);
  return task.rows == 0 || bytes <= static_cast<double>(task.cache_bytes) * task.threads;
}

}  // namespace

wave choose_wave(const row_reach& reach, const wave_task& task) {
  if (!reach.obstacle.empty() || stays_in_cache(task) || task.is_busy) return {};
  for (int waves = 1; waves < task.products; ++waves) {
    const int products = (task.products + waves - 1) / waves;
    if (const wave w = wave_for(reach, task, products); w.products > 1) return w;
  }
  return {};
}

std::string explain_wave(const row_reach& reach, const wave_task& task) {
  const wave w = choose_wave(reach, task);
  if (w.products > 1) {
    const auto megabytes = [](double bytes) { return three_digits(bytes / 1e6) + " MB"; };
    const double vectors = static_cast<double>(task.vector_bytes) * static_cast<double>(task.rows);
    const double together = task.matrix_bytes / w.products + vectors / 2 * (1 + 1.0 / w.products);
    return text(w.products, " products read the matrix once, ",
                w.strips() == 1 ? text("in planes of ", w.period, " rows")
                                : text("in strips of ", w.width, " rows of planes of ", w.period),
                ": each moves ", megabytes(together), " instead of ", megabytes(task.matrix_bytes + vectors));
  }
  if (task.products < 2) return "not fused: there is one product";
  if (stays_in_cache(task)) return "not fused: the matrix stays in the cache";
  if (!reach.obstacle.empty()) return text("not fused: ", reach.obstacle);
  if (task.is_busy) return "not fused: a product is bound by arithmetic, not by memory bandwidth";
  if (reach.period > 0)
    return text("not fused: planes of ", reach.period, " rows are too few or too large for ", task.threads,
                task.threads == 1 ? " thread" : " threads");
  return text("not fused: entries are up to ", reach.band,
              " columns from the diagonal, and rows so far apart do not stay in the cache");
}

}  // namespace lacis::detail
