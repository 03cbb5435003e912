// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sparse product on threads: pieces of rows by ticket, computed once, placed in order.
#include "cpu/spgemm.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

#include <lacis/error.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/reserved_array.hpp"
#include "cpu/launch.hpp"
#include "cpu/spgemm_pieces.hpp"
#include "formats/order_rows.hpp"

namespace lacis {

std::string_view name_of(spgemm_method method) {
  constexpr std::array<std::string_view, spgemm_methods> names = {"copy", "sort", "dense", "hash", "stencil"};
  return names[static_cast<std::size_t>(method)];
}

}  // namespace lacis

namespace lacis::cpu {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

/// Pieces that a thread has computed and cannot place yet, at most.
constexpr std::size_t most_pending = 12;

/// Fewer products are not worth waking threads for.
constexpr std::int64_t parallel_products = std::int64_t{1} << 16;

/// Smaller products are done before patterns are found.
constexpr std::int64_t fewest_products_for_templates = std::int64_t{1} << 14;

template <class T, class Index> inline constexpr std::int64_t entry_bytes = sizeof(T) + sizeof(Index);

/// The entries of a piece on their way.
template <class T, class Index> struct piece_entries {
  buffer<Index> columns;
  buffer<T> values;

  void enlarge(std::int64_t most) {
    if (columns.size() >= most) return;
    columns = buffer<Index>(most);
    values = buffer<T>(most);
  }
};

/// Products of one pair of operands.
template <class T, class Index> class sparse_product {
 public:
  sparse_product(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const spgemm_options& options,
                 spgemm_report& report)
      : a_(a), b_(b), options_(options), report_(report) {
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, detail::text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
    if (options.memory_limit < 0)
      throw error(errc::invalid_argument,
                  detail::text("a memory limit of ", options.memory_limit, " bytes makes no sense; 0 is none"));
    const auto begin = clock::now();
    detail::require_canonical(a, "spgemm");
    if (a.columns.data() != b.columns.data() || a.rows != b.rows) detail::require_canonical(b, "spgemm");
    how_ = launch_of({options.threads, options.isa}, 0);
    lengths_ = buffer<std::int64_t>(a.rows + 1);
    pieces_ = cut_into_pieces(a, b, lengths_.data());
    if (options.threads == 0) how_.threads = pieces_.products < parallel_products ? 1 : detail::thread_count();
    job_ = spgemm_job<T, Index>(a, b);
    shared_bytes_ = static_cast<std::int64_t>(pieces_.all.size() * sizeof(spgemm_piece));
    find_templates();
    report = {};
    report.threads = how_.threads;
    report.isa = how_.set;
    report.products = pieces_.products;
    report.count_seconds = seconds_since(begin);
  }

  csr_matrix<T, Index> whole() {
    csr_matrix<T, Index> c = rows({0, pieces_.all.size()}, 0, a_.rows, std::move(lengths_));
    report_.result_bytes = c.nnz() * entry_bytes<T, Index> + (c.rows + 1) * 8;
    return c;
  }

  void in_slabs(const detail::slab_taker<T, Index>& take) {
    const std::int64_t room = room_of_slab();
    report_.slabs = 0;
    std::int64_t first_row = 0;
    for (piece_range slab{0, 0}; first_row < a_.rows; slab.begin = slab.end) {
      std::int64_t bound = 0;
      while (slab.end < pieces_.all.size() && (slab.end == slab.begin || bound + pieces_.all[slab.end].bound <= room))
        bound += pieces_.all[slab.end++].bound;
      if (bound > room)
        throw error(errc::out_of_memory,
                    detail::text("rows ", pieces_.all[slab.begin].first_row + 1, " to ",
                                 pieces_.all[slab.begin].last_row, " of the product may take ",
                                 bound * entry_bytes<T, Index>, " bytes, more than the memory limit of ",
                                 options_.memory_limit, " leaves; raise it by that much"));
      const std::int64_t last_row = slab.end == pieces_.all.size() ? a_.rows : pieces_.all[slab.end].first_row;
      buffer<std::int64_t> lengths(last_row - first_row + 1);
      std::copy(lengths_.data() + first_row, lengths_.data() + last_row, lengths.data());
      csr_matrix<T, Index> part = rows(slab, first_row, last_row, std::move(lengths));
      report_.result_bytes = std::max(report_.result_bytes, part.nnz() * entry_bytes<T, Index> + (part.rows + 1) * 8);
      ++report_.slabs;
      take(first_row, std::move(part));
      first_row = last_row;
    }
  }

 private:
  struct piece_range {
    std::size_t begin;
    std::size_t end;
  };

  /// Templates need vectors, and operands that are both regular.
  void find_templates() {
    if constexpr (has_templates<T, Index>) {
      if (how_.set == isa::scalar || pieces_.products < fewest_products_for_templates) return;
      shapes_ = find_shapes(a_, b_);
      if (!shapes_) return;
      values_ = values_by_entry(a_, b_, *shapes_);
      job_.shapes = &*shapes_;
      job_.values = &values_;
      job_.templates = &templates_;
      shared_bytes_ += bytes_of(*shapes_) + bytes_of(values_);
    }
  }

  [[nodiscard]] std::int64_t workspace_estimate() const {
    const std::int64_t widest = std::min(b_.cols, spgemm_widest);
    std::int64_t longest = 0;
    for (const spgemm_piece& piece : pieces_.all) longest = std::max(longest, piece.bound);
    return shared_bytes_ + lengths_.size() * 8 +
           how_.threads * (2 * widest * static_cast<std::int64_t>(sizeof(T)) + widest / 4 +
                           static_cast<std::int64_t>(most_pending) * (longest + spgemm_slack) * entry_bytes<T, Index>);
  }

  /// Entries that the memory limit leaves room for.
  [[nodiscard]] std::int64_t room_of_slab() const {
    if (options_.memory_limit == 0) return std::numeric_limits<std::int64_t>::max() / entry_bytes<T, Index>;
    const std::int64_t left = options_.memory_limit - workspace_estimate();
    if (left <= 0)
      throw error(errc::out_of_memory, detail::text("the workspace of this product takes up to ", workspace_estimate(),
                                                    " bytes, more than the memory limit of ", options_.memory_limit));
    return left / entry_bytes<T, Index>;
  }

  /// The rows of some pieces, as a matrix; `lengths` holds their products.
  csr_matrix<T, Index> rows(piece_range range, std::int64_t first_row, std::int64_t last_row,
                            buffer<std::int64_t> lengths) {
    const auto begin = clock::now();
    std::int64_t bound = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) bound += pieces_.all[i].bound;
    detail::reserved_array<Index> columns(bound + spgemm_slack);
    detail::reserved_array<T> values(bound + spgemm_slack);
    spgemm_placement placement(range.end - range.begin, room_of_slab());
    std::vector<spgemm_scratch<T, Index>> scratch;
    for (int t = 0; t < how_.threads; ++t) scratch.emplace_back(true);
    std::vector<std::int64_t> held(static_cast<std::size_t>(how_.threads));
    run(how_, [&](int thread, int) {
      try {
        held[static_cast<std::size_t>(thread)] =
            work(range.begin, first_row, placement, scratch[static_cast<std::size_t>(thread)], lengths.data(),
                 columns.data(), values.data(), thread == 0);
      } catch (...) {
        placement.fail();
        throw;
      }
    });
    const std::int64_t entries = placement.entries();
    std::int64_t workspace = shared_bytes_ + std::accumulate(held.begin(), held.end(), std::int64_t{0});
    for (const spgemm_scratch<T, Index>& one : scratch) {
      workspace += one.bytes();
      for (std::size_t m = 0; m < spgemm_methods; ++m) {
        report_.methods[m].rows += one.shares[m].rows;
        report_.methods[m].products += one.shares[m].products;
        report_.methods[m].entries += one.shares[m].entries;
        report_.methods[m].seconds += one.shares[m].seconds;
      }
    }
    detail::counts_to_offsets(lengths);
    report_.entries += entries;
    report_.workspace_bytes = std::max(report_.workspace_bytes, workspace);
    csr_matrix<T, Index> c{.rows = last_row - first_row,
                           .cols = b_.cols,
                           .row_offsets = std::move(lengths),
                           .columns = columns.finish(entries),
                           .values = values_array<T>(values.finish(entries))};
    report_.compute_seconds += seconds_since(begin);
    return c;
  }

