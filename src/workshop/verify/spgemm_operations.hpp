// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every product of two sparse matrices, and what is related to it, with what its definition gives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/sddmm.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_composed.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/structure.hpp>

#include "summation/add.hpp"
#include "summation/sddmm.hpp"
#include "summation/spgemm.hpp"
#include "summation/spgemm_masked.hpp"
#include "verify/exact_product.hpp"
#include "verify/numbers.hpp"
#include "verify/spgemm_pairs.hpp"

namespace lacis::verification {

/// The rows of the table, in its order.
inline constexpr const char* spgemm_rows[] = {"multiply",
                                              "multiply, integers",
                                              "multiply_in_slabs",
                                              "multiply_fill",
                                              "multiply_add",
                                              "multiply_transposed",
                                              "triple_product",
                                              "multiply_masked",
                                              "multiply_masked, complement",
                                              "sddmm",
                                              "add"};

/// Something that gives a sparse matrix, and what that must be. What it refers to lives as long as the pair.
template <value T, index Index> struct spgemm_operation {
  std::string row;  ///< of the table
  csr_matrix<T, Index> expected;
  std::function<csr_matrix<T, Index>(const spgemm_options&)> compute;
};

/// A B from its slabs, put together again.
template <value T, index Index>
csr_matrix<T, Index> joined_slabs(const operand_pair<T, Index>& pair, const spgemm_options& how,
                                  spgemm_report& report) {
  std::vector<csr_matrix<T, Index>> slabs;
  std::int64_t rows = 0;
  multiply_in_slabs(
      pair.a, pair.b,
      [&](std::int64_t first_row, csr_matrix<T, Index> slab) {
        if (first_row != rows) throw error(errc::invalid_matrix, "slabs do not follow one another");
        rows += slab.rows;
        slabs.push_back(std::move(slab));
      },
      how, &report);
  if (!slabs.empty()) return vstack(slabs);
  return {.rows = 0, .cols = pair.b.cols, .row_offsets = buffer<std::int64_t>(1, 0), .columns = {}, .values = {}};
}

/// The same under the tightest memory limit that lets it through, to a sixteenth.
template <value T, index Index>
csr_matrix<T, Index> joined_small_slabs(const operand_pair<T, Index>& pair, spgemm_options how) {
  for (how.memory_limit = 1 << 20;; how.memory_limit += how.memory_limit / 16) {
    try {
      spgemm_report report;
      auto joined = joined_slabs(pair, how, report);
      if (report.slabs > 1) return joined;
      throw error(errc::invalid_argument, "no memory limit makes several slabs of this product");
    } catch (const error& problem) {
      if (problem.code() != errc::out_of_memory) throw;
    }
  }
}

/// Places in a matrix of the size of C: about one in `thinned` of those of C, and up to three others in each row.
template <value T, index Index>
csr_matrix<T, Index> places_about(const csr_matrix<T, Index>& c, std::uint64_t thinned) {
  return from_rows<T, Index>(c.rows, c.cols, entries::reals, [&](std::int64_t i) {
    std::vector<std::int64_t> places = random_columns(i, i % 4, c.cols, 61);
    for (std::int64_t p = c.row_offsets[i]; p < c.row_offsets[i + 1]; ++p)
      if (mix(static_cast<std::uint64_t>(i * 131 + c.columns[p])) % thinned == 0) places.push_back(c.columns[p]);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  });
}

/// What the operations of a pair share.
template <value T, index Index> struct operation_set {
  using matrix = csr_matrix<T, Index>;

  operation_set(operand_pair<T, Index> operands, matrix expected_product)
      : pair(std::move(operands)), product(std::move(expected_product)) {}
  operation_set(const operation_set&) = delete;
  operation_set& operator=(const operation_set&) = delete;

  operand_pair<T, Index> pair;
  matrix product;  ///< by its definition
  matrix places;   ///< the mask, and what is added
  matrix interpolation;
  std::vector<T> x;
  std::vector<T> y;
  std::vector<spgemm_operation<T, Index>> operations;

  void add(std::string row, matrix expected, std::function<matrix(const spgemm_options&)> compute) {
    operations.push_back({std::move(row), std::move(expected), std::move(compute)});
  }
};

[[nodiscard]] inline multiply_options plain(const spgemm_options& how) { return {how.threads, how.isa}; }

/// A matrix with the same pattern and 1 in every entry.
template <value T, index Index> csr_matrix<T, Index> all_ones(csr_matrix<T, Index> a) {
  for (T& each : a.values.data) each = T(1);
  return a;
}

/// A B in every way there is.
template <value T, index Index> void add_products(operation_set<T, Index>& all) {
  const auto& pair = all.pair;
  all.add("multiply", all.product, [&pair](const spgemm_options& how) { return multiply(pair.a, pair.b, how); });
  all.add("multiply_in_slabs", all.product, [&pair](const spgemm_options& how) {
    spgemm_report unread;
    return pair.several_slabs ? joined_small_slabs(pair, how) : joined_slabs(pair, how, unread);
  });
  all.add("multiply_fill", all.product, [&pair](const spgemm_options& how) {
    // Other values first, so that what a fill leaves of them is seen.
    const auto plan = multiply_compute(all_ones(pair.a), all_ones(pair.b), how);
    auto c = multiply_fill(plan, all_ones(pair.a), all_ones(pair.b), how);
    multiply_fill(plan, pair.a, pair.b, c, how);
    return c;
  });
}

/// A B + D, A A^T and P^T A P.
template <value T, index Index> void add_composed(operation_set<T, Index>& all) {
  const auto& pair = all.pair;
  all.add("multiply_add", summation::add(T(1), all.product.view(), T(1), all.places.view()),
          [&all](const spgemm_options& how) { return multiply_add(all.pair.a, all.pair.b, all.places, how); });
  if (pair.form == "A A^T")
    all.add("multiply_transposed", all.product,
            [&pair](const spgemm_options& how) { return multiply_transposed(pair.a, how); });
  if (pair.form != "A A") return;
  all.interpolation = from_rows<T, Index>(pair.a.rows, (pair.a.rows + 2) / 3, entries::reals, [](std::int64_t i) {
    return i % 3 == 1 ? consecutive(i / 3, i / 3 + 1) : consecutive(std::max<std::int64_t>(0, i / 3 - 1), i / 3 + 1);
  });
  const auto& p = all.interpolation;
  const auto inner = summation::spgemm(pair.a.view(), p.view());
  const auto turned = transpose(p);
  all.add("triple_product", summation::spgemm(turned.view(), inner.view()),
          [&all](const spgemm_options& how) { return triple_product(all.interpolation, all.pair.a, how); });
}

/// A B at the places of a mask and elsewhere, and a product of dense matrices there.
template <value T, index Index> void add_masked(operation_set<T, Index>& all, std::uint64_t number) {
  const auto mask = pattern_of(all.places);
  for (const mask_side side : {mask_side::stored, mask_side::complement})
    all.add(side == mask_side::stored ? "multiply_masked" : "multiply_masked, complement",
            summation::select(all.product.view(), mask, side), [&all, side](const spgemm_options& how) {
              return multiply_masked(all.pair.a, all.pair.b, all.places, side, plain(how));
            });
  constexpr std::int64_t widest = 100'000;
  if (mask.cols > widest) return;
  const auto depth = static_cast<std::int64_t>(mix(number) % 20);
  all.x = full_numbers<T>(mask.rows * depth, 62);
  all.y = full_numbers<T>(mask.cols * depth, 63);
  const dense_view<const T> x{all.x.data(), mask.rows, depth, depth, 1};
  const dense_view<const T> y = number % 2 == 0 ? dense_view<const T>{all.y.data(), depth, mask.cols, mask.cols, 1}
                                                : dense_view<const T>{all.y.data(), depth, mask.cols, 1, depth};
  all.add("sddmm", summation::sddmm(mask, x, y),
          [&all, x, y](const spgemm_options& how) { return sddmm(all.places, x, y, plain(how)); });
}

/// alpha C + beta D for the product and for other places.
template <value T, index Index> void add_sums(operation_set<T, Index>& all, std::uint64_t number) {
  const T alpha = number % 3 == 0 ? T(1) : full_number<T>(64);
  const T beta = number % 3 == 1 ? T(1) : full_number<T>(65);
  all.add("add", summation::add(alpha, all.product.view(), beta, all.places.view()),
          [&all, alpha, beta](const spgemm_options&) { return add(alpha, all.product, beta, all.places); });
}

/// Everything for one pair; `number` takes turns with depths, layouts and factors.
template <value T, index Index>
[[nodiscard]] std::unique_ptr<operation_set<T, Index>> operations_of(operand_pair<T, Index> pair,
                                                                     std::uint64_t number) {
  auto product = summation::spgemm(pair.a.view(), pair.b.view());
  auto all = std::make_unique<operation_set<T, Index>>(std::move(pair), std::move(product));
  all->places = places_about(all->product, number % 2 == 0 ? 3 : 61);  // with 61, rows of B are searched for them
  add_products(*all);
  add_composed(*all);
  add_masked(*all, number);
  add_sums(*all, number);
  return all;
}

/// The product of integers against integer arithmetic.
template <value T, index Index>
[[nodiscard]] std::unique_ptr<operation_set<T, Index>> exact_operations_of(operand_pair<T, Index> pair) {
  auto product = exact_product(pair.a, pair.b);
  auto all = std::make_unique<operation_set<T, Index>>(std::move(pair), std::move(product));
  const auto& held = all->pair;
  all->add("multiply, integers", all->product,
           [&held](const spgemm_options& how) { return multiply(held.a, held.b, how); });
  return all;
}

}  // namespace lacis::verification
