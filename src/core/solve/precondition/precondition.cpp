// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners that are products: the inverse of a diagonal or of blocks on it, and polynomials.
#include <array>
#include <cmath>

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "solve/device_space.hpp"
#include "solve/multigrid/preconditioner.hpp"
#include "solve/precondition/dense_inverse.hpp"
#include "solve/precondition/fused_steps.hpp"
#include "solve/precondition/polynomial.hpp"
#include "solve/precondition/triangular_preconditioner.hpp"
#include "solve/scalars.hpp"
#include "summation/environment.hpp"

namespace lacis {

std::string_view name_of(preconditioner_kind kind) {
  constexpr std::array<std::string_view, preconditioner_kinds> names = {"jacobi", "block-jacobi", "ssor", "ilu0",
                                                                        "ic0",    "chebyshev",    "amg"};
  return names[static_cast<std::size_t>(kind)];
}

namespace solver {
namespace {

/// A space of its own, so that references to it stay when the operators behind a preconditioner are replaced.
template <class T> std::unique_ptr<vector_space<T>> space_for(const preconditioner_options& options) {
  if (options.device.kind == device_kind::cpu) return make_host_space<T>({.threads = options.threads});
  return std::make_unique<device_space<T>>(device_context(options.device));
}

/// The inverses of the blocks on the diagonal, as a matrix whose product is the preconditioner: any space can do it.
template <class T, class Index> class block_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  block_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options, std::int64_t block)
      : options_(options),
        block_(block),
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
  [[nodiscard]] std::string describe() const override {
    if (block_ == 1) return "Jacobi: divides by the diagonal";
    return detail::text("block Jacobi: solves with the blocks of ", block_, " rows on the diagonal");
  }
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
    const auto size = static_cast<std::size_t>(last - first);
    block.assign(size * size, T(0));
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t e = a.row_offsets[static_cast<std::size_t>(i)];
           e < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++e) {
        const std::int64_t j = a.columns[static_cast<std::size_t>(e)];
        if (j >= first && j < last)
          block[static_cast<std::size_t>((i - first) * (last - first) + j - first)] = a.values[e];
      }
    if (!invert_dense(std::span<T>(block), size))
      throw error(errc::invalid_matrix,
                  detail::text(name_of(options_.kind), ": the diagonal ", size == 1 ? "entry" : "block", " of row ",
                               first, ", counted from 0, is missing or singular; use another preconditioner"));
    std::copy(block.begin(), block.end(), inverse.data() + inverse_.row_offsets[first]);
  }

  preconditioner_options options_;
  std::int64_t block_;
  csr_matrix<T, Index> given_;  ///< the pattern of A
  std::unique_ptr<vector_space<T>> space_;
  csr_matrix<T, Index> inverse_;
  std::optional<plan<T, Index>> plan_;
  std::unique_ptr<linear_operator<T>> product_;
};

/// A polynomial in D^-1 A.
template <class T, class Index> class polynomial_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  polynomial_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options)
      : options_(options),
        space_(space_for<T>(options)),
        parts_(std::make_unique<parts>(
            detail::multiply_inspect(a, {.device = options.device, .threads = options.threads}), a, options)) {}

  [[nodiscard]] std::int64_t rows() const override { return parts_->matrix.rows(); }
  [[nodiscard]] std::int64_t cols() const override { return parts_->matrix.cols(); }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return options_.degree * parts_->product->moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override {
    return parts_->matrix.storage_bytes() + parts_->diagonal.storage_bytes();
  }
  [[nodiscard]] std::string describe() const override { return parts_->steps.describe(); }
  void update_values(std::span<const T> values) override {
    const csr_view<T, Index> a = parts_->diagonal.matrix(values);
    plan<T, Index> next = parts_->matrix;  // shared: the new values go to a copy
    lacis::update_values(next, values);
    parts_ = std::make_unique<parts>(std::move(next), a, options_);
  }
  void apply(const vector& x, const vector& y) const override { parts_->steps.apply(x, y); }

 private:
  /// What depends on values. Each refers to those before it.
  struct parts {
    plan<T, Index> matrix;
    block_preconditioner<T, Index> diagonal;
    std::unique_ptr<linear_operator<T>> product;
    polynomial<T> steps;

    parts(plan<T, Index> prepared, const csr_view<T, Index>& a, const preconditioner_options& options)
        : matrix(std::move(prepared)),
          diagonal(a, {.kind = preconditioner_kind::jacobi, .threads = options.threads, .device = options.device}, 1),
          product(make_operator(matrix)),
          steps(*product, diagonal, options.degree, interval{options.smallest_eigenvalue, options.largest_eigenvalue},
                options.device.kind == device_kind::cpu ? fused_steps(matrix, diagonal.values())
                                                        : typename polynomial<T>::all_steps{}) {}
  };

  preconditioner_options options_;
  std::unique_ptr<vector_space<T>> space_;
  std::unique_ptr<parts> parts_;
};

}  // namespace
}  // namespace solver

namespace detail {

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>& a,
                                                       const preconditioner_options& options) {
  if (a.rows != a.cols)
    throw error(errc::invalid_matrix, text(name_of(options.kind), ": the matrix is ", a.rows, " x ", a.cols,
                                           "; preconditioners are for square ones"));
  require_canonical(a, name_of(options.kind));
  switch (options.kind) {
    case preconditioner_kind::jacobi:
      return std::make_unique<solver::block_preconditioner<T, Index>>(a, options, 1);
    case preconditioner_kind::block_jacobi:
      if (options.block < 1 || options.block > 32)
        throw error(errc::invalid_argument, text("blocks of ", options.block, " rows; 1 to 32 are possible"));
      return std::make_unique<solver::block_preconditioner<T, Index>>(a, options, options.block);
    case preconditioner_kind::chebyshev:
      return std::make_unique<solver::polynomial_preconditioner<T, Index>>(a, options);
    case preconditioner_kind::ssor:
    case preconditioner_kind::ilu0:
    case preconditioner_kind::ic0:
      return solver::make_triangular_preconditioner(a, options);
    case preconditioner_kind::amg:
      return multigrid::make_multigrid_preconditioner(a, options);
  }
  throw error(errc::invalid_argument, "there is no such preconditioner");
}

#define LACIS_INSTANTIATE(T, Index)                                                                    \
  template LACIS_API std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>&, \
                                                                            const preconditioner_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace detail
}  // namespace lacis
