// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The cost model of plans.
#include "plan/cost.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread's work, data in the cache: measured with `lacis bench plan`, see docs/guide/plans.md.
namespace work {
constexpr double csr_row = 3.6;
constexpr double csr_length_change = 5;  // a jump that the processor did not foresee
constexpr double csr_short_entry = 0.55;
constexpr double long_entry = 0.85;
constexpr double sell_gathered_slot = 0.42;
constexpr double sell_loaded_slot = 0.13;
constexpr double sell_slice = 6;
constexpr double stencil_slot = 0.1;
constexpr double stencil_slice = 5;
constexpr double stage_element = 1.3;
constexpr double stage_part = 65;
constexpr double staged_slot = 0.5;
constexpr double staged_row = 1.2;
}  // namespace work

/// Nanoseconds of one thread to make the layouts, for each entry and row.
namespace making {
constexpr double csr_entry = 4.5;
constexpr double sell_entry = 5;
constexpr double sell_row = 40;
constexpr double stencil_entry = 4;
constexpr double stencil_row = 40;
constexpr double staged_entry = 12;
constexpr double staged_row = 10;
}  // namespace making

constexpr double nano = 1e-9;

/// The bytes, the kernel's seconds and the waiting of one product.
struct product_cost {
  double bytes = 0;    ///< with those that a processor moves besides: lines of y before they are written, sums in parts
  double work = 0;     ///< nanoseconds of one thread
  double waiting = 0;  ///< seconds of all, for reads of x
  double staged = 0;   ///< bytes of x that are copied first
};

/// Bytes a second at which kernels stream so many of them: a share of what reading memory alone reaches; more where all
/// of it stays in the caches from one product to the next.
double streaming_rate(double bytes, const thread_rates& rates) {
  constexpr double share = 0.78;
  constexpr double second_cache = 2 << 20;  // of each thread
  constexpr double last_cache = 64 << 20;
  if (bytes <= second_cache * rates.threads) return 3.2 * share * rates.read_bytes;
  return (bytes <= last_cache ? 1.5 : 1.0) * share * rates.read_bytes;
}

void finish(costed_layout& c, const features& f, const number_sizes& n, const product_cost& p,
            const thread_rates& rates) {
  const double streaming = p.bytes / streaming_rate(p.bytes, rates);
  const double working = p.work * nano / rates.threads;
  c.cost.moved_bytes = static_cast<double>(c.cost.storage_bytes + (f.rows + f.cols) * n.value) + p.staged;
  c.cost.seconds = std::max(streaming, working) + p.waiting;
  c.cost.limit = p.waiting > std::max(streaming, working) ? "reads of x"
                 : streaming >= working                   ? "memory bandwidth"
                                                          : "arithmetic";
}

/// Writing y reads its lines first.
double vectors(const features& f, const number_sizes& n) {
  return static_cast<double>((f.cols + 2 * f.rows) * n.value);
}

/// Waiting for x where rows read it directly: lines that a few thousand rows share are near after the first read.
double waiting_for_x(const features& f, double entries, const number_sizes& n, const thread_rates& rates) {
  return entries * f.lines_of_x * rates.random_read(f.cols * n.value);
}

costed_layout as_csr(const features& f, const number_sizes& n, const thread_rates& rates) {
  costed_layout c;
  const auto entries = static_cast<double>(f.entries);
  const std::int64_t value = f.form == cpu::value_form::one ? 0 : n.value;
  c.choice = {plan_layout::csr, 1, f.form};
  c.cost.layout = "csr";
  c.cost.storage_bytes = f.entries * (value + n.index) + (f.rows + 1) * 8;
  const auto short_entries = static_cast<double>(f.short_entries);
  finish(c, f, n,
         {static_cast<double>(c.cost.storage_bytes) + vectors(f, n),
          short_entries * work::csr_short_entry + (entries - short_entries) * work::long_entry +
              static_cast<double>(f.rows) * work::csr_row +
              static_cast<double>(f.length_changes) * work::csr_length_change,
          waiting_for_x(f, entries, n, rates), 0},
         rates);
  c.cost.conversion_seconds = entries * making::csr_entry * nano / rates.threads;
  return c;
}

