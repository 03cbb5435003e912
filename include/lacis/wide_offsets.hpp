// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices with 32-bit offsets for functions that read 64-bit ones: the offsets copied, all else as it is.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csc.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>

namespace lacis::detail {

/// The same offsets in 64 bits.
[[nodiscard]] LACIS_API buffer<std::int64_t> widen(std::span<const std::int32_t> offsets);

/// A view whose offsets are a copy.
template <class View> class widened {
 public:
  using value_type = typename View::value_type;
  using index_type = typename View::index_type;

  template <class Narrow>
  widened(const Narrow& a, std::span<const std::int32_t> offsets, std::span<const index_type> indices)
      : offsets_(widen(offsets)), view_(a.rows, a.cols, offsets_, indices, a.values) {}
  widened(const widened&) = delete;
  widened(widened&&) = default;  // the span goes on referring to the array, which stays where it is

  [[nodiscard]] const View& view() const { return view_; }

 private:
  buffer<std::int64_t> offsets_;
  View view_;
};

/// A matrix as functions take it whose offsets are 64-bit: `f(wide(a).view())`.
template <class Matrix> [[nodiscard]] auto wide(const Matrix& a) { return a.view(); }
template <value Value, index Index>
[[nodiscard]] widened<csr_view<Value, Index>> wide(const csr_view<Value, Index, std::int32_t>& a) {
  return {a, a.row_offsets, a.columns};
}
template <value Value, index Index>
[[nodiscard]] widened<csc_view<Value, Index>> wide(const csc_view<Value, Index, std::int32_t>& a) {
  return {a, a.column_offsets, a.row_indices};
}

}  // namespace lacis::detail
