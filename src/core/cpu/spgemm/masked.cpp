// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A masked product on threads: pieces of rows by ticket, placed in order.
#include <algorithm>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/spgemm_masked.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/pieces.hpp"
#include "base/reserved_array.hpp"
#include "cpu/launch.hpp"
#include "cpu/spgemm/masked_rows.hpp"
#include "cpu/spgemm/pieces.hpp"
#include "formats/order_rows.hpp"

namespace lacis::cpu {
namespace {

/// Rows and products of a piece: many enough that taking it costs nothing, few enough that its entries stay in cache.
constexpr std::int64_t work_of_piece = std::int64_t{1} << 16;
constexpr std::int64_t most_pieces = std::int64_t{1} << 20;

template <class T, class Index> void require_operands(const masked_job<T, Index>& job) {
  const auto& [a, b, mask, side] = job;
  if (a.cols != b.rows)
    throw error(errc::invalid_argument, detail::text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
  if (mask.rows != a.rows || mask.cols != b.cols)
    throw error(errc::invalid_argument,
                detail::text("A B is ", a.rows, " x ", b.cols, ", but the mask is ", mask.rows, " x ", mask.cols));
  detail::require_canonical(a, "multiply_masked");
  detail::require_canonical(b, "multiply_masked");
  detail::require_canonical_pattern(mask, "multiply_masked");
}

/// Products of all rows before each one; rows that can have no entry have none.
template <class T, class Index> buffer<std::int64_t> count_products(const masked_job<T, Index>& job) {
  buffer<std::int64_t> work(job.a.rows + 1);
  const std::int64_t* offsets = job.b.row_offsets.data();
  const detail::stop_check stop;
  detail::parallel_rows(job.a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      stop.at(i);
      work[i] = 0;
      if (job.side == mask_side::stored && job.mask_row(i).empty()) continue;
      for (std::int64_t p = job.a.row_offsets.data()[i]; p < job.a.row_offsets.data()[i + 1]; ++p) {
        const std::int64_t k = job.a.columns.data()[p];
        work[i] += offsets[k + 1] - offsets[k];
      }
    }
  });
  detail::counts_to_offsets(work);
  return work;
}

template <class T, class Index> class masked_product {
 public:
  masked_product(const masked_job<T, Index>& job, const multiply_options& options) : job_(job) {
    require_operands(job);
    how_ = launch_of(options, 0);
    work_ = count_products(job);
    const std::int64_t all = job.a.rows + work_[job.a.rows];
    if (options.threads == 0) how_.threads = detail::threads_for(all);
    const auto pieces = static_cast<int>(std::min(all / work_of_piece + 1, most_pieces));
    for (int p = 0; p <= pieces; ++p) cuts_.push_back(detail::balanced_cut(work_, p, pieces));
    bounds_.resize(static_cast<std::size_t>(pieces));
    const detail::stop_check stop;
    detail::parallel_pieces(pieces, all, [&](std::int64_t p) {
      stop();
      const auto piece = static_cast<std::size_t>(p);
      for (std::int64_t i = cuts_[piece]; i < cuts_[piece + 1]; ++i)
        bounds_[piece] += job.bound(i, work_[i + 1] - work_[i]);
    });
  }

  csr_matrix<T, Index> compute() {
    std::int64_t bound = 0;
    for (const std::int64_t one : bounds_) bound = detail::checked_add(bound, one, "the entries of a masked product");
    detail::reserved_array<Index> columns(bound);
    detail::reserved_array<T> values(bound);
    buffer<std::int64_t> lengths(job_.a.rows + 1);
    spgemm_placement placement(bounds_.size());
    const detail::stop_check stop;
    run(how_, [&](int, int) {
      try {
        take_pieces(stop, placement, lengths.data(), columns.data(), values.data());
      } catch (...) {
        placement.fail();
        throw;
      }
    });
    detail::counts_to_offsets(lengths);
    return {.rows = job_.a.rows,
            .cols = job_.b.cols,
            .row_offsets = std::move(lengths),
            .columns = columns.finish(placement.entries()),
            .values = values_array<T>(values.finish(placement.entries()))};
  }

 private:
  /// What a thread does until no piece is left. A piece whose place is known is written there; another one waits in
  /// memory of its own for the pieces before it, which other threads are at.
  void take_pieces(const detail::stop_check& stop, spgemm_placement& placement, std::int64_t* lengths, Index* columns,
                   T* values) {
    masked_scratch<T, Index> scratch;
    buffer<Index> own_columns;
    buffer<T> own_values;
    while (const auto piece = placement.take()) {
      stop();
      if (const auto at = placement.place(*piece)) {
        placement.publish(*piece, rows(*piece, scratch, lengths, columns + *at, values + *at));
        continue;
      }
      if (own_columns.size() < bounds_[*piece]) {
        own_columns = buffer<Index>(bounds_[*piece]);
        own_values = buffer<T>(bounds_[*piece]);
      }
      const std::int64_t entries = rows(*piece, scratch, lengths, own_columns.data(), own_values.data());
      placement.publish(*piece, entries);
      const auto at = placement.wait(*piece);
      if (!at) return;
      std::copy_n(own_columns.data(), entries, columns + *at);
      std::copy_n(own_values.data(), entries, values + *at);
    }
  }

  std::int64_t rows(std::size_t piece, masked_scratch<T, Index>& scratch, std::int64_t* lengths, Index* columns,
                    T* values) const {
    std::int64_t entries = 0;
    for (std::int64_t i = cuts_[piece]; i < cuts_[piece + 1]; ++i) {
      const std::int64_t products = work_[i + 1] - work_[i];
      lengths[i] = products == 0 ? 0 : masked_row(job_, i, products, scratch, columns + entries, values + entries);
      entries += lengths[i];
    }
    return entries;
  }

  const masked_job<T, Index>& job_;
  launch how_;
  buffer<std::int64_t> work_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::int64_t> bounds_;
};

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> multiply_masked(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                         const csr_view<float, Index>& mask, mask_side side,
                                         const multiply_options& options) {
  const cpu::masked_job<Value, Index> job{a, b, mask, side};
  return cpu::masked_product<Value, Index>(job, options).compute();
}

#define LACIS_MASKED(Value, Index)                                                                            \
  template LACIS_API csr_matrix<Value, Index> multiply_masked(                                                \
      const csr_view<Value, Index>&, const csr_view<Value, Index>&, const csr_view<float, Index>&, mask_side, \
      const multiply_options&);
LACIS_FOR_EACH_TYPE(LACIS_MASKED)

}  // namespace lacis::detail
