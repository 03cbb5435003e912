// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `bsr` costs, and why it is chosen.
#include "base/text.hpp"
#include "plan/layouts/bsr/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread.
constexpr double work_of_slot = 0.13;
constexpr double work_of_long_slot = 0.4;  // its sums are in the first cache
constexpr double work_of_row = 2;
constexpr double making_of_entry = 6;
constexpr double making_of_row = 10;

}  // namespace

void bsr_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  constexpr double few_blocks = 0.5;  // of the entries
  const features& f = c.f;
  const double short_entries = short_share * static_cast<double>(f.short_entries);
  const double long_entries = long_share * static_cast<double>(f.entries - f.short_entries);
  const bool enough = short_entries + long_entries >= few_blocks * static_cast<double>(f.entries) && f.entries > 0;
  if (!enough && !c.asked(plan_layout::bsr)) return;
  costed_layout made;
  made.choice = {plan_layout::bsr, static_cast<int>(block), f.form};
  made.cost.layout = text("bsr-", block);
  made.cost.values = c.n.kept_name;
  double storage = 0;
  product_cost p = packed_part(c, 1 - short_share, 1 - long_share, storage);
  const auto size = static_cast<double>(block);
  const double entries = short_entries + long_entries;
  const double rows = row_share * static_cast<double>(f.rows);
  const double arrays =
      padding * entries * (static_cast<double>(c.n.kept) + static_cast<double>(c.n.index) / (size * size)) +
      rows / size * (static_cast<double>(c.n.index) + 3);
  p.bytes += arrays + c.vectors();
  p.work += padding * (short_entries * work_of_slot + long_entries * work_of_long_slot +
                       entries * c.rates.of->gathered_ns / size) +
            rows * work_of_row;
  p.waiting += c.waiting_for_x(entries);
  made.cost.storage_bytes = static_cast<std::int64_t>(storage + arrays);
  c.finish(made, p);
  made.cost.conversion_seconds =
      (static_cast<double>(f.entries) * making_of_entry +
       static_cast<double>(f.rows) * (making_of_row + (1 - row_share) * making_of_sell_row)) *
      nano / c.rates.threads;
  all.push_back(made);
}

std::string bsr_model::reason(const features& f, const costed_layout&) const {
  const double entries = short_share * static_cast<double>(f.short_entries) +
                         long_share * static_cast<double>(f.entries - f.short_entries);
  const double share = f.entries == 0 ? 0 : entries / static_cast<double>(f.entries);
  return text(percent(share), " of the entries are in full blocks of ", block, " x ", block,
              ", which have one column index each and share their reads of x");
}

}  // namespace lacis::detail
