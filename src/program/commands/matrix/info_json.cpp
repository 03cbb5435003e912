// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis info --json.
#include <limits>
#include <nlohmann/json.hpp>

#include "commands/matrix/info_report.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

/// An integral number as an integer where 64 bits hold it.
json whole(double number) {
  if (number < static_cast<double>(std::numeric_limits<std::int64_t>::max())) return static_cast<std::int64_t>(number);
  return number;
}

json symmetry_json(const symmetry_report& found) {
  return {{"square", found.square},
          {"pattern", found.pattern},
          {"symmetric", found.symmetric},
          {"skew_symmetric", found.skew_symmetric},
          {"hermitian", found.hermitian}};
}

json file_json(const read_report& report) {
  return {{"format", spelt(report.format)},
          {"field", report.field},
          {"symmetry", report.symmetry},
          {"bytes", report.bytes},
          {"stored_entries", report.stored_entries},
          {"duplicates", report.duplicates}};
}

json rows_json(const matrix_facts& facts) {
  json bins = json::array();
  for (const length_bin& bin : facts.bins)
    bins.push_back({{"first", bin.first}, {"last", bin.last}, {"rows", bin.rows}});
  return {{"shortest", facts.shortest_row}, {"mean", facts.mean_row()},  {"median", facts.median_row},
          {"longest", facts.longest_row},   {"empty", facts.empty_rows}, {"histogram", std::move(bins)}};
}

json storage_json(const matrix_facts& facts, const storage_costs& storage) {
  json formats = json::array();
  for (const format_cost& cost : storage.formats) {
    json one = {{"format", name_of(cost.which)}, {"bytes", nullptr}};
    if (cost.bytes) {
      one["bytes"] = *cost.bytes;
      one["fixed_bytes"] = cost.fixed_bytes;
      one["bytes_per_entry"] = nullptr;
      if (facts.entries > 0)
        one["bytes_per_entry"] = static_cast<double>(*cost.bytes) / static_cast<double>(facts.entries);
      one["saving"] = *cost.bytes > 0 ? json(storage.dense_bytes / static_cast<double>(*cost.bytes)) : json(nullptr);
      one["saves_up_to_entries"] = cost.saves_up_to ? whole(*cost.saves_up_to) : json(nullptr);
    }
    one["fits_memory"] = cost.fits_memory;
    formats.push_back(std::move(one));
  }
  return {{"dense_bytes", whole(storage.dense_bytes)}, {"formats", std::move(formats)}};
}

}  // namespace

std::string info_json(const info_report& report) {
  const matrix_facts& facts = report.facts;
  json all = {{"name", report.source.name},
              {"rows", facts.rows},
              {"cols", facts.cols},
              {"entries", facts.entries},
              {"density", facts.density()},
              {"value_type", facts.value_type},
              {"index_bits", 8 * facts.index_bytes},
              {"iso", facts.iso},
              {"generated", report.source.generated}};
  if (!report.source.generated) all["file"] = file_json(report.source.report);
  all["read_s"] = report.source.seconds;
  all["symmetry"] = symmetry_json(facts.symmetry);
  all["row_lengths"] = rows_json(facts);
  all["empty_cols"] = facts.empty_cols;
  all["bandwidth"] = {{"lower", facts.lower_bandwidth}, {"upper", facts.upper_bandwidth}};
  all["diagonal_entries"] = facts.diagonal_entries;
  all["storage"] = storage_json(facts, report.storage);
  return json_text(all);
}

}  // namespace lacis::app
