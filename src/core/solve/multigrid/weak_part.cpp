// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/weak_part.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

template <class S, class Index, class Name>
buffer<std::uint8_t> rows_that_part(const csr_view<S, Index>& a, std::int64_t first,
                                    std::span<const std::uint8_t> marks, std::span<const Name> of) {
  using real = real_of<S>;
  constexpr auto least = static_cast<real>(0.875);
  constexpr auto most_within = static_cast<real>(0.25);
  constexpr auto rounding = static_cast<real>(1e-4);  // of sums that cancel, even in single precision
  buffer<std::uint8_t> may(a.rows);
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t i = begin; i < end; ++i) {
      real diagonal = 0;
      real taken = 0;
      real within = 0;
      real rest = 0;
      const Name mine = of[static_cast<std::size_t>(first + i)];
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
           ++k) {
        const real value = std::real(a.values[k]);
        const Index j = a.columns[static_cast<std::size_t>(k)];
        const bool is_diagonal = j == first + i;
        const bool is_taken = !is_diagonal & (marks[static_cast<std::size_t>(k)] != strong_mark) & (value < 0);
        diagonal += is_diagonal ? value : real(0);
        taken -= is_taken ? value : real(0);
        within -= (is_taken & (of[static_cast<std::size_t>(j)] == mine)) ? value : real(0);
        rest += (is_diagonal | is_taken) ? real(0) : std::abs(a.values[k]);
      }
      may[i] = diagonal - taken >= least * rest - rounding * diagonal && within <= most_within * taken ? 1 : 0;
    }
  });
  return may;
}

template <class S, class Index>
weak_counts mark_apart(const csr_view<S, Index>& a, std::int64_t first, std::span<const std::uint8_t> may,
                       std::span<std::uint8_t> marks) {
  std::atomic<std::int64_t> all_apart = 0;
  std::atomic<std::int64_t> all_others = 0;
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    // Copies: a mark is a byte, and a byte that is written might be one of what is captured.
    const csr_view<S, Index> rows = a;
    const std::uint8_t* const parts = may.data();
    std::uint8_t* const mark_of = marks.data();
    const std::int64_t shift = first;
    std::int64_t apart = 0;
    std::int64_t weak = 0;
    for (std::int64_t i = begin; i < end; ++i)
      for (auto k = rows.row_offsets[static_cast<std::size_t>(i)];
           k < rows.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
        const Index j = rows.columns[static_cast<std::size_t>(k)];
        const bool is_weak = (j != shift + i) & (mark_of[k] != strong_mark);
        const bool is_apart =
            is_weak & (std::real(rows.values[k]) < 0) & ((parts[shift + i] & parts[static_cast<std::size_t>(j)]) != 0);
        mark_of[k] = is_apart ? apart_mark : mark_of[k];
        apart += is_apart ? 1 : 0;
        weak += is_weak ? 1 : 0;
      }
    all_apart += apart;
    all_others += weak - apart;
  });
  return {all_apart, all_others};
}

bool is_worth_parting(const weak_counts& found, std::int64_t entries) {
  constexpr double least = 1.0 / 32;
  const auto apart = static_cast<double>(found.apart);
  const double of_entries = apart / static_cast<double>(entries);
  const double of_weak = apart / static_cast<double>(std::max<std::int64_t>(found.apart + found.others, 1));
  return of_entries * of_weak * of_weak >= least;
}

template <class S, class Index>
csr_matrix<S, Index> rest_of(const csr_view<S, Index>& a, std::int64_t first, std::span<const std::uint8_t> marks) {
  csr_matrix<S, Index> rest{a.rows, a.cols, buffer<std::int64_t>(a.rows + 1), {}, {}};
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t count = 0;
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k)
        count += marks[static_cast<std::size_t>(k)] != apart_mark ? 1 : 0;
      rest.row_offsets[i] = count;
    }
  });
  const std::int64_t entries = detail::counts_to_offsets(rest.row_offsets);
  rest.columns = buffer<Index>(entries);
  rest.values = values_array<S>(entries);
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    Index* const columns = rest.columns.data();
    S* const values = rest.values.data.data();
    std::int64_t to = rest.row_offsets[begin];
    for (std::int64_t i = begin; i < end; ++i) {
      S sum{};
      bool has_weak = false;
      std::int64_t diagonal = -1;
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
           ++k) {
        const S value = a.values[k];
        if (marks[static_cast<std::size_t>(k)] == apart_mark) {
          sum = summation::add(sum, value);
          has_weak = true;
          continue;
        }
        if (a.columns[static_cast<std::size_t>(k)] == first + i) diagonal = to;
        columns[to] = a.columns[static_cast<std::size_t>(k)];
        values[to++] = value;
      }
      if (has_weak) values[diagonal] = summation::add(values[diagonal], sum);
    }
  });
  return rest;
}

template <class S, class Index>
csr_matrix<S, Index> plain_product(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                   std::span<const std::uint8_t> marks, std::span<const Index> of) {
  return collect_rows<S, Index>(r.rows, r.rows, r.row_offsets, [&](row_sums<S, Index>& sums, std::int64_t aggregate) {
    for (auto k = r.row_offsets[static_cast<std::size_t>(aggregate)];
         k < r.row_offsets[static_cast<std::size_t>(aggregate + 1)]; ++k) {
      const std::int64_t i = r.columns[static_cast<std::size_t>(k)];
      if (of[static_cast<std::size_t>(i)] != aggregate) continue;
      each_weak_entry(a, 0, marks, i, [&](Index column, S value) {
        const Index to = of[static_cast<std::size_t>(column)];
        if (to >= 0) sums.add(to, value);
      });
    }
  });
}

#define LACIS_INSTANTIATE(S, Index)                                                                                    \
  template buffer<std::uint8_t> rows_that_part(const csr_view<S, Index>&, std::int64_t, std::span<const std::uint8_t>, \
                                               std::span<const Index>);                                                \
  template weak_counts mark_apart(const csr_view<S, Index>&, std::int64_t, std::span<const std::uint8_t>,              \
                                  std::span<std::uint8_t>);                                                            \
  template csr_matrix<S, Index> rest_of(const csr_view<S, Index>&, std::int64_t, std::span<const std::uint8_t>);       \
  template csr_matrix<S, Index> plain_product(const csr_view<S, Index>&, const csr_view<S, Index>&,                    \
                                              std::span<const std::uint8_t>, std::span<const Index>);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
// Of some rows on a rank: columns are numbered there, aggregates as a whole.
#define LACIS_INSTANTIATE_ON_RANKS(S)                                                          \
  template buffer<std::uint8_t> rows_that_part(const csr_view<S, std::int32_t>&, std::int64_t, \
                                               std::span<const std::uint8_t>, std::span<const std::int64_t>);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_ON_RANKS)

}  // namespace lacis::multigrid
