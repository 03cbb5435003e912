// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices of C++ as lacis.h takes them.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/lacis.h>

#include "c_api/objects.hpp"

namespace lacis::test {

struct free_all {
  void operator()(lacis_matrix* a) const { lacis_matrix_free(a); }
  void operator()(lacis_plan* a) const { lacis_plan_free(a); }
  void operator()(lacis_operator* a) const { lacis_operator_free(a); }
};
template <class Object> using owned = std::unique_ptr<Object, free_all>;

template <class Value, class Index> lacis_view c_view(const csr_matrix<Value, Index>& a) {
  lacis_view view = LACIS_INIT(lacis_view);
  view.type = c_api::type_of<Value>;
  view.offset_bits = 64;
  view.index_bits = 8 * sizeof(Index);
  view.iso = a.values.iso ? 1 : 0;
  view.rows = a.rows;
  view.cols = a.cols;
  view.nnz = a.nnz();
  view.offsets = a.row_offsets.data();
  view.indices = a.columns.data();
  view.values = a.values.data.data();
  return view;
}

/// The same with 32-bit offsets, which it keeps.
template <class Value, class Index> struct narrow_c_view {
  std::vector<std::int32_t> offsets;
  lacis_view view;
  explicit narrow_c_view(const csr_matrix<Value, Index>& a)
      : offsets(a.row_offsets.begin(), a.row_offsets.end()), view(c_view(a)) {
    view.offset_bits = 32;
    view.offsets = offsets.data();
  }
};

}  // namespace lacis::test
