// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `stencil` costs, and why it is chosen.
#include "base/text.hpp"
#include "plan/layouts/stencil/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread.
constexpr double work_of_slot = 0.1;
constexpr double work_of_slice = 5;
constexpr double making_of_entry = 4;
constexpr double making_of_row = 40;

}  // namespace

void stencil_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  constexpr double few_patterns = 0.25;
  if (in_patterns < few_patterns && !c.asked(plan_layout::stencil)) return;
  const features& f = c.f;
  costed_layout made;
  made.choice = {plan_layout::stencil, 1, f.form};
  made.cost.layout = text("stencil-", c.n.lanes());
  made.cost.values = values_repeat && f.form != cpu::value_form::one ? "in patterns" : c.n.kept_name;
  double storage = 0;
  product_cost p = packed_part(c, 1 - in_patterns, 1, storage);
  const double slots = in_patterns * pattern_slots * static_cast<double>(f.short_entries);
  const auto rows = in_patterns * static_cast<double>(f.rows);
  const double kept = values_repeat ? 0 : static_cast<double>(c.n.kept);
  const double patterns = slots * kept + rows * 0.4;
  p.bytes += patterns + c.vectors();
  p.work += slots * work_of_slot + rows / static_cast<double>(c.n.lanes()) * work_of_slice;
  made.cost.storage_bytes = static_cast<std::int64_t>(storage + patterns);
  p.rows_in_place = true;
  c.finish(made, p);
  made.cost.conversion_seconds =
      (static_cast<double>(f.entries) * (making_of_entry + (1 - in_patterns) * making_of_sell_entry) +
       static_cast<double>(f.rows) * (making_of_row + (1 - in_patterns) * making_of_sell_row)) *
      nano / c.rates.threads;
  all.push_back(made);
}

std::string stencil_model::reason(const features& f, const costed_layout&) const {
  return text(percent(in_patterns), " of the rows lie on the diagonals of a few patterns, so they need no column ",
              "indices",
              values_repeat && f.form != cpu::value_form::one ? ", and their values repeat with the pattern" : "");
}

}  // namespace lacis::detail
