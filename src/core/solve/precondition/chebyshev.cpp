// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A Chebyshev polynomial of a matrix as a preconditioner.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <lacis/precondition.hpp>

#include "solve/precondition/block_preconditioner.hpp"
#include "solve/precondition/fused_steps.hpp"
#include "solve/precondition/make.hpp"
#include "solve/precondition/polynomial.hpp"

namespace lacis::solver {
namespace {

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
          diagonal(a, 0, {.kind = preconditioner_kind::jacobi, .threads = options.threads, .device = options.device}, 1,
                   {}),
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

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_chebyshev(const csr_view<T, Index>& a, std::int64_t,
                                                  const preconditioner_options& options) {
  return std::make_unique<polynomial_preconditioner<T, Index>>(a, options);
}

#define LACIS_INSTANTIATE(T, Index) LACIS_INSTANTIATE_MAKE(make_chebyshev, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver
