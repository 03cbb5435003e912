// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The model that structural operations are tested against: a map from places to the values stored there.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <omp.h>
#include <optional>
#include <utility>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/error.hpp>

#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {

using structure_types =
    testing::Types<csr_matrix<double>, csr_matrix<std::complex<float>>, csr_matrix<float, std::int64_t>>;

/// Row-major by nature, so it is what a matrix with sorted rows holds.
template <value Value> struct model {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Value>> places;
  std::optional<Value> iso;
};

template <value Value, index Index> model<Value> model_of(const csr_matrix<Value, Index>& a) {
  model<Value> m{a.rows, a.cols, {}, {}};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      m.places[{i, a.columns[k]}].push_back(a.values[k]);
  if (a.values.iso) m.iso = a.values.data[0];
  return m;
}

/// A model of the same kind with the places of another size still to come.
template <value Value> model<Value> without_places(const model<Value>& m, std::int64_t rows, std::int64_t cols) {
  return {rows, cols, {}, m.iso};
}

template <class Matrix> Matrix matrix_of(const model<typename Matrix::value_type>& m) {
  using Value = typename Matrix::value_type;
  using Index = typename Matrix::index_type;
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(m.rows) + 1, 0);
  std::vector<Index> columns;
  std::vector<Value> values;
  for (const auto& [place, stored] : m.places)
    for (const Value& v : stored) {
      ++offsets[static_cast<std::size_t>(place.first) + 1];
      columns.push_back(static_cast<Index>(place.second));
      values.push_back(v);
    }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return {
      m.rows, m.cols, buffer<std::int64_t>(std::span<const std::int64_t>(offsets)),
      buffer<Index>(std::span<const Index>(columns)),
      m.iso ? values_array<Value>::same(*m.iso) : values_array<Value>(buffer<Value>(std::span<const Value>(values)))};
}

/// A matrix of the test matrices and its model.
template <class Matrix> struct modelled_matrix {
  std::string name;
  Matrix matrix;
  model<typename Matrix::value_type> places;
};

/// The test matrices, and matrices large enough for several threads: scattered, local, with one full column, iso.
template <class Matrix> const std::vector<modelled_matrix<Matrix>>& structure_test_matrices() {
  using Value = typename Matrix::value_type;
  using Index = typename Matrix::index_type;
  static const std::vector<modelled_matrix<Matrix>> made = [] {
    auto all = quick_test_matrices<Value, Index>(entries::reals);
    const auto add = [&](std::string name, std::int64_t rows, std::int64_t cols,
                         const std::function<std::vector<std::int64_t>(std::int64_t)>& columns_of, bool iso = false) {
      all.push_back({std::move(name), from_rows<Value, Index>(rows, cols, entries::reals, columns_of, iso)});
    };
    add("scattered 2500x7000, 6 a row", 2500, 7000, [](auto i) { return random_columns(i, 6, 7000, 21); });
    add("scattered 4200x4200, 3 a row", 4200, 4200, [](auto i) { return random_columns(i, 3, 4200, 22); });
    add("banded 5000", 5000, 5000,
        [](auto i) { return consecutive(std::max<std::int64_t>(0, i - 1), std::min<std::int64_t>(5000, i + 2)); });
    add("one full column among scattered ones", 7000, 5000, [](std::int64_t i) {
      auto columns = random_columns(i, 1, 4999, 23);
      columns.push_back(4999);
      return columns;
    });
    add("iso scattered 4200x4200, 3 a row", 4200, 4200, [](auto i) { return random_columns(i, 3, 4200, 24); }, true);
    std::vector<modelled_matrix<Matrix>> modelled;
    for (auto& [name, matrix] : all) {
      auto places = model_of(matrix);
      modelled.push_back({name, std::move(matrix), std::move(places)});
    }
    return modelled;
  }();
  return made;
}

/// A matrix whose rows are neither sorted nor free of duplicates.
template <class Matrix> Matrix disordered(std::int64_t rows, std::int64_t cols, bool iso = false) {
  return from_rows<typename Matrix::value_type, typename Matrix::index_type>(
      rows, cols, entries::reals,
      [=](std::int64_t i) {
        std::vector<std::int64_t> columns;
        for (std::int64_t k = 0; k < i % 70; ++k)
          columns.push_back(static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(i * 131 + k)) %
                                                      static_cast<std::uint64_t>(cols)));
        return columns;
      },
      iso);
}

/// Disordered, with a different value for each entry of a place.
template <class Matrix> Matrix disordered_and_distinct(std::int64_t rows, std::int64_t cols) {
  Matrix a = disordered<Matrix>(rows, cols);
  for (std::int64_t k = 0; k < a.nnz(); ++k)
    a.values.data[k] = entry_value<typename Matrix::value_type>(static_cast<std::uint64_t>(k), entries::reals);
  return a;
}

/// Every second place of a matrix, moved one row down: half of it meets the matrix again.
template <class Matrix> Matrix partner_of(const model<typename Matrix::value_type>& m, bool iso) {
  using V = typename Matrix::value_type;
  auto partner = without_places(m, m.rows, m.cols);
  partner.iso = iso ? std::optional(entry_value<V>(5, entries::reals)) : std::nullopt;
  for (const auto& [place, values] : m.places) {
    const bool moved = mix(static_cast<std::uint64_t>(place.first * 7 + place.second)) % 2 == 0;
    partner.places[{(place.first + (moved ? 1 : 0)) % m.rows, place.second}] = {
        iso ? *partner.iso : entry_value<V>(static_cast<std::uint64_t>(place.second), entries::reals)};
  }
  return matrix_of<Matrix>(partner);
}

/// check() under 1, 2, 3 and 7 threads.
template <class Check> void for_each_thread_count(Check&& check) {
  for (const int threads : {1, 2, 3, 7}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    omp_set_num_threads(threads);
    check();
  }
}

/// operation(matrix) has the bits of expected(model) for every matrix, whatever the number of threads. `expected`
/// returns a model, or nothing for a matrix that the operation is not for.
template <class Matrix, class Operation, class Expected>
void check_on_test_matrices(Operation&& operation, Expected&& expected) {
  for (const auto& [name, a, places] : structure_test_matrices<Matrix>()) {
    SCOPED_TRACE(name);
    const std::optional<model<typename Matrix::value_type>> wanted = expected(places);
    if (!wanted) continue;
    const Matrix matrix = with_plain_nans(matrix_of<Matrix>(*wanted));
    for_each_thread_count([&] { EXPECT_EQ(difference(with_plain_nans(operation(a)), matrix), ""); });
  }
}

/// A permutation of 0 .. size.
inline std::vector<std::int64_t> shuffled(std::int64_t size, std::uint64_t salt) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto key = [&](std::int64_t i) { return mix(salt * 1000003 + static_cast<std::uint64_t>(i)); };
  std::sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) { return key(i) < key(j); });
  return order;
}

/// The code and the message of the error that work() throws.
template <class Work> std::pair<std::optional<errc>, std::string> thrown_by(Work&& work) {
  try {
    work();
  } catch (const error& e) {
    return {e.code(), e.what()};
  }
  return {std::nullopt, "nothing was thrown"};
}

#define EXPECT_ERROR(expression, expected_code, expected_text)                      \
  do {                                                                              \
    const auto [code, message] = thrown_by([&] { static_cast<void>(expression); }); \
    EXPECT_EQ(code, expected_code);                                                 \
    EXPECT_EQ(message, expected_text);                                              \
  } while (false)

}  // namespace lacis::test
