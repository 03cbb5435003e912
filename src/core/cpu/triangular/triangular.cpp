// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on threads. Rows lie in memory in the order in which they are solved.
#include "summation/triangular.hpp"

#include <atomic>
#include <thread>

#include <lacis/error.hpp>
#include <lacis/triangular.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "cpu/launch.hpp"
#include "cpu/spmv/portable.hpp"
#include "cpu/triangular/levels.hpp"

namespace lacis::detail {

template <class T, class Index> struct triangular_data {
  triangular_options options;
  triangular_schedule schedule = triangular_schedule::serial;
  cpu::row_schedule<Index> rows;  ///< its order is that of the places
  buffer<std::int64_t> offsets;   ///< of places
  buffer<Index> columns;
  buffer<T> values;
  buffer<T> diagonals;  ///< empty when they are one
};

namespace {

/// Rows that a thread takes at once when no thread waits for levels.
constexpr std::int64_t rows_at_once = 64;

int threads_of(const triangular_options& options) { return options.threads > 0 ? options.threads : thread_count(); }

template <class T, class Index> class row_splitter {
 public:
  row_splitter(const csr_view<T, Index>& a, const triangular_options& options) : a_(a), options_(options) {}

  struct part {
    std::int64_t first;
    std::int64_t last;
    std::int64_t diagonal;  ///< its place, -1 when it is one
  };
  [[nodiscard]] part of(std::int64_t row) const {
    const std::int64_t begin = a_.row_offsets[static_cast<std::size_t>(row)];
    const std::int64_t end = a_.row_offsets[static_cast<std::size_t>(row + 1)];
    const auto* columns = a_.columns.data();
    const std::int64_t place = std::lower_bound(columns + begin, columns + end, row) - columns;
    const bool stored = place < end && columns[place] == row;
    if (!stored && !options_.unit_diagonal) summation::refuse_row_without_diagonal(row);
    return {options_.upper ? place + (stored ? 1 : 0) : begin, options_.upper ? end : place,
            options_.unit_diagonal ? -1 : place};
  }

 private:
  const csr_view<T, Index>& a_;
  const triangular_options& options_;
};

/// Values and diagonals in the order of the plan.
template <class T, class Index> void copy_values(triangular_data<T, Index>& data, const csr_view<T, Index>& a) {
  const row_splitter<T, Index> split(a, data.options);
  parallel_for(a.rows, [&](std::int64_t k) {
    const auto part = split.of(data.rows.order[k]);
    std::int64_t to = data.offsets[k];
    for (std::int64_t e = part.first; e < part.last; ++e) data.values[to++] = a.values[e];
    if (part.diagonal >= 0) data.diagonals[k] = a.values[part.diagonal];
  });
}

/// Throws where A has another pattern than the one that was inspected.
template <class T, class Index>
void require_pattern(const triangular_data<T, Index>& data, const csr_view<T, Index>& a) {
  const row_splitter<T, Index> split(a, data.options);
  parallel_for(a.rows, [&](std::int64_t k) {
    const auto part = split.of(data.rows.order[k]);
    const bool same = std::equal(a.columns.begin() + part.first, a.columns.begin() + part.last,
                                 data.columns.begin() + data.offsets[k], data.columns.begin() + data.offsets[k + 1]);
    if (!same)
      throw error(errc::invalid_argument,
                  text("row ", static_cast<std::int64_t>(data.rows.order[k]),
                       " has other columns than in the matrix that was inspected; inspect it anew"));
  });
}

template <class T, class Index> T solve_row(const triangular_data<T, Index>& data, std::int64_t k, T b, const T* x) {
  const std::int64_t first = data.offsets[k];
  const T sum = cpu::portable::row_sum<T>(data.offsets[k + 1] - first, [&](std::int64_t e) {
    return summation::multiply(data.values[first + e], x[data.columns[first + e]]);
  });
  const T rest = summation::subtract(b, sum);
  return data.diagonals.empty() ? rest : summation::divide(rest, data.diagonals[k]);
}

/// Threads take rows in the order of levels and wait for each x that they read.
template <class T, class Index>
void solve_sync_free(const triangular_data<T, Index>& data, const cpu::launch& how, const T* b, T* x,
                     workspace& memory) {
  const std::int64_t rows = data.rows.order.size();
  const auto solved = memory.bytes(rows);  // which rows are
  std::fill(solved.begin(), solved.end(), std::byte{0});
  const auto mark_of = [&](Index row) { return std::atomic_ref<std::byte>(solved[static_cast<std::size_t>(row)]); };
  std::atomic<std::int64_t> next{0};
  cpu::run(how, [&](int, int) {
    for (std::int64_t first = next.fetch_add(rows_at_once); first < rows; first = next.fetch_add(rows_at_once))
      for (std::int64_t k = first; k < std::min(first + rows_at_once, rows); ++k) {
        for (std::int64_t e = data.offsets[k]; e < data.offsets[k + 1]; ++e)
          while (mark_of(data.columns[e]).load(std::memory_order_acquire) == std::byte{0}) std::this_thread::yield();
        const Index row = data.rows.order[k];
        x[row] = solve_row(data, k, b[row], x);
        mark_of(row).store(std::byte{1}, std::memory_order_release);
      }
  });
}

}  // namespace

template <class T, class Index>
triangular_plan<T, Index> triangular_inspect(const csr_view<T, Index>& a, const triangular_options& options) {
  summation::require_square(a.rows, a.cols);
  require_canonical(a, "triangular solve");
  auto data = std::make_shared<triangular_data<T, Index>>();
  data->options = options;
  const int threads = threads_of(options);
  data->rows = cpu::schedule_of(a, options.upper, threads);
  data->schedule = options.schedule;
  if (options.schedule == triangular_schedule::automatic) {
    const bool is_worth_sharing = threads > 1 && data->rows.longest < a.rows * 4 / 5;
    data->schedule = is_worth_sharing ? triangular_schedule::levels : triangular_schedule::serial;
  }

  const row_splitter<T, Index> split(a, data->options);
  data->offsets = buffer<std::int64_t>(a.rows + 1);
  std::int64_t entries = 0;
  for (std::int64_t k = 0; k < a.rows; ++k) {
    const auto part = split.of(data->rows.order[k]);
    data->offsets[k] = entries;
    entries += part.last - part.first;
  }
  data->offsets[a.rows] = entries;
  data->columns = buffer<Index>(entries);
  data->values = buffer<T>(entries);
  if (!options.unit_diagonal) data->diagonals = buffer<T>(a.rows);
  parallel_for(a.rows, [&](std::int64_t k) {
    const auto part = split.of(data->rows.order[k]);
    std::copy(a.columns.data() + part.first, a.columns.data() + part.last, data->columns.data() + data->offsets[k]);
  });
  copy_values(*data, a);
  return triangular_plan<T, Index>(std::move(data));
}

template <class T, class Index> void update_values(triangular_plan<T, Index>& plan, const csr_view<T, Index>& a) {
  if (a.rows != plan.rows())
    throw error(errc::invalid_argument,
                text("the plan is for ", plan.rows(), " rows, the matrix has ", a.rows, "; inspect it anew"));
  summation::require_square(a.rows, a.cols);
  require_canonical(a, "triangular solve");
  require_pattern(*plan.internals(), a);
  copy_values(*plan.internals(), a);
}

template <class T, class Index>
void triangular_solve(const triangular_plan<T, Index>& plan, std::span<const T> b, std::span<T> x, workspace& memory) {
  const auto& data = *plan.internals();
  if (b.size() != static_cast<std::size_t>(plan.rows()) || x.size() != b.size())
    throw error(errc::invalid_argument,
                text("b has ", b.size(), " elements and x ", x.size(), ", the matrix needs ", plan.rows()));
  const cpu::launch how{data.schedule == triangular_schedule::serial ? 1 : threads_of(data.options), isa::scalar};
  if (data.schedule == triangular_schedule::sync_free) return solve_sync_free(data, how, b.data(), x.data(), memory);
  const auto solve_rows = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k) {
      const Index row = data.rows.order[k];
      x[static_cast<std::size_t>(row)] = solve_row(data, k, b[static_cast<std::size_t>(row)], x.data());
    }
  };
  if (data.schedule == triangular_schedule::levels) return cpu::in_stages(how.threads, data.rows, solve_rows);
  const summation::rounding_guard guard;
  solve_rows(0, plan.rows());
}

