// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `sell` costs, and why it is chosen.
#include "base/text.hpp"
#include "plan/layouts/sell/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread.
constexpr double work_of_slice = 6;

costed_layout as_sell(const costing& c, int blocks) {
  const features& f = c.f;
  costed_layout made;
  made.choice = {plan_layout::sell, blocks, f.form};
  made.cost.layout = blocks == 1 ? text("sell-", c.n.lanes()) : text("sell-", c.n.lanes(), " in ", blocks, " ranges");
  made.cost.values = c.n.kept_name;
  double storage = 0;
  product_cost p = packed_part(c, 1, 1, storage);
  if (blocks > 1) {
    // Every range reads and writes the sums again; its part of x stays nearer.
    const auto rows = static_cast<double>(f.rows);
    storage += (blocks - 1) * rows * 10;
    p.bytes += (blocks - 1) * rows * (10 + 2 * static_cast<double>(c.n.value));
    p.work += (blocks - 1) * rows * work_of_slice;
    p.waiting = static_cast<double>(f.entries) * f.lines_of_x * c.rates.random_read(f.cols * c.n.value / blocks);
  }
  p.bytes += c.vectors();
  made.cost.storage_bytes = static_cast<std::int64_t>(storage);
  c.finish(made, p);
  made.cost.conversion_seconds = (static_cast<double>(f.entries) * making_of_sell_entry * (blocks > 1 ? 2 : 1) +
                                  static_cast<double>(f.rows) * making_of_sell_row * blocks) *
                                 nano / c.rates.threads;
  return made;
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

product_cost packed_part(const costing& c, double short_share, double long_share, double& storage) {
  const features& f = c.f;
  const number_sizes& n = c.n;
  const double slots = short_share * static_cast<double>(f.sell_slots);
  const double long_entries = long_share * static_cast<double>(f.entries - f.short_entries);
  const double long_rows = long_share * static_cast<double>(f.long_rows);
  const double rows = short_share * static_cast<double>(f.rows - f.long_rows);
  constexpr double lanes = 8;
  const double index_bytes = static_cast<double>(n.index) * (1 - f.run_on * (lanes - 1) / lanes);
  const double long_value = f.form == cpu::value_form::one ? 0 : static_cast<double>(n.value);
  storage = slots * (static_cast<double>(n.kept) + index_bytes) + rows * (5 + static_cast<double>(n.index) + 1) +
            long_entries * (long_value + static_cast<double>(n.index)) + long_rows * 12;
  return {storage,
          slots * (f.run_on * c.rates.of->consecutive_ns + (1 - f.run_on) * c.rates.of->gathered_ns) +
              rows / lanes * work_of_slice + long_entries * work::long_entry(c.rates) + long_rows * work::csr_row,
          c.waiting_for_x(short_share * static_cast<double>(f.short_entries) + long_entries), 0};
}

void sell_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  if (c.f.short_entries == 0 && !c.asked(plan_layout::sell)) return;
  const int asked = c.options.column_blocks;
  if (asked <= 1) all.push_back(as_sell(c, 1));
  const auto cols = std::max<std::int64_t>(c.f.cols, 1);
  const int ranges = asked > 0 ? static_cast<int>(std::min<std::int64_t>(asked, cols)) : column_ranges(c.f, c.n);
  if (ranges > 1 && c.sorted)
    all.push_back(as_sell(c, ranges));
  else if (asked > 1)
    all.push_back(as_sell(c, 1));
}

std::string sell_model::reason(const features& f, const costed_layout& chosen) const {
  const std::int64_t padding = f.sell_slots - f.short_entries;
  const double share = f.short_entries == 0 ? 0 : static_cast<double>(padding) / static_cast<double>(f.short_entries);
  std::string words = text("short rows side by side, padded by ", percent(share));
  if (f.run_on > 0.1)
    words += text("; in ", percent(f.run_on), " of the slots columns are consecutive and need one index");
  if (chosen.choice.blocks > 1) words += text("; columns in ", chosen.choice.blocks, " ranges, so that x stays in L2");
  if (f.long_rows > 0) words += text("; ", f.long_rows, " longer rows as csr");
  return words;
}

}  // namespace lacis::detail
