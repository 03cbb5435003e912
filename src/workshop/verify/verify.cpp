// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything that is verified, one part after the other.
#include "verify/verify.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <string>

#include <lacis/format.hpp>
#include <lacis/plan_layout.hpp>

#include "base/text.hpp"
#include "verify/parts.hpp"
#include "verify/setup.hpp"
#include "verify/sweep.hpp"

namespace lacis {
namespace {

using verification::part;
using verification::sweep;

constexpr std::array parts = {
    part{"float", sweep<float>},
    part{"double", sweep<double>},
    part{"complex float", sweep<std::complex<float>>},
    part{"complex double", sweep<std::complex<double>>},
};

constexpr std::array default_threads = {1, 2, 3, 4, 7};

std::string swept_by(const verify_options& options) {
  std::string text = options.all
                         ? "every test matrix with all 16 pairs of types and both widths of columns"
                         : "every third test matrix with pairs of types that have SIMD kernels, every twelfth with "
                           "the others (16 pairs, both widths of columns)";
  text +=
      "; rows of more than 100,000 entries; values that plans keep narrower; unsorted rows and duplicates; nine "
      "formats, SELL with C = 1, 3, 8, 16, 32, BSR with blocks of 1, 3, 4, 13; plans as ";
  for (const plan_layout layout : plan_layouts) text += detail::text(name_of(layout), ", ");
  text +=
      "sell in ranges of columns, plain, transposed and conjugate transposed, fresh and with updated values; a vector "
      "and 1, 3, 8, 17, 64 dense columns; numbers of threads";
  return text + verification::list_of_threads(options) +
         (options.all ? ", all of them with SIMD kernels, in turn with the others" : ", in turn");
}

/// Rows of the table in the order in which the formats are listed everywhere.
std::ptrdiff_t place_of(const verify_count& count) {
  return std::find_if(all_formats.begin(), all_formats.end(),
                      [&](matrix_format f) { return name_of(f) == count.what; }) -
         all_formats.begin();
}

}  // namespace

verify_report verify(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  return verification::run_parts(options, parts, verification::steps_of_sweep, swept_by(options), place_of);
}

}  // namespace lacis
