// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/hierarchy.hpp"

#include <algorithm>
#include <numeric>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "plan/borrow_rows.hpp"
#include "plan/update.hpp"
#include "solve/methods/spectrum.hpp"
#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/k_cycle.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/multigrid/scaling.hpp"
#include "solve/multigrid/weak_part.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis::multigrid {
namespace {

/// P^H or, where A is not Hermitian, the conjugate transpose of what A^H would be interpolated with.
template <class S, class Index>
csr_matrix<S, Index> restriction_of(const level<S, Index>& one, int block, const smoothing<S>& how, bool hermitian) {
  if (hermitian) return conjugate_transpose(one.p);
  if (how.truncation == 0) return restriction_of_adjoint(one.a.view(), one.nodes, block, one.p0, how);
  // What is truncated are rows of the other interpolation.
  const csr_matrix<S, Index> adjoint = conjugate_transpose(one.a);
  buffer<S> diagonal;
  return conjugate_transpose(
      smoothed_prolongator(adjoint.view(), one.nodes, block, one.p0, smoothing_of_adjoint(how, diagonal)));
}

/// The matrix of the next level.
template <class S, class Index> csr_matrix<S, Index> product_of(const level<S, Index>& one) {
  if (!one.is_parted) return galerkin_product(one.r.view(), one.a.view(), one.p.view());
  const auto rest = rest_of<S, Index>(one.a.view(), 0, one.strong);
  const auto plain = plain_product<S, Index>(one.r.view(), one.a.view(), one.strong, one.nodes.of);
  return galerkin_product(one.r.view(), rest.view(), one.p.view(), &plain);
}

}  // namespace

template <class S>
near_null_space<S> near_null_space_of(const multigrid_options& options, std::int64_t rows, std::int64_t width) {
  const bool is_given = !options.near_null_space.empty();
  near_null_space<S> space{buffer<S>(rows * width), width, options.block};
  summation::parallel_for(rows, [&](std::int64_t i) {
    for (std::int64_t c = 0; c < width; ++c)
      space.rows[i * width + c] =
          is_given ? S(static_cast<real_of<S>>(options.near_null_space[static_cast<std::size_t>(c * rows + i)]))
                   : S(i % options.block == c ? 1 : 0);
  });
  return space;
}

template <class S, class Index>
hierarchy<S, Index>::hierarchy(csr_matrix<S, Index> a, near_null_space<S> space, std::size_t depth,
                               const multigrid_options& options, bool hermitian, int threads, bool exactly)
    : options_(options),
      hermitian_(hermitian),
      exactly_(exactly),
      smoother_(smoother_of(options, hermitian)),
      depth_(depth) {
  const summation::rounding_guard guard;
  const auto begin = detail::stopwatch::now();
  plans_.threads = threads;
  plans_.expected_uses = uses_of_plans;
  if (!options_.near_null_space.empty()) space_ = space;
  options_.near_null_space = {};  // the caller's memory
  build(std::move(a), std::move(space));
  tell(detail::nanoseconds_since(begin) * 1e-9);
}

template <class S, class Index> void hierarchy<S, Index>::build(csr_matrix<S, Index> a, near_null_space<S> space) {
  stage_clock clock(report_);
  const std::int64_t width = space.width;
  int block = space.block;
  for (;;) {
    level<S, Index>& one = levels_.emplace_back();
    blocks_.push_back(block);
    one.a = std::move(a);
    const buffer<real_of<S>> roots = find_diagonal(one, levels_.size() - 1, block == 1 && hermitian_);
    clock.end("diagonal");
    if (one.a.rows <= options_.coarsest_rows || depth_ + levels_.size() >= most_levels) break;
    choose_aggregates(one, block, roots, clock);
    if (!is_coarser(one.nodes.count, width, one.a.rows)) break;
    prepare(one, levels_.size() - 1, clock);
    one.p0 = make_tentative<S, Index>(one.nodes, block, space.rows, width);
    interpolate(one, block, clock);
    one.is_parted = mark_weak_part(one);
    a = product_of(one);
    clock.end("R A P");
    space.rows = std::move(one.p0.coarse);
    block = static_cast<int>(width);
  }
  finish(levels_.back(), clock);
}

/// Of the rows of A: the roots of their largest magnitudes beside the diagonal, where they are asked for.
template <class S, class Index>
buffer<real_of<S>> hierarchy<S, Index>::find_diagonal(level<S, Index>& one, std::size_t depth, bool with_roots) const {
  auto found = diagonal_of(one.a.view(), 0, hermitian_, smoother_, with_roots);
  require_diagonal(found.bad, one.a.rows, depth_ + depth, hermitian_);
  one.diagonal = std::move(found.diagonal);
  one.inverse = std::move(found.inverse);
  return std::move(found.roots);
}

/// The plan of a level and the steps of its smoother.
template <class S, class Index>
void hierarchy<S, Index>::prepare(level<S, Index>& one, std::size_t depth, stage_clock& clock) {
  if (one.product)
    detail::update_values_in_pattern(*one.product, one.a.view());
  else
    one.product.emplace(detail::multiply_inspect(one.a.view(), plans_));
  clock.end("plan of A");
  find_steps(one, depth);
  clock.end("spectrum");
}

