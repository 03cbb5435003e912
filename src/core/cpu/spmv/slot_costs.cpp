// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Gathers cost from 0.3 to 2.6 ns an element on processors of the same instruction set. A few slices that stay in the
// first cache tell: the kernels themselves are timed, a tenth of a millisecond in all.
#include "cpu/spmv/slot_costs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <lacis/error.hpp>

#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"

namespace lacis::cpu {
namespace {

constexpr std::size_t height = slice_height<double>;
constexpr std::size_t slices = 16;
constexpr std::size_t slots = 12;
constexpr std::size_t elements = 1024;
constexpr int tries = 32;

/// Slices of full rows, and the vectors that they meet.
class sample {
 public:
  explicit sample(bool run_on) {
    for (std::size_t i = 0; i < slices; ++i) {
      slice_header& h = headers_[i];
      h.slots = static_cast<std::int64_t>(i * slots * height);
      h.columns = static_cast<std::int64_t>(i * slots * (run_on ? 1 : height));
      h.first_row = static_cast<std::int64_t>(i * height);
      h.run_on = run_on ? (1U << slots) - 1 : 0;
      h.shortest = h.longest = slots;
      h.count = height;
      h.contiguous = true;
    }
    for (std::size_t k = 0; k < columns_.size(); ++k)
      columns_[k] = static_cast<std::int32_t>(k * 389 % (elements - height));
    lengths_.fill(slots);
    for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k] = static_cast<std::int32_t>(k);
    values_.fill(0.5);
    x_.fill(1.0);
  }

  /// Nanoseconds of a slot: the least of some tries, since what disturbs them is not the processor's.
  double cost(bool loads_each) {
    const packed_slices<double, std::int32_t> a{headers_.data(),
                                                static_cast<std::int64_t>(slices),
                                                {values_.data(), value_form::full},
                                                columns_.data(),
                                                lengths_.data(),
                                                rows_.data(),
                                                loads_each};
    const auto kernel = kernels_for<double, std::int32_t, double>(default_isa()).packed_rows;
    const double least = detail::least_nanoseconds(
        tries, [&] { kernel(a, x_.data(), 0, a.count, false, scaling<double>(1, 0), y_.data()); });
    return least / static_cast<double>(slices * slots * height);
  }

 private:
  std::array<slice_header, slices> headers_;
  std::array<std::int32_t, slices * slots * height> columns_;
  std::array<std::uint8_t, slices * height> lengths_;
  std::array<std::int32_t, slices * height> rows_;
  std::array<double, slices * slots * height> values_;
  std::array<double, elements> x_;
  std::array<double, slices * height> y_;
};

}  // namespace

const slot_costs& measured_slot_costs() {
  static const slot_costs costs = [] {
    sample scattered(false);
    sample consecutive(true);
    return slot_costs{scattered.cost(false), scattered.cost(true), consecutive.cost(false)};
  }();
  return costs;
}

bool loads_each() {
  static const bool each = [] {
    const char* gather = std::getenv("LACIS_GATHER");
    if (gather == nullptr || *gather == '\0') {
      const slot_costs& costs = measured_slot_costs();
      return costs.loaded_each < costs.gathered;
    }
    const std::string_view word = gather;
    if (word != "on" && word != "off")
      throw error(errc::unsupported, detail::text("LACIS_GATHER=", word, " is neither on nor off"));
    return word == "off";
  }();
  return each;
}

}  // namespace lacis::cpu
