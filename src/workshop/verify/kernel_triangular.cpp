// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular solves on a device against the substitution that defines them.
#include <set>

#include "base/instantiate.hpp"
#include "device/triangular.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/numbers.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

using summation::diagonal;
using summation::triangle;

/// The square part of a test matrix with a diagonal: both of its triangles can be solved.
template <value Value, index Index> csr_matrix<Value, Index> with_diagonal(const csr_matrix<Value, Index>& a) {
  const std::int64_t size = std::min(a.rows, a.cols);
  return from_rows<Value, Index>(size, size, entries::reals, [&](std::int64_t i) {
    std::set<std::int64_t> columns{i};
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] < size) columns.insert(a.columns[k]);
    return std::vector<std::int64_t>(columns.begin(), columns.end());
  });
}

/// A chain, where each row waits for the one before, and a dense triangle with rows of several chunks. On a GPU another
/// chain: of its rows, which have a warp each, no more than half run at a time, and those must not wait for the rest.
template <value Value, index Index> std::vector<named_matrix<Value, Index>> hard_systems(std::int64_t resident_warps) {
  std::vector<named_matrix<Value, Index>> all;
  const auto add_chain = [&](std::int64_t rows) {
    all.push_back(
        {"chain " + std::to_string(rows), from_rows<Value, Index>(rows, rows, entries::reals, [rows](std::int64_t i) {
           return consecutive(std::max<std::int64_t>(0, i - 1), std::min<std::int64_t>(rows, i + 2));
         })});
  };
  add_chain(700);
  if (resident_warps > 0) add_chain(2 * resident_warps);
  all.push_back(
      {"rows of 2100 at both ends of 2200", from_rows<Value, Index>(2200, 2200, entries::reals, [](std::int64_t i) {
         if (i == 2150) return consecutive(50, 2151);
         if (i == 10) return consecutive(10, 2110);
         return std::vector{i};
       })});
  return all;
}

template <value Value, index Index>
void verify_system(kernel_ledger& book, const std::string& name, const csr_matrix<Value, Index>& a, triangle part,
                   diagonal kind) {
  const auto b = full_numbers<Value>(a.rows, 31);
  std::vector<Value> expected(b.size());
  if (part == triangle::lower)
    summation::solve_lower<Value, Index>(a.view(), kind, b, expected);
  else
    summation::solve_upper<Value, Index>(a.view(), kind, b, expected);
  const char* const form = part == triangle::lower ? "lower" : "upper";
  book.compare<Value>({"triangular", "canonical", types_text<Value, Index>(), name,
                       std::string(form) + (kind == diagonal::unit ? ", unit diagonal" : "")},
                      expected, [&](device::runtime& device) {
                        const auto device_a = device::upload(device, a.view());
                        const auto device_b = device.upload<Value>(b);
                        auto x = device.allocate<device::device_of<Value>>(a.rows);
                        auto plan = device::plan_triangular<Value, Index>(device, device_a, part, kind);
                        device::solve(device, plan, device_a, device_b.data(), x.data());
                        return device.download<Value>(x);
                      });
}

}  // namespace

template <value Value, index Index> void verify_triangular_kernels(kernel_ledger& book) {
  auto systems = hard_systems<Value, Index>(book.resident_warps());
  const auto reals = test_matrices<Value, Index>(entries::reals);
  for (std::size_t k = 0; k < reals.size(); k += book.all() ? 1 : 5)
    systems.push_back({reals[k].name, with_diagonal(reals[k].matrix)});
  for (std::size_t k = 0; k < systems.size(); ++k) {
    const diagonal kind = k % 3 == 2 ? diagonal::unit : diagonal::stored;
    verify_system(book, systems[k].name, systems[k].matrix, triangle::lower, kind);
    verify_system(book, systems[k].name, systems[k].matrix, triangle::upper, kind);
  }
}

#define LACIS_VERIFY(Value, Index) template void verify_triangular_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
