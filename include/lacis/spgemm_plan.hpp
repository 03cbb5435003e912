// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices whose patterns stay while their values change.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <lacis/csr.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

namespace detail {
/// The arrays of a plan: src/core/cpu/spgemm/plan.cpp.
template <class Value, class Index> class spgemm_arrays;
}  // namespace detail

/// The pattern of C = A B and, for each scalar product, the entry that it belongs to: 1, 2 or 4 bytes, none for rows
/// that follow a template. Immutable, so any number of threads may fill with one plan at a time; copies share it. It
/// keeps nothing of A and B.
template <value Value, index Index> class spgemm_plan {
 public:
  /// For the library itself, as internals(): multiply_compute makes plans.
  explicit spgemm_plan(std::shared_ptr<const detail::spgemm_arrays<Value, Index>> arrays)
      : arrays_(std::move(arrays)) {}

  /// Rows of C.
  [[nodiscard]] std::int64_t rows() const { return pattern().rows; }
  /// Columns of C.
  [[nodiscard]] std::int64_t cols() const { return pattern().cols; }
  /// Entries of C, those included whose values cancel to 0.
  [[nodiscard]] std::int64_t nnz() const { return pattern().nnz(); }
  /// C's pattern, as a matrix whose entries are all 1.
  [[nodiscard]] csr_view<Value, Index> pattern() const&;
  /// The pattern of a temporary would outlive it: give the plan a name.
  void pattern() const&& = delete;
  /// Bytes of everything that the plan holds.
  [[nodiscard]] std::int64_t storage_bytes() const;
  /// For the library itself; not part of the interface.
  [[nodiscard]] const detail::spgemm_arrays<Value, Index>& internals() const { return *arrays_; }

 private:
  std::shared_ptr<const detail::spgemm_arrays<Value, Index>> arrays_;
};

namespace detail {
template <class Value, class Index>
LACIS_API spgemm_plan<Value, Index> multiply_compute(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                                     const spgemm_options& options, spgemm_report* report);
template <class Value, class Index>
LACIS_API void multiply_fill(const spgemm_plan<Value, Index>& plan, const csr_view<Value, Index>& a,
                             const csr_view<Value, Index>& b, csr_matrix<Value, Index>& c,
                             const spgemm_options& options);
template <class Value, class Index>
LACIS_API csr_view<Value, Index> pattern_of(const spgemm_arrays<Value, Index>& arrays);
template <class Value, class Index> LACIS_API std::int64_t bytes_of(const spgemm_arrays<Value, Index>& arrays);
}  // namespace detail

template <value Value, index Index> csr_view<Value, Index> spgemm_plan<Value, Index>::pattern() const& {
  return detail::pattern_of(*arrays_);
}
template <value Value, index Index> std::int64_t spgemm_plan<Value, Index>::storage_bytes() const {
  return detail::bytes_of(*arrays_);
}

/// The symbolic half of C = A B: what depends on the patterns alone.
template <class A, class B>
[[nodiscard]] auto multiply_compute(const A& a, const B& b, const spgemm_options& options = {},
                                    spgemm_report* report = nullptr) {
  static_assert(detail::multiply_each_other<A, B>,
                "A and B must have the same value and index types: see cast_values and cast_indices");
  return detail::multiply_compute(detail::wide(a).view(), detail::wide(b).view(), options, report);
}

/// The numeric half: the bits of multiply(A, B) for matrices with the patterns that the plan was made for; others are
/// error(invalid_argument). When C is the result of an earlier fill, its values are overwritten in place; otherwise it
/// is given the plan's pattern.
template <value Value, index Index, class A, class B>
void multiply_fill(const spgemm_plan<Value, Index>& plan, const A& a, const B& b, csr_matrix<Value, Index>& c,
                   const spgemm_options& options = {}) {
  detail::multiply_fill(plan, detail::wide(a).view(), detail::wide(b).view(), c, options);
}
/// The same into a new matrix.
template <value Value, index Index, class A, class B>
[[nodiscard]] csr_matrix<Value, Index> multiply_fill(const spgemm_plan<Value, Index>& plan, const A& a, const B& b,
                                                     const spgemm_options& options = {}) {
  csr_matrix<Value, Index> c;
  detail::multiply_fill(plan, detail::wide(a).view(), detail::wide(b).view(), c, options);
  return c;
}

}  // namespace lacis
