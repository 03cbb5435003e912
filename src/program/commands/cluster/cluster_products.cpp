// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spmv --mpi and lacis spgemm --mpi: products of the processes that mpirun has started.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/products/spgemm.hpp"
#include "commands/products/spmv.hpp"
#include "console/console.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

std::string bytes_text(std::int64_t bytes) { return plot::bytes_text(static_cast<double>(bytes)); }

json facts_json(const std::string& name, const spread_facts& facts) {
  return {{"matrix", name},
          {"rows", facts.rows},
          {"cols", facts.cols},
          {"entries", facts.entries},
          {"value_type", facts.value_type},
          {"processes", facts.processes},
          {"threads", facts.threads},
          {"read_s", facts.read_seconds},
          {"prepare_s", facts.prepare_seconds},
          {"exchange", facts.exchange},
          {"exchange_s", facts.exchange_seconds},
          {"sent_bytes", facts.sent_bytes},
          {"most_sent_bytes", facts.most_sent_bytes},
          {"messages", facts.messages},
          {"most_matrix_bytes", facts.most_bytes}};
}

/// Title, and lines of a name and words.
class sheet {
 public:
  sheet(const std::string& name, const spread_facts& facts, const terminal& where)
      : where_(where),
        text_(title_line(name,
                         fmt::format("{} {} {}, {} entries, {}; {}", plot::grouped(facts.rows),
                                     where.unicode ? "×" : "x", plot::grouped(facts.cols), plot::grouped(facts.entries),
                                     facts.value_type, processes_text(facts)),
                         where) +
              '\n') {}

  void line(std::string_view name, const std::string& words) {
    text_ += "  " + pad_right(name, 12) + wrapped(words, 14, static_cast<std::size_t>(where_.columns)) + '\n';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  terminal where_;
  std::string text_;
};

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::string product_screen(const std::string& name, const spread_product_result& result, const terminal& where) {
  sheet page(name, result.facts, where);
  const spread_facts& facts = result.facts;
  page.line("read",
            plot::duration_text(facts.read_seconds) + "; prepared in " + plot::duration_text(facts.prepare_seconds));
  page.line("rank 0", facts.explanation);
  page.line("exchange",
            facts.sent_bytes == 0
                ? "nothing: no rank needs elements of another"
                : fmt::format("{} in {} messages per product, {} by the busiest rank; alone {}",
                              bytes_text(facts.sent_bytes), plot::grouped(facts.messages),
                              bytes_text(facts.most_sent_bytes), time_text(facts.exchange_seconds, where.unicode)));
  page.line("memory", bytes_text(facts.most_bytes) + " for the matrix on the fullest rank");
  page.line("product", fmt::format("{} (median of {}), {:.2f} Gflop/s", time_text(result.seconds, where.unicode),
                                   result.runs, 2e-9 * static_cast<double>(facts.entries) / result.seconds));
  page.line("hash of y", hash_text(result.hash) + " (same on every machine)");
  return page.text();
}

}  // namespace

void run_spmv_on_cluster(const spmv_request& request) {
  if (!request.x.empty() || !request.output.empty() || request.device != "cpu")
    throw error(errc::unsupported, "spmv --mpi takes neither X, --output nor --device");
  on_cluster(request.common, [&](cluster& processes) {
    const auto number = [](std::int64_t j) { return static_cast<double>(1 + j % 8) / 8; };
    const auto result = processes.multiply(named(request.source, request.source.matrix, ""), number);
    if (processes.rank() != 0) return;
    if (!request.common.json) return print_screen(product_screen(shown(request.source.matrix), result, terminal_of(1)));
    json all = facts_json(shown(request.source.matrix), result.facts);
    all["seconds"] = result.seconds;
    all["runs"] = result.runs;
    all["hash"] = hash_text(result.hash);
    print(json_text(all));
  });
}

void run_spgemm_on_cluster(const spgemm_request& request) {
  if (!request.output.empty() || !request.memory_limit.empty() || !request.isa.empty() || request.explain)
    throw error(errc::unsupported, "spgemm --mpi takes neither --output, --memory-limit, --isa nor --explain");
  on_cluster(request.common, [&](cluster& processes) {
    const auto result = processes.multiply(named(request.source, request.source.matrix, request.type),
                                           named(request.source, request.b, request.type));
    if (processes.rank() != 0) return;
    if (request.common.json) {
      json all = facts_json(shown(request.source.matrix), result.facts);
      all["seconds"] = result.seconds;
      all["product_entries"] = result.entries;
      all["hash_values"] = hash_text(result.hash_of_values);
      all["hash_columns"] = hash_text(result.hash_of_columns);
      all["hash_row_offsets"] = hash_text(result.hash_of_row_offsets);
      return print(json_text(all));
    }
    sheet page(shown(request.source.matrix), result.facts, terminal_of(1));
    page.line("read", plot::duration_text(result.facts.read_seconds));
    page.line("product", fmt::format("{} entries in {}", plot::grouped(result.entries),
                                     time_text(result.seconds, terminal_of(1).unicode)));
    page.line("hashes", fmt::format("values {}, columns {}, row offsets {}", hash_text(result.hash_of_values),
                                    hash_text(result.hash_of_columns), hash_text(result.hash_of_row_offsets)));
    print_screen(page.text());
  });
}

}  // namespace lacis::app
