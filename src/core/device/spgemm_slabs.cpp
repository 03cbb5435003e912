// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Shares the memory of the device among operands, workspace, tables and a slab of C.
#include "device/spgemm_slabs.hpp"

#include <algorithm>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/context.hpp"
#include "device/spgemm_binned.hpp"
#include "formats/order_rows.hpp"

namespace lacis::device {
namespace {

using lacis::detail::text;

/// An array takes whole units of this, at least one.
constexpr std::int64_t allocation_unit = 512;

template <class Value, class Index> std::int64_t bytes_of(const csr_view<Value, Index>& a) {
  const auto values = static_cast<std::int64_t>(a.values.data.size());
  return 8 * (a.rows + 1) + a.nnz() * static_cast<std::int64_t>(sizeof(Index)) +
         values * static_cast<std::int64_t>(sizeof(Value)) + 3 * allocation_unit;
}

/// What there is for tables and a slab of C: the tables get a quarter, the entries of C the rest.
struct shared_memory {
  std::int64_t limit;
  std::int64_t taken;

  [[nodiscard]] std::int64_t left() const { return limit - taken; }
  [[nodiscard]] std::int64_t of_tables() const { return left() / 4; }
  [[nodiscard]] std::int64_t of_entries() const { return left() - of_tables() - 2 * allocation_unit; }
};

template <class Value, class Index>
shared_memory share_memory(const runtime& device, const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                           std::int64_t limit) {
  if (limit < 0)
    throw error(errc::invalid_argument, text("the memory must not be negative: ", limit, " bytes; 0 is all"));
  const shared_memory memory{limit > 0 ? limit : device.free_bytes(),
                             bytes_of(a) + bytes_of(b) + binned_bytes + binned_bytes_per_row * a.rows};
  if (memory.left() <= 0)
    throw error(errc::out_of_memory,
                text("the operands of this product and the lists of their rows take ", memory.taken,
                     " bytes of the device, ", memory.limit, " are there for all of it; multiply parts of A's rows"));
  return memory;
}

/// The row behind the last one that fits with `first`, which does.
std::int64_t end_of_slab(std::span<const std::int64_t> offsets, std::int64_t first, std::int64_t most_entries) {
  const auto begin = offsets.begin() + first;
  return std::upper_bound(begin + 1, offsets.end(), *begin + most_entries) - offsets.begin() - 1;
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> multiply_in_slabs(runtime& device, const csr_view<Value, Index>& a,
                                           const csr_view<Value, Index>& b, const device_spgemm_options& options,
                                           const spgemm_tuning& tuning, device_spgemm_report& report) {
  using T = device_of<Value>;
  constexpr std::int64_t entry_bytes = sizeof(Index) + sizeof(T);
  report = {};
  csr_matrix<Value, Index> c;
  c.rows = a.rows;
  c.cols = b.cols;
  c.row_offsets = buffer<std::int64_t>(a.rows + 1, 0);
  if (a.nnz() == 0 || b.nnz() == 0) return c;

  const shared_memory memory = share_memory(device, a, b, options.memory_limit);
  spgemm_options how;
  how.table_bytes = memory.of_tables();
  how.tuning = tuning;
  spgemm_statistics counted;
  const auto there_a = upload(device, a);
  const auto there_b = upload(device, b);
  binned_product<Value, Index> product(device, there_a, there_b, how, &counted);
  report.entries = product.count();
  device.template download<std::int64_t>(product.row_offsets().data(), std::span<std::int64_t>(c.row_offsets));
  c.columns = buffer<Index>(report.entries);
  c.values = values_array<Value>(buffer<Value>(report.entries));

  const std::span<const std::int64_t> offsets = c.row_offsets;
  const std::int64_t most_entries = std::max<std::int64_t>(0, memory.of_entries() / entry_bytes);
  for (std::int64_t first = 0; first < a.rows;) {
    const std::int64_t last = end_of_slab(offsets, first, most_entries);
    if (last == first)
      throw error(
          errc::out_of_memory,
          text("row ", first, " of the product has ", c.row_offsets[first + 1] - c.row_offsets[first], " entries of ",
               entry_bytes, " bytes, the device has room for ", most_entries,
               " beside the operands and tables; raise memory_limit by that much, or multiply on the processor"));
    const std::int64_t begin = c.row_offsets[first];
    const std::int64_t entries = c.row_offsets[last] - begin;
    if (entries > 0) {
      const auto columns = device.template allocate<Index>(entries);
      const auto values = device.template allocate<T>(entries);
      product.fill({first, last, begin, begin + entries, columns.data(), values.data()});
      device.template download<Index>(columns.data(), {c.columns.data() + begin, static_cast<std::size_t>(entries)});
      device.template download<Value>(values.data(), {c.values.data.data() + begin, static_cast<std::size_t>(entries)});
    }
    ++report.slabs;
    first = last;
    if (options.progress) options.progress("multiplying", static_cast<double>(first) / static_cast<double>(a.rows));
  }
  report.products = counted.products;
  report.launches = counted.launches;
  return c;
}

#define LACIS_INSTANTIATE(Value, Index)                                                                            \
  template csr_matrix<Value, Index> multiply_in_slabs(runtime&, const csr_view<Value, Index>&,                     \
                                                      const csr_view<Value, Index>&, const device_spgemm_options&, \
                                                      const spgemm_tuning&, device_spgemm_report&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::device

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> multiply(const device_context& where, const csr_view<Value, Index>& a,
                                  const csr_view<Value, Index>& b, const device_spgemm_options& options,
                                  device_spgemm_report* report) {
  if (a.cols != b.rows)
    throw error(errc::invalid_argument, text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
  require_canonical(a, "spgemm");
  require_canonical(b, "spgemm");
  device_spgemm_report unread;
  const device::visit here(*where.internals());
  return device::multiply_in_slabs(where.internals()->home(), a, b, options, {}, report != nullptr ? *report : unread);
}

#define LACIS_MULTIPLY(Value, Index)                                                                                \
  template LACIS_API csr_matrix<Value, Index> multiply(const device_context&, const csr_view<Value, Index>&,        \
                                                       const csr_view<Value, Index>&, const device_spgemm_options&, \
                                                       device_spgemm_report*);
LACIS_FOR_EACH_TYPE(LACIS_MULTIPLY)

}  // namespace lacis::detail
