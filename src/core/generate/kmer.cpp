// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @kmer: the shape of a de Bruijn graph of reads: long chains with a few branches, numbered at random.
#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "generate/generator.hpp"
#include "generate/random.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t most_neighbours = 4;

/// Nodes have positions 0 .. n. Position p is linked to p + 1 except where a chain ends (once in 80 on average), and,
/// for one p in 13, to the position that a random bijection gives it. Each node so has at most 4 neighbours and 2.13 on
/// average, as kmer_V4a of the SuiteSparse collection has. A second bijection gives positions their numbers.
class kmer_rows {
 public:
  kmer_rows(std::int64_t n, std::uint64_t seed)
      : n_(n),
        places_(seed, purpose::chains),
        partner_(n, random_words(seed, purpose::branches)),
        number_(n, random_words(seed, purpose::permutation)) {}

  [[nodiscard]] std::int64_t length(std::int64_t i) const {
    std::int64_t found[most_neighbours];
    return neighbours(number_.inverse(i), found);
  }
  template <index Index> void write(std::int64_t i, Index* out) const {
    std::int64_t found[most_neighbours];
    const std::int64_t count = neighbours(number_.inverse(i), found);
    for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<Index>(number_(found[k]));
    std::sort(out, out + count);
  }

 private:
  /// Two independent events from one word, each with a probability in units of 2^-16.
  [[nodiscard]] bool chain_goes_on(std::int64_t p) const { return p + 1 < n_ && (places_(p) & 0xffff) >= 819; }
  [[nodiscard]] bool branches(std::int64_t p) const { return (places_(p) >> 16 & 0xffff) < 5066; }

  /// The positions linked to p, without p and without repetition.
  std::int64_t neighbours(std::int64_t p, std::int64_t* found) const {
    std::int64_t count = 0;
    const auto add = [&](std::int64_t q) {
      if (q != p && std::find(found, found + count, q) == found + count) found[count++] = q;
    };
    if (p > 0 && chain_goes_on(p - 1)) add(p - 1);
    if (chain_goes_on(p)) add(p + 1);
    if (branches(p)) add(partner_(p));
    if (const std::int64_t q = partner_.inverse(p); branches(q)) add(q);
    return count;
  }

  std::int64_t n_;
  random_words places_;
  bijection partner_;
  bijection number_;
};

std::int64_t read(const argument_reader& arguments) {
  const std::int64_t n = arguments.whole(0, "NODES", 1, std::numeric_limits<std::int64_t>::max());
  static_cast<void>(checked_multiply(n, most_neighbours, arguments.naming("entries")));
  return n;
}

matrix_size size(const argument_reader& arguments) {
  const std::int64_t n = read(arguments);
  return {n, n};
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  const std::int64_t n = read(arguments);
  return {build_rows<Index>(rows, n, kmer_rows(n, seed), report), {natural_values::pattern, 0, true}};
}

}  // namespace

constinit const generator kmer_generator{
    {"kmer", "NODES", "long chains with a few branches, numbered at random, 2.13 entries per row: a de Bruijn graph"},
    1,
    1,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail
