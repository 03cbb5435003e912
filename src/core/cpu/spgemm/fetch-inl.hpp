// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of B asked for before they are needed. Compiled once per target.
#if defined(LACIS_CPU_SPGEMM_FETCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SPGEMM_FETCH_INL
#undef LACIS_CPU_SPGEMM_FETCH_INL
#else
#define LACIS_CPU_SPGEMM_FETCH_INL
#endif

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>

#include "cpu/spgemm/spgemm.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {

/// Asks for rows of B that rows of A will want soon: their offsets well ahead, their entries a little ahead.
template <class T, class Index> class row_fetcher {
 public:
  explicit row_fetcher(const spgemm_job<T, Index>& job) : job_(job), last_(job.nnz - 1) {}

  /// Entry p of A is about to be used.
  HWY_INLINE void ahead_of(std::int64_t p) const {
    prefetch(job_.b.offsets + job_.a.columns[std::min(p + 2 * distance, last_)]);
    const std::int64_t from = job_.b.offsets[job_.a.columns[std::min(p + distance, last_)]];
    // Eight entries from there on, wherever lines end.
    prefetch(job_.b.columns + from);
    prefetch(job_.b.columns + from + 7);
    prefetch(job_.b.values + from * job_.b.step);
    prefetch(job_.b.values + (from + 7) * job_.b.step);
  }
  HWY_INLINE void ahead_of(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t p = begin; p < end; ++p) ahead_of(p);
  }

 private:
  /// Entries of A: a row of B is some ten nanoseconds of work, memory is some hundred away.
  static constexpr std::int64_t distance = 16;

  static HWY_INLINE void prefetch(const void* address) { __builtin_prefetch(address); }

  const spgemm_job<T, Index>& job_;
  std::int64_t last_;
};

}  // namespace
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
