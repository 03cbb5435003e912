// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The laboratory: methods run under the host executor with every access counted.
#include "lab/lab.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include <lacis/error.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "device/spmv.hpp"
#include "interpreted/interpreted.hpp"
#include "kernels/spmv_bsr.hpp"
#include "kernels/spmv_coo.hpp"
#include "kernels/spmv_csr.hpp"
#include "kernels/spmv_ell.hpp"
#include "kernels/spmv_jds.hpp"
#include "kernels/spmv_sell.hpp"
#include "kernels/spmv_stream.hpp"
#include "lab/model.hpp"
#include "lab/sample.hpp"
#include "lab/trace.hpp"
#include "simt/runtime.hpp"

namespace lacis::lab {
namespace {

using device::spmv_facts;
using device::spmv_method;

template <template <class, class, class> class Kernel>
inline constexpr int threads_of = Kernel<simt::raw_memory, double, std::int32_t>::block_threads;

/// The name without the size of its block; a number that means something else stays.
constexpr std::string_view family_of(const spmv_facts& facts) {
  return facts.block_threads ? facts.name.substr(0, facts.name.rfind('_')) : facts.name;
}

constexpr int block_threads_of(const spmv_facts& facts) {
  if (facts.block_threads) return *facts.block_threads;
  switch (facts.stored) {
    case matrix_format::ell:
    case matrix_format::hyb:
      return threads_of<kernels::ell_row>;
    case matrix_format::jds:
      return threads_of<kernels::jds_row>;
    case matrix_format::sell:
      return threads_of<kernels::sell_32>;
    case matrix_format::bsr:
      return threads_of<kernels::bsr_rows>;
    default:
      return facts.method == spmv_method::coo_atomic ? threads_of<kernels::coo_atomic> : threads_of<kernels::csr_row>;
  }
}

constexpr auto methods = [] {
  std::array<method_facts, device::all_spmv_methods.size()> all;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const spmv_facts& facts = device::all_spmv_methods[k];
    all[k] = {facts.name, facts.text, family_of(facts), block_threads_of(facts)};
  }
  return all;
}();

const spmv_facts& method_named(std::string_view name) {
  const auto& all = device::all_spmv_methods;
  const auto found = std::find_if(all.begin(), all.end(), [&](const spmv_facts& f) { return f.name == name; });
  if (found != all.end()) return *found;
  std::string names;
  for (const spmv_facts& facts : all) names += detail::text(names.empty() ? "" : ", ", facts.name);
  throw error(errc::invalid_argument, detail::text("no method \"", name, "\"; there are ", names));
}

/// Runs a method on the windows, one after the other, and fills in its report.
template <class Value>
void run_method(const spmv_facts& facts, const csr_view<Value, std::int32_t>& a, std::span<const row_window> windows,
                const product_size& size, const gpu& model, method_report& report) {
  device::simt_runtime host({.turns = {}, .threads = 1});
  device::runtime device(host.table());
  traffic counts;
  address_map map;
  launch_trace trace(model, map, counts);
  // Rows of a JDS matrix are sorted by length: half of its grid stands for nothing.
  if (size.sampled() && facts.stored != matrix_format::jds) trace.measure(measured_blocks::second_half);
  // The rows of csr_cached find the x of their own numbers in shared memory.
  const bool diagonal_stays = facts.method == spmv_method::csr_cached;
  const auto x = device.zeros<Value>(a.cols);
  int launches = 0;
  for (const row_window& rows : windows) {
    const window_matrix<Value> window =
        size.sampled() ? cut_rows(a, rows, diagonal_stays) : window_matrix<Value>{{}, {}, a};
    const auto matrix = device::upload(device, window.view);
    const auto plan = device::plan_spmv(device, facts.method, matrix);
    const auto y = device.zeros<Value>(matrix.rows);
    map.next_product(!diagonal_stays);
    map_arrays(map, matrix, plan, x, y);
    trace.arrays_changed();
    const int before = trace.launches();
    host.trace_by(&trace);
    device::spmv(device, plan, matrix, Value(1), x.data(),
                 facts.update == device::spmv_update::add ? Value(1) : Value(0), y.data());
    host.trace_by(nullptr);
    launches = std::max(launches, trace.launches() - before);
  }
  fill_report(report, counts, size, launches, model);
}

/// Runs the PTX of a method on the windows.
template <class Value>
emitted_counts run_emitted(const lacis_runtime& interpreter, const spmv_facts& facts,
                           const csr_view<Value, std::int32_t>& a, std::span<const row_window> windows,
                           const product_size& size) {
  device::runtime device(interpreter);
  lacis_ptx_options counting;
  counting.races = 0;
  counting.count = 1;
  const auto x = device.zeros<Value>(a.cols);
  lacis_ptx_counters sum{};
  for (const row_window& rows : windows) {
    const window_matrix<Value> window =
        size.sampled() ? cut_rows(a, rows, facts.method == spmv_method::csr_cached) : window_matrix<Value>{{}, {}, a};
    const auto matrix = device::upload(device, window.view);
    const auto plan = device::plan_spmv(device, facts.method, matrix);
    const auto y = device.zeros<Value>(matrix.rows);
    interpreted::set_options(counting);
    device::spmv(device, plan, matrix, Value(1), x.data(),
                 facts.update == device::spmv_update::add ? Value(1) : Value(0), y.data());
    const lacis_ptx_counters own = interpreted::counters();
    for (const ptx::named_counter& each : ptx::all_counters) sum.*each.value += own.*each.value;
  }
  const auto per_entry = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(size.sampled_entries);
  };
  return {.instructions_per_nnz = per_entry(sum.instructions),
          .active_lanes = static_cast<double>(sum.active_lanes) / static_cast<double>(sum.instructions) / 32,
          .requests_per_nnz = per_entry(sum.requests),
          .sectors_per_nnz = per_entry(sum.sectors),
          .shared_requests_per_nnz = per_entry(sum.shared_requests),
          .bank_conflicts_per_nnz = per_entry(sum.bank_conflicts)};
}

