// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Finding the patterns of diagonals that slices of rows share.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/instantiate.hpp"
#include "plan/layouts/stencil/stencil.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t most_slots = cpu::most_slots;
/// Patterns that a matrix may have: what the first caches hold.
constexpr std::size_t most_patterns = 4096;
/// Entries that a diagonal must have among the rows that are looked at.
constexpr std::int64_t fewest_entries = 4;

/// The diagonals of a slice and who has them.
struct slice_shape {
  std::vector<std::int64_t> diagonals;
  std::vector<std::uint16_t> masks;
  std::uint16_t rows = 0;
  auto operator<=>(const slice_shape&) const = default;
};

/// How many entries each diagonal has: open addressing in one array, at most half of it taken, since counting the
/// entries of a sample would otherwise be the longest part of inspecting an unstructured matrix.
class diagonal_counts {
 public:
  struct place {
    std::int64_t diagonal = 0;
    std::int64_t times = 0;  ///< 0: nothing is here
  };

  void add(std::int64_t diagonal) {
    place& p = places_[find(diagonal)];
    if (p.times++ > 0) return;
    p.diagonal = diagonal;
    if (2 * ++taken_ > places_.size()) grow();
  }
  [[nodiscard]] const std::vector<place>& places() const { return places_; }

 private:
  /// Where a diagonal is or would be.
  [[nodiscard]] std::size_t find(std::int64_t diagonal) const {
    const std::size_t last = places_.size() - 1;
    const std::uint64_t mixed = static_cast<std::uint64_t>(diagonal) * 0x9e3779b97f4a7c15u;
    std::size_t at = static_cast<std::size_t>(mixed >> 32) & last;
    while (places_[at].times > 0 && places_[at].diagonal != diagonal) at = (at + 1) & last;
    return at;
  }
  void grow() {
    std::vector<place> old(2 * places_.size());
    old.swap(places_);
    for (const place& p : old)
      if (p.times > 0) places_[find(p.diagonal)] = p;
  }

  std::vector<place> places_ = std::vector<place>(256);
  std::size_t taken_ = 0;
};

/// The entries of some of the rows first_row, first_row + step, ..., counted by diagonals; long rows are left out.
template <class Value, class Index> class diagonal_sample {
 public:
  diagonal_sample(const csr_view<Value, Index>& a, std::int64_t first_row, std::int64_t last_row, std::int64_t most) {
    const std::int64_t step = std::max<std::int64_t>(1, (last_row - first_row) / most);
    for (std::int64_t i = first_row; i < last_row; i += step, ++rows_) {
      const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(i)];
      const std::int64_t end = a.row_offsets[static_cast<std::size_t>(i + 1)];
      if (end - begin > summation::canonical.short_limit) continue;
      entries_ += end - begin;
      for (std::int64_t k = begin; k < end; ++k) count_.add(a.columns[static_cast<std::size_t>(k)] - i);
    }
  }

  /// Whether a good part of the entries is on diagonals that rows share.
  [[nodiscard]] bool has_diagonals() const {
    constexpr std::int64_t part = 4;
    std::int64_t shared = 0;
    for (const auto& [diagonal, times] : count_.places())
      if (times >= fewest_entries) shared += times;
    return part * shared >= entries_;
  }
  /// Diagonals on which at least a sixty-fourth of the rows have an entry, ascending; at most most_slots, those of most
  /// entries.
  [[nodiscard]] std::vector<std::int64_t> usual() const {
    constexpr std::int64_t share = 64;
    std::vector<std::pair<std::int64_t, std::int64_t>> often;
    for (const auto& [diagonal, times] : count_.places())
      if (share * times >= rows_ && times >= fewest_entries) often.emplace_back(-times, diagonal);
    std::sort(often.begin(), often.end());
    if (often.size() > most_slots) often.resize(most_slots);
    std::vector<std::int64_t> diagonals;
    for (const auto& [times, diagonal] : often) diagonals.push_back(diagonal);
    std::sort(diagonals.begin(), diagonals.end());
    return diagonals;
  }

 private:
  diagonal_counts count_;
  std::int64_t rows_ = 0;
  std::int64_t entries_ = 0;
};

/// The diagonals of most rows; none where a few rows say that there are none, as in unstructured meshes.
template <class Value, class Index>
std::vector<std::int64_t> usual_diagonals(const csr_view<Value, Index>& a, std::int64_t first_row,
                                          std::int64_t last_row) {
  constexpr std::int64_t few = 256;
  constexpr std::int64_t many = 4096;
  if (last_row - first_row > many && !diagonal_sample(a, first_row, last_row, few).has_diagonals()) return {};
  return diagonal_sample(a, first_row, last_row, many).usual();
}

