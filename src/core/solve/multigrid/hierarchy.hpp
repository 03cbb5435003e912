// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The levels of a matrix, and cycles through them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/multigrid.hpp>
#include <lacis/plan.hpp>

#include "base/internal.hpp"
#include "solve/multigrid/aggregate.hpp"
#include "solve/multigrid/coarse_factors.hpp"
#include "solve/multigrid/product_places.hpp"
#include "solve/multigrid/prolongator.hpp"
#include "solve/multigrid/smoother.hpp"

namespace lacis::multigrid {

/// The matrix of a level and the way to the next one.
template <class S, class Index> struct level {
  csr_matrix<S, Index> a;
  buffer<S> diagonal;
  buffer<S> inverse;  ///< of the diagonal, or of the row sums that stand for it
  smoothing_steps<S> steps;
  double largest_eigenvalue = 0;  ///< of D^-1 A
  std::optional<plan<S, Index>> product;

  // To the next level; nothing of it on the last one.
  buffer<std::uint8_t> strong;  ///< the mark of each entry of A; empty: all are strong
  std::int64_t weak = 0;        ///< entries that are not, beside the diagonal
  bool is_parted = false;       ///< whether weak entries are apart in the next level's matrix
  aggregates<Index> nodes;
  tentative<S> p0;
  csr_matrix<S, Index> p;
  csr_matrix<S, Index> r;
  std::optional<plan<S, Index>> interpolation;
  std::optional<plan<S, Index>> restriction;
  std::optional<product_places<Index>> places;  ///< from the first new values on
};

/// Vectors that A nearly annihilates: `width` numbers per row, row by row; nodes have `block` rows.
template <class S> struct near_null_space {
  buffer<S> rows;
  std::int64_t width = 1;
  int block = 1;
};
/// Of `rows` rows as the options give them: `width` vectors, or one constant per row of a node.
template <class S>
[[nodiscard]] LACIS_INTERNAL near_null_space<S> near_null_space_of(const multigrid_options& options, std::int64_t rows,
                                                                   std::int64_t width);

class stage_clock;

/// Smoothed aggregation in one precision. Cycles may run on several threads at a time; new values may
/// not be taken meanwhile.
template <class S, class Index> class LACIS_INTERNAL hierarchy {
 public:
  /// Throws error(invalid_matrix) where A has a diagonal that is not positive or is not positive definite.
  /// `depth`: levels above A that others have. `exactly`: it is known that A is what `hermitian` says without rounding
  /// errors, which spares a look.
  hierarchy(csr_matrix<S, Index> a, near_null_space<S> space, std::size_t depth, const multigrid_options& options,
            bool hermitian, int threads, bool exactly = false);
  ~hierarchy() { delete spare_.load(); }
  hierarchy(const hierarchy&) = delete;
  hierarchy& operator=(const hierarchy&) = delete;

  using values_writer = std::function<void(std::span<S>)>;
  /// Other values of A, which `write` puts where it is told, with the same aggregates and patterns. Where interpolation
  /// is truncated, which depends on values, and where A is Hermitian and was not, or was and is not, all is made anew.
  /// `follow` is called with the new levels, for what is made from them. When it throws, or anything before it,
  /// everything is as before.
  void update(bool hermitian, const values_writer& write, const std::function<void()>& follow);

  /// The vectors of one cycle: the right-hand side goes to the first level's b, the solution is in its x, which is
  /// zero before (`from_zero`) or a solution to be improved. A K-cycle below other levels changes b.
  using vectors = std::vector<level_vectors<S>>;
  [[nodiscard]] std::unique_ptr<vectors> take() const;
  void put_back(std::unique_ptr<vectors> all) const { delete spare_.exchange(all.release()); }
  void cycle(vectors& all, bool from_zero = true) const { visit(all, 0, from_zero); }

  // For cycles on devices.
  /// The finest first.
  [[nodiscard]] const std::vector<level<S, Index>>& levels() const { return levels_; }
  /// Of the last level; null where it is smoothed instead.
  [[nodiscard]] const coarse_factors<S>* factors() const { return is_factored_ ? &factors_ : nullptr; }
  /// Whether a cycle goes from that level to the next one two times.
  [[nodiscard]] bool visits_twice(std::size_t depth) const {
    return options_.cycle == multigrid_cycle::w && depth_ + depth > 0 && depth + 2 < levels_.size();
  }

  [[nodiscard]] const multigrid_report& report() const { return report_; }
  [[nodiscard]] std::int64_t moved_bytes() const;
  [[nodiscard]] std::int64_t storage_bytes() const;

 private:
  void build(csr_matrix<S, Index> a, near_null_space<S> space);
  void build_anew(bool hermitian, const values_writer& write, const std::function<void()>& follow);
  void refill(const values_writer& write, const std::function<void()>& follow);
  void exchange_levels(hierarchy& other) noexcept;
  void prepare(level<S, Index>& one, std::size_t depth, stage_clock& clock);
  buffer<real_of<S>> find_diagonal(level<S, Index>& one, std::size_t depth, bool with_roots) const;
  void find_steps(level<S, Index>& one, std::size_t depth) const;
  void choose_aggregates(level<S, Index>& one, int block, std::span<const real_of<S>> roots, stage_clock& clock) const;
  [[nodiscard]] bool mark_weak_part(level<S, Index>& one) const;
  [[nodiscard]] smoothing<S> smoothing_of(const level<S, Index>& one) const;
  void interpolate(level<S, Index>& one, int block, stage_clock& clock) const;
  void interpolate_again(level<S, Index>& one, int block, stage_clock& clock) const;
  void finish(level<S, Index>& last, stage_clock& clock);
  void tell(double seconds);
  /// Whether a K-cycle takes its steps on that level.
  [[nodiscard]] bool has_steps(std::size_t depth) const {
    return options_.cycle == multigrid_cycle::k && depth_ + depth > 0 && depth + 1 < levels_.size();
  }
  void visit(vectors& all, std::size_t depth, bool from_zero) const;
  void go_down_and_up(vectors& all, std::size_t depth, bool from_zero) const;

  multigrid_options options_;
  bool hermitian_;
  bool exactly_;
  multigrid_smoother smoother_;
  std::size_t depth_;
  plan_options plans_;
  std::vector<level<S, Index>> levels_;
  std::vector<int> blocks_;   ///< rows of a node, per level
  near_null_space<S> space_;  ///< of the first level, where it was given
  coarse_factors<S> factors_;
  bool is_factored_ = false;
  multigrid_report report_;
  mutable std::atomic<vectors*> spare_ = nullptr;
};

}  // namespace lacis::multigrid
