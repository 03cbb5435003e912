// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// C++ objects that hang on a Mat under a name and end with it. They go where PETSc takes the matrix's insides.
#pragma once

#include <memory>
#include <petsc/private/petscimpl.h>  // PetscObjectStateGet
#include <petscmat.h>

#include "petsc/guarded.hpp"

namespace lacis::petsc {

inline PetscObject object(Mat matrix) { return reinterpret_cast<PetscObject>(matrix); }

/// Null where there is none.
template <class T> PetscErrorCode find_composed(Mat matrix, const char* name, T** result) {
  PetscFunctionBegin;
  *result = nullptr;
  PetscObject container = nullptr;
  PetscCall(PetscObjectQuery(object(matrix), name, &container));
  if (container != nullptr)
    PetscCall(PetscContainerGetPointer(reinterpret_cast<PetscContainer>(container), reinterpret_cast<void**>(result)));
  PetscFunctionReturn(success);
}

/// T{} where there is none.
template <class T> PetscErrorCode find_or_compose(Mat matrix, const char* name, T** result) {
  PetscFunctionBegin;
  PetscCall(find_composed(matrix, name, result));
  if (*result != nullptr) PetscFunctionReturn(success);
  PetscCall(guarded([&] { *result = std::make_unique<T>().release(); }));
  PetscContainer container = nullptr;
  PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
  PetscCall(PetscContainerSetPointer(container, *result));
  PetscCall(PetscContainerSetUserDestroy(container, [](void* memory) -> PetscErrorCode {
    delete static_cast<T*>(memory);
    return success;
  }));
  PetscCall(PetscObjectCompose(object(matrix), name, reinterpret_cast<PetscObject>(container)));
  PetscCall(PetscContainerDestroy(&container));  // the Mat holds it
  PetscFunctionReturn(success);
}

inline PetscErrorCode drop_composed(Mat matrix, const char* name) {
  PetscFunctionBegin;
  PetscCall(PetscObjectCompose(object(matrix), name, nullptr));
  PetscFunctionReturn(success);
}

}  // namespace lacis::petsc
