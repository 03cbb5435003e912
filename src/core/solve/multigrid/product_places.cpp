// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/product_places.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/instantiate.hpp"
#include "base/pieces.hpp"
#include "solve/multigrid/far_rows.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// Products that are taken at once.
constexpr std::int64_t by = 4;
/// Entries of a row, and places behind them for what is not read: several, since an addition has to wait for the one
/// before it at the same place.
constexpr std::int64_t most_entries = 240;
constexpr std::int64_t all_places = 256;

/// One place after the other of those that are not read.
class spare_places {
 public:
  std::uint8_t next() {
    next_ = next_ + 1 < all_places ? next_ + 1 : most_entries;
    return static_cast<std::uint8_t>(next_);
  }

 private:
  std::int64_t next_ = most_entries;
};

[[nodiscard]] std::int64_t rounded_up(std::int64_t count) { return (count + by - 1) / by * by; }

[[nodiscard]] std::int64_t work_of(std::span<const std::int64_t> offsets) {
  return static_cast<std::int64_t>(offsets.size()) - 1 + offsets.back();
}

/// sums[place] takes in factor times each of four numbers. An array of the products would be guarded against overflows.
template <class S>
[[gnu::always_inline]] inline void add_four(S factor, const S* from, const std::uint8_t* places, S* sums) {
  static_assert(by == 4);
  const S first = summation::multiply(factor, from[0]);
  const S second = summation::multiply(factor, from[1]);
  const S third = summation::multiply(factor, from[2]);
  const S fourth = summation::multiply(factor, from[3]);
  const auto add = [&](std::size_t place, S product) { sums[place] = summation::add(sums[place], product); };
  add(places[0], first);
  add(places[1], second);
  add(places[2], third);
  add(places[3], fourth);
}

}  // namespace

template <class Index>
auto product_places<Index>::parts_of(std::span<const std::int64_t> offsets) -> std::vector<part> {
  constexpr std::int64_t work_of_part = 1 << 15;
  constexpr std::int64_t most = 1024;
  const auto count = static_cast<int>(std::clamp<std::int64_t>(work_of(offsets) / work_of_part, 1, most));
  std::vector<part> all(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    all[static_cast<std::size_t>(k)].begin = detail::balanced_cut(offsets, k, count);
    all[static_cast<std::size_t>(k)].end = detail::balanced_cut(offsets, k + 1, count);
  }
  return all;
}

template <class Index>
product_places<Index>::product_places(const row_pattern<Index>& r, const row_pattern<Index>& a,
                                      const row_pattern<Index>& p, const row_pattern<Index>& coarse)
    : first_(a.rows() + 1), of_product_(parts_of(a.offsets)), of_result_(parts_of(r.offsets)) {
  fit_ = static_cast<std::int64_t>(p.columns.size()) >= by;
  if (!fit_) return;
  std::atomic<bool> all_fit = true;
  std::vector<std::vector<Index>> columns(of_product_.size());
  detail::parallel_piece_ranges(static_cast<std::int64_t>(of_product_.size()), work_of(a.offsets),
                                [&](std::int64_t begin, std::int64_t end) {
                                  buffer<std::int64_t> marks(p.cols, -1);
                                  for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
                                    if (!find_in_rows_of_product(of_product_[k], a, p, marks, columns[k]))
                                      all_fit = false;
                                });
  fit_ = all_fit;
  if (!fit_) return;
  buffer<Index> all_columns(detail::counts_to_offsets(first_));
  detail::parallel_pieces(static_cast<std::int64_t>(of_product_.size()), work_of(a.offsets), [&](std::int64_t k) {
    const std::vector<Index>& some = columns[static_cast<std::size_t>(k)];
    std::copy(some.begin(), some.end(), all_columns.data() + first_[of_product_[static_cast<std::size_t>(k)].begin]);
  });
  detail::parallel_piece_ranges(static_cast<std::int64_t>(of_result_.size()), work_of(r.offsets),
                                [&](std::int64_t begin, std::int64_t end) {
                                  buffer<std::uint8_t> place_of(coarse.cols);
                                  for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
                                    if (!find_in_rows_of_result(of_result_[k], r, coarse, all_columns, place_of))
                                      all_fit = false;
                                });
  fit_ = all_fit;
}

