// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What every sweep over products starts with: its options checked, and how many threads OpenMP gives.
#pragma once

#include <omp.h>
#include <span>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"
#include "verify/verify.hpp"

namespace lacis::verification {

/// The options with what they leave open filled in.
[[nodiscard]] inline verify_options checked(verify_options options, std::span<const int> default_threads) {
  if (options.isas.empty()) options.isas.assign(supported_isas().begin(), supported_isas().end());
  if (options.threads.empty()) options.threads.assign(default_threads.begin(), default_threads.end());
  for (const isa set : options.isas)
    if (!cpu::is_supported(set))
      throw error(errc::unsupported, detail::text("this processor or this build has no ", name_of(set)));
  for (const int threads : options.threads)
    if (threads < 1) throw error(errc::invalid_argument, detail::text("no product runs on ", threads, " threads"));
  return options;
}

/// While one exists, what is not told a number of threads takes this one: preparing small matrices is not worth more
/// than one.
class threads_of_openmp {
 public:
  explicit threads_of_openmp(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~threads_of_openmp() { omp_set_num_threads(before_); }
  threads_of_openmp(const threads_of_openmp&) = delete;
  threads_of_openmp& operator=(const threads_of_openmp&) = delete;

 private:
  int before_;
};

}  // namespace lacis::verification
