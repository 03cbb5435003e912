// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The plan that stands beside a sequential AIJ matrix, and when it has to be made again.
#pragma once

#include <cstdint>
#include <optional>
#include <petscmat.h>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/plan.hpp>

namespace lacis::petsc {

static_assert(lacis::value<PetscScalar>, "lacis has no products for this PetscScalar");
static_assert(lacis::index<PetscInt>, "lacis has no products for this PetscInt");

/// Under which a copy is composed with its Mat.
inline constexpr char copy_name[] = "lacis_copy";

/// A matrix as lacis keeps it, and from what it was made.
struct copy {
  std::optional<plan<PetscScalar, PetscInt>> matrix;
  /// Of a matrix most of whose rows are empty, as those of other ranks' columns are: `matrix` has these rows alone.
  std::optional<buffer<PetscInt>> filled_rows;
  buffer<PetscScalar> packed;    ///< for products of such a matrix, an element for each of the rows
  bool holds_transpose = false;  ///< stays: who asked for it once asks again
  workspace memory;

  PetscObjectState state = -1;          ///< of the Mat when its values were read; -1: they have to be read again
  PetscObjectState nonzero_state = -1;  ///< of the Mat when its pattern was read
  const PetscInt* row_offsets = nullptr;
  const PetscInt* columns = nullptr;

  /// y = A x, or y = y + A x.
  void multiply(side which, std::span<const PetscScalar> x, bool add, std::span<PetscScalar> y);
  [[nodiscard]] std::int64_t storage_bytes() const;
};

/// The copy of a sequential matrix, with the values that the matrix has now.
PetscErrorCode current_copy(Mat matrix, bool transpose, copy** result);
/// The copy as it is; null where no plan was made.
PetscErrorCode find_copy(Mat matrix, const copy** result);
/// The next product reads the values again, whatever the matrix says of itself.
PetscErrorCode expire_copy(Mat matrix);

/// Inspections and updates are lines of their own in -log_view.
PetscErrorCode register_copy_events();

}  // namespace lacis::petsc