template <class Index>
bool product_places<Index>::find_in_rows_of_product(part& here, const row_pattern<Index>& a,
                                                    const row_pattern<Index>& p, buffer<std::int64_t>& marks,
                                                    std::vector<Index>& columns) {
  constexpr int bits = 8;  // of a mark: the place of its column; above them: the row
  std::int64_t size = 0;
  for (std::int64_t i = here.begin; i < here.end; ++i)
    for (const Index j : a.row(i)) size += rounded_up(static_cast<std::int64_t>(p.row(j).size()));
  here.places = buffer<std::uint8_t>(size);
  const std::int64_t last = static_cast<std::int64_t>(p.columns.size()) - by;
  std::uint8_t* to = here.places.data();
  spare_places spare;
  for (std::int64_t i = here.begin; i < here.end; ++i) {
    std::int64_t count = 0;
    for (const Index j : a.row(i)) {
      const std::int64_t behind = p.offsets[static_cast<std::size_t>(j) + 1];
      for (std::int64_t first = p.offsets[static_cast<std::size_t>(j)]; first < behind; first += by) {
        // At the end of P the four begin earlier.
        for (std::int64_t e = std::min(first, last); e < std::min(first, last) + by; ++e) {
          if (e < first || e >= behind) {
            *to++ = spare.next();
            continue;
          }
          const Index column = p.columns[static_cast<std::size_t>(e)];
          std::int64_t& mark = marks[column];
          if (mark >> bits != i) {
            if (count == most_entries) return false;
            mark = i << bits | count++;
            columns.push_back(column);
          }
          *to++ = static_cast<std::uint8_t>(mark);
        }
      }
    }
    first_[i] = rounded_up(count);
    columns.insert(columns.end(), static_cast<std::size_t>(first_[i] - count), Index(-1));
  }
  return true;
}

template <class Index>
bool product_places<Index>::find_in_rows_of_result(part& here, const row_pattern<Index>& r,
                                                   const row_pattern<Index>& coarse, std::span<const Index> columns,
                                                   buffer<std::uint8_t>& place_of) const {
  std::int64_t size = 0;
  for (std::int64_t i = here.begin; i < here.end; ++i)
    for (const Index j : r.row(i)) size += first_[j + 1] - first_[j];
  here.places = buffer<std::uint8_t>(size);
  std::uint8_t* to = here.places.data();
  spare_places spare;
  for (std::int64_t i = here.begin; i < here.end; ++i) {
    const std::span<const Index> row = coarse.row(i);
    if (static_cast<std::int64_t>(row.size()) > most_entries) return false;
    for (std::size_t e = 0; e < row.size(); ++e) place_of[row[e]] = static_cast<std::uint8_t>(e);
    bool is_empty = true;
    for (const Index j : r.row(i))
      for (auto t = first_[j]; t < first_[j + 1]; ++t) {
        const Index column = columns[static_cast<std::size_t>(t)];
        is_empty = is_empty && column < 0;
        *to++ = column < 0 ? spare.next() : place_of[column];
      }
    if (is_empty) here.empty.push_back(i);
  }
  return true;
}

template <class Index>
template <class S>
void product_places<Index>::refill(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                   const csr_view<S, Index>& p, csr_matrix<S, Index>& coarse) const {
  buffer<S> product(first_[a.rows]);
  const bool asks = is_far_apart(a, p);
  detail::parallel_pieces(static_cast<std::int64_t>(of_product_.size()), work_of(a.row_offsets), [&](std::int64_t k) {
    const summation::rounding_guard guard;
    const part& here = of_product_[static_cast<std::size_t>(k)];
    if (asks)
      multiply_rows<true>(here, a, p, product.data());
    else
      multiply_rows<false>(here, a, p, product.data());
  });
  detail::parallel_pieces(static_cast<std::int64_t>(of_result_.size()), work_of(r.row_offsets), [&](std::int64_t k) {
    const summation::rounding_guard guard;
    add_rows(of_result_[static_cast<std::size_t>(k)], r, product.data(), coarse);
  });
}

