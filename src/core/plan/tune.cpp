// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Timing layouts instead of predicting, and remembering what was found.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/output_file.hpp"
#include "base/parallel.hpp"
#include "plan/choose.hpp"
#include "plan/multiply.hpp"

namespace lacis::detail {
namespace {

/// A mix of two numbers in which every bit of both counts.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  hash ^= number + 0x9e3779b97f4a7c15u + (hash << 12) + (hash >> 4);
  hash = (hash ^ (hash >> 31)) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 29);
}

constexpr char separator = '\t';

bool is_line_of(const std::string& line, const std::string& key) {
  return line.size() > key.size() && line.starts_with(key) && line[key.size()] == separator;
}

}  // namespace

template <class Value, class Index> std::uint64_t fingerprint(const csr_view<Value, Index>& a) {
  constexpr std::int64_t samples = 4096;
  std::uint64_t hash = sizeof(Value);
  for (const std::int64_t number : {a.rows, a.cols, a.nnz(), std::int64_t{a.values.iso}})
    hash = mixed(hash, static_cast<std::uint64_t>(number));
  for (std::int64_t k = 0; k < std::min(samples, a.nnz()); ++k) {
    const auto row = static_cast<std::size_t>(a.rows * k / samples);
    const auto entry = static_cast<std::size_t>(static_cast<__int128>(a.nnz()) * k / samples);
    hash = mixed(hash, static_cast<std::uint64_t>(a.row_offsets[row]));
    hash = mixed(hash, static_cast<std::uint64_t>(a.columns[entry]));
  }
  return hash;
}

/// What is no regular file holds nothing: a device may never end.
std::ifstream lines_of(const std::string& file) {
  std::error_code fault;
  return std::filesystem::is_regular_file(file, fault) ? std::ifstream(file) : std::ifstream();
}

std::string remembered(const std::string& file, const std::string& key) {
  std::string layout;
  if (file.empty()) return layout;
  std::ifstream lines = lines_of(file);
  for (std::string line; std::getline(lines, line);)
    if (is_line_of(line, key)) layout = line.substr(key.size() + 1);
  return layout;
}

void remember(const std::string& file, const std::string& key, const std::string& layout) {
  std::error_code fault;
  const bool is_something_else = std::filesystem::exists(file, fault) && !std::filesystem::is_regular_file(file, fault);
  if (file.empty() || is_something_else) return;  // a pipe would wait for a reader
  try {
    output_file out(file);
    std::ifstream lines = lines_of(file);
    std::string all;
    for (std::string line; std::getline(lines, line);)
      if (!is_line_of(line, key)) all += line + '\n';
    out.put(all + key + separator + layout + '\n');
    out.commit();
  } catch (const error& problem) {
    if (problem.code() != errc::io) throw;  // the plan is as good where nothing can be remembered
  }
}

template <class Value, class Index>
double seconds_of(const layout<Value, Index>& l, const plan_options& options, isa set) {
  using clock = std::chrono::steady_clock;
  const cpu::launch how{options.threads > 0 ? options.threads : threads_for_work(l.rows + l.nnz()), set};
  buffer<Value> x(l.cols);
  buffer<Value> y(l.rows);
  parallel_for(l.cols, [&](std::int64_t i) { x[i] = Value(1); });
  parallel_for(l.rows, [&](std::int64_t i) { y[i] = Value(0); });
  workspace memory;
  const cpu::scaling<Value> plain(Value(1), Value(0));
  double least = 0;
  double all = 0;
  constexpr int most_runs = 6;
  constexpr int fewest_runs = 3;
  constexpr double enough = 0.02;  // seconds
  for (int run = 0; run < (all < enough ? most_runs : fewest_runs); ++run) {
    const auto begin = clock::now();
    multiply_any(how, plain, l, x.data(), y.data(), memory);
    const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
    least = run == 0 ? seconds : std::min(least, seconds);
    all += seconds;
  }
  return least;
}

#define LACIS_TUNE(Value, Index)                                     \
  template std::uint64_t fingerprint(const csr_view<Value, Index>&); \
  template double seconds_of(const layout<Value, Index>&, const plan_options&, isa);
LACIS_FOR_EACH_TYPE(LACIS_TUNE)

}  // namespace lacis::detail