template <class Value, class Index> class slice_reader {
 public:
  static constexpr std::int64_t height = stencil_rows<Value>::height;

  slice_reader(const csr_view<Value, Index>& a, const std::vector<std::int64_t>& usual) : a_(a), usual_(usual) {}

  /// Whether a slice has the shape of an earlier one: the same lengths, every column as much further on as its row.
  [[nodiscard]] bool is_like(std::int64_t slice, std::int64_t example) const {
    const std::int64_t row = slice * height;
    const std::int64_t other = example * height;
    const std::int64_t first = offset(row);
    const std::int64_t before = offset(other);
    for (std::int64_t l = 1; l <= height; ++l)
      if (offset(row + l) - first != offset(other + l) - before) return false;
    const Index* here = a_.columns.data() + first;
    const Index* there = a_.columns.data() + before;
    const auto distance = static_cast<Index>(row - other);
    const std::int64_t count = offset(row + height) - first;
    Index differ = 0;
    for (std::int64_t k = 0; k < count; ++k) differ |= (here[k] - there[k]) ^ distance;
    return differ == 0;
  }

  /// Nothing where less than half of the rows take part, none has an entry, or more than half of the slots would be
  /// padding.
  [[nodiscard]] std::optional<slice_shape> shape_of(std::int64_t slice) const {
    std::array<std::uint16_t, most_slots> masks{};
    slice_shape shape;
    std::int64_t entries = 0;
    std::int64_t rows = 0;
    for (std::int64_t l = 0; l < height && 2 * (rows + height - l) >= height; ++l) {
      std::array<std::uint8_t, static_cast<std::size_t>(summation::canonical.short_limit)> slots;
      const std::int64_t length = slots_of(slice * height + l, slots);
      if (length < 0) continue;
      for (std::int64_t k = 0; k < length; ++k)
        masks[slots[static_cast<std::size_t>(k)]] |= static_cast<std::uint16_t>(1u << l);
      shape.rows |= static_cast<std::uint16_t>(1u << l);
      entries += length;
      ++rows;
    }
    for (std::size_t d = 0; d < usual_.size(); ++d)
      if (masks[d] != 0) {
        shape.diagonals.push_back(usual_[d]);
        shape.masks.push_back(masks[d]);
      }
    const auto slots = static_cast<std::int64_t>(shape.diagonals.size()) * rows;
    return entries == 0 || 2 * rows < height || 2 * entries < slots ? std::nullopt : std::optional(std::move(shape));
  }

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t row) const { return a_.row_offsets[static_cast<std::size_t>(row)]; }

  /// The usual diagonals on which a row lies, by number, to `slots`; how many, -1 when it cannot take part.
  template <class Slots> [[nodiscard]] std::int64_t slots_of(std::int64_t row, Slots& slots) const {
    const std::int64_t length = offset(row + 1) - offset(row);
    if (length > summation::canonical.short_limit) return -1;
    auto from = usual_.begin();
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t diagonal = a_.columns[static_cast<std::size_t>(offset(row) + k)] - row;
      while (from != usual_.end() && *from < diagonal) ++from;
      if (from == usual_.end() || *from != diagonal) return -1;
      slots[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(from - usual_.begin());
      ++from;
    }
    return length;
  }

  const csr_view<Value, Index>& a_;
  const std::vector<std::int64_t>& usual_;
};