#define LACIS_INSTANTIATE(T, Index)                                                                            \
  template LACIS_API triangular_plan<T, Index> triangular_inspect(const csr_view<T, Index>&,                   \
                                                                  const triangular_options&);                  \
  template LACIS_API void update_values(triangular_plan<T, Index>&, const csr_view<T, Index>&);                \
  template LACIS_API void triangular_solve(const triangular_plan<T, Index>&, std::span<const T>, std::span<T>, \
                                           workspace&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail

namespace lacis {

template <value T, index Index> std::int64_t triangular_plan<T, Index>::rows() const {
  return data_->rows.order.size();
}
template <value T, index Index> std::int64_t triangular_plan<T, Index>::nnz() const {
  return data_->columns.size() + data_->diagonals.size();
}
template <value T, index Index> std::int64_t triangular_plan<T, Index>::levels() const { return data_->rows.levels; }
template <value T, index Index> triangular_schedule triangular_plan<T, Index>::schedule() const {
  return data_->schedule;
}
template <value T, index Index> std::int64_t triangular_plan<T, Index>::storage_bytes() const {
  const auto& d = *data_;
  return (d.rows.order.size() + d.columns.size()) * static_cast<std::int64_t>(sizeof(Index)) + d.offsets.size() * 8 +
         (d.values.size() + d.diagonals.size()) * static_cast<std::int64_t>(sizeof(T)) +
         static_cast<std::int64_t>(d.rows.parts.size()) * 8;
}

#define LACIS_PLAN(T, Index) template class LACIS_API triangular_plan<T, Index>;
LACIS_FOR_EACH_TYPE(LACIS_PLAN)

}  // namespace lacis
