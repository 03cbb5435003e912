// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices: sorted, the same bits everywhere, within a stated memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/isa.hpp>
#include <lacis/progress.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How a row of a product is computed. Each gives the same bits.
enum class spgemm_method {
  copy,    ///< a row of A with one entry: a row of B, scaled
  sort,    ///< few products: sorted by column, neighbours of one column added
  dense,   ///< a sum for each column between the first and the last, and a bit that says whether it is used
  hash,    ///< a table of the columns met, sorted afterwards: rows that are wide and nearly empty
  stencil  ///< rows whose columns are those of the row before plus one: the pattern is found once for many rows
};
/// The number of spgemm_method's values.
inline constexpr std::size_t spgemm_methods = 5;
/// "copy", "sort", "dense", "hash", "stencil".
[[nodiscard]] LACIS_API std::string_view name_of(spgemm_method method);

/// How a product of two sparse matrices runs. Nothing here changes a bit of the result.
struct spgemm_options {
  int threads = 0;                     ///< 0: as many as OpenMP gives, one for small products
  std::optional<lacis::isa> isa = {};  ///< nothing: default_isa()
  std::int64_t memory_limit = 0;       ///< bytes that the result and the workspace may take together; 0: no limit
  lacis::progress progress = {};       ///< called with the rows done, from one thread at a time
};

/// The part of a product that one method did.
struct spgemm_share {
  std::int64_t rows = 0;      ///< of C that it computed
  std::int64_t products = 0;  ///< scalar products of those rows
  std::int64_t entries = 0;   ///< of C in those rows
  double seconds = 0;         ///< of all threads together
};

/// What a product did and took.
struct spgemm_report {
  int threads = 1;                                        ///< that computed
  lacis::isa isa = lacis::isa::scalar;                    ///< of the kernels that ran
  std::int64_t products = 0;                              ///< scalar products a_ik b_kj
  std::int64_t entries = 0;                               ///< of C
  std::array<spgemm_share, spgemm_methods> methods = {};  ///< what each did, by number of the method
  double count_seconds = 0;          ///< products of each row, shapes of rows, the cut into pieces of work
  double compute_seconds = 0;        ///< the rows of C, with their way to where they belong
  std::int64_t result_bytes = 0;     ///< of C
  std::int64_t workspace_bytes = 0;  ///< the most that was held besides operands and result
  std::int64_t slabs = 1;            ///< parts that a memory limit made of the rows

  /// What one method did.
  [[nodiscard]] const spgemm_share& of(spgemm_method method) const { return methods[static_cast<std::size_t>(method)]; }
};

namespace detail {

/// Takes the rows of C from `first_row` on; an exception from it ends the product.
template <class Value, class Index>
using slab_callback = std::function<void(std::int64_t first_row, csr_matrix<Value, Index> slab)>;

template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> multiply(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                            const spgemm_options& options, spgemm_report* report);
template <class Value, class Index>
LACIS_API void multiply_in_slabs(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                 const slab_callback<Value, Index>& take, const spgemm_options& options,
                                 spgemm_report* report);

template <class A, class B>
inline constexpr bool multiply_each_other = std::is_same_v<typename A::value_type, typename B::value_type> &&
                                            std::is_same_v<typename A::index_type, typename B::index_type>;

}  // namespace detail

/// C = A B for two CSR matrices of the same types (cast_values and cast_indices make them so). Entry (i, j) exists when
/// some k has both a_ik and b_kj, also when its sum is zero; it starts at +0 and takes in round(a_ik b_kj) in ascending
/// k, whatever the number of threads and the instruction set. The columns of every row ascend strictly. The rows of A
/// and B must do so too: otherwise error(invalid_matrix), and canonical(A) helps.
///
/// With a memory limit, error(out_of_memory) comes before the limit would be passed and says what multiply_in_slabs
/// would need.
template <class A, class B>
[[nodiscard]] auto multiply(const A& a, const B& b, const spgemm_options& options = {}, spgemm_report* report = nullptr)
  requires requires {
    a.view().row_offsets;
    b.view().row_offsets;
  }
{
  static_assert(detail::multiply_each_other<A, B>,
                "A and B must have the same value and index types: see cast_values and cast_indices");
  return detail::multiply(detail::wide(a).view(), detail::wide(b).view(), options, report);
}

/// The same in parts: take(first_row, slab) gets rows of C one part after the other, each as a matrix of its own, and
/// may write it away. A part and the workspace stay within the memory limit; a row that alone would pass it is
/// error(out_of_memory). `take` is called on the caller's thread.
template <class A, class B, class Take>
void multiply_in_slabs(const A& a, const B& b, Take&& take, const spgemm_options& options = {},
                       spgemm_report* report = nullptr) {
  static_assert(detail::multiply_each_other<A, B>,
                "A and B must have the same value and index types: see cast_values and cast_indices");
  using callback = detail::slab_callback<typename A::value_type, typename A::index_type>;
  detail::multiply_in_slabs(detail::wide(a).view(), detail::wide(b).view(), callback(take), options, report);
}

}  // namespace lacis
