// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a C++ program with PETSc does with the installed component.
#include <lacis/petsc.h>

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  PetscCall(lacis_petsc_register());
  Mat a = nullptr;
  PetscCall(MatCreate(PETSC_COMM_WORLD, &a));
  PetscCall(MatSetSizes(a, PETSC_DECIDE, PETSC_DECIDE, 3, 3));
  PetscCall(MatSetType(a, MATLACIS));
  PetscCall(MatSetUp(a));
  PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatShift(a, 2));
  MatType type = nullptr;
  PetscCall(MatGetType(a, &type));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "PETSc: a matrix of type %s\n", type));
  PetscCall(MatDestroy(&a));
  PetscCall(PetscFinalize());
  return 0;
}
