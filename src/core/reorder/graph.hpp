// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A square matrix as a graph: vertices are rows, and an entry joins its row and its column either way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/ask_for.hpp"

namespace lacis::detail {

/// The places of a matrix without its values, so that orderings are compiled once for each type of index.
template <index Index> using pattern_view = csr_view<float, Index>;

/// The pattern of a matrix with the value 1 for every entry.
template <class Value, class Index> [[nodiscard]] pattern_view<Index> unit_pattern_of(const csr_view<Value, Index>& a) {
  static constexpr float one = 1;
  return {a.rows, a.cols, a.row_offsets, a.columns, values_view<float>({&one, 1}, true)};
}

/// What one pass over a square pattern tells.
struct pattern_facts {
  bool canonical;  ///< columns ascend strictly in every row
  bool symmetric;  ///< of canonical rows: (i, j) is stored whenever (j, i) is
  bool loops;      ///< some vertex is its own neighbour
};
/// `symmetric` compares sums of a hash over the entries above and below the diagonal: it is right for symmetric
/// patterns, and for others with a probability of 1 - 2^-64, whoever made them, as the hash is drawn anew.
template <class Index> [[nodiscard]] pattern_facts examine(const pattern_view<Index>& a);

/// The graph of A + A^T. It borrows A where that is symmetric with canonical rows, and makes a pattern that is
/// otherwise; so rows are sorted and without repetition, but may hold the diagonal: a vertex among its own neighbours.
template <index Index> class graph {
 public:
  explicit graph(const pattern_view<Index>& a);

  [[nodiscard]] std::int64_t size() const { return pattern_.rows; }
  [[nodiscard]] std::span<const std::int64_t> row_offsets() const { return pattern_.row_offsets; }
  /// The rows of all vertices, one after the other.
  [[nodiscard]] std::span<const Index> columns() const { return pattern_.columns; }
  /// The neighbours of v, ascending; v itself may be among them.
  [[nodiscard]] std::span<const Index> row(std::int64_t v) const {
    const std::int64_t begin = pattern_.row_offsets.data()[v];
    return {pattern_.columns.data() + begin, static_cast<std::size_t>(pattern_.row_offsets.data()[v + 1] - begin)};
  }
  /// How many other vertices v is joined to.
  [[nodiscard]] std::int64_t degree(std::int64_t v) const {
    const std::span<const Index> others = row(v);
    return static_cast<std::int64_t>(others.size()) -
           (has_loops_ && std::binary_search(others.begin(), others.end(), static_cast<Index>(v)) ? 1 : 0);
  }

 private:
  csr_matrix<float, Index> made_;
  pattern_view<Index> pattern_;
  bool has_loops_ = false;
};

/// A set of vertices, one bit each. Threads may change it at the same time where they keep to words of their own.
class vertex_set {
 public:
  static constexpr std::int64_t word_bits = 64;

  /// The empty set.
  explicit vertex_set(std::int64_t vertices) : vertices_(vertices), words_((vertices + word_bits - 1) / word_bits, 0) {}

  [[nodiscard]] bool holds(std::int64_t v) const { return (words_[word_of(v)] & bit(v)) != 0; }
  void add(std::int64_t v) { words_[word_of(v)] |= bit(v); }
  void remove(std::int64_t v) { words_[word_of(v)] &= ~bit(v); }
  void prefetch(std::int64_t v) const { ask_for(&words_[word_of(v)]); }

  [[nodiscard]] std::int64_t words() const { return words_.size(); }
  /// visit(v) for the members of words first .. last, ascending; what visit removes from later words is not visited.
  template <class Visit> void for_each(std::int64_t first, std::int64_t last, Visit&& visit) const {
    for (std::int64_t word = first; word < last; ++word) each_bit(words_[word], word, visit);
  }
  /// The same for the vertices that are not members.
  template <class Visit> void for_each_other(std::int64_t first, std::int64_t last, Visit&& visit) const {
    for (std::int64_t word = first; word < last; ++word) {
      const std::int64_t vertices = std::min(vertices_ - word * word_bits, word_bits);
      each_bit(~words_[word] & ~std::uint64_t{0} >> (word_bits - vertices), word, visit);
    }
  }

 private:
  [[nodiscard]] static std::int64_t word_of(std::int64_t v) { return v >> 6; }
  [[nodiscard]] static std::uint64_t bit(std::int64_t v) { return std::uint64_t{1} << (v & 63); }
  template <class Visit> static void each_bit(std::uint64_t bits, std::int64_t word, Visit& visit) {
    for (; bits != 0; bits &= bits - 1) visit(word * word_bits + std::countr_zero(bits));
  }

  std::int64_t vertices_;
  buffer<std::uint64_t> words_;
};

}  // namespace lacis::detail
