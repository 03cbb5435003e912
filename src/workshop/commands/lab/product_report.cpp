// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --op spgemm on a terminal, as JSON and in words.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/lab/product.hpp"
#include "commands/lab/report.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;
using lab::product_part;

double ratio(std::int64_t a, std::int64_t b) { return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b); }

double sectors_per_product(const product_part& part) { return part.asked.bytes_requested_per_nnz / 32; }

/// Nothing where it would be a zero.
std::string unless_zero(double number) { return number == 0 ? "" : fmt::format("{:.2f}", number); }

std::string sample_words(const lab_product& product) {
  const lab::product_report& report = product.report;
  if (!product.sampled()) return "run: every row";
  return fmt::format(
      "sampled: {} of {} rows, {} of {} products, in windows of neighbouring rows; times are of all rows",
      plot::grouped(report.sampled_rows), plot::grouped(report.rows), plot::grouped(report.sampled_products),
      plot::grouped(report.products));
}

json part_json(const product_part& part) {
  json arrays = json::array();
  for (const lab::array_traffic& array : part.asked.arrays)
    arrays.push_back({{"name", array.name},
                      {"requests", array.requests},
                      {"sectors", array.sectors},
                      {"sectors_per_request", array.sectors_per_request()},
                      {"dram_bytes_per_product", array.dram_bytes_per_nnz}});
  return {{"phase", part.phase},
          {"list", part.list},
          {"rows", part.rows},
          {"products", part.products},
          {"launches", part.launches},
          {"shared_probes_per_product", ratio(part.shared_probes, part.products)},
          {"global_probes_per_product", ratio(part.global_probes, part.products)},
          {"active_lanes", part.asked.active_lanes},
          {"requests_per_product", part.asked.requests_per_nnz},
          {"sectors_per_product", sectors_per_product(part)},
          {"bytes_requested_per_product", part.asked.bytes_requested_per_nnz},
          {"shared_requests_per_product", part.asked.shared_requests_per_nnz},
          {"bank_conflicts_per_product", part.asked.bank_conflicts_per_nnz},
          {"atomics_per_product", part.asked.atomics_per_nnz},
          {"dram_bytes_per_product", part.asked.dram_bytes_per_nnz},
          {"model_s", part.asked.model_s},
          {"bound_by", part.asked.bound_by},
          {"arrays", std::move(arrays)}};
}

}  // namespace

std::string product_explanation(const lab_product& product) {
  const std::vector<product_part>& parts = product.report.parts;
  if (parts.empty()) return "No row has a product, so there is nothing to explain.";
  const product_part& most = *std::max_element(
      parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.asked.model_s < b.asked.model_s; });
  std::string text = fmt::format("In the model, {} takes {:.0f} % of the time, bound by {}", most.asked.kernel,
                                 100 * most.asked.model_s / product.report.model_s(), most.asked.bound_by);
  if (most.asked.bound_by == "requests") {
    text += fmt::format(
        ": a product makes {} requests of shared memory there, with {} bank conflicts, and {} of global memory",
        plot::significant(most.asked.shared_requests_per_nnz), plot::significant(most.asked.bank_conflicts_per_nnz),
        plot::significant(most.asked.requests_per_nnz));
  } else if (!most.asked.arrays.empty()) {
    const lab::array_traffic& array =
        *std::max_element(most.asked.arrays.begin(), most.asked.arrays.end(),
                          [](const auto& a, const auto& b) { return a.sectors < b.sectors; });
    text += fmt::format(": of the {} sectors that a product costs there, {} are of {}",
                        plot::significant(sectors_per_product(most)),
                        plot::significant(ratio(array.sectors, most.products)), array.name);
  }
  std::int64_t shared = 0;
  std::int64_t global = 0;
  std::int64_t products = 0;
  for (const product_part& part : parts) {
    if (part.phase != "fill") continue;
    shared += part.shared_probes;
    global += part.global_probes;
    products += part.products;
  }
  return text + fmt::format(
                    ". A product is filled in after looking at {} slots of tables in shared memory and {} in global "
                    "memory on average.",
                    plot::significant(ratio(shared, products)), plot::significant(ratio(global, products)));
}

std::string product_screen(const lab_product& product, const terminal& where) {
  const lab::product_report& report = product.report;
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  const std::string size = fmt::format("{}, {} rows, {} products, {}", product.factors, plot::grouped(report.rows),
                                       plot::grouped(report.products), product.value_type);
  std::string text = title_line(product.matrix, size, where) + '\n';
  double shortest = 1;
  for (const product_part& part : report.parts) shortest = std::min(shortest, part.asked.model_s);
  const time_unit unit = time_unit::for_times_from(shortest, where.unicode);
  std::vector<cells> table = {
      {"", "", "", "probes", "probes", "", "", "model", "model"},
      {"phase, list", "rows", "products", "shared", "global", "sectors", "bytes", "DRAM", unit.name}};
  for (const product_part& part : report.parts)
    table.push_back(
        {part.asked.kernel, plot::grouped(part.rows), plot::grouped(part.products),
         unless_zero(ratio(part.shared_probes, part.products)), unless_zero(ratio(part.global_probes, part.products)),
         fmt::format("{:.2f}", sectors_per_product(part)), plot::significant(part.asked.bytes_requested_per_nnz),
         plot::significant(part.asked.dram_bytes_per_nnz), unit.text(part.asked.model_s)});
  const std::vector<std::size_t> widths = widths_of(table);
  for (std::size_t row = 0; row < table.size(); ++row)
    text += (row < 2 ? paint.dim(line_of(table[row], widths)) : line_of(table[row], widths)) + '\n';
  text += '\n';
  for (const std::string& note :
       {sample_words(product), model_words(*report.model),
        std::string(
            "counted, for each product of the rows of a list: slots of its tables that were looked at, in shared "
            "and in global memory, sectors of 32 bytes of global memory and their bytes; modelled: bytes from "
            "DRAM and time. Blocks that claim rows with tables in global memory ran one after the other, so the "
            "L2 holds these tables better than on a GPU")})
    text += "  " + paint.dim(wrapped(note, 2, columns)) + '\n';
  return text + '\n' + wrapped(product_explanation(product), 0, columns) + '\n';
}

std::string product_json(const lab_product& product) {
  const lab::product_report& report = product.report;
  json parts = json::array();
  for (const product_part& part : report.parts) parts.push_back(part_json(part));
  const json all = {{"matrix", product.matrix},
                    {"operation", "spgemm"},
                    {"factors", product.factors},
                    {"value_type", product.value_type},
                    {"rows", report.rows},
                    {"products", report.products},
                    {"sampled_rows", report.sampled_rows},
                    {"sampled_products", report.sampled_products},
                    {"sampled_entries", report.sampled_entries},
                    {"gpu", report.model->name},
                    {"model", true},  // what is said of the GPU; nothing ran on it
                    {"model_s", report.model_s()},
                    {"parts", std::move(parts)},
                    {"explanation", product_explanation(product)}};
  return json_text(all);
}

}  // namespace lacis::app
