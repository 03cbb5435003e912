// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of one matrix, run and compared: what sweeps over products share.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
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

/// use<X>(k) for each type of x.
template <class Use> void for_each_x(Use&& use) {
  use.template operator()<float>(0);
  use.template operator()<double>(1);
  use.template operator()<std::complex<float>>(2);
  use.template operator()<std::complex<double>>(3);
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

  /// One of `count`, in turn by the matrix, the name, the instruction set and a number.
  [[nodiscard]] std::size_t turn_of(std::string_view name, std::size_t set_at, std::uint64_t number,
                                    std::size_t count) const {
    return static_cast<std::size_t>(mix(key_of(name, set_at) + number) % count);
  }
  /// Whether a product enters the digest: one of those that differ in instruction set and threads alone.
  [[nodiscard]] bool is_digested(const subject<X, T>& s, std::size_t set_at, std::size_t threads_at) const {
    return set_at == 0 && is_turn(s.turn, set_at, threads_at);
  }

  /// One product, compared.
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

  /// A subject whose rows are not canonical: it must say so, with every instruction set on one number of threads.
  void expect_refusal(const subject<X, T>& s, std::span<const product_case<X, T>* const> cases,
                      std::size_t threads_at) {
    for (std::size_t i = 0; i < options_.sets.size(); ++i) {
      if (!is_turn(s.turn, i, threads_at)) continue;
      for (const product_case<X, T>* c : cases) {
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

  void multiply(const subject<X, T>& s, const product_case<X, T>& c, std::size_t set_at, std::size_t threads_at) {
    const multiply_options how{.threads = options_.threads[threads_at], .isa = options_.sets[set_at]};
    if (y_.size() != static_cast<std::int64_t>(c.y.size())) y_ = buffer<T>(static_cast<std::int64_t>(c.y.size()));
    std::copy(c.y.begin(), c.y.end(), y_.begin());
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
  buffer<T> y_;  ///< aligned, as streaming stores need it
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

}  // namespace lacis::verification
