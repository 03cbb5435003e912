// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `csr` costs, and why it is chosen.
#include "base/text.hpp"
#include "plan/layouts/csr/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread.
constexpr double work_of_length_change = 5;  // lanes that wait for a longer row
constexpr double work_of_short_entry = 0.9;  // from memory: 0.75 in the caches
constexpr double making_of_entry = 4.5;

}  // namespace

void csr_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  const features& f = c.f;
  costed_layout made;
  const auto entries = static_cast<double>(f.entries);
  const std::int64_t value = f.form == cpu::value_form::one ? 0 : c.n.value;
  made.choice = {plan_layout::csr, 1, f.form, c.borrows};
  made.cost.layout = "csr";
  made.cost.values = f.form == cpu::value_form::one ? c.n.kept_name : c.n.full_name;
  made.cost.storage_bytes = f.entries * (value + c.n.index) + (f.rows + 1) * 8;
  const auto short_entries = static_cast<double>(f.short_entries);
  c.finish(made, {static_cast<double>(made.cost.storage_bytes) + c.vectors(),
                  short_entries * work_of_short_entry + (entries - short_entries) * work::long_entry(c.rates) +
                      static_cast<double>(f.rows) * work::csr_row +
                      static_cast<double>(f.length_changes) * work_of_length_change,
                  c.waiting_for_x(entries), 0, true});
  const double making = making_of_entry * nano / c.rates.threads;
  made.copy_seconds = entries * making;
  made.cost.conversion_seconds = c.borrows ? static_cast<double>(f.rows) * making : made.copy_seconds;
  if (c.borrows) made.cost.storage_bytes = (f.rows + 1) * 8;
  all.push_back(made);
}

std::string csr_model::reason(const features& f, const costed_layout& chosen) const {
  return text("rows one after the other", chosen.choice.borrows ? " in the caller's arrays" : "", ": ", f.long_rows,
              " of ", f.rows, " rows have more than ", summation::canonical.short_limit,
              " entries and fill the lanes by themselves");
}

}  // namespace lacis::detail
