// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "owned.hpp"

#include <utility>
#include <variant>

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

nb::tuple arrays_of(lacis::any_csr&& made) {
  auto* kept = new lacis::any_csr(std::move(made));
  const nb::capsule owner(kept, [](void* all) noexcept { delete static_cast<lacis::any_csr*>(all); });
  return std::visit(
      [&]<class Value, class Index>(const lacis::csr_matrix<Value, Index>& a) {
        return nb::make_tuple(
            a.rows, a.cols, wrap_vector(element::int64, a.row_offsets.data(), a.rows + 1, owner),
            wrap_vector(sizeof(Index) == 4 ? element::int32 : element::int64, a.columns.data(), a.nnz(), owner),
            wrap_vector(kind_of<Value>(), a.values.data.data(), a.values.data.size(), owner), a.values.iso);
      },
      *kept);
}

}  // namespace lacis_python
