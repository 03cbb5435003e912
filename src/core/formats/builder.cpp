// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The builder: entries kept in chunks by inserter, then gathered into rows.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include <lacis/builder.hpp>
#include <lacis/coo.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "formats/order_rows.hpp"
#include "formats/rows.hpp"

namespace lacis {
namespace {

template <value Value, index Index> struct placed_value {
  Index row;
  Index column;
  Value value;
};

/// The bits of a value as numbers that compare: those of the real part first.
template <value Value> auto bit_pattern(Value value) {
  using real = real_of<Value>;
  using bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<std::array<bits, sizeof(Value) / sizeof(real)>>(value);
}

/// Puts the values of each place in ascending order of their bits; rows are sorted.
template <value Value, index Index> void order_duplicates(csr_matrix<Value, Index>& a) {
  detail::parallel_each_row(a.row_offsets, [&](std::int64_t i) {
    Value* values = a.values.data.data();
    const std::int64_t last = a.row_offsets[i + 1];
    for (std::int64_t begin = a.row_offsets[i]; begin < last;) {
      std::int64_t end = begin + 1;
      while (end < last && a.columns[end] == a.columns[begin]) ++end;
      if (end - begin > 1)
        std::sort(values + begin, values + end, [](Value x, Value y) { return bit_pattern(x) < bit_pattern(y); });
      begin = end;
    }
  });
}

}  // namespace

/// The entries of one inserter, in chunks that grow and never move. On cache lines of its own, because each segment is
/// written by another thread.
template <value Value, index Index> struct alignas(64) builder<Value, Index>::segment {
  static constexpr std::int64_t first_chunk = 1 << 8;
  static constexpr std::int64_t largest_chunk = 1 << 20;

  std::int64_t rows;
  std::int64_t cols;
  std::vector<buffer<placed_value<Value, Index>>> chunks;
  std::int64_t in_last = 0;  ///< entries of the last chunk; the others are full

  void put(std::int64_t row, std::int64_t col, Value value) {
    if (chunks.empty() || in_last == chunks.back().size()) {
      chunks.emplace_back(chunks.empty() ? first_chunk : std::min(2 * chunks.back().size(), largest_chunk));
      in_last = 0;
    }
    chunks.back()[in_last++] = {static_cast<Index>(row), static_cast<Index>(col), value};
  }

  [[nodiscard]] std::int64_t entries_in(std::size_t chunk) const {
    return chunk + 1 == chunks.size() ? in_last : chunks[chunk].size();
  }
};

template <value Value, index Index> struct builder<Value, Index>::state {
  std::int64_t rows;
  std::int64_t cols;
  assembly rule;
  std::mutex mutex;
  std::vector<std::unique_ptr<segment>> segments;  ///< in the order in which their inserters were made

  /// Every entry, segment by segment in their order; the segments are gone afterwards.
  coo_matrix<Value, Index> take() {
    struct stretch {
      const placed_value<Value, Index>* from;
      std::int64_t size;
      std::int64_t to;
    };
    std::vector<stretch> stretches;
    std::int64_t total = 0;
    for (const auto& s : segments)
      for (std::size_t c = 0; c < s->chunks.size(); ++c) {
        stretches.push_back({s->chunks[c].data(), s->entries_in(c), total});
        total += s->entries_in(c);
      }
    coo_matrix<Value, Index> all{.rows = rows,
                                 .cols = cols,
                                 .row_indices = buffer<Index>(total),
                                 .columns = buffer<Index>(total),
                                 .values = values_array<Value>(total)};
    detail::parallel_ranges(total, [&](std::int64_t begin, std::int64_t end) {
      auto next = std::upper_bound(stretches.begin(), stretches.end(), begin,
                                   [](std::int64_t k, const stretch& s) { return k < s.to; });
      for (auto s = next - 1; s != stretches.end() && s->to < end; ++s)
        for (std::int64_t k = std::max(begin, s->to); k < std::min(end, s->to + s->size); ++k) {
          const auto& entry = s->from[k - s->to];
          all.row_indices[k] = entry.row;
          all.columns[k] = entry.column;
          all.values.data[k] = entry.value;
        }
    });
    segments.clear();
    return all;
  }
};

template <value Value, index Index>
builder<Value, Index>::builder(std::int64_t rows, std::int64_t cols, assembly rule) {
  detail::require_index<Index>(rows, "rows");
  detail::require_index<Index>(cols, "columns");
  state_ = std::make_unique<state>();
  state_->rows = rows;
  state_->cols = cols;
  state_->rule = rule;
}

template <value Value, index Index> builder<Value, Index>::~builder() = default;
template <value Value, index Index> builder<Value, Index>::builder(builder&&) noexcept = default;
template <value Value, index Index>
builder<Value, Index>& builder<Value, Index>::operator=(builder&&) noexcept = default;

template <value Value, index Index>
void builder<Value, Index>::inserter_handle::operator()(std::int64_t row, std::int64_t col, Value value) {
  if (row < 0 || row >= target_->rows || col < 0 || col >= target_->cols)
    throw error(errc::invalid_argument,
                detail::text("the place (", row, ", ", col, ") lies outside the ", target_->rows, " x ", target_->cols,
                             " matrix; indices count from 0"));
  target_->put(row, col, value);
}

template <value Value, index Index> typename builder<Value, Index>::inserter_handle builder<Value, Index>::inserter() {
  auto made = std::make_unique<segment>();
  made->rows = state_->rows;
  made->cols = state_->cols;
  const std::scoped_lock lock(state_->mutex);
  state_->segments.push_back(std::move(made));
  return inserter_handle(*state_->segments.back());
}

template <value Value, index Index> std::int64_t builder<Value, Index>::size() const {
  const std::scoped_lock lock(state_->mutex);
  std::int64_t total = 0;
  for (const auto& s : state_->segments)
    for (std::size_t c = 0; c < s->chunks.size(); ++c) total += s->entries_in(c);
  return total;
}

template <value Value, index Index> csr_matrix<Value, Index> builder<Value, Index>::build() {
  const auto entries = state_->take();
  csr_matrix<Value, Index> result = detail::gather_rows(entries.view());
  if (state_->rule == assembly::insert) {
    detail::make_canonical(result, duplicates::keep_last);
    return result;
  }
  detail::sort_in_place(result);
  order_duplicates(result);
  detail::make_canonical(result, duplicates::sum);
  return result;
}

#define LACIS_BUILDER(Value, Index) template class LACIS_API builder<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_BUILDER)

}  // namespace lacis
