// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The body of sweep(), included by one file for each type of matrix entry.
//
// Not every case meets every format, instruction set and number of threads: y = A x always does, the others take turns
// by a hash of their numbers, so all of them meet within a few matrices.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "cpu/spmv/kernels.hpp"
#include "verify/cases.hpp"
#include "verify/more_matrices.hpp"
#include "verify/sweep.hpp"
#include "verify/trials.hpp"

namespace lacis::verification {

/// How much of everything one pair of types gets.
struct depth {
  std::uint64_t matrix_step = 1;    ///< every how many test matrices one is taken
  bool every_thread_count = false;  ///< each format and instruction set with all of them; otherwise with one in turn
  bool columns = true;              ///< with a case of dense columns
  bool every_plan = false;          ///< as every_thread_count, for plans: most of the time goes into making them
};

template <class A, class Index, class X> depth depth_of(bool all) {
  constexpr bool simd = cpu::has_simd<A, Index, X>;
  if (all) return {1, simd, true, simd};
  return {simd ? 3u : 12u, false, true, false};
}

/// The cases of a matrix, of its transpose and of its conjugate transpose.
template <class A, class Index, class X> struct cases_of_sides {
  using T = product_of<A, X>;

  cases_of_sides(const prepared<A, Index>& p, bool with_columns)
      : plain(cases_of<X>(p.rows, with_columns)), turned(cases_of<X>(p.transposed_rows, with_columns)) {
    if constexpr (is_complex<A>) conjugated = cases_of<X>(p.adjoint_rows, with_columns);
  }

  [[nodiscard]] const case_set<X, T>& adjoint() const { return is_complex<A> ? conjugated : turned; }

  case_set<X, T> plain;
  case_set<X, T> turned;
  case_set<X, T> conjugated;  ///< of a real matrix: none, they are those of the transpose
};

/// One subject with one instruction set and number of threads: y = A x, another product, and one with columns.
template <class X, class T>
void run_cases(trials<X, T>& run, const subject<X, T>& s, const case_set<X, T>& cases, std::size_t set_at,
               std::size_t threads_at, const depth& how) {
  const auto in_turn = [&](std::uint64_t which, std::size_t count) {
    return run.turn_of(s.what, set_at, 64 * which + threads_at, count);
  };
  run.run(s, cases.vectors[0], set_at, threads_at, run.is_digested(s, set_at, threads_at));
  run.run(s, cases.vectors[1 + in_turn(1, cases.vectors.size() - 1)], set_at, threads_at, false);
  if (how.columns) run.run(s, cases.columns[in_turn(2, cases.columns.size())], set_at, threads_at, false);
}

/// The subject with every instruction set.
template <class X, class T>
void run_everywhere(const sweep_options& options, trials<X, T>& run, const subject<X, T>& s,
                    const case_set<X, T>& cases, std::size_t threads_at, const depth& how) {
  for (std::size_t i = 0; i < options.sets.size(); ++i)
    if (how.every_thread_count || run.is_turn(s.turn, i, threads_at)) run_cases(run, s, cases, i, threads_at, how);
}

template <class A, class Index, class X>
void sweep_plans(const sweep_options& options, trials<X, product_of<A, X>>& run, prepared<A, Index>& p,
                 const cases_of_sides<A, Index, X>& cases, std::size_t t, const depth& how) {
  for (std::size_t i = 0; i < options.sets.size(); ++i) {
    if (!how.every_plan && !run.is_turn("plan", i, t)) continue;
    for (const auto& one : p.plans(i, t)) {
      run_cases(run, one.template seen_from<X, side::plain>(), cases.plain, i, t, how);
      run_cases(run, one.template seen_from<X, side::transposed>(), cases.turned, i, t, how);
      run_cases(run, one.template seen_from<X, side::conjugate_transposed>(), cases.adjoint(), i, t, how);
    }
  }
}

/// A canonical matrix: every format, plans, and A^T as a CSC view of the rows of A.
template <class A, class Index, class X>
void sweep_matrix(const sweep_options& options, ledger& book, prepared<A, Index>& p, std::uint64_t number,
                  const depth& how) {
  trials<X, product_of<A, X>> run(options, book, types_text<A, Index, X>(), p.name, number);
  const cases_of_sides<A, Index, X> cases(p, how.columns);
  const auto subjects = p.formats.template subjects<X>();
  const auto turned = transposed(p.given);
  for (std::size_t t = 0; t < options.threads.size();
       ++t) {  // the outer loop: OpenMP starts threads when the number changes
    for (const auto& s : subjects) run_everywhere(options, run, s, cases.plain, t, how);
    run_everywhere(options, run, turned_subject<A, Index, X>(turned), cases.turned, t, how);
    sweep_plans<A, Index, X>(options, run, p, cases, t, how);
  }
}

/// A matrix whose rows are unsorted or hold duplicates: products refuse it, plans put it in order.
template <class A, class Index, class X>
void sweep_unordered(const sweep_options& options, ledger& book, prepared<A, Index>& p, std::uint64_t number) {
  trials<X, product_of<A, X>> run(options, book, types_text<A, Index, X>(), p.name, number);
  const cases_of_sides<A, Index, X> cases(p, true);
  const auto subjects = p.formats.template subjects<X>();
  const product_case<X, product_of<A, X>>* const refused[] = {&cases.plain.vectors.front(),
                                                              &cases.plain.columns.front()};
  for (std::size_t t = 0; t < options.threads.size(); ++t) {
    for (const auto& s : subjects) run.expect_refusal(s, refused, t);
    sweep_plans<A, Index, X>(options, run, p, cases, t, {1, false, true, false});
  }
}

template <class A, class Index> void sweep_index(const sweep_options& options, ledger& book) {
  const auto matrices_of_reals = test_matrices<A, Index>(entries::reals);
  for (std::uint64_t m = 0; m < matrices_of_reals.size(); ++m) {
    std::optional<prepared<A, Index>> p;
    for_each_x([&]<class X>(std::uint64_t x) {
      const depth how = depth_of<A, Index, X>(options.all);
      if ((m + 3 * x + sizeof(A) + sizeof(Index) / 8) % how.matrix_step != 0) return;
      if (!p) p.emplace(matrices_of_reals[m], selection::every, options);
      sweep_matrix<A, Index, X>(options, book, *p, m, how);
    });
    options.stepped();
  }
  const auto sweep_others = [&](const auto& matrices, selection which, auto&& sweep_one) {
    for (const auto& named : matrices) {
      std::optional<prepared<A, Index>> p;
      for_each_x([&]<class X>(std::uint64_t) {
        const bool always = sizeof(Index) == 4 && std::is_same_v<A, X>;
        if (!options.all && !always) return;
        if (!p) p.emplace(named, which, options);
        sweep_one.template operator()<X>(*p);
      });
    }
    options.stepped();
  };
  sweep_others(unordered_matrices<A, Index>(), selection::in_order, [&]<class X>(prepared<A, Index>& p) {
    sweep_unordered<A, Index, X>(options, book, p, matrices_of_reals.size());
  });
  sweep_others(long_row_matrices<A, Index>(), selection::unpadded, [&]<class X>(prepared<A, Index>& p) {
    sweep_matrix<A, Index, X>(options, book, p, matrices_of_reals.size(), {1, true, false, options.all});
  });
  sweep_others(narrow_matrices<A, Index>(), selection::unpadded, [&]<class X>(prepared<A, Index>& p) {
    sweep_matrix<A, Index, X>(options, book, p, matrices_of_reals.size() + 1, {1, true, false, options.all});
  });
}

template <value A> void sweep(const sweep_options& options, ledger& book) {
  sweep_index<A, std::int32_t>(options, book);
  sweep_index<A, std::int64_t>(options, book);
}

}  // namespace lacis::verification
