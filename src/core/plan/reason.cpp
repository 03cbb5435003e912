// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan's choice in plain words.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "plan/choose.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

std::string percent(double share) { return text(static_cast<std::int64_t>(std::lround(100 * share)), " %"); }

/// Three digits, as the screens that show the same figures.
std::string number(double v) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), v < 100 ? "%.3g" : "%.0f", v);
  return digits;
}

std::string milliseconds(double seconds) { return number(seconds * 1e3) + " ms"; }

std::string why(const features& f, const costed_layout& c) {
  const std::int64_t padding = f.sell_slots - f.short_entries;
  switch (c.choice.kind) {
    case plan_layout::csr:
      return text("rows one after the other: ", f.long_rows, " of ", f.rows, " rows have more than ",
                  summation::canonical.short_limit, " entries and fill the lanes by themselves");
    case plan_layout::sell: {
      const double share =
          f.short_entries == 0 ? 0 : static_cast<double>(padding) / static_cast<double>(f.short_entries);
      std::string words = text("short rows side by side, padded by ", percent(share));
      if (f.run_on > 0.1) words += text("; in ", percent(f.run_on), " of the slots columns run on and need one index");
      if (c.choice.blocks > 1) words += text("; columns in ", c.choice.blocks, " ranges, so that x stays near");
      if (f.long_rows > 0) words += text("; ", f.long_rows, " longer rows apart as csr");
      return words;
    }
    case plan_layout::stencil:
      return text(
          percent(f.in_patterns), " of the rows lie on the diagonals of a few patterns, so they need no column ",
          "indices",
          f.values_repeat && f.form != cpu::value_form::one ? ", and their values repeat with the pattern" : "");
    case plan_layout::staged:
      return text("rows read x at random: ", number(f.lines_of_x), " lines of it an entry. So x is first copied, in ",
                  "pieces that stay near a core, to where blocks of rows find theirs side by side");
  }
  return {};
}

}  // namespace

std::string reason_for(const features& f, const std::vector<costed_layout>& all, std::size_t chosen,
                       const plan_options& options) {
  const costed_layout& c = all[chosen];
  std::string words = c.cost.layout + (options.layout ? " (asked for): " : ": ") + why(f, c);
  if (f.entries > 0) {
    const double per_entry = c.cost.moved_bytes / static_cast<double>(f.entries);
    words += text(". Values are kept as ", c.cost.values == "one" ? "one number for all" : c.cost.values,
                  "; a product moves ", number(per_entry), " bytes per entry and is expected to take ",
                  milliseconds(c.cost.seconds), ", bound by ", c.cost.limit);
  }
  const plan_candidate& plain = all.front().cost;
  if (chosen != 0 && plain.seconds > c.cost.seconds) words += text("; csr would take ", milliseconds(plain.seconds));
  return words;
}

}  // namespace lacis::detail
