// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The levels of a distributed matrix, and cycles through them: the numbers of the hierarchy of one process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <lacis/mpi.hpp>
#include <lacis/multigrid.hpp>

#include "mpi/multigrid/aggregate.hpp"
#include "mpi/product.hpp"
#include "mpi/space.hpp"
#include "solve/multigrid/hierarchy.hpp"

namespace lacis::dist {

/// Vectors of a level, with room for the ghosts of the products that read them.
template <value S> struct spread_level_vectors {
  space_vector<S> b;
  space_vector<S> x;
  space_vector<S> r;
  space_vector<S> directions[2];
  // Of the two steps of a K-cycle; empty elsewhere.
  space_vector<S> first;           ///< direction
  space_vector<S> image_of_first;  ///< A times it
};

/// A level whose rows are shared by the ranks.
template <value S> struct spread_level {
  std::int64_t rows = 0;  ///< of all ranks
  std::int64_t entries = 0;
  int ranks = 1;  ///< that have rows
  std::int64_t own_rows = 0;
  std::unique_ptr<spread_space<S>> space;
  buffer<S> inverse;
  multigrid::smoothing_steps<S> steps;
  double largest_eigenvalue = 0;
  std::string aggregation;
  std::optional<spread_product<S>> product;
  // To the next level; nothing of it on the last one.
  std::optional<spread_product<S>> interpolation;
  std::optional<spread_product<S>> restriction;
  spread_level_vectors<S> v;
};

/// Smoothed aggregation in one precision. Large levels are shared; from the first one on that has few rows, which
/// depends on the number of rows alone, every rank has all of them. One cycle at a time.
template <value S> class spread_hierarchy {
 public:
  /// Rows of A, and numbers of the near null space, lie on ranks so that no node is cut. Throws error(invalid_matrix)
  /// on all ranks where one process does.
  spread_hierarchy(distributed_csr<S> a, multigrid::near_null_space<S> space, const multigrid_options& options,
                   bool hermitian, int threads);

  /// Own elements of the right-hand side and of the solution of a cycle.
  [[nodiscard]] S* right_hand_side() const { return vectors_of(0).b.data(); }
  [[nodiscard]] const S* solution() const { return vectors_of(0).x.data(); }
  void cycle() { visit(0, true); }

  [[nodiscard]] const multigrid_report& report() const { return report_; }
  [[nodiscard]] std::int64_t moved_bytes() const;
  [[nodiscard]] std::int64_t storage_bytes() const;

 private:
  using level = spread_level<S>;

  void build(distributed_csr<S> a, multigrid::near_null_space<S> space, multigrid::stage_clock& clock);
  [[nodiscard]] bool may_part(const multigrid::near_null_space<S>& space) const;
  /// The diagonal of A, without which there is no level.
  [[nodiscard]] buffer<S> find_diagonal(level& one, const distributed_csr<S>& a) const;
  [[nodiscard]] spread_aggregates choose_aggregates(const distributed_csr<S>& a, int block,
                                                    buffer<std::uint8_t>& strong, multigrid::stage_clock& clock) const;
  void prepare(level& one, const distributed_csr<S>& a, std::span<const S> diagonal,
               multigrid::stage_clock& clock) const;
  void find_spectrum(level& one, std::span<const S> diagonal, std::int64_t first) const;
  void have_whole(const distributed_csr<S>& a, multigrid::near_null_space<S> space);
  void make_vectors();
  [[nodiscard]] std::string layout_of(const level& one) const;
  void tell(double seconds);

  [[nodiscard]] distributed_options options_of_products() const;
  [[nodiscard]] const spread_level_vectors<S>& vectors_of(std::size_t depth) const {
    return depth < levels_.size() ? levels_[depth]->v : part_;
  }
  /// Whether a K-cycle takes its steps on that level.
  [[nodiscard]] bool has_steps(std::size_t depth) const {
    return options_.cycle == multigrid_cycle::k && depth > 0 && levels_[depth]->interpolation;
  }
  void visit(std::size_t depth, bool from_zero);
  void go_down_and_up(std::size_t depth, bool from_zero);
  void visit_whole(bool from_zero);
  void smooth(level& one, bool from_zero, bool with_residual);

  std::shared_ptr<const processes> group_;
  multigrid_options options_;
  bool hermitian_;
  multigrid_smoother smoother_;
  int threads_;
  std::vector<std::unique_ptr<level>> levels_;
  multigrid_report report_;

  // The levels that every rank has.
  using whole_hierarchy = multigrid::hierarchy<S, std::int32_t>;
  std::unique_ptr<whole_hierarchy> whole_;
  std::unique_ptr<typename whole_hierarchy::vectors> whole_vectors_;
  std::vector<std::int64_t> part_ranges_;  ///< of their first level, as the level above restricts to it
  std::unique_ptr<spread_space<S>> part_space_;
  spread_level_vectors<S> part_;  ///< b and x
  std::vector<int> part_bytes_;   ///< of each rank, and where they begin
  std::vector<int> part_begins_;
};

}  // namespace lacis::dist
