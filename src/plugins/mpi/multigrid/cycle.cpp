// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cycles through a distributed hierarchy: products that exchange ghosts, then the steps of one process on own rows.
#include <algorithm>

#include "mpi/multigrid/hierarchy.hpp"
#include "solve/multigrid/k_cycle.hpp"

namespace lacis::dist {

template <value S> void spread_hierarchy<S>::smooth(level& one, bool from_zero, bool with_residual) {
  const spread_level_vectors<S>& v = one.v;
  const multigrid::smoothed_vectors<S> vectors(one.own_rows, v.b.data(), v.x.data(), v.r.data(), v.directions[0].data(),
                                               v.directions[1].data());
  const auto vector_at = [&](const S* data) -> const space_vector<S>& {
    for (const space_vector<S>* known : {&v.x, &v.directions[0], &v.directions[1]})
      if (known->data() == data) return *known;
    return v.r;
  };
  multigrid::smooth<S>([&](const S* from, S* to) { one.product->multiply(vector_at(from), vector_at(to), *one.space); },
                       one.inverse, one.steps, vectors, from_zero, with_residual);
}

template <value S> void spread_hierarchy<S>::visit(std::size_t depth, bool from_zero) {
  if (depth == levels_.size()) return visit_whole(from_zero);
  if (!has_steps(depth)) return go_down_and_up(depth, from_zero);
  level& here = *levels_[depth];
  const spread_level_vectors<S>& v = here.v;
  // The residual of smoothing is free while A is multiplied with.
  const multigrid::krylov_vectors<S> steps{v.b, v.x, v.first, v.image_of_first, v.r};
  multigrid::krylov_steps(
      *here.space, steps, hermitian_, [&] { go_down_and_up(depth, true); },
      [&](const space_vector<S>& x, const space_vector<S>& y) { here.product->multiply(x, y, *here.space); });
}

template <value S> void spread_hierarchy<S>::go_down_and_up(std::size_t depth, bool from_zero) {
  level& here = *levels_[depth];
  if (!here.interpolation) return smooth(here, from_zero, false);
  const spread_level_vectors<S>& next = vectors_of(depth + 1);
  const bool twice = options_.cycle == multigrid_cycle::w && depth > 0 && depth + 2 < report_.levels.size();
  smooth(here, from_zero, true);
  here.restriction->multiply(here.v.r, next.b, *here.space);
  visit(depth + 1, true);
  if (twice) visit(depth + 1, false);
  // What the smoothing before has left in a direction is no longer read.
  const space_vector<S>& correction = here.v.directions[0];
  here.interpolation->multiply(next.x, correction, *here.space);
  here.space->axpby(S(1), correction, S(1), here.v.x);
  smooth(here, false, false);
}

/// All ranks compute the same.
template <value S> void spread_hierarchy<S>::visit_whole(bool from_zero) {
  multigrid::level_vectors<S>& all = whole_vectors_->front();
  const auto rank = static_cast<std::size_t>(group_->rank());
  MPI_Allgatherv(part_.b.data(), part_bytes_[rank], MPI_BYTE, all.b.data(), part_bytes_.data(), part_begins_.data(),
                 MPI_BYTE, group_->communicator());
  whole_->cycle(*whole_vectors_, from_zero);
  std::copy_n(all.x.data() + part_ranges_[rank], part_.x.size(), part_.x.data());
}

#define LACIS_INSTANTIATE(S)                                               \
  template void spread_hierarchy<S>::smooth(spread_level<S>&, bool, bool); \
  template void spread_hierarchy<S>::visit(std::size_t, bool);             \
  template void spread_hierarchy<S>::go_down_and_up(std::size_t, bool);    \
  template void spread_hierarchy<S>::visit_whole(bool);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::dist
