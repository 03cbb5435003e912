// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sweep over the four types of matrix entries, with its progress.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "verify/ledger.hpp"
#include "verify/setup.hpp"
#include "verify/sweep.hpp"

namespace lacis::verification {

/// One for each type of matrix entry.
struct part {
  const char* name;
  void (*run)(const sweep_options&, ledger&);
};

/// The parts one after the other, each of which steps so many times; place(count) orders the rows of the table.
template <class Place>
[[nodiscard]] verify_report run_parts(const verify_options& options, std::span<const part> parts, int steps,
                                      std::string swept, Place&& place) {
  const threads_of_openmp guard(1);
  const int total = static_cast<int>(parts.size()) * steps;
  int done = 0;
  ledger book;
  for (const part& p : parts) {
    const auto stepped = [&] {
      ++done;
      if (options.progress) options.progress(p.name, static_cast<double>(done) / total);
    };
    p.run({options.all, options.isas, options.threads, stepped}, book);
  }
  verify_report& report = book.report();
  std::sort(report.table.begin(), report.table.end(), [&](const verify_count& left, const verify_count& right) {
    return std::pair(place(left), left.isa) < std::pair(place(right), right.isa);
  });
  report.swept = std::move(swept);
  report.compiler = compiler_text();
  return std::move(report);
}

/// " 1, 2, 3": after words.
[[nodiscard]] inline std::string list_of_threads(const verify_options& options) {
  std::string text;
  const char* before = " ";
  for (const int threads : options.threads) text += detail::text(std::exchange(before, ", "), threads);
  return text;
}

}  // namespace lacis::verification
