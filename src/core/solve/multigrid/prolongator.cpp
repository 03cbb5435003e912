// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/prolongator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/instantiate.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "solve/multigrid/weak_part.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// The rows of A of every aggregate, one aggregate after the other, rows ascending.
template <class Index> struct members {
  buffer<std::int64_t> offsets;
  buffer<Index> rows;
};
template <class Index> members<Index> members_of(const aggregates<Index>& nodes, int block) {
  members<Index> all{buffer<std::int64_t>(nodes.count + 1, 0), {}};
  for (const Index a : nodes.of)
    if (a >= 0) all.offsets[a] += block;
  all.rows = buffer<Index>(detail::counts_to_offsets(all.offsets));
  buffer<std::int64_t> next = all.offsets;
  for (std::int64_t node = 0; node < nodes.of.size(); ++node)
    if (nodes.of[node] >= 0)
      for (int r = 0; r < block; ++r) all.rows[next[nodes.of[node]]++] = static_cast<Index>(node * block + r);
  return all;
}

/// Gram-Schmidt, twice for the digits, on the columns of the rows of one aggregate. q is orthogonal, r upper
/// triangular.
template <class S, class Index> void orthogonalise(std::span<const Index> rows, std::int64_t width, S* q, S* r) {
  using real = real_of<S>;
  const auto at = [&](std::size_t row, std::int64_t column) -> S& {
    return q[static_cast<std::int64_t>(rows[row]) * width + column];
  };
  std::fill(r, r + width * width, S(0));
  for (std::int64_t c = 0; c < width; ++c) {
    real before = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) before += std::norm(at(i, c));
    for (int pass = 0; pass < 2; ++pass)
      for (std::int64_t b = 0; b < c; ++b) {
        S dot{};
        for (std::size_t i = 0; i < rows.size(); ++i)
          dot = summation::add(dot, summation::multiply(summation::conjugate(at(i, b)), at(i, c)));
        for (std::size_t i = 0; i < rows.size(); ++i)
          at(i, c) = summation::add(at(i, c), -summation::multiply(dot, at(i, b)));
        r[b * width + c] = summation::add(r[b * width + c], dot);
      }
    real square = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) square += std::norm(at(i, c));
    // What rounding leaves of a column that the others span.
    const real nothing = before * static_cast<real>(rows.size()) * 64 * std::numeric_limits<real>::epsilon() *
                         std::numeric_limits<real>::epsilon();
    const real norm = square > nothing ? std::sqrt(square) : 0;
    for (std::size_t i = 0; i < rows.size(); ++i) at(i, c) = norm > 0 ? at(i, c) / norm : S(0);
    r[c * width + c] = S(norm);
  }
}

}  // namespace

template <class S, class Index>
tentative<S> make_tentative(const aggregates<Index>& nodes, int block, std::span<const S> space, std::int64_t width) {
  tentative<S> made{width, buffer<S>(space), buffer<S>(nodes.count * width * width)};
  if (width == 1) {
    std::fill(made.coarse.begin(), made.coarse.end(), S(1));
    made.is_one = std::all_of(space.begin(), space.end(), [](S x) { return x == S(1); });
    return made;
  }
  const members<Index> all = members_of(nodes, block);
  detail::parallel_rows(all.offsets, [&](std::int64_t begin, std::int64_t end) {
    const summation::rounding_guard guard;
    for (std::int64_t a = begin; a < end; ++a)
      orthogonalise(std::span<const Index>(all.rows.data() + all.offsets[a], all.rows.data() + all.offsets[a + 1]),
                    width, made.rows.data(), made.coarse.data() + a * width * width);
  });
  return made;
}

