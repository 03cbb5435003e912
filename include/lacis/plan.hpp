// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Inspect a matrix once, multiply with it many times.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/device.hpp>
#include <lacis/export.hpp>
#include <lacis/fwd.hpp>
#include <lacis/isa.hpp>
#include <lacis/machine.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan_layout.hpp>
#include <lacis/reorder.hpp>
#include <lacis/validate.hpp>
#include <lacis/wide_offsets.hpp>
#include <lacis/workspace.hpp>

namespace lacis {

/// How a plan keeps values.
enum class plan_values {
  exact,     ///< in the narrowest form that loses nothing: one for all, 8-bit integers, half the width, or as they are
  as_given,  ///< as they are
  as_float   ///< double rounded to float, which loses digits: the product is that of the rounded matrix
};

/// What a plan is for.
struct plan_options {
  device_id device = {};               ///< where its products run; see device.hpp
  int threads = 0;                     ///< of its products; 0: as many as OpenMP gives, one for small products
  std::optional<lacis::isa> isa = {};  ///< nothing: default_isa()
  bool transpose = false;              ///< hold A^T too, for multiply(transposed(plan), x, y)
  bool conjugate_transpose = false;    ///< hold A^H too, for multiply(conjugate_transposed(plan), x, y)
  /// The layout, instead of leaving it to the plan; devices have csr and sell.
  std::optional<plan_layout> layout = {};
  /// SELL on the processor: into how many ranges of columns it is cut, so that x stays in cache; staged: 1 copies x
  /// once, by frequency of its columns, and more copy it for each block of rows; 0: the plan decides.
  int column_blocks = 0;
  /// The most dense columns that a product will have: with several, a layout is chosen whose rows they meet in place. A
  /// device reserves memory for them.
  std::int64_t columns = 1;
  /// How many products will be asked of the plan: a layout that takes long to make has to be worth it.
  double expected_uses = 1000;
  /// Bytes that the plan may hold; 0: no limit. A matrix that does not fit as it is gives error(out_of_memory).
  std::int64_t memory_limit = 0;
  /// The caller keeps the arrays of a CSR matrix, unchanged, for as long as the plan and its copies live. Then a plan
  /// whose best layout is csr multiplies with those arrays and keeps no copy of them; explain() says so.
  bool borrow = false;
  /// How values are kept; only as_float changes results. A device keeps rounded values in their own type.
  plan_values values = plan_values::exact;
  /// Another ordering for both the rows and the columns of a square matrix. The plan's products then take and give
  /// vectors in that ordering: element k of such a vector is element permutation()[k] of the user's.
  reordering reorder = reordering::none;
  /// Time the best candidates instead of trusting the prediction.
  bool tune = false;
  /// A file that remembers what tuning found, by matrix; empty: nothing is remembered.
  std::string tuning_file = {};
  /// Rates of the machine; nothing: those that the first plan of the process measures, in a few milliseconds.
  std::shared_ptr<const lacis::machine_rates> machine = {};
};

/// One way to keep a matrix, as inspection saw it.
struct plan_candidate {
  std::string layout;                           ///< "sell-8", "staged", ...
  std::string values;                           ///< "one", "int8", "float", "half", "double", ...
  std::int64_t storage_bytes = 0;               ///< that it takes, about
  double moved_bytes = 0;                       ///< of one product: the arrays, x and y
  double seconds = 0;                           ///< of one product, predicted
  double conversion_seconds = 0;                ///< predicted
  std::optional<double> measured_seconds = {};  ///< of one product, when the plan was tuned
  bool fits = true;                             ///< in the memory limit
  /// Whether the plan has this layout.
  bool chosen = false;
  std::string limit;  ///< what bounds it: "memory bandwidth", "reads of x", "arithmetic"
};

/// What inspection found and did.
struct plan_report {
  std::vector<plan_candidate> candidates;  ///< the best first, by conversion and expected uses together
  /// Products over which conversion was spread, as plan_options gave them.
  double expected_uses = 0;
  double read_gbs = 0;            ///< at which memory is read on this machine by the plan's threads
  std::string rates;              ///< where the machine's rates come from
  double inspection_seconds = 0;  ///< of everything, measured
  double plain_seconds = 0;       ///< of a product without a plan, predicted
  bool tuned = false;             ///< timed now, or remembered
};

namespace detail {
template <class Value, class Index> struct plan_data;
}

/// A matrix prepared for products: canonical rows, in the layout that suits it. Immutable, so any number of threads may
/// multiply with one plan at a time; copies share their arrays. Does not refer to the matrix it was made from.
/// A plan of a device holds the matrix there, and memory for one product at a time: use it in one stream at a time.
/// Vectors on the device are for device_multiply.hpp; the products below take vectors in host memory, copy them there
/// and back, and allocate on the way.
template <value Value, index Index> class plan {
 public:
  /// Type of the values.
  using value_type = Value;
  /// Type of the column indices.
  using index_type = Index;

  /// The same as multiply_inspect(a, options): `lacis::plan p(a);` or `lacis::plan p(a, {.threads = 2});`.
  template <class Matrix>
    requires requires(const Matrix& a) { a.view(); }
  explicit plan(const Matrix& a, const plan_options& options = {}) : plan(multiply_inspect(a, options)) {}
  /// For the library itself, as internals().
  explicit plan(std::shared_ptr<detail::plan_data<Value, Index>> data) : data_(std::move(data)) {}

  /// Rows of the matrix.
  [[nodiscard]] LACIS_API std::int64_t rows() const;
  /// Columns of the matrix.
  [[nodiscard]] LACIS_API std::int64_t cols() const;
  [[nodiscard]] LACIS_API std::int64_t nnz() const;  ///< after summing duplicates
  /// "csr", "sell-8", "stencil-8", "staged-8", "cuda:0 csr", ...
  [[nodiscard]] LACIS_API std::string layout() const;
  /// Bytes of everything that the plan holds.
  [[nodiscard]] LACIS_API std::int64_t storage_bytes() const;
  /// Which layout was chosen, why, and what was done to the matrix on the way, in a few sentences.
  [[nodiscard]] LACIS_API std::string explain() const;
  /// The candidates and what they were expected to cost. Plans of devices have them when they were tuned.
  [[nodiscard]] LACIS_API const plan_report& report() const&;
  /// The report of a temporary would be gone: give the plan a name.
  void report() const&& = delete;
  /// Bytes that one product moves at least: the plan's arrays, x and y.
  [[nodiscard]] LACIS_API std::int64_t moved_bytes() const;
  /// The order of plan_options.reorder; empty when the plan keeps the user's.
  [[nodiscard]] LACIS_API std::span<const std::int64_t> permutation() const&;
  /// The permutation of a temporary would be gone: give the plan a name.
  void permutation() const&& = delete;

  /// For the library itself; not part of the interface.
  [[nodiscard]] const std::shared_ptr<detail::plan_data<Value, Index>>& internals() const { return data_; }

 private:
  std::shared_ptr<detail::plan_data<Value, Index>> data_;
};

/// The types of a plan are those of its matrix.
template <class Matrix>
  requires requires(const Matrix& a) { a.view(); }
explicit plan(const Matrix&, const plan_options& = {})
    -> plan<typename Matrix::value_type, typename Matrix::index_type>;

/// Which of the matrices of a plan a product is taken with.
enum class side {
  plain,                ///< A
  transposed,           ///< A^T
  conjugate_transposed  ///< A^H
};

/// A plan seen from another side. It refers to the plan and may be shared between threads as that is.
template <value Value, index Index> struct plan_side {
  /// The plan, which must outlive this.
  const lacis::plan<Value, Index>& plan;
  /// Which of its matrices.
  lacis::side side;
};
/// A^T, which the plan holds with plan_options.transpose; a product without it is error(invalid_argument).
template <value Value, index Index> [[nodiscard]] plan_side<Value, Index> transposed(const plan<Value, Index>& p) {
  return {p, side::transposed};
}
/// A^H, which the plan holds with plan_options.conjugate_transpose; a product without it is error(invalid_argument).
template <value Value, index Index>
[[nodiscard]] plan_side<Value, Index> conjugate_transposed(const plan<Value, Index>& p) {
  return {p, side::conjugate_transposed};
}
// A side refers to its plan, and a temporary one is gone when it is used.
/// A side of a temporary would outlive it: give the plan a name.
template <value Value, index Index> void transposed(const plan<Value, Index>&& p) = delete;
/// A side of a temporary would outlive it: give the plan a name.
template <value Value, index Index> void conjugate_transposed(const plan<Value, Index>&& p) = delete;

namespace detail {
template <class Value, class Index>
LACIS_API plan<Value, Index> multiply_inspect(const csr_view<Value, Index>& a, const plan_options& options);
template <class Value, class Index> LACIS_API void update_values(plan<Value, Index>& p, std::span<const Value> values);
template <class A, class Index, class X, class T>
LACIS_API void multiply(T alpha, const plan<A, Index>& p, side which, std::span<const X> x, T beta, std::span<T> y,
                        workspace& memory);
template <class A, class Index, class X, class T>
LACIS_API void multiply(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
                        const dense_view<T>& y, workspace& memory);
/// The plan's own workspace, for a product that is given none: the one that was put back last, or a new one while
/// another product has it.
template <class Value, class Index> LACIS_API std::unique_ptr<workspace> take_workspace(const plan<Value, Index>& p);
template <class Value, class Index>
LACIS_API void put_back(const plan<Value, Index>& p, std::unique_ptr<workspace> memory);
}  // namespace detail

/// A plan for products with A, given in any format. Rows that are not sorted are sorted, entries at one place are
/// summed in the order in which they stand; explain() reports it. Throws error(invalid_matrix) where A is not valid
/// (validate.hpp).
template <class Matrix> [[nodiscard]] auto multiply_inspect(const Matrix& a, const plan_options& options = {}) {
  const auto wide = detail::wide(a);
  require_valid(wide);
  if constexpr (detail::is_csr<Matrix>) {
    return detail::multiply_inspect(wide.view(), options);
  } else {
    const auto rows = detail::to_csr(wide.view());
    plan_options keeping = options;
    keeping.borrow = false;  // the rows are gone when this returns
    return detail::multiply_inspect(rows.view(), keeping);
  }
}

/// Other values for the same pattern: as many as the inspected matrix had entries, in the order of its CSR form
/// (convert<csr_matrix>). The layout stays. In place when no copy of the plan is around, otherwise the plan gets arrays
/// of its own for the values and the copies keep theirs. No other thread may use the plan meanwhile.
template <value Value, index Index>
void update_values(plan<Value, Index>& p, std::span<const std::type_identity_t<Value>> values) {
  detail::update_values(p, values);
}

/// y = alpha A x + beta y with a plan: the bits and the rules of multiply(alpha, A, x, beta, y).
template <class Scalar, value Value, index Index, class X, class Y>
void multiply(const Scalar& alpha, const plan_side<Value, Index>& p, const X& x,
              const std::type_identity_t<Scalar>& beta, Y&& y, workspace& memory) {
  if constexpr (detail::are_operands<Value, X, Y>()) {
    using T = detail::element_of<Y>;
    detail::multiply(static_cast<T>(alpha), p.plan, p.side, detail::operand(x), static_cast<T>(beta), detail::target(y),
                     memory);
  }
}
/// The same for the plan's own matrix.
template <class Scalar, value Value, index Index, class X, class Y>
void multiply(const Scalar& alpha, const plan<Value, Index>& p, const X& x, const std::type_identity_t<Scalar>& beta,
              Y&& y, workspace& memory) {
  multiply(alpha, plan_side<Value, Index>{p, side::plain}, x, beta, y, memory);
}

/// y = A x with a plan.
template <value Value, index Index, class X, class Y>
void multiply(const plan_side<Value, Index>& p, const X& x, Y&& y, workspace& memory) {
  if constexpr (detail::are_operands<Value, X, Y>()) {
    using T = detail::element_of<Y>;
    multiply(T(1), p, x, T(0), y, memory);
  }
}
/// The same for the plan's own matrix.
template <value Value, index Index, class X, class Y>
void multiply(const plan<Value, Index>& p, const X& x, Y&& y, workspace& memory) {
  multiply(plan_side<Value, Index>{p, side::plain}, x, y, memory);
}
/// The same with the plan's own workspace; products at the same time need one each, and all but one allocate theirs.
template <value Value, index Index, class X, class Y>
void multiply(const plan_side<Value, Index>& p, const X& x, Y&& y) {
  auto memory = detail::take_workspace(p.plan);
  multiply(p, x, y, *memory);
  detail::put_back(p.plan, std::move(memory));
}
/// The same for the plan's own matrix.
template <value Value, index Index, class X, class Y> void multiply(const plan<Value, Index>& p, const X& x, Y&& y) {
  multiply(plan_side<Value, Index>{p, side::plain}, x, y);
}

}  // namespace lacis
