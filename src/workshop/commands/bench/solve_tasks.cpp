// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients, PageRank, triangular systems and incomplete factors as tasks.
#include "commands/bench/solve_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>
#include <lacis/triangular.hpp>

#include "base/instantiate.hpp"
#include "commands/bench/vectors.hpp"
#include "measure/bound.hpp"
#include "measure/clock.hpp"
#include "plot/numbers.hpp"
#include "solve/precondition/factor.hpp"

namespace lacis::app {
namespace {

/// The seconds of one of `times` calls.
template <class Work> double seconds_of(int times, const Work& work) {
  const auto begin = measure::clock::now();
  for (int i = 0; i < times; ++i) work();
  return measure::seconds_since(begin) / times;
}

/// Conjugate gradients for a fixed number of iterations from x = 0; what comes before the first and after the last
/// counts.
template <class Value, class Index> class cg_task final : public solve_task<Value, Index> {
 public:
  explicit cg_task(const csr_matrix<Value, Index>& a)
      : a_(a), plan_(multiply_inspect(a)), operator_(make_operator(plan_)), b_(full_vector<Value>(a.rows)), x_(a.rows) {
    (void)run(1);
    residual_ = residual_of(x_);
  }

  [[nodiscard]] std::string unit() const override { return "iteration"; }
  [[nodiscard]] int steps() const override { return 50; }
  double run(int times) override {
    solve_options how;
    how.tolerance = 0;
    how.max_iterations = steps();
    return seconds_of(times,
                      [&] {
                        std::fill(x_.begin(), x_.end(), Value(0));
                        const auto report = solve<Value>(solve_method::cg, *operator_, b_, x_, how);
                        if (report.iterations != steps())
                          throw error(errc::invalid_argument, "conjugate gradients end early: " + report.reason);
                      }) /
           steps();
  }
  [[nodiscard]] csr_view<Value, Index> matrix() const override { return a_.view(); }
  [[nodiscard]] std::span<const Value> vector() const override { return b_; }
  [[nodiscard]] std::int64_t result_size() const override { return a_.rows; }
  /// The iterates are those of one recurrence, and so are their residuals but for what rounding grows to in 50 steps.
  [[nodiscard]] std::string fault_of(std::span<const Value> theirs) const override {
    const double residual = residual_of(theirs);
    if (residual <= 1.01 * residual_) return {};
    return fmt::format("after {} iterations its residual is {:.3e}, that of lacis {:.3e}", steps(), residual,
                       residual_);
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return {
        fmt::format("conjugate gradients without a preconditioner, {} iterations from x = 0 a sample, setup and "
                    "final residual included; plan {}",
                    steps(), plan_.layout())};
  }

 private:
  [[nodiscard]] double residual_of(std::span<const Value> x) const {
    buffer<Value> r(a_.rows);
    multiply(plan_, x, r);
    axpby(Value(1), b_, Value(-1), r);
    return static_cast<double>(norm(r));
  }

  const csr_matrix<Value, Index>& a_;
  plan<Value, Index> plan_;
  std::unique_ptr<linear_operator<Value>> operator_;
  buffer<Value> b_;
  buffer<Value> x_;
  double residual_ = 0;
};

/// Iterations of PageRank; preparation does not count.
template <class Index> class pagerank_task final : public solve_task<double, Index> {
 public:
  explicit pagerank_task(const csr_matrix<double, Index>& a)
      : links_(a.nnz()), degrees_(a.rows), plan_(pagerank_inspect(a)) {
    for (std::int64_t i = 0; i < a.rows; ++i)
      degrees_[i] = static_cast<double>(a.row_offsets[i + 1] - a.row_offsets[i]);
    incoming_ = transpose(a);
    (void)run(1);
  }

  [[nodiscard]] std::string unit() const override { return "iteration"; }
  [[nodiscard]] int steps() const override { return 10; }
  double run(int times) override {
    double seconds = 0;
    for (int i = 0; i < times; ++i) {
      auto result = pagerank(plan_, {.tolerance = -1, .max_iterations = steps()});
      seconds += result.seconds / steps();
      ranks_ = std::move(result.ranks);
    }
    return seconds / times;
  }
  [[nodiscard]] csr_view<double, Index> matrix() const override { return incoming_.view(); }
  [[nodiscard]] std::span<const double> vector() const override { return degrees_; }
  [[nodiscard]] std::int64_t result_size() const override { return degrees_.size(); }
  /// Nothing is ever subtracted: a rank's relative error grows by one rounding for each of its links, each page without
  /// links and a few more in every iteration, and both have it.
  [[nodiscard]] std::string fault_of(std::span<const double> theirs) const override {
    std::int64_t most = 0;
    for (std::int64_t i = 0; i < incoming_.rows; ++i)
      most = std::max(most, incoming_.row_offsets[i + 1] - incoming_.row_offsets[i]);
    const double roundings = static_cast<double>(most + degrees_.size() + 8) * steps();
    const double allowed = 2 * roundings * std::numeric_limits<double>::epsilon();
    for (std::int64_t i = 0; i < degrees_.size(); ++i)
      if (!(std::fabs(theirs[static_cast<std::size_t>(i)] - ranks_[i]) <= allowed * ranks_[i]))
        return fmt::format("page {}: {} where lacis has {}", i + 1, theirs[static_cast<std::size_t>(i)], ranks_[i]);
    return {};
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return {fmt::format(
        "{} iterations in double per sample from equal scores, preparation not included: a product, the new "
        "scores and their change; {} entries",
        steps(), plot::grouped(links_))};
  }

 private:
  std::int64_t links_;
  buffer<double> degrees_;
  pagerank_plan plan_;
  csr_matrix<double, Index> incoming_;
  buffer<double> ranks_;
};

/// Systems with the lower triangle.
template <class Value, class Index> class triangular_task final : public solve_task<Value, Index> {
 public:
  explicit triangular_task(const csr_matrix<Value, Index>& a)
      : lower_(tril(a)), plan_(triangular_inspect(lower_)), b_(full_vector<Value>(a.rows)), x_(a.rows) {}

  [[nodiscard]] std::string unit() const override { return "solution"; }
  double run(int times) override {
    return seconds_of(times, [&] { triangular_solve(plan_, b_, x_); });
  }
  [[nodiscard]] bool has_plain_loop() const override { return true; }
  /// Row after row over the arrays of CSR, as a textbook has it.
  double run_plain_loop(int times) override {
    const std::int64_t* const offsets = lower_.row_offsets.data();
    const Index* const columns = lower_.columns.data();
    const Value* const values = lower_.values.data.data();
    return seconds_of(times, [&] {
      for (std::int64_t i = 0; i < lower_.rows; ++i) {
        Value sum{};
        const std::int64_t diagonal = offsets[i + 1] - 1;
        for (std::int64_t k = offsets[i]; k < diagonal; ++k) sum += values[k] * x_[columns[k]];
        x_[i] = (b_[i] - sum) / values[diagonal];
      }
    });
  }
  [[nodiscard]] csr_view<Value, Index> matrix() const override { return lower_.view(); }
  [[nodiscard]] std::span<const Value> vector() const override { return b_; }
  [[nodiscard]] std::int64_t result_size() const override { return lower_.rows; }
  /// A solution in any order solves a system whose entries are off by as many roundings as the row has: L times it is b
  /// as closely as a product is itself (Higham, theorem 8.5).
  [[nodiscard]] std::string fault_of(std::span<const Value> theirs) const override {
    buffer<Value> product(lower_.rows);
    multiply(lower_, theirs, product);
    const auto wrong = measure::beyond_bound<Value, Index>(lower_.view(), theirs, product, b_);
    if (!wrong) return {};
    return fmt::format("row {}: L x is off by {}, rounding explains {}", wrong->row + 1, wrong->difference,
                       wrong->allowed);
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return {fmt::format("L x = b with the lower triangle; lacis: {}", plan_.reason())};
  }

 private:
  csr_matrix<Value, Index> lower_;
  triangular_plan<Value, Index> plan_;
  buffer<Value> b_;
  buffer<Value> x_;
};

/// Incomplete factors of values that changed: order and places are known.
template <class Value, class Index> class factor_task final : public solve_task<Value, Index> {
 public:
  factor_task(const csr_matrix<Value, Index>& a, bool cholesky)
      : a_(cholesky ? tril(a) : a),
        given_(a),
        is_cholesky_(cholesky),
        order_(solver::order_of(a_.view(), cholesky ? solver::factor_kind::ic0 : solver::factor_kind::ilu0, 0)),
        factors_(a_),
        x_(full_vector<Value>(a.rows)) {
    if (a_.values.iso)
      throw error(errc::invalid_argument, "incomplete factors of one value for all entries are no work");
    (void)run(1);
  }

  [[nodiscard]] std::string unit() const override { return "factorisation"; }
  double run(int times) override {
    return seconds_of(times, [&] {
      std::copy(a_.values.data.begin(), a_.values.data.end(), factors_.values.data.begin());
      if (!is_cholesky_)
        solver::factor_ilu0(factors_, order_);
      else if (solver::factor_ic0(factors_, order_) >= 0)
        throw error(errc::invalid_argument, "the matrix has no incomplete Cholesky factor");
    });
  }
  [[nodiscard]] csr_view<Value, Index> matrix() const override { return given_.view(); }
  [[nodiscard]] std::span<const Value> vector() const override { return x_; }
  [[nodiscard]] std::int64_t result_size() const override { return is_cholesky_ ? 0 : a_.nnz(); }
  /// In the places of A, L times U is A but for one rounding a term, of the size of |L| |U|.
  [[nodiscard]] std::string fault_of(std::span<const Value> theirs) const override {
    csr_matrix<Value, Index> both = a_;
    std::copy(theirs.begin(), theirs.end(), both.values.data.begin());
    csr_matrix<Value, Index> lower = tril(both);
    for (std::int64_t i = 0; i < lower.rows; ++i) lower.values.data[lower.row_offsets[i + 1] - 1] = Value(1);
    csr_matrix<Value, Index> upper = triu(both);
    const auto product = multiply(lower, upper);
    for (auto* one : {&lower, &upper})
      for (Value& value : one->values.data) value = Value(std::abs(value));
    const auto size = multiply(lower, upper);
    for (std::int64_t i = 0; i < a_.rows; ++i) {
      const double terms = static_cast<double>(a_.row_offsets[i + 1] - a_.row_offsets[i] + 2);
      const double unit = terms * static_cast<double>(std::numeric_limits<real_of<Value>>::epsilon());
      std::int64_t at = product.row_offsets[i];
      for (std::int64_t k = a_.row_offsets[i]; k < a_.row_offsets[i + 1]; ++k) {
        while (product.columns[at] < a_.columns[k]) ++at;
        const double off = static_cast<double>(std::abs(product.values[at] - a_.values[k]));
        if (!(off <= unit * static_cast<double>(std::abs(size.values[at]))))
          return fmt::format("row {}: L U is off by {} in column {}", i + 1, off, a_.columns[k] + 1);
      }
    }
    return {};
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> all = {fmt::format(
        "values are copied and factored in place; lacis has inspected the pattern once: {}", order_.rows.reason)};
    if (is_cholesky_)
      all.emplace_back("eigen scales first and keeps the largest entries of a column, so the factors are not compared");
    return all;
  }

 private:
  csr_matrix<Value, Index> a_;
  const csr_matrix<Value, Index>& given_;
  bool is_cholesky_;
  solver::factor_order<Index> order_;
  csr_matrix<Value, Index> factors_;
  buffer<Value> x_;
};

}  // namespace

template <class Value, class Index>
std::unique_ptr<solve_task<Value, Index>> make_solve_task(const std::string& operation,
                                                          const csr_matrix<Value, Index>& a) {
  if (a.rows != a.cols) throw error(errc::bad_input, operation + " needs a square matrix");
  if (operation == "cg") return std::make_unique<cg_task<Value, Index>>(a);
  if (operation == "trsv") return std::make_unique<triangular_task<Value, Index>>(a);
  if (operation == "ilu0" || operation == "ic0")
    return std::make_unique<factor_task<Value, Index>>(a, operation == "ic0");
  if constexpr (std::is_same_v<Value, double>) return std::make_unique<pagerank_task<Index>>(a);
  throw error(errc::invalid_argument, "PageRank is measured in double; leave --type out");
}

#define LACIS_MAKE_SOLVE_TASK(Value, Index)                                              \
  template std::unique_ptr<solve_task<Value, Index>> make_solve_task(const std::string&, \
                                                                     const csr_matrix<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_MAKE_SOLVE_TASK)

}  // namespace lacis::app
