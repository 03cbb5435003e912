// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The body of sweep_spmm(), included by one file for each type of matrix entry.
//
// On each matrix a format or plan meets every third number of columns, or all of them; these, arrangements and scalars
// take turns by a hash, so all of them meet within a few matrices.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu/spmv/direct_pairs.hpp"
#include "verify/more_matrices.hpp"
#include "verify/spmm_sweep.hpp"
#include "verify/trials.hpp"

namespace lacis::verification {

/// How X and Y lie in memory.
inline constexpr std::pair<arrangement, arrangement> arrangements[] = {
    {arrangement::row_major, arrangement::row_major},      {arrangement::column_major, arrangement::column_major},
    {arrangement::padded_rows, arrangement::padded_rows},  {arrangement::padded_columns, arrangement::padded_columns},
    {arrangement::row_major, arrangement::padded_columns}, {arrangement::column_major, arrangement::padded_rows},
};

/// One matrix with one type of X.
template <class A, class Index, class X> class spmm_trials {
 public:
  using T = product_of<A, X>;
  using products = column_products<A, Index, X>;

  spmm_trials(const sweep_options& options, ledger& book, prepared<A, Index>& p, std::uint64_t number)
      : options_(options),
        p_(p),
        run_(options, book, types_text<A, Index, X>(), p.name, number),
        plain_(products_of(p.rows)),
        turned_(products_of(p.transposed_rows)) {
    if constexpr (is_complex<A>) adjoint_.emplace(products_of(p.adjoint_rows));
  }

  /// Every format and plan. With `refuses`, formats whose rows are out of order must say so.
  void run(bool refuses) {
    const auto subjects = p_.formats.template subjects<X>();
    const auto turned = transposed(p_.given);
    for (std::size_t t = 0; t < options_.threads.size();
         ++t) {  // the outer loop: OpenMP starts threads when it changes
      for (const auto& s : subjects) {
        if (refuses)
          expect_refusal(s, t);
        else
          run_everywhere(s, plain_, t);
      }
      if (!refuses) run_everywhere(turned_subject<A, Index, X>(turned), turned_, t);
      for (std::size_t i = 0; i < options_.sets.size(); ++i) {
        if (!options_.all && !run_.is_turn("plan", i, t)) continue;
        for (const auto& one : p_.plans(i, t)) {
          run_columns(seen<side::plain>(one), plain_, i, t);
          run_columns(seen<side::transposed>(one), turned_, i, t);
          run_columns(seen<side::conjugate_transposed>(one), adjoint_ ? *adjoint_ : turned_, i, t);
        }
      }
    }
  }

 private:
  static constexpr std::size_t columns_step = 3;

  static products products_of(const csr_matrix<A, Index>& a) {
    return products(a.view(), std::end(column_counts)[-1], all_column_scalars<T>().size());
  }

  /// Plans have a row of the table for each layout.
  template <side Side> static subject<X, T> seen(const held_plan<A, Index>& one) {
    subject<X, T> s = one.template seen_from<X, Side>();
    s.row = plan_row(one.layout);
    return s;
  }

  void run_everywhere(const subject<X, T>& s, const products& of, std::size_t t) {
    for (std::size_t i = 0; i < options_.sets.size(); ++i)
      if (options_.all || run_.is_turn(s.turn, i, t)) run_columns(s, of, i, t);
  }

  /// Every number of columns, or one of three in turn. What takes turns does not depend on instruction set and threads:
  /// digests do not, either.
  void run_columns(const subject<X, T>& s, const products& of, std::size_t set_at, std::size_t t) {
    const std::size_t step = options_.all ? 1 : columns_step;
    for (std::size_t k = run_.turn_of(s.what, 0, 0, step); k < std::size(column_counts); k += step) {
      const auto in_turn = [&](std::uint64_t which, std::size_t count) {
        return run_.turn_of(s.what, 0, 1024 * which + k, count);
      };
      const auto& [x_how, y_how] = arrangements[in_turn(1, std::size(arrangements))];
      run_.run(s, of.make(column_counts[k], x_how, y_how, in_turn(2, of.scalars())), set_at, t,
               run_.is_digested(s, set_at, t));
    }
  }

  void expect_refusal(const subject<X, T>& s, std::size_t t) {
    const auto by_rows = plain_.make(3, arrangement::row_major, arrangement::row_major, 0);
    const auto by_columns = plain_.make(65, arrangement::column_major, arrangement::column_major, 1);
    const product_case<X, T>* const refused[] = {&by_rows, &by_columns};
    run_.expect_refusal(s, refused, t);
  }

  const sweep_options& options_;
  prepared<A, Index>& p_;
  trials<X, T> run_;
  products plain_;
  products turned_;
  std::optional<products> adjoint_;  ///< of a real matrix: those of the transpose
};

/// 66,000 rows: with 64 columns Y is written past the caches and rows of X are fetched ahead. Most rows lie on five
/// diagonals, some elsewhere, and some are long.
template <class A> csr_matrix<A, std::int32_t> large_matrix() {
  constexpr std::int64_t size = 66'000;
  constexpr std::int64_t line = 300;
  return from_rows<A, std::int32_t>(size, size, entries::reals, [](std::int64_t i) -> std::vector<std::int64_t> {
    if (i % 1000 == 17) return random_columns(i, 40, size, 31);
    if (i % 97 == 5) return random_columns(i, 6, size, 32);
    std::vector<std::int64_t> columns;
    for (const std::int64_t distance : {-line, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, line})
      if (i + distance >= 0 && i + distance < size) columns.push_back(i + distance);
    return columns;
  });
}

/// CSR and a plan in every layout, with enough columns for what only large products do.
template <class A> void sweep_large(const sweep_options& options, ledger& book) {
  using Matrix = csr_matrix<A, std::int32_t>;
  constexpr std::int64_t counts[] = {16, 64};
  const named_matrix<A, std::int32_t> named{"66,000 rows on five diagonals and elsewhere", large_matrix<A>()};
  const Matrix& a = named.matrix;
  const column_products<A, std::int32_t, A> products(a.view(), std::end(counts)[-1], 1);
  trials<A, A> run(options, book, types_text<A, std::int32_t, A>(), named.name, 0);
  for (std::size_t k = 0; k < std::size(counts); ++k) {
    const auto c = products.make(counts[k], arrangement::row_major, arrangement::row_major, 0);
    for (std::size_t i = 0; i < options.sets.size(); ++i)
      for (std::size_t t = 0; t < options.threads.size(); ++t) {
        if (!options.all && !run.is_turn("plan", i, t)) continue;
        const bool digested = i == 0 && run.is_turn("plan", i, t);
        run.run({"csr", "csr", "csr", &a, nullptr, multiply_columns<Matrix, A, A>}, c, i, t, digested);
        for (const plan_layout layout : plan_layouts) {
          const plan_options how{.threads = options.threads[t], .isa = options.sets[i], .layout = layout};
          const held_plan<A, std::int32_t> one{
              multiply_inspect(a, how), layout, {std::string(plan_row(layout)), "", ""}};
          auto s = one.template seen_from<A, side::plain>();
          s.row = plan_row(layout);
          run.run(s, c, i, t, digested);
        }
      }
  }
}

template <class A, class Index> void sweep_spmm_index(const sweep_options& options, ledger& book) {
  const auto sweep_all = [&](const auto& matrices, selection which, std::uint64_t first, auto&& is_taken) {
    for (std::uint64_t m = 0; m < matrices.size(); ++m) {
      std::optional<prepared<A, Index>> p;
      for_each_x([&]<class X>(std::uint64_t x) {
        if (!(options.all ? cpu::is_direct<A, Index, X> : is_taken.template operator()<X>(m, x))) return;
        if (!p) p.emplace(matrices[m], which, options);
        spmm_trials<A, Index, X>(options, book, *p, first + m).run(which == selection::in_order);
      });
      options.stepped();
    }
  };
  const auto reals = test_matrices<A, Index>(entries::reals);
  sweep_all(reals, selection::every, 0, [&]<class X>(std::uint64_t m, std::uint64_t x) {
    return cpu::is_direct<A, Index, X> &&
           (m + x + sizeof(A) + sizeof(Index) / 8) % (std::is_same_v<A, X> ? 4 : 12) == 0;
  });
  const auto same_types = []<class X>(std::uint64_t, std::uint64_t) {
    return sizeof(Index) == 4 && std::is_same_v<A, X>;
  };
  sweep_all(unordered_matrices<A, Index>(), selection::in_order, reals.size(), same_types);
  sweep_all(narrow_matrices<A, Index>(), selection::unpadded, reals.size() + 64, same_types);
}

template <value A> void sweep_spmm(const sweep_options& options, ledger& book) {
  sweep_spmm_index<A, std::int32_t>(options, book);
  sweep_spmm_index<A, std::int64_t>(options, book);
  sweep_large<A>(options, book);
  options.stepped();
}

}  // namespace lacis::verification
