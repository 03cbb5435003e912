// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/coarse_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// x - a b.
template <class W> W less(W x, W a, W b) { return summation::add(x, -summation::multiply(a, b)); }

}  // namespace

template <class S>
template <class Index>
coarse_factors<S>::coarse_factors(const csr_view<S, Index>& a, bool hermitian)
    : rows_(a.rows), hermitian_(hermitian), factors_(static_cast<std::size_t>(a.rows * a.rows)) {
  const summation::rounding_guard guard;
  std::vector<double> sizes(static_cast<std::size_t>(rows_), 0);  // the largest entry of each row
  for (std::int64_t i = 0; i < rows_; ++i)
    for (const auto [column, value] : a.row(i)) {
      at(i, column) = wide(value);
      auto& largest = sizes[static_cast<std::size_t>(i)];
      largest = std::max(largest, static_cast<double>(std::abs(value)));
    }
  order_.resize(static_cast<std::size_t>(rows_));
  std::iota(order_.begin(), order_.end(), 0);
  if (hermitian)
    factor_hermitian(std::move(sizes));
  else
    factor_general(sizes);
}

/// What rounding leaves of a pivot that is zero, as a share of the entries of its row: each of them is a sum of
/// products in S, and all rows add to the last pivot.
template <class S> double coarse_factors<S>::negligible() const {
  constexpr double terms = 16;
  return terms * static_cast<double>(rows_) * static_cast<double>(std::numeric_limits<real_of<S>>::epsilon());
}

/// Exchanges two unknowns in the lower triangle.
template <class S> void coarse_factors<S>::exchange(std::int64_t k, std::int64_t other) {
  std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(other)]);
  for (std::int64_t j = 0; j < k; ++j) std::swap(at(k, j), at(other, j));
  std::swap(at(k, k), at(other, other));
  for (std::int64_t i = k + 1; i < other; ++i) {
    const wide kept = at(i, k);
    at(i, k) = summation::conjugate(at(other, i));
    at(other, i) = summation::conjugate(kept);
  }
  at(other, k) = summation::conjugate(at(other, k));
  for (std::int64_t i = other + 1; i < rows_; ++i) std::swap(at(i, k), at(i, other));
}

/// at(i, j) becomes l_ij for j < i, and at(i, i) the pivot d_i. The largest pivot comes first, so that those which are
/// zero but for rounding are the last; unknowns without one are left out, with a pivot of 0.
template <class S> void coarse_factors<S>::factor_hermitian(std::vector<double> sizes) {
  const auto share = [&](std::int64_t i) {
    return std::real(at(i, i)) / std::max(sizes[static_cast<std::size_t>(i)], std::numeric_limits<double>::min());
  };
  std::vector<wide> column(static_cast<std::size_t>(rows_));
  for (std::int64_t k = 0; k < rows_; ++k) {
    std::int64_t best = k;
    for (std::int64_t i = k; i < rows_; ++i) {
      if (share(i) > share(best)) best = i;
      if (!(share(i) >= -negligible()))
        throw error(errc::invalid_matrix,
                    "amg: the matrix is not positive definite: its coarsest level has a negative pivot; use minres, or "
                    "gmres with ilu0");
    }
    if (share(best) <= negligible()) {
      left_out_ = rows_ - k;
      for (std::int64_t i = k; i < rows_; ++i) std::fill(&at(i, k), &at(i, i) + 1, wide(0));
      return;
    }
    if (best != k) {
      exchange(k, best);
      std::swap(sizes[static_cast<std::size_t>(k)], sizes[static_cast<std::size_t>(best)]);
    }
    const double pivot = std::real(at(k, k));
    at(k, k) = pivot;
    for (std::int64_t i = k + 1; i < rows_; ++i) column[static_cast<std::size_t>(i)] = summation::conjugate(at(i, k));
    for (std::int64_t i = k + 1; i < rows_; ++i) {
      const wide factor = at(i, k) / pivot;
      at(i, k) = factor;
      if (factor == wide(0)) continue;
      for (std::int64_t j = k + 1; j <= i; ++j) at(i, j) = less(at(i, j), factor, column[static_cast<std::size_t>(j)]);
    }
  }
}

template <class S> void coarse_factors<S>::factor_general(const std::vector<double>& sizes) {
  const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  for (std::int64_t k = 0; k < rows_; ++k) {
    std::int64_t best = k;
    for (std::int64_t i = k + 1; i < rows_; ++i)
      if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
    if (best != k) {
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
      std::swap_ranges(&at(k, 0), &at(k, 0) + rows_, &at(best, 0));
    }
    if (!(std::abs(at(k, k)) > negligible() * largest)) {
      ++left_out_;
      for (std::int64_t i = k; i < rows_; ++i) at(i, k) = 0;
      continue;
    }
    for (std::int64_t i = k + 1; i < rows_; ++i) {
      const wide factor = at(i, k) / at(k, k);
      at(i, k) = factor;
      if (factor == wide(0)) continue;
      for (std::int64_t j = k + 1; j < rows_; ++j) at(i, j) = less(at(i, j), factor, at(k, j));
    }
  }
}

template <class S> void coarse_factors<S>::solve(std::span<const S> b, std::span<S> x) const {
  const summation::rounding_guard guard;
  std::vector<wide> y(static_cast<std::size_t>(rows_));
  for (std::int64_t i = 0; i < rows_; ++i) {
    wide sum(b[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
    for (std::int64_t j = 0; j < i; ++j) sum = less(sum, at(i, j), y[static_cast<std::size_t>(j)]);
    y[static_cast<std::size_t>(i)] = sum;
  }
  if (hermitian_)
    for (std::int64_t i = 0; i < rows_; ++i) {
      auto& one = y[static_cast<std::size_t>(i)];
      one = at(i, i) == wide(0) ? wide(0) : one / std::real(at(i, i));
    }
  for (std::int64_t i = rows_ - 1; i >= 0; --i) {
    const auto at_i = static_cast<std::size_t>(i);
    if (!hermitian_) y[at_i] = at(i, i) == wide(0) ? wide(0) : y[at_i] / at(i, i);
    for (std::int64_t j = 0; j < i; ++j) {
      const wide factor = hermitian_ ? summation::conjugate(at(i, j)) : at(j, i);
      y[static_cast<std::size_t>(j)] = less(y[static_cast<std::size_t>(j)], factor, y[at_i]);
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i)
    x[hermitian_ ? static_cast<std::size_t>(order_[i]) : i] = static_cast<S>(y[i]);
}

#define LACIS_INSTANTIATE(S)                                                          \
  template class coarse_factors<S>;                                                   \
  template coarse_factors<S>::coarse_factors(const csr_view<S, std::int32_t>&, bool); \
  template coarse_factors<S>::coarse_factors(const csr_view<S, std::int64_t>&, bool);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