template <class S, class Index> void hierarchy<S, Index>::find_steps(level<S, Index>& one, std::size_t depth) const {
  if (!hermitian_) {
    one.largest_eigenvalue = largest_where_not_hermitian;
    one.steps = steps_of_smoother<S>(smoother_, one.largest_eigenvalue, options_.degree);
    return;
  }
  const auto product = make_operator(*one.product);
  const std::int64_t rows = one.a.rows;
  const buffer<S> inverse = inverses_of<S>(one.diagonal);
  const auto jacobi = make_operator<S>(
      rows, rows, [&](std::span<const S> x, std::span<S> y) { multiply_elements<S>(inverse, x.data(), y.data()); }, {},
      {.threads = plans_.threads});
  auto& space = product->space();
  const auto start = space.zeros(rows);
  summation::parallel_for(rows, [&](std::int64_t i) { start.data()[i] = S(static_cast<real_of<S>>(hashed(i))); });
  solver::operations<S> ops(*product, jacobi.get());
  one.largest_eigenvalue = solver::estimate_spectrum(ops, start, lanczos_steps).largest;
  require_positive(one.largest_eigenvalue, depth_ + depth);
  one.steps = steps_of_smoother<S>(smoother_, one.largest_eigenvalue, options_.degree);
}

template <class S, class Index>
void hierarchy<S, Index>::choose_aggregates(level<S, Index>& one, int block, std::span<const real_of<S>> roots,
                                            stage_clock& clock) const {
  const auto a = one.a.view();
  const auto choose = [&](const auto& matrix, std::span<const real_of<S>> roots_of_rows, std::span<std::uint8_t> marks,
                          bool mutual) {
    const auto strong = strong_connections(matrix, 0, roots_of_rows, options_.strength, marks);
    one.weak = matrix.nnz() - std::accumulate(strong.count.begin(), strong.count.end(), matrix.rows);
    clock.end("strength");
    one.nodes = aggregate(strong, mutual);
    clock.end("aggregates");
  };
  if (block == 1 && hermitian_) {
    one.strong = buffer<std::uint8_t>(a.nnz());
    // Of the given matrix it is known that it is Hermitian; sums of coarser ones are rounded.
    choose(a, roots, one.strong, exactly_ && depth_ == 0 && levels_.size() == 1);
  } else {
    auto sizes = block == 1 ? symmetric_magnitudes(a) : norms_of_blocks(a, block, block);
    if (block > 1 && !hermitian_) {
      const auto sorted = canonical(sizes);
      sizes = symmetric_magnitudes(sorted.view());
    }
    buffer<std::uint8_t> unused(sizes.nnz());
    choose(sizes.view(), roots_of_largest(sizes.view(), 0), unused, !hermitian_);
  }
}

/// Whether weak entries go apart; marks them. Where interpolation is truncated, rows of R may lack some of their
/// aggregate; and sums of complex entries would make the diagonal complex.
template <class S, class Index> bool hierarchy<S, Index>::mark_weak_part(level<S, Index>& one) const {
  if (is_complex<S> || one.strong.empty() || !one.p0.is_one || options_.truncation > 0) return false;
  if (!is_worth_parting({.apart = one.weak}, one.a.nnz())) return false;  // not if all of them went
  const auto may = rows_that_part<S, Index, Index>(one.a.view(), 0, one.strong, one.nodes.of);
  return is_worth_parting(mark_apart<S, Index>(one.a.view(), 0, may, one.strong), one.a.nnz());
}

template <class S, class Index> smoothing<S> hierarchy<S, Index>::smoothing_of(const level<S, Index>& one) const {
  return {one.diagonal, one.strong, damping / one.largest_eigenvalue, options_.truncation};
}

template <class S, class Index>
void hierarchy<S, Index>::interpolate(level<S, Index>& one, int block, stage_clock& clock) const {
  one.p = smoothed_prolongator(one.a.view(), one.nodes, block, one.p0, smoothing_of(one));
  clock.end("interpolation");
  one.r = restriction_of(one, block, smoothing_of(one), hermitian_);
  clock.end("restriction");
  one.interpolation.emplace(detail::borrow_rows(one.p.view(), plans_));
  one.restriction.emplace(detail::borrow_rows(one.r.view(), plans_));
  clock.end("plans of P and R");
}

template <class S, class Index> void hierarchy<S, Index>::finish(level<S, Index>& last, stage_clock& clock) {
  is_factored_ = last.a.rows <= std::max(most_dense_rows, options_.coarsest_rows);
  report_.remark.clear();
  if (is_factored_) {
    factors_ = coarse_factors<S>(last.a.view(), hermitian_);
    clock.end("factors");
    if (factors_.left_out() > 0)
      report_.remark = detail::text("the coarsest matrix is singular: ", factors_.left_out(), " of its ", last.a.rows,
                                    " unknowns are left at zero");
    return;
  }
  prepare(last, levels_.size() - 1, clock);
  last.steps = steps_of_smoother<S>(smoother_, last.largest_eigenvalue, last_steps);
  report_.remark = remark_without_factors(last.a.rows);
}

