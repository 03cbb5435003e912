// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every device kernel, one operation after the other.
#include <algorithm>
#include <complex>
#include <span>

#include <lacis/error.hpp>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "kernels/kernel.hpp"
#include "kernels/names.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/verify.hpp"

namespace lacis {
namespace {

using verification::kernel_ledger;

/// One operation with one pair of types.
struct kernel_step {
  const char* operation;
  const char* values;
  void (*work)(kernel_ledger&);
};

template <value Value, index Index> void add_steps(std::vector<kernel_step>& all, const char* values) {
  all.push_back({"spmv", values, verification::verify_spmv_kernels<Value, Index>});
  all.push_back({"convert", values, verification::verify_convert_kernels<Value, Index>});
  all.push_back({"spmm", values, verification::verify_spmm_kernels<Value, Index>});
  all.push_back({"triangular", values, verification::verify_triangular_kernels<Value, Index>});
  all.push_back({"spgemm", values, verification::verify_spgemm_kernels<Value, Index>});
  if constexpr (sizeof(Index) == 4) all.push_back({"vectors", values, verification::verify_vector_kernels<Value>});
}

template <value Value> void add_steps(std::vector<kernel_step>& all, const char* values) {
  add_steps<Value, std::int32_t>(all, values);
  add_steps<Value, std::int64_t>(all, values);
}

std::vector<kernel_step> steps_for(const kernel_verify_options& options) {
  std::vector<kernel_step> all;
  add_steps<float>(all, kernel_values[0]);
  add_steps<double>(all, kernel_values[1]);
  add_steps<std::complex<float>>(all, kernel_values[2]);
  add_steps<std::complex<double>>(all, kernel_values[3]);
  std::erase_if(all, [&](const kernel_step& step) {
    return (!options.operation.empty() && options.operation != step.operation) ||
           (!options.values.empty() && options.values != step.values);
  });
  if (all.empty())
    throw error(errc::invalid_argument, detail::text("no device kernels for operation '", options.operation,
                                                     "' and values '", options.values, "'"));
  return all;
}

/// The kernels that were launched, and of them with their types.
device::kernel_counts launched_kernels(std::span<const std::int64_t> launches) {
  device::kernel_counts counts;
  for (std::size_t first = 0; first < launches.size(); first += kernels::type_pairs) {
    const auto types = launches.subspan(first, kernels::type_pairs);
    const auto used = std::count_if(types.begin(), types.end(), [](std::int64_t count) { return count > 0; });
    counts.instantiations += static_cast<int>(used);
    if (used > 0) ++counts.kernels;
  }
  return counts;
}

std::string swept_by(const kernel_verify_options& options, const kernel_ledger& book) {
  std::string text =
      detail::text(options.all ? "every test matrix" : "every fifth test matrix", " with ",
                   options.values.empty() ? "float, double, complex float and complex double" : options.values,
                   ", 32-bit and 64-bit columns, sparse products of up to ", numbers::grouped(book.most_products()),
                   " scalar products, ");
  if (!options.operation.empty()) text = detail::text("kernels of ", options.operation, " alone; ", text);
  if (options.interpreted)
    return text + detail::text("by an interpreter of the PTX",
                               options.architecture != 0 ? detail::text(" for compute_", options.architecture) : "",
                               "; ", book.schedule_names(), options.all || options.counted ? "" : " in turn");
  if (options.device.kind == device_kind::simt)
    return text + detail::text("under the host executor; threads and blocks forward, in reverse and ",
                               options.all ? "in eight shuffled orders" : "in one shuffled order");
  return text + detail::text("on ", name_of(options.device), ", ", look_for(options.device).name,
                             "; triangular systems of up to ", 2 * book.resident_warps(), " warps, of which at most ",
                             book.resident_warps(), " run at a time");
}

}  // namespace

std::vector<std::string> verification::missed_kernels(std::span<const std::int64_t> launches,
                                                      const kernel_verify_options& options) {
  if (!options.operation.empty() && options.operation != "spgemm") return {};
  std::vector<std::string> names = device::never_launched(launches);
  std::erase_if(names, [&](const std::string& name) {
    return !name.starts_with(options.operation) ||
           (!options.values.empty() && name.find(detail::text(", ", options.values, ",")) == std::string::npos);
  });
  return names;
}

kernel_report verify_kernels(const kernel_verify_options& options) {
  if (options.counted && !options.interpreted)
    throw error(errc::invalid_argument, "instructions are counted by the interpreter of PTX alone");
  const std::vector<kernel_step> steps = steps_for(options);
  kernel_ledger book(options, verification::schedules(options.all));
  kernel_report& report = book.report_of([&] {
    for (std::size_t done = 0; done < steps.size(); ++done) {
      steps[done].work(book);
      if (options.progress)
        options.progress("kernels", static_cast<double>(done + 1) / static_cast<double>(steps.size()));
    }
  });
  const device::kernel_counts counts = launched_kernels(book.launches());
  report.kernels = counts.kernels;
  report.instantiations = counts.instantiations;
  if (report.stopped.empty()) report.never_launched = verification::missed_kernels(book.launches(), options);
  if (options.counted) report.executed = interpreted::counters_by_kernel();
  report.swept = swept_by(options, book);
  if (options.repeats > 1) report.swept += detail::text("; ", options.repeats, " times each");
  return std::move(report);
}

}  // namespace lacis
