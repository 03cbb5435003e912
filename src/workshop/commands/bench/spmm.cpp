// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One matrix times dense columns in every way, compared and measured.
#include "commands/bench/spmm.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <omp.h>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/format.hpp>
#include <lacis/multiply.hpp>

#include "commands/bench/peers.hpp"
#include "commands/bench/spmm_peers.hpp"
#include "commands/bench/vectors.hpp"
#include "commands/machine/machine.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "measure/bound.hpp"
#include "measure/clock.hpp"
#include "measure/interleave.hpp"
#include "measure/plain_loop.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr const char* plan_contestant = "plan";
constexpr const char* csr_contestant = "csr";
constexpr const char* loop_contestant = "loop";

/// One way of lacis, or of the loop, to compute Y.
struct way {
  const char* name;
  std::function<void()> run;
};

/// One matrix, from its products to the reports.
template <class Value, class Index> class spmm_bench {
 public:
  using matrix = csr_matrix<Value, Index>;

  spmm_bench(const spmm_bench_settings& settings, const std::string& name, const matrix& a)
      : settings_(settings), a_(a), threads_(omp_get_max_threads()), bar_(settings.quiet), values_(expanded_values(a)) {
    for (const measure::dense_order order : settings.orders) {
      spmm_bench_report report;
      report.matrix = name;
      report.order = order;
      report.rows = a.rows;
      report.cols = a.cols;
      report.matrix_entries = a.nnz();
      report.value_type = type_name<Value>();
      report.operations_per_entry = is_complex<Value> ? 8 : 2;
      report.threads = threads_;
      reports_.push_back(std::move(report));
    }
  }

  std::vector<spmm_bench_report> run() {
    const std::vector<std::int64_t> counts = counts_that_fit();
    bar_.announce("multiplying column by column");
    multiply_columns(counts.back());
    peers_ = start_spmm_peers(settings_.peers, a_.view(), threads_, announcer());
    const double seconds = settings_.seconds / static_cast<double>(counts.size() * reports_.size());
    for (const std::int64_t count : counts) {
      bar_.announce(fmt::format("inspecting for {} columns", count));
      plan_options asked = settings_.plan;
      asked.columns = count;
      const auto made = multiply_inspect(a_, asked);
      for (spmm_bench_report& report : reports_) report.runs.push_back(contest(made, count, report.order, seconds));
    }
    remarks_.insert(remarks_.end(), peers_.remarks.begin(), peers_.remarks.end());
    for (spmm_bench_report& report : reports_) report.remarks = remarks_;
    return std::move(reports_);
  }

 private:
  [[nodiscard]] std::function<void(std::string_view)> announcer() {
    return [this](std::string_view stage) { bar_.announce(stage); };
  }

  /// Numbers of columns for whose dense matrices there is memory: X and Y twice here, once in each peer, and Y twice
  /// more while a peer's is compared.
  std::vector<std::int64_t> counts_that_fit() {
    const auto peers = settings_.peers.size();
    const auto size = static_cast<double>(sizeof(Value));
    const double matrices = static_cast<double>(storage_bytes(a_, matrix_format::csr)) +
                            static_cast<double>(memory_of_peers(a_.view(), peers));
    const auto rows = static_cast<double>(a_.rows);
    const double column = size * ((2 + static_cast<double>(peers)) * (rows + static_cast<double>(a_.cols)) + 2 * rows);
    const auto available = static_cast<double>(available_memory());
    std::vector<std::int64_t> counts;
    for (const std::int64_t count : settings_.columns) {
      const double needed = matrices + column * static_cast<double>(count);
      if (needed <= available)
        counts.push_back(count);
      else
        remarks_.push_back(fmt::format("{} {} left out: no memory for {}", count,
                                       count == 1 ? "column is" : "columns are", plot::bytes_text(needed)));
    }
    if (counts.empty()) throw error(errc::out_of_memory, remarks_.front());
    return counts;
  }

  /// X, and Y as single columns give it: what all the others are compared with. Both column after column, so that fewer
  /// columns are the beginning of more.
  void multiply_columns(std::int64_t count) {
    x_ = buffer<Value>(a_.cols * count);
    on_each(x_.size(), [&](std::size_t k) {
      const auto at = static_cast<std::int64_t>(k);
      x_[at] = measure::column_element<Value>(at % a_.cols, at / a_.cols);
    });
    expected_ = buffer<Value>(a_.rows * count);
    for (std::int64_t c = 0; c < count; ++c)
      multiply(a_, std::span<const Value>(x_.data() + c * a_.cols, static_cast<std::size_t>(a_.cols)),
               std::span<Value>(expected_.data() + c * a_.rows, static_cast<std::size_t>(a_.rows)));
  }

  /// The beginning of an array of columns.
  static dense_view<const Value> first_columns(std::span<const Value> all, std::int64_t rows, std::int64_t count) {
    return column_major(all.first(static_cast<std::size_t>(rows * count)), rows, count);
  }

  /// The first columns of x_, row after row.
  [[nodiscard]] buffer<Value> x_by_rows(std::int64_t count) const {
    buffer<Value> x(a_.cols * count);
    on_each(x.size(), [&](std::size_t k) {
      const auto at = static_cast<std::int64_t>(k);
      x[at] = x_[at % count * a_.cols + at / count];
    });
    return x;
  }

  /// Everyone with one number of columns in one order.
  spmm_bench_run contest(const plan<Value, Index>& made, std::int64_t count, measure::dense_order order,
                         double seconds) {
    const bool by_rows = order == measure::dense_order::row;
    const buffer<Value> rows_of_x = by_rows ? x_by_rows(count) : buffer<Value>();
    const auto x = by_rows ? row_major<const Value>(rows_of_x, a_.cols, count) : first_columns(x_, a_.cols, count);
    buffer<Value> elements(a_.rows * count);
    const auto y = measure::dense_in<Value>(order, elements, a_.rows, count);
    const auto expected = first_columns(expected_, a_.rows, count);
    workspace memory;
    const Value* const values = a_.values.iso ? values_.data() : a_.values.data.data();
    const std::vector<way> ways = {{plan_contestant, [&] { multiply(made, x, y, memory); }},
                                   {csr_contestant, [&] { multiply(a_, x, y); }},
                                   {loop_contestant, [&] {
                                      measure::plain_loop(a_.rows, a_.cols, a_.row_offsets.data(), a_.columns.data(),
                                                          values, count, order, x.data, y.data, threads_);
                                    }}};
    bar_.announce(fmt::format("comparing {} columns", count));
    for (const way& one : ways) {
      on_each(elements.size(), [&](std::size_t k) {
        elements[static_cast<std::int64_t>(k)] = Value(std::numeric_limits<real_of<Value>>::quiet_NaN());
      });
      one.run();
      require_right(one.name, x, expected, y);
    }
    prepare_spmm_peers<Value, Index>(peers_, a_.view(), x, expected, order, announcer());
    spmm_bench_run run;
    run.columns = count;
    run.layout = made.layout();
    run.plan = made.explain();
    run.inspection_seconds = made.report().inspection_seconds;
    measure_all(ways, seconds, run);
    return run;
  }

  /// lacis has the bits of single columns; the plain loop is within the bound of rounding.
  void require_right(std::string_view name, const dense_view<const Value>& x, const dense_view<const Value>& expected,
                     const dense_view<const Value>& y) const {
    if (name == loop_contestant) {
      if (const auto wrong = measure::beyond_bound<Value, Index>(a_.view(), x, expected, y))
        throw not_verified(
            fmt::format("the product of CSR with {} columns differs from a plain loop by {} in row {}, column {}; "
                        "rounding explains {}",
                        x.cols, wrong->difference, plot::grouped(wrong->row + 1), wrong->column + 1, wrong->allowed));
    } else if (const auto place = first_difference<Value>(expected, y)) {
      throw not_verified(
          fmt::format("the product of {} with {} columns differs from that of single columns in row {}, column {}: "
                      "please report it",
                      name, x.cols, plot::grouped(place->row + 1), place->column + 1));
    }
  }

  void measure_all(const std::vector<way>& ways, double seconds, spmm_bench_run& run) {
    std::vector<measure::contestant> contestants;
    for (const way& one : ways)
      contestants.push_back({one.name, measure::repeated([&one] {
                               const auto begin = measure::clock::now();
                               one.run();
                               return measure::seconds_since(begin);
                             })});
    std::vector<std::string> failures(peers_.all.size());
    for (std::size_t i = 0; i < peers_.all.size(); ++i)
      contestants.push_back(contestant_of(*peers_.all[i], failures[i]));
    measure::interleave_options options;
    options.seconds = seconds;
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    run.rounds = static_cast<int>(taken[0].seconds.size());
    fill_entries(contestants, taken, failures, run);
    // A peer that ended while it was measured takes no further part.
    for (std::size_t i = failures.size(); i-- > 0;) {
      if (failures[i].empty()) continue;
      peers_.remarks.push_back(failures[i]);
      peers_.all.erase(peers_.all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void fill_entries(const std::vector<measure::contestant>& contestants, const std::vector<measure::samples>& taken,
                    const std::vector<std::string>& failures, spmm_bench_run& run) const {
    const std::size_t own = taken.size() - failures.size();
    const std::vector<double>* peer = nullptr;
    for (std::size_t i = own; i < taken.size(); ++i) {
      if (!failures[i - own].empty() || run.peer == "mkl") continue;
      const std::vector<double>& of = taken[i].seconds;
      if (peer != nullptr && contestants[i].name != "mkl" && measure::median(of) >= measure::median(*peer)) continue;
      peer = &of;
      run.peer = contestants[i].name;
    }
    const std::vector<double>& loop = taken[own - 1].seconds;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (i >= own && !failures[i - own].empty()) continue;
      const measure::samples& of = taken[i];
      spmm_bench_entry entry;
      entry.name = contestants[i].name;
      entry.is_peer = i >= own;
      if (entry.is_peer) entry.version = peers_.all[i - own]->version();
      entry.threads = entry.name == "scipy" ? 1 : threads_;
      entry.seconds = measure::median_estimate(of.seconds);
      entry.least_seconds = *std::min_element(of.seconds.begin(), of.seconds.end());
      entry.disturbed = of.disturbed;
      entry.retaken = of.retaken;
      entry.speed_to_loop = measure::ratio_estimate(loop, of.seconds);
      if (peer != nullptr) entry.speed_to_peer = measure::ratio_estimate(*peer, of.seconds);
      run.entries.push_back(std::move(entry));
    }
  }

  const spmm_bench_settings& settings_;
  const matrix& a_;
  int threads_;
  progress_bar bar_;
  buffer<Value> values_;    ///< of a matrix that keeps a single one, for the loop
  buffer<Value> x_;         ///< column after column
  buffer<Value> expected_;  ///< Y, column after column
  spmm_peers peers_;
  std::vector<std::string> remarks_;
  std::vector<spmm_bench_report> reports_;
};

}  // namespace

const spmm_bench_entry* spmm_bench_run::find(const std::string& name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const spmm_bench_entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<spmm_bench_report> bench_spmm(const spmm_bench_settings& settings, const std::string& name,
                                          const any_csr& matrix) {
  return std::visit(
      [&]<class Matrix>(const Matrix& a) {
        if (a.nnz() == 0) throw error(errc::invalid_argument, "a matrix without entries cannot be benchmarked");
        return spmm_bench<typename Matrix::value_type, typename Matrix::index_type>(settings, name, a).run();
      },
      matrix);
}

}  // namespace lacis::app
