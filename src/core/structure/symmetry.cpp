// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Symmetry: making a matrix symmetric, and finding which symmetries it has.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "formats/pairs.hpp"
#include "formats/partners.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::detail {
namespace {

/// (a + b) / 2, also where a + b alone would overflow. Equal numbers give that number.
template <class Real> Real mean(Real a, Real b) {
  const Real sum = a + b;
  return std::isinf(sum) ? a / 2 + b / 2 : sum / 2;
}

template <value Value> Value mean_of(Value a, Value b) {
  if constexpr (is_complex<Value>)
    return {mean(a.real(), b.real()), mean(a.imag(), b.imag())};
  else
    return mean(a, b);
}

/// The value at a place where both A and its transpose have one.
template <value Value> Value joined(symmetry_rule rule, Value a, Value b) {
  return rule == symmetry_rule::average ? mean_of(a, b) : summation::add(a, b);
}

/// The value at a place where only one of them has.
template <value Value> Value alone(symmetry_rule rule, Value a) {
  return rule == symmetry_rule::average ? a / real_of<Value>(2) : a;
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> symmetrise(const csr_view<Value, Index>& a, symmetry_rule rule) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument, text("symmetrise needs a square matrix; this one is ", a.rows, " x ", a.cols));
  require_canonical(a, "symmetrise");
  const summation::rounding_guard guard;
  const auto transposed = transpose(a, false);
  const csr_view<Value, Index> t = transposed.view();
  const buffer<std::int64_t> work = joint_offsets(a, t);
  buffer<std::int64_t> row_offsets(a.rows + 1);
  parallel_each_row(work, [&](std::int64_t i) {
    std::int64_t length = 0;
    walk_together(a, t, i, [&](Index, std::int64_t, std::int64_t) { ++length; });
    row_offsets[i] = length;
  });
  const std::int64_t entries = counts_to_offsets(row_offsets);

  // An iso matrix stays one when no two entries meet, or all of them do.
  values_array<Value> values;
  if (rule == symmetry_rule::pattern)
    values = values_array<Value>::same(Value(1));
  else if (a.values.iso && entries == a.nnz())
    values = values_array<Value>::same(joined(rule, a.values[0], a.values[0]));
  else if (a.values.iso && entries == 2 * a.nnz())
    values = values_array<Value>::same(alone(rule, a.values[0]));
  else
    values = values_array<Value>(entries);

  csr_matrix<Value, Index> result{.rows = a.rows,
                                  .cols = a.cols,
                                  .row_offsets = std::move(row_offsets),
                                  .columns = buffer<Index>(entries),
                                  .values = std::move(values)};
  const stop_check stop;
  parallel_rows(work, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard_of_thread;
    for (std::int64_t i = first; i < last; ++i) {
      stop.at(i);
      row_writer<Value, Index> out(result, i);
      walk_together(a, t, i, [&](Index column, std::int64_t k, std::int64_t l) {
        if (result.values.iso)
          out.put(column, Value{});
        else if (k >= 0 && l >= 0)
          // The entry above the diagonal first, so that the sum has the same bits (of a NaN, too) on both sides.
          out.put(column,
                  column >= i ? joined(rule, a.values[k], t.values[l]) : joined(rule, t.values[l], a.values[k]));
        else
          out.put(column, alone(rule, k >= 0 ? a.values[k] : t.values[l]));
      });
    }
  });
  return result;
}

template <class Value, class Index> symmetry_report find_symmetry(const csr_view<Value, Index>& a) {
  require_canonical(a, "find_symmetry");
  if (a.rows != a.cols) return {};
  std::atomic<bool> pattern{true};
  std::atomic<bool> symmetric{true};
  std::atomic<bool> skew_symmetric{true};
  std::atomic<bool> hermitian{true};
  std::atomic<std::int64_t> balance{0};
  const stop_check stop;
  // Entries above the diagonal look for their partners below it. Each has one: if there are as many below, all have.
  const auto look = [&](partner_search<Value, Index>& partners, std::int64_t first, std::int64_t last) {
    symmetry_report mine{true, true, true, true, true};
    std::int64_t above = 0;
    std::int64_t below = 0;
    for (std::int64_t i = first; i < last && mine.pattern; ++i) {
      stop.at(i);
      const std::int64_t end = a.row_offsets.data()[i + 1];
      const Index* const at_diagonal =
          std::lower_bound(a.columns.data() + a.row_offsets.data()[i], a.columns.data() + end, static_cast<Index>(i));
      const std::int64_t begin = at_diagonal - a.columns.data();
      below += begin - a.row_offsets.data()[i];
      for (std::int64_t k = begin; k < end && mine.pattern; ++k) {
        const Index j = a.columns.data()[k];
        above += j != i ? 1 : 0;
        const std::int64_t partner = partners.find(i, j);
        mine.pattern = partner >= 0;
        if (!mine.pattern) break;
        const Value other = a.values[partner];
        mine.symmetric = mine.symmetric && a.values[k] == other;
        mine.skew_symmetric = mine.skew_symmetric && a.values[k] == -other;
        mine.hermitian = mine.hermitian && a.values[k] == summation::conjugate(other);
      }
    }
    balance += above - below;
    if (!mine.pattern) pattern = false;
    if (!mine.symmetric) symmetric = false;
    if (!mine.skew_symmetric) skew_symmetric = false;
    if (!mine.hermitian) hermitian = false;
  };
  // The first rows have most above the diagonal, the last ones least: each thread has some of both.
  on_threads(threads_for_work(a.rows + a.nnz()), [&](int t, int threads) {
    const summation::rounding_guard guard;
    partner_search<Value, Index> partners(a);
    for (const int part : {t, 2 * threads - 1 - t})
      look(partners, balanced_cut(a.row_offsets, part, 2 * threads),
           balanced_cut(a.row_offsets, part + 1, 2 * threads));
  });
  const bool has_pattern = pattern && balance == 0;
  return {.square = true,
          .pattern = has_pattern,
          .symmetric = has_pattern && symmetric,
          .skew_symmetric = has_pattern && skew_symmetric,
          .hermitian = has_pattern && hermitian};
}

#define LACIS_SYMMETRY(Value, Index)                                                                    \
  template LACIS_API csr_matrix<Value, Index> symmetrise(const csr_view<Value, Index>&, symmetry_rule); \
  template LACIS_API symmetry_report find_symmetry(const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SYMMETRY)

}  // namespace lacis::detail
