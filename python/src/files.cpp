// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices from files and descriptions, and into files.
#include <array>
#include <memory>
#include <nanobind/stl/string.h>
#include <utility>
#include <variant>

#include <lacis/generate.hpp>
#include <lacis/types.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "owned.hpp"

namespace lacis_python {

namespace {

nb::object read(const std::string& path, nb::handle progress) {
  observer watching(progress, false);
  owned_matrix a;
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    status = lacis_read(path.c_str(), &observer::progress, &watching, a.address());
  }
  watching.rethrow();
  require_ok(status);
  return a.arrays();
}

void write(const std::string& path, nb::handle parts, nb::handle progress) {
  observer watching(progress, false);
  matrix a;
  a.require(parts);
  lacis_status status = LACIS_OK;
  {
    const nb::gil_scoped_release released;
    status = lacis_write(path.c_str(), &a.view, &observer::progress, &watching);
  }
  watching.rethrow();
  require_ok(status);
}

template <class T> constexpr element kind_of() {
  return lacis::is_complex<T> ? (sizeof(T) == 8 ? element::complex64 : element::complex128)
                              : (sizeof(T) == 4 ? element::float32 : element::float64);
}

// A matrix of the C++ library as (rows, cols, indptr, indices, data, iso).
nb::tuple arrays_of(lacis::any_csr&& made) {
  auto* kept = new lacis::any_csr(std::move(made));
  const nb::capsule owner(kept, [](void* all) noexcept { delete static_cast<lacis::any_csr*>(all); });
  return std::visit(
      [&]<class Value, class Index>(const lacis::csr_matrix<Value, Index>& a) {
        return nb::make_tuple(
            a.rows, a.cols, wrap_vector(element::int64, a.row_offsets.data(), a.rows + 1, owner),
            wrap_vector(sizeof(Index) == 4 ? element::int32 : element::int64, a.columns.data(), a.nnz(), owner),
            wrap_vector(kind_of<Value>(), a.values.data.data(), a.values.data.size(), owner), a.values.iso);
      },
      *kept);
}

lacis::generated_values values_named(const std::string& name) {
  static constexpr std::array<std::pair<const char*, lacis::generated_values>, 5> names = {
      {{"natural", lacis::generated_values::natural},
       {"pattern", lacis::generated_values::pattern},
       {"ones", lacis::generated_values::ones},
       {"integer", lacis::generated_values::integer},
       {"random", lacis::generated_values::random}}};
  for (const auto& [known, value] : names) {
    if (name == known) return value;
  }
  raise(LACIS_INVALID_ARGUMENT,
        "values must be 'natural', 'pattern', 'ones', 'integer' or 'random', not '" + name + "'");
}

// Thrown through the generator when a signal or the caller's function ends it.
struct stopped {};

nb::object generate(const std::string& spec, std::uint64_t seed, const std::string& values, nb::handle progress) {
  observer watching(progress, false);
  lacis::generate_options options;
  options.seed = seed;
  options.values = values_named(values);
  options.progress = [&](std::string_view stage, double share) {
    if (observer::progress(&watching, std::string(stage).c_str(), share) != 0) throw stopped();
  };
  std::unique_ptr<lacis::any_csr> made;
  try {
    const nb::gil_scoped_release released;
    made = std::make_unique<lacis::any_csr>(lacis::generate_any(spec, options));
  } catch (const stopped&) {
    watching.rethrow();
    throw;
  }
  return arrays_of(std::move(*made));
}

nb::list generators() {
  nb::list all;
  for (const auto& g : lacis::generators()) {
    all.append(nb::make_tuple(std::string(g.name), std::string(g.arguments), std::string(g.summary)));
  }
  return all;
}

}  // namespace

void bind_files(nb::module_& m) {
  m.def("read", &read, nb::arg("path"), nb::arg("progress").none() = nb::none(),
        nb::sig("def read(path: str, progress: object | None = None) -> tuple"),
        "(rows, cols, indptr, indices, data, iso) from a file.");
  m.def("write", &write, nb::arg("path"), nb::arg("parts"), nb::arg("progress").none() = nb::none(),
        nb::sig("def write(path: str, parts: tuple, progress: object | None = None) -> None"));
  m.def("generate", &generate, nb::arg("spec"), nb::arg("seed"), nb::arg("values"),
        nb::arg("progress").none() = nb::none(),
        nb::sig("def generate(spec: str, seed: int, values: str, progress: object | None = None) -> tuple"));
  m.def("generators", &generators, nb::sig("def generators() -> list[tuple[str, str, str]]"),
        "Name, arguments and summary of each generator.");
}

}  // namespace lacis_python
