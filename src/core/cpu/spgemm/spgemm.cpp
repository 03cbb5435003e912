// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sparse product on threads: pieces of rows by ticket, computed once, placed in order; or runs of rows with one
// template, whose places are known at once.
#include "cpu/spgemm/spgemm.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/reserved_array.hpp"
#include "cpu/launch.hpp"
#include "cpu/spgemm/filled.hpp"
#include "cpu/spgemm/pieces.hpp"
#include "cpu/spgemm/worker.hpp"
#include "formats/order_rows.hpp"
#include "formats/validate.hpp"

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

/// Fewer products, or fewer rows and entries, are not worth waking threads for.
constexpr std::int64_t parallel_products = std::int64_t{1} << 12;
constexpr std::int64_t parallel_entries = std::int64_t{1} << 15;

/// Smaller operands are multiplied before patterns are found.
constexpr std::int64_t fewest_entries_for_templates = std::int64_t{1} << 12;

/// Products of one pair of operands.
template <class T, class Index> class sparse_product {
 public:
  sparse_product(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const spgemm_options& options,
                 spgemm_report* report, bool b_is_canonical)
      : a_(a),
        b_(b),
        options_(options),
        b_is_canonical_(b_is_canonical),
        is_timed_(report != nullptr),
        report_(report != nullptr ? *report : unread_) {
    if (a.cols != b.rows)
      throw error(errc::invalid_argument, detail::text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
    if (options.memory_limit < 0)
      throw error(errc::invalid_argument,
                  detail::text("the memory limit must not be negative: ", options.memory_limit, " bytes; 0 is none"));
    const auto begin = clock::now();
    how_ = launch_of({options.threads, options.isa}, 0);
    if constexpr (has_templates<T, Index>)
      if (kernels().run != nullptr && a.nnz() >= fewest_entries_for_templates) runs_ = find_runs(a, b);
    if (runs_)
      lay_out_runs();
    else
      count_rows();
    report_ = {};
    report_.threads = how_.threads;
    report_.isa = how_.set;
    report_.products = runs_ ? runs_->products : pieces_.products;
    report_.count_seconds = seconds_since(begin);
  }

  csr_matrix<T, Index> whole() {
    csr_matrix<T, Index> c = runs_ ? rows_of_runs({0, runs_->all.size()}, 0, a_.rows)
                                   : rows_of_pieces({0, pieces_.all.size()}, 0, a_.rows, std::move(lengths_));
    report_.result_bytes = bytes_of(c);
    return c;
  }

  void in_slabs(const detail::slab_callback<T, Index>& take) {
    const std::int64_t room = room_for_entries();
    const std::size_t parts = runs_ ? runs_->all.size() : pieces_.all.size();
    report_.slabs = 0;
    std::int64_t first_row = 0;
    for (range slab{0, 0}; first_row < a_.rows; slab.begin = slab.end) {
      std::int64_t bound = 0;
      while (slab.end < parts && (slab.end == slab.begin || bound + bound_of(slab.end) <= room))
        bound += bound_of(slab.end++);
      const std::int64_t last_row = slab.end == parts ? a_.rows : first_row_of(slab.end);
      if (bound > room)
        throw error(errc::out_of_memory,
                    detail::text("rows ", first_row_of(slab.begin) + 1, " to ", last_row, " of the product may take ",
                                 bound * entry_bytes<T, Index>, " bytes, more than the memory limit of ",
                                 options_.memory_limit, " leaves; raise it by that much"));
      csr_matrix<T, Index> part = rows_of(slab, first_row, last_row);
      report_.result_bytes = std::max(report_.result_bytes, bytes_of(part));
      ++report_.slabs;
      take(first_row, std::move(part));
      first_row = last_row;
    }
  }

 private:
  /// Of pieces or of runs.
  struct range {
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] const spgemm_table<T, Index>& kernels() const { return spgemm_kernels_for<T, Index>(how_.set); }

  static std::int64_t bytes_of(const csr_matrix<T, Index>& c) {
    return c.nnz() * entry_bytes<T, Index> + (c.rows + 1) * 8;
  }

  void count_rows() {
    if (!b_is_canonical_) detail::require_canonical(b_, "spgemm");
    const int threads = a_.rows + a_.nnz() < parallel_entries ? 1 : detail::thread_count();
    lengths_ = buffer<std::int64_t>(a_.rows + 1);
    pieces_ = cut_into_pieces(a_, b_, lengths_.data(), threads);
    if (options_.threads == 0) how_.threads = pieces_.products < parallel_products ? 1 : detail::thread_count();
    shared_bytes_ = static_cast<std::int64_t>(pieces_.all.size() * sizeof(spgemm_piece));
  }

  void lay_out_runs() {
    if constexpr (has_templates<T, Index>) {
      if (options_.threads == 0) how_.threads = runs_->products < parallel_products ? 1 : detail::thread_count();
      tiles_ = lay_out(a_, b_, *runs_);
      shared_bytes_ = runs_->bytes() + tiles_.bytes();
    }
  }

  [[nodiscard]] std::int64_t bound_of(std::size_t part) const {
    if (!runs_) return pieces_.all[part].bound;
    const spgemm_run& run = runs_->all[part];
    return run.rows * runs_->patterns[run.pattern].entries();
  }
  [[nodiscard]] std::int64_t first_row_of(std::size_t part) const {
    return runs_ ? runs_->all[part].first_row : pieces_.all[part].first_row;
  }

  [[nodiscard]] std::int64_t workspace_estimate() const {
    if (runs_) return shared_bytes_;
    const std::int64_t widest = std::min(b_.cols, spgemm_widest);
    std::int64_t longest = 0;
    for (const spgemm_piece& piece : pieces_.all) longest = std::max(longest, piece.bound);
    return shared_bytes_ + a_.rows * 8 +
           how_.threads *
               (2 * widest * static_cast<std::int64_t>(sizeof(T)) + widest / 4 +
                static_cast<std::int64_t>(spgemm_most_pending) * (longest + spgemm_slack) * entry_bytes<T, Index>);
  }

  /// Entries that the memory limit leaves room for.
  [[nodiscard]] std::int64_t room_for_entries() const {
    if (options_.memory_limit == 0) return std::numeric_limits<std::int64_t>::max() / entry_bytes<T, Index>;
    const std::int64_t left = options_.memory_limit - workspace_estimate();
    if (left <= 0)
      throw error(errc::out_of_memory, detail::text("the workspace of this product takes up to ", workspace_estimate(),
                                                    " bytes, more than the memory limit of ", options_.memory_limit));
    return left / entry_bytes<T, Index>;
  }

  csr_matrix<T, Index> rows_of(range slab, std::int64_t first_row, std::int64_t last_row) {
    if (runs_) return rows_of_runs(slab, first_row, last_row);
    buffer<std::int64_t> lengths(last_row - first_row + 1);
    std::copy(lengths_.data() + first_row, lengths_.data() + last_row, lengths.data());
    return rows_of_pieces(slab, first_row, last_row, std::move(lengths));
  }

  /// Tells how far it is, from one thread at a time.
  void tell(std::int64_t rows) {
    if (!options_.progress) return;
    const std::scoped_lock lock(progress_);
    rows_done_ += rows;
    options_.progress("multiplying", static_cast<double>(rows_done_) / static_cast<double>(a_.rows));
  }

  /// The rows of some runs. Threads take a few runs at a time.
  csr_matrix<T, Index> rows_of_runs(range some, std::int64_t first_row, std::int64_t last_row) {
    csr_matrix<T, Index> c;
    if constexpr (has_templates<T, Index>) {
      constexpr std::size_t at_once = 8;
      const auto begin = clock::now();
      const std::int64_t first_entry = some.begin < some.end ? runs_->all[some.begin].first_entry : 0;
      std::int64_t entries = 0;
      spgemm_share& share = report_.methods[static_cast<std::size_t>(spgemm_method::stencil)];
      for (std::size_t i = some.begin; i < some.end; ++i) {
        entries += bound_of(i);
        share.products += runs_->products_of(runs_->all[i]);
      }
      if (entries > room_for_entries()) throw_too_many(room_for_entries());
      c = {.rows = last_row - first_row,
           .cols = b_.cols,
           .row_offsets = buffer<std::int64_t>(last_row - first_row + 1),
           .columns = buffer<Index>(entries),
           .values = values_array<T>(entries)};
      c.row_offsets[c.rows] = entries;
      std::atomic<std::size_t> next{some.begin};
      std::atomic<bool> failed{false};
      const detail::stop_check stop;
      run(how_, [&](int, int) {
        buffer<T> tile;
        for (std::size_t batch = next.fetch_add(at_once); batch < some.end && !failed;
             batch = next.fetch_add(at_once)) {
          stop();
          const std::size_t end = std::min(batch + at_once, some.end);
          for (std::size_t i = batch; i < end; ++i) {
            const spgemm_run& one = runs_->all[i];
            const spgemm_template& pattern = runs_->patterns[one.pattern];
            const std::int64_t at = one.first_entry - first_entry;
            for (std::int64_t r = 0; r < one.rows; ++r)
              c.row_offsets[one.first_row + r - first_row] = at + r * pattern.entries();
            kernels().run(tiles_, pattern, one, tile, c.columns.data() + at, c.values.data.data() + at);
          }
          try {
            tell(runs_->all[end - 1].first_row + runs_->all[end - 1].rows - runs_->all[batch].first_row);
          } catch (...) {
            failed = true;
            throw;
          }
        }
      });
      const double seconds = seconds_since(begin);
      share.rows += c.rows;
      share.entries += entries;
      share.seconds += seconds * how_.threads;
      report_.entries += entries;
      report_.workspace_bytes = shared_bytes_;
      report_.compute_seconds += seconds;
    }
    return c;
  }

  [[noreturn]] static void throw_too_many(std::int64_t most) {
    throw error(errc::out_of_memory,
                detail::text("the product has more than the ", most,
                             " entries that the memory limit leaves room for; raise it, or take the product in parts "
                             "(multiply_in_slabs)"));
  }

  /// The rows of some pieces; `lengths` holds their products.
  csr_matrix<T, Index> rows_of_pieces(range some, std::int64_t first_row, std::int64_t last_row,
                                      buffer<std::int64_t> lengths) {
    const auto begin = clock::now();
    std::int64_t bound = 0;
    for (std::size_t i = some.begin; i < some.end; ++i) bound += pieces_.all[i].bound;
    detail::reserved_array<Index> columns(bound + spgemm_slack,
                                          static_cast<double>(sizeof(Index)) / entry_bytes<T, Index>);
    detail::reserved_array<T> values(bound + spgemm_slack);
    spgemm_placement placement(some.end - some.begin);
    const std::int64_t most = room_for_entries();
    std::vector<spgemm_worker<T, Index>> workers(static_cast<std::size_t>(how_.threads),
                                                 spgemm_worker<T, Index>(is_timed_));
    const spgemm_target<T, Index> target{first_row, lengths.data(), columns.data(), values.data()};
    const detail::stop_check stop;
    run(how_, [&](int thread, int) {
      try {
        workers[static_cast<std::size_t>(thread)].run(job_, kernels().rows, pieces_.all.data() + some.begin, target,
                                                      placement, [&](const spgemm_piece& piece) {
                                                        stop();
                                                        if (placement.entries_so_far() > most) throw_too_many(most);
                                                        tell(piece.last_row - piece.first_row);
                                                      });
      } catch (...) {
        placement.fail();
        throw;
      }
    });
    const std::int64_t entries = placement.entries();
    offsets_from(lengths);
    csr_matrix<T, Index> c{.rows = last_row - first_row,
                           .cols = b_.cols,
                           .row_offsets = std::move(lengths),
                           .columns = columns.finish(entries),
                           .values = values_array<T>(values.finish(entries))};
    report_.entries += entries;
    report_.compute_seconds += seconds_since(begin);
    add_to_report(workers);
    return c;
  }

  static void offsets_from(buffer<std::int64_t>& lengths) {
    if (lengths.size() >= parallel_entries) {
      detail::counts_to_offsets(lengths);
      return;
    }
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i + 1 < lengths.size(); ++i) sum += std::exchange(lengths[i], sum);
    lengths[lengths.size() - 1] = sum;
  }

  void add_to_report(const std::vector<spgemm_worker<T, Index>>& workers) {
    std::int64_t workspace = shared_bytes_;
    for (const spgemm_worker<T, Index>& one : workers) {
      workspace += one.bytes();
      const auto& spent = one.scratch().spent;
      const auto ticks = static_cast<double>(std::accumulate(spent.begin(), spent.end(), std::uint64_t{1}));
      for (std::size_t m = 0; m < spgemm_methods; ++m) {
        spgemm_share& share = report_.methods[m];
        share.rows += one.scratch().shares[m].rows;
        share.products += one.scratch().shares[m].products;
        share.entries += one.scratch().shares[m].entries;
        share.seconds += one.seconds() * static_cast<double>(spent[m]) / ticks;
      }
    }
    report_.workspace_bytes = std::max(report_.workspace_bytes, workspace);
  }

  const csr_view<T, Index>& a_;
  const csr_view<T, Index>& b_;
  const spgemm_options& options_;
  bool b_is_canonical_;
  bool is_timed_;
  spgemm_report unread_;
  spgemm_report& report_;
  launch how_;
  spgemm_job<T, Index> job_{a_, b_};
  std::int64_t shared_bytes_ = 0;
  std::mutex progress_;
  std::int64_t rows_done_ = 0;
  // One of two ways: pieces of rows whose products are counted,
  buffer<std::int64_t> lengths_;
  spgemm_pieces pieces_;
  // or runs of rows whose patterns are known.
  std::unique_ptr<spgemm_runs> runs_;
  spgemm_tiles<T> tiles_;
};

