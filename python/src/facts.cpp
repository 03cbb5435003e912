// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What there is to see: facts and pictures of matrices, of machines, and PageRank, over the C++ library.
#include <complex>
#include <cstring>
#include <nanobind/stl/string.h>
#include <vector>

#include <lacis/doctor.hpp>
#include <lacis/facts.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/spy.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"

namespace lacis_python {

namespace {

// 64-bit offsets of a matrix: its own, or a copy of narrow ones.
std::vector<std::int64_t> wide_offsets(const matrix& a) {
  const auto count = static_cast<std::size_t>(a.offsets.size());
  if (a.view.offset_bits == 64) {
    const auto* offsets = static_cast<const std::int64_t*>(a.offsets.data());
    return {offsets, offsets + count};
  }
  const auto* offsets = static_cast<const std::int32_t*>(a.offsets.data());
  return {offsets, offsets + count};
}

// Calls `function` with the CSR view of the C++ library.
template <class Function> auto with_view(const matrix& a, Function&& function) {
  if (a.view.format != LACIS_CSR) throw nb::type_error("a CSR matrix is needed here");
  std::vector<std::int64_t> offsets;
  require_ok(observer().run([&] {
    const lacis_status status = lacis_check(&a.view);
    if (status == LACIS_OK) offsets = wide_offsets(a);
    return status;
  }));
  const auto entries = static_cast<std::size_t>(a.view.nnz);
  const auto call = [&]<class Value, class Index>(const Value* values, const Index* columns) {
    return function(lacis::csr_view<Value, Index>{a.view.rows, a.view.cols, std::span<const std::int64_t>(offsets),
                                                  std::span<const Index>(columns, entries),
                                                  lacis::values_view<Value>(std::span<const Value>(values, entries))});
  };
  const auto typed = [&]<class Value>(const Value* values) {
    return a.view.index_bits == 32 ? call(values, static_cast<const std::int32_t*>(a.view.indices))
                                   : call(values, static_cast<const std::int64_t*>(a.view.indices));
  };
  switch (a.view.type) {
    case LACIS_FLOAT32:
      return typed(static_cast<const float*>(a.view.values));
    case LACIS_FLOAT64:
      return typed(static_cast<const double*>(a.view.values));
    case LACIS_COMPLEX64:
      return typed(static_cast<const std::complex<float>*>(a.view.values));
    default:
      return typed(static_cast<const std::complex<double>*>(a.view.values));
  }
}

nb::dict info(nb::handle parts) {
  matrix a;
  a.require(parts);
  lacis::matrix_facts f;
  with_view(a, [&](const auto& view) { observer().run([&] { f = lacis::find_facts(view); }); });
  nb::dict all;
  all["rows"] = f.rows;
  all["cols"] = f.cols;
  all["entries"] = f.entries;
  all["density"] = f.density();
  all["value_type"] = f.value_type;
  all["index_bytes"] = f.index_bytes;
  all["empty_rows"] = f.empty_rows;
  all["empty_cols"] = f.empty_cols;
  all["shortest_row"] = f.shortest_row;
  all["median_row"] = f.median_row;
  all["mean_row"] = f.mean_row();
  all["longest_row"] = f.longest_row;
  all["lower_bandwidth"] = f.lower_bandwidth;
  all["upper_bandwidth"] = f.upper_bandwidth;
  all["diagonal_entries"] = f.diagonal_entries;
  all["square"] = f.symmetry.square;
  all["pattern_symmetric"] = f.symmetry.pattern;
  all["symmetric"] = f.symmetry.symmetric;
  all["skew_symmetric"] = f.symmetry.skew_symmetric;
  all["hermitian"] = f.symmetry.hermitian;
  nb::list bins;
  for (const auto& bin : f.bins) bins.append(nb::make_tuple(bin.first, bin.last, bin.rows));
  all["row_lengths"] = bins;
  return all;
}

nb::object spy(nb::handle parts, std::int64_t width, std::int64_t height) {
  matrix a;
  a.require(parts);
  lacis::spy_raster raster;
  with_view(a, [&](const auto& view) { observer().run([&] { raster = lacis::spy(view, width, height); }); });
  const nb::object counts = new_matrix(element::int64, raster.height, raster.width, false);
  array filled;
  if (filled.open(counts, true) && !raster.counts.empty()) {
    std::memcpy(filled.data(), raster.counts.data(), raster.counts.size() * sizeof(std::int64_t));
  }
  return counts;
}

nb::tuple pagerank(nb::handle parts, double damping, double tolerance, std::int64_t max_iterations, nb::handle weights,
                   int threads, nb::handle monitor) {
  matrix a;
  a.require(parts);
  observer watching(monitor, false);
  array personalisation;
  lacis::pagerank_options options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.threads = threads < 0 ? default_threads() : threads;
  if (!weights.is_none()) {
    if (!personalisation.open(weights) || !personalisation.is_vector() || personalisation.kind() != element::float64) {
      throw nb::type_error("personalization must be a contiguous float64 vector");
    }
    options.personalisation = {static_cast<const double*>(personalisation.data()),
                               static_cast<std::size_t>(personalisation.size())};
  }
  options.monitor = [&](const lacis::pagerank_progress& p) {
    return observer::monitor(&watching, p.iteration, p.change) == 0;
  };
  lacis::pagerank_result result;
  with_view(a, [&](const auto& view) { watching.run([&] { result = lacis::pagerank(view, options); }); });
  const nb::object ranks = copied_vector(element::float64, result.ranks.data(), result.ranks.size());
  return nb::make_tuple(ranks, result.iterations, result.change, result.converged, result.links, result.dangling);
}

nb::list doctor() {
  std::vector<lacis::finding> findings;
  {
    const nb::gil_scoped_release released;
    findings = lacis::doctor();
  }
  nb::list all;
  for (const auto& f : findings)
    all.append(nb::make_tuple(std::string(lacis::name_of(f.mark)), f.name, f.state, f.advice));
  return all;
}

}  // namespace

void bind_facts(nb::module_& m) {
  m.def("info", &info, nb::arg("parts"), nb::sig("def info(parts: tuple) -> dict"),
        "Facts of a CSR matrix with sorted rows.");
  m.def("spy", &spy, nb::arg("parts"), nb::arg("width"), nb::arg("height"),
        nb::sig("def spy(parts: tuple, width: int, height: int) -> object"), "Entries per cell of a grid.");
  m.def("pagerank", &pagerank, nb::arg("parts"), nb::arg("damping"), nb::arg("tolerance"), nb::arg("max_iterations"),
        nb::arg("personalization").none(), nb::arg("threads"), nb::arg("monitor").none(),
        nb::sig("def pagerank(parts: tuple, damping: float, tolerance: float, max_iterations: int, personalization: "
                "object | None, "
                "threads: int, monitor: object | None) -> tuple"),
        "(ranks, iterations, change, converged, links, pages without links).");
  m.def("doctor", &doctor, nb::sig("def doctor() -> list[tuple[str, str, str, str]]"),
        "(mark, name, state, advice) per check.");
}

}  // namespace lacis_python
