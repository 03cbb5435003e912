// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a CSR matrix, uploaded and put into the slots of a SELL-32 matrix one after the other.
#include "device/sell_upload.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/layout.hpp"
#include "kernels/convert.hpp"

namespace lacis::device {
namespace {

constexpr std::int64_t height = simt::warp_size;
constexpr std::int64_t window = convert_options{}.sort_window;
static_assert(window % height == 0, "a part is whole windows and whole slices");
constexpr std::int64_t parts = 16;
constexpr std::int64_t least_entries = 1 << 14;  ///< of a part: fewer are not worth a launch

/// The row behind the part that begins with `first`.
std::int64_t end_of_part(std::span<const std::int64_t> row_offsets, std::int64_t first) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  const auto at = [&](std::int64_t row) { return row_offsets[static_cast<std::size_t>(std::min(row, rows))]; };
  const std::int64_t most = std::max(at(rows) / parts, least_entries);
  std::int64_t last = first + window;
  while (last < rows && at(last + window) - at(first) <= most) last += window;
  return std::min(last, rows);
}

/// elements[first .. last], each less `base`.
template <class T> buffer<T> shifted(std::span<const T> elements, std::int64_t first, std::int64_t last, T base) {
  buffer<T> result(last - first);
  lacis::detail::parallel_for(
      last - first, [&](std::int64_t k) { result[k] = elements[static_cast<std::size_t>(first + k)] - base; });
  return result;
}

}  // namespace

template <class Index>
sell_places<Index>::sell_places(std::span<const std::int64_t> row_offsets)
    : permutation(lacis::detail::sell_permutation<Index>(row_offsets, window)),
      slice_offsets(lacis::detail::sell_slice_offsets<Index>(row_offsets, permutation, height)) {}

template <class Value, class Index>
device_sell<Value, Index> upload_sell(runtime& device, const csr_view<Value, Index>& a,
                                      const sell_places<Index>& places) {
  using fill = kernels::sell_fill<raw_memory, device_of<Value>, Index>;
  const std::span<const Index> permutation(places.permutation);
  const std::span<const std::int64_t> slice_offsets(places.slice_offsets);
  buffer<Index> lengths(a.rows);
  lacis::detail::parallel_for(a.rows, [&](std::int64_t place) {
    const auto row = static_cast<std::size_t>(permutation[static_cast<std::size_t>(place)]);
    lengths[place] = static_cast<Index>(a.row_offsets[row + 1] - a.row_offsets[row]);
  });
  const bool iso = a.values.iso;
  device_sell<Value, Index> result{
      .rows = a.rows,
      .cols = a.cols,
      .entries = a.nnz(),
      .slice_height = height,
      .sort_window = window,
      .iso = iso,
      .permutation = device.upload<Index>(permutation),
      .row_lengths = device.upload<Index>(std::span<const Index>(lengths)),
      .slice_offsets = device.upload<std::int64_t>(slice_offsets),
      .columns = device.allocate<Index>(places.slots()),
      .values = iso ? device.upload<Value>(a.values.data) : device.allocate<device_of<Value>>(places.slots())};
  for (std::int64_t first = 0; first < a.rows;) {
    const std::int64_t last = end_of_part(a.row_offsets, first);
    const std::int64_t first_slice = first / height;
    const std::int64_t slices = runtime::blocks_for(last - first, height);
    const std::int64_t first_slot = places.slice_offsets[first_slice];
    const std::int64_t slots = places.slice_offsets[first_slice + slices] - first_slot;
    const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(first)];
    const auto entries = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(last)] - begin);
    const auto upload = [&]<class T>(const buffer<T>& host) { return device.upload<T>(std::span<const T>(host)); };
    const auto part_permutation = upload(shifted(permutation, first, last, static_cast<Index>(first)));
    const auto part_slices = upload(shifted(slice_offsets, first_slice, first_slice + slices + 1, first_slot));
    const auto part_offsets = upload(shifted(a.row_offsets, first, last + 1, begin));
    const auto part_columns = device.upload<Index>(a.columns.subspan(static_cast<std::size_t>(begin), entries));
    const auto part_values =
        device.upload<Value>(iso ? a.values.data : a.values.data.subspan(static_cast<std::size_t>(begin), entries));
    device.launch_over(
        fill{last - first, slices, height, slots, iso, part_permutation.data(), result.row_lengths.data() + first,
             part_slices.data(), part_offsets.data(), part_columns.data(), part_values.data(),
             result.columns.data() + first_slot, iso ? result.values.data() : result.values.data() + first_slot},
        slots);
    first = last;
  }
  return result;
}

template struct sell_places<std::int32_t>;
template struct sell_places<std::int64_t>;
#define LACIS_SELL_UPLOAD(Value, Index) \
  template device_sell<Value, Index> upload_sell(runtime&, const csr_view<Value, Index>&, const sell_places<Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SELL_UPLOAD)

}  // namespace lacis::device
