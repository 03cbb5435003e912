// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// ILU(0) and IC(0), row by row.
#include "solve/precondition/factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/text.hpp"
#include "solve/scalars.hpp"

namespace lacis::solver {
namespace {

/// The lowest of the rows that threads name.
class first_fault {
 public:
  void name(std::int64_t row) {
    std::int64_t seen = row_.load(std::memory_order_relaxed);
    while (row < seen && !row_.compare_exchange_weak(seen, row, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::int64_t row() const { return row_.load() == none ? -1 : row_.load(); }

 private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> row_{none};
};

/// each(other, mine) for every column that row k has from `other` to `other_end` and row i from `mine` to `mine_end`.
template <class Index, class Each>
void for_shared(const Index* columns, std::int64_t other, std::int64_t other_end, std::int64_t mine,
                std::int64_t mine_end, Each&& each) {
  while (other < other_end && mine < mine_end) {
    if (columns[other] == columns[mine]) {
      each(other++, mine++);
    } else if (columns[other] < columns[mine]) {
      ++other;
    } else {
      ++mine;
    }
  }
}

/// Rows that are factored.
template <class Index> struct factored_rows {
  const factor_order<Index>& order;
  const std::int64_t* offsets;
  const Index* columns;

  /// The entries that row i shares with the row of its entry p.
  template <class Each> void for_matches(std::int64_t i, std::int64_t p, Each&& each) const {
    const Index k = columns[p];
    if (order.kind == factor_kind::ilu0)
      for_shared(columns, order.diagonals[k] + 1, offsets[k + 1], p + 1, offsets[i + 1], each);
    else
      for_shared(columns, offsets[k], order.diagonals[k], offsets[i], p, each);
  }
};

/// And their values, in place.
template <class T, class Index> struct factored : factored_rows<Index> {
  T* values;

  factored(csr_matrix<T, Index>& a, const factor_order<Index>& how)
      : factored_rows<Index>{how, a.row_offsets.data(), a.columns.data()}, values(a.values.data.data()) {
    if (a.rows != how.diagonals.size() || a.nnz() != how.entries || a.values.iso)
      throw error(errc::invalid_argument, "the matrix is not the one whose order is given; make an order for it");
  }
};

/// Writes down the matches of row i.
template <class Index> void match_row(const factored_rows<Index>& a, std::int64_t i, std::vector<std::uint8_t>& to) {
  constexpr std::int64_t most_matches = 16;  // of an entry, on average
  constexpr auto unmatched = factor_order<Index>::unmatched;
  const auto before = to.size();
  const std::int64_t begin = a.offsets[i];
  const std::int64_t diagonal = a.order.diagonals[i];
  if (begin == diagonal) return;
  bool fits = a.offsets[i + 1] - begin < unmatched;
  for (std::int64_t p = begin; p < diagonal && fits; ++p) {
    const Index k = a.columns[p];
    const std::int64_t base = a.order.kind == factor_kind::ilu0 ? a.order.diagonals[k] : a.offsets[k];
    fits = a.offsets[k + 1] - a.offsets[k] < unmatched &&
           static_cast<std::int64_t>(to.size() - before) < 2 * most_matches * (a.offsets[i + 1] - begin);
    if (!fits) break;
    const auto count = to.size();
    to.push_back(0);
    a.for_matches(i, p, [&](std::int64_t other, std::int64_t mine) {
      ++to[count];
      to.push_back(static_cast<std::uint8_t>(other - base));
      to.push_back(static_cast<std::uint8_t>(mine - begin));
    });
  }
  if (fits) return;
  to.resize(before);
  to.push_back(unmatched);
}

/// use(other, mine) for the places that the next list of matches names; behind it.
template <class Use>
const std::uint8_t* use_matches(const std::uint8_t* list, std::int64_t other, std::int64_t mine, Use&& use) {
  const std::uint8_t* const end = list + 1 + 2 * *list;
  for (++list; list != end; list += 2) use(other + list[0], mine + list[1]);
  return end;
}

/// Row i of LU.
template <class T, class Index>
bool eliminate(const factored<T, Index>& a, std::int64_t i, const std::uint8_t*& matches) {
  const std::int64_t begin = a.offsets[i];
  const std::int64_t diagonal = a.order.diagonals[i];
  const bool search = begin < diagonal && *matches == factor_order<Index>::unmatched;
  if (search) ++matches;
  for (std::int64_t p = begin; p < diagonal; ++p) {
    const std::int64_t pivot = a.order.diagonals[a.columns[p]];
    const T factor = divide(a.values[p], a.values[pivot]);
    a.values[p] = factor;
    const auto use = [&](std::int64_t other, std::int64_t mine) {
      a.values[mine] = subtract(a.values[mine], multiply(factor, a.values[other]));
    };
    if (search)
      a.for_matches(i, p, use);
    else
      matches = use_matches(matches, pivot, begin, use);
  }
  return a.values[diagonal] != T(0) && is_finite(a.values[diagonal]);
}

/// Row i of L, whose last entry is its diagonal.
template <class T, class Index>
bool complete(const factored<T, Index>& a, std::int64_t i, const std::uint8_t*& matches) {
  const std::int64_t begin = a.offsets[i];
  const std::int64_t diagonal = a.order.diagonals[i];
  const bool search = begin < diagonal && *matches == factor_order<Index>::unmatched;
  if (search) ++matches;
  for (std::int64_t p = begin; p < diagonal; ++p) {
    const Index k = a.columns[p];
    T sum = a.values[p];
    const auto use = [&](std::int64_t other, std::int64_t mine) {
      sum = subtract(sum, multiply(a.values[mine], conjugate(a.values[other])));
    };
    if (search)
      a.for_matches(i, p, use);
    else
      matches = use_matches(matches, a.offsets[k], begin, use);
    a.values[p] = divide(sum, a.values[a.order.diagonals[k]]);
  }
  T sum = a.values[diagonal];
  for (std::int64_t p = begin; p < diagonal; ++p) sum = subtract(sum, multiply(a.values[p], conjugate(a.values[p])));
  const real_of<T> pivot = std::real(sum);
  if (!(pivot > 0) || !std::isfinite(pivot)) return false;
  a.values[diagonal] = T(std::sqrt(pivot));
  return true;
}

constexpr std::int64_t rows_between_looks = 1024;

/// The first row, by number, of those for which work(row, matches) is false, or -1.
template <class T, class Index, class Work> std::int64_t factor(const factored<T, Index>& a, Work&& work) {
  first_fault fault;
  const detail::stop_check stop;
  const auto& order = a.order;
  const int threads = order.threads > 0 ? order.threads : detail::thread_count();
  cpu::run_schedule(order.rows, threads, [&](std::int64_t first, std::int64_t last) {
    const std::uint8_t* matches = order.matches.data() + order.task_matches[static_cast<std::size_t>(first)];
    for (std::int64_t k = order.rows.tasks[static_cast<std::size_t>(first)].first;
         k < order.rows.tasks[static_cast<std::size_t>(last)].first; ++k) {
      if (k % rows_between_looks == 0 && stop.is_asked()) return;
      if (const std::int64_t row = order.rows.order[k]; !work(row, matches)) fault.name(row);
    }
  });
  stop();
  return fault.row();
}

/// Matches of all rows, tasks shared by threads.
template <class Index> void add_matches(const factored_rows<Index>& a, factor_order<Index>& order) {
  const std::int64_t tasks = order.rows.task_count();
  const int threads = detail::threads_for(order.entries);
  order.task_matches.assign(static_cast<std::size_t>(tasks + 1), 0);
  std::vector<std::vector<std::uint8_t>> parts(static_cast<std::size_t>(threads));
  const detail::stop_check stop;
  const auto task_cut = [&](int thread) { return static_cast<std::size_t>(detail::even_cut(tasks, thread, threads)); };
  detail::on_threads(threads, [&](int thread, int) {
    auto& part = parts[static_cast<std::size_t>(thread)];
    for (std::size_t t = task_cut(thread); t < task_cut(thread + 1); ++t) {
      order.task_matches[t] = static_cast<std::int64_t>(part.size());
      for (std::int64_t k = order.rows.tasks[t].first; k < order.rows.tasks[t + 1].first; ++k) {
        stop.at(k);
        match_row(a, order.rows.order[k], part);
      }
    }
  });
  std::int64_t all = 0;
  for (int thread = 0; thread < threads; ++thread) {
    for (std::size_t t = task_cut(thread); t < task_cut(thread + 1); ++t) order.task_matches[t] += all;
    all += static_cast<std::int64_t>(parts[static_cast<std::size_t>(thread)].size());
  }
  order.task_matches.back() = all;
  order.matches = buffer<std::uint8_t>(all);
  detail::on_threads(threads, [&](int thread, int) {
    const auto& part = parts[static_cast<std::size_t>(thread)];
    std::copy(part.begin(), part.end(), order.matches.data() + order.task_matches[task_cut(thread)]);
  });
}

}  // namespace

template <class T, class Index>
factor_order<Index> order_of(const csr_view<T, Index>& a, factor_kind kind, int threads) {
  constexpr double weight = 8;  // of an entry, against one of a triangular solution
  const cpu::triangle_pattern<Index> lower(a.row_offsets, a.columns, false);
  factor_order<Index> order;
  order.kind = kind;
  order.entries = a.nnz();
  order.threads = threads;
  order.diagonals = buffer<std::int64_t>(a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    order.diagonals[i] = lower.diagonal(i);
    if (lower.has_diagonal(i)) continue;
    if (kind == factor_kind::ic0)
      throw error(errc::invalid_matrix,
                  detail::text("ic0: row ", i,
                               ", counted from 0, stores no diagonal entry: the matrix is not positive definite"));
    throw error(errc::invalid_matrix,
                detail::text("ilu0: row ", i,
                             ", counted from 0, stores no diagonal entry; store one, or use another preconditioner"));
  }
  order.rows =
      cpu::make_schedule(lower, threads > 0 ? threads : detail::thread_count(), triangular_schedule::automatic, weight);
  add_matches<Index>({order, a.row_offsets.data(), a.columns.data()}, order);
  return order;
}

template <class T, class Index> void factor_ilu0(csr_matrix<T, Index>& a, const factor_order<Index>& order) {
  const factored<T, Index> rows(a, order);
  const std::int64_t fault =
      factor(rows, [&](std::int64_t i, const std::uint8_t*& matches) { return eliminate(rows, i, matches); });
  if (fault >= 0)
    throw error(errc::invalid_matrix,
                detail::text("ilu0: the pivot of row ", fault,
                             ", counted from 0, is zero or not finite; reorder the matrix, or use jacobi or no "
                             "preconditioner"));
}

template <class T, class Index> std::int64_t factor_ic0(csr_matrix<T, Index>& a, const factor_order<Index>& order) {
  const factored<T, Index> rows(a, order);
  return factor(rows, [&](std::int64_t i, const std::uint8_t*& matches) { return complete(rows, i, matches); });
}

#define LACIS_INSTANTIATE(T, Index)                                                             \
  template LACIS_API factor_order<Index> order_of(const csr_view<T, Index>&, factor_kind, int); \
  template LACIS_API void factor_ilu0(csr_matrix<T, Index>&, const factor_order<Index>&);       \
  template LACIS_API std::int64_t factor_ic0(csr_matrix<T, Index>&, const factor_order<Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver
