// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// On how many threads and with which instructions an operation runs.
#pragma once

#include <cstdint>

#include <lacis/error.hpp>
#include <lacis/multiply_options.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"
#include "summation/environment.hpp"

namespace lacis::cpu {

struct launch {
  int threads = 1;
  isa set = isa::scalar;
};

/// `work` is the number of rows and entries, or of elements.
[[nodiscard]] inline launch launch_of(const multiply_options& options, std::int64_t work) {
  if (options.threads < 0)
    throw error(errc::invalid_argument,
                detail::text("threads must not be negative: ", options.threads, "; 0 uses the default of OpenMP"));
  const isa set = options.isa.value_or(isa::scalar);
  if (options.isa && !is_supported(set))
    throw error(errc::unsupported,
                detail::text("this processor or this build has no ", name_of(set), " (see supported_isas())"));
  return {options.threads > 0 ? options.threads : detail::threads_for_work(work), options.isa ? set : default_isa()};
}

/// work(thread, threads) with the floating-point modes that the order needs.
template <class Work> void run(const launch& how, Work&& work) {
  detail::on_threads(how.threads, [&](int thread, int threads) {
    const summation::rounding_guard guard;
    work(thread, threads);
  });
}

}  // namespace lacis::cpu
