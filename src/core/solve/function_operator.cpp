// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A function of the caller as an operator on vectors in host memory.
#include <utility>

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"
#include "solve/square.hpp"

namespace lacis::detail {
namespace {

template <class T> class function_operator final : public linear_operator<T> {
 public:
  using typename linear_operator<T>::vector;

  function_operator(std::int64_t rows, std::int64_t cols, vector_function<T> apply, vector_function<T> adjoint,
                    const multiply_options& options)
      : rows_(rows),
        cols_(cols),
        apply_(std::move(apply)),
        adjoint_(std::move(adjoint)),
        space_(make_host_space<T>(options)) {}

  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] std::int64_t cols() const override { return cols_; }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  void apply(const vector& x, const vector& y) const override { apply_(elements(x), elements(y)); }
  void apply_adjoint(const vector& x, const vector& y) const override {
    if (!adjoint_)
      throw error(errc::unsupported,
                  "the method needs products with the adjoint; give make_operator a second function, which computes "
                  "y = A^H x");
    adjoint_(elements(x), elements(y));
  }
  T apply_and_dot(const vector& x, const vector& y) const override {
    solver::require_square(*this);
    return linear_operator<T>::apply_and_dot(x, y);
  }

 private:
  static std::span<T> elements(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  std::int64_t rows_;
  std::int64_t cols_;
  vector_function<T> apply_;
  vector_function<T> adjoint_;
  std::unique_ptr<vector_space<T>> space_;
};

}  // namespace

template <class T>
std::unique_ptr<linear_operator<T>> make_function_operator(std::int64_t rows, std::int64_t cols,
                                                           vector_function<T> apply, vector_function<T> adjoint,
                                                           const multiply_options& options) {
  if (rows < 0 || cols < 0)
    throw error(errc::invalid_argument, text("an operator cannot have ", rows, " rows and ", cols, " columns"));
  if (!apply) throw error(errc::invalid_argument, "make_operator needs a function that computes y = A x");
  return std::make_unique<function_operator<T>>(rows, cols, std::move(apply), std::move(adjoint), options);
}

#define LACIS_INSTANTIATE(T)                                                        \
  template LACIS_API std::unique_ptr<linear_operator<T>> make_function_operator<T>( \
      std::int64_t, std::int64_t, vector_function<T>, vector_function<T>, const multiply_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::detail
