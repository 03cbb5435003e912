// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix type that is one of PETSc's but for a few operations, so a matrix changes between the two in place.
#pragma once

#include <petscmat.h>
#include <span>

#include "petsc/guarded.hpp"

namespace lacis::petsc {

using operation = void (*)(void);
template <class Function> operation as_operation(Function* f) { return reinterpret_cast<operation>(f); }

/// An operation that the derived type does differently.
struct override_of {
  MatOperation which;
  operation ours;
  operation original = nullptr;  ///< known once a matrix was taken over; the same for every matrix of the base type
};

/// A function that MatConvert() finds by its name on a matrix of the derived type.
struct converter {
  const char* name;
  PetscErrorCode (*function)(Mat, MatType, MatReuse, Mat*);
};

struct derived_type {
  const char* name;
  const char* base;
  const char* attachment;  ///< the name of what is composed with matrices of this type
  std::span<override_of> overrides;
  std::span<const converter> converters;

  /// The base type's operation, to be called as `Function*`.
  template <class Function> [[nodiscard]] Function* original(MatOperation which) const {
    for (const auto& o : overrides)
      if (o.which == which) return reinterpret_cast<Function*>(o.original);
    return nullptr;
  }
};

/// From the base type to the derived one; nothing where it is that already.
PetscErrorCode become(Mat matrix, const derived_type& type);
/// From the derived type to the base.
PetscErrorCode leave(Mat matrix, const derived_type& type);
/// The destroy operation of a derived type. Called also when a Mat gets another type, so nothing of ours may stay.
PetscErrorCode destroy(Mat matrix, const derived_type& type);

/// MatConvert() where only the operations differ.
template <PetscErrorCode (*Change)(Mat)>
PetscErrorCode convert_by(Mat matrix, MatType /*wanted*/, MatReuse reuse, Mat* result) {
  PetscFunctionBegin;
  if (reuse == MAT_REUSE_MATRIX) {
    PetscCall(MatCopy(matrix, *result, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(success);
  }
  Mat changed = matrix;
  if (reuse == MAT_INITIAL_MATRIX) PetscCall(MatDuplicate(matrix, MAT_COPY_VALUES, &changed));
  PetscCall(Change(changed));
  *result = changed;
  PetscFunctionReturn(success);
}
/// For the conversion of a matrix to the type that it has, under the short name.
inline PetscErrorCode stay(Mat /*matrix*/) { return success; }

/// Whether a viewer asks for a few words on the matrix, not for its entries.
PetscErrorCode asks_for_info(PetscViewer viewer, bool* result);

}  // namespace lacis::petsc
