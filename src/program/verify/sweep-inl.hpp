// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The body of sweep(), included by one file for each type of matrix entry.
//
// Not every case meets every format, instruction set and number of threads: y = A x always does, the others take turns
// by a hash of their numbers, so all of them meet within a few matrices.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"
#include "verify/cases.hpp"
#include "verify/subjects.hpp"
#include "verify/sweep.hpp"

namespace lacis::verification {

template <class T> constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return "complex float";
  else
    return "complex double";
}

template <class A, class Index, class X> std::string types_text() {
  return detail::text(type_name<A>(), " x ", type_name<X>(), ", ", 8 * sizeof(Index), "-bit columns");
}

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

/// The products of one matrix with one type of x.
template <class X, class T> class trials {
 public:
  trials(const sweep_options& options, ledger& book, std::string types, std::string_view matrix, std::uint64_t number)
      : options_(options), book_(book), types_(std::move(types)), matrix_(matrix), number_(number) {}

  /// Each name has one number of threads for each matrix and instruction set.
  [[nodiscard]] bool is_turn(std::string_view name, std::size_t set_at, std::size_t threads_at) const {
    return mix(key_of(name, set_at)) % options_.threads.size() == threads_at;
  }

  /// One subject with one instruction set and number of threads: y = A x, another product, and one with columns.
  void run(const subject<X, T>& s, const case_set<X, T>& cases, std::size_t set_at, std::size_t threads_at,
           const depth& how) {
    const auto in_turn = [&](std::uint64_t which, std::size_t count) {
      return static_cast<std::size_t>(mix(key_of(s.what, set_at) + 64 * which + threads_at) % count);
    };
    const bool digested = set_at == 0 && is_turn(s.turn, set_at, threads_at);
    run(s, cases.vectors[0], set_at, threads_at, digested);
    run(s, cases.vectors[1 + in_turn(1, cases.vectors.size() - 1)], set_at, threads_at, false);
    if (how.columns) run(s, cases.columns[in_turn(2, cases.columns.size())], set_at, threads_at, false);
  }

  /// The subject with every instruction set.
  void run_everywhere(const subject<X, T>& s, const case_set<X, T>& cases, std::size_t threads_at, const depth& how) {
    for (std::size_t i = 0; i < options_.sets.size(); ++i)
      if (how.every_thread_count || is_turn(s.turn, i, threads_at)) run(s, cases, i, threads_at, how);
  }

  /// A subject whose rows are not canonical: it must say so, with every instruction set on one number of threads.
  void expect_refusal(const subject<X, T>& s, const case_set<X, T>& cases, std::size_t threads_at) {
    for (std::size_t i = 0; i < options_.sets.size(); ++i) {
      if (!is_turn(s.turn, i, threads_at)) continue;
      for (const auto* c : {&cases.vectors.front(), &cases.columns.front()}) {
        const trial about = trial_of(s, *c, i, threads_at);
        try {
          multiply(s, *c, i, threads_at);
          book_.refused(about, "a matrix whose rows do not ascend strictly was multiplied without complaint");
        } catch (const error& problem) {
          book_.refused(about, problem.code() == errc::invalid_matrix ? "" : problem.what());
        }
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t key_of(std::string_view name, std::size_t set_at) const {
    return mix(number_ * 64 + set_at) + hash_of(name);
  }

  void run(const subject<X, T>& s, const product_case<X, T>& c, std::size_t set_at, std::size_t threads_at,
           bool digested) {
    trial about = trial_of(s, c, set_at, threads_at);
    about.digested = digested;
    try {
      multiply(s, c, set_at, threads_at);
    } catch (const error& problem) {
      book_.failed(about, problem.what());
      return;
    }
    book_.compare<T>(about, y_, c.expected);
  }

  void multiply(const subject<X, T>& s, const product_case<X, T>& c, std::size_t set_at, std::size_t threads_at) {
    const multiply_options how{.threads = options_.threads[threads_at], .isa = options_.sets[set_at]};
    y_ = c.y;
    if (c.cols == 0)
      s.vector(s.matrix, c.alpha, c.x, c.beta, y_, how, memory_);
    else
      s.columns(s.matrix, c.alpha, at(c.x.data(), c.x_shape), c.beta, at(y_.data(), c.y_shape), how, memory_);
  }

  [[nodiscard]] trial trial_of(const subject<X, T>& s, const product_case<X, T>& c, std::size_t set_at,
                               std::size_t threads_at) const {
    const bool by_column = c.y_shape.col_stride != 1;
    return {
        .row = s.row,
        .what = s.what,
        .types = types_,
        .matrix = matrix_,
        .form = c.name,
        .set = options_.sets[set_at],
        .threads = options_.threads[threads_at],
        .digested = set_at == 0,
        .stride = c.cols == 0 ? 0 : std::max<std::int64_t>(1, by_column ? c.y_shape.col_stride : c.y_shape.row_stride),
        .column_major = by_column};
  }

  const sweep_options& options_;
  ledger& book_;
  std::string types_;
  std::string_view matrix_;
  std::uint64_t number_;
  std::vector<T> y_;
  workspace memory_;
};

/// What can be multiplied with one matrix, whatever the type of x.
template <class A, class Index> class prepared {
 public:
  prepared(const named_matrix<A, Index>& named, selection which, const sweep_options& options)
      : name(named.name),
        given(named.matrix),
        formats(given, which),
        rows(canonical(given)),
        transposed_rows(transpose(rows)),
        adjoint_rows(conjugate_transpose(rows)),
        options_(options),
        plans_(options.sets.size() * options.threads.size()) {}

  std::string_view name;
  const csr_matrix<A, Index>& given;
  every_format<A, Index> formats;
  csr_matrix<A, Index> rows;
  csr_matrix<A, Index> transposed_rows;
  csr_matrix<A, Index> adjoint_rows;

  /// Plans for one instruction set and number of threads; those of small matrices are kept for the next type of x.
  [[nodiscard]] std::vector<held_plan<A, Index>> plans(std::size_t set_at, std::size_t threads_at) {
    constexpr std::int64_t many_entries = 50'000;
    auto& kept = plans_[set_at * options_.threads.size() + threads_at];
    if (!kept.empty()) return kept;
    auto made = plans_of(given, options_.sets[set_at], options_.threads[threads_at]);
    if (given.nnz() <= many_entries) kept = made;
    return made;
  }

 private:
  const sweep_options& options_;
  std::vector<std::vector<held_plan<A, Index>>> plans_;
};

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

template <class A, class Index, class X>
void sweep_plans(const sweep_options& options, trials<X, product_of<A, X>>& run, prepared<A, Index>& p,
                 const cases_of_sides<A, Index, X>& cases, std::size_t t, const depth& how) {
  for (std::size_t i = 0; i < options.sets.size(); ++i) {
    if (!how.every_plan && !run.is_turn("plan", i, t)) continue;
    for (const auto& one : p.plans(i, t)) {
      run.run(one.template seen_from<X, side::plain>(), cases.plain, i, t, how);
      run.run(one.template seen_from<X, side::transposed>(), cases.turned, i, t, how);
      run.run(one.template seen_from<X, side::conjugate_transposed>(), cases.adjoint(), i, t, how);
    }
  }
}

/// A^T without moving an entry, as something to multiply with.
template <class A, class Index, class X> subject<X, product_of<A, X>> turned_subject(const csc_view<A, Index>& turned) {
  using View = csc_view<A, Index>;
  return {"csc",
          "csc, transposed(csr)",
          "csc, transposed(csr)",
          &turned,
          multiply_vector<View, X, product_of<A, X>>,
          multiply_columns<View, X, product_of<A, X>>};
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
    for (const auto& s : subjects) run.run_everywhere(s, cases.plain, t, how);
    run.run_everywhere(turned_subject<A, Index, X>(turned), cases.turned, t, how);
    sweep_plans<A, Index, X>(options, run, p, cases, t, how);
  }
}

/// A matrix whose rows are unsorted or hold duplicates: products refuse it, plans put it in order.
template <class A, class Index, class X>
void sweep_unordered(const sweep_options& options, ledger& book, prepared<A, Index>& p, std::uint64_t number) {
  trials<X, product_of<A, X>> run(options, book, types_text<A, Index, X>(), p.name, number);
  const cases_of_sides<A, Index, X> cases(p, true);
  const auto subjects = p.formats.template subjects<X>();
  for (std::size_t t = 0; t < options.threads.size(); ++t) {
    for (const auto& s : subjects) run.expect_refusal(s, cases.plain, t);
    sweep_plans<A, Index, X>(options, run, p, cases, t, {1, false, true, false});
  }
}

/// Rows of which each is sorted but for one place, at the end of a chunk or of a vector, and rows with duplicates.
template <class A, class Index> std::vector<named_matrix<A, Index>> unordered_matrices() {
  const auto swapped = [](std::int64_t length, std::int64_t place) {
    auto columns = consecutive(0, length);
    std::swap(columns[static_cast<std::size_t>(place)], columns[static_cast<std::size_t>(place + 1)]);
    return columns;
  };
  const auto make = [](const char* name, std::int64_t rows, std::int64_t cols, const auto& columns_of) {
    return named_matrix<A, Index>{name, from_rows<A, Index>(rows, cols, entries::reals, columns_of)};
  };
  return {make("short rows, one of them descending", 40, 30,
               [](std::int64_t i) {
                 auto columns = random_columns(i, 7, 30, 21);
                 if (i == 33) std::reverse(columns.begin(), columns.end());
                 return columns;
               }),
          make("short rows, one of them with a duplicate", 40, 30,
               [](std::int64_t i) {
                 auto columns = random_columns(i, 6, 30, 22);
                 if (i == 39) columns.insert(columns.begin() + 3, columns[3]);
                 return columns;
               }),
          make("a long row that falls between two chunks", 3, 2200,
               [&](std::int64_t i) { return i == 1 ? swapped(2200, 1023) : random_columns(i, 40, 2200, 23); }),
          make("a long row that falls in its last two entries", 3, 2200,
               [&](std::int64_t i) { return i == 1 ? swapped(2061, 2059) : random_columns(i, 40, 2200, 24); }),
          make("a long row with one duplicate", 3, 900, [](std::int64_t i) {
            auto columns = consecutive(i, 800);
            if (i == 2) columns.insert(columns.begin() + 411, columns[411]);
            return columns;
          })};
}

/// Rows so long that threads cut them, of one value as well.
template <class A, class Index> std::vector<named_matrix<A, Index>> long_row_matrices() {
  const auto columns_of = [](std::int64_t i) -> std::vector<std::int64_t> {
    if (i == 7) return consecutive(3, 120'020);
    if (i == 8) return random_columns(i, 9'000, 20'000, 25);
    if (i == 29) return consecutive(100, 40'000);
    return i % 3 == 0 ? std::vector<std::int64_t>{} : random_columns(i, i, 120'100, 26);
  };
  return {
      {"rows of 120,017 and 9,000 entries", from_rows<A, Index>(30, 120'100, entries::reals, columns_of)},
      {"iso rows of 120,017 and 9,000 entries", from_rows<A, Index>(30, 120'100, entries::reals, columns_of, true)}};
}

/// Values that plans keep in narrower forms: small integers, numbers that half the width holds, and one value for
/// each diagonal. A grid, rows off its diagonals, and rows of up to 1,500 entries; bands that nothing interrupts; an
/// infinite value for all.
template <class A, class Index> std::vector<named_matrix<A, Index>> narrow_matrices() {
  constexpr std::int64_t size = 16 * 16 * 7;
  const auto columns_of = [](std::int64_t i) -> std::vector<std::int64_t> {
    if (i == 811) return consecutive(50, 1550);
    if (i % 200 == 33) return random_columns(i, 45, size, 27);
    return i % 23 == 5 ? random_columns(i, 6, size, 28) : grid_neighbours(i, 16, 7, true);
  };
  auto whole = from_rows<A, Index>(size, size, entries::integers, columns_of);
  auto quarters = whole;
  for (A& v : quarters.values.data) v = v * A(32) + A(real_of<A>(0.25));
  constexpr std::int64_t band_size = 421;
  auto band = from_rows<A, Index>(band_size, band_size, entries::integers, [=](std::int64_t i) {
    return consecutive(std::max<std::int64_t>(0, i - 3), std::min<std::int64_t>(band_size, i + 2));
  });
  auto constant = band;
  for (std::int64_t i = 0; i < band_size; ++i)
    for (std::int64_t p = band.row_offsets[i]; p < band.row_offsets[i + 1]; ++p)
      constant.values.data[p] = entry_value<A>(static_cast<std::uint64_t>(band.columns[p] - i + 3), entries::reals);
  // What a row lacks must not be multiplied with the one value either.
  auto infinite = from_rows<A, Index>(16 * 16 * 2, 16 * 16 * 2, entries::integers,
                                      [](std::int64_t i) { return grid_neighbours(i, 16, 2, true); });
  infinite.values = values_array<A>::same(A(std::numeric_limits<real_of<A>>::infinity()));
  return {{"a grid of infinities", std::move(infinite)},
          {"integers", std::move(whole)},
          {"integers and a quarter", std::move(quarters)},
          {"a band of integers", std::move(band)},
          {"a band of constants", std::move(constant)}};
}

/// use<X>(k) for each type of x.
template <class Use> void for_each_x(Use&& use) {
  use.template operator()<float>(0);
  use.template operator()<double>(1);
  use.template operator()<std::complex<float>>(2);
  use.template operator()<std::complex<double>>(3);
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
