// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products and what is related to them, verified on the processor.
#include <algorithm>
#include <array>
#include <complex>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
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

}  // namespace

verify_report verify_spgemm(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  return verification::run_parts(options, parts, verification::steps_of_spgemm_sweep(), swept_by(options), place_of);
}

}  // namespace lacis
