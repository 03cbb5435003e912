// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices at chosen places: nothing else of the product is summed or stored.
#pragma once

#include <type_traits>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/pattern.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// Which places a mask stands for.
enum class mask_side {
  stored,     ///< those at which it stores something, an explicit zero too
  complement  ///< all others
};

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> multiply_masked(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                                   const csr_view<float, Index>& mask, mask_side side,
                                                   const multiply_options& options);
}  // namespace detail

/// The entries of A B at the places of a mask, with the bits that they have in multiply(A, B): an entry exists when
/// some k has both a_ik and b_kj. A and B have the same types; the mask is a matrix of the size of A B with their type
/// of indices and values of any type, which are not read. All three have canonical rows, otherwise
/// error(invalid_matrix).
///
/// Every a_ik b_kj is looked at, only those at places of the mask are multiplied; where a row of B is much longer than
/// the row of the mask, even those between its places are skipped. Beside the result a thread takes the memory of a
/// part of it, and 4 or 8 bytes for each column between the first and the last of a row, 2^24 columns at most.
template <class A, class B, class Mask>
[[nodiscard]] auto multiply_masked(const A& a, const B& b, const Mask& mask, mask_side side = mask_side::stored,
                                   const multiply_options& options = {}) {
  static_assert(std::is_same_v<typename A::value_type, typename B::value_type> &&
                    std::is_same_v<typename A::index_type, typename B::index_type> &&
                    std::is_same_v<typename A::index_type, typename Mask::index_type>,
                "A and B must have the same types, and the mask their indices: see cast_values and cast_indices");
  return detail::multiply_masked(detail::wide(a).view(), detail::wide(b).view(), detail::wide(pattern_of(mask)).view(),
                                 side, options);
}

}  // namespace lacis
