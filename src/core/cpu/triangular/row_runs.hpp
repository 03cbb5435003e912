// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Finds runs: neighbours in the order with rows of one length, and among those the ones whose columns are at the same
// distances from the row, which are stored once for all runs that have them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cpu/triangular/schedule.hpp"
#include "cpu/triangular/solve_rows.hpp"

namespace lacis::cpu {

template <class Index> class run_finder {
 public:
  run_finder(const triangle_pattern<Index>& pattern, const row_schedule<Index>& schedule)
      : pattern_(pattern), schedule_(schedule) {}

  /// Runs and one more that marks the end, and the first run of each task, with the end. A task begins with a run.
  void find(std::vector<row_run>& runs, std::vector<std::int64_t>& task_runs) {
    for (std::int64_t t = 0; t < schedule_.task_count(); ++t) {
      const row_task* const task = &schedule_.tasks[static_cast<std::size_t>(t)];
      task_runs.push_back(static_cast<std::int64_t>(runs.size()));
      bool may_join = false;
      for (std::int64_t k = task[0].first; k < task[1].first;) {
        const std::int64_t row = schedule_.order[k];
        const std::int64_t length = pattern_.length(row);
        std::int64_t last = k + 1;
        while (last < task[1].first && has_distances_of(schedule_.order[last], row)) ++last;
        const std::int64_t shift = last - k >= least_rows && length > 0 ? place_of_distances(row) : -1;
        if (shift >= 0) {
          runs.push_back({k, entries_, shift, length, true});
        } else {
          if (!may_join || runs.back().length != length) runs.push_back({k, entries_, columns_, length, false});
          columns_ += length * (last - k);
        }
        may_join = shift < 0;
        entries_ += length * (last - k);
        k = last;
      }
    }
    task_runs.push_back(static_cast<std::int64_t>(runs.size()));
    for (row_run& run : runs)
      if (run.is_shifted) run.columns += columns_;
    runs.push_back({pattern_.rows(), entries_, columns_ + static_cast<std::int64_t>(distances_.size()), 0, false});
  }

  /// To the end of the columns.
  void copy_distances(Index* columns) const { std::copy(distances_.begin(), distances_.end(), columns + columns_); }

 private:
  /// Fewer rows are not worth a run of their own, and more patterns are no stencil.
  static constexpr std::int64_t least_rows = 4;
  static constexpr std::size_t most_patterns = 1024;

  [[nodiscard]] bool has_distances_of(std::int64_t row, std::int64_t other) const {
    const std::int64_t length = pattern_.length(row);
    if (length != pattern_.length(other)) return false;
    for (std::int64_t e = 0; e < length; ++e)
      if (pattern_.column(pattern_.first(row) + e) - row != pattern_.column(pattern_.first(other) + e) - other)
        return false;
    return true;
  }
  /// Among the distances, -1 when there are too many.
  std::int64_t place_of_distances(std::int64_t row) {
    std::vector<Index> wanted;
    for (std::int64_t e = pattern_.first(row); e < pattern_.last(row); ++e)
      wanted.push_back(static_cast<Index>(pattern_.column(e) - row));
    if (const auto known = places_.find(wanted); known != places_.end()) return known->second;
    if (places_.size() == most_patterns) return -1;
    const auto place = static_cast<std::int64_t>(distances_.size());
    distances_.insert(distances_.end(), wanted.begin(), wanted.end());
    places_.emplace(std::move(wanted), place);
    return place;
  }

  const triangle_pattern<Index>& pattern_;
  const row_schedule<Index>& schedule_;
  std::map<std::vector<Index>, std::int64_t> places_;
  std::vector<Index> distances_;
  std::int64_t entries_ = 0;
  std::int64_t columns_ = 0;
};

}  // namespace lacis::cpu
