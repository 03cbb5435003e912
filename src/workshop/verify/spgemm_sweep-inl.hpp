// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The body of sweep_spgemm(), included by one file for each type of matrix entry.
#pragma once

#include <string>
#include <vector>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "verify/setup.hpp"
#include "verify/spgemm_operations.hpp"
#include "verify/spgemm_sweep.hpp"

namespace lacis::verification {

/// The operations of one pair with every instruction set, and with each number of threads or, by a hash, one of them.
template <value T, index Index> class spgemm_trials {
 public:
  spgemm_trials(const sweep_options& options, ledger& book, std::uint64_t number)
      : options_(options), book_(book), number_(number) {}

  void run(const operation_set<T, Index>& all) {
    for (std::size_t t = 0; t < options_.threads.size();
         ++t) {  // the outer loop: OpenMP starts threads when the number changes
      const threads_of_openmp guard(options_.threads[t]);
      for (const auto& operation : all.operations)
        for (std::size_t i = 0; i < options_.sets.size(); ++i)
          if (options_.all || is_turn(operation.row, i, t)) run(all.pair, operation, i, t);
    }
  }

  /// The operation must throw error(invalid_matrix).
  void expect_refusal(const operand_pair<T, Index>& pair, const spgemm_operation<T, Index>& operation) {
    for (std::size_t i = 0; i < options_.sets.size(); ++i) {
      const trial about = trial_of(pair, operation, i, 0);
      try {
        static_cast<void>(operation.compute({.threads = options_.threads[0], .isa = options_.sets[i]}));
        book_.refused(about, "a matrix whose rows do not ascend strictly was taken without complaint");
      } catch (const error& problem) {
        book_.refused(about, problem.code() == errc::invalid_matrix ? "" : problem.what());
      }
    }
  }

 private:
  [[nodiscard]] bool is_turn(std::string_view row, std::size_t set_at, std::size_t threads_at) const {
    return mix(mix(number_ * 64 + set_at) + hash_of(row)) % options_.threads.size() == threads_at;
  }

  void run(const operand_pair<T, Index>& pair, const spgemm_operation<T, Index>& operation, std::size_t set_at,
           std::size_t threads_at) {
    const trial about = trial_of(pair, operation, set_at, threads_at);
    try {
      const auto got = operation.compute({.threads = options_.threads[threads_at], .isa = options_.sets[set_at]});
      book_.compare(about, got.view(), operation.expected.view());
    } catch (const error& problem) {
      book_.failed(about, problem.what());
    }
  }

  [[nodiscard]] trial trial_of(const operand_pair<T, Index>& pair, const spgemm_operation<T, Index>& operation,
                               std::size_t set_at, std::size_t threads_at) const {
    return {.row = operation.row,
            .what = operation.row,
            .types = types_,
            .matrix = pair.matrix,
            .form = pair.form,
            .set = options_.sets[set_at],
            .threads = options_.threads[threads_at],
            .digested = set_at == 0 && is_turn(operation.row, set_at, threads_at)};
  }

  const sweep_options& options_;
  ledger& book_;
  std::uint64_t number_;
  std::string types_ = types_text<T, Index>();
};

/// Operands out of order, in every place that takes one.
template <value T, index Index> void sweep_refusals(const sweep_options& options, ledger& book) {
  const auto square = [](const char* name, bool ascends) {
    return named_matrix<T, Index>{name, from_rows<T, Index>(30, 30, entries::reals, [=](std::int64_t i) {
                                    auto columns = random_columns(i, 5, 30, 71);
                                    if (!ascends && i == 29) std::swap(columns[3], columns[4]);
                                    return columns;
                                  })};
  };
  const auto good = square("30x30, 5 a row", true).matrix;
  const auto bad = square("30x30, the last row out of order", false).matrix;
  const std::vector<T> numbers(30, T(1));
  const dense_view<const T> x{numbers.data(), 30, 1, 1, 1};
  const dense_view<const T> y{numbers.data(), 1, 30, 30, 1};
  spgemm_trials<T, Index> trials(options, book, 0);
  const operand_pair<T, Index> pair{"30x30, the last row out of order", "an operand out of order", good, bad};
  const auto expect = [&](const char* row, std::function<csr_matrix<T, Index>(const spgemm_options&)> compute) {
    trials.expect_refusal(pair, {row, {}, std::move(compute)});
  };
  expect("multiply", [&](const spgemm_options& how) { return multiply(bad, good, how); });
  expect("multiply", [&](const spgemm_options& how) { return multiply(good, bad, how); });
  expect("multiply_in_slabs", [&](const spgemm_options& how) {
    spgemm_report unread;
    return joined_slabs(pair, how, unread);
  });
  expect("multiply_add", [&](const spgemm_options& how) { return multiply_add(good, good, bad, how); });
  expect("multiply_transposed", [&](const spgemm_options& how) { return multiply_transposed(bad, how); });
  expect("triple_product", [&](const spgemm_options& how) { return triple_product(bad, good, how); });
  expect("triple_product", [&](const spgemm_options& how) { return triple_product(good, bad, how); });
  expect("multiply_masked",
         [&](const spgemm_options& how) { return multiply_masked(good, good, bad, mask_side::stored, plain(how)); });
  expect("multiply_masked", [&](const spgemm_options& how) {
    return multiply_masked(good, bad, good, mask_side::complement, plain(how));
  });
  expect("sddmm", [&](const spgemm_options& how) { return sddmm(bad, x, y, plain(how)); });
  expect("add", [&](const spgemm_options&) { return add(bad, good); });
  expect("add", [&](const spgemm_options&) { return add(good, bad); });
}

/// Products whose reference would take too long are left to --all, the longest are left out.
[[nodiscard]] inline std::int64_t most_products(bool all) { return all ? 3'000'000 : 100'000; }

template <value T, index Index>
void sweep_pair(const sweep_options& options, ledger& book, const operand_pair<T, Index>& pair, std::uint64_t number) {
  if (products_of(pair.a, pair.b) > most_products(options.all)) return;
  spgemm_trials<T, Index> trials(options, book, number);
  trials.run(*operations_of(pair, number));
  for (std::uint64_t which = 0; which < 3; ++which)
    if (options.all || which == number % 3) trials.run(*operations_of(iso_pair(pair, which), number));
}

template <value T, index Index> void sweep_spgemm_index(const sweep_options& options, ledger& book) {
  sweep_refusals<T, Index>(options, book);
  const auto reals = test_matrices<T, Index>(entries::reals);
  for (std::uint64_t m = 0; m < reals.size(); ++m) {
    if (options.all || (m + sizeof(T) / 4 + sizeof(Index) / 8) % 3 == 0) {
      for (const auto& pair : pairs_of(reals[m])) sweep_pair(options, book, pair, m);
      for (const auto& pair : pairs_of(with_whole_numbers(reals[m])))
        if (products_of(pair.a, pair.b) <= most_products(options.all))
          spgemm_trials<T, Index>(options, book, m).run(*exact_operations_of(pair));
    }
    options.stepped();
  }
  std::uint64_t number = reals.size();
  for (const auto& pair : larger_pairs<T, Index>()) {
    ++number;
    if (options.all || sizeof(Index) == 4 || number % 4 == sizeof(T) / 8 % 4)
      spgemm_trials<T, Index>(options, book, number).run(*operations_of(pair, number));
  }
  options.stepped();
}

template <value T> void sweep_spgemm(const sweep_options& options, ledger& book) {
  sweep_spgemm_index<T, std::int32_t>(options, book);
  sweep_spgemm_index<T, std::int64_t>(options, book);
}

}  // namespace lacis::verification
