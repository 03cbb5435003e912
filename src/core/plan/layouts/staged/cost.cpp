// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a product with the layout `staged` costs, and why it is chosen.
#include <algorithm>
#include <limits>

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
constexpr double making_of_permuted_entry = 7;
constexpr double making_of_column = 10;

/// One permutation of x for all blocks: what does not stay near a core is waited for.
costed_layout by_frequency(const costing& c, const frequent_columns& frequent) {
  const features& f = c.f;
  const number_sizes& n = c.n;
  costed_layout made;
  made.choice = {.kind = plan_layout::staged, .form = f.form, .permutes = true};
  made.cost.layout = staged_label(n.lanes(), true);
  made.cost.values = n.kept_name;
  const auto entries = static_cast<double>(f.entries);
  const auto rows = static_cast<double>(f.rows);
  const auto cols = static_cast<double>(f.cols);
  const auto value = static_cast<double>(n.value);
  const double gathered = c.rates.of->gathered_ns;
  const double arrays = entries * (4 + static_cast<double>(n.kept)) + rows * 3 + cols * 4;
  made.cost.storage_bytes = static_cast<std::int64_t>(arrays + cols * value) + cpu::piece_size * n.value;
  // The rest of the cache is for the arrays that pass.
  const double near = frequent.share_of(c.rates.of->own_cache_bytes / 2 / n.value);
  const double waiting = (entries * (1 - near) + cols) * c.rates.random_read(f.cols * n.value);
  c.finish(made,
           {arrays + cols * 3 * value + c.vectors(),
            cols * work_of_element + entries * (work_of_slot + gathered) + rows * work_of_row, waiting, cols * value});
  made.cost.conversion_seconds =
      (entries * making_of_permuted_entry + rows * making_of_row + cols * making_of_column) * nano / c.rates.threads;
  return made;
}

/// A buffer of its own for every block.
costed_layout by_blocks(const costing& c) {
  const features& f = c.f;
  const number_sizes& n = c.n;
  costed_layout made;
  made.choice = {plan_layout::staged, 1, f.form};
  made.cost.layout = staged_label(n.lanes(), false);
  made.cost.values = n.kept_name;
  const auto entries = static_cast<double>(f.entries);
  const auto rows = static_cast<double>(f.rows);
  const double elements = std::min(entries, entries * f.elements_of_x);
  const auto parts = static_cast<double>(staged_part_count(f.rows, f.cols, f.entries));
  const auto value = static_cast<double>(n.value);
  const double gathered = c.rates.of->gathered_ns;
  const double arrays = entries * (2 + static_cast<double>(n.kept)) + rows * 3 + elements * 2 + parts * 16;
  made.cost.storage_bytes = static_cast<std::int64_t>(arrays + elements * value) + cpu::piece_size * n.value;
  c.finish(made, {arrays + elements * 3 * value + c.vectors(),
                  elements * (work_of_element + gathered) + parts * work_of_part + entries * (work_of_slot + gathered) +
                      rows * work_of_row,
                  0, elements * value});
  made.cost.conversion_seconds = (entries * making_of_entry + rows * making_of_row) * nano / c.rates.threads;
  return made;
}

}  // namespace

void staged_model::add_candidates(const costing& c, std::vector<costed_layout>& all) const {
  const features& f = c.f;
  const bool is_asked = c.asked(plan_layout::staged);
  const int asked_blocks = is_asked ? c.options.column_blocks : 0;
  const bool far_x = f.cols * c.n.value > near_bytes && c.options.columns <= 1;
  if (!far_x && !is_asked) return;
  const bool one_fits = f.cols <= std::numeric_limits<std::int32_t>::max();
  if ((asked_blocks != 1 || !one_fits) && staged_part_count(f.rows, f.cols, f.entries) <= most_parts)
    all.push_back(by_blocks(c));
  if (one_fits && (asked_blocks == 1 || (asked_blocks == 0 && far_x))) all.push_back(by_frequency(c, frequent));
}

std::string staged_model::reason(const features& f, const costed_layout& chosen) const {
  if (chosen.choice.permutes)
    return text("x is accessed irregularly, and in ", percent(frequent.share_of(f.cols / 16)),
                " of the entries one sixteenth of it: x is first copied with what most entries refer to in front");
  return text("x is accessed irregularly: ", three_digits(f.lines_of_x),
              " cache lines per entry. So x is first gathered, ",
              "in pieces that fit L2, into one buffer per block of rows");
}

}  // namespace lacis::detail
