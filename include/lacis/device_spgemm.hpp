// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices on a device, from and to host memory, within a stated memory of the device.
#pragma once

#include <cstdint>

#include <lacis/csr.hpp>
#include <lacis/device_context.hpp>
#include <lacis/export.hpp>
#include <lacis/progress.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How a product of two sparse matrices runs on a device. Nothing here changes a bit of the result.
struct device_spgemm_options {
  /// Bytes of the device that operands, workspace and result may take; 0: what is free.
  std::int64_t memory_limit = 0;
  lacis::progress progress = {};  ///< called with the rows done
};

/// What a product on a device did and took.
struct device_spgemm_report {
  std::int64_t products = 0;  ///< scalar products a_ik b_kj
  std::int64_t entries = 0;   ///< of C
  std::int64_t slabs = 0;     ///< parts that the memory made of the rows
  std::int64_t launches = 0;  ///< kernels that were launched
};

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> multiply(const device_context& where, const csr_view<Value, Index>& a,
                                            const csr_view<Value, Index>& b, const device_spgemm_options& options,
                                            device_spgemm_report* report);
}  // namespace detail

/// C = A B on a device, for two CSR matrices of the same types in host memory: the entries and the bits of
/// multiply(A, B), whatever the device. The operands are copied there whole; C is computed there in slabs of rows that
/// fit beside them and copied back one after the other. The rows of A and B must ascend strictly: otherwise
/// error(invalid_matrix), and canonical(A) helps. Where the operands do not fit, or a row of C alone does not, the
/// result is error(out_of_memory), which says how much it would take.
template <class A, class B>
[[nodiscard]] auto multiply(const device_context& where, const A& a, const B& b,
                            const device_spgemm_options& options = {}, device_spgemm_report* report = nullptr)
  requires requires {
    a.view().row_offsets;
    b.view().row_offsets;
  }
{
  static_assert(detail::multiply_each_other<A, B>,
                "A and B must have the same value and index types: see cast_values and cast_indices");
  return detail::multiply(where, detail::wide(a).view(), detail::wide(b).view(), options, report);
}

}  // namespace lacis
