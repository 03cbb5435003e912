// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix to be distributed over ranks.
#include "commands/cluster/cut.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/row_ranges.hpp>

#include "console/screen.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {

std::int64_t cut_source::most_ranks() const {
  const std::size_t places = parts.empty() ? chunk_weights.size() : parts.size() - 1;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(places));
}

cut_source load_to_cut(const source_options& source, const common_options& common) {
  cut_source all{.source = load(source, common)};
  std::visit(
      [&]<class Value, class Index>(const csr_matrix<Value, Index>& a) {
        if (a.rows != a.cols)
          throw error(errc::bad_input, fmt::format("{} is {} x {}: only a square matrix is distributed",
                                                   all.source.name, a.rows, a.cols));
        all.rows = a.rows;
        all.entries = a.nnz();
        all.value_type = type_name<Value>();
        all.storage = {.value_bytes = sizeof(Value), .stores_values = !a.values.iso};
        all.chunk_weights = weights_of_chunks(a.row_offsets);
      },
      all.source.matrix);
  const buffer<std::int64_t> parts = as_input([&] { return read_parts(source.matrix); });
  all.parts.assign(parts.begin(), parts.end());
  return all;
}

std::vector<std::int64_t> ranges_of(const cut_source& all, int ranks) {
  if (ranks > all.most_ranks())
    throw error(errc::invalid_argument,
                all.parts.empty()
                    ? fmt::format("{} ranks, but {} rows are cut for at most {}, at multiples of {}; take fewer ranks",
                                  ranks, all.rows, all.most_ranks(), rows_in_chunk)
                    : fmt::format("{} ranks, but {} was cut into {} parts; cut it into more with 'lacis reorder "
                                  "--parts', or take fewer ranks",
                                  ranks, all.source.name, all.most_ranks()));
  return cut_rows(all.rows, all.chunk_weights, all.parts, ranks);
}

row_exchange exchange_at(const cut_source& all, int ranks) {
  return std::visit([&](const auto& a) { return exchange_of(a, ranges_of(all, ranks)); }, all.source.matrix);
}

std::string cut_words(const cut_source& all) {
  return all.parts.empty() ? "cut in the order of its rows"
                           : fmt::format("{} parts stored with it", plot::grouped(all.most_ranks()));
}

std::string cut_title(const std::string& matrix, std::int64_t rows, std::int64_t entries, const std::string& about,
                      const terminal& where) {
  const std::string words = fmt::format("{} rows, {} entries, {}", plot::grouped(rows), plot::grouped(entries), about);
  return title_line(matrix, words, where);
}

double imbalance_of(const row_exchange& exchange) {
  std::int64_t most = 0;
  std::int64_t sum = 0;
  for (const range_exchange& range : exchange.ranges) {
    most = std::max(most, range.rows + range.entries);
    sum += range.rows + range.entries;
  }
  return sum == 0 ? 1
                  : static_cast<double>(most) * static_cast<double>(exchange.ranges.size()) / static_cast<double>(sum);
}

void add_ranks(option_list& options, std::vector<int>& ranks) {
  constexpr int most_ranks = 1 << 30;  // MPI counts them with an int
  options.add("-k,--ranks LIST", ranks, "numbers of ranks, separated by commas")
      .list()
      .integers(1, most_ranks)
      .required();
}

}  // namespace lacis::app