template <class Value>
product_size size_of(const csr_view<Value, std::int32_t>& a, std::span<const row_window> windows) {
  constexpr auto value_bytes = static_cast<std::int64_t>(sizeof(Value));
  product_size size;
  size.rows = a.rows;
  size.nnz = a.nnz();
  size.x_sectors = needed_sectors(a.columns, a.cols, static_cast<int>(value_bytes));
  size.csr_bytes = 8 * (a.rows + 1) + a.nnz() * 4 + static_cast<std::int64_t>(a.values.data.size()) * value_bytes +
                   size.x_sectors * sector_bytes + a.rows * value_bytes;
  for (const row_window& rows : windows) {
    size.sampled_rows += rows.end - rows.begin;
    size.sampled_entries +=
        a.row_offsets[static_cast<std::size_t>(rows.end)] - a.row_offsets[static_cast<std::size_t>(rows.begin)];
  }
  return size;
}

}  // namespace

std::span<const method_facts> all_methods() { return methods; }

template <value Value> lab_report examine(const csr_view<Value, std::int32_t>& a, const lab_options& options) {
  if (options.model == nullptr)
    throw error(errc::invalid_argument, "the laboratory needs a GPU to model; gpu_named(\"t4\") is one");
  const lacis_runtime* const interpreter = options.emitted ? &interpreted::runtime_for(0) : nullptr;
  std::vector<const spmv_facts*> asked;
  for (const std::string& name : options.kernels) asked.push_back(&method_named(name));
  const std::vector<row_window> windows = choose_rows(
      a.row_offsets, options.most_entries, std::int64_t{options.model->multiprocessors} * options.model->threads);
  const product_size size = size_of(a, windows);

  lab_report report{a.rows,
                    a.cols,
                    a.nnz(),
                    size.sampled_rows,
                    size.sampled_entries,
                    size.csr_bytes <= options.model->l2_bytes,
                    options.model,
                    std::vector<method_report>(asked.size())};
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t done = 0;
  const int wanted = options.threads > 0 ? options.threads : detail::thread_count();
  detail::on_threads(std::min(wanted, static_cast<int>(asked.size())), [&](int, int) {
    for (std::size_t k; (k = next.fetch_add(1)) < asked.size();) {
      const spmv_facts& facts = *asked[k];
      method_report own;
      own.kernel = facts.name;
      own.block_threads = block_threads_of(facts);
      try {
        run_method(facts, a, windows, size, *options.model, own);
      } catch (const error& e) {
        if (e.code() == errc::kernel_fault) throw;
        own.refused = e.what();
      }
      report.methods[k] = std::move(own);
      const std::scoped_lock lock(mutex);
      ++done;
      if (options.progress) options.progress(facts.name, static_cast<double>(done) / static_cast<double>(asked.size()));
    }
  });
  // There is one interpreter in a process.
  for (std::size_t k = 0; interpreter != nullptr && k < asked.size(); ++k)
    if (report.methods[k].refused.empty())
      report.methods[k].emitted = run_emitted(*interpreter, *asked[k], a, windows, size);
  return report;
}

template lab_report examine(const csr_view<float, std::int32_t>&, const lab_options&);
template lab_report examine(const csr_view<double, std::int32_t>&, const lab_options&);

}  // namespace lacis::lab