/// SELL for a share of the short rows and csr for the long ones.
product_cost packed_part(const features& f, double share, const number_sizes& n, const thread_rates& rates,
                         double& storage) {
  const double slots = share * static_cast<double>(f.sell_slots);
  const auto long_entries = static_cast<double>(f.entries - f.short_entries);
  const double rows = share * static_cast<double>(f.rows - f.long_rows);
  constexpr double lanes = 8;
  const double index_bytes = static_cast<double>(n.index) * (1 - f.run_on * (lanes - 1) / lanes);
  const double long_value = f.form == cpu::value_form::one ? 0 : static_cast<double>(n.value);
  storage = slots * (static_cast<double>(n.kept) + index_bytes) + rows * (5 + static_cast<double>(n.index) + 1) +
            long_entries * (long_value + static_cast<double>(n.index)) + static_cast<double>(f.long_rows) * 12;
  return {storage,
          slots * (f.run_on * work::sell_loaded_slot + (1 - f.run_on) * work::sell_gathered_slot) +
              rows / lanes * work::sell_slice + long_entries * work::long_entry +
              static_cast<double>(f.long_rows) * work::csr_row,
          waiting_for_x(f, share * static_cast<double>(f.short_entries) + long_entries, n, rates), 0};
}

costed_layout as_sell(const features& f, int blocks, const number_sizes& n, const thread_rates& rates) {
  costed_layout c;
  c.choice = {plan_layout::sell, blocks, f.form};
  const std::int64_t lanes = 64 / std::min<std::int64_t>(n.value, 8);
  c.cost.layout = blocks == 1 ? text("sell-", lanes) : text("sell-", lanes, " in ", blocks, " ranges");
  double storage = 0;
  product_cost p = packed_part(f, 1, n, rates, storage);
  if (blocks > 1) {
    // Every range reads and writes the sums again; its part of x stays nearer.
    const auto rows = static_cast<double>(f.rows);
    storage += (blocks - 1) * rows * 10;
    p.bytes += (blocks - 1) * rows * (10 + 2 * static_cast<double>(n.value));
    p.work += (blocks - 1) * rows * work::sell_slice;
    p.waiting = static_cast<double>(f.entries) * f.lines_of_x * rates.random_read(f.cols * n.value / blocks);
  }
  p.bytes += vectors(f, n);
  c.cost.storage_bytes = static_cast<std::int64_t>(storage);
  finish(c, f, n, p, rates);
  c.cost.conversion_seconds = (static_cast<double>(f.entries) * making::sell_entry * (blocks > 1 ? 2 : 1) +
                               static_cast<double>(f.rows) * making::sell_row * blocks) *
                              nano / rates.threads;
  return c;
}

costed_layout as_stencil(const features& f, const number_sizes& n, const thread_rates& rates) {
  costed_layout c;
  c.choice = {plan_layout::stencil, 1, f.form};
  const std::int64_t lanes = 64 / std::min<std::int64_t>(n.value, 8);
  c.cost.layout = text("stencil-", lanes);
  double storage = 0;
  product_cost p = packed_part(f, 1 - f.in_patterns, n, rates, storage);
  const double slots = f.in_patterns * f.pattern_slots * static_cast<double>(f.short_entries);
  const auto rows = f.in_patterns * static_cast<double>(f.rows);
  const double kept = f.values_repeat ? 0 : static_cast<double>(n.kept);
  const double patterns = slots * kept + rows * 0.4;
  p.bytes += patterns + vectors(f, n);
  p.work += slots * work::stencil_slot + rows / static_cast<double>(lanes) * work::stencil_slice;
  c.cost.storage_bytes = static_cast<std::int64_t>(storage + patterns);
  finish(c, f, n, p, rates);
  c.cost.conversion_seconds =
      (static_cast<double>(f.entries) * (making::stencil_entry + (1 - f.in_patterns) * making::sell_entry) +
       static_cast<double>(f.rows) * (making::stencil_row + (1 - f.in_patterns) * making::sell_row)) *
      nano / rates.threads;
  return c;
}

costed_layout as_staged(const features& f, const number_sizes& n, const thread_rates& rates) {
  costed_layout c;
  c.choice = {plan_layout::staged, 1, f.form};
  const std::int64_t lanes = 64 / std::min<std::int64_t>(n.value, 8);
  c.cost.layout = text("staged-", lanes);
  const auto entries = static_cast<double>(f.entries);
  const auto rows = static_cast<double>(f.rows);
  const double elements = std::min(entries, entries * f.elements_of_x);
  const auto parts = static_cast<double>(staged_part_count(f.rows, f.cols, f.entries));
  const auto value = static_cast<double>(n.value);
  const double arrays = entries * (2 + static_cast<double>(n.kept)) + rows * 3 + elements * 2 + parts * 16;
  c.cost.storage_bytes = static_cast<std::int64_t>(arrays + elements * value) + cpu::piece_size * n.value;
  finish(c, f, n,
         {arrays + elements * 3 * value + vectors(f, n),
          elements * work::stage_element + parts * work::stage_part + entries * work::staged_slot +
              rows * work::staged_row,
          0, elements * value},
         rates);
  c.cost.conversion_seconds = (entries * making::staged_entry + rows * making::staged_row) * nano / rates.threads;
  return c;
}

