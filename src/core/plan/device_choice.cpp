// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout of a matrix on a device: by its rows, within the memory that is allowed, or by timing.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/layout.hpp"
#include "plan/choose.hpp"
#include "plan/device_plan.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

using device::runtime;

/// The layouts that a matrix may have, the better one first.
template <class Index> struct device_candidates {
  std::optional<device::sell_places<Index>> sell;  ///< unless CSR is the only one
  bool csr = true;                                 ///< false: SELL was requested
  std::string reason;                              ///< for the first
};

/// SELL-32 where a warp's rows are much alike: padding adds at most a fifth, and no row is so long that the others of
/// its warp wait for it. CSR for products with columns, which read rows.
template <class Value, class Index>
device_candidates<Index> candidates_of(const csr_view<Value, Index>& a, const plan_options& options) {
  constexpr std::int64_t most_entries = summation::canonical.chunk;
  const auto csr_only = [](std::string reason) { return device_candidates<Index>{{}, true, std::move(reason)}; };
  const std::int64_t longest = longest_row(a.row_offsets);
  const std::string longest_text = text("the longest row has ", longest, " entries");
  if (options.layout) {
    if (*options.layout != plan_layout::csr && *options.layout != plan_layout::sell)
      throw error(errc::unsupported, text("a device keeps csr or sell, not ", name_of(*options.layout)));
    const std::string reason = text(name_of(*options.layout), " was requested; ", longest_text);
    if (*options.layout == plan_layout::csr) return csr_only(reason);
    return {device::sell_places<Index>(a.row_offsets), false, reason};
  }
  if (options.columns > 1) return csr_only("CSR: products with dense columns read rows");
  if (longest > most_entries)
    return csr_only(text("CSR: ", longest_text, ", and long rows are shared out in chunks of ", most_entries));
  if (a.rows > std::numeric_limits<Index>::max())
    return csr_only(text("CSR: ", a.rows, " rows are more than a column index counts"));
  device::sell_places<Index> places(a.row_offsets);
  const std::int64_t slots = places.slots();
  if (5 * slots > 6 * a.nnz())
    return csr_only(text("CSR: SELL-32 would take ", slots, " slots for ", a.nnz(),
                         " entries, which is more than 1.2 times as many"));
  return {std::move(places), true,
          text("SELL-32: ", slots, " slots for ", a.nnz(), " entries, at most 1.2 times as many, and ", longest_text,
               ", at most ", most_entries)};
}

/// What a layout takes at least, before it is made.
template <class Value, class Index>
std::int64_t least_bytes(const csr_view<Value, Index>& a, const device::sell_places<Index>* places) {
  const std::int64_t slots = places != nullptr ? places->slots() : a.nnz();
  const std::int64_t of_rows = places != nullptr ? 2 * a.rows * static_cast<std::int64_t>(sizeof(Index)) : a.rows * 8;
  return of_rows + slots * static_cast<std::int64_t>(sizeof(Index) + (a.values.iso ? 0 : sizeof(Value)));
}

/// Two events of a device.
class stopwatch {
 public:
  explicit stopwatch(runtime& home) : home_(home) {
    for (void*& event : events_) home.check(home.table().create_event(home.table().state, &event));
  }
  ~stopwatch() {
    for (void* const event : events_)
      if (event != nullptr) home_.table().destroy_event(home_.table().state, event);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  template <class Work> [[nodiscard]] double time(Work&& work) {
    const lacis_runtime& table = home_.table();
    home_.check(table.record(table.state, events_[0], home_.stream()));
    work();
    home_.check(table.record(table.state, events_[1], home_.stream()));
    double seconds = 0;
    home_.check(table.elapsed(table.state, events_[0], events_[1], &seconds));
    return seconds;
  }

 private:
  runtime& home_;
  void* events_[2] = {};
};

/// Seconds of one product, the least of a few.
template <class Value, class Index> double seconds_of(runtime& home, const device_layout<Value, Index>& l) {
  using number = device::device_of<Value>;
  constexpr int runs = 6;
  const auto x = home.zeros<number>(l.csr.cols);
  auto y = home.allocate<number>(l.csr.rows);
  stopwatch watch(home);
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run)
    least = std::min(
        least, watch.time([&] { device::spmv(home, l.by_vector, l.csr, Value(1), x.data(), Value(0), y.data()); }));
  return least;
}

