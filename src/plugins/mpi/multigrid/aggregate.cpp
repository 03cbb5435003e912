// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Aggregation on ranks. Integers are exchanged, and float sums are those of one row: nothing depends on the ranks.
#include "mpi/multigrid/aggregate.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "mpi/rows.hpp"
#include "solve/multigrid/aggregate_steps.hpp"
#include "solve/multigrid/independent_set.hpp"

namespace lacis::dist {
namespace {

using multigrid::alone;
using multigrid::connections;
using multigrid::undecided;

/// Lists of columns as connections; only their order and number count.
connections<std::int64_t> connections_of(std::span<const std::int64_t> offsets, buffer<std::int64_t> columns) {
  connections<std::int64_t> made{offsets, buffer<std::int64_t>(static_cast<std::int64_t>(offsets.size()) - 1),
                                 std::move(columns)};
  for (std::int64_t i = 0; i < made.count.size(); ++i)
    made.count[i] = offsets[static_cast<std::size_t>(i) + 1] - offsets[static_cast<std::size_t>(i)];
  return made;
}

class aggregation {
 public:
  aggregation(const std::shared_ptr<const processes>& group, const std::vector<std::int64_t>& ranges, const halo& place,
              const connections<std::int32_t>& strong)
      : group_(group),
        ranges_(ranges),
        place_(place),
        strong_(strong),
        first_(ranges[static_cast<std::size_t>(group->rank())]),
        root_(strong.rows()) {
    for (std::int64_t i = 0; i < root_.size(); ++i) root_[i] = strong.count[i] > 0 ? undecided : alone;
  }

  [[nodiscard]] spread_aggregates find() {
    if (is_mostly_inside()) {
      go_through_ranges();
      join_neighbours();
      go_through_rest(multigrid::rows_of_range(rows()));
      return numbered(multigrid::words_for_greedy(rows()));
    }
    multigrid::independent_set(strong_, rows(), place_, root_);
    join_roots();
    join_neighbours();
    go_through_rest(rows());
    return numbered(multigrid::words_for_independent());
  }

 private:
  [[nodiscard]] std::int64_t rows() const { return ranges_.back(); }
  [[nodiscard]] bool is_own(std::int64_t row) const { return row >= first_ && row < first_ + root_.size(); }
  /// The columns of row i in the same range of `size` rows, as rows of the whole matrix.
  template <class Visit> void each_inside(std::int64_t i, std::int64_t size, Visit&& visit) const {
    const std::int64_t range = (first_ + i) / size;
    for (const std::int32_t j : strong_.of(i))
      if (const std::int64_t row = place_.number(j); row / size == range) visit(j, row);
  }

  [[nodiscard]] bool is_mostly_inside() const {
    const std::int64_t size = multigrid::rows_of_range(rows());
    std::int64_t inside = 0;
    std::int64_t all = 0;
    for (std::int64_t i = 0; i < root_.size(); ++i) {
      all += strong_.count[i];
      each_inside(i, size, [&](std::int32_t, std::int64_t) { ++inside; });
    }
    inside = group_->sum(inside);
    all = group_->sum(all);
    return all == 0 || static_cast<double>(inside) / static_cast<double>(all) >= multigrid::least_share_inside;
  }

  /// Each range whole on one rank, the one that has its first row: connections go there, roots come back.
  void go_through_ranges() {
    const std::int64_t size = multigrid::rows_of_range(rows());
    spread_rows<float, std::int64_t> graph{group_, ranges_, ranges_, {}};
    graph.rows = {root_.size(), rows(), buffer<std::int64_t>(root_.size() + 1), {}, values_array<float>::same(1)};
    std::vector<std::int64_t> columns;
    graph.rows.row_offsets[0] = 0;
    for (std::int64_t i = 0; i < root_.size(); ++i) {
      each_inside(i, size, [&](std::int32_t, std::int64_t row) { columns.push_back(row); });
      graph.rows.row_offsets[i + 1] = static_cast<std::int64_t>(columns.size());
    }
    graph.rows.columns = buffer<std::int64_t>(std::span<const std::int64_t>(columns));
    columns = {};
    std::vector<std::int64_t> whole = ranges_;
    for (std::int64_t& begin : whole) begin = std::min((begin + size - 1) / size * size, rows());
    graph = moved(std::move(graph), whole);
    buffer<std::int64_t> root = moved_elements<std::int64_t>(*group_, ranges_, whole, root_);
    const std::int64_t base = whole[static_cast<std::size_t>(group_->rank())];
    for (std::int64_t& column : graph.rows.columns) column -= base;
    const auto inside = connections_of(graph.rows.row_offsets, std::move(graph.rows.columns));
    lacis::detail::parallel_pieces(
        (root.size() + size - 1) / size, root.size() + inside.columns.size(), [&](std::int64_t range) {
          multigrid::go_through(inside, range * size, std::min((range + 1) * size, root.size()), true, root);
        });
    for (std::int64_t& one : root)
      if (one >= 0) one += base;
    root_ = moved_elements<std::int64_t>(*group_, whole, ranges_, root);
  }

  /// Rows beside a root join the first one.
  void join_roots() {
    const buffer<std::int64_t> known = place_.with_ghosts<std::int64_t>(root_);
    for (std::int64_t i = 0; i < root_.size(); ++i) {
      if (root_[i] != undecided) continue;
      for (const std::int32_t j : strong_.of(i))
        if (known[j] >= 0 && known[j] == place_.number(j)) {
          root_[i] = known[j];
          break;
        }
    }
  }

  [[nodiscard]] bool all_decided() const {
    return group_->all(std::find(root_.begin(), root_.end(), undecided) == root_.end());
  }

