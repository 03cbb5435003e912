// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices from files and descriptions, and into files.
#include <memory>
#include <nanobind/stl/string.h>
#include <string>
#include <string_view>
#include <utility>

#include <lacis/generate.hpp>
#include <lacis/io.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "callbacks.hpp"
#include "errors.hpp"
#include "generated_values.hpp"
#include "owned.hpp"

namespace lacis_python {

namespace {

lacis::progress told_to(observer& watching) {
  return [&watching](std::string_view stage, double share) {
    if (observer::progress(&watching, std::string(stage).c_str(), share) != 0) throw observer::stopped();
  };
}

// What make() gives, without the GIL.
template <class Make> nb::tuple made_by(observer& watching, Make&& make) {
  std::unique_ptr<lacis::any_csr> made;
  watching.run([&] { made = std::make_unique<lacis::any_csr>(make()); });
  return arrays_of(std::move(*made));
}

nb::tuple read(const std::string& path, nb::handle progress) {
  observer watching(progress, false);
  lacis::read_report report;
  lacis::read_options options;
  options.report = &report;
  options.progress = told_to(watching);
  const nb::tuple made = made_by(watching, [&] { return lacis::read_any(path, options); });
  return nb::make_tuple(made, std::string(lacis::name_of(report.format)), report.field);
}

void write(const std::string& path, nb::handle parts, nb::handle progress) {
  observer watching(progress, false);
  matrix a;
  a.require(parts);
  require_ok(watching.run([&] { return lacis_write(path.c_str(), &a.view, &observer::progress, &watching); }));
}

nb::object generate(const std::string& spec, std::uint64_t seed, const std::string& values, nb::handle progress) {
  observer watching(progress, false);
  lacis::generate_options options;
  options.seed = seed;
  options.values = values_named(values);
  options.progress = told_to(watching);
  return made_by(watching, [&] { return lacis::generate_any(spec, options); });
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
  m.def(
      "read", &read, nb::arg("path"), nb::arg("progress").none() = nb::none(),
      nb::sig("def read(path: str, progress: object | None = None) -> tuple"),
      "(rows, cols, indptr, indices, data, iso) from a file, the name of its format, and the field that it declares.");
  m.def("write", &write, nb::arg("path"), nb::arg("parts"), nb::arg("progress").none() = nb::none(),
        nb::sig("def write(path: str, parts: tuple, progress: object | None = None) -> None"));
  m.def("generate", &generate, nb::arg("spec"), nb::arg("seed"), nb::arg("values"),
        nb::arg("progress").none() = nb::none(),
        nb::sig("def generate(spec: str, seed: int, values: str, progress: object | None = None) -> tuple"));
  m.def("generators", &generators, nb::sig("def generators() -> list[tuple[str, str, str]]"),
        "Name, arguments and summary of each generator.");
}

}  // namespace lacis_python