/// Into how many ranges of columns short rows may be cut: pieces of x that stay near a core, as long as a row has two
/// entries or more in each, so that its sum is not fetched and stored for too few.
int column_ranges(const features& f, const number_sizes& n) {
  constexpr std::int64_t range_bytes = std::int64_t{8} << 20;
  constexpr std::int64_t most = 64;
  const std::int64_t short_rows = f.rows - f.long_rows;
  const std::int64_t worth = short_rows == 0 ? 0 : f.short_entries / (2 * short_rows);
  return static_cast<int>(std::min({f.cols * n.value / range_bytes, worth, most}));
}

}  // namespace

const machine& built_in_machine() {
  static const machine typical{"built in",
                               std::int64_t{32} << 20,
                               {{1, 18}, {2, 36}},
                               {{1, 64 << 10, 11},
                                {1, 1 << 20, 5.5},
                                {1, 16 << 20, 2},
                                {1, 64 << 20, 1.7},
                                {1, std::int64_t{512} << 20, 0.75},
                                {2, 64 << 10, 22},
                                {2, 1 << 20, 11},
                                {2, 16 << 20, 4},
                                {2, 64 << 20, 3.4},
                                {2, std::int64_t{512} << 20, 1.3}}};
  return typical;
}

thread_rates::thread_rates(const lacis::machine& m, int wanted) : threads(wanted), of(&m) {
  const machine::stream* best = nullptr;
  for (const auto& s : m.streams)
    if (best == nullptr || std::abs(s.threads - wanted) < std::abs(best->threads - wanted)) best = &s;
  constexpr double slow = 10;
  constexpr int most_scaling = 8;  // memory channels: more threads than these gain little
  const double scale = best == nullptr ? 1 : std::min(1.0 * wanted / best->threads, 1.0 * most_scaling);
  read_bytes = (best == nullptr ? slow : best->read_gbs) * scale * 1e9;
}

double thread_rates::random_read(std::int64_t bytes) const {
  const machine::gather* below = nullptr;
  const machine::gather* above = nullptr;
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
  const auto seconds = [&](const machine::gather& g) { return element / (g.gbs * 1e9) * nearest / threads; };
  if (below->bytes == above->bytes) return seconds(*below);
  const double way = std::log(static_cast<double>(bytes) / static_cast<double>(below->bytes)) /
                     std::log(static_cast<double>(above->bytes) / static_cast<double>(below->bytes));
  return std::exp(std::log(seconds(*below)) * (1 - way) + std::log(seconds(*above)) * way);
}

std::vector<costed_layout> candidates_for(const features& f, const number_sizes& n, const thread_rates& rates,
                                          const plan_options& options) {
  constexpr double few_patterns = 0.25;
  constexpr std::int64_t near_bytes = std::int64_t{1} << 20;
  const auto asked = [&](plan_layout layout) { return options.layout == layout; };
  std::vector<costed_layout> all{as_csr(f, n, rates)};
  if (f.short_entries > 0 || asked(plan_layout::sell)) {
    if (options.column_blocks <= 1) all.push_back(as_sell(f, 1, n, rates));
    const auto cols = std::max<std::int64_t>(f.cols, 1);
    const int ranges = options.column_blocks > 0 ? static_cast<int>(std::min<std::int64_t>(options.column_blocks, cols))
                                                 : column_ranges(f, n);
    if (ranges > 1)
      all.push_back(as_sell(f, ranges, n, rates));
    else if (options.column_blocks > 1)
      all.push_back(as_sell(f, 1, n, rates));
  }
  if (f.in_patterns >= few_patterns || asked(plan_layout::stencil)) all.push_back(as_stencil(f, n, rates));
  const bool far_x = f.cols * n.value > near_bytes && options.columns <= 1;
  if (staged_part_count(f.rows, f.cols, f.entries) <= most_parts && (far_x || asked(plan_layout::staged)))
    all.push_back(as_staged(f, n, rates));
  return all;
}

}  // namespace lacis::detail
