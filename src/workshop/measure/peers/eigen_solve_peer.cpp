// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigen's solvers on the matrices of eigen_peer.cpp, compiled as its users would.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <cstdint>

namespace {

template <class Value, class Index> using matrix = Eigen::SparseMatrix<Value, Eigen::RowMajor, Index>;
template <class Value> using vector = Eigen::Matrix<Value, Eigen::Dynamic, 1>;

/// From x = 0, in the form that its manual recommends for several threads.
template <class Value, class Index>
void conjugate_gradients(const void* handle, const Value* b, Value* x, std::int64_t steps) {
  const auto& a = *static_cast<const matrix<Value, Index>*>(handle);
  Eigen::ConjugateGradient<matrix<Value, Index>, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> solver;
  solver.setTolerance(0);
  solver.setMaxIterations(steps);
  solver.compute(a);
  Eigen::Map<vector<Value>>(x, a.rows()) = solver.solve(Eigen::Map<const vector<Value>>(b, a.rows()));
}

template <class Value, class Index> void solve_lower(const void* handle, const Value* b, Value* x) {
  const auto& a = *static_cast<const matrix<Value, Index>*>(handle);
  Eigen::Map<vector<Value>> result(x, a.rows());
  result = Eigen::Map<const vector<Value>>(b, a.rows());
  a.template triangularView<Eigen::Lower>().solveInPlace(result);
}

template <class Value, class Index> int incomplete_cholesky(const void* handle) {
  const auto& a = *static_cast<const matrix<Value, Index>*>(handle);
  const Eigen::IncompleteCholesky<Value, Eigen::Lower, Eigen::NaturalOrdering<Index>> factor(a);
  return factor.info() == Eigen::Success ? 0 : 1;
}

}  // namespace

extern "C" {

#define LACIS_EIGEN(Value, Index, name)                                                                     \
  void eigen_conjugate_gradients_##name(const void* handle, const Value* b, Value* x, std::int64_t steps) { \
    conjugate_gradients<Value, Index>(handle, b, x, steps);                                                 \
  }                                                                                                         \
  void eigen_solve_lower_##name(const void* handle, const Value* b, Value* x) {                             \
    solve_lower<Value, Index>(handle, b, x);                                                                \
  }                                                                                                         \
  int eigen_incomplete_cholesky_##name(const void* handle) { return incomplete_cholesky<Value, Index>(handle); }
LACIS_EIGEN(float, std::int32_t, float32_int32)
LACIS_EIGEN(float, std::int64_t, float32_int64)
LACIS_EIGEN(double, std::int32_t, float64_int32)
LACIS_EIGEN(double, std::int64_t, float64_int64)

}  // extern "C"