  /// What a thread does until no piece is left; the bytes that it held for entries on their way.
  std::int64_t work(std::size_t first_piece, std::int64_t first_row, spgemm_placement& placement,
                    spgemm_scratch<T, Index>& scratch, std::int64_t* lengths, Index* columns, T* values,
                    bool tells_progress) {
    struct pending {
      std::size_t piece;
      std::int64_t entries;
      piece_entries<T, Index> held;
    };
    const auto& kernels = spgemm_kernels_for<T, Index>(how_.set);
    std::deque<pending> waiting;
    std::vector<piece_entries<T, Index>> free;
    const auto put = [&](pending& one, std::int64_t at) {
      std::copy_n(one.held.columns.data(), one.entries, columns + at);
      std::copy_n(one.held.values.data(), one.entries, values + at);
      free.push_back(std::move(one.held));
    };
    scratch.begin();
    while (const auto taken = placement.take()) {
      const spgemm_piece& piece = pieces_.all[first_piece + *taken];
      const auto compute = [&](Index* to_columns, T* to_values) {
        // The kernel counts rows as A does, `lengths` begins at first_row.
        return kernels.rows(job_, scratch, piece.first_row, piece.last_row, lengths - first_row, to_columns, to_values);
      };
      if (const auto at = placement.place(*taken)) {
        placement.publish(*taken, compute(columns + *at, values + *at));
      } else {
        pending one{*taken, 0, {}};
        if (!free.empty()) {
          one.held = std::move(free.back());
          free.pop_back();
        }
        one.held.enlarge(piece.bound + spgemm_slack);
        one.entries = compute(one.held.columns.data(), one.held.values.data());
        placement.publish(*taken, one.entries);
        waiting.push_back(std::move(one));
      }
      while (!waiting.empty()) {
        const auto at = waiting.size() > most_pending ? placement.wait(waiting.front().piece)
                                                      : placement.place(waiting.front().piece);
        if (!at) break;
        put(waiting.front(), *at);
        waiting.pop_front();
      }
      if (tells_progress && options_.progress)
        options_.progress("multiplying", static_cast<double>(piece.last_row) / static_cast<double>(a_.rows));
    }
    for (; !waiting.empty(); waiting.pop_front()) {
      const auto at = placement.wait(waiting.front().piece);
      if (!at) break;
      put(waiting.front(), *at);
    }
    scratch.leave();
    std::int64_t bytes = 0;
    for (const auto& one : free) bytes += one.columns.size() * entry_bytes<T, Index>;
    return bytes;
  }

