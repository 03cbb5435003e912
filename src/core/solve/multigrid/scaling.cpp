// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/scaling.hpp"

#include <mutex>
#include <string>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/isa.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "cpu/vector/kernels.hpp"
#include "summation/parallel.hpp"

namespace lacis::multigrid {

void require_sound(const multigrid_options& options, std::int64_t rows, std::int64_t own_rows) {
  const auto refuse = [](std::string why) { throw error(errc::invalid_argument, "amg: " + std::move(why)); };
  if (options.block < 1 || rows % options.block != 0)
    refuse(detail::text("blocks of ", options.block, " rows do not divide the ", rows, " rows of A"));
  if (options.degree < 1) refuse("the smoother has a degree of 1 at least");
  if (options.coarsest_rows < 1) refuse("the coarsest level has 1 row at least");
  if (!(options.strength >= 0 && options.strength < 1)) refuse("strength is between 0 and 1");
  if (!(options.truncation >= 0 && options.truncation < 1)) refuse("truncation is between 0 and 1");
  const auto elements = static_cast<std::int64_t>(options.near_null_space.size());
  constexpr std::int64_t most_vectors = 32;
  if (elements > 0 && (own_rows == 0 || elements % own_rows != 0 || elements / own_rows > most_vectors))
    refuse(detail::text("the near null space has ", elements, " elements: 1 to ", most_vectors, " vectors of ",
                        own_rows, " are possible"));
}

template <class T> real_of<T> largest_of(std::span<const T> x) {
  const auto& kernels = cpu::vector_kernels_for<T>(default_isa());
  std::mutex joining;
  real_of<T> largest = 0;
  summation::parallel_ranges(static_cast<std::int64_t>(x.size()), [&](std::int64_t begin, std::int64_t end) {
    const auto mine = kernels.largest(x.data() + begin, end - begin);
    const std::scoped_lock lock(joining);
    largest = std::max(largest, mine);
  });
  return largest;
}

#define LACIS_INSTANTIATE(T) template real_of<T> largest_of(std::span<const T>);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
