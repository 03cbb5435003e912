// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The hash of a whole vector, a part per thread.
#include "summation/hash.hpp"

#include <atomic>

#include <lacis/hash.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {

template <class T> std::uint64_t solution_hash(std::span<const T> x) {
  std::atomic<std::uint64_t> hash = 0;
  parallel_ranges(static_cast<std::int64_t>(x.size()), [&](std::int64_t begin, std::int64_t end) {
    hash += summation::solution_hash(x.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
                                     begin);
  });
  return hash;
}

template LACIS_API std::uint64_t solution_hash(std::span<const float>);
template LACIS_API std::uint64_t solution_hash(std::span<const double>);
template LACIS_API std::uint64_t solution_hash(std::span<const std::complex<float>>);
template LACIS_API std::uint64_t solution_hash(std::span<const std::complex<double>>);

}  // namespace lacis::detail
