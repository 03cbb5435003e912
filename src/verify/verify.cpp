// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything that is verified, one part after the other.
#include <algorithm>
#include <array>
#include <complex>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/verify.hpp>

#include "base/text.hpp"
#include "cpu/kernels.hpp"
#include "verify/ledger.hpp"
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

/// One for each type of matrix entry.
constexpr std::array parts = {
    part{"float", verification::steps_of_sweep, sweep<float>},
    part{"double", verification::steps_of_sweep, sweep<double>},
    part{"complex float", verification::steps_of_sweep, sweep<std::complex<float>>},
    part{"complex double", verification::steps_of_sweep, sweep<std::complex<double>>},
};

constexpr std::array default_threads = {1, 2, 3, 4, 7};

verify_options checked(verify_options options) {
  if (options.isas.empty()) options.isas.assign(supported_isas().begin(), supported_isas().end());
  if (options.threads.empty()) options.threads.assign(default_threads.begin(), default_threads.end());
  for (const isa set : options.isas)
    if (!cpu::is_supported(set))
      throw error(errc::unsupported, detail::text("this processor or this build has no ", name_of(set)));
  for (const int threads : options.threads)
    if (threads < 1) throw error(errc::invalid_argument, detail::text("no product runs on ", threads, " threads"));
  return options;
}

std::string swept_by(const verify_options& options) {
  std::string text =
      options.all
          ? "every matrix of the battery with all 16 pairs of types and both widths of columns"
          : "every second matrix of the battery with pairs of types that have SIMD kernels, every eighth with the "
            "others (16 pairs, both widths of columns)";
  text +=
      "; rows of more than 100,000 entries; unsorted rows and duplicates; nine formats, SELL with C = 1, 3, 8, 16, 32, "
      "BSR with blocks of 1, 3, 4; plans as CSR and SELL, plain, transposed and conjugate transposed, fresh and with "
      "updated values; a vector and 1, 3, 8, 17, 64 dense columns; on";
  for (const int threads : options.threads)
    text += detail::text(&threads == options.threads.data() ? " " : ", ", threads);
  return text + (options.threads == std::vector{1} ? " thread" : " threads");
}

#ifdef __clang__
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace

verify_report verify(const verify_options& asked) {
  const verify_options options = checked(asked);
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
  book.report().swept = swept_by(options);
  book.report().compiler = compiler;
  return std::move(book.report());
}

}  // namespace lacis
