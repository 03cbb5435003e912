// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --op spgemm --sweep densities: the sizes and densities at which Rose compares, phase by phase.
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

constexpr const char* phases[] = {"inspect", "count", "fill", "sort"};

constexpr std::string_view family = "@density:";

/// Of a matrix of the family what tells it from the others.
std::string short_name(const std::string& name) { return name.starts_with(family) ? name.substr(family.size()) : name; }

double model_s(const lab_product& product, std::string_view phase) {
  double sum = 0;
  for (const lab::product_part& part : product.report.parts)
    if (part.phase == phase) sum += part.asked.model_s;
  return sum;
}

/// Slots of tables that were looked at for each product of a phase.
std::string probes_text(const lab_product& product, std::string_view phase) {
  std::int64_t probes = 0;
  std::int64_t products = 0;
  for (const lab::product_part& part : product.report.parts) {
    if (part.phase != phase) continue;
    probes += part.shared_probes + part.global_probes;
    products += part.products;
  }
  return products == 0 ? "-" : fmt::format("{:.2f}", static_cast<double>(probes) / static_cast<double>(products));
}

/// Sectors of all phases, for each product that was run.
std::string sectors_text(const lab_product& product) {
  constexpr double sector_bytes = 32;
  double sectors = 0;
  for (const lab::product_part& part : product.report.parts)
    sectors += part.asked.bytes_requested_per_nnz / sector_bytes * static_cast<double>(part.products);
  const std::int64_t products = product.report.sampled_products;
  return products == 0 ? "-" : fmt::format("{:.2f}", sectors / static_cast<double>(products));
}

}  // namespace

std::vector<std::string> density_specs() {
  std::vector<std::string> all;
  for (const char* const density : {"1e-3", "1e-4", "1e-5"})
    for (const int rows : {4096, 8192, 16384, 32768}) all.push_back(fmt::format("{}{},{}", family, rows, density));
  return all;
}

std::string product_sweep_screen(const std::vector<lab_product>& products, const terminal& where) {
  const painter paint{where.color};
  double shortest = 1;
  for (const lab_product& product : products)
    for (const lab::product_part& part : product.report.parts) shortest = std::min(shortest, part.asked.model_s);
  const time_unit unit = time_unit::for_times_from(shortest, where.unicode);
  std::vector<cells> table = {{"", "", "probes", "probes", "", "model", "model", "model", "model"},
                              {std::string(family), "products", "count", "fill", "sectors"}};
  for (const char* const phase : phases) table.back().emplace_back(phase);
  for (const lab_product& product : products) {
    table.push_back({short_name(product.matrix), plot::grouped(product.report.products), probes_text(product, "count"),
                     probes_text(product, "fill"), sectors_text(product)});
    for (const char* const phase : phases) {
      const double seconds = model_s(product, phase);
      table.back().push_back(seconds == 0 ? "" : unit.text(seconds));
    }
  }
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text;
  for (std::size_t row = 0; row < table.size(); ++row)
    text += (row < 2 ? paint.dim(line_of(table[row], widths)) : line_of(table[row], widths)) + '\n';
  text += '\n';
  for (const std::string& note :
       {fmt::format(
            "counted, for each product: slots of tables that were looked at to count and to fill, sectors of 32 "
            "bytes of global memory in all phases; modelled: {} of each phase",
            unit.name),
        std::string("A A; products of more than --entries are sampled by windows of rows"),
        model_words(*products.front().report.model)})
    text += "  " + paint.dim(wrapped(note, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

std::string product_sweep_json(const std::vector<lab_product>& products) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const lab_product& product : products) points.push_back(nlohmann::ordered_json::parse(product_json(product)));
  return json_text({{"operation", "spgemm"}, {"sweep", "densities"}, {"points", std::move(points)}});
}

}  // namespace lacis::app
