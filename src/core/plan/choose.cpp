// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which layout a plan takes: the one whose making and products together cost least.
#include "plan/choose.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "plan/this_machine.hpp"

namespace lacis::detail {
namespace {

/// How many products without a plan a layout may cost to make, beyond a copy: one for every ten expected uses, from ten
/// on one for every hundred.
double affordable_products(double uses) {
  constexpr double soon = 10;
  return std::min(uses / 10, std::max(soon, uses / 100));
}
/// Candidates that tuning times.
constexpr std::size_t timed_candidates = 3;
/// A prediction is seldom off by more, against that of another layout.
constexpr double least_of_prediction = 0.8;

double total_cost(const plan_candidate& c, double uses) { return c.conversion_seconds + uses * c.seconds; }

/// Positions of the candidates that may be taken, the best first.
std::vector<std::size_t> ranking(const std::vector<costed_layout>& all, const plan_options& options) {
  std::vector<std::size_t> order;
  const costed_layout& plain = all.front();
  const double allowed = plain.copy_seconds + affordable_products(options.expected_uses) * plain.cost.seconds;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const plan_candidate& c = all[i].cost;
    const bool asked = options.layout && *options.layout == all[i].choice.kind;
    if (options.layout && !asked) continue;
    // Who pays for another ordering wants what can be had of it.
    const bool worth = c.conversion_seconds <= allowed || options.reorder != reordering::none;
    if (c.fits && (asked || i == 0 || worth)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return total_cost(all[a].cost, options.expected_uses) < total_cost(all[b].cost, options.expected_uses);
  });
  return order;
}

}  // namespace

std::vector<costed_layout> candidates_for(const layout_models& models, const costing& c) {
  std::vector<costed_layout> all;
  std::apply([&](const auto&... model) { (model.add_candidates(c, all), ...); }, models);
  return all;
}

template <class Value> cpu::value_form form_for(values_view<Value> values, const plan_options& options) {
  if (options.values == plan_values::as_given)
    return values.iso || values.data.empty() ? cpu::value_form::one : cpu::value_form::full;
  return narrowest_form(values);
}

namespace {

/// What samples of a matrix say about each layout that asks for one.
template <class Value, class Index> layout_models sampled_models(const csr_view<Value, Index>& a) {
  layout_models models;
  const auto sample = [&](auto& model) {
    if constexpr (requires { take_sample(model, a); }) take_sample(model, a);
  };
  std::apply([&](auto&... model) { (sample(model), ...); }, models);
  return models;
}

/// What form_for would say, as far as a sample tells.
template <class Value> cpu::value_form likely_form(values_view<Value> values, const plan_options& options) {
  return options.values == plan_values::as_given ? form_for(values, options) : form_of_sample(values);
}

}  // namespace