namespace {

/// Adds up row i of (I - factor D^-1 A_F) P0.
template <class S, class Index> struct smoothed_row {
  const csr_view<S, Index>& a;
  const aggregates<Index>& nodes;
  int block;
  const tentative<S>& p0;
  const smoothing<S>& how;
  std::int64_t shift;  ///< the diagonal entry of row i is in column shift + i

  template <class Sums> void add(Sums& sums, std::int64_t i) const {
    if (block != 1 || p0.width != 1)
      add<rows_of::blocks>(sums, i);
    else if (p0.is_one)
      add<rows_of::ones>(sums, i);
    else
      add<rows_of::numbers>(sums, i);
  }

 private:
  /// What P0 has: where each row is a node and has one number nothing is divided, which takes longer than all the rest.
  enum class rows_of { blocks, numbers, ones };
  template <rows_of Kind, class Sums> void add(Sums& sums, std::int64_t i) const {
    constexpr bool is_plain = Kind != rows_of::blocks;
    const std::int64_t width = is_plain ? 1 : p0.width;
    const auto factor = static_cast<real_of<S>>(how.factor);
    const auto first = a.row_offsets[static_cast<std::size_t>(i)];
    const auto last = a.row_offsets[static_cast<std::size_t>(i + 1)];
    // Copies: what is written might otherwise be one of them.
    const Index* const columns = a.columns.data();
    const values_view<S> values = a.values;
    const Index* const aggregate_of = nodes.of.data();
    const std::uint8_t* const strong = how.strong.empty() ? nullptr : how.strong.data();
    S diagonal = how.diagonal[static_cast<std::size_t>(i)];
    if (strong != nullptr)
      for (auto k = first; k < last; ++k)
        if (columns[k] != shift + i && strong[k] != strong_mark) diagonal = summation::add(diagonal, values[k]);
    // Where weak entries outweigh the diagonal it stays as it is.
    if (!(std::real(diagonal) > 0)) diagonal = how.diagonal[static_cast<std::size_t>(i)];
    const S scale = S(-factor) / diagonal;
    for (auto k = first; k < last; ++k) {
      const std::int64_t j = columns[k];
      const Index aggregate = aggregate_of[is_plain ? j : j / block];
      const bool is_diagonal = j == shift + i;
      if (aggregate < 0 || (!is_diagonal && strong != nullptr && strong[k] != strong_mark)) continue;
      const bool keeps_diagonal = is_diagonal && strong != nullptr;
      const S weight =
          is_diagonal ? (keeps_diagonal ? S(1 - factor) : summation::add(S(1), summation::multiply(scale, values[k])))
                      : summation::multiply(scale, values[k]);
      if constexpr (Kind == rows_of::ones) {
        sums.add(aggregate, weight);
        continue;
      }
      for (std::int64_t c = 0; c < width; ++c)
        if (p0.rows[j * width + c] != S(0))  // a direction that the aggregate does not have stays empty
          sums.add(static_cast<Index>(aggregate * width + c), summation::multiply(weight, p0.rows[j * width + c]));
    }
  }
};

/// Leaves out what is smaller than `share` of the largest entry; the others are scaled to the same sum.
/// How many are left, which come first.
template <class S, class Index> std::int64_t truncate(std::span<entry<S, Index>> row, real_of<S> share) {
  real_of<S> largest = 0;
  S all{};
  S sum{};
  for (const auto& one : row) {
    largest = std::max(largest, std::abs(one.value));
    all += one.value;
  }
  const auto end = std::remove_if(row.begin(), row.end(),
                                  [&](const entry<S, Index>& one) { return std::abs(one.value) < share * largest; });
  const auto kept = row.first(static_cast<std::size_t>(end - row.begin()));
  for (const auto& one : kept) sum += one.value;
  if (sum != S(0))
    for (auto& one : kept) one.value = summation::multiply(one.value, all / sum);
  return static_cast<std::int64_t>(kept.size());
}

}  // namespace

template <class S, class Index>
csr_matrix<S, Index> smoothed_prolongator(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block,
                                          const tentative<S>& p0, const smoothing<S>& how, std::int64_t first) {
  const smoothed_row<S, Index> rows{a, nodes, block, p0, how, first};
  const auto share = static_cast<real_of<S>>(how.truncation);
  return collect_rows<S, Index>(
      a.rows, nodes.count * p0.width, a.row_offsets,
      [&](row_sums<S, Index>& sums, std::int64_t i) { rows.add(sums, i); },
      [&](std::span<entry<S, Index>> row) {
        return share > 0 ? truncate(row, share) : static_cast<std::int64_t>(row.size());
      });
}

template <class S, class Index>
void refill_prolongator(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block, const tentative<S>& p0,
                        const smoothing<S>& how, csr_matrix<S, Index>& p) {
  const smoothed_row<S, Index> rows{a, nodes, block, p0, how, 0};
  refill_rows(p, a.row_offsets, [&](known_sums<S, Index>& sums, std::int64_t i) { rows.add(sums, i); });
}

