// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products and what is related to them, verified on the processor and on a device.
#include <algorithm>
#include <array>
#include <complex>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/names.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/parts.hpp"
#include "verify/setup.hpp"
#include "verify/spgemm_operations.hpp"
#include "verify/spgemm_sweep.hpp"
#include "verify/test_matrices.hpp"
#include "verify/verify.hpp"

namespace lacis {
namespace verification {

int steps_of_spgemm_sweep() { return 2 * (static_cast<int>(test_matrices<float>().size()) + 1); }

}  // namespace verification

namespace {

using verification::part;
using verification::sweep_spgemm;

constexpr std::array parts = {part{"float", sweep_spgemm<float>}, part{"double", sweep_spgemm<double>},
                              part{"complex float", sweep_spgemm<std::complex<float>>},
                              part{"complex double", sweep_spgemm<std::complex<double>>}};

constexpr std::array default_threads = {1, 2, 3, 4, 5, 6, 7};

std::string swept_by(const verify_options& options) {
  std::string text = detail::text(
      options.all ? "every test matrix" : "every third test matrix",
      " times its transpose and, where it is square, itself, with float, double, complex float and complex double and "
      "both widths of columns; grids, products in many pieces and of up to 200,000,000 columns; of one value, too; "
      "whole "
      "numbers against integer arithmetic; slabs under a memory limit; operands out of order; numbers of threads");
  return text + verification::list_of_threads(options) + (options.all ? ", all of them" : ", in turn");
}

std::ptrdiff_t place_of(const verify_count& count) {
  return std::find(std::begin(verification::spgemm_rows), std::end(verification::spgemm_rows), count.what) -
         std::begin(verification::spgemm_rows);
}

/// The kernels of sparse products, with their types, that have no launches.
std::vector<std::string> spgemm_kernels_without(std::span<const std::int64_t> launches) {
  std::vector<std::string> names = device::never_launched(launches);
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("spgemm"); });
  return names;
}

}  // namespace

verify_report verify_spgemm(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  return verification::run_parts(options, parts, verification::steps_of_spgemm_sweep(), swept_by(options), place_of);
}

kernel_report verify_spgemm_kernels(const kernel_verify_options& options) {
  verification::kernel_ledger book(options, verification::schedules(options.all));
  int done = 0;
  constexpr int pairs_of_types = 8;
  const auto step = [&](void (*work)(verification::kernel_ledger&)) {
    work(book);
    ++done;
    if (options.progress) options.progress("kernels", static_cast<double>(done) / pairs_of_types);
  };
#define LACIS_STEP(Value, Index) step(verification::verify_spgemm_kernels<Value, Index>);
  kernel_report& report = book.report_of([&] { LACIS_FOR_EACH_TYPE(LACIS_STEP) });
#undef LACIS_STEP
  if (report.stopped.empty()) report.never_launched = spgemm_kernels_without(book.launches());
  const std::vector<std::string> all = spgemm_kernels_without(std::vector<std::int64_t>(book.launches().size(), 0));
  std::set<std::string> kernels;
  for (const std::string& name : all) kernels.insert(name.substr(0, name.find(',')));
  report.kernels = static_cast<int>(kernels.size());
  report.instantiations = static_cast<int>(all.size());
  report.swept =
      detail::text(options.all ? "every matrix" : "every fifth matrix",
                   " of the test matrices whose product is small, times its transpose and, where it is square, "
                   "itself, with all pairs of types, ");
  report.swept += options.interpreted ? detail::text("by an interpreter of the PTX; ", book.schedule_names())
                  : options.device.kind == device_kind::simt
                      ? detail::text("under the host executor in ", report.schedules, " schedules")
                      : detail::text("on ", name_of(options.device), ", ", look_for(options.device).name);
  return std::move(report);
}

}  // namespace lacis
