// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `staged` costs, and why it is chosen.
#include <algorithm>

#include "base/text.hpp"
#include "plan/layouts/staged/layout.hpp"

namespace lacis::detail {
namespace {

/// Nanoseconds of one thread.
constexpr double work_of_element = 0.9;  // beside the gather from x
constexpr double work_of_part = 65;
constexpr double work_of_slot = 0.1;  // beside the gather from what was staged
constexpr double work_of_row = 1.2;
constexpr double making_of_entry = 12;
constexpr double making_of_row = 10;

}  // namespace

void staged_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  constexpr std::int64_t near_bytes = std::int64_t{1} << 20;
  const features& f = c.f;
  const number_sizes& n = c.n;
  const bool far_x = f.cols * n.value > near_bytes && c.options.columns <= 1;
  const std::int64_t part_count = staged_part_count(f.rows, f.cols, f.entries);
  if (part_count > most_parts || !(far_x || c.asked(plan_layout::staged))) return;
  costed_layout made;
  made.choice = {plan_layout::staged, 1, f.form};
  made.cost.layout = text("staged-", n.lanes());
  made.cost.values = n.kept_name;
  const auto entries = static_cast<double>(f.entries);
  const auto rows = static_cast<double>(f.rows);
  const double elements = std::min(entries, entries * f.elements_of_x);
  const auto parts = static_cast<double>(part_count);
  const auto value = static_cast<double>(n.value);
  const double gathered = c.rates.of->gathered_ns;
  const double arrays = entries * (2 + static_cast<double>(n.kept)) + rows * 3 + elements * 2 + parts * 16;
  made.cost.storage_bytes = static_cast<std::int64_t>(arrays + elements * value) + cpu::piece_size * n.value;
  c.finish(made, {arrays + elements * 3 * value + c.vectors(),
                  elements * (work_of_element + gathered) + parts * work_of_part + entries * (work_of_slot + gathered) +
                      rows * work_of_row,
                  0, elements * value});
  made.cost.conversion_seconds = (entries * making_of_entry + rows * making_of_row) * nano / c.rates.threads;
  all.push_back(made);
}

std::string staged_model::reason(const features& f, const costed_layout&) const {
  return text("x is accessed irregularly: ", three_digits(f.lines_of_x),
              " cache lines per entry. So x is first gathered, ",
              "in pieces that fit L2, into one buffer per block of rows");
}

}  // namespace lacis::detail
