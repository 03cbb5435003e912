// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One matrix multiplied in every way, compared and measured.
#include "commands/bench/spmv.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <omp.h>
#include <optional>
#include <tuple>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/multiply.hpp>

#include "commands/bench/peers.hpp"
#include "commands/bench/products.hpp"
#include "commands/bench/vectors.hpp"
#include "commands/machine/machine.hpp"
#include "commands/machine/topology.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "measure/bandwidth.hpp"
#include "measure/bound.hpp"
#include "measure/interleave.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

/// One matrix, from its products to the report.
template <class Value, class Index> class spmv_bench {
 public:
  spmv_bench(const bench_settings& settings, std::string name, std::shared_ptr<const csr_matrix<Value, Index>> a)
      : settings_(settings), a_(std::move(a)), bar_(settings.quiet), x_(full_vector<Value>(a_->cols)), y_(a_->rows) {
    report_.matrix = std::move(name);
    report_.rows = a_->rows;
    report_.cols = a_->cols;
    report_.matrix_entries = a_->nnz();
    report_.value_type = type_name<Value>();
    report_.operations_per_entry = is_complex<Value> ? 8 : 2;
    report_.threads = omp_get_max_threads();
    report_.matrix_bytes = storage_bytes(*a_, matrix_format::csr) + vector_bytes<Value>(a_->rows, a_->cols);
    report_.cache_bytes = topology_of_machine().last_level_bytes();
  }

  bench_report run() {
    const auto announce = [this](std::string_view stage) { bar_.announce(stage); };
    products_ =
        make_products(a_, {settings_.formats, memory_of_peers(a_->view(), settings_.peers.size()) + array_bytes(),
                           settings_.reorder, settings_.plan, announce});
    report_.remarks = products_.remarks;
    report_.plan = products_.plan;
    permute_inputs();
    bar_.announce("comparing the results");
    verify();
    peers_ = start_peers<Value, Index>(settings_.peers, a_->view(), x_, reference_, report_.threads, announce);
    report_.remarks.insert(report_.remarks.end(), peers_.remarks.begin(), peers_.remarks.end());
    bar_.announce("filling memory");
    measure_all();
    fill_costs();
    return std::move(report_);
  }

 private:
  /// Several times the caches; for a trial without measuring time the least, since servers have caches of gigabytes.
  [[nodiscard]] std::int64_t array_bytes() const {
    return measure::stream_bytes(settings_.seconds > 0 ? report_.cache_bytes : 0,
                                 std::min(memory_of_machine().available, usable_memory()));
  }

  /// x for products that take it in another ordering, before anything is timed.
  void permute_inputs() {
    for (const product<Value>& p : products_.all) {
      inputs_.emplace_back(p.order.empty() ? 0 : a_->cols);
      permute_into<Value>(p.order, x_, inputs_.back());
    }
  }

  void compute(std::size_t which) {
    const product<Value>& p = products_.all[which];
    p.run(p.order.empty() ? x_ : inputs_[which], y_);
  }

  /// The result in the user's ordering.
  [[nodiscard]] std::span<const Value> result_of(const product<Value>& p) {
    if (p.order.empty()) return y_;
    if (back_.empty()) back_ = buffer<Value>(a_->rows);
    permute_back<Value>(p.order, y_, back_);
    return back_;
  }

  /// Every product of lacis has the same bits; the plain loop is within the bound of rounding.
  void verify() {
    reference_ = buffer<Value>(a_->rows);
    multiply(*a_, x_, reference_);
    for (std::size_t i = 0; i < products_.all.size(); ++i) {
      const product<Value>& p = products_.all[i];
      std::fill(y_.begin(), y_.end(), Value(std::numeric_limits<real_of<Value>>::quiet_NaN()));
      compute(i);
      if (p.kernel == "loop") {
        if (const auto wrong = measure::beyond_bound<Value, Index>(a_->view(), x_, reference_, y_))
          throw not_verified(
              fmt::format("the product of CSR differs from a plain loop by {} in row {}; rounding "
                          "explains {}",
                          wrong->difference, plot::grouped(wrong->row + 1), wrong->allowed));
      } else if (const auto row = first_difference<Value>(reference_, result_of(p))) {
        throw not_verified(fmt::format("the product of {} differs from that of csr in row {}: please report it", p.name,
                                       plot::grouped(*row + 1)));
      }
    }
  }

  void measure_all() {
    measure::stream memory(array_bytes(), report_.threads);
    report_.limit_bytes = memory.bytes();
    std::vector<measure::contestant> contestants;
    contestants.push_back({"read", measure::repeated([&] { return memory.read(report_.threads); })});
    for (std::size_t i = 0; i < products_.all.size(); ++i)
      contestants.push_back({products_.all[i].name, measure::repeated([this, i] { return timed(i); })});
    std::vector<std::string> failures(peers_.all.size());
    for (std::size_t i = 0; i < peers_.all.size(); ++i)
      contestants.push_back(contestant_of(*peers_.all[i].process, failures[i]));
    measure::interleave_options options;
    options.seconds = settings_.seconds;
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    report_.rounds = static_cast<int>(taken[0].seconds.size());
    report_.limit_gbs = static_cast<double>(memory.bytes()) / measure::median(taken[0].seconds) * 1e-9;
    fill_entries({taken.begin() + 1, taken.end()}, failures);
  }

  double timed(std::size_t which) {
    const auto begin = std::chrono::steady_clock::now();
    compute(which);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void fill_entries(const std::vector<measure::samples>& taken, const std::vector<std::string>& failures) {
    const std::vector<double>& loop = taken[0].seconds;
    const std::vector<double>* fastest_peer = nullptr;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const measure::samples& of = taken[i];
      bench_entry entry;
      if (i < products_.all.size()) {
        const product<Value>& p = products_.all[i];
        entry.name = p.name;
        entry.format = p.format;
        entry.kernel = p.kernel;
        entry.threads = report_.threads;
        entry.bytes = p.bytes;
      } else {
        const std::size_t k = i - products_.all.size();
        const ready_peer& peer = peers_.all[k];
        if (!failures[k].empty()) {
          report_.remarks.push_back(failures[k]);
          continue;
        }
        entry.name = peer.process->name();
        entry.format = peer.format;
        entry.kernel = fmt::format("{} {}", peer.process->name(), peer.process->version());
        entry.threads = peer.threads;
        entry.bytes = peer.bytes;
        entry.is_peer = true;
        if (fastest_peer == nullptr || measure::median(of.seconds) < measure::median(*fastest_peer)) {
          fastest_peer = &of.seconds;
          report_.fastest_peer = entry.name;
        }
      }
      entry.seconds = measure::median_estimate(of.seconds);
      entry.least_seconds = *std::min_element(of.seconds.begin(), of.seconds.end());
      entry.disturbed = of.disturbed;
      entry.retaken = of.retaken;
      entry.speed_to_loop = measure::ratio_estimate(loop, of.seconds);
      report_.entries.push_back(std::move(entry));
      samples_.push_back(&of.seconds);
    }
    if (fastest_peer != nullptr)
      for (std::size_t i = 0; i < report_.entries.size(); ++i)
        report_.entries[i].speed_to_peer = measure::ratio_estimate(*fastest_peer, *samples_[i]);
    std::sort(report_.entries.begin(), report_.entries.end(), [](const bench_entry& a, const bench_entry& b) {
      return std::tie(a.seconds.median, a.name) < std::tie(b.seconds.median, b.name);
    });
  }

  /// What inspection cost, and whether other orderings were worth their time.
  void fill_costs() {
    const bench_entry* plan = report_.find("plan");
    for (const plan_cost& cost : products_.costs) {
      if (cost.name == "plan") report_.inspection_seconds = cost.inspection_seconds;
      for (const reordering how : settings_.reorder) {
        if (cost.name != reordered_name(how)) continue;
        const auto regained = [&](const std::string& name) -> std::optional<double> {
          const bench_entry* entry = report_.find(name);
          if (plan == nullptr || entry == nullptr) return std::nullopt;
          return products_to_regain(cost.seconds, plan->seconds.median, entry->seconds.median);
        };
        report_.reorderings.push_back(
            {std::string(name_of(how)), cost.seconds, regained(reordered_name(how)), regained(permuting_name(how))});
        report_.remarks.push_back(
            reordering_words(report_.reorderings.back(), report_.find(permuting_name(how)) != nullptr));
      }
    }
  }

  static std::string reordering_words(const bench_reordering& one, bool permutes) {
    const auto after = [](const std::optional<double>& products) {
      return products ? fmt::format("after {} products", plot::short_count(std::ceil(*products)))
                      : std::string("never");
    };
    std::string words = fmt::format("{} order took {} to make and inspect; against the plan that is regained {}",
                                    one.order, plot::duration_text(one.seconds), after(one.products));
    if (permutes) words += fmt::format(" in the new order, {} with permutation", after(one.permuting_products));
    return words;
  }

  const bench_settings& settings_;
  std::shared_ptr<const csr_matrix<Value, Index>> a_;
  progress_bar bar_;
  buffer<Value> x_;
  buffer<Value> y_;
  buffer<Value> reference_;
  buffer<Value> back_;  ///< a result in the user's ordering
  products<Value> products_;
  std::vector<buffer<Value>> inputs_;  ///< x for each product that has an ordering of its own
  ready_peers peers_;
  std::vector<const std::vector<double>*> samples_;
  bench_report report_;
};

}  // namespace

std::optional<double> products_to_regain(double seconds, double slower, double faster) {
  return faster < slower ? std::optional(seconds / (slower - faster)) : std::nullopt;
}

bench_report bench_spmv(const bench_settings& settings, const std::string& name, any_csr matrix) {
  return std::visit(
      [&]<class Matrix>(Matrix& a) {
        if (a.nnz() == 0) throw error(errc::invalid_argument, "a matrix without entries cannot be benchmarked");
        auto owned = std::make_shared<const Matrix>(std::move(a));
        return spmv_bench<typename Matrix::value_type, typename Matrix::index_type>(settings, name, owned).run();
      },
      matrix);
}

}  // namespace lacis::app
