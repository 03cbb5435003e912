// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix from a file, a pipe or a description.
#include "input/load.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fmt/format.h>
#include <omp.h>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/structure.hpp>

#include "commands/plan/words.hpp"
#include "console/console.hpp"
#include "console/progress_bar.hpp"
#include "input/in_type.hpp"
#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

struct named_values {
  const char* name;
  generated_values values;
};

constexpr named_values value_kinds[] = {
    {"natural", generated_values::natural}, {"pattern", generated_values::pattern},
    {"ones", generated_values::ones},       {"integer", generated_values::integer},
    {"random", generated_values::random},   {"symmetric", generated_values::symmetric}};

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

generated_values parse_values(const std::string& name) {
  std::vector<std::string> names;
  for (const named_values& kind : value_kinds) {
    if (kind.name == name) return kind.values;
    names.emplace_back(kind.name);
  }
  refuse_choice("--values", name, names);
}

any_csr make(const source_options& source, const common_options& common) {
  progress_bar bar(common.quiet);
  generate_options options = generate_options_of(source);
  options.progress = bar.callback();
  return generate_any(source.matrix, options);
}

any_csr read_file(const source_options& source, const common_options& common, read_report& report) {
  if (!source.values.empty() || source.seed)
    throw error(errc::invalid_argument, "--values and --seed apply to generated matrices (@...), not to files");
  std::error_code unknown;
  const auto size = std::filesystem::file_size(source.matrix, unknown);
  progress_bar bar(common.quiet, unknown ? 0 : static_cast<std::int64_t>(size));
  read_options options = read_options_of(source);
  options.progress = bar.callback();
  options.report = &report;
  return as_input([&] { return read_any(source.matrix, options); });
}

template <class To> any_csr with_values(const any_csr& matrix) {
  return std::visit([](const auto& a) -> any_csr { return cast_values<To>(a); }, matrix);
}

}  // namespace

void require_one_standard_input(const source_options& source, const std::string& other) {
  if (source.matrix == "-" && other == "-")
    throw error(errc::invalid_argument, "standard input holds one matrix or one vector; name a file for the other");
}

generate_options generate_options_of(const source_options& source) {
  generate_options options;
  options.seed = source.seed.value_or(options.seed);
  if (!source.values.empty()) options.values = parse_values(source.values);
  return options;
}

read_options read_options_of(const source_options& source) {
  read_options options;
  if (!source.from.empty()) options.format = parse_file_format(source.from);
  options.compact_ids = source.compact_ids;
  options.undirected = source.undirected;
  options.round_integers = source.round_integers;
  set_limits(source, options);
  return options;
}

void set_limits(const source_options& source, read_options& options) {
  if (!source.max_bytes.empty()) options.max_bytes = parse_bytes(source.max_bytes, "--max-bytes");
  options.max_ratio = source.max_ratio;
}

std::string with_flags(std::string message) {
  struct field_and_flag {
    std::string_view field;
    std::string_view flag;
  };
  constexpr field_and_flag all[] = {
      {"read_options::max_bytes", "--max-bytes"},          {"read_options::memory_limit", "--max-bytes"},
      {"read_options::max_ratio", "--max-ratio"},          {"read_options::compact_ids", "--compact-ids"},
      {"read_options::undirected", "--undirected"},        {"read_options::format", "--from edge-list"},
      {"read_options::round_integers", "--round-integers"}};
  for (const auto& [field, flag] : all)
    if (const std::size_t at = message.find(field); at != std::string::npos) message.replace(at, field.size(), flag);
  return message;
}

void refuse_input(const error& problem) {
  // No index type is wider than those that were tried: a size that does not fit is the file's fault.
  const bool of_the_file = problem.code() == errc::io || problem.code() == errc::overflow;
  throw error(of_the_file ? errc::bad_input : problem.code(), with_flags(problem.what()));
}

any_csr with_type(any_csr matrix, const std::string& name) {
  if (name.empty()) return matrix;
  if (name == "float" || name == "complex-float")
    std::visit([&](const auto& a) { require_in_type<float>("--type " + name, a.values.data); }, matrix);
  if (name == "float") return with_values<float>(matrix);
  if (name == "double") return with_values<double>(matrix);
  if (name == "complex-float") return with_values<std::complex<float>>(matrix);
  if (name == "complex-double") return with_values<std::complex<double>>(matrix);
  const std::string known[] = {"float", "double", "complex-float", "complex-double"};
  refuse_choice("--type", name, known);
}

void require_finite_values(const any_csr& matrix, const std::string& name) {
  std::visit(
      [&](const auto& a) {
        for (std::int64_t i = 0; i < a.rows; ++i)
          for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
            if (const auto entry = a.values[k]; !std::isfinite(std::real(entry)) || !std::isfinite(std::imag(entry)))
              throw error(errc::bad_input,
                          fmt::format("{}: the entry of row {} and column {}, counted from 1, is not finite", name,
                                      i + 1, static_cast<std::int64_t>(a.columns[k]) + 1));
      },
      matrix);
}

file_format parse_file_format(const std::string& name) {
  std::string library_name = name;
  std::replace(library_name.begin(), library_name.end(), '-', '_');
  if (const auto found = file_format_named(library_name)) return *found;
  std::vector<std::string> names;
  for (const file_format format : {file_format::matrix_market, file_format::npz, file_format::edge_list,
                                   file_format::metis, file_format::csr_directory})
    names.push_back(spelt(format));
  throw error(errc::invalid_argument, "there is no file format '" + name + "'" + did_you_mean(name, names) +
                                          " (there are " + listed(names) + ")");
}

std::string spelt(file_format format) {
  std::string name(name_of(format));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

isa parse_isa(const std::string& name) {
  if (const auto found = isa_named(name)) return *found;
  const std::string known[] = {"scalar", "avx2", "avx512"};
  refuse_choice("--isa", name, known);
}

void use_threads(int threads) {
  if (threads > 0) omp_set_num_threads(threads);
}

loaded load(const source_options& source, const common_options& common) {
  use_threads(common.threads);
  static_cast<void>(read_options_of(source));  // what is misspelt is an error also where nothing is read
  const auto begin = std::chrono::steady_clock::now();
  loaded result;
  result.generated = is_generator_spec(source.matrix);
  if (result.generated) {
    result.name = shown(source.matrix);
    result.matrix = make(source, common);
  } else {
    const std::filesystem::path path(source.matrix);
    result.name = source.matrix == "-" ? "standard input"
                                       : shown((path.has_filename() ? path : path.parent_path()).filename().string());
    result.matrix = read_file(source, common, result.report);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace lacis::app