template <class Value, class Index>
chosen_layout<Value, Index> choose_layout(const csr_view<Value, Index>& a, const plan_options& options, isa set,
                                          bool sorted, std::int64_t held, bool borrows) {
  const cpu::value_form form = likely_form(a.values, options);
  const features f = features_of(a, form);
  const int threads = options.threads > 0 ? options.threads : threads_for_work(a.rows + a.nnz());
  const machine_rates rates_of = rates_for(a.rows + a.nnz(), options);
  const thread_rates rates(rates_of, threads);
  const number_sizes sizes{sizeof(Value), sizeof(Index), cpu::width_of<Value>(form),
                           form_name<Value>(cpu::value_form::full), form_name<Value>(form)};
  const layout_models models = sampled_models(a);
  std::vector<costed_layout> all = candidates_for(models, {f, sizes, rates, options, sorted, borrows});
  for (costed_layout& c : all)
    c.cost.fits = options.memory_limit == 0 || c.cost.storage_bytes + held <= options.memory_limit;
  chosen_layout<Value, Index> result;
  result.report.expected_uses = options.expected_uses;
  result.report.read_gbs = rates.read_bytes * 1e-9;
  result.report.rates = rates_of.source;
  result.report.plain_seconds = all.front().cost.seconds;

  const auto fits = [&](const layout<Value, Index>& l) {
    return options.memory_limit == 0 || bytes_of(l) + held <= options.memory_limit;
  };
  // Whether a layout that was not asked for is what a sample promised.
  const auto kept_promise = [&](const layout<Value, Index>& l) { return options.layout || remark_of(l).empty(); };
  std::vector<bool> refuted(all.size());
  std::vector<std::size_t> order = ranking(all, options);
  std::size_t chosen = all.size();
  const std::string key = options.tune ? text(fingerprint(a), ' ', threads, ' ', name_of(set)) : std::string();
  if (options.tune) {
    const std::string known = remembered(options.tuning_file, key);
    const auto found =
        std::find_if(order.begin(), order.end(), [&](std::size_t i) { return all[i].cost.layout == known; });
    result.report.tuned = true;
    if (found != order.end()) {
      std::rotate(order.begin(), found, found + 1);
    } else {
      for (std::size_t k = 0; k < std::min(timed_candidates, order.size()); ++k) {
        costed_layout& c = all[order[k]];
        if (chosen < all.size() && least_of_prediction * c.cost.seconds >= all[chosen].cost.seconds) continue;
        layout<Value, Index> made = make_layout(a, c.choice);
        refuted[order[k]] = !kept_promise(made);
        if (refuted[order[k]] || !fits(made)) continue;
        c.cost.measured_seconds = seconds_of(made, options, set);
        if (chosen < all.size() && *c.cost.measured_seconds >= *all[chosen].cost.measured_seconds) continue;
        chosen = order[k];
        result.made = std::move(made);
      }
      if (chosen < all.size()) remember(options.tuning_file, key, all[chosen].cost.layout);
    }
  }
  for (std::size_t k = 0; chosen == all.size() && k < order.size(); ++k) {
    if (refuted[order[k]]) continue;
    result.made = make_layout(a, all[order[k]].choice);
    refuted[order[k]] = !kept_promise(result.made);
    if (refuted[order[k]]) continue;
    if (fits(result.made))
      chosen = order[k];
    else
      all[order[k]].cost.fits = false;
  }
  if (chosen == all.size())
    throw error(errc::out_of_memory, text("a plan for this matrix takes ",
                                          std::min_element(
                                              all.begin(), all.end(),
                                              [](const costed_layout& x, const costed_layout& y) {
                                                return x.cost.storage_bytes < y.cost.storage_bytes;
                                              })->cost.storage_bytes +
                                              held,
                                          " bytes at least, and memory_limit allows ", options.memory_limit));
  all[chosen].cost.chosen = true;
  // What was made is known: no estimate stands beside the figures of the plan itself.
  all[chosen].cost.storage_bytes = bytes_of(result.made);
  all[chosen].cost.moved_bytes = static_cast<double>(moved_bytes_of(result.made));
  result.reason = reason_for(models, f, all, chosen, options);
  std::vector<std::size_t> shown(all.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::erase_if(shown, [&](std::size_t i) { return refuted[i]; });
  std::stable_sort(shown.begin(), shown.end(), [&](std::size_t x, std::size_t y) {
    return total_cost(all[x].cost, options.expected_uses) < total_cost(all[y].cost, options.expected_uses);
  });
  for (const std::size_t i : shown) result.report.candidates.push_back(all[i].cost);
  return result;
}

#define LACIS_CHOOSE(Value, Index)                                                                                  \
  template chosen_layout<Value, Index> choose_layout(const csr_view<Value, Index>&, const plan_options&, isa, bool, \
                                                     std::int64_t, bool);
LACIS_FOR_EACH_TYPE(LACIS_CHOOSE)
#define LACIS_FORM_FOR(Value) template cpu::value_form form_for(values_view<Value>, const plan_options&);
LACIS_FORM_FOR(float)
LACIS_FORM_FOR(double)
LACIS_FORM_FOR(std::complex<float>)
LACIS_FORM_FOR(std::complex<double>)

}  // namespace lacis::detail
