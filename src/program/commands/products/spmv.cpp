// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spmv: a product, computed as the matrix is and through a plan, on one thread and on all, and on a device.
#include "commands/products/spmv.hpp"

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <functional>
#include <omp.h>
#include <optional>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/device_multiply.hpp>
#include <lacis/device_vector.hpp>
#include <lacis/error.hpp>
#include <lacis/hash.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

#include "commands/products/spmv_report.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"

namespace lacis::app {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median time of a product: once to warm up, then three times at least, and on until a second has passed.
std::pair<double, int> median_of(const std::function<void()>& product) {
  constexpr double enough_seconds = 1;
  constexpr std::size_t fewest = 3;
  constexpr std::size_t most = 1000;
  product();
  std::vector<double> times;
  double total = 0;
  while (times.size() < fewest || (total < enough_seconds && times.size() < most)) {
    times.push_back(seconds_of(product));
    total += times.back();
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return {*middle, static_cast<int>(times.size())};
}

/// While one exists, OpenMP has this number of threads.
class with_threads {
 public:
  explicit with_threads(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~with_threads() { omp_set_num_threads(before_); }
  with_threads(const with_threads&) = delete;
  with_threads& operator=(const with_threads&) = delete;

 private:
  int before_;
};

/// (1 + j mod 8) / 8: fractions that every type holds exactly.
buffer<double> default_vector(std::int64_t count) {
  buffer<double> x(count);
  for (std::int64_t j = 0; j < count; ++j) x[j] = static_cast<double>(1 + j % 8) / 8;
  return x;
}

template <class A, class X> double operations_of(std::int64_t entries) {
  const double each = is_complex<A> && is_complex<X> ? 8 : is_complex<A> || is_complex<X> ? 4 : 2;
  return each * static_cast<double>(entries);
}

/// The product on a device, whose result goes to y. The host executor's is computed once: its time means nothing.
template <class A, class Index, class X>
void experiment_on(device_id device, const csr_matrix<A, Index>& a, const buffer<X>& x, buffer<product_of<A, X>>& y,
                   spmv_report& report) {
  using T = product_of<A, X>;
  const bool times_count = device.kind == device_kind::cuda;
  std::optional<plan<A, Index>> p;
  const double inspect_seconds = seconds_of([&] { p = multiply_inspect(a, {.device = device}); });
  report.on_device = {name_of(device), times_count, p->layout(), inspect_seconds, p->explain()};
  const auto timed = [&](const std::function<void()>& product) {
    const auto [seconds, runs] = times_count ? median_of(product) : std::pair{seconds_of(product), 1};
    const double bytes = static_cast<double>(p->storage_bytes()) + static_cast<double>(x.size()) * sizeof(X) +
                         static_cast<double>(a.rows) * sizeof(T);
    report.products.push_back({name_of(device), 0, seconds, runs, bytes, 0});
  };
  if constexpr (std::is_same_v<A, X>) {
    const device_context where(device);
    const device_stream s(where);
    const device_vector<X> there_x(where, x);
    device_vector<T> there_y(where, a.rows);
    timed([&] {
      multiply(*p, there_x, there_y, s);
      s.wait();
    });
    std::ranges::copy(there_y.to_host(), y.begin());
  } else {
    timed([&] { multiply(*p, x, y); });
  }
  report.products.back().hash = solution_hash(y);
}

template <class A, class Index, class X>
void experiment(const csr_matrix<A, Index>& a, const buffer<X>& x, const spmv_request& request, spmv_report& report) {
  using T = product_of<A, X>;
  if (x.size() != a.cols)
    throw error(errc::bad_input, request.x + " has " + std::to_string(x.size()) + " elements, the matrix " +
                                     std::to_string(a.cols) + " columns");
  report.rows = a.rows;
  report.cols = a.cols;
  report.entries = a.nnz();
  report.iso = a.values.iso;
  report.operations = operations_of<A, X>(a.nnz());
  progress_bar bar(request.common.quiet);
  buffer<T> y(a.rows);
  const int all_threads = omp_get_max_threads();
  const auto vectors = static_cast<double>(x.size()) * sizeof(X) + static_cast<double>(a.rows) * sizeof(T);
  const auto measure = [&](const char* what, int threads, double matrix_bytes, const std::function<void()>& product) {
    bar.announce(std::string("multiplying, ") + what + " on " + std::to_string(threads) +
                 (threads == 1 ? " thread" : " threads"));
    const with_threads limit(threads);
    const auto [seconds, runs] = median_of(product);
    report.products.push_back({what, threads, seconds, runs, matrix_bytes + vectors, solution_hash(y)});
  };

  const auto as_it_is = static_cast<double>(storage_bytes(a, matrix_format::csr));
  const auto csr = [&] { multiply(a, x, y); };
  measure("CSR as it is", 1, as_it_is, csr);
  measure("CSR as it is", all_threads, as_it_is, csr);

  bar.announce("making a plan");
  std::optional<plan<A, Index>> p;
  report.inspect_seconds = seconds_of([&] { p = multiply_inspect(a); });
  report.layout = p->layout();
  report.explanation = p->explain();
  workspace memory;
  const auto planned = [&] { multiply(*p, x, y, memory); };
  const auto in_plan = static_cast<double>(p->storage_bytes());
  measure("plan", 1, in_plan, planned);
  measure("plan", all_threads, in_plan, planned);

  if (const device_id device = device_named(request.device); device.kind != device_kind::cpu) {
    bar.announce("multiplying on " + name_of(device));
    experiment_on(device, a, x, y, report);
  }
  if (request.output.empty()) return;
  bar.announce("writing y");
  write_vector(request.output, std::span<const T>(y));
}

void run_spmv(const spmv_request& request) {
  if (request.common.mpi) return run_spmv_on_cluster(request);
  const bool y_on_output = request.output == "-";
  if (y_on_output && request.common.json)
    throw error(errc::invalid_argument,
                "--json and an output of - both write to standard output; write one of them to a file");
  require_one_standard_input(request.source, request.x);
  if (const device_id device = device_named(request.device); device.kind != device_kind::cpu)
    static_cast<void>(device_context(device));  // a missing device is an error before a large matrix is read
  const loaded source = load(request.source, request.common);
  const auto cols = std::visit([](const auto& a) { return a.cols; }, source.matrix);
  const any_vector x =
      request.x.empty() ? any_vector(default_vector(cols)) : read_vector(request.x, request.source, request.common);
  spmv_report report;
  report.matrix = source.name;
  report.load_seconds = source.seconds;
  report.x = request.x.empty() ? "x_j = (1 + j mod 8) / 8" : "x from " + request.x;
  report.isa = name_of(default_isa());
  std::visit([&](const auto& a, const auto& vector) { experiment(a, vector, request, report); }, source.matrix, x);
  if (!y_on_output && request.common.json)
    print(spmv_json(report));
  else if (!y_on_output)
    print_screen(spmv_screen(report));
  else if (!request.common.quiet)
    std::fputs(spmv_screen(report).c_str(), stderr);
  if (report.same_bits()) return;
  throw not_verified("the results of the products differ; 'lacis verify' shows where");
}

void add_options(option_list& options, spmv_request& request) {
  add_matrix(options, request.source);
  options
      .add("X", request.x,
           "the vector: a matrix file of one column, or a text file with one number per line; - for standard input")
      .otherwise("x_j = (1 + j mod 8) / 8")
      .names_file(file_use::read_vector);
  options.add("-o,--output FILE", request.output, "write y, one number per line; - is standard output")
      .names_file(file_use::write);
  options.add(with_choices("--device", device_names), request.device,
              "also multiply on this device: simt is the host executor, cuda:1 the second GPU");
  add_mpi(options, request.common);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command spmv_command() {
  return make_command<spmv_request>(
      {.name = "spmv",
       .group = command_group::compute,
       .summary = "multiply a matrix and a vector, with and without a plan",
       .about =
           "Computes y = A x from CSR and through a plan, on one thread and on all, and prints for each the median "
           "time, the rates and the speedup; then the layout of the plan, the time to make it and after how many "
           "products that is repaid. All results must be bit-identical; their hash is printed, which is the same on "
           "every machine. The host executor runs device kernels thread by thread, so its time has no meaning.",
       .examples = {{"lacis spmv @rmat:18", "a generated matrix and vector"},
                    {"lacis spmv A.mtx x.txt -o y.txt", "a vector from a file, the result in another"}}},
      add_options, run_spmv);
}

}  // namespace lacis::app
