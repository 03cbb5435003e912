// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Peers of products with dense columns: started, loaded, verified for each number of columns.
#include "commands/bench/spmm_peers.hpp"

#include <filesystem>
#include <fmt/format.h>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "measure/bound.hpp"
#include "measure/matrix_file.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

template <class Value, class Index>
void require_correct_columns(measure::peer& process, const csr_view<Value, Index>& a, const dense_view<const Value>& x,
                             const dense_view<const Value>& y, measure::dense_order order) {
  buffer<Value> theirs(y.rows * y.cols);
  measure::exchange_file file(theirs.size() * static_cast<std::int64_t>(sizeof(Value)));
  process.product(file.path());
  file.read(std::as_writable_bytes(std::span<Value>(theirs)));
  const auto result = measure::dense_in<const Value>(order, theirs, y.rows, y.cols);
  if (const auto wrong = measure::beyond_bound<Value, Index>(a, x, y, result))
    throw error(
        errc::unsupported,
        fmt::format("{}: its product with {} columns is wrong in row {}, column {}: off by {}, rounding explains "
                    "{}",
                    process.name(), y.cols, plot::grouped(wrong->row + 1), wrong->column + 1, wrong->difference,
                    wrong->allowed));
}

}  // namespace

template <class Value, class Index>
spmm_peers start_spmm_peers(const std::vector<std::string>& names, const csr_view<Value, Index>& a, int threads,
                            const std::function<void(std::string_view)>& announce) {
  spmm_peers started;
  if (names.empty()) return started;
  const measure::peer_command command = measure::find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  announce("writing the matrix for the peers");
  measure::exchange_file file(measure::matrix_file_bytes(a));
  measure::write_matrix<Value, Index>(file, a, {});
  for (const std::string& name : names) {
    announce("handing the matrix to " + name);
    try {
      auto process = std::make_unique<measure::peer>(name, command, threads, "spmm");
      (void)process->load(file.path());
      started.all.push_back(std::move(process));
    } catch (const error& problem) {
      started.remarks.emplace_back(problem.what());
    }
  }
  return started;
}

template <class Value, class Index>
void prepare_spmm_peers(spmm_peers& peers, const csr_view<Value, Index>& a, const dense_view<const Value>& x,
                        const dense_view<const Value>& y, measure::dense_order order,
                        const std::function<void(std::string_view)>& announce) {
  std::erase_if(peers.all, [&](const std::unique_ptr<measure::peer>& process) {
    announce(fmt::format("comparing {} columns with {}", x.cols, process->name()));
    try {
      process->columns(x.cols, order);
      require_correct_columns(*process, a, x, y, order);
      return false;
    } catch (const error& problem) {
      peers.remarks.emplace_back(problem.what());
      return true;
    }
  });
}

#define LACIS_SPMM_PEERS(Value, Index)                                                                         \
  template spmm_peers start_spmm_peers(const std::vector<std::string>&, const csr_view<Value, Index>&, int,    \
                                       const std::function<void(std::string_view)>&);                          \
  template void prepare_spmm_peers(spmm_peers&, const csr_view<Value, Index>&, const dense_view<const Value>&, \
                                   const dense_view<const Value>&, measure::dense_order,                       \
                                   const std::function<void(std::string_view)>&);
LACIS_FOR_EACH_TYPE(LACIS_SPMM_PEERS)

}  // namespace lacis::app
