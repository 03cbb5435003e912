// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/galerkin.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "solve/multigrid/far_rows.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

namespace {

/// Asks for rows of P that entries of A after entry k refer to.
template <class S, class Index>
void ask_for_rows(const csr_view<S, Index>& a, std::int64_t k, const csr_view<S, Index>& p) {
  detail::ask_for(p.row_offsets.data() + row_after(a, k, 2 * ahead));
  const std::int64_t first = p.row_offsets[row_after(a, k, ahead)];
  detail::ask_for(p.columns.data() + first);
  detail::ask_for(p.values.data.data() + first);
}

/// The rows of A P, in no order: the product with R puts its rows in order.
template <class S, class Index> class rows_of_product {
 public:
  rows_of_product(const csr_view<S, Index>& a, const csr_view<S, Index>& p)
      : rows_(a.rows), pages_(static_cast<std::size_t>(detail::threads_for_work(a.rows + a.nnz()))) {
    const bool asks = is_far_apart(a, p);
    const detail::stop_check stop;
    detail::on_threads(static_cast<int>(pages_.size()), [&](int t, int count) {
      const summation::rounding_guard guard;
      row_sums<S, Index> sums(p.cols);
      row_pages<S, Index> mine(a.nnz() / count);
      const std::int64_t end = detail::balanced_cut(a.row_offsets, t + 1, count);
      for (auto i = detail::balanced_cut(a.row_offsets, t, count); i < end; ++i) {
        stop.at(i);
        for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
             ++k) {
          if (asks) ask_for_rows(a, k, p);
          const auto j = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
          const S value = a.values.data[static_cast<std::size_t>(k)];
          for (auto e = p.row_offsets[j]; e < p.row_offsets[j + 1]; ++e)
            sums.add(p.columns[static_cast<std::size_t>(e)],
                     summation::multiply(value, p.values.data[static_cast<std::size_t>(e)]));
        }
        const std::span<entry<S, Index>> row = mine.room(sums.count());
        sums.write(row.data());
        mine.keep(static_cast<std::int64_t>(row.size()));
        rows_[i] = row;
      }
      pages_[static_cast<std::size_t>(t)] = std::move(mine);
    });
  }

  /// Adds up row i of R (A P). Where nothing is interpolated from it, it has a one on the diagonal.
  template <class Sums> void add_row(const csr_view<S, Index>& r, Sums& sums, std::int64_t i) const {
    bool is_empty = true;
    for (auto k = r.row_offsets[static_cast<std::size_t>(i)]; k < r.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      detail::ask_for(rows_.data() + row_after(r, k, 2 * ahead));
      const auto soon = std::as_bytes(rows_[static_cast<std::int64_t>(row_after(r, k, ahead))]);
      detail::ask_for(soon.data());
      detail::ask_for(soon.data() + soon.size());
      const S value = r.values.data[static_cast<std::size_t>(k)];
      const auto row = rows_[r.columns[static_cast<std::size_t>(k)]];
      for (const entry<S, Index>& one : row) sums.add(one.column, summation::multiply(value, one.value));
      is_empty = is_empty && row.empty();
    }
    if (is_empty) sums.add(static_cast<Index>(i), S(1));
  }

 private:
  buffer<std::span<const entry<S, Index>>> rows_;
  std::vector<row_pages<S, Index>> pages_;  ///< per thread
};

}  // namespace

template <class S, class Index>
csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                      const csr_view<S, Index>& p, const csr_matrix<S, Index>* plain) {
  const rows_of_product<S, Index> products(a, p);
  return collect_rows<S, Index>(r.rows, p.cols, r.row_offsets, [&](row_sums<S, Index>& sums, std::int64_t i) {
    products.add_row(r, sums, i);
    if (plain == nullptr) return;
    for (auto k = plain->row_offsets[i]; k < plain->row_offsets[i + 1]; ++k)
      sums.add(plain->columns[k], plain->values.data[k]);
  });
}

template <class S, class Index>
void galerkin_refill(const csr_view<S, Index>& r, const csr_view<S, Index>& a, const csr_view<S, Index>& p,
                     csr_matrix<S, Index>& coarse) {
  const rows_of_product<S, Index> products(a, p);
  refill_rows(coarse, r.row_offsets, [&](known_sums<S, Index>& sums, std::int64_t i) { products.add_row(r, sums, i); });
}

template <class S, class Index> void add_to(csr_matrix<S, Index>& coarse, const csr_matrix<S, Index>& plain) {
  detail::parallel_rows(coarse.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t i = begin; i < end; ++i) {
      auto to = coarse.row_offsets[i];
      for (auto k = plain.row_offsets[i]; k < plain.row_offsets[i + 1]; ++k) {
        while (coarse.columns[to] != plain.columns[k]) ++to;
        coarse.values.data[to] = summation::add(coarse.values.data[to], plain.values.data[k]);
      }
    }
  });
}

#define LACIS_INSTANTIATE(S, Index)                                                                              \
  template csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>&, const csr_view<S, Index>&,           \
                                                 const csr_view<S, Index>&, const csr_matrix<S, Index>*);        \
  template void galerkin_refill(const csr_view<S, Index>&, const csr_view<S, Index>&, const csr_view<S, Index>&, \
                                csr_matrix<S, Index>&);                                                          \
  template void add_to(csr_matrix<S, Index>&, const csr_matrix<S, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
