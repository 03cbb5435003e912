// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Two sparse matrices multiplied by everyone, compared and measured.
#include "commands/bench/spgemm.hpp"

#include <algorithm>
#include <functional>
#include <omp.h>
#include <tuple>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/memory.hpp>

#include "commands/bench/peers.hpp"
#include "commands/bench/spgemm_peers.hpp"
#include "console/progress_bar.hpp"
#include "measure/clock.hpp"
#include "measure/interleave.hpp"

namespace lacis::app {
namespace {

/// One product, from its operands to the report.
template <class Value, class Index> class spgemm_bench {
 public:
  using matrix = csr_matrix<Value, Index>;

  spgemm_bench(const spgemm_bench_settings& settings, const spgemm_operands& operands, const matrix& a, const matrix& b)
      : settings_(settings), a_(a), b_(b), bar_(settings.quiet) {
    report_.a = operands.a_name;
    report_.b = operands.b_name;
    report_.rows = a.rows;
    report_.inner = a.cols;
    report_.cols = b.cols;
    report_.a_entries = a.nnz();
    report_.b_entries = b.nnz();
    report_.value_type = type_name<Value>();
    report_.threads = omp_get_max_threads();
  }

  spgemm_bench_report run() {
    compare();
    measure_all();
    return std::move(report_);
  }

 private:
  void compare() {
    bar_.announce("multiplying");
    matrix c = multiply(a_, b_);
    c = {};
    c = multiply(a_, b_, {}, &report_.product);  // with memory that is recycled, as most of the measured ones
    if (report_.product.products == 0)
      throw error(errc::invalid_argument, report_.a + " times " + report_.b + " has no products to measure");
    peers_ = start_spgemm_peers(settings_.peers, a_, b_, c, report_.threads,
                                [this](std::string_view stage) { bar_.announce(stage); });
    report_.remarks = peers_.remarks;
  }

  /// Only the product is timed, not what comes before it nor the end of its result.
  std::function<double(int)> timed(void (*before)()) const {
    return [this, before](int times) {
      double seconds = 0;
      for (int i = 0; i < times; ++i) {
        if (before != nullptr) before();
        const auto begin = measure::clock::now();
        const matrix c = multiply(a_, b_);
        seconds += measure::seconds_since(begin);
      }
      return seconds / times;
    };
  }

  void measure_all() {
    std::vector<measure::contestant> contestants = {{spgemm_contestant, timed(nullptr)},
                                                    {spgemm_first_contestant, timed(release_recycled_memory)}};
    std::vector<std::string> failures(peers_.all.size());
    for (std::size_t i = 0; i < peers_.all.size(); ++i)
      contestants.push_back(contestant_of(*peers_.all[i].process, failures[i]));
    measure::interleave_options options;
    options.seconds = settings_.seconds;
    options.least_rounds = 5;    // some products take seconds
    options.most_times = 10000;  // and some microseconds
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    report_.rounds = static_cast<int>(taken[0].seconds.size());
    for (std::size_t i = 0; i < taken.size(); ++i) {
      spgemm_bench_entry entry;
      entry.name = contestants[i].name;
      entry.threads = report_.product.threads;
      if (i >= 2) {
        const ready_spgemm_peer& peer = peers_.all[i - 2];
        if (!failures[i - 2].empty()) {
          report_.remarks.push_back(failures[i - 2]);
          continue;
        }
        entry.is_peer = true;
        entry.version = peer.process->version();
        entry.threads = peer.threads;
        entry.is_sorted = peer.is_sorted;
      }
      const measure::samples& of = taken[i];
      entry.seconds = measure::median_estimate(of.seconds);
      entry.least_seconds = *std::min_element(of.seconds.begin(), of.seconds.end());
      entry.disturbed = of.disturbed;
      entry.retaken = of.retaken;
      entry.lacis_gain = measure::ratio_estimate(of.seconds, taken[0].seconds);
      entry.first_gain = measure::ratio_estimate(of.seconds, taken[1].seconds);
      report_.entries.push_back(std::move(entry));
    }
    std::sort(report_.entries.begin(), report_.entries.end(),
              [](const spgemm_bench_entry& x, const spgemm_bench_entry& y) {
                return std::tie(x.seconds.median, x.name) < std::tie(y.seconds.median, y.name);
              });
  }

  const spgemm_bench_settings& settings_;
  const matrix& a_;
  const matrix& b_;
  progress_bar bar_;
  ready_spgemm_peers peers_;
  spgemm_bench_report report_;
};

}  // namespace

spgemm_bench_report bench_spgemm(const spgemm_bench_settings& settings, const spgemm_operands& operands) {
  return std::visit(
      [&]<class Matrix>(const Matrix& a) {
        const Matrix& b = operands.b ? std::get<Matrix>(*operands.b) : a;
        return spgemm_bench<typename Matrix::value_type, typename Matrix::index_type>(settings, operands, a, b).run();
      },
      operands.a);
}

}  // namespace lacis::app
