// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `symmetric` costs, and why it is chosen.
#include <lacis/isa.hpp>

#include "base/text.hpp"
#include "plan/layouts/symmetric/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread. Below AVX-512 values come to their lanes in more steps.
constexpr double work_of_slot = 0.3;
constexpr double work_of_slot_avx2 = 0.7;
constexpr double work_of_slice = 5;
constexpr double making_of_entry = 6;
constexpr double making_of_row = 40;

}  // namespace

void symmetric_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  constexpr double few_patterns = 0.25;
  const features& f = c.f;
  // Narrow and repeated values take less than half of the bytes; several dense columns share what is read.
  const isa set = c.options.isa.value_or(default_isa());
  const bool worth = symmetric && set != isa::scalar && stencil.in_patterns >= few_patterns && !stencil.values_repeat &&
                     f.form == cpu::value_form::full && c.options.columns <= 1;
  if (!worth && !c.asked(plan_layout::symmetric)) return;
  costed_layout made;
  made.choice = {plan_layout::symmetric, 1, f.form};
  made.cost.layout = text("symmetric-", c.n.lanes());
  made.cost.values = c.n.kept_name;
  double storage = 0;
  product_cost p = packed_part(c, 1 - stencil.in_patterns, 1, storage);
  const double slots = stencil.in_patterns * stencil.pattern_slots * static_cast<double>(f.short_entries);
  const auto rows = static_cast<double>(f.rows);
  const auto size = static_cast<double>(c.n.kept);
  const stencil_strips strips = strips_for(upper, c.n.value);
  double far = 0;  // values below the diagonal that are read again
  for (const std::int64_t diagonal : upper) far += diagonal == 0 ? 0 : 1 - strips.near(diagonal);
  const double values = rows * static_cast<double>(upper.size()) * size + rows * 0.4;
  p.bytes += values + rows * far * size + c.vectors();
  p.work += slots * (set == isa::avx512 ? work_of_slot : work_of_slot_avx2) +
            rows / static_cast<double>(c.n.lanes()) * work_of_slice;
  made.cost.storage_bytes = static_cast<std::int64_t>(storage + values);
  p.rows_in_place = true;
  c.finish(made, p);
  made.cost.conversion_seconds =
      (static_cast<double>(f.entries) * (making_of_entry + (1 - stencil.in_patterns) * making_of_sell_entry) +
       rows * (making_of_row + (1 - stencil.in_patterns) * making_of_sell_row)) *
      nano / c.rates.threads;
  all.push_back(made);
}

std::string symmetric_model::reason(const features&, const costed_layout&) const {
  return text(percent(stencil.in_patterns), " of the rows lie on the diagonals of a few patterns, so they need no ",
              "column indices; where the matrix is symmetric, the values above the diagonal are stored once");
}

}  // namespace lacis::detail
