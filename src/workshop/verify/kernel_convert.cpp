// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversions on a device make the arrays that conversions on the host make, padding included.
#include <cstring>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "device/convert.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

using device::runtime;

/// Says which array is not what the host has, or nothing.
class arrays {
 public:
  explicit arrays(runtime& device) : device_(device) {}

  template <class T>
  arrays& compare(const char* name, const device::device_array<device::device_of<T>>& made,
                  std::span<const T> expected) {
    const std::vector<T> got = device_.download<T>(made);
    const bool equal = got.size() == expected.size() &&
                       (got.empty() || std::memcmp(got.data(), expected.data(), expected.size_bytes()) == 0);
    if (!equal && apart_.empty()) apart_ = std::string(name) + " are not those of the host's conversion";
    return *this;
  }
  [[nodiscard]] std::string apart() const { return apart_; }

 private:
  runtime& device_;
  std::string apart_;
};

template <class Value, class Index> struct conversion {
  const char* name;
  std::function<std::string(runtime&, const device::device_csr<Value, Index>&)> compare;
};

/// Each format of one matrix: converted on the host now, on the device and compared when called.
template <value Value, index Index>
std::vector<conversion<Value, Index>> conversions(const csr_matrix<Value, Index>& a) {
  using matrix = device::device_csr<Value, Index>;
  const convert_options slices{.slice_height = 32, .sort_window = 64};
  const convert_options blocks{.block_size = 3};
  return {
      {"to_coo",
       [host = convert<coo_matrix<Value, Index>>(a)](runtime& device, const matrix& from) {
         const auto made = device::to_coo(device, from);
         return arrays(device)
             .compare<Index>("row indices", made.row_indices, host.row_indices)
             .template compare<Index>("columns", made.columns, host.columns)
             .template compare<Value>("values", made.values, host.values.data)
             .apart();
       }},
      {"to_ell",
       [host = convert<ell_matrix<Value, Index>>(a)](runtime& device, const matrix& from) {
         const auto made = device::to_ell(device, from);
         return arrays(device)
             .compare<Index>("row lengths", made.row_lengths, host.row_lengths)
             .template compare<Index>("columns", made.columns, host.columns)
             .template compare<Value>("values", made.values, host.values.data)
             .apart();
       }},
      {"to_hyb",
       [host = convert<hyb_matrix<Value, Index>>(a)](runtime& device, const matrix& from) {
         const auto made = device::to_hyb(device, from);
         return arrays(device)
             .compare<Index>("columns of the ELL part", made.ell.columns, host.ell.columns)
             .template compare<Value>("values of the ELL part", made.ell.values, host.ell.values.data)
             .template compare<Index>("columns of the COO part", made.coo.columns, host.coo.columns)
             .template compare<Value>("values of the COO part", made.coo.values, host.coo.values.data)
             .apart();
       }},
      {"to_jds",
       [host = convert<jds_matrix<Value, Index>>(a)](runtime& device, const matrix& from) {
         const auto made = device::to_jds(device, from);
         return arrays(device)
             .compare<Index>("permutation", made.permutation, host.permutation)
             .template compare<std::int64_t>("diagonal offsets", made.diagonal_offsets, host.diagonal_offsets)
             .template compare<Index>("columns", made.columns, host.columns)
             .template compare<Value>("values", made.values, host.values.data)
             .apart();
       }},
      {"to_sell",
       [=, host = convert<sell_matrix<Value, Index>>(a, slices)](runtime& device, const matrix& from) {
         const auto made = device::to_sell(device, from, slices);
         return arrays(device)
             .compare<Index>("permutation", made.permutation, host.permutation)
             .template compare<std::int64_t>("slice offsets", made.slice_offsets, host.slice_offsets)
             .template compare<Index>("columns", made.columns, host.columns)
             .template compare<Value>("values", made.values, host.values.data)
             .apart();
       }},
      {"to_bsr",
       [=, host = convert<bsr_matrix<Value, Index>>(a, blocks)](runtime& device, const matrix& from) {
         const auto made = device::to_bsr(device, from, blocks);
         return arrays(device)
             .compare<std::int64_t>("row offsets", made.row_offsets, host.row_offsets)
             .template compare<Index>("block columns", made.block_columns, host.block_columns)
             .template compare<std::uint8_t>("mask", made.mask, host.mask)
             .template compare<Value>("values", made.values, host.values.data)
             .apart();
       }},
  };
}

}  // namespace

template <value Value, index Index> void verify_convert_kernels(kernel_ledger& book) {
  const auto reals = test_matrices<Value, Index>(entries::reals);
  for (std::size_t k = 0; k < reals.size(); k += book.all() ? 1 : 5)
    for (const auto& c : conversions(reals[k].matrix))
      book.check({c.name, "no sums", types_text<Value, Index>(), reals[k].name, "from csr"},
                 [&](runtime& device) { return c.compare(device, device::upload(device, reals[k].matrix.view())); });
}

#define LACIS_VERIFY(Value, Index) template void verify_convert_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
