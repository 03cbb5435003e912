// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse LU by KLU. It takes columns; rows of A are columns of its transpose.
#include <complex>
#include <suitesparse/klu.h>
#include <type_traits>

#include "base/text.hpp"
#include "solve/direct/suitesparse_arrays.hpp"
#include "solve/direct/whole_factors.hpp"

namespace lacis::solver {
namespace {

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

}  // namespace lacis::solver