namespace {

/// Adds up rows of (I - factor D^-H A^H) P0, conjugate transposed, from the rows of A in each aggregate.
template <class S, class Index> class restriction_rows {
 public:
  restriction_rows(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block, const tentative<S>& p0,
                   const smoothing<S>& how)
      : a_(a),
        p0_(p0),
        is_one_(block == 1 && p0.is_one),
        members_(members_of(nodes, block)),
        scales_(a.rows),
        weights_(nodes.count * p0.width + 1) {
    const auto factor = static_cast<real_of<S>>(how.factor);
    detail::parallel_for(a.rows, [&](std::int64_t j) {
      scales_[j] = S(-factor) / summation::conjugate(how.diagonal[static_cast<std::size_t>(j)]);
    });
    weights_[0] = 0;
    for (std::int64_t row = 0; row + 1 < weights_.size(); ++row) {
      std::int64_t entries = 0;
      for (const Index i : of(row / p0.width))
        entries += a.row_offsets[static_cast<std::size_t>(i) + 1] - a.row_offsets[static_cast<std::size_t>(i)];
      weights_[row + 1] = weights_[row] + entries;
    }
  }

  /// How many entries of A are read for the rows before each row.
  [[nodiscard]] std::span<const std::int64_t> weights() const { return weights_; }

  template <class Sums> void add(Sums& sums, std::int64_t row) const {
    const std::int64_t aggregate = p0_.width == 1 ? row : row / p0_.width;
    const std::int64_t c = row - aggregate * p0_.width;
    for (const Index i : of(aggregate)) {
      const S near = p0_.rows[i * p0_.width + c];
      if (near == S(0)) continue;  // as in a prolongator
      for (auto k = a_.row_offsets[static_cast<std::size_t>(i)]; k < a_.row_offsets[static_cast<std::size_t>(i) + 1];
           ++k) {
        const Index j = a_.columns[static_cast<std::size_t>(k)];
        const S step = summation::multiply(scales_[j], summation::conjugate(S(a_.values[k])));
        const S weight = j == i ? summation::add(S(1), step) : step;
        sums.add(j, summation::conjugate(is_one_ ? weight : summation::multiply(weight, near)));
      }
    }
  }

 private:
  [[nodiscard]] std::span<const Index> of(std::int64_t aggregate) const {
    return {members_.rows.data() + members_.offsets[aggregate], members_.rows.data() + members_.offsets[aggregate + 1]};
  }

  const csr_view<S, Index>& a_;
  const tentative<S>& p0_;
  bool is_one_;
  members<Index> members_;
  buffer<S> scales_;
  buffer<std::int64_t> weights_;
};

}  // namespace

template <class S, class Index>
csr_matrix<S, Index> restriction_of_adjoint(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block,
                                            const tentative<S>& p0, const smoothing<S>& how) {
  const restriction_rows<S, Index> rows(a, nodes, block, p0, how);
  return collect_rows<S, Index>(nodes.count * p0.width, a.rows, rows.weights(),
                                [&](row_sums<S, Index>& sums, std::int64_t i) { rows.add(sums, i); });
}

template <class S, class Index>
void refill_restriction_of_adjoint(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block,
                                   const tentative<S>& p0, const smoothing<S>& how, csr_matrix<S, Index>& r) {
  const restriction_rows<S, Index> rows(a, nodes, block, p0, how);
  refill_rows(r, rows.weights(), [&](known_sums<S, Index>& sums, std::int64_t i) { rows.add(sums, i); });
}

#define LACIS_INSTANTIATE(S, Index)                                                                               \
  template tentative<S> make_tentative(const aggregates<Index>&, int, std::span<const S>, std::int64_t);          \
  template csr_matrix<S, Index> smoothed_prolongator(const csr_view<S, Index>&, const aggregates<Index>&, int,    \
                                                     const tentative<S>&, const smoothing<S>&, std::int64_t);     \
  template void refill_prolongator(const csr_view<S, Index>&, const aggregates<Index>&, int, const tentative<S>&, \
                                   const smoothing<S>&, csr_matrix<S, Index>&);                                   \
  template csr_matrix<S, Index> restriction_of_adjoint(const csr_view<S, Index>&, const aggregates<Index>&, int,  \
                                                       const tentative<S>&, const smoothing<S>&);                 \
  template void refill_restriction_of_adjoint(const csr_view<S, Index>&, const aggregates<Index>&, int,           \
                                              const tentative<S>&, const smoothing<S>&, csr_matrix<S, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
