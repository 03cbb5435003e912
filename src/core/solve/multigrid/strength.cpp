// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/strength.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/partners.hpp"
#include "formats/rows.hpp"
#include "solve/multigrid/weak_part.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis::multigrid {

template <class S, class Index> buffer<real_of<S>> roots_of_largest(const csr_view<S, Index>& a, std::int64_t first) {
  using real = real_of<S>;
  buffer<real> roots(a.rows);
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t i = begin; i < end; ++i) {
      real largest = 0;
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k)
        if (a.columns[static_cast<std::size_t>(k)] != first + i) largest = std::max(largest, std::abs(a.values[k]));
      roots[i] = std::sqrt(largest);
    }
  });
  return roots;
}

template <class S, class Index>
connections<Index> strong_connections(const csr_view<S, Index>& a, std::int64_t first,
                                      std::span<const real_of<S>> roots, double strength,
                                      std::span<std::uint8_t> marks) {
  using real = real_of<S>;
  const auto theta = static_cast<real>(strength);
  connections<Index> strong{a.row_offsets, buffer<Index>(a.rows), buffer<Index>(a.nnz())};
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    // Copies: a mark is a byte, and a byte that is written might be one of what is captured.
    const csr_view<S, Index> rows = a;
    const std::span<const real> root_of = roots;
    std::uint8_t* const mark_of = marks.data();
    Index* const columns = strong.columns.data();
    const real least = theta;
    const std::int64_t shift = first;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto begin_of_row = rows.row_offsets[static_cast<std::size_t>(i)];
      const auto end_of_row = rows.row_offsets[static_cast<std::size_t>(i + 1)];
      const real mine = root_of[static_cast<std::size_t>(shift + i)];
      auto to = begin_of_row;
      for (auto k = begin_of_row; k < end_of_row; ++k) {
        const Index j = rows.columns[static_cast<std::size_t>(k)];
        const real size = std::abs(rows.values[k]);
        const bool is_strong = (j != shift + i) & (size > least * (mine * root_of[static_cast<std::size_t>(j)]));
        mark_of[k] = is_strong ? strong_mark : weak_mark;
        columns[to] = j;
        to += is_strong ? 1 : 0;
      }
      strong.count[i] = static_cast<Index>(to - begin_of_row);
    }
  });
  strong.magnitudes = [a](std::int64_t i, std::span<const Index> some, float* to) {
    auto k = a.row_offsets[static_cast<std::size_t>(i)];
    for (const Index column : some) {
      while (a.columns[static_cast<std::size_t>(k)] != column) ++k;
      *to++ = static_cast<float>(std::abs(a.values[k]));
    }
  };
  return strong;
}

template <class S, class Index>
csr_matrix<real_of<S>, Index> norms_of_blocks(const csr_view<S, Index>& a, int block, int columns_per_node) {
  using real = real_of<S>;
  const std::int64_t nodes = a.rows / block;
  csr_matrix<real, Index> norms{nodes, a.cols / columns_per_node, buffer<std::int64_t>(nodes + 1), {}, {}};
  // Twice the same loop: for the number of blocks of each node, then for their columns and norms.
  const auto each_node = [&](auto&& done) {
    detail::parallel_ranges(nodes, [&](std::int64_t begin, std::int64_t end) {
      const summation::rounding_guard guard;
      std::vector<Index> columns;
      std::vector<real> squares;
      std::vector<std::int64_t> place(static_cast<std::size_t>(norms.cols), -1);
      for (std::int64_t node = begin; node < end; ++node) {
        columns.clear();
        squares.clear();
        const auto first = a.row_offsets[static_cast<std::size_t>(node * block)];
        const auto last = a.row_offsets[static_cast<std::size_t>((node + 1) * block)];
        for (auto k = first; k < last; ++k) {
          const auto to = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)] / columns_per_node);
          const real size = std::abs(a.values[k]);
          const auto known = place[to];
          if (known >= 0 && known < static_cast<std::int64_t>(columns.size()) &&
              columns[static_cast<std::size_t>(known)] == static_cast<Index>(to)) {
            squares[static_cast<std::size_t>(known)] += size * size;
          } else {
            place[to] = static_cast<std::int64_t>(columns.size());
            columns.push_back(static_cast<Index>(to));
            squares.push_back(size * size);
          }
        }
        done(node, columns, squares);
      }
    });
  };
  each_node([&](std::int64_t node, const std::vector<Index>& columns, const std::vector<real>&) {
    norms.row_offsets[node] = static_cast<std::int64_t>(columns.size());
  });
  const std::int64_t entries = detail::counts_to_offsets(norms.row_offsets);
  norms.columns = buffer<Index>(entries);
  norms.values = values_array<real>(entries);
  each_node([&](std::int64_t node, const std::vector<Index>& columns, const std::vector<real>& squares) {
    // In no order: whoever reads them needs none.
    for (std::size_t e = 0; e < columns.size(); ++e) {
      norms.columns[norms.row_offsets[node] + static_cast<std::int64_t>(e)] = columns[e];
      norms.values.data[norms.row_offsets[node] + static_cast<std::int64_t>(e)] = std::sqrt(squares[e]);
    }
  });
  return norms;
}

template <class S, class Index> csr_matrix<real_of<S>, Index> symmetric_magnitudes(const csr_view<S, Index>& a) {
  using real = real_of<S>;
  csr_matrix<real, Index> sizes{a.rows, a.cols, detail::parallel_copy_of(a.row_offsets),
                                detail::parallel_copy_of(a.columns), values_array<real>(a.nnz())};
  // Where each entry has its partner the pattern is already that of the sum.
  std::atomic<bool> has_partners = true;
  detail::parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    detail::partner_search<S, Index> partners(a);
    for (std::int64_t i = begin; i < end && has_partners; ++i)
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
           ++k) {
        const std::int64_t other = partners.find(i, a.columns[static_cast<std::size_t>(k)]);
        if (other < 0) {
          has_partners = false;
          break;
        }
        sizes.values.data[k] = std::abs(a.values[k]) + std::abs(a.values[other]);
      }
  });
  if (has_partners) return sizes;
  summation::parallel_for(a.nnz(), [&](std::int64_t k) { sizes.values.data[k] = std::abs(a.values[k]); });
  return add(sizes, transpose(sizes));
}

#define LACIS_INSTANTIATE(S, Index)                                                                                    \
  template connections<Index> strong_connections(const csr_view<S, Index>&, std::int64_t, std::span<const real_of<S>>, \
                                                 double, std::span<std::uint8_t>);                                     \
  template buffer<real_of<S>> roots_of_largest(const csr_view<S, Index>&, std::int64_t);                               \
  template csr_matrix<real_of<S>, Index> norms_of_blocks(const csr_view<S, Index>&, int, int);                         \
  template csr_matrix<real_of<S>, Index> symmetric_magnitudes(const csr_view<S, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