  /// Rows that have no root yet join an aggregate beside them, if there is one.
  void join_neighbours() {
    if (all_decided()) return;
    const buffer<std::int64_t> known = place_.with_ghosts<std::int64_t>(root_);
    const buffer<std::int64_t> size = place_.with_ghosts<std::int64_t>(of_roots(members(), 0));
    lacis::detail::parallel_rows(strong_.begin, [&](std::int64_t begin, std::int64_t end) {
      multigrid::neighbours beside(strong_, known, [&](std::int32_t j) { return size[j]; });
      for (std::int64_t i = begin; i < end; ++i)
        if (root_[i] == undecided) root_[i] = beside.best_for(i);
    });
  }

  /// Where connections are not symmetric some rows may be left, few: all ranks go through them.
  void go_through_rest(std::int64_t size) {
    if (all_decided()) return;
    const buffer<std::int64_t> known = place_.with_ghosts<std::int64_t>(root_);
    std::vector<std::int64_t> mine;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> columns;
    for (std::int64_t i = 0; i < root_.size(); ++i) {
      if (root_[i] != undecided) continue;
      const std::size_t before = columns.size();
      each_inside(i, size, [&](std::int32_t j, std::int64_t row) {
        if (known[j] == undecided) columns.push_back(row);
      });
      mine.push_back(first_ + i);
      lengths.push_back(static_cast<std::int64_t>(columns.size() - before));
    }
    const std::vector<std::int64_t> rest = group_->collect(std::span<const std::int64_t>(mine));
    lengths = group_->collect(std::span<const std::int64_t>(lengths));
    columns = group_->collect(std::span<const std::int64_t>(columns));
    for (std::int64_t& row : columns) row = std::lower_bound(rest.begin(), rest.end(), row) - rest.begin();
    std::vector<std::int64_t> offsets(rest.size() + 1, 0);
    std::partial_sum(lengths.begin(), lengths.end(), offsets.begin() + 1);
    const auto graph = connections_of(offsets, buffer<std::int64_t>(std::span<const std::int64_t>(columns)));
    buffer<std::int64_t> root(static_cast<std::int64_t>(rest.size()), undecided);
    multigrid::go_through(graph, 0, root.size(), false, root);
    for (std::int64_t k = 0; k < root.size(); ++k)
      if (const std::int64_t row = rest[static_cast<std::size_t>(k)]; is_own(row))
        root_[row - first_] = rest[static_cast<std::size_t>(root[k])];
  }

  /// Roots of own rows on other ranks, ascending.
  [[nodiscard]] std::vector<std::int64_t> roots_elsewhere() const {
    std::vector<std::int64_t> roots;
    for (const std::int64_t root : root_)
      if (root >= 0 && !is_own(root)) roots.push_back(root);
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    return roots;
  }

  /// Of every own row the number of rows whose root it is.
  [[nodiscard]] buffer<std::int64_t> members() const {
    const std::vector<std::int64_t> elsewhere = roots_elsewhere();
    std::vector<std::int64_t> there(elsewhere.size(), 0);
    buffer<std::int64_t> count(root_.size(), 0);
    for (const std::int64_t root : root_) {
      if (root < 0) continue;
      if (is_own(root))
        ++count[root - first_];
      else
        ++there[static_cast<std::size_t>(std::lower_bound(elsewhere.begin(), elsewhere.end(), root) -
                                         elsewhere.begin())];
    }
    std::vector<std::int64_t> to_each(static_cast<std::size_t>(group_->size()), 0);
    for (const std::int64_t root : elsewhere) ++to_each[static_cast<std::size_t>(owner_of(ranges_, root))];
    const auto roots = exchange<std::int64_t>(*group_, elsewhere, to_each);
    const auto counts = exchange<std::int64_t>(*group_, there, to_each);
    for (std::int64_t k = 0; k < roots.data.size(); ++k) count[roots.data[k] - first_] += counts.data[k];
    return count;
  }

  /// What belongs to the root of each own row; `none` where it has no root.
  [[nodiscard]] buffer<std::int64_t> of_roots(const buffer<std::int64_t>& own, std::int64_t none) const {
    const std::vector<std::int64_t> elsewhere = roots_elsewhere();
    const auto there = fetched<std::int64_t>(*group_, ranges_, own, elsewhere);
    buffer<std::int64_t> found(root_.size());
    for (std::int64_t i = 0; i < root_.size(); ++i) {
      const std::int64_t root = root_[i];
      if (root < 0)
        found[i] = none;
      else if (is_own(root))
        found[i] = own[root - first_];
      else
        found[i] = there[std::lower_bound(elsewhere.begin(), elsewhere.end(), root) - elsewhere.begin()];
    }
    return found;
  }

  /// Roots in the order of their rows.
  [[nodiscard]] spread_aggregates numbered(std::string how) const {
    buffer<std::int64_t> number(root_.size(), alone);
    std::int64_t mine = 0;
    for (std::int64_t i = 0; i < root_.size(); ++i) mine += root_[i] == first_ + i ? 1 : 0;
    std::int64_t next = group_->sum_before(mine);
    for (std::int64_t i = 0; i < root_.size(); ++i)
      if (root_[i] == first_ + i) number[i] = next++;
    return {group_->sum(mine), of_roots(number, alone), std::move(how)};
  }

  std::shared_ptr<const processes> group_;
  const std::vector<std::int64_t>& ranges_;
  const halo& place_;
  const connections<std::int32_t>& strong_;
  std::int64_t first_;
  buffer<std::int64_t> root_;  ///< of own rows: a row of the whole matrix
};

}  // namespace

spread_aggregates aggregate(const std::shared_ptr<const processes>& group, const std::vector<std::int64_t>& ranges,
                            const halo& place, const multigrid::connections<std::int32_t>& strong) {
  return aggregation(group, ranges, place, strong).find();
}

}  // namespace lacis::dist
