// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Peers of sparse products: started, loaded, verified.
#include "commands/bench/spgemm_peers.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "base/instantiate.hpp"
#include "commands/machine/machine.hpp"
#include "measure/bound_spgemm.hpp"
#include "measure/matrix_file.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

bool gives_sorted_rows(const std::string& name) { return name != "mkl-unsorted" && name != "scipy"; }
/// SciPy leaves out entries whose sum is zero.
bool drops_zeros(const std::string& name) { return name.starts_with("scipy"); }
bool has_one_thread(const std::string& name) { return name.starts_with("scipy") || name == "eigen"; }

template <class Matrix> std::int64_t bytes_of_product(std::int64_t rows, std::int64_t entries) {
  constexpr std::int64_t entry = sizeof(typename Matrix::value_type) + sizeof(typename Matrix::index_type);
  return (rows + 1) * 8 + entries * entry;
}

/// The product that a peer wrote into a file.
template <class Value, class Index>
csr_matrix<Value, Index> read_product(const measure::exchange_file& file, std::int64_t rows, std::int64_t cols,
                                      std::int64_t entries) {
  csr_matrix<Value, Index> c;
  c.rows = rows;
  c.cols = cols;
  c.row_offsets = buffer<std::int64_t>(rows + 1);
  c.columns = buffer<Index>(entries);
  c.values = values_array<Value>(entries);
  std::int64_t offset = 0;
  const auto take = [&](std::span<std::byte> bytes) {
    file.read(bytes, offset);
    offset += static_cast<std::int64_t>(bytes.size());
  };
  take(std::as_writable_bytes(std::span<std::int64_t>(c.row_offsets)));
  take(std::as_writable_bytes(std::span<Index>(c.columns)));
  take(std::as_writable_bytes(std::span<Value>(c.values.data)));
  return c;
}

template <class Value, class Index>
void require_correct(measure::peer& process, const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b,
                     const csr_matrix<Value, Index>& c) {
  using matrix = csr_matrix<Value, Index>;
  const auto wrong = [&](const std::string& what) {
    return error(errc::unsupported, fmt::format("{}: its product is wrong: {}", process.name(), what));
  };
  measure::exchange_file file(bytes_of_product<matrix>(c.rows, c.nnz()));
  const std::int64_t entries = process.sparse_product(file.path());
  // A few more entries than ours would be a mistake that deserves a better message; memory for any number would not.
  if (entries > c.nnz()) throw wrong(fmt::format("it has {} entries, not {}", entries, c.nnz()));
  matrix theirs = read_product<Value, Index>(file, c.rows, c.cols, entries);
  if (const auto broken = validate(theirs)) throw wrong(broken->message);
  if (!gives_sorted_rows(process.name()))
    theirs = sort_rows(theirs);
  else if (!is_sorted(theirs))
    throw wrong("its rows are not sorted");
  const auto fault =
      measure::compare_products<Value, Index>(a.view(), b.view(), c.view(), theirs.view(), drops_zeros(process.name()));
  if (fault) throw wrong(fmt::format("row {}: {}", plot::grouped(fault->row + 1), fault->what));
}

/// A matrix in a file that peers read.
template <class Value, class Index>
std::unique_ptr<measure::exchange_file> handed_over(const csr_matrix<Value, Index>& a) {
  auto file = std::make_unique<measure::exchange_file>(measure::matrix_file_bytes(a.view()));
  measure::write_matrix<Value, Index>(*file, a.view(), {});
  return file;
}

}  // namespace

template <class Value, class Index>
ready_spgemm_peers start_spgemm_peers(const std::vector<std::string>& names, const csr_matrix<Value, Index>& a,
                                      const csr_matrix<Value, Index>& b, const csr_matrix<Value, Index>& c, int threads,
                                      const std::function<void(std::string_view)>& announce) {
  ready_spgemm_peers ready;
  if (names.empty()) return ready;
  const measure::peer_command command = measure::find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  announce("writing the matrices for the peers");
  const auto first = handed_over(a);
  const auto second = &a == &b ? nullptr : handed_over(b);
  // While a product is compared it exists in the peer, in the file, and here as it came and sorted.
  const std::int64_t needed = 4 * bytes_of_product<csr_matrix<Value, Index>>(c.rows, c.nnz());
  for (const std::string& name : names) {
    if (needed > memory_of_machine().available) {
      ready.remarks.push_back(fmt::format("{} is left out: comparing its product takes about {}", name,
                                          plot::bytes_text(static_cast<double>(needed))));
      continue;
    }
    announce("comparing with " + name);
    try {
      auto process = std::make_unique<measure::peer>(name, command, threads, "spgemm");
      (void)process->load(first->path());
      if (second) process->second(second->path());
      require_correct(*process, a, b, c);
      ready.all.push_back({std::move(process), has_one_thread(name) ? 1 : threads, gives_sorted_rows(name)});
    } catch (const error& problem) {
      ready.remarks.emplace_back(problem.what());
    }
  }
  return ready;
}

#define LACIS_START_SPGEMM_PEERS(Value, Index)                                                                     \
  template ready_spgemm_peers start_spgemm_peers(const std::vector<std::string>&, const csr_matrix<Value, Index>&, \
                                                 const csr_matrix<Value, Index>&, const csr_matrix<Value, Index>&, \
                                                 int, const std::function<void(std::string_view)>&);
LACIS_FOR_EACH_TYPE(LACIS_START_SPGEMM_PEERS)

}  // namespace lacis::app
