// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @banded: every entry within a distance of the diagonal.
#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "generate/generator.hpp"

namespace lacis::detail {
namespace {

struct band {
  std::int64_t n;
  std::int64_t reach;

  [[nodiscard]] std::int64_t first(std::int64_t i) const { return std::max<std::int64_t>(0, i - reach); }
  [[nodiscard]] std::int64_t length(std::int64_t i) const { return std::min(n - 1 - i, reach) + 1 + i - first(i); }
  template <index Index> void write(std::int64_t i, Index* out) const {
    const std::int64_t count = length(i);
    for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<Index>(first(i) + k);
  }
};

band read(const argument_reader& arguments) {
  band b{};
  b.n = arguments.whole(0, "N", 1, std::numeric_limits<std::int64_t>::max());
  b.reach = arguments.whole(1, "K", 0, b.n - 1);
  const std::int64_t width = checked_add(b.reach, b.reach + 1, arguments.naming("bandwidth"));
  static_cast<void>(checked_multiply(b.n, width, arguments.naming("entries")));
  return b;
}

matrix_size size(const argument_reader& arguments) {
  const band b = read(arguments);
  return {b.n, b.n};
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t, row_range rows, const progress& report) {
  const band b = read(arguments);
  return {build_rows<Index>(rows, b.n, b, report), {natural_values::laplacian, 2 * b.reach + 1, true}};
}

}  // namespace

constinit const generator banded_generator{
    {"banded", "N,K", "a full band of K entries to each side of the diagonal: 2 K + 1 and -1"},
    2,
    2,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail
