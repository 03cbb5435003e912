// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every device kernel, one operation after the other.
#include <complex>

#include "base/text.hpp"
#include "kernels/names.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/verify.hpp"

namespace lacis {
namespace {

using verification::kernel_ledger;

constexpr int steps = 8 * 5 + 4;  ///< eight pairs of types with five operations each, four types of vectors

template <value Value, index Index> void verify_types(kernel_ledger& book, const std::function<void()>& stepped) {
  const auto step = [&](void (*work)(kernel_ledger&)) {
    work(book);
    stepped();
  };
  step(verification::verify_spmv_kernels<Value, Index>);
  step(verification::verify_convert_kernels<Value, Index>);
  step(verification::verify_spmm_kernels<Value, Index>);
  step(verification::verify_triangular_kernels<Value, Index>);
  step(verification::verify_spgemm_kernels<Value, Index>);
  if constexpr (sizeof(Index) == 4) step(verification::verify_vector_kernels<Value>);
}

}  // namespace

kernel_report verify_kernels(const kernel_verify_options& options) {
  kernel_ledger book(options, verification::schedules(options.all));
  int done = 0;
  const auto stepped = [&] {
    ++done;
    if (options.progress) options.progress("kernels", static_cast<double>(done) / steps);
  };
  kernel_report& report = book.report_of([&] {
    verify_types<float, std::int32_t>(book, stepped);
    verify_types<float, std::int64_t>(book, stepped);
    verify_types<double, std::int32_t>(book, stepped);
    verify_types<double, std::int64_t>(book, stepped);
    verify_types<std::complex<float>, std::int32_t>(book, stepped);
    verify_types<std::complex<float>, std::int64_t>(book, stepped);
    verify_types<std::complex<double>, std::int32_t>(book, stepped);
    verify_types<std::complex<double>, std::int64_t>(book, stepped);
  });
  const device::kernel_counts counts = device::count_kernels();
  report.kernels = counts.kernels;
  report.instantiations = counts.instantiations;
  report.swept = detail::text(options.all ? "every test matrix" : "every fifth test matrix",
                              " with float, double, complex float and complex double, 32-bit and 64-bit columns, ");
  if (options.interpreted)
    report.swept += detail::text("by an interpreter of the PTX",
                                 options.architecture != 0 ? detail::text(" for compute_", options.architecture) : "",
                                 "; ", book.schedule_names(), options.all ? "" : " in turn");
  else if (options.device.kind == device_kind::simt)
    report.swept += detail::text("under the host executor; threads and blocks forward, in reverse and ",
                                 options.all ? "in eight shuffled orders" : "in one shuffled order");
  else
    report.swept += detail::text("on ", name_of(options.device), ", ", look_for(options.device).name,
                                 "; triangular systems of up to ", 2 * book.resident_warps(),
                                 " warps, of which at most ", book.resident_warps(), " run at a time");
  if (options.repeats > 1) report.swept += detail::text("; ", options.repeats, " times each");
  return std::move(report);
}

}  // namespace lacis
