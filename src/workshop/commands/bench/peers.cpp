// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Peers: started, loaded, verified.
#include "commands/bench/peers.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "measure/bound.hpp"
#include "measure/matrix_file.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

/// CSR as a library without lacis's choices holds it: one width for offsets and columns, a value for each entry.
template <class Value, class Index> std::int64_t plain_csr_bytes(const csr_view<Value, Index>& a, bool iso) {
  const std::int64_t largest = std::max({a.rows, a.cols, a.nnz()});
  const std::int64_t index = largest > std::numeric_limits<std::int32_t>::max() ? 8 : 4;
  const auto value = static_cast<std::int64_t>(sizeof(Value));
  return index * (a.rows + 1) + index * a.nnz() + value * (iso ? 1 : a.nnz());
}

template <class Value, class Index>
void require_correct(measure::peer& process, const csr_view<Value, Index>& a, std::span<const Value> x,
                     std::span<const Value> y) {
  measure::exchange_file file(static_cast<std::int64_t>(y.size_bytes()));
  process.product(file.path());
  buffer<Value> theirs(a.rows);
  file.read(std::as_writable_bytes(std::span<Value>(theirs)));
  if (const auto wrong = measure::beyond_bound<Value, Index>(a, x, y, theirs))
    throw error(errc::unsupported,
                fmt::format("{}: its product is wrong in row {}: off by {}, rounding explains {}", process.name(),
                            plot::grouped(wrong->row + 1), wrong->difference, wrong->allowed));
}

}  // namespace

template <class Value, class Index> std::int64_t memory_of_peers(const csr_view<Value, Index>& a, std::size_t peers) {
  if (peers == 0) return 0;
  // Each keeps its arrays and an optimised copy; the one that is loading has the file and wider arrays besides.
  return (2 * static_cast<std::int64_t>(peers) + 4) * plain_csr_bytes(a, false);
}

template <class Value, class Index>
ready_peers start_peers(const std::vector<std::string>& names, const csr_view<Value, Index>& a,
                        std::span<const Value> x, std::span<const Value> y, int threads,
                        const std::function<void(std::string_view)>& announce) {
  ready_peers ready;
  if (names.empty()) return ready;
  const measure::peer_command command = measure::find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  announce("writing the matrix for the peers");
  measure::exchange_file file(measure::matrix_file_bytes(a));
  measure::write_matrix(file, a, x);
  for (const std::string& name : names) {
    announce("handing the matrix to " + name);
    try {
      auto process = std::make_unique<measure::peer>(name, command, threads);
      const std::string held_as = process->load(file.path());
      require_correct(*process, a, x, y);
      const std::int64_t bytes =
          plain_csr_bytes(a, held_as == "iso") + (a.rows + a.cols) * static_cast<std::int64_t>(sizeof(Value));
      ready.all.push_back({std::move(process), held_as, name == "scipy" ? 1 : threads, bytes});
    } catch (const error& problem) {
      ready.remarks.emplace_back(problem.what());
    }
  }
  return ready;
}

double seconds_or_never(measure::peer& process, int times, std::string& failure) {
  if (failure.empty()) {
    try {
      return process.run(times);
    } catch (const error& problem) {
      failure = problem.what();
    }
  }
  return std::numeric_limits<double>::infinity();
}

measure::contestant contestant_of(measure::peer& process, std::string& failure) {
  return {process.name(), [&](int times) { return seconds_or_never(process, times, failure); }, process.process()};
}

#define LACIS_START_PEERS(Value, Index)                                                            \
  template std::int64_t memory_of_peers(const csr_view<Value, Index>&, std::size_t);               \
  template ready_peers start_peers(const std::vector<std::string>&, const csr_view<Value, Index>&, \
                                   std::span<const Value>, std::span<const Value>, int,            \
                                   const std::function<void(std::string_view)>&);
LACIS_FOR_EACH_TYPE(LACIS_START_PEERS)

}  // namespace lacis::app
