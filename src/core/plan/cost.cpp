// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the costs of all layouts have in common, and the rates of machines.
#include "plan/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

/// Bytes per second at which kernels stream so many of them: a share of what reading alone reaches, from memory, or
/// from the caches where all of it stays there from one product to the next.
double streaming_rate(double bytes, const thread_rates& rates) {
  constexpr double share = 0.78;
  constexpr double kept = 0.6;  // of the last cache, which others use as well
  const machine_rates& m = *rates.of;
  const auto from_caches = [&](double gbs) { return share * std::max(gbs * 1e9 * rates.threads, rates.read_bytes); };
  if (bytes <= static_cast<double>(m.own_cache_bytes) * rates.threads) return from_caches(m.own_cache_gbs);
  if (bytes <= kept * static_cast<double>(m.cache_bytes)) return from_caches(m.last_cache_gbs);
  return share * rates.read_bytes;
}

}  // namespace

product_cost costing::with_columns(product_cost p) const {
  if (options.columns <= 1) return p;
  // Nanoseconds of one thread, for each entry: copied to a row, and multiplied with a vector of columns.
  constexpr double work_of_copied_entry = 20;
  constexpr double work_of_vector = 0.4;
  const auto columns = static_cast<double>(options.columns);
  const auto entries = static_cast<double>(f.entries);
  const double vectors_of_row = std::ceil(columns * static_cast<double>(n.value) / 64);
  p.bytes += (columns - 1) * vectors();
  p.work = entries * (vectors_of_row * work_of_vector + (p.rows_in_place ? 0 : work_of_copied_entry));
  p.waiting *= vectors_of_row;
  return p;
}

void costing::finish(costed_layout& c, const product_cost& of_vector) const {
  const product_cost p = with_columns(of_vector);
  const double streaming = p.bytes / streaming_rate(p.bytes, rates);
  const double working = p.work * nano / rates.threads;
  c.cost.moved_bytes = static_cast<double>(c.cost.storage_bytes + (f.rows + f.cols) * n.value) + p.staged;
  const double waking = rates.threads > 1 ? rates.of->wake_ns * nano : 0;
  // Memory and kernel work at the same time, but not perfectly: a kernel that waits for its own sums asks late.
  constexpr double in_turn = 0.25;
  c.cost.seconds = std::max(streaming, working) + in_turn * std::min(streaming, working) + p.waiting + waking;
  c.cost.limit = p.waiting > std::max(streaming, working) ? "reads of x"
                 : streaming >= working                   ? "memory bandwidth"
                                                          : "arithmetic";
}

std::string percent(double share) { return text(static_cast<std::int64_t>(std::lround(100 * share)), " %"); }

std::string three_digits(double v) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), v < 100 ? "%.3g" : "%.0f", v);
  return digits;
}

thread_rates::thread_rates(const lacis::machine_rates& m, int wanted) : threads(wanted), of(&m) {
  const machine_rates::stream* best = nullptr;
  for (const auto& s : m.streams)
    if (best == nullptr || std::abs(s.threads - wanted) < std::abs(best->threads - wanted)) best = &s;
  constexpr double slow = 10;
  constexpr int most_scaling = 8;  // memory channels: more threads than these gain little
  const double scale = best == nullptr ? 1 : std::min(1.0 * wanted / best->threads, 1.0 * most_scaling);
  read_bytes = (best == nullptr ? slow : best->read_gbs) * scale * 1e9;
}

double thread_rates::random_read(std::int64_t bytes) const {
  const machine_rates::gather* below = nullptr;
  const machine_rates::gather* above = nullptr;
  int nearest = 0;
  for (const auto& g : of->gathers)
    if (nearest == 0 || std::abs(g.threads - threads) < std::abs(nearest - threads)) nearest = g.threads;
  for (const auto& g : of->gathers) {
    if (g.threads != nearest) continue;
    if (g.bytes <= bytes && (below == nullptr || g.bytes > below->bytes)) below = &g;
    if (g.bytes >= bytes && (above == nullptr || g.bytes < above->bytes)) above = &g;
  }
  if (below == nullptr) below = above;
  if (above == nullptr) above = below;
  constexpr double element = 8;
  constexpr double slow = 20 * nano;
  if (below == nullptr) return slow / threads;
  const auto seconds = [&](const machine_rates::gather& g) { return element / (g.gbs * 1e9) * nearest / threads; };
  if (below->bytes == above->bytes) return seconds(*below);
  const double way = std::log(static_cast<double>(bytes) / static_cast<double>(below->bytes)) /
                     std::log(static_cast<double>(above->bytes) / static_cast<double>(below->bytes));
  return std::exp(std::log(seconds(*below)) * (1 - way) + std::log(seconds(*above)) * way);
}

}  // namespace lacis::detail
