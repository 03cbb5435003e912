// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/device_cycle.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include <lacis/device_multiply.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/context.hpp"
#include "device/spmv.hpp"
#include "plan/update.hpp"
#include "solve/multigrid/scaling.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// A plan of the matrix, or its values for the plan that there is.
template <class T, class Index>
void put(std::optional<plan<T, Index>>& there, const csr_view<T, Index>& a, device_id where) {
  if (there)
    detail::update_values_in_pattern(*there, a);
  else
    there.emplace(detail::multiply_inspect(a, {.device = where}));
}

template <class T, class Index> csr_matrix<T, Index> diagonal_matrix(std::span<const T> elements) {
  const auto rows = static_cast<std::int64_t>(elements.size());
  csr_matrix<T, Index> m{rows, rows, buffer<std::int64_t>(rows + 1), buffer<Index>(rows), values_array<T>(rows)};
  std::iota(m.row_offsets.begin(), m.row_offsets.end(), std::int64_t{0});
  std::iota(m.columns.begin(), m.columns.end(), Index{0});
  std::copy(elements.begin(), elements.end(), m.values.data.begin());
  return m;
}

/// The parts of the elements as real numbers: a power of two scales them without rounding.
template <class T> real_of<T>* parts(const space_vector<T>& x) { return reinterpret_cast<real_of<T>*>(x.data()); }
template <class T> std::int64_t count_of_parts(const space_vector<T>& x) { return x.size() * (is_complex<T> ? 2 : 1); }

}  // namespace

template <class T, class Index> void device_cycle<T, Index>::upload(bool has_same_patterns) {
  const auto& all = levels_.levels();
  if (!has_same_patterns) {
    std::vector<level_there> fresh;
    for (const level<T, Index>& one : all) fresh.emplace_back(space_, one.a.rows);
    there_ = std::move(fresh);
  }
  const std::int64_t factored = levels_.factors() != nullptr ? all.back().a.rows : 0;
  b_of_factors_ = buffer<T>(factored);
  x_of_factors_ = buffer<T>(factored);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const level<T, Index>& one = all[k];
    if (one.product) {
      const auto inverse = diagonal_matrix<T, Index>(one.inverse);
      put(there_[k].product, one.a.view(), space_.device());
      put(there_[k].inverse, inverse.view(), space_.device());
    }
    if (one.interpolation) {
      put(there_[k].interpolation, one.p.view(), space_.device());
      put(there_[k].restriction, one.r.view(), space_.device());
    }
  }
}

template <class T, class Index>
void device_cycle<T, Index>::multiply(T alpha, const plan<T, Index>& a, const vector& x, T beta,
                                      const vector& y) const {
  detail::multiply<T, Index>(alpha, a, side::plain, device_space<T>::there(x), beta, device_space<T>::there(y),
                             space_.stream());
}

template <class T, class Index>
void device_cycle<T, Index>::apply(const vector& x, real factor, const vector& y) const {
  const summation::rounding_guard guard;
  const device::visit here(*space_.stream().context().internals());
  device::runtime& runtime = space_.stream().internals().device;
  const level_there& finest = there_.front();
  const std::int64_t count = count_of_parts(x);
  const real down = scale_for(detail::largest(device_space<T>::there(x), space_.stream()));
  device::axpby<real>(runtime, count, down, parts(x), real(0), parts(finest.b));
  visit(0, true);
  device::axpby<real>(runtime, count, factor, parts(finest.x), real(0), parts(y));
  device::scale_without_product<real>(runtime, count, 1 / down, parts(y));
}

template <class T, class Index> void device_cycle<T, Index>::visit(std::size_t depth, bool from_zero) const {
  const level_there& here = there_[depth];
  const smoothing_steps<T>& steps = levels_.levels()[depth].steps;
  if (depth + 1 == there_.size())
    return levels_.factors() != nullptr ? solve_by_factors(here) : smooth(here, steps, from_zero, false);
  const level_there& next = there_[depth + 1];
  smooth(here, steps, from_zero, true);
  multiply(T(1), *here.restriction, here.r, T(0), next.b);
  visit(depth + 1, true);
  if (levels_.visits_twice(depth)) visit(depth + 1, false);
  multiply(T(1), *here.interpolation, next.x, T(1), here.x);
  smooth(here, steps, false, false);
}

template <class T, class Index> void device_cycle<T, Index>::solve_by_factors(const level_there& last) const {
  const std::int64_t bytes = last.b.size() * static_cast<std::int64_t>(sizeof(T));
  detail::copy_to_host(b_of_factors_.data(), last.b.data(), bytes, space_.stream());
  levels_.factors()->solve(b_of_factors_, x_of_factors_);
  detail::copy_to_device(last.x.data(), x_of_factors_.data(), bytes, space_.stream());
}

/// What smoothing_chain does, a product with its update in one launch: y = alpha A x + beta y has the bits of the two
/// one by one.
template <class T, class Index>
void device_cycle<T, Index>::smooth(const level_there& here, const smoothing_steps<T>& steps, bool from_zero,
                                    bool with_residual) const {
  bool has_residual = false;
  const auto subtract_product = [&](const vector& change) {
    if (!has_residual) space_.axpby(T(1), here.b, T(0), here.r);
    has_residual = true;
    multiply(T(-1), *here.product, change, T(1), here.r);
  };
  if (!from_zero) subtract_product(here.x);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (k > 0) subtract_product(here.direction);
    multiply(steps[k].of_residual, *here.inverse, has_residual ? here.r : here.b, steps[k].of_direction,
             here.direction);
    space_.axpby(T(1), here.direction, T(k == 0 && from_zero ? 0 : 1), here.x);
  }
  if (with_residual) subtract_product(here.direction);
}

template <class T, class Index> void device_cycle<T, Index>::describe(multigrid_report& report) const {
  for (std::size_t k = 0; k < there_.size(); ++k)
    if (there_[k].product) report.levels[k].layout = there_[k].product->layout();
  std::string words = detail::text("set up on the processor, cycles on ", name_of(space_.device()));
  if (levels_.factors() != nullptr)
    words += detail::text(", but for the coarsest ", levels_.factors()->rows(),
                          " rows, which the processor solves: they are copied there and back");
  report.remark = report.remark.empty() ? words : words + "; " + report.remark;
}

template <class T, class Index> std::int64_t device_cycle<T, Index>::moved_bytes() const {
  std::int64_t bytes = levels_.factors() != nullptr ? levels_.factors()->storage_bytes() : 0;
  for (std::size_t k = 0; k < there_.size(); ++k) {
    const level_there& one = there_[k];
    const auto steps = 2 * static_cast<std::int64_t>(levels_.levels()[k].steps.size());
    if (one.product) bytes += steps * (one.product->moved_bytes() + one.inverse->moved_bytes());
    if (one.interpolation) bytes += one.interpolation->moved_bytes() + one.restriction->moved_bytes();
  }
  return bytes;
}

template <class T, class Index> std::int64_t device_cycle<T, Index>::storage_bytes() const {
  std::int64_t bytes = 0;
  for (const level_there& one : there_) {
    constexpr std::int64_t vectors = 4;
    bytes += vectors * one.b.size() * static_cast<std::int64_t>(sizeof(T));
    for (const auto* matrix : {&one.product, &one.inverse, &one.interpolation, &one.restriction})
      if (*matrix) bytes += (*matrix)->storage_bytes();
  }
  return bytes;
}

#define LACIS_INSTANTIATE(T, Index) template class device_cycle<T, Index>;
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