/// The shapes that one thread has met. Most slices are like the one before them, most others like what followed a slice
/// of that shape the last time; only the rest have their diagonals listed.
template <class Value, class Index> class shape_finder {
 public:
  shape_finder(const csr_view<Value, Index>& a, const std::vector<std::int64_t>& usual) : reader_(a, usual) {}

  /// The number of a slice's shape, -1 without one.
  std::int32_t next(std::int64_t slice) {
    if (last_ < 0 || !reader_.is_like(slice, last_slice_)) {
      const std::int32_t before = last_;
      const std::int32_t guess = before >= 0 ? of(before).follower : -1;
      last_ = guess >= 0 && reader_.is_like(slice, of(guess).example) ? guess : look_up(slice);
      if (before >= 0) of(before).follower = last_;
    }
    last_slice_ = slice;
    if (last_ >= 0) ++of(last_).count;
    return last_;
  }

  [[nodiscard]] const std::map<slice_shape, std::int32_t>& numbers() const { return numbers_; }
  [[nodiscard]] std::int64_t count(std::int32_t number) const { return known_[static_cast<std::size_t>(number)].count; }

 private:
  struct known_shape {
    std::int64_t example = 0;  ///< a slice
    std::int64_t count = 0;
    std::int32_t follower = -1;
  };

  known_shape& of(std::int32_t number) { return known_[static_cast<std::size_t>(number)]; }

  std::int32_t look_up(std::int64_t slice) {
    auto shape = reader_.shape_of(slice);
    if (!shape) return -1;
    const auto known = numbers_.find(*shape);
    if (known != numbers_.end()) return known->second;
    if (numbers_.size() == 4 * most_patterns) return -1;
    const auto number = static_cast<std::int32_t>(known_.size());
    numbers_.emplace(std::move(*shape), number);
    known_.push_back({slice, 0, -1});
    return number;
  }

  slice_reader<Value, Index> reader_;
  std::map<slice_shape, std::int32_t> numbers_;
  std::vector<known_shape> known_;
  std::int32_t last_ = -1;
  std::int64_t last_slice_ = 0;
};

}  // namespace

template <class Value, class Index>
slice_patterns find_patterns(const csr_view<Value, Index>& a, std::int64_t first_slice, std::int64_t last_slice,
                             std::int64_t fewest) {
  const std::int64_t slices = last_slice - first_slice;
  slice_patterns result;
  result.of_slice = buffer<std::int32_t>(slices);
  constexpr std::int64_t height = stencil_rows<Value>::height;
  const auto usual = usual_diagonals(a, first_slice * height, last_slice * height);
  if (usual.empty()) {  // no diagonal repeats, so no slice has a pattern
    std::fill(result.of_slice.begin(), result.of_slice.end(), -1);
    return result;
  }
  std::vector<shape_finder<Value, Index>> parts(static_cast<std::size_t>(threads_for(slices * height)),
                                                shape_finder<Value, Index>(a, usual));
  const int threads = static_cast<int>(parts.size());
  on_threads(threads, [&](int t, int) {
    const std::int64_t end = even_cut(slices, t + 1, threads);
    for (std::int64_t k = even_cut(slices, t, threads); k < end; ++k)
      result.of_slice[k] = parts[static_cast<std::size_t>(t)].next(first_slice + k);
  });
  std::map<slice_shape, std::int64_t> count;
  for (const auto& part : parts)
    for (const auto& [shape, local] : part.numbers()) count[shape] += part.count(local);
  std::vector<std::pair<std::int64_t, const slice_shape*>> often;
  for (const auto& [shape, slices_of_it] : count)
    if (slices_of_it >= fewest) often.emplace_back(slices_of_it, &shape);
  std::stable_sort(often.begin(), often.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  if (often.size() > most_patterns) often.resize(most_patterns);
  std::map<slice_shape, std::int32_t> number;
  for (const auto& [slices_of_it, of] : often) {
    const slice_shape& shape = *of;
    number.emplace(shape, static_cast<std::int32_t>(result.patterns.size()));
    const auto all = static_cast<std::uint16_t>((1u << height) - 1);
    result.patterns.push_back({static_cast<std::int32_t>(result.diagonals.size()),
                               static_cast<std::int32_t>(shape.diagonals.size()), shape.rows,
                               shape.rows == all && std::all_of(shape.masks.begin(), shape.masks.end(),
                                                                [&](std::uint16_t mask) { return mask == all; })});
    result.diagonals.insert(result.diagonals.end(), shape.diagonals.begin(), shape.diagonals.end());
    result.masks.insert(result.masks.end(), shape.masks.begin(), shape.masks.end());
  }
  on_threads(threads, [&](int t, int) {
    const auto& local_numbers = parts[static_cast<std::size_t>(t)].numbers();
    std::vector<std::int32_t> final_number(local_numbers.size(), -1);
    for (const auto& [shape, local] : local_numbers)
      if (const auto known = number.find(shape); known != number.end())
        final_number[static_cast<std::size_t>(local)] = known->second;
    const std::int64_t end = even_cut(slices, t + 1, threads);
    for (std::int64_t k = even_cut(slices, t, threads); k < end; ++k)
      if (result.of_slice[k] >= 0) result.of_slice[k] = final_number[static_cast<std::size_t>(result.of_slice[k])];
  });
  return result;
}

#define LACIS_PATTERNS(Value, Index) \
  template slice_patterns find_patterns(const csr_view<Value, Index>&, std::int64_t, std::int64_t, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_PATTERNS)

}  // namespace lacis::detail
