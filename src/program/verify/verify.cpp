// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything that is verified, one part after the other.
#include "verify/verify.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <utility>

#include <lacis/format.hpp>
#include <lacis/plan_layout.hpp>

#include "base/text.hpp"
#include "verify/ledger.hpp"
#include "verify/setup.hpp"
#include "verify/sweep.hpp"

namespace lacis {
namespace {

using verification::ledger;
using verification::sweep;
using verification::sweep_options;

struct part {
  const char* name;
  int steps;
  void (*run)(const sweep_options&, ledger&);
};

/// One for each type of matrix entry. Other operations have a part of their own, which fills a row of the table.
constexpr std::array parts = {
    part{"float", verification::steps_of_sweep, sweep<float>},
    part{"double", verification::steps_of_sweep, sweep<double>},
    part{"complex float", verification::steps_of_sweep, sweep<std::complex<float>>},
    part{"complex double", verification::steps_of_sweep, sweep<std::complex<double>>},
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
  const char* before = " ";
  for (const int threads : options.threads) text += detail::text(std::exchange(before, ", "), threads);
  return text + (options.all ? ", all of them with SIMD kernels, in turn with the others" : ", in turn");
}

/// The table in the order in which the formats are listed everywhere.
void put_in_order(std::vector<verify_count>& table) {
  const auto place = [](const verify_count& count) {
    const auto found =
        std::find_if(all_formats.begin(), all_formats.end(), [&](matrix_format f) { return name_of(f) == count.what; });
    return std::pair(found - all_formats.begin(), count.isa);
  };
  std::stable_sort(table.begin(), table.end(),
                   [&](const verify_count& left, const verify_count& right) { return place(left) < place(right); });
}

}  // namespace

verify_report verify(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  const verification::threads_of_openmp guard(1);
  int total = 0;
  for (const part& p : parts) total += p.steps;
  int done = 0;
  ledger book;
  for (const part& p : parts) {
    const auto stepped = [&] {
      ++done;
      if (options.progress) options.progress(p.name, static_cast<double>(done) / total);
    };
    p.run({options.all, options.isas, options.threads, stepped}, book);
  }
  put_in_order(book.report().table);
  book.report().swept = swept_by(options);
  book.report().compiler = verification::compiler_text();
  return std::move(book.report());
}

}  // namespace lacis
