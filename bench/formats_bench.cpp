// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversion and structure: how fast the bytes of a matrix move from one layout to another.
#include <benchmark/benchmark.h>
#include <string>
#include <type_traits>

#include <lacis/lacis.hpp>

namespace {

const lacis::csr_matrix<double>& matrix(bool irregular) {
  static const auto stencil = lacis::generate<double>("@stencil27:60", {.values = lacis::generated_values::random});
  static const auto graph = lacis::generate<double>("@rmat:18", {.values = lacis::generated_values::random});
  return irregular ? graph : stencil;
}

/// Reads CSR once and writes the format once: those are the bytes declared.
template <class Format> void from_csr(benchmark::State& state, lacis::matrix_format format, bool irregular) {
  const auto& a = matrix(irregular);
  for (auto _ : state) benchmark::DoNotOptimize(lacis::convert<Format>(a));
  state.SetBytesProcessed(state.iterations() *
                          (lacis::storage_bytes(a, lacis::matrix_format::csr) + lacis::storage_bytes(a, format)));
}

template <class Format> void to_csr(benchmark::State& state, lacis::matrix_format format, bool irregular) {
  const auto& a = matrix(irregular);
  const auto converted = lacis::convert<Format>(a);
  for (auto _ : state) benchmark::DoNotOptimize(lacis::convert<lacis::csr_matrix<double>>(converted));
  state.SetBytesProcessed(state.iterations() *
                          (lacis::storage_bytes(a, lacis::matrix_format::csr) + lacis::storage_bytes(a, format)));
}

template <class Format> void add(lacis::matrix_format format, bool suits_graphs) {
  for (const bool irregular : {false, true}) {
    if (irregular && !suits_graphs) continue;
    const std::string name = std::string(lacis::name_of(format)) + (irregular ? "/rmat:18" : "/stencil27:60");
    benchmark::RegisterBenchmark(("from_csr/" + name).c_str(), from_csr<Format>, format, irregular)->UseRealTime();
    benchmark::RegisterBenchmark(("to_csr/" + name).c_str(), to_csr<Format>, format, irregular)->UseRealTime();
  }
}

const bool registered = [] {
  add<lacis::coo_matrix<double>>(lacis::matrix_format::coo, true);
  add<lacis::csc_matrix<double>>(lacis::matrix_format::csc, true);
  add<lacis::ell_matrix<double>>(lacis::matrix_format::ell, false);
  add<lacis::hyb_matrix<double>>(lacis::matrix_format::hyb, true);
  add<lacis::jds_matrix<double>>(lacis::matrix_format::jds, true);
  add<lacis::sell_matrix<double>>(lacis::matrix_format::sell, true);
  add<lacis::bsr_matrix<double>>(lacis::matrix_format::bsr, false);
  add<lacis::dia_matrix<double>>(lacis::matrix_format::dia, false);
  return true;
}();

}  // namespace
