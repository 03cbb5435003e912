// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench: how fast a matrix is multiplied, by every format and by others.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <omp.h>
#include <optional>
#include <random>
#include <tuple>

#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/structure.hpp>

#include "app/bench_peers.hpp"
#include "app/bench_products.hpp"
#include "app/bench_report.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/facts.hpp"
#include "app/interrupt.hpp"
#include "app/load.hpp"
#include "app/machine.hpp"
#include "app/progress_bar.hpp"
#include "app/suggest.hpp"
#include "app/topology.hpp"
#include "app/write_file.hpp"
#include "measure/bandwidth.hpp"
#include "measure/bound.hpp"
#include "measure/interleave.hpp"
#include "plot/numbers.hpp"
#include "summation/hash.hpp"

namespace lacis::app {
namespace {

/// The names between commas, each of them known.
std::vector<std::string> parse_list(const std::string& list, const std::vector<std::string>& known,
                                    const std::string& option) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw error(errc::invalid_argument,
                  fmt::format("{} does not know '{}'{}", option, name, did_you_mean(name, known)));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

template <class To> any_csr with_values(const any_csr& matrix) {
  return std::visit([](const auto& a) -> any_csr { return cast_values<To>(a); }, matrix);
}

any_csr with_type(any_csr matrix, const std::string& name) {
  if (name.empty()) return matrix;
  if (name == "float") return with_values<float>(matrix);
  if (name == "double") return with_values<double>(matrix);
  if (name == "complex-float") return with_values<std::complex<float>>(matrix);
  if (name == "complex-double") return with_values<std::complex<double>>(matrix);
  const std::string known[] = {"float", "double", "complex-float", "complex-double"};
  throw error(errc::invalid_argument, "--type knows float, double, complex-float and complex-double, not '" + name +
                                          "'" + did_you_mean(name, known));
}

/// Numbers in [-1, 1) that use every bit, the same in every run.
template <class Value> buffer<Value> full_vector(std::int64_t size) {
  std::mt19937_64 random(1);
  const auto next = [&] {
    return static_cast<real_of<Value>>(static_cast<std::int64_t>(random())) * real_of<Value>(0x1p-63);
  };
  buffer<Value> x(size);
  for (Value& element : x) {
    if constexpr (is_complex<Value>) {
      const auto real = next();
      element = {real, next()};
    } else {
      element = next();
    }
  }
  return x;
}

/// The first element in which two results differ in a bit.
template <class Value>
std::optional<std::int64_t> first_difference(std::span<const Value> a, std::span<const Value> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    bool same = false;
    if constexpr (is_complex<Value>)
      same = summation::bits_of(a[i].real()) == summation::bits_of(b[i].real()) &&
             summation::bits_of(a[i].imag()) == summation::bits_of(b[i].imag());
    else
      same = summation::bits_of(a[i]) == summation::bits_of(b[i]);
    if (!same) return static_cast<std::int64_t>(i);
  }
  return std::nullopt;
}

struct bench_lists {
  std::vector<std::string> formats;
  std::vector<std::string> peers;
};

/// One matrix, from its products to the report.
template <class Value, class Index> class spmv_bench {
 public:
  spmv_bench(const bench_request& request, const bench_lists& lists, std::string name,
             std::shared_ptr<const csr_matrix<Value, Index>> a)
      : request_(request),
        lists_(lists),
        a_(std::move(a)),
        bar_(request.common.quiet),
        x_(full_vector<Value>(a_->cols)),
        y_(a_->rows) {
    report_.matrix = std::move(name);
    report_.rows = a_->rows;
    report_.cols = a_->cols;
    report_.nonzeros = a_->nnz();
    report_.value_type = type_name<Value>();
    report_.operations_per_nonzero = is_complex<Value> ? 8 : 2;
    report_.threads = omp_get_max_threads();
    report_.matrix_bytes = storage_bytes(*a_, format::csr) + vector_bytes<Value>(a_->rows, a_->cols);
    const topology machine = topology_of_machine();
    if (!machine.caches.empty()) report_.cache_bytes = machine.caches.back().bytes * machine.caches.back().instances;
  }

  bench_report run() {
    const auto announce = [this](std::string_view stage) { bar_.announce(stage); };
    products_ =
        make_products(a_, {lists_.formats, memory_of_peers(a_->view(), lists_.peers.size()) + array_bytes(), announce});
    report_.remarks = products_.remarks;
    report_.plan = products_.plan;
    bar_.announce("comparing the results");
    verify();
    peers_ = start_peers<Value, Index>(lists_.peers, a_->view(), x_, reference_, report_.threads, announce);
    report_.remarks.insert(report_.remarks.end(), peers_.remarks.begin(), peers_.remarks.end());
    bar_.announce("filling memory");
    measure_all();
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::int64_t array_bytes() const {
    return measure::stream_bytes(report_.cache_bytes, std::min(memory_of_machine().available, usable_memory()));
  }

  /// Every product of lacis has the same bits; the plain loop is within the bound of rounding.
  void verify() {
    reference_ = buffer<Value>(a_->rows);
    multiply(*a_, x_, reference_);
    for (const product<Value>& p : products_.all) {
      std::fill(y_.begin(), y_.end(), Value(std::numeric_limits<real_of<Value>>::quiet_NaN()));
      p.run(x_, y_);
      if (p.kernel == "loop") {
        if (const auto wrong = measure::beyond_bound<Value, Index>(a_->view(), x_, reference_, y_))
          throw not_verified(
              fmt::format("the product of CSR differs from a plain loop by {} in row {}; rounding "
                          "explains {}",
                          wrong->difference, plot::grouped(wrong->row + 1), wrong->allowed));
      } else if (const auto row = first_difference<Value>(reference_, y_)) {
        throw not_verified(fmt::format("the product of {} differs from that of csr in row {}: please report it", p.name,
                                       plot::grouped(*row + 1)));
      }
    }
  }

  void measure_all() {
    measure::stream memory(array_bytes(), report_.threads);
    report_.limit_bytes = memory.bytes();
    std::vector<measure::contestant> contestants;
    contestants.push_back({"read", repeated([&] { return memory.read(report_.threads); })});
    for (const product<Value>& p : products_.all) contestants.push_back({p.name, repeated([&] { return timed(p); })});
    std::vector<std::string> failures(peers_.all.size());
    for (std::size_t i = 0; i < peers_.all.size(); ++i)
      contestants.push_back({peers_.all[i].process->name(),
                             [&process = *peers_.all[i].process, &failure = failures[i]](int times) {
                               return seconds_or_never(process, times, failure);
                             },
                             peers_.all[i].process->process()});
    measure::interleave_options options;
    options.seconds = request_.seconds;
    options.report = bar_.callback();
    const std::vector<measure::samples> taken = measure::interleave(contestants, options);
    report_.rounds = static_cast<int>(taken[0].seconds.size());
    report_.limit_gbs = static_cast<double>(memory.bytes()) / measure::median(taken[0].seconds) * 1e-9;
    fill_entries({taken.begin() + 1, taken.end()}, failures);
  }

  double timed(const product<Value>& p) {
    const auto begin = std::chrono::steady_clock::now();
    p.run(x_, y_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  static std::function<double(int)> repeated(auto once) {
    return [once](int times) {
      double seconds = 0;
      for (int i = 0; i < times; ++i) seconds += once();
      return seconds / times;
    };
  }

  /// A peer that ends in the middle loses, and the others go on.
  static double seconds_or_never(measure::peer& process, int times, std::string& failure) {
    if (failure.empty()) {
      try {
        return process.run(times);
      } catch (const error& problem) {
        failure = problem.what();
      }
    }
    return std::numeric_limits<double>::infinity();
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

  const bench_request& request_;
  const bench_lists& lists_;
  std::shared_ptr<const csr_matrix<Value, Index>> a_;
  progress_bar bar_;
  buffer<Value> x_;
  buffer<Value> y_;
  buffer<Value> reference_;
  products<Value> products_;
  ready_peers peers_;
  std::vector<const std::vector<double>*> samples_;
  bench_report report_;
};

}  // namespace

void run_bench(const bench_request& request) {
  if (request.operation != "spmv") {
    const std::string known[] = {"spmv"};
    throw error(errc::invalid_argument,
                "lacis bench measures spmv, not '" + request.operation + "'" + did_you_mean(request.operation, known));
  }
  if (request.markdown == "-" && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --export-markdown - both want standard output; give the table a file");
  const bench_lists lists{
      parse_list(request.formats, product_names(), "--formats"),
      request.peers == "all" ? measure::peer_names() : parse_list(request.peers, measure::peer_names(), "--peers")};
  loaded source = load(request.source, request.common);
  any_csr matrix = with_type(std::move(source.matrix), request.type);
  // Files for the peers must not stay behind.
  const interrupt_guard guard;
  const bench_report report = std::visit(
      [&]<class Matrix>(Matrix& a) {
        if (a.nnz() == 0) throw error(errc::invalid_argument, "a matrix without entries takes no time to multiply");
        auto owned = std::make_shared<const Matrix>(std::move(a));
        return spmv_bench<typename Matrix::value_type, typename Matrix::index_type>(request, lists, source.name, owned)
            .run();
      },
      matrix);
  if (!request.common.quiet)
    for (const std::string& remark : report.remarks) complain(remark);
  if (!request.markdown.empty()) {
    const std::string text = bench_markdown(report);
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    write_file(request.markdown, {bytes, bytes + text.size()});
  }
  if (request.markdown == "-") return;
  print(request.common.json ? bench_json(report) + '\n' : bench_screen(report, terminal_of(1)));
}

}  // namespace lacis::app
