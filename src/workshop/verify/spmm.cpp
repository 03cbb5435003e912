// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns, verified on the processor.
#include <algorithm>
#include <array>
#include <complex>
#include <iterator>
#include <string>

#include <lacis/format.hpp>
#include <lacis/plan_layout.hpp>

#include "base/text.hpp"
#include "verify/more_matrices.hpp"
#include "verify/parts.hpp"
#include "verify/setup.hpp"
#include "verify/spmm_sweep.hpp"
#include "verify/test_matrices.hpp"
#include "verify/verify.hpp"

namespace lacis {
namespace verification {

int steps_of_spmm_sweep() {
  return 2 * static_cast<int>(test_matrices<float>().size() + unordered_matrices<float, std::int32_t>().size() +
                              narrow_matrices<float, std::int32_t>().size()) +
         1;
}

namespace {

#define LACIS_PLAN_ROW(name, words) "plan, " #name,
constexpr std::string_view plan_rows[] = {LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_PLAN_ROW)};
#undef LACIS_PLAN_ROW

}  // namespace

std::string_view plan_row(plan_layout layout) { return plan_rows[static_cast<std::size_t>(layout)]; }

}  // namespace verification

namespace {

using verification::part;
using verification::sweep_spmm;

constexpr std::array parts = {part{"float", sweep_spmm<float>}, part{"double", sweep_spmm<double>},
                              part{"complex float", sweep_spmm<std::complex<float>>},
                              part{"complex double", sweep_spmm<std::complex<double>>}};

constexpr std::array default_threads = {1, 2, 3};

std::string swept_by(const verify_options& options) {
  std::string text =
      options.all ? "every test matrix with the pairs of types that have kernels for columns and both widths of columns"
                  : "every fourth test matrix with equal types, every twelfth with other pairs that have SIMD kernels, "
                    "both widths of columns";
  text +=
      "; values that plans keep narrower; rows out of order; 66,000 rows, whose results are written past the caches; "
      "nine formats and their transposes; plans as ";
  for (const plan_layout layout : plan_layouts) text += detail::text(name_of(layout), ", ");
  text += "plain, transposed and conjugate transposed, fresh and with updated values;";
  if (!options.all) text += " a third of";
  for (const std::int64_t cols : verification::column_counts) text += detail::text(" ", cols);
  text +=
      " dense columns, row-major, column-major, with gaps between rows or columns and mixed, five pairs of alpha and "
      "beta; numbers of threads";
  return text + verification::list_of_threads(options) + (options.all ? ", all of them" : ", in turn");
}

/// Formats in the order in which they are listed everywhere, then plans as the layouts are.
std::ptrdiff_t place_of(const verify_count& count) {
  const auto format =
      std::find_if(all_formats.begin(), all_formats.end(), [&](matrix_format f) { return name_of(f) == count.what; });
  const auto layout = std::find_if(std::begin(plan_layouts), std::end(plan_layouts),
                                   [&](plan_layout l) { return verification::plan_row(l) == count.what; });
  return format != all_formats.end() ? format - all_formats.begin()
                                     : std::ssize(all_formats) + (layout - std::begin(plan_layouts));
}

}  // namespace

verify_report verify_spmm(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  return verification::run_parts(options, parts, verification::steps_of_spmm_sweep(), swept_by(options), place_of);
}

}  // namespace lacis
