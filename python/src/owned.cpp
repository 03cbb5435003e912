// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "owned.hpp"

#include <utility>

#include "errors.hpp"

namespace lacis_python {

nb::tuple owned_matrix::arrays() {
  lacis_view view = LACIS_INIT(lacis_view);
  require_ok(lacis_matrix_view(matrix_, &view));
  const nb::capsule owner(matrix_, [](void* made) noexcept { lacis_matrix_free(static_cast<lacis_matrix*>(made)); });
  matrix_ = nullptr;
  const element index = view.index_bits == 32 ? element::int32 : element::int64;
  const element offset = view.offset_bits == 32 ? element::int32 : element::int64;
  return nb::make_tuple(view.rows, view.cols, wrap_vector(offset, view.offsets, view.rows + 1, owner),
                        wrap_vector(index, view.indices, view.nnz, owner),
                        wrap_vector(element_of(view.type), view.values, view.iso != 0 ? 1 : view.nnz, owner),
                        view.iso != 0);
}

}  // namespace lacis_python