template <class Index>
template <bool Asks, class S>
void product_places<Index>::multiply_rows(const part& here, const csr_view<S, Index>& a, const csr_view<S, Index>& p,
                                          S* product) const {
  // Copies, which stay in registers: what is written might otherwise be one of them.
  const std::int64_t* const offsets = a.row_offsets.data();
  const Index* const columns = a.columns.data();
  const S* const factors = a.values.data.data();
  const std::int64_t* const rows_of_p = p.row_offsets.data();
  const S* const values = p.values.data.data();
  const std::int64_t last = p.nnz() - by;
  const std::uint8_t* places = here.places.data();
  std::array<S, all_places> room{};
  S* const sums = room.data();
  for (std::int64_t i = here.begin; i < here.end; ++i) {
    const std::int64_t count = first_[i + 1] - first_[i];
    std::fill_n(sums, count, nothing<S>());
    const std::int64_t end = offsets[i + 1];
    for (std::int64_t k = offsets[i]; k < end; ++k) {
      if constexpr (Asks) {
        detail::ask_for(rows_of_p + row_after(a, k, 2 * ahead));
        detail::ask_for(values + rows_of_p[row_after(a, k, ahead)]);
      }
      const S factor = factors[k];
      const std::int64_t* const row = rows_of_p + columns[k];
      const std::int64_t behind = row[1];
      for (std::int64_t e = row[0]; e < behind; e += by, places += by)
        add_four(factor, values + std::min(e, last), places, sums);
    }
    std::copy_n(sums, count, product + first_[i]);
  }
}

template <class Index>
template <class S>
void product_places<Index>::add_rows(const part& here, const csr_view<S, Index>& r, const S* product,
                                     csr_matrix<S, Index>& coarse) const {
  const std::uint8_t* places = here.places.data();
  const std::int64_t* const rows = first_.data();
  std::array<S, all_places> room{};
  S* const sums = room.data();
  for (std::int64_t i = here.begin; i < here.end; ++i) {
    const std::int64_t first = coarse.row_offsets[i];
    const std::int64_t count = coarse.row_offsets[i + 1] - first;
    std::fill_n(sums, count, nothing<S>());
    for (auto k = r.row_offsets[static_cast<std::size_t>(i)]; k < r.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      detail::ask_for(rows + row_after(r, k, 2 * ahead));
      const auto soon = static_cast<std::int64_t>(row_after(r, k, ahead));
      detail::ask_for(product + rows[soon]);
      detail::ask_for(product + rows[soon + 1] - 1);
      const std::int64_t j = r.columns[static_cast<std::size_t>(k)];
      const S value = r.values.data[static_cast<std::size_t>(k)];
      const std::int64_t behind = rows[j + 1];
      for (std::int64_t t = rows[j]; t < behind; t += by, places += by) add_four(value, product + t, places, sums);
    }
    std::copy_n(sums, count, coarse.values.data.data() + first);
  }
  for (const std::int64_t row : here.empty) coarse.values.data[coarse.row_offsets[row]] = S(1);
}

template <class Index> std::int64_t product_places<Index>::storage_bytes() const {
  std::int64_t bytes = first_.size() * 8;
  for (const auto* parts : {&of_product_, &of_result_})
    for (const part& one : *parts) bytes += one.places.size();
  return bytes;
}

template class product_places<std::int32_t>;
template class product_places<std::int64_t>;
#define LACIS_INSTANTIATE(S, Index)                                                                 \
  template void product_places<Index>::refill(const csr_view<S, Index>&, const csr_view<S, Index>&, \
                                              const csr_view<S, Index>&, csr_matrix<S, Index>&) const;
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
