/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   An ordinary PETSc program, which knows nothing of lacis: the Laplacian of a grid of n x n x n points, solved by
   whatever the options say. examples/petsc/README.md has the options that run it on lacis products. */
#include <petscksp.h>

static PetscErrorCode Assemble(PetscInt n, Mat A) {
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt place[3] = {row % n, row / n % n, row / n / n}, step[3] = {1, n, n * n};
    const PetscScalar six = 6, minus_one = -1;
    PetscCall(MatSetValues(A, 1, &row, 1, &row, &six, INSERT_VALUES));
    for (int axis = 0; axis < 3; ++axis) {
      const PetscInt before = row - step[axis], after = row + step[axis];
      if (place[axis] > 0) PetscCall(MatSetValues(A, 1, &row, 1, &before, &minus_one, INSERT_VALUES));
      if (place[axis] < n - 1) PetscCall(MatSetValues(A, 1, &row, 1, &after, &minus_one, INSERT_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscInt n = 40, iterations;
  PetscReal tolerance, size_of_b, error;
  PetscLogDouble times[4];
  KSPConvergedReason reason;
  Mat A;
  Vec solution, x, b;
  KSP ksp;

  PetscCall(PetscInitialize(&argc, &argv, NULL, "Solves a Laplacian on n x n x n points: -n 40\n"));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));

  PetscCall(MatCreate(PETSC_COMM_WORLD, &A));
  PetscCall(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n));
  PetscCall(MatSetFromOptions(A));
  PetscCall(MatSeqAIJSetPreallocation(A, 7, NULL));
  PetscCall(MatMPIAIJSetPreallocation(A, 7, NULL, 6, NULL));
  PetscCall(Assemble(n, A));

  /* A right-hand side whose solution is known. */
  PetscCall(MatCreateVecs(A, &solution, &b));
  PetscCall(VecDuplicate(solution, &x));
  PetscCall(VecSetRandom(solution, NULL));
  PetscCall(PetscBarrier((PetscObject)A));
  PetscCall(PetscTime(&times[0]));
  PetscCall(MatMult(A, solution, b));
  PetscCall(PetscTime(&times[1]));

  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPSetUp(ksp));
  PetscCall(PetscTime(&times[2]));
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(PetscTime(&times[3]));

  /* The error is at most the residual over the smallest eigenvalue. */
  const PetscReal half_wave = PetscSinReal(PETSC_PI / 2 / (n + 1)), smallest = 12 * half_wave * half_wave;
  PetscCall(VecAXPY(x, -1, solution));
  PetscCall(VecNorm(x, NORM_2, &error));
  PetscCall(VecNorm(b, NORM_2, &size_of_b));
  PetscCall(KSPGetTolerances(ksp, &tolerance, NULL, NULL, NULL));
  PetscCall(KSPGetConvergedReason(ksp, &reason));
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s after %" PetscInt_FMT " iterations, error %.3e, bound %.3e\n",
                        KSPConvergedReasons[reason], iterations, (double)error,
                        (double)(tolerance * size_of_b / smallest)));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "first product %.4f s, set up %.4f s, solve %.4f s\n", times[1] - times[0],
                        times[2] - times[1], times[3] - times[2]));

  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&solution));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFinalize());
  return 0;
}