template <class S, class Index> void hierarchy<S, Index>::tell(double seconds) {
  report_.levels.clear();
  double entries = 0;
  for (const level<S, Index>& one : levels_) {
    entries += static_cast<double>(one.a.nnz());
    report_.levels.push_back({one.a.rows, one.a.nnz(), one.product ? one.product->layout() : "dense",
                              aggregation_words(one.nodes.how, one.is_parted), one.largest_eigenvalue, 1});
  }
  report_.levels.back().aggregation.clear();
  report_.operator_complexity = entries / std::max(1.0, static_cast<double>(levels_[0].a.nnz()));
  report_.setup_seconds = seconds;
  report_.hermitian = hermitian_;
  report_.cycle = options_.cycle;
  report_.smoother = smoother_;
}

template <class S, class Index> auto hierarchy<S, Index>::take() const -> std::unique_ptr<vectors> {
  std::unique_ptr<vectors> all(spare_.exchange(nullptr));
  if (all != nullptr) return all;
  all = std::make_unique<vectors>();
  for (std::size_t k = 0; k < levels_.size(); ++k)
    all->emplace_back(levels_[k].a.rows, has_steps(k) ? make_host_space<S>({.threads = plans_.threads}) : nullptr);
  return all;
}

template <class S, class Index> void hierarchy<S, Index>::visit(vectors& all, std::size_t depth, bool from_zero) const {
  if (!has_steps(depth)) return go_down_and_up(all, depth, from_zero);
  const level<S, Index>& here = levels_[depth];
  level_vectors<S>& v = all[depth];
  const auto handle = [](buffer<S>& x) { return space_vector<S>(nullptr, x.data(), x.size()); };
  const auto read = [](const space_vector<S>& x) {
    return std::span<const S>(x.data(), static_cast<std::size_t>(x.size()));
  };
  // The residual of smoothing is free while A is multiplied with.
  const krylov_vectors<S> steps{handle(v.b), handle(v.x), handle(v.first), handle(v.image_of_first), handle(v.r)};
  krylov_steps(
      *v.space, steps, hermitian_, [&] { go_down_and_up(all, depth, true); },
      [&](const space_vector<S>& x, const space_vector<S>& y) {
        multiply(*here.product, read(x), std::span<S>(y.data(), static_cast<std::size_t>(y.size())));
      });
}

template <class S, class Index>
void hierarchy<S, Index>::go_down_and_up(vectors& all, std::size_t depth, bool from_zero) const {
  const level<S, Index>& here = levels_[depth];
  level_vectors<S>& v = all[depth];
  if (depth + 1 == levels_.size()) {
    if (is_factored_)
      factors_.solve(v.b, v.x);
    else
      smooth<S, Index>(*here.product, here.inverse, here.steps, v, from_zero, false);
    return;
  }
  level_vectors<S>& next = all[depth + 1];
  smooth<S, Index>(*here.product, here.inverse, here.steps, v, from_zero, true);
  multiply(*here.restriction, v.r, next.b);
  visit(all, depth + 1, true);
  if (visits_twice(depth)) visit(all, depth + 1, false);
  auto memory = detail::take_workspace(*here.interpolation);
  multiply(S(1), *here.interpolation, next.x, S(1), v.x, *memory);
  detail::put_back(*here.interpolation, std::move(memory));
  smooth<S, Index>(*here.product, here.inverse, here.steps, v, false, false);
}

template <class S, class Index> std::int64_t hierarchy<S, Index>::moved_bytes() const {
  std::int64_t bytes = factors_.storage_bytes();
  for (const level<S, Index>& one : levels_) {
    if (one.product) bytes += 2 * static_cast<std::int64_t>(one.steps.size()) * one.product->moved_bytes();
    if (one.interpolation) bytes += one.interpolation->moved_bytes() + one.restriction->moved_bytes();
  }
  return bytes;
}

template <class S, class Index> std::int64_t hierarchy<S, Index>::storage_bytes() const {
  const auto bytes_of = [](const csr_matrix<S, Index>& m) {
    return m.row_offsets.size() * 8 + m.nnz() * static_cast<std::int64_t>(sizeof(S) + sizeof(Index));
  };
  std::int64_t bytes = factors_.storage_bytes();
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const level<S, Index>& one = levels_[k];
    const std::int64_t kept = has_steps(k) ? 9 : 7;  // five or seven of a cycle, the diagonal and its inverse
    bytes += bytes_of(one.a) + bytes_of(one.p) + bytes_of(one.r) + one.strong.size() +
             (kept + one.p0.width) * one.a.rows * static_cast<std::int64_t>(sizeof(S));
    if (one.product) bytes += one.product->storage_bytes();
    if (one.places) bytes += one.places->storage_bytes();
  }
  return bytes;
}

#define LACIS_INSTANTIATE(S, Index) template class hierarchy<S, Index>;
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

#define LACIS_INSTANTIATE_SPACE(S) \
  template near_null_space<S> near_null_space_of(const multigrid_options&, std::int64_t, std::int64_t);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE_SPACE)

}  // namespace lacis::multigrid
