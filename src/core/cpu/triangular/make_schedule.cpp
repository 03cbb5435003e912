// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Schedules made and compared. Each candidate is played through with the measured costs of rows and flags, and the one
// that ends first is taken. Waits between workers: Park and others 2014, sparsifying synchronization.
#include "base/pieces.hpp"
#include "base/text.hpp"
#include "cpu/triangular/row_order.hpp"
#include "cpu/triangular/schedule.hpp"

namespace lacis::cpu {
namespace {

/// Rows side by side in a block, on average, that hide how long one row takes after the one that it needs.
constexpr std::int64_t narrow_block = 10;
/// Wider ones have more rows of one length beside each other, and take longer until the next block can begin.
constexpr std::int64_t wider_blocks[] = {32, 100};
/// Costs of a task, as entries, from which it is worth a flag.
constexpr std::int64_t task_entries = 768;
/// Of the time that is known, what another schedule must stay below; what the model knows less of must stay below more.
constexpr double worth_it = 0.9;
constexpr double clearly_worth_it = 0.8;
/// Triangles of more entries are read from memory: the nanoseconds of an entry on one thread, 12 bytes at 11 GB/s.
constexpr std::int64_t cached_entries = 200'000;
constexpr double entry_from_memory = 1.1;
/// What another worker has solved comes from its cache, a line of eight and several lines at a time.
constexpr double entries_of_flag = 64;
constexpr const char* plain_reason = "one thread, row after row";
/// What a row costs beside its entries, as entries.
constexpr std::int64_t row_entries = 3;

template <class Index> class schedule_maker {
 public:
  schedule_maker(const triangle_pattern<Index>& pattern, int threads, double weight, const row_costs& costs)
      : pattern_(pattern),
        threads_(std::clamp(threads, 1, most_workers)),
        costs_(costs),
        orders_(pattern),
        levels_(orders_.levels()) {
    for (std::int64_t row = 0; row < pattern.rows(); ++row) work_ += work_of(row);
    const bool is_cached = work_ < cached_entries;
    entry_ = weight * (is_cached ? costs_.entry : std::max(costs_.entry, entry_from_memory));
  }

  row_schedule<Index> make(triangular_schedule wanted) {
    row_schedule<Index> chosen;
    switch (wanted) {
      case triangular_schedule::levels:
      case triangular_schedule::sync_free:
        chosen = shared_levels();
        break;
      case triangular_schedule::wavefront:
        chosen = shared_blocks(narrow_block);
        break;
      case triangular_schedule::serial:
        chosen = alone();
        break;
      default:
        chosen = best();
    }
    if (wanted != triangular_schedule::automatic) chosen.kind = wanted;
    chosen.levels = levels_;
    return chosen;
  }

 private:
  [[nodiscard]] std::int64_t work_of(std::int64_t row) const { return row_entries + pattern_.length(row); }

  /// Of rows one after the other, by place: their work, and a guess that fails wherever the length changes.
  template <class RowAt>
  [[nodiscard]] double time_of_rows(std::int64_t first, std::int64_t last, RowAt&& row_at) const {
    std::int64_t work = 0;
    std::int64_t changes = 0;
    std::int64_t length = -1;
    for (std::int64_t p = first; p < last; ++p) {
      const std::int64_t now = pattern_.length(row_at(p));
      work += row_entries + now;
      changes += now != length ? 1 : 0;
      length = now;
    }
    return static_cast<double>(work) * entry_ + static_cast<double>(changes) * costs_.needed / 2;
  }
  [[nodiscard]] double time_of_steps() const {
    std::int64_t needed = 0;
    for (std::int64_t k = 1; k < pattern_.rows(); ++k) needed += orders_.needs_the_one_before(k) ? 1 : 0;
    return std::max(time_of_rows(0, pattern_.rows(), [&](std::int64_t k) { return pattern_.turned(k); }),
                    static_cast<double>(needed) * costs_.needed);
  }

  /// Cuts `rows` into tasks of at least `least` work that end inside a block. worker(block) has them.
  template <class Worker>
  void cut_blocks(const ordered_rows<Index>& rows, std::int64_t least, row_schedule<Index>& to, Worker&& worker) {
    for (std::size_t b = 0; b + 1 < rows.blocks.size(); ++b) {
      const std::int64_t end = rows.levels[static_cast<std::size_t>(rows.blocks[b + 1])];
      std::int64_t work = least;  // so that a block begins with a task
      for (std::int64_t p = rows.levels[static_cast<std::size_t>(rows.blocks[b])]; p < end; ++p) {
        if (work >= least) {
          to.tasks.push_back({p, 0, worker(static_cast<std::int64_t>(b))});
          work = 0;
        }
        work += work_of(rows.order[p]);
      }
    }
    to.tasks.push_back({pattern_.rows(), 0, 0});
  }

  /// Cuts each level into as many tasks of neighbours as workers, where that is worth a flag.
  void cut_levels(ordered_rows<Index>& rows, row_schedule<Index>& to) {
    const auto worth = static_cast<std::int64_t>(2 * costs_.flag / entry_) + 1;
    std::int64_t open = worth;  // work in the last task, which may take levels that one worker does alone
    for (std::size_t l = 0; l + 1 < rows.levels.size(); ++l) {
      const std::int64_t end = rows.levels[l + 1];
      std::int64_t work = 0;
      for (std::int64_t p = rows.levels[l]; p < end; ++p) work += work_of(rows.order[p]);
      const std::int64_t parts = std::clamp<std::int64_t>(work / worth, 1, threads_);
      std::int64_t first = rows.levels[l];
      if (parts == 1 && open < worth) {
        open += work;
      } else {
        open = parts == 1 ? work : worth;
        to.tasks.push_back({first, 0, 0});
        std::int64_t done = 0;
        std::int64_t part = 1;
        for (std::int64_t p = first; p < end; ++p) {
          if (part < parts && done * parts >= part * work) {
            orders_.sort_by_length(first, p, rows.order);
            first = p;
            to.tasks.push_back({p, 0, static_cast<int>(part++)});
          }
          done += work_of(rows.order[p]);
        }
      }
      orders_.sort_by_length(first, end, rows.order);
    }
    to.tasks.push_back({pattern_.rows(), 0, 0});
  }

  /// Lists of workers, and before each task the waits that no earlier task of its worker has made.
  void add_waits(row_schedule<Index>& to) {
    to.lists.resize(static_cast<std::size_t>(to.workers));
    buffer<std::int32_t> place_of(to.task_count());  // in the list of its worker
    for (std::int64_t t = 0; t < to.task_count(); ++t) {
      auto& list = to.lists[static_cast<std::size_t>(to.tasks[static_cast<std::size_t>(t)].worker)];
      place_of[t] = static_cast<std::int32_t>(list.size());
      list.push_back(static_cast<std::int32_t>(t));
    }
    foreign_.assign(static_cast<std::size_t>(to.task_count()), 0);
    if (to.workers == 1) return;
    buffer<std::int32_t> task_of(pattern_.rows());
    detail::parallel_pieces(to.task_count(), pattern_.rows(), [&](std::int64_t t) {
      for_rows(to, t, [&](std::int64_t row) { task_of[row] = static_cast<std::int32_t>(t); });
    });
    const auto workers = static_cast<std::int64_t>(to.workers);
    buffer<std::int32_t> needed(to.task_count() * workers, 0);
    const int threads = detail::threads_for(pattern_.rows());
    detail::on_threads(threads, [&](int thread, int count) {
      const std::int64_t end = detail::even_cut(to.task_count(), thread + 1, count);
      for (std::int64_t t = detail::even_cut(to.task_count(), thread, count); t < end; ++t)
        for_rows(to, t, [&](std::int64_t row) {
          for (std::int64_t e = pattern_.first(row); e < pattern_.last(row); ++e) {
            const std::int32_t other = task_of[pattern_.column(e)];
            const int worker = to.tasks[static_cast<std::size_t>(other)].worker;
            std::int32_t& tasks = needed[t * workers + worker];
            tasks = std::max(tasks, place_of[other] + 1);
            foreign_[static_cast<std::size_t>(t)] += worker != to.tasks[static_cast<std::size_t>(t)].worker ? 1 : 0;
          }
        });
    });
    std::vector<std::int32_t> known(static_cast<std::size_t>(workers * workers), 0);
    for (std::int64_t t = 0; t < to.task_count(); ++t) {
      row_task& task = to.tasks[static_cast<std::size_t>(t)];
      task.waits = static_cast<std::int64_t>(to.waits.size());
      for (std::int64_t w = 0; w < workers; ++w) {
        std::int32_t& seen = known[static_cast<std::size_t>(task.worker * workers + w)];
        if (w == task.worker || needed[t * workers + w] <= seen) continue;
        seen = needed[t * workers + w];
        to.waits.push_back({static_cast<std::int32_t>(w), seen});
      }
    }
    to.tasks.back().waits = static_cast<std::int64_t>(to.waits.size());
  }

  template <class Each> void for_rows(const row_schedule<Index>& in, std::int64_t task, Each&& each) const {
    const row_task* t = &in.tasks[static_cast<std::size_t>(task)];
    for (std::int64_t p = t[0].first; p < t[1].first; ++p) each(static_cast<std::int64_t>(in.order[p]));
  }

  /// When the last worker ends. Levels of a task are solved one after the other, however few rows they have.
  [[nodiscard]] double play(const row_schedule<Index>& s, const std::vector<std::int64_t>& levels) const {
    std::vector<double> ends(static_cast<std::size_t>(s.task_count()));
    std::vector<double> free(static_cast<std::size_t>(s.workers), 0.0);
    std::size_t level = 0;
    for (std::int64_t t = 0; t < s.task_count(); ++t) {
      const row_task* task = &s.tasks[static_cast<std::size_t>(t)];
      const double work =
          time_of_rows(task[0].first, task[1].first, [&](std::int64_t p) { return std::int64_t{s.order[p]}; }) +
          static_cast<double>(foreign_[static_cast<std::size_t>(t)]) * costs_.flag / entries_of_flag;
      const std::size_t before = level;
      while (level + 1 < levels.size() && levels[level + 1] <= task[1].first) ++level;
      double& time = free[static_cast<std::size_t>(task->worker)];
      for (std::int64_t w = task[0].waits; w < task[1].waits; ++w) {
        const row_wait& wait = s.waits[static_cast<std::size_t>(w)];
        const std::int32_t last =
            s.lists[static_cast<std::size_t>(wait.worker)][static_cast<std::size_t>(wait.tasks - 1)];
        time = std::max(time, ends[static_cast<std::size_t>(last)] + costs_.flag);
      }
      time += std::max(work, static_cast<double>(level - before) * costs_.needed);
      ends[static_cast<std::size_t>(t)] = time;
    }
    return *std::max_element(free.begin(), free.end()) + (s.workers > 1 ? costs_.region : 0);
  }

  row_schedule<Index> finish(ordered_rows<Index> rows, row_schedule<Index> s) {
    s.order = std::move(rows.order);
    add_waits(s);
    time_ = play(s, rows.levels);
    return s;
  }
  row_schedule<Index> shared_levels() {
    row_schedule<Index> s;
    s.kind = triangular_schedule::levels;
    s.workers = threads_;
    ordered_rows<Index> rows = orders_.by_level();
    cut_levels(rows, s);
    s.reason = detail::text(levels_, " levels on ", threads_, " threads");
    return finish(std::move(rows), std::move(s));
  }
  row_schedule<Index> shared_blocks(std::int64_t width, bool in_strips = false) {
    row_schedule<Index> s;
    s.kind = triangular_schedule::wavefront;
    s.workers = threads_;
    ordered_rows<Index> rows = orders_.by_block(width, threads_, in_strips);
    cut_blocks(rows, task_entries, s, [&](std::int64_t b) { return static_cast<int>(b % threads_); });
    s.reason = detail::text(rows.blocks.size() - 1, " blocks of neighbouring rows on ", threads_,
                            " threads, which wait for what they need of the blocks before",
                            in_strips ? "; each block strip by strip" : "");
    return finish(std::move(rows), std::move(s));
  }
  row_schedule<Index> alone_in_blocks(std::int64_t width) {
    row_schedule<Index> s;
    ordered_rows<Index> rows = orders_.by_block(width, 1, false);
    cut_blocks(rows, 4 * task_entries, s, [](std::int64_t) { return 0; });
    s.reason = "one thread, with rows that do not need each other side by side";
    return finish(std::move(rows), std::move(s));
  }
  row_schedule<Index> alone_in_steps() {
    row_schedule<Index> s;
    ordered_rows<Index> rows = orders_.by_step();
    cut_blocks(rows, 4 * task_entries, s, [](std::int64_t) { return 0; });
    s.reason = plain_reason;
    s = finish(std::move(rows), std::move(s));
    time_ = time_of_steps();
    return s;
  }

  /// Keeps the schedule that was finished last where its time is below that of the one before by so much.
  void keep(row_schedule<Index> made, double share, row_schedule<Index>& chosen, double& least) const {
    if (time_ >= share * least) return;
    least = time_;
    chosen = std::move(made);
  }
  /// Whether so much more than the work alone is lost that another schedule is worth being tried.
  [[nodiscard]] bool may_gain(double time, int workers) const {
    return time * workers > 1.25 * static_cast<double>(work_) * entry_;
  }
  row_schedule<Index> alone() {
    row_schedule<Index> chosen = alone_in_steps();
    double least = time_;
    keep(alone_in_blocks(narrow_block), worth_it, chosen, least);
    // Where lengths vary, more rows of one length beside each other: the same work with fewer guesses that fail.
    if (least > 1.05 * static_cast<double>(work_) * entry_)
      keep(alone_in_blocks(wider_blocks[1]), chosen.reason == plain_reason ? worth_it : 0.97, chosen, least);
    time_ = least;
    return chosen;
  }

  row_schedule<Index> best() {
    row_schedule<Index> chosen = alone();
    const double single = time_;
    double least = single;
    if (threads_ > 1 && single > 4 * costs_.region) {
      keep(shared_blocks(narrow_block, true), worth_it, chosen, least);
      keep(shared_blocks(narrow_block), worth_it, chosen, least);
      for (const std::int64_t width : wider_blocks)
        if (may_gain(least, threads_)) keep(shared_blocks(width), clearly_worth_it, chosen, least);
      if (may_gain(least, threads_)) keep(shared_levels(), clearly_worth_it, chosen, least);
    }
    const auto in_microseconds = [](double time) { return static_cast<std::int64_t>(time / 1000 + 0.5); };
    chosen.reason += detail::text("; by the model ", in_microseconds(least), " us");
    if (chosen.workers > 1) chosen.reason += detail::text(", on one thread ", in_microseconds(single));
    chosen.reason += detail::text(" (", levels_, " levels)");
    return chosen;
  }

  const triangle_pattern<Index>& pattern_;
  int threads_;
  const row_costs& costs_;
  row_orders<Index> orders_;
  std::int64_t levels_;
  std::int64_t work_ = 0;              ///< of all rows, as entries
  double entry_ = 0;                   ///< nanoseconds of an entry
  std::vector<std::int64_t> foreign_;  ///< entries of each task that read what another worker has solved
  double time_ = 0;                    ///< of the schedule that was finished last, by the model
};

}  // namespace

template <class Index>
row_schedule<Index> make_schedule(const triangle_pattern<Index>& pattern, int threads, triangular_schedule wanted,
                                  double weight, const row_costs& costs) {
  return schedule_maker<Index>(pattern, threads, weight, costs).make(wanted);
}

template row_schedule<std::int32_t> make_schedule(const triangle_pattern<std::int32_t>&, int, triangular_schedule,
                                                  double, const row_costs&);
template row_schedule<std::int64_t> make_schedule(const triangle_pattern<std::int64_t>&, int, triangular_schedule,
                                                  double, const row_costs&);

}  // namespace lacis::cpu
