// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products on a device, every variant and sort, against the definition: squares of the test matrices, and A A^T.
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/spgemm.hpp"
#include "summation/spgemm.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

using device::spgemm_sort;
using device::spgemm_variant;

struct way {
  const char* name;
  spgemm_variant variant;
  spgemm_sort sort;
  device::spgemm_tuning tuning = {};
};

// Limits so low that small matrices have rows in every list; rows that are long then have tables of both kinds.
constexpr device::spgemm_tuning low_limits(std::int64_t dense_share) { return {{2, 5, 9}, {2, 4, 7}, dense_share}; }

constexpr way ways[] = {
    {"spgemm text, radix sort", spgemm_variant::text, spgemm_sort::radix},
    {"spgemm touched", spgemm_variant::touched, spgemm_sort::segmented},
    {"spgemm stamped", spgemm_variant::stamped, spgemm_sort::segmented},
    {"spgemm several rows", spgemm_variant::several_rows, spgemm_sort::radix},
    {"spgemm dynamic", spgemm_variant::dynamic, spgemm_sort::segmented},
    {"spgemm best", spgemm_variant::best, spgemm_sort::segmented},
    {"spgemm best, radix sort", spgemm_variant::best, spgemm_sort::radix},
    {"spgemm binned", spgemm_variant::binned, spgemm_sort::segmented},
    {"spgemm binned, long rows hashed", spgemm_variant::binned, spgemm_sort::segmented, low_limits(0)},
    {"spgemm binned, long rows dense", spgemm_variant::binned, spgemm_sort::segmented, low_limits(1000)},
};

template <value Value, index Index>
std::int64_t products_of(const csr_matrix<Value, Index>& a, const csr_matrix<Value, Index>& b) {
  std::int64_t products = 0;
  for (const Index k : a.columns) products += b.row_offsets[k + 1] - b.row_offsets[k];
  return products;
}

template <value Value, index Index>
void verify_product(kernel_ledger& book, const std::string& name, const char* form, const csr_matrix<Value, Index>& a,
                    const csr_matrix<Value, Index>& b) {
  const csr_matrix<Value, Index> expected = summation::spgemm(a.view(), b.view());
  for (const way& w : ways)
    book.check({w.name, "ascending k", types_text<Value, Index>(), name, form}, [&](device::runtime& device) {
      const auto device_a = device::upload(device, a.view());
      const auto device_b = device::upload(device, b.view());
      device::spgemm_options options;
      options.variant = w.variant;
      options.sort = w.sort;
      options.tuning = w.tuning;
      const auto c = device::spgemm(device, device_a, device_b, options);
      const auto offsets = device.download<std::int64_t>(c.row_offsets);
      if (!std::equal(offsets.begin(), offsets.end(), expected.row_offsets.begin(), expected.row_offsets.end()))
        return std::string("row offsets are not those of the product");
      const auto columns = device.download<Index>(c.columns);
      if (!std::equal(columns.begin(), columns.end(), expected.columns.begin(), expected.columns.end()))
        return std::string("columns are not those of the product, in order");
      return difference<Value>(device.download<Value>(c.values), expected.values.data,
                               [](std::int64_t k) { return detail::text("entry ", k); });
    });
}

/// Rows of B that take a block several steps, as many as copies of a loop that nvcc unrolls by four, and a row of C
/// that is longer than the tiles it is sorted in.
template <value Value, index Index> void verify_long_rows(kernel_ledger& book) {
  const auto a = from_rows<Value, Index>(2, 3, entries::reals, [](std::int64_t i) {
    return i == 0 ? std::vector<std::int64_t>{0, 1, 2} : std::vector<std::int64_t>{1, 2};
  });
  const auto b = from_rows<Value, Index>(3, 1300, entries::reals, [](std::int64_t i) {
    return random_columns(i, i == 0 ? 1100 : 1000 - 300 * i, 1300, 16);
  });
  verify_product(book, "rows of 1100, 700 and 400", "A B", a, b);
}

}  // namespace

template <value Value, index Index> void verify_spgemm_kernels(kernel_ledger& book) {
  verify_long_rows<Value, Index>(book);
  const auto reals = test_matrices<Value, Index>(entries::reals);
  for (std::size_t k = 0; k < reals.size(); ++k) {
    const auto& a = reals[k].matrix;
    const auto t = transpose(a);
    const bool in_turn = book.all() || k % 5 == 0;
    const bool has_long_rows = t.nnz() > 16 * t.rows;  // kernels of their own
    if (in_turn && a.rows == a.cols && products_of(a, a) <= book.most_products())
      verify_product(book, reals[k].name, "A A", a, a);
    if ((in_turn || has_long_rows) && products_of(a, t) <= book.most_products())
      verify_product(book, reals[k].name, "A A^T", a, t);
  }
}

#define LACIS_VERIFY(Value, Index) template void verify_spgemm_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
