// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan as an operator, on the processor or on a device.
#include <algorithm>
#include <array>
#include <utility>

#include <lacis/device_multiply.hpp>
#include <lacis/error.hpp>
#include <lacis/operator.hpp>
#include <lacis/solve.hpp>

#include "base/instantiate.hpp"
#include "plan/entries.hpp"
#include "plan/layout.hpp"
#include "plan/multiply.hpp"
#include "solve/device_space.hpp"
#include "solve/square.hpp"
#include "summation/environment.hpp"

namespace lacis {

template <value T> void linear_operator<T>::apply_adjoint(const vector&, const vector&) const {
  throw error(errc::unsupported, "this operator has no adjoint, which the method needs");
}

namespace {

/// The side of a plan that is the adjoint: of a real matrix the transpose and the conjugate transpose are.
template <value T, index Index> side adjoint_side(const plan<T, Index>& matrix) {
  const plan_options& holds = matrix.internals()->options;
  const bool is_conjugate = is_complex<T> || (holds.conjugate_transpose && !holds.transpose);
  return is_conjugate ? side::conjugate_transposed : side::transposed;
}

template <value T, index Index> class plan_operator : public linear_operator<T> {
 public:
  explicit plan_operator(const plan<T, Index>& matrix) : plan_(matrix) {}

  [[nodiscard]] std::int64_t rows() const override { return plan_.rows(); }
  [[nodiscard]] std::int64_t cols() const override { return plan_.cols(); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return plan_.moved_bytes(); }
  [[nodiscard]] std::uint64_t hash() const override { return detail::entries_hash(plan_); }

 protected:
  plan<T, Index> plan_;
};

template <value T, index Index> class host_operator final : public plan_operator<T, Index> {
 public:
  using typename linear_operator<T>::vector;

  explicit host_operator(const plan<T, Index>& matrix)
      : plan_operator<T, Index>(matrix),
        space_(make_host_space<T>({.threads = matrix.internals()->options.threads, .isa = matrix.internals()->set})) {}

  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  void apply(const vector& x, const vector& y) const override { multiply_side(side::plain, x, y); }
  void apply_to_each(std::span<const vector> x, std::span<const vector> y) const override {
    auto memory = detail::take_workspace(this->plan_);
    for (std::size_t k = 0; k < x.size(); k += 2) {
      const std::size_t last = std::min(k + 1, x.size() - 1);
      const std::array<const T*, 2> from{x[k].data(), x[last].data()};
      const std::array<T*, 2> to{y[k].data(), y[last].data()};
      const std::size_t count = last - k + 1;
      detail::multiply_each(this->plan_, std::span<const T* const>(from).first(count),
                            std::span<T* const>(to).first(count), *memory);
    }
    detail::put_back(this->plan_, std::move(memory));
  }
  /// Two vectors read the arrays once.
  [[nodiscard]] std::int64_t moved_bytes_of_each(std::int64_t vectors) const override {
    const std::int64_t twice = detail::multiplies_two(this->plan_) ? vectors / 2 : 0;
    const std::int64_t of_vectors = (this->rows() + this->cols()) * static_cast<std::int64_t>(sizeof(T));
    return (vectors - twice) * this->moved_bytes() + twice * of_vectors;
  }
  void apply_adjoint(const vector& x, const vector& y) const override {
    multiply_side(adjoint_side(this->plan_), x, y);
  }
  [[nodiscard]] bool bound_rounding(const vector& x, const vector& y) const override {
    detail::bound_rounding(this->plan_, x.data(), y.data());
    return true;
  }
  [[nodiscard]] bool precise_residual(const vector& b, const vector& x, const vector& r) const override {
    detail::precise_residual(this->plan_, b.data(), x.data(), r.data());
    return true;
  }
  T apply_and_dot(const vector& x, const vector& y) const override {
    solver::require_square(*this);
    auto memory = detail::take_workspace(this->plan_);
    const auto nodes = detail::multiply_and_dot(this->plan_, read(x), 0, elements(y), 0, *memory);
    const summation::rounding_guard guard;
    const T product = nodes.total();
    detail::put_back(this->plan_, std::move(memory));
    return product;
  }

 private:
  static std::span<const T> read(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
  static std::span<T> elements(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
  void multiply_side(side which, const vector& x, const vector& y) const {
    auto memory = detail::take_workspace(this->plan_);
    detail::multiply(T(1), this->plan_, which, read(x), T(0), elements(y), *memory);
    detail::put_back(this->plan_, std::move(memory));
  }

  std::unique_ptr<vector_space<T>> space_;
};

template <value T, index Index> class device_operator final : public plan_operator<T, Index> {
 public:
  using typename linear_operator<T>::vector;

  explicit device_operator(const plan<T, Index>& matrix)
      : plan_operator<T, Index>(matrix), space_(device_context(matrix.internals()->options.device)) {}

  [[nodiscard]] vector_space<T>& space() const override { return space_; }
  void apply(const vector& x, const vector& y) const override { multiply_side(side::plain, x, y); }
  void apply_adjoint(const vector& x, const vector& y) const override {
    multiply_side(adjoint_side(this->plan_), x, y);
  }
  T apply_and_dot(const vector& x, const vector& y) const override {
    solver::require_square(*this);
    return linear_operator<T>::apply_and_dot(x, y);
  }

 private:
  void multiply_side(side which, const vector& x, const vector& y) const {
    detail::multiply(T(1), this->plan_, which, device_space<T>::there(x), T(0), device_space<T>::there(y),
                     space_.stream());
  }

  mutable device_space<T> space_;
};

}  // namespace

template <value T, index Index> std::unique_ptr<linear_operator<T>> make_operator(const plan<T, Index>& matrix) {
  if (matrix.internals()->options.device.kind != device_kind::cpu)
    return std::make_unique<device_operator<T, Index>>(matrix);
  return std::make_unique<host_operator<T, Index>>(matrix);
}

template <class T>
solve_report detail::solve_with(solve_method method, const linear_operator<T>& a, std::span<const T> b, std::span<T> x,
                                const method_options<T>& options) {
  return solve<T>(method, a, b, x, options, options.preconditioner.get());
}

template <class T, class Index>
solve_report detail::solve_with(solve_method method, const plan<T, Index>& a, std::span<const T> b, std::span<T> x,
                                const method_options<T>& options) {
  return solve_with<T>(method, *make_operator(a), b, x, options);
}

#define LACIS_INSTANTIATE(T, Index)                                                                           \
  template LACIS_API std::unique_ptr<linear_operator<T>> make_operator(const plan<T, Index>&);                \
  template LACIS_API solve_report detail::solve_with(solve_method, const plan<T, Index>&, std::span<const T>, \
                                                     std::span<T>, const method_options<T>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#define LACIS_INSTANTIATE_OPERATOR(T)                                                                             \
  template LACIS_API void linear_operator<T>::apply_adjoint(const vector&, const vector&) const;                  \
  template LACIS_API solve_report detail::solve_with(solve_method, const linear_operator<T>&, std::span<const T>, \
                                                     std::span<T>, const method_options<T>&);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_OPERATOR)

}  // namespace lacis
