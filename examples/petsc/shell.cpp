// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PETSc's solver over a plan of lacis: a MatShell instead of a matrix of PETSc.
#include <petscksp.h>

#include <lacis/generate.hpp>
#include <lacis/petsc.h>

int main(int count, char** arguments) {
  PetscCall(PetscInitialize(&count, &arguments, nullptr, nullptr));
  const auto a = lacis::generate<PetscScalar>("@poisson2d:50");
  KSP ksp;
  PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  Mat shell;
  PetscCall(lacis::make_petsc_shell(lacis::multiply_inspect(a), &shell));  // or a shared_ptr to a linear_operator
  PetscCall(KSPSetOperators(ksp, shell, shell));
  PC pc;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));  // a shell has no entries to make a preconditioner from
  Vec b, x;
  PetscCall(MatCreateVecs(shell, &x, &b));
  PetscCall(VecSet(b, 1));
  PetscCall(KSPSolve(ksp, b, x));
  PetscInt iterations = 0;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(
      PetscPrintf(PETSC_COMM_SELF, "cg of PETSc over a plan of lacis: %d iterations\n", static_cast<int>(iterations)));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(MatDestroy(&shell));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(PetscFinalize());
  return 0;
}