constexpr const char* label_of(bool is_sell) { return is_sell ? "sell-32" : "csr"; }

/// A layout that was made, as the report has it.
template <class Value, class Index> plan_candidate entry_of(const device_layout<Value, Index>& l, double seconds) {
  plan_candidate one;
  one.layout = label_of(l.is_sell);
  one.values = l.csr.iso ? "one" : "as given";
  one.storage_bytes = bytes_of(l);
  one.moved_bytes =
      static_cast<double>(one.storage_bytes + (l.csr.rows + l.csr.cols) * static_cast<std::int64_t>(sizeof(Value)));
  one.seconds = seconds;
  one.measured_seconds = seconds;
  return one;
}

}  // namespace

template <class Value, class Index>
chosen_device_layout<Value, Index> choose_device_layout(runtime& home, const csr_view<Value, Index>& a,
                                                        const plan_options& options, std::int64_t held) {
  const device_candidates<Index> all = candidates_of(a, options);
  const device::sell_places<Index>* const sell = all.sell ? &*all.sell : nullptr;
  const std::int64_t room = options.memory_limit > 0 ? options.memory_limit - held : 0;
  const auto fits = [&](std::int64_t bytes) { return options.memory_limit == 0 || bytes <= room; };
  std::int64_t least = std::numeric_limits<std::int64_t>::max();  // that a layout takes which exceeds the limit
  std::optional<error> refusal;                                   // of the device, which has no memory
  const auto make = [&](const device::sell_places<Index>* places) -> std::optional<device_layout<Value, Index>> {
    std::int64_t bytes = least_bytes(a, places);
    if (fits(bytes)) {
      try {
        auto made = make_device_layout(home, a, places, options.columns);
        bytes = bytes_of(made);
        if (fits(bytes)) return made;
      } catch (const error& problem) {
        if (problem.code() != errc::out_of_memory) throw;
        refusal = problem;
        return {};
      }
    }
    least = std::min(least, bytes);
    return {};
  };
  chosen_device_layout<Value, Index> result;
  result.reason = all.reason;
  std::optional<device_layout<Value, Index>> made;
  const bool both = sell != nullptr && all.csr;
  if (both && options.tune && a.nnz() > 0) {
    const std::string key = text(fingerprint(a), ' ', name_of(options.device), ' ', home.facts().name);
    const std::string known = remembered(options.tuning_file, key);
    if (known == label_of(true) || known == label_of(false)) {
      made = make(known == label_of(true) ? sell : nullptr);
      if (made) result.reason = text(known, " is remembered as the faster one");
    } else {
      made = make(sell);
      auto other = make(nullptr);
      if (made && other) {
        auto& candidates = result.report.candidates;
        candidates = {entry_of(*made, seconds_of(home, *made)), entry_of(*other, seconds_of(home, *other))};
        if (candidates[1].seconds < candidates[0].seconds) {
          std::swap(made, other);
          std::swap(candidates[0], candidates[1]);
        }
        candidates[0].chosen = true;
        result.reason = text(candidates[0].layout, " was the faster one when products were timed");
        remember(options.tuning_file, key, candidates[0].layout);
      }
    }
    result.report.tuned = made && result.reason != all.reason;
  }
  if (!made && sell != nullptr) made = make(sell);
  if (!made && all.csr) {
    made = make(nullptr);
    if (made && both)
      result.reason = text("CSR: SELL-32 would take more than ",
                           refusal ? "the device has" : text("memory_limit allows, ", options.memory_limit, " bytes"));
  }
  if (!made && refusal) throw *refusal;
  if (!made)
    throw error(errc::out_of_memory, text("a plan for this matrix takes ", least + held,
                                          " bytes at least, and memory_limit allows ", options.memory_limit));
  result.made = std::move(*made);
  return result;
}

#define LACIS_DEVICE_CHOICE(Value, Index)                                                                   \
  template chosen_device_layout<Value, Index> choose_device_layout(runtime&, const csr_view<Value, Index>&, \
                                                                   const plan_options&, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_DEVICE_CHOICE)

}  // namespace lacis::detail
