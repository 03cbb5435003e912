// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// New values for the levels that there are.
#include <algorithm>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/multigrid/scaling.hpp"
#include "solve/multigrid/weak_part.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// r = p^H, whose pattern it has.
template <class S, class Index>
void refill_conjugate_transpose(const csr_matrix<S, Index>& p, csr_matrix<S, Index>& r) {
  detail::parallel_rows(r.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (auto k = r.row_offsets[i]; k < r.row_offsets[i + 1]; ++k) {
        auto e = p.row_offsets[r.columns[k]];
        while (p.columns[e] != i) ++e;
        r.values.data[k] = summation::conjugate(p.values.data[e]);
      }
  });
}

/// New values of R A P.
template <class S, class Index>
void refill_product(level<S, Index>& one, const csr_view<S, Index>& a, csr_matrix<S, Index>& coarse) {
  const auto pattern = [](const csr_view<S, Index>& m) { return row_pattern<Index>(m); };
  if (!one.places) one.places.emplace(pattern(one.r.view()), pattern(a), pattern(one.p.view()), pattern(coarse.view()));
  if (one.places->fit())
    one.places->refill(one.r.view(), a, one.p.view(), coarse);
  else
    galerkin_refill(one.r.view(), a, one.p.view(), coarse);
}
/// New values of the next level's matrix.
template <class S, class Index> void refill_next(level<S, Index>& one, csr_matrix<S, Index>& coarse) {
  if (!one.is_parted) return refill_product(one, one.a.view(), coarse);
  const auto rest = rest_of<S, Index>(one.a.view(), 0, one.strong);
  refill_product(one, rest.view(), coarse);
  add_to(coarse, plain_product<S, Index>(one.r.view(), one.a.view(), one.strong, one.nodes.of));
}

/// What new values change of a level, and how it was before.
template <class S, class Index> struct former_values {
  buffer<S> a;
  buffer<S> p;
  buffer<S> r;
  buffer<S> diagonal;
  buffer<S> inverse;
  smoothing_steps<S> steps;
  double largest_eigenvalue;
  std::optional<plan<S, Index>> product;

  /// A plan that is shared takes new values in a copy.
  explicit former_values(const level<S, Index>& one)
      : a(one.a.values.data),
        p(one.p.values.data),
        r(one.r.values.data),
        diagonal(one.diagonal),
        inverse(one.inverse),
        steps(one.steps),
        largest_eigenvalue(one.largest_eigenvalue),
        product(one.product) {}

  /// Plans read the values of P and R where they are.
  void put_back(level<S, Index>& one) noexcept {
    one.a.values.data = std::move(a);
    std::copy(p.begin(), p.end(), one.p.values.data.begin());
    std::copy(r.begin(), r.end(), one.r.values.data.begin());
    one.diagonal = std::move(diagonal);
    one.inverse = std::move(inverse);
    one.steps = std::move(steps);
    one.largest_eigenvalue = largest_eigenvalue;
    one.product = std::move(product);
  }
};

}  // namespace

/// New values where the old ones are, which is where the plans read them.
template <class S, class Index>
void hierarchy<S, Index>::interpolate_again(level<S, Index>& one, int block, stage_clock& clock) const {
  refill_prolongator(one.a.view(), one.nodes, block, one.p0, smoothing_of(one), one.p);
  clock.end("interpolation");
  if (hermitian_) {
    refill_conjugate_transpose(one.p, one.r);
  } else {
    refill_restriction_of_adjoint(one.a.view(), one.nodes, block, one.p0, smoothing_of(one), one.r);
  }
  clock.end("restriction");
}

template <class S, class Index>
void hierarchy<S, Index>::update(bool hermitian, const values_writer& write, const std::function<void()>& follow) {
  const summation::rounding_guard guard;
  if (options_.truncation > 0 || hermitian != hermitian_)
    build_anew(hermitian, write, follow);
  else
    refill(write, follow);
  delete spare_.exchange(nullptr);
}

template <class S, class Index> void hierarchy<S, Index>::exchange_levels(hierarchy& other) noexcept {
  std::swap(hermitian_, other.hermitian_);
  std::swap(smoother_, other.smoother_);
  levels_.swap(other.levels_);
  blocks_.swap(other.blocks_);
  std::swap(factors_, other.factors_);
  std::swap(is_factored_, other.is_factored_);
  std::swap(report_, other.report_);
}

template <class S, class Index>
void hierarchy<S, Index>::build_anew(bool hermitian, const values_writer& write, const std::function<void()>& follow) {
  csr_matrix<S, Index> a = levels_[0].a;
  write(a.values.data);
  near_null_space<S> space =
      space_.rows.size() > 0 ? space_ : near_null_space_of<S>(options_, a.rows, width_of(options_, a.rows));
  hierarchy made(std::move(a), std::move(space), depth_, options_, hermitian, plans_.threads);
  exchange_levels(made);
  try {
    follow();
  } catch (...) {
    exchange_levels(made);
    throw;
  }
}

template <class S, class Index>
void hierarchy<S, Index>::refill(const values_writer& write, const std::function<void()>& follow) {
  const auto begin = detail::stopwatch::now();
  std::vector<former_values<S, Index>> former(levels_.begin(), levels_.end());
  multigrid_report former_report = report_;
  coarse_factors<S> former_factors = std::move(factors_);
  report_.phases.clear();
  stage_clock clock(report_);
  try {
    write(levels_[0].a.values.data);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      level<S, Index>& one = levels_[k];
      find_diagonal(one, k, false);
      clock.end("diagonal");
      if (k + 1 == levels_.size()) break;
      prepare(one, k, clock);
      interpolate_again(one, blocks_[k], clock);
      refill_next(one, levels_[k + 1].a);
      clock.end("R A P");
    }
    finish(levels_.back(), clock);
    tell(detail::nanoseconds_since(begin) * 1e-9);
    follow();
  } catch (...) {
    for (std::size_t k = 0; k < levels_.size(); ++k) former[k].put_back(levels_[k]);
    factors_ = std::move(former_factors);
    std::swap(report_, former_report);
    throw;
  }
}

#define LACIS_INSTANTIATE(S, Index)                                                          \
  template void hierarchy<S, Index>::update(bool, const hierarchy<S, Index>::values_writer&, \
                                            const std::function<void()>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
