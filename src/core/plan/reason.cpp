// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan's choice in plain words.
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "plan/choose.hpp"

namespace lacis::detail {
namespace {

std::string milliseconds(double seconds) { return three_digits(seconds * 1e3) + " ms"; }

/// The words of the layout that was chosen.
template <std::size_t... I>
std::string why(const layout_models& models, const features& f, const costed_layout& c, std::index_sequence<I...>) {
  std::string words;
  const auto ask = [&](std::size_t place, const auto& model) {
    if (place == static_cast<std::size_t>(c.choice.kind)) words = model.reason(f, c);
  };
  (ask(I, std::get<I>(models)), ...);
  return words;
}

}  // namespace

std::string reason_for(const layout_models& models, const features& f, const std::vector<costed_layout>& all,
                       std::size_t chosen, const plan_options& options) {
  constexpr auto every = std::make_index_sequence<std::tuple_size_v<layout_models>>();
  const costed_layout& c = all[chosen];
  std::string words = c.cost.layout + (options.layout ? " (requested): " : ": ") + why(models, f, c, every);
  if (f.entries > 0) {
    const double per_entry = c.cost.moved_bytes / static_cast<double>(f.entries);
    words += text(". Values are kept as ", c.cost.values == "one" ? "one number for all" : c.cost.values,
                  "; a product moves ", three_digits(per_entry), " bytes per entry and is expected to take ",
                  milliseconds(c.cost.seconds), ", bound by ", c.cost.limit);
  }
  const plan_candidate& plain = all.front().cost;
  if (chosen != 0 && plain.seconds > c.cost.seconds) words += text("; csr would take ", milliseconds(plain.seconds));
  return words;
}

}  // namespace lacis::detail
