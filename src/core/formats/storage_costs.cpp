// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bytes in each format against dense.
#include "formats/storage_costs.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t offset_bytes = 8;

template <class View> std::optional<std::int64_t> bytes_in(const View& a, matrix_format which) {
  try {
    return storage_bytes(a, which, {});
  } catch (const error& problem) {
    if (problem.code() != errc::overflow) throw;
    return std::nullopt;
  }
}

}  // namespace

std::int64_t fixed_bytes(matrix_format which, const matrix_facts& facts, const convert_options& options) {
  const std::int64_t per_row = facts.rows * facts.index_bytes;
  const std::int64_t single_value = facts.iso ? facts.value_bytes : 0;
  switch (which) {
    case matrix_format::coo:
    case matrix_format::dia:
      return single_value;
    case matrix_format::csr:
      return single_value + offset_bytes * (facts.rows + 1);
    case matrix_format::csc:
      return single_value + offset_bytes * (facts.cols + 1);
    case matrix_format::ell:
      return single_value + per_row;
    case matrix_format::hyb:
      return 2 * single_value + per_row;  // both parts hold the value
    case matrix_format::jds:
      return single_value + per_row + offset_bytes * (facts.longest_row + 1);
    case matrix_format::sell:
      return single_value + 2 * per_row +
             offset_bytes * ((facts.rows + options.slice_height - 1) / options.slice_height + 1);
    case matrix_format::bsr:
      return single_value + offset_bytes * ((facts.rows + options.block_size - 1) / options.block_size + 1);
  }
  return 0;
}

double break_even(double dense, double fixed, double entry_bytes, double places) {
  if (entry_bytes <= 0) return fixed < dense ? places : 0;
  return std::clamp(std::ceil((dense - fixed) / entry_bytes) - 1, 0.0, places);
}

template <class Value, class Index>
storage_costs storage_of(const csr_view<Value, Index>& a, const matrix_facts& facts, std::int64_t memory) {
  storage_costs costs;
  const double places = static_cast<double>(facts.rows) * static_cast<double>(facts.cols);
  costs.dense_bytes = places * facts.value_bytes;
  for (const matrix_format which : all_formats) {
    format_cost cost;
    cost.which = which;
    cost.bytes = bytes_in(a, which);
    if (cost.bytes) cost.fixed_bytes = fixed_bytes(which, facts);
    cost.fits_memory = cost.bytes && *cost.bytes <= memory;
    if (cost.bytes && facts.entries > 0) {
      cost.entry_bytes = static_cast<double>(*cost.bytes - cost.fixed_bytes) / static_cast<double>(facts.entries);
      cost.saves_up_to = break_even(costs.dense_bytes, static_cast<double>(cost.fixed_bytes), cost.entry_bytes, places);
    }
    costs.formats.push_back(cost);
  }
  return costs;
}

#define LACIS_STORAGE_COSTS(Value, Index) \
  template LACIS_API storage_costs storage_of(const csr_view<Value, Index>&, const matrix_facts&, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_STORAGE_COSTS)

}  // namespace lacis::detail

namespace lacis {

storage_costs storage_of(const any_csr& matrix, const matrix_facts& facts, std::int64_t memory) {
  return std::visit([&](const auto& a) { return detail::storage_of(a.view(), facts, memory); }, matrix);
}

}  // namespace lacis
