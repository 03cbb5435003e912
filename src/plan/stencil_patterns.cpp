// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Finding the patterns of diagonals that slices of rows share.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/instantiate.hpp"
#include "plan/stencil.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

/// Slots that a pattern may have, and patterns that a matrix may have: what the first caches hold.
constexpr std::size_t most_slots = 64;
constexpr std::size_t most_patterns = 1024;
/// Slices that a pattern must have: a description is not worth less.
constexpr std::int64_t fewest_slices = 4;

/// The diagonals of a slice and who has them.
struct slice_shape {
  std::vector<std::int64_t> diagonals;
  std::vector<std::uint16_t> masks;
  auto operator<=>(const slice_shape&) const = default;
};

template <class Value, class Index> class slice_reader {
 public:
  static constexpr std::int64_t height = stencil_rows<Value>::height;

  explicit slice_reader(const csr_view<Value, Index>& a) : a_(a) {}

  /// Whether a slice has the shape of the one before it: the same lengths, every column `height` further on.
  [[nodiscard]] bool repeats(std::int64_t slice) const {
    const std::int64_t row = slice * height;
    const std::int64_t first = offset(row);
    const std::int64_t before = offset(row - height);
    for (std::int64_t l = 1; l <= height; ++l)
      if (offset(row + l) - first != offset(row + l - height) - before) return false;
    const Index* here = a_.columns.data() + first;
    const Index* there = a_.columns.data() + before;
    Index differ = 0;
    const std::int64_t count = offset(row + height) - first;
    for (std::int64_t k = 0; k < count; ++k) differ |= (here[k] - there[k]) ^ static_cast<Index>(height);
    return differ == 0;
  }

  /// Nothing where the slice cannot be summed diagonal by diagonal, or would be mostly padding.
  [[nodiscard]] std::optional<slice_shape> shape_of(std::int64_t slice) const {
    slice_shape shape;
    std::int64_t entries = 0;
    for (std::int64_t l = 0; l < height; ++l) {
      const std::int64_t row = slice * height + l;
      const std::int64_t length = offset(row + 1) - offset(row);
      if (length > summation::canonical.short_limit) return std::nullopt;
      entries += length;
      for (std::int64_t k = offset(row); k < offset(row + 1); ++k) {
        const auto column = static_cast<std::int64_t>(a_.columns[static_cast<std::size_t>(k)]);
        if (length > 2 && k > offset(row) && column <= a_.columns[static_cast<std::size_t>(k - 1)]) return std::nullopt;
        const auto at = std::lower_bound(shape.diagonals.begin(), shape.diagonals.end(), column - row);
        const auto slot = at - shape.diagonals.begin();
        if (at == shape.diagonals.end() || *at != column - row) {
          if (shape.diagonals.size() == most_slots) return std::nullopt;
          shape.diagonals.insert(at, column - row);
          shape.masks.insert(shape.masks.begin() + slot, 0);
        }
        shape.masks[static_cast<std::size_t>(slot)] |= static_cast<std::uint16_t>(1u << l);
      }
    }
    const auto slots = static_cast<std::int64_t>(shape.diagonals.size()) * height;
    return 2 * entries < slots ? std::nullopt : std::optional(std::move(shape));
  }

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t row) const { return a_.row_offsets[static_cast<std::size_t>(row)]; }

  const csr_view<Value, Index>& a_;
};

/// What one thread has found.
struct found_shapes {
  std::map<slice_shape, std::int32_t> number;
  std::vector<std::int64_t> count;
};

}  // namespace

template <class Value, class Index>
slice_patterns find_patterns(const csr_view<Value, Index>& a, std::int64_t first_slice, std::int64_t last_slice) {
  const slice_reader<Value, Index> reader(a);
  const std::int64_t slices = last_slice - first_slice;
  slice_patterns result;
  result.of_slice = buffer<std::int32_t>(slices);
  std::vector<found_shapes> parts(static_cast<std::size_t>(threads_for(slices * stencil_rows<Value>::height)));
  const int threads = static_cast<int>(parts.size());
  on_threads(threads, [&](int t, int) {
    found_shapes& mine = parts[static_cast<std::size_t>(t)];
    const std::int64_t end = even_cut(slices, t + 1, threads);
    std::int32_t last = -1;
    for (std::int64_t k = even_cut(slices, t, threads); k < end; ++k) {
      if (last < 0 || !reader.repeats(first_slice + k)) {
        last = -1;
        if (auto shape = reader.shape_of(first_slice + k)) {
          const auto known = mine.number.find(*shape);
          if (known != mine.number.end()) {
            last = known->second;
          } else if (mine.number.size() < 2 * most_patterns) {
            last = static_cast<std::int32_t>(mine.count.size());
            mine.number.emplace(std::move(*shape), last);
            mine.count.push_back(0);
          }
        }
      }
      if (last >= 0) ++mine.count[static_cast<std::size_t>(last)];
      result.of_slice[k] = last;
    }
  });
  std::map<slice_shape, std::int64_t> count;
  for (const found_shapes& part : parts)
    for (const auto& [shape, number] : part.number) count[shape] += part.count[static_cast<std::size_t>(number)];
  std::map<slice_shape, std::int32_t> number;
  for (const auto& [shape, slices_of_it] : count) {
    if (slices_of_it < fewest_slices || number.size() == most_patterns) continue;
    number.emplace(shape, static_cast<std::int32_t>(result.patterns.size()));
    const auto all = static_cast<std::uint16_t>((1u << stencil_rows<Value>::height) - 1);
    result.patterns.push_back(
        {static_cast<std::int32_t>(result.diagonals.size()), static_cast<std::int32_t>(shape.diagonals.size()),
         std::all_of(shape.masks.begin(), shape.masks.end(), [&](std::uint16_t mask) { return mask == all; })});
    result.diagonals.insert(result.diagonals.end(), shape.diagonals.begin(), shape.diagonals.end());
    result.masks.insert(result.masks.end(), shape.masks.begin(), shape.masks.end());
  }
  on_threads(threads, [&](int t, int) {
    const found_shapes& mine = parts[static_cast<std::size_t>(t)];
    std::vector<std::int32_t> final_number(mine.count.size(), -1);
    for (const auto& [shape, local] : mine.number)
      if (const auto known = number.find(shape); known != number.end())
        final_number[static_cast<std::size_t>(local)] = known->second;
    const std::int64_t end = even_cut(slices, t + 1, threads);
    for (std::int64_t k = even_cut(slices, t, threads); k < end; ++k)
      if (result.of_slice[k] >= 0) result.of_slice[k] = final_number[static_cast<std::size_t>(result.of_slice[k])];
  });
  return result;
}

#define LACIS_PATTERNS(Value, Index) \
  template slice_patterns find_patterns(const csr_view<Value, Index>&, std::int64_t, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_PATTERNS)

}  // namespace lacis::detail
