// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The operations of a solver on one system, timed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
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
  combine
};
inline constexpr std::array<std::string_view, 10> operation_names = {
    "A x",    "A x and dot",       "A^H x",           "preconditioner", "dot",
    "update", "update and square", "x and direction", "dot products",   "combination"};

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
  [[nodiscard]] vector_space<T>& space() const { return space_; }
  [[nodiscard]] vector zeros(std::int64_t size) { return space_.zeros(size); }

  /// y = A x.
  void apply(const vector& x, const vector& y) {
    const timer t(*this, operation::apply, a_.moved_bytes());
    a_.apply(x, y);
  }
  /// y = A x, x^H y.
  T apply_and_dot(const vector& x, const vector& y) {
    const timer t(*this, operation::apply_and_dot, a_.moved_bytes());
    return a_.apply_and_dot(x, y);
  }
  /// y = A^H x.
  void apply_adjoint(const vector& x, const vector& y) {
    const timer t(*this, operation::adjoint, a_.moved_bytes());
    a_.apply_adjoint(x, y);
  }
  /// z = M r; without a preconditioner a copy.
  void precondition(const vector& r, const vector& z) {
    if (preconditioner_ == nullptr) return copy(r, z);
    const timer t(*this, operation::precondition, preconditioner_->moved_bytes());
    preconditioner_->apply(r, z);
  }
  /// r = b - A x.
  void residual(const vector& b, const vector& x, const vector& r) {
    apply(x, r);
    axpby(T(1), b, T(-1), r);
  }

  T dot(const vector& x, const vector& y) {
    const timer t(*this, operation::dot, bytes(x, x.data() == y.data() ? 1 : 2));
    return space_.dot(x, y);
  }
  real square(const vector& x) { return std::real(dot(x, x)); }

  void axpby(T alpha, const vector& x, T beta, const vector& y) {
    const timer t(*this, operation::update, bytes(x, (alpha == T(0) ? 0 : 1) + (beta == T(0) ? 1 : 2)));
    space_.axpby(alpha, x, beta, y);
  }
  void axpy(T alpha, const vector& x, const vector& y) { axpby(alpha, x, T(1), y); }
  void copy(const vector& x, const vector& y) { axpby(T(1), x, T(0), y); }
  void clear(const vector& x) { axpby(T(0), x, T(0), x); }
  void scale(T alpha, const vector& x) { axpby(T(0), x, alpha, x); }

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

  /// What was done, the longest first.
  [[nodiscard]] std::vector<solve_share> shares() const;

 private:
  struct record {
    std::int64_t calls = 0;
    double seconds = 0;
    double bytes = 0;
    bool known = true;  ///< what the bytes of every call were
  };

  class timer {
   public:
    timer(operations& all, operation what, std::int64_t bytes)
        : record_(all.records_[static_cast<std::size_t>(what)]), begin_(std::chrono::steady_clock::now()) {
      record_.bytes += static_cast<double>(bytes);
      record_.known = record_.known && bytes > 0;
      ++record_.calls;
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

  const linear_operator<T>& a_;
  const linear_operator<T>* preconditioner_;
  vector_space<T>& space_;
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
