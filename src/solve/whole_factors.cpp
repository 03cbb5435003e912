// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// KLU and CHOLMOD. Both take columns; rows of A are columns of its transpose.
#include "solve/whole_factors.hpp"

#include <algorithm>
#include <complex>
#include <suitesparse/cholmod.h>
#include <suitesparse/klu.h>
#include <type_traits>

#include "base/text.hpp"

namespace lacis::solver {
namespace {

using integer = SuiteSparse_long;
static_assert(sizeof(integer) == sizeof(std::int64_t));

integer* integers(std::span<const std::int64_t> x) {
  return reinterpret_cast<integer*>(const_cast<std::int64_t*>(x.data()));
}
template <class Wide> double* numbers(std::span<const Wide> x) {
  return reinterpret_cast<double*>(const_cast<Wide*>(x.data()));
}

template <class Wide> class klu_factors final : public whole_factors<Wide> {
 public:
  static constexpr bool complex = !std::is_same_v<Wide, double>;

  explicit klu_factors(const wide_matrix<Wide>& a) : rows_(a.rows) {
    klu_l_defaults(&common_);
    symbolic_ = klu_l_analyze(rows_, integers(a.row_offsets), integers(a.columns), &common_);
    if (symbolic_ == nullptr) return;
    double* values = numbers<Wide>(a.values);
    if constexpr (complex)
      numeric_ = klu_zl_factor(integers(a.row_offsets), integers(a.columns), values, symbolic_, &common_);
    else
      numeric_ = klu_l_factor(integers(a.row_offsets), integers(a.columns), values, symbolic_, &common_);
  }
  ~klu_factors() override {
    if constexpr (complex)
      klu_zl_free_numeric(&numeric_, &common_);
    else
      klu_l_free_numeric(&numeric_, &common_);
    klu_l_free_symbolic(&symbolic_, &common_);
  }
  klu_factors(const klu_factors&) = delete;
  klu_factors& operator=(const klu_factors&) = delete;

  [[nodiscard]] std::string fault() const {
    if (numeric_ != nullptr && common_.status == KLU_OK) return {};
    if (common_.status == KLU_SINGULAR) return "the matrix is singular, or so near that no pivot is left";
    if (common_.status == KLU_OUT_OF_MEMORY) return "there is not enough memory for the factors";
    return detail::text("KLU gave up with status ", common_.status);
  }
  void solve(std::span<Wide> b) override {
    if constexpr (complex)
      klu_zl_tsolve(symbolic_, numeric_, rows_, 1, numbers<Wide>(b), 0, &common_);
    else
      klu_l_tsolve(symbolic_, numeric_, rows_, 1, numbers<Wide>(b), &common_);
  }
  [[nodiscard]] std::string describe() const override {
    return detail::text("KLU, factors of ", numeric_->lnz + numeric_->unz, " entries");
  }

 private:
  integer rows_;
  klu_l_common common_{};
  klu_l_symbolic* symbolic_ = nullptr;
  klu_l_numeric* numeric_ = nullptr;
};

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

template <class Wide>
std::unique_ptr<whole_factors<Wide>> factor_with_klu(const wide_matrix<Wide>& a, std::string& why) {
  auto factors = std::make_unique<klu_factors<Wide>>(a);
  why = factors->fault();
  if (!why.empty()) return nullptr;
  return factors;
}
template std::unique_ptr<whole_factors<double>> factor_with_klu(const wide_matrix<double>&, std::string&);
template std::unique_ptr<whole_factors<std::complex<double>>> factor_with_klu(const wide_matrix<std::complex<double>>&,
                                                                              std::string&);

std::unique_ptr<whole_factors<double>> factor_with_cholmod(const wide_matrix<double>& a, std::string& why) {
  auto factors = std::make_unique<cholmod_factors>(a);
  why = factors->fault();
  if (!why.empty()) return nullptr;
  return factors;
}

}  // namespace lacis::solver
