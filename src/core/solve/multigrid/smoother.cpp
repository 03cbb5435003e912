// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/smoother.hpp"

#include <lacis/isa.hpp>

#include "base/instantiate.hpp"

namespace lacis::multigrid {

template <class S>
void smooth(const std::function<void(const S*, S*)>& multiply, std::span<const S> inverse,
            const smoothing_steps<S>& steps, const smoothed_vectors<S>& v, bool from_zero, bool with_residual) {
  const smoothing_chain<S> chain(cpu::vector_kernels_for<S>(default_isa()), inverse, steps, v, from_zero,
                                 with_residual);
  smooth_by(chain, v.rows, from_zero, [&] {
    for (std::int64_t k = 1; k <= chain.products(); ++k) {
      multiply(chain.from(k), chain.to(k));
      detail::parallel_ranges(v.rows, [&](std::int64_t begin, std::int64_t end) {
        const summation::rounding_guard guard;
        chain.finish(k, begin, end);
      });
    }
  });
}

#define LACIS_INSTANTIATE(S)                                                                                    \
  template void smooth(const std::function<void(const S*, S*)>&, std::span<const S>, const smoothing_steps<S>&, \
                       const smoothed_vectors<S>&, bool, bool);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
