// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The operations of a solver on one system, timed.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <lacis/operator.hpp>
#include <lacis/solve.hpp>

namespace lacis::solver {

/// What a solver spends its time on.
enum class operation {
  apply,
  apply_and_dot,
  adjoint,
  precondition,
  dot,
  update,
  update_and_square,
  advance,
  dots,
  combine,
  gram,
  combine_blocks
};
inline constexpr std::array<std::string_view, 12> operation_names = {
    "A x",         "A x and dot",       "A^H x",           "preconditioner", "dot",
    "update",      "update and square", "x and direction", "dot products",   "combination",
    "Gram matrix", "combinations"};

/// A, the preconditioner and the space that their vectors live in.
template <value T> class operations {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  operations(const linear_operator<T>& a, const linear_operator<T>* preconditioner)
      : a_(a), preconditioner_(preconditioner), space_(a.space()) {}

  [[nodiscard]] std::int64_t rows() const { return a_.rows(); }
  [[nodiscard]] std::int64_t cols() const { return a_.cols(); }
  [[nodiscard]] bool is_preconditioned() const { return preconditioner_ != nullptr; }
  /// Whether the preconditioner may change from step to step.
  [[nodiscard]] bool is_flexible() const { return is_preconditioned() && preconditioner_->is_variable(); }
  [[nodiscard]] vector_space<T>& space() const { return space_; }
  [[nodiscard]] vector zeros(std::int64_t size) { return space_.zeros(size); }

  /// From here on A / 2^of_a and M / 2^of_m take the place of A and M.
  void scale_operators(int of_a, int of_m) {
    exponent_of_a_ = of_a;
    exponent_of_m_ = of_m;
  }
  [[nodiscard]] int exponent_of_a() const { return exponent_of_a_; }
  [[nodiscard]] int exponent_of_m() const { return exponent_of_m_; }
  /// While it is set, residual() takes x for zero and spares the product.
  void assume_zero(bool x_is_zero) { x_is_zero_ = x_is_zero; }

  /// y = A x.
  void apply(const vector& x, const vector& y) {
    const timer t(*this, operation::apply, a_.moved_bytes());
    scaled(exponent_of_a_, scaled_cols_, x, y, [&](const vector& from) { a_.apply(from, y); });
  }
  /// y[i] = A x[i].
  void apply_to_each(std::span<const vector> x, std::span<const vector> y) {
    if (exponent_of_a_ != 0) {
      for (std::size_t i = 0; i < x.size(); ++i) apply(x[i], y[i]);
      return;
    }
    const auto count = static_cast<std::int64_t>(x.size());
    const timer t(*this, operation::apply, a_.moved_bytes_of_each(count), count);
    a_.apply_to_each(x, y);
  }
  /// y = A x, x^H y.
  T apply_and_dot(const vector& x, const vector& y) {
    const timer t(*this, operation::apply_and_dot, a_.moved_bytes());
    if (exponent_of_a_ == 0) return a_.apply_and_dot(x, y);
    scaled(exponent_of_a_, scaled_cols_, x, y, [&](const vector& from) { a_.apply(from, y); });
    return space_.dot(x, y);
  }
  /// y = A^H x.
  void apply_adjoint(const vector& x, const vector& y) {
    const timer t(*this, operation::adjoint, a_.moved_bytes());
    scaled(exponent_of_a_, scaled_rows_, x, y, [&](const vector& from) { a_.apply_adjoint(from, y); });
  }
  /// z = M r; without a preconditioner a copy.
  void precondition(const vector& r, const vector& z) {
    if (preconditioner_ == nullptr) return copy(r, z);
    const timer t(*this, operation::precondition, preconditioner_->moved_bytes());
    scaled(exponent_of_m_, scaled_rows_, r, z, [&](const vector& from) { preconditioner_->apply(from, z); });
  }
  /// r = b - A x.
  void residual(const vector& b, const vector& x, const vector& r) {
    if (x_is_zero_) return copy(b, r);
    apply(x, r);
    axpby(T(1), b, T(-1), r);
  }

  /// linear_operator::bound_rounding().
  bool bound_rounding(const vector& x, const vector& y) {
    const timer t(*this, operation::apply, a_.moved_bytes());
    bool is_known = false;
    scaled(exponent_of_a_, scaled_cols_, x, y, [&](const vector& from) { is_known = a_.bound_rounding(from, y); });
    return is_known;
  }
  /// linear_operator::precise_residual(), where that of bound_rounding() is known.
  void precise_residual(const vector& b, const vector& x, const vector& r) {
    const timer t(*this, operation::apply, a_.moved_bytes());
    scaled(exponent_of_a_, scaled_cols_, x, r, [&](const vector& from) {
      const int before = exponent_of_a_ - exponent_of_a_ / 2;  // what scaled() takes back
      if (before == 0) return a_.precise_residual(b, from, r);
      if (!scaled_rows_) scaled_rows_ = zeros(b.size());
      space_.axpby(T(std::ldexp(real(1), before)), b, T(0), *scaled_rows_);
      return a_.precise_residual(*scaled_rows_, from, r);
    });
  }

  T dot(const vector& x, const vector& y) {
    const timer t(*this, operation::dot, bytes(x, x.data() == y.data() ? 1 : 2));
    return space_.dot(x, y);
  }
  real square(const vector& x) { return std::real(dot(x, x)); }
  /// |x|, also where the squares of its elements leave the range of the type.
  real length(const vector& x) {
    constexpr real smallest = std::numeric_limits<real>::min() / std::numeric_limits<real>::epsilon();
    const real sum = square(x);
    return sum > smallest && std::isfinite(sum) ? std::sqrt(sum) : space_.norm(x);
  }

  void axpby(T alpha, const vector& x, T beta, const vector& y) {
    const timer t(*this, operation::update, bytes(x, (alpha == T(0) ? 0 : 1) + (beta == T(0) ? 1 : 2)));
    space_.axpby(alpha, x, beta, y);
  }
  void axpy(T alpha, const vector& x, const vector& y) { axpby(alpha, x, T(1), y); }
  void copy(const vector& x, const vector& y) { axpby(T(1), x, T(0), y); }
  void clear(const vector& x) { axpby(T(0), x, T(0), x); }
  void scale(T alpha, const vector& x) { axpby(T(0), x, alpha, x); }

  /// Times a power of two, in steps that stay in the range of the type.
  void scale_by_power(const vector& x, int exponent) {
    constexpr int step = std::numeric_limits<real>::max_exponent - 24;
    const int steps = 2 + std::abs(exponent) / step;
    for (int k = 0; k < steps; ++k) {
      const int part = exponent / (steps - k);
      if (part != 0) scale(T(std::ldexp(real(1), part)), x);
      exponent -= part;
    }
  }

  /// y = y + alpha x, then |y|^2.
  real axpy_and_square(T alpha, const vector& x, const vector& y) {
    const timer t(*this, operation::update_and_square, bytes(x, 3));
    return std::real(space_.axpy_and_square(alpha, x, y));
  }
  /// x = x + alpha p, then p = z + beta p.
  void advance(T alpha, const vector& x, const vector& z, T beta, const vector& p) {
    const timer t(*this, operation::advance, bytes(x, 5));
    space_.advance(alpha, x, z, beta, p);
  }
  void dots(std::span<const vector> basis, const vector& x, std::span<T> products) {
    const timer t(*this, operation::dots, bytes(x, static_cast<std::int64_t>(basis.size()) + 1));
    space_.dots(basis, x, products);
  }
  void add_combination(std::span<const T> factors, std::span<const vector> basis, const vector& x) {
    const timer t(*this, operation::combine, bytes(x, static_cast<std::int64_t>(basis.size()) + 2));
    space_.add_combination(factors, basis, x);
  }
  /// y[j] = y[j] + the sum of factors[i y.size() + j] x[i].
  void add_combinations(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
    const timer t(*this, operation::combine, bytes(x, 1) + bytes(y, 2));
    space_.add_combinations(factors, x, y);
  }
  /// products[i y.size() + j] = x[i]^H y[j].
  void gram(std::span<const vector> x, std::span<const vector> y, std::span<T> products) {
    const timer t(*this, operation::gram, bytes(y, x.data() == y.data() ? 0 : 1) + bytes(x, 1));
    space_.gram(x, y, products);
  }
  /// y[j] = the sum of factors[i y.size() + j] x[i].
  void combine(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
    const timer t(*this, operation::combine_blocks, bytes(x, 1) + bytes(y, 1));
    space_.combine(factors, x, y);
  }

  /// What was done, the longest first.
  [[nodiscard]] std::vector<solve_share> shares() const;

 private:
  /// y = 2^-exponent A x, half of the factor before the product and half behind it: both stay in range. All ranks make
  /// `before` at the same time, also those that hold no element.
  template <class Product>
  void scaled(int exponent, std::optional<vector>& held, const vector& x, const vector& y, Product&& product) {
    if (exponent == 0) return static_cast<void>(product(x));
    if (!held) held = zeros(x.size());
    const vector& before = *held;
    const int half = exponent / 2;
    space_.axpby(T(std::ldexp(real(1), -half)), x, T(0), before);
    static_cast<void>(product(before));
    space_.axpby(T(0), y, T(std::ldexp(real(1), half - exponent)), y);
  }

  struct record {
    std::int64_t calls = 0;
    double seconds = 0;
    double bytes = 0;
    bool known = true;  ///< what the bytes of every call were
  };

  class timer {
   public:
    timer(operations& all, operation what, std::int64_t bytes, std::int64_t calls = 1)
        : record_(all.records_[static_cast<std::size_t>(what)]), begin_(std::chrono::steady_clock::now()) {
      record_.bytes += static_cast<double>(bytes);
      record_.known = record_.known && bytes > 0;
      record_.calls += calls;
    }
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;
    ~timer() { record_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

   private:
    record& record_;
    std::chrono::steady_clock::time_point begin_;
  };

  static std::int64_t bytes(const vector& x, std::int64_t times) {
    return x.size() * times * static_cast<std::int64_t>(sizeof(T));
  }

  static std::int64_t bytes(std::span<const vector> x, std::int64_t times) {
    return x.empty() ? 0 : bytes(x[0], times * static_cast<std::int64_t>(x.size()));
  }

  const linear_operator<T>& a_;
  const linear_operator<T>* preconditioner_;
  vector_space<T>& space_;
  int exponent_of_a_ = 0;
  int exponent_of_m_ = 0;
  bool x_is_zero_ = false;
  std::optional<vector> scaled_rows_;
  std::optional<vector> scaled_cols_;
  std::array<record, operation_names.size()> records_ = {};
};

template <value T> std::vector<solve_share> operations<T>::shares() const {
  std::vector<solve_share> all;
  for (std::size_t i = 0; i < records_.size(); ++i)
    if (records_[i].calls > 0)
      all.push_back({std::string(operation_names[i]), records_[i].calls, records_[i].seconds,
                     records_[i].known ? records_[i].bytes : 0});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return all;
}

}  // namespace lacis::solver
