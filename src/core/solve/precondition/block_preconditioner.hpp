// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners that are dense blocks on the diagonal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>

#include "base/pieces.hpp"
#include "base/text.hpp"
#include "solve/device_space.hpp"
#include "solve/precondition/dense_inverse.hpp"
#include "summation/environment.hpp"

namespace lacis::solver {

/// A space of its own, so that references to it stay when the operators behind a preconditioner are replaced.
template <class T> std::unique_ptr<vector_space<T>> space_for(const preconditioner_options& options) {
  if (options.device.kind == device_kind::cpu) return make_host_space<T>({.threads = options.threads});
  return std::make_unique<device_space<T>>(device_context(options.device));
}

/// Makes rows `first` to `last` of a preconditioner of dense blocks on the diagonal from the same rows of A, whose
/// diagonal begins in column `shift`: its block, row after row. False: there is none.
template <class T, class Index>
using block_rule = bool (*)(const csr_view<T, Index>& a, std::int64_t shift, std::int64_t first, std::int64_t last,
                            std::vector<T>& block);

/// The inverse of that block of A.
template <class T, class Index>
bool inverse_block(const csr_view<T, Index>& a, std::int64_t shift, std::int64_t first, std::int64_t last,
                   std::vector<T>& block) {
  const auto size = static_cast<std::size_t>(last - first);
  block.assign(size * size, T(0));
  for (std::int64_t i = first; i < last; ++i)
    for (std::int64_t e = a.row_offsets[static_cast<std::size_t>(i)];
         e < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++e) {
      const std::int64_t j = a.columns[static_cast<std::size_t>(e)] - shift;
      if (j >= first && j < last)
        block[static_cast<std::size_t>((i - first) * (last - first) + j - first)] = a.values[e];
    }
  return invert_dense(std::span<T>(block), size);
}

/// Dense blocks on the diagonal, as a matrix whose product is the preconditioner: any space can do it.
template <class T, class Index> class block_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  /// `shift` is the column of row 0's diagonal entry, `words` what it says of itself.
  block_preconditioner(const csr_view<T, Index>& a, std::int64_t shift, const preconditioner_options& options,
                       std::int64_t block, std::string words, block_rule<T, Index> rule = inverse_block<T, Index>)
      : options_(options),
        shift_(shift),
        block_(block),
        words_(std::move(words)),
        rule_(rule),
        given_{a.rows, a.cols, buffer<std::int64_t>(a.row_offsets), buffer<Index>(a.columns), {}},
        space_(space_for<T>(options)),
        inverse_(pattern(a.rows)) {
    fill(a, inverse_.values.data);
    plan_.emplace(multiply_inspect(inverse_, {.device = options.device, .threads = options.threads}));
    product_ = make_operator(*plan_);
  }

  [[nodiscard]] std::int64_t rows() const override { return inverse_.rows; }
  [[nodiscard]] std::int64_t cols() const override { return inverse_.cols; }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  void apply(const vector& x, const vector& y) const override { product_->apply(x, y); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return product_->moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return plan_->storage_bytes(); }
  [[nodiscard]] std::string describe() const override { return words_; }
  /// The values of the inverse, row by row.
  [[nodiscard]] std::span<const T> values() const { return inverse_.values.data; }
  /// The matrix with these values.
  [[nodiscard]] csr_view<T, Index> matrix(std::span<const T> values) const {
    if (static_cast<std::int64_t>(values.size()) != given_.columns.size())
      throw error(errc::invalid_argument, detail::text("the matrix has ", given_.columns.size(), " entries; these are ",
                                                       values.size(), " values"));
    return {given_.rows, given_.cols, given_.row_offsets, given_.columns, {values, false}};
  }
  void update_values(std::span<const T> values) override {
    values_array<T> inverse(inverse_.nnz());
    fill(matrix(values), inverse.data);
    plan<T, Index> next = *plan_;  // shared: the new values go to a copy
    lacis::update_values(next, inverse.data);
    auto product = make_operator(next);
    // Nothing throws from here on.
    inverse_.values = std::move(inverse);
    plan_ = std::move(next);
    product_ = std::move(product);
  }

 private:
  /// Whole blocks, the last one cut at the end.
  csr_matrix<T, Index> pattern(std::int64_t rows) const {
    csr_matrix<T, Index> m{rows, rows, buffer<std::int64_t>(rows + 1), {}, {}};
    std::int64_t entries = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      m.row_offsets[i] = entries;
      const std::int64_t first = i / block_ * block_;
      entries += std::min(first + block_, rows) - first;
    }
    m.row_offsets[rows] = entries;
    m.columns = buffer<Index>(entries);
    m.values = values_array<T>(entries);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t k = m.row_offsets[i]; k < m.row_offsets[i + 1]; ++k)
        m.columns[k] = static_cast<Index>(i / block_ * block_ + k - m.row_offsets[i]);
    return m;
  }

  void fill(const csr_view<T, Index>& a, std::span<T> inverse) const {
    const std::int64_t blocks = (a.rows + block_ - 1) / block_;
    detail::parallel_piece_ranges(blocks, a.rows * block_, [&](std::int64_t begin, std::int64_t end) {
      const summation::rounding_guard guard;
      std::vector<T> block;
      for (std::int64_t b = begin; b < end; ++b)
        invert(a, b * block_, std::min((b + 1) * block_, a.rows), block, inverse);
    });
  }

  void invert(const csr_view<T, Index>& a, std::int64_t first, std::int64_t last, std::vector<T>& block,
              std::span<T> inverse) const {
    if (!rule_(a, shift_, first, last, block))
      throw error(
          errc::invalid_matrix,
          detail::text(name_of(options_.kind), ": the diagonal ", last - first == 1 ? "entry" : "block", " of row ",
                       first, ", counted from 0, is missing or singular; use another preconditioner"));
    std::copy(block.begin(), block.end(), inverse.data() + inverse_.row_offsets[first]);
  }

  preconditioner_options options_;
  std::int64_t shift_;
  std::int64_t block_;
  std::string words_;
  block_rule<T, Index> rule_;
  csr_matrix<T, Index> given_;  ///< the pattern of A
  std::unique_ptr<vector_space<T>> space_;
  csr_matrix<T, Index> inverse_;
  std::optional<plan<T, Index>> plan_;
  std::unique_ptr<linear_operator<T>> product_;
};

}  // namespace lacis::solver
