// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse Cholesky by CHOLMOD, for real matrices: their rows are its columns. Parts of CHOLMOD are under the GPL.
#include <algorithm>
#include <suitesparse/cholmod.h>

#include "base/text.hpp"
#include "solve/direct/suitesparse_arrays.hpp"
#include "solve/direct/whole_factors.hpp"

namespace lacis::solver {
namespace {

class cholmod_factors final : public whole_factors<double> {
 public:
  explicit cholmod_factors(const wide_matrix<double>& a) : rows_(static_cast<std::size_t>(a.rows)) {
    cholmod_l_start(&common_);
    common_.print = 0;
    common_.final_ll = 1;  // L L^T, which finds out; L D L^T without pivots would go on
    cholmod_sparse matrix{};
    matrix.nrow = matrix.ncol = rows_;
    matrix.nzmax = static_cast<std::size_t>(a.columns.size());
    matrix.p = integers(a.row_offsets);
    matrix.i = integers(a.columns);
    matrix.x = numbers<double>(a.values);
    matrix.stype = 1;  // one triangle is read
    matrix.itype = CHOLMOD_LONG;
    matrix.xtype = CHOLMOD_REAL;
    matrix.dtype = CHOLMOD_DOUBLE;
    matrix.sorted = matrix.packed = 1;
    factor_ = cholmod_l_analyze(&matrix, &common_);
    if (factor_ != nullptr) cholmod_l_factorize(&matrix, factor_, &common_);
  }
  ~cholmod_factors() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }
  cholmod_factors(const cholmod_factors&) = delete;
  cholmod_factors& operator=(const cholmod_factors&) = delete;

  [[nodiscard]] std::string fault() const {
    if (common_.status == CHOLMOD_OK) return {};
    if (common_.status == CHOLMOD_NOT_POSDEF) return "the matrix is not positive definite";
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) return "there is not enough memory for the factors";
    return detail::text("CHOLMOD gave up with status ", common_.status);
  }
  void solve(std::span<double> b) override {
    cholmod_dense right{};
    right.nrow = right.d = right.nzmax = rows_;
    right.ncol = 1;
    right.x = b.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor_, &right, &common_);
    if (x != nullptr) std::copy_n(static_cast<const double*>(x->x), rows_, b.begin());
    cholmod_l_free_dense(&x, &common_);
  }
  [[nodiscard]] std::string describe() const override {
    return detail::text("CHOLMOD, a factor of ", static_cast<std::int64_t>(common_.lnz), " entries");
  }

 private:
  std::size_t rows_;
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
};

}  // namespace

std::unique_ptr<whole_factors<double>> factor_with_cholmod(const wide_matrix<double>& a, std::string& why) {
  auto factors = std::make_unique<cholmod_factors>(a);
  why = factors->fault();
  if (!why.empty()) return nullptr;
  return factors;
}

}  // namespace lacis::solver
