// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How PETSc learns of the types.
#include <lacis/petsc.h>

#include "petsc/copy.hpp"
#include "petsc/guarded.hpp"
#include "petsc/types.hpp"

namespace {

/// PETSc forgets all types in PetscFinalize() and may be initialised again.
bool registered = false;

PetscErrorCode forget_registration() {
  registered = false;
  return lacis::petsc::success;
}

}  // namespace

PetscErrorCode lacis_petsc_register(void) {
  PetscFunctionBegin;
  if (registered) PetscFunctionReturn(lacis::petsc::success);
  PetscCall(MatInitializePackage());
  // Each name for sequential and parallel matrices. The first is the one that MatGetType() is traced back to.
  PetscCall(MatRegisterRootName(MATLACIS, MATSEQAIJLACIS, MATMPIAIJLACIS));
  PetscCall(MatRegisterRootName("seqlacis", MATSEQAIJLACIS, MATSEQAIJLACIS));
  PetscCall(MatRegisterRootName("mpilacis", MATMPIAIJLACIS, MATMPIAIJLACIS));
  PetscCall(MatRegister(MATSEQAIJLACIS, lacis::petsc::create_sequential));
  PetscCall(MatRegister(MATMPIAIJLACIS, lacis::petsc::create_parallel));
  PetscCall(MatSeqAIJRegister(MATSEQAIJLACIS, lacis::petsc::convert_to_sequential));
  PetscCall(lacis::petsc::register_copy_events());
  PetscCall(PetscRegisterFinalize(forget_registration));
  registered = true;
  PetscFunctionReturn(lacis::petsc::success);
}

/// What PETSc calls in a library that -dll_prepend names; the name is that of the file.
extern "C" LACIS_API PetscErrorCode PetscDLLibraryRegister_lacis_petsc(void);
PetscErrorCode PetscDLLibraryRegister_lacis_petsc(void) {
  PetscFunctionBegin;
  PetscCall(lacis_petsc_register());
  PetscFunctionReturn(lacis::petsc::success);
}
