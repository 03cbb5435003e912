// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product with a vector in every format and with a plan. lacis bench spmv compares them interleaved; this is for
// profilers and for one case at a time (--benchmark_filter=csr).
#include <algorithm>
#include <benchmark/benchmark.h>
#include <string>

#include <lacis/lacis.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

namespace {

using matrix = lacis::csr_matrix<double>;

const matrix& of_grid() {
  static const matrix a = lacis::generate<double>("@stencil27:100", {.values = lacis::generated_values::random});
  return a;
}

const matrix& of_graph() {
  static const matrix a = lacis::generate<double>("@rmat:20", {.values = lacis::generated_values::random});
  return a;
}

/// Times run(x, y) and declares the bytes that have to move: the matrix, x and y once.
template <class Run> void time_product(benchmark::State& state, const matrix& a, std::int64_t bytes, const Run& run) {
  const lacis::buffer<double> x(a.cols, 1.0);
  lacis::buffer<double> y(a.rows, 0.0);
  for (auto _ : state) {
    run(x, y);
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * (bytes + 8 * (a.rows + a.cols)));
  state.counters["FLOP"] =
      benchmark::Counter(2 * static_cast<double>(a.nnz()), benchmark::Counter::kIsIterationInvariantRate);
}

template <class Format>
void of_format(benchmark::State& state, const matrix& (*source)(), lacis::matrix_format format,
               const lacis::convert_options& options) {
  const matrix& a = source();
  const auto converted = lacis::convert<Format>(a, options);
  time_product(state, a, lacis::storage_bytes(a, format, options),
               [&](const auto& x, auto& y) { lacis::multiply(converted, x, y); });
}

void of_plan(benchmark::State& state, const matrix& (*source)()) {
  const matrix& a = source();
  const auto plan = lacis::multiply_inspect(a);
  lacis::workspace memory;
  time_product(state, a, plan.storage_bytes(), [&](const auto& x, auto& y) { lacis::multiply(plan, x, y, memory); });
  state.SetLabel(std::string(plan.layout()));
}

struct named_source {
  const char* name;
  const matrix& (*make)();
  bool is_regular;
};

constexpr named_source sources[] = {{"stencil27:100", of_grid, true}, {"rmat:20", of_graph, false}};

template <class Format>
void add(lacis::matrix_format format, bool suits_graphs, const lacis::convert_options& options = {},
         std::string name = {}) {
  if (name.empty()) name = lacis::name_of(format);
  for (const named_source& source : sources)
    if (source.is_regular || suits_graphs)
      benchmark::RegisterBenchmark((name + '/' + source.name).c_str(), of_format<Format>, source.make, format, options)
          ->UseRealTime();
}

const bool registered = [] {
  using lacis::matrix_format;
  lacis::convert_options one_vector;
  one_vector.slice_height = 8;
  add<lacis::coo_matrix<double>>(matrix_format::coo, true);
  add<lacis::csr_matrix<double>>(matrix_format::csr, true);
  add<lacis::csc_matrix<double>>(matrix_format::csc, true);
  add<lacis::ell_matrix<double>>(matrix_format::ell, false);
  add<lacis::hyb_matrix<double>>(matrix_format::hyb, true);
  add<lacis::jds_matrix<double>>(matrix_format::jds, true);
  add<lacis::sell_matrix<double>>(matrix_format::sell, true, one_vector, "sell-8");
  add<lacis::sell_matrix<double>>(matrix_format::sell, false);
  add<lacis::bsr_matrix<double>>(matrix_format::bsr, false);
  add<lacis::dia_matrix<double>>(matrix_format::dia, false);
  for (const named_source& source : sources)
    benchmark::RegisterBenchmark((std::string("plan/") + source.name).c_str(), of_plan, source.make)->UseRealTime();
  return true;
}();

}  // namespace
