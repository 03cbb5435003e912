// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SSOR, ILU(0) and IC(0): one triangle forth, one back. Factors are made on the processor, wherever they are used.
#include <optional>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "solve/precondition/factor.hpp"
#include "solve/precondition/make.hpp"
#include "solve/precondition/triangles.hpp"
#include "solve/scalars.hpp"
#include "summation/environment.hpp"

namespace lacis::solver {
namespace {

/// z = U^-1 L^-1 r.
template <class T, class Index> class triangular_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  triangular_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options)
      : options_(options), given_{a.rows, a.cols, buffer<std::int64_t>(a.row_offsets), buffer<Index>(a.columns), {}} {
    if (options.kind == preconditioner_kind::ssor && !(options.relaxation > 0 && options.relaxation < 2))
      throw error(errc::invalid_argument,
                  detail::text("a relaxation of ", options.relaxation, " does not converge; take one between 0 and 2"));
    factor(a);
  }

  [[nodiscard]] std::int64_t rows() const override { return given_.rows; }
  [[nodiscard]] std::int64_t cols() const override { return given_.cols; }
  [[nodiscard]] vector_space<T>& space() const override { return triangles_->space(); }
  [[nodiscard]] std::int64_t moved_bytes() const override {
    return storage_bytes() + 4 * given_.rows * static_cast<std::int64_t>(sizeof(T));
  }
  [[nodiscard]] std::int64_t storage_bytes() const override { return triangles_->storage_bytes(); }
  [[nodiscard]] std::string describe() const override {
    std::string text =
        detail::text(name_of(options_.kind), ": triangles of ", triangles_->nnz(), " entries ", triangles_->describe());
    if (shift_ > 0) text += detail::text(", the diagonal raised by ", shift_, " of itself to have pivots");
    return text;
  }
  void update_values(std::span<const T> values) override {
    if (static_cast<std::int64_t>(values.size()) != given_.columns.size())
      throw error(errc::invalid_argument, detail::text("the matrix has ", given_.columns.size(), " entries; these are ",
                                                       values.size(), " values"));
    factor({given_.rows, given_.cols, given_.row_offsets, given_.columns, {values, false}});
  }
  void apply(const vector& r, const vector& z) const override { triangles_->solve(r, z); }

 private:
  void factor(const csr_view<T, Index>& a) {
    const summation::rounding_guard guard;
    switch (options_.kind) {
      case preconditioner_kind::ssor:
        return factor_ssor(a);
      case preconditioner_kind::ic0:
        return factor_cholesky(a);
      default: {
        csr_matrix<T, Index> factors = copy_of(a);
        if (!order_) order_ = order_of(a, factor_kind::ilu0, options_.threads);
        factor_ilu0(factors, *order_);
        set_triangles(factors.view(), factors.view(), true);
      }
    }
  }

  static csr_matrix<T, Index> copy_of(const csr_view<T, Index>& a) {
    csr_matrix<T, Index> copy{a.rows, a.cols, buffer<std::int64_t>(a.row_offsets), buffer<Index>(a.columns),
                              values_array<T>(a.nnz())};
    detail::parallel_for(a.nnz(), [&](std::int64_t k) { copy.values.data[k] = a.values[k]; });
    return copy;
  }

  void set_triangles(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper, bool unit) {
    if (triangles_ != nullptr)
      triangles_->update(lower, upper);
    else
      triangles_ = make_triangles(lower, upper, unit, options_.threads, options_.device);
  }

  /// M = (D / w + L) (w / (2 - w)) D^-1 (D / w + U): L has the first triangle, U the product of the others.
  void factor_ssor(const csr_view<T, Index>& a) {
    const auto w = static_cast<real_of<T>>(options_.relaxation);
    csr_matrix<T, Index> lower = copy_of(a);
    csr_matrix<T, Index> upper = copy_of(a);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      const std::int64_t end = lower.row_offsets[i + 1];
      std::int64_t k = lower.row_offsets[i];
      while (k < end && lower.columns[k] < i) ++k;
      if (k == end || lower.columns[k] != i || lower.values.data[k] == T(0))
        throw error(errc::invalid_matrix,
                    detail::text("ssor: the diagonal entry of row ", i,
                                 ", counted from 0, is missing or zero; use another preconditioner"));
      const T diagonal = lower.values.data[k];
      lower.values.data[k] = divide(diagonal, T(w));
      upper.values.data[k] = T(1 / (2 - w));
      for (++k; k < end; ++k) upper.values.data[k] = multiply(T(w / (2 - w)), divide(upper.values.data[k], diagonal));
    }
    set_triangles(lower.view(), upper.view(), false);
  }

  /// Where a pivot fails, with more on the diagonal (Manteuffel 1980).
  void factor_cholesky(const csr_view<T, Index>& a) {
    constexpr double most = 100;
    const csr_matrix<T, Index> lower = tril(copy_of(a));
    if (!order_) order_ = order_of(lower.view(), factor_kind::ic0, options_.threads);
    double shift = 0;
    for (;;) {
      csr_matrix<T, Index> l = lower;
      for (std::int64_t i = 0; shift > 0 && i < l.rows; ++i) {
        T& diagonal = l.values.data[l.row_offsets[i + 1] - 1];
        diagonal = multiply(diagonal, T(static_cast<real_of<T>>(1 + shift)));
      }
      const std::int64_t failed = factor_ic0(l, *order_);
      if (failed < 0) {
        const csr_matrix<T, Index> upper = conjugate_transpose(l);
        set_triangles(l.view(), upper.view(), false);
        shift_ = shift;
        return;
      }
      shift = shift == 0 ? 1e-3 : 2 * shift;
      if (shift > most)
        throw error(errc::invalid_matrix,
                    detail::text("ic0: the pivot of row ", failed,
                                 ", counted from 0, is not positive whatever is added to the diagonal: the matrix "
                                 "is not positive definite; use ilu0 with gmres"));
    }
  }

  preconditioner_options options_;
  csr_matrix<T, Index> given_;  ///< the pattern of A
  std::optional<factor_order<Index>> order_;
  std::unique_ptr<triangles<T, Index>> triangles_;
  double shift_ = 0;
};

}  // namespace

#define LACIS_DEFINE_MAKE(function)                                                      \
  template <class T, class Index>                                                        \
  std::unique_ptr<preconditioner<T>> function(const csr_view<T, Index>& a, std::int64_t, \
                                              const preconditioner_options& options) {   \
    return std::make_unique<triangular_preconditioner<T, Index>>(a, options);            \
  }
LACIS_DEFINE_MAKE(make_ssor)
LACIS_DEFINE_MAKE(make_ilu0)
LACIS_DEFINE_MAKE(make_ic0)

#define LACIS_INSTANTIATE(T, Index)           \
  LACIS_INSTANTIATE_MAKE(make_ssor, T, Index) \
  LACIS_INSTANTIATE_MAKE(make_ilu0, T, Index) \
  LACIS_INSTANTIATE_MAKE(make_ic0, T, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::solver