  const csr_view<T, Index>& a_;
  const csr_view<T, Index>& b_;
  const spgemm_options& options_;
  spgemm_report& report_;
  launch how_;
  buffer<std::int64_t> lengths_;
  spgemm_pieces pieces_;
  spgemm_job<T, Index> job_;
  std::optional<operand_shapes> shapes_;
  operand_values<T> values_;
  spgemm_templates templates_;
  std::int64_t shared_bytes_ = 0;
};

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> multiply(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                  const spgemm_options& options, spgemm_report* report) {
  spgemm_report unread;
  return cpu::sparse_product<Value, Index>(a, b, options, report != nullptr ? *report : unread).whole();
}

template <class Value, class Index>
void multiply_in_slabs(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                       const slab_taker<Value, Index>& take, const spgemm_options& options, spgemm_report* report) {
  spgemm_report unread;
  cpu::sparse_product<Value, Index>(a, b, options, report != nullptr ? *report : unread).in_slabs(take);
}

#define LACIS_SPGEMM(Value, Index)                                                                                   \
  template LACIS_API csr_matrix<Value, Index> multiply(const csr_view<Value, Index>&, const csr_view<Value, Index>&, \
                                                       const spgemm_options&, spgemm_report*);                       \
  template LACIS_API void multiply_in_slabs(const csr_view<Value, Index>&, const csr_view<Value, Index>&,            \
                                            const slab_taker<Value, Index>&, const spgemm_options&, spgemm_report*);
LACIS_FOR_EACH_TYPE(LACIS_SPGEMM)

}  // namespace lacis::detail