/// Whether they are one matrix, so that who has looked at one knows the other.
template <class T, class Index> bool are_one(const csr_view<T, Index>& a, const csr_view<T, Index>& b) {
  return a.columns.data() == b.columns.data() && a.row_offsets.data() == b.row_offsets.data() && a.rows == b.rows &&
         a.cols == b.cols && a.nnz() == b.nnz();
}

/// Throws where an operand's arrays do not fit it: everything after this reads without looking.
template <class T, class Index> void require_inside(const csr_view<T, Index>& a, const csr_view<T, Index>& b) {
  detail::require_inside(a);
  if (are_one(a, b))
    detail::require_sizes(b);
  else
    detail::require_inside(b);
}

/// C = A B, where most rows of A are empty.
template <class T, class Index>
csr_matrix<T, Index> multiply_filled(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                     const spgemm_options& options, spgemm_report* report) {
  const auto begin = clock::now();
  const spgemm_filled_part<T, Index> part(a, b);
  const double seconds = seconds_since(begin);
  const csr_view<T, Index> left = part.view();
  csr_matrix<T, Index> c = sparse_product<T, Index>(left, b, options, report, are_one(a, b)).whole();
  c.row_offsets = part.spread(c.row_offsets);
  c.rows = a.rows;
  if (report != nullptr) {
    report->count_seconds += seconds;
    report->workspace_bytes += part.bytes();
    report->result_bytes += (a.rows - left.rows) * 8;
  }
  return c;
}

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> multiply(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                  const spgemm_options& options, spgemm_report* report) {
  cpu::require_inside(a, b);
  const bool is_unlimited = options.memory_limit == 0;
  if (is_unlimited && a.cols == b.rows && cpu::spgemm_filled_part<Value, Index>::pays(a))
    return cpu::multiply_filled(a, b, options, report);
  return cpu::sparse_product<Value, Index>(a, b, options, report, cpu::are_one(a, b)).whole();
}

template <class Value, class Index>
void multiply_in_slabs(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                       const slab_callback<Value, Index>& take, const spgemm_options& options, spgemm_report* report) {
  cpu::require_inside(a, b);
  cpu::sparse_product<Value, Index>(a, b, options, report, cpu::are_one(a, b)).in_slabs(take);
}

#define LACIS_SPGEMM(Value, Index)                                                                                   \
  template LACIS_API csr_matrix<Value, Index> multiply(const csr_view<Value, Index>&, const csr_view<Value, Index>&, \
                                                       const spgemm_options&, spgemm_report*);                       \
  template LACIS_API void multiply_in_slabs(const csr_view<Value, Index>&, const csr_view<Value, Index>&,            \
                                            const slab_callback<Value, Index>&, const spgemm_options&,               \
                                            spgemm_report*);
LACIS_FOR_EACH_TYPE(LACIS_SPGEMM)

}  // namespace lacis::detail
