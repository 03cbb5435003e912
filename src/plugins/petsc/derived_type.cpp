// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The change of a matrix from PETSc's type to ours and back.
#include "petsc/derived_type.hpp"

#include <petscviewer.h>

#include "petsc/composed.hpp"

namespace lacis::petsc {
namespace {

PetscErrorCode remove_what_is_ours(Mat matrix, const derived_type& type) {
  PetscFunctionBegin;
  PetscCall(drop_composed(matrix, type.attachment));
  for (const auto& c : type.converters) PetscCall(PetscObjectComposeFunction(object(matrix), c.name, nullptr));
  PetscFunctionReturn(success);
}

}  // namespace

PetscErrorCode become(Mat matrix, const derived_type& type) {
  PetscFunctionBegin;
  PetscBool already = PETSC_FALSE;
  PetscCall(PetscObjectTypeCompare(object(matrix), type.name, &already));
  if (already) PetscFunctionReturn(success);
  for (auto& o : type.overrides) {
    if (o.original == nullptr) PetscCall(MatGetOperation(matrix, o.which, &o.original));
    PetscCall(MatSetOperation(matrix, o.which, o.ours));
  }
  for (const auto& c : type.converters) PetscCall(PetscObjectComposeFunction(object(matrix), c.name, c.function));
  PetscCall(PetscObjectChangeTypeName(object(matrix), type.name));
  PetscFunctionReturn(success);
}

PetscErrorCode leave(Mat matrix, const derived_type& type) {
  PetscFunctionBegin;
  PetscCall(remove_what_is_ours(matrix, type));
  for (const auto& o : type.overrides) PetscCall(MatSetOperation(matrix, o.which, o.original));
  PetscCall(PetscObjectChangeTypeName(object(matrix), type.base));
  PetscFunctionReturn(success);
}

PetscErrorCode destroy(Mat matrix, const derived_type& type) {
  PetscFunctionBegin;
  PetscCall(remove_what_is_ours(matrix, type));
  PetscCall(type.original<PetscErrorCode(Mat)>(MATOP_DESTROY)(matrix));
  PetscFunctionReturn(success);
}

PetscErrorCode asks_for_info(PetscViewer viewer, bool* result) {
  PetscFunctionBegin;
  PetscBool ascii = PETSC_FALSE;
  PetscViewerFormat format = PETSC_VIEWER_DEFAULT;
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
  PetscCall(PetscViewerGetFormat(viewer, &format));
  *result = ascii && (format == PETSC_VIEWER_ASCII_INFO || format == PETSC_VIEWER_ASCII_INFO_DETAIL);
  PetscFunctionReturn(success);
}

}  // namespace lacis::petsc
