// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numberings of the matrices that they are meant for. LACIS_BENCH_SCALE=large takes sizes beyond every cache.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <string>
#include <string_view>

#include <lacis/lacis.hpp>

namespace {

/// The bytes declared are those of the pattern, read once, and of the order, written once: the least any method moves.
void reorder(benchmark::State& state, lacis::reordering how, const std::string& spec) {
  const auto a = lacis::generate<float>(spec, {.values = lacis::generated_values::pattern});
  for (auto _ : state) benchmark::DoNotOptimize(lacis::reorder(a, how));
  const auto row_bytes = static_cast<std::int64_t>(2 * sizeof(std::int64_t));
  const auto entry_bytes = static_cast<std::int64_t>(sizeof(std::int32_t));
  state.SetBytesProcessed(state.iterations() * (a.rows * row_bytes + a.nnz() * entry_bytes));
}

const bool registered = [] {
  const char* scale = std::getenv("LACIS_BENCH_SCALE");
  const bool large = scale != nullptr && std::string_view(scale) == "large";
  const auto add = [](lacis::reordering how, const std::string& spec) {
    const std::string name = std::string(lacis::name_of(how)) + "/" + spec;
    benchmark::RegisterBenchmark(name.c_str(), reorder, how, spec)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add(lacis::reordering::rcm, large ? "@mesh3d:100,shuffled" : "@mesh3d:30,shuffled");
  add(lacis::reordering::chain, large ? "@kmer:55000000" : "@kmer:1000000");
  add(lacis::reordering::degree, large ? "@rmat:22" : "@rmat:17");
  return true;
}();

}  // namespace
