/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   Everything that changes a matrix, followed by products, against a twin of type aij. Entries are small integers, so
   every order of summation gives the same bits, and equal means equal. */
#include <petsc/private/petscimpl.h> /* PetscObjectStateIncrease */
#include <petscmat.h>

static Mat ours, twin;
static PetscInt size = 400;
static char type[64];

static PetscErrorCode Check(const char* what, Mat A, Mat B) {
  /* After each change: both products, and both with something added, in place and not. */
  Vec x, added, y, z;
  PetscInt first, last;
  PetscBool same;

  PetscFunctionBeginUser;
  for (int transposed = 0; transposed < 2; ++transposed) {
    PetscErrorCode (*mult)(Mat, Vec, Vec) = transposed ? MatMultTranspose : MatMult;
    PetscErrorCode (*mult_add)(Mat, Vec, Vec, Vec) = transposed ? MatMultTransposeAdd : MatMultAdd;
    PetscCall(transposed ? MatCreateVecs(B, &y, &x) : MatCreateVecs(B, &x, &y));
    PetscCall(VecDuplicate(y, &z));
    PetscCall(VecDuplicate(y, &added));
    PetscCall(VecGetOwnershipRange(x, &first, &last));
    for (PetscInt i = first; i < last; ++i) PetscCall(VecSetValue(x, i, (PetscScalar)(i * 7 % 23 - 11), INSERT_VALUES));
    PetscCall(VecAssemblyBegin(x));
    PetscCall(VecAssemblyEnd(x));
    PetscCall(VecGetOwnershipRange(added, &first, &last));
    for (PetscInt i = first; i < last; ++i) PetscCall(VecSetValue(added, i, (PetscScalar)(i % 5 + 1), INSERT_VALUES));
    PetscCall(VecAssemblyBegin(added));
    PetscCall(VecAssemblyEnd(added));

    PetscCall(VecSet(y, 99)); /* must not be read */
    PetscCall(mult(A, x, y));
    PetscCall(mult(B, x, z));
    PetscCall(VecEqual(y, z, &same));
    PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "%s: another product, transposed %d", what, transposed);
    PetscCall(mult_add(A, x, added, y));
    PetscCall(mult_add(B, x, added, z));
    PetscCall(VecEqual(y, z, &same));
    PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "%s: another sum, transposed %d", what, transposed);
    PetscCall(mult_add(A, x, y, y));
    PetscCall(mult_add(B, x, z, z));
    PetscCall(VecEqual(y, z, &same));
    PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "%s: another sum in place, transposed %d", what, transposed);
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(VecDestroy(&z));
    PetscCall(VecDestroy(&added));
  }
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: the same\n", what));
  PetscFunctionReturn(0);
}

/* The same for both, then products of both. */
#define CHANGE(what, ...)                     \
  do {                                        \
    for (int which = 0; which < 2; ++which) { \
      Mat A = which ? ours : twin;            \
      __VA_ARGS__;                            \
    }                                         \
    PetscCall(Check(what, ours, twin));       \
  } while (0)

static PetscErrorCode Put(Mat A, PetscInt reach, PetscInt factor) {
  PetscInt first, last;

  PetscFunctionBeginUser;
  PetscCall(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE)); /* some changes set it back */
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt row = first; row < last; ++row) {
    const PetscInt columns[4] = {row, (row + 1) % size, (row * 3 + reach) % size, (row + size / 2) % size};
    const PetscScalar values[4] = {(PetscScalar)(factor * (row % 9 + 1)), -1, (PetscScalar)(row % 4 + factor), 2};
    PetscCall(MatSetValues(A, 1, &row, 4, columns, values, ADD_VALUES));
  }
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode Create(MatType type, Mat* A) {
  PetscFunctionBeginUser;
  PetscCall(MatCreate(PETSC_COMM_WORLD, A));
  PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, size, size));
  PetscCall(type ? MatSetType(*A, type) : MatSetFromOptions(*A));
  PetscCall(MatSetUp(*A));
  PetscFunctionReturn(0);
}

static PetscErrorCode PutCoordinates(Mat A, PetscInt shift) {
  PetscInt first, last, rows[64], columns[64], count = 0;
  PetscScalar values[64];

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt row = first; row < last && count < 64; ++row, ++count) {
    rows[count] = row;
    columns[count] = (row + shift) % size;
    values[count] = row % 6 + shift;
  }
  PetscCall(MatSetPreallocationCOO(A, count, rows, columns));
  PetscCall(MatSetValuesCOO(A, values, INSERT_VALUES));
  PetscFunctionReturn(0);
}

/* Writes without a word to the matrix that owns the values; only the whole matrix is told. */
static PetscErrorCode WriteBehindItsBack(Mat A) {
  Mat block = A;
  PetscBool parallel;
  const PetscScalar* values;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectBaseTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (parallel) PetscCall(MatMPIAIJGetSeqAIJ(A, &block, NULL, NULL));
  PetscCall(MatSeqAIJGetArrayRead(block, &values));
  *(PetscScalar*)values += 3;
  PetscCall(MatSeqAIJRestoreArrayRead(block, &values));
  PetscCall(PetscObjectStateIncrease((PetscObject)A));
  PetscFunctionReturn(0);
}

static PetscErrorCode Changes(void) {
  Vec scale;
  Mat other;

  PetscFunctionBeginUser;
  CHANGE("assembled", PetscCall(Put(A, 5, 1)));
  CHANGE("values again", PetscCall(Put(A, 5, 3)));
  CHANGE("new places", PetscCall(Put(A, 17, 2)));
  CHANGE("a value in the array", PetscCall(WriteBehindItsBack(A)));
  CHANGE("scaled", PetscCall(MatScale(A, 3)));
  CHANGE("shifted", PetscCall(MatShift(A, -4)));
  PetscCall(MatCreateVecs(twin, &scale, NULL));
  PetscCall(VecSet(scale, 2));
  CHANGE("scaled by rows", PetscCall(MatDiagonalScale(A, scale, NULL)));
  CHANGE("scaled by columns", PetscCall(MatDiagonalScale(A, NULL, scale)));
  CHANGE("another diagonal", PetscCall(MatDiagonalSet(A, scale, INSERT_VALUES)));
  PetscCall(VecDestroy(&scale));
  PetscCall(Create(MATAIJ, &other));
  PetscCall(Put(other, 5, 7));
  CHANGE("added to, other places", PetscCall(MatAXPY(A, 2, other, DIFFERENT_NONZERO_PATTERN)));
  CHANGE("added to, fewer places", PetscCall(MatAXPY(A, 2, other, SUBSET_NONZERO_PATTERN)));
  CHANGE("added from", PetscCall(MatAYPX(A, 2, other, DIFFERENT_NONZERO_PATTERN)));
  CHANGE("copied into", PetscCall(MatCopy(other, A, DIFFERENT_NONZERO_PATTERN)));
  PetscCall(MatDestroy(&other));
  CHANGE("rows of zeros", {
    const PetscInt rows[2] = {3, size - 2};
    PetscCall(MatZeroRows(A, 2, rows, 5, NULL, NULL));
  });
  CHANGE("new places after those", PetscCall(Put(A, 29, 1)));
  CHANGE("zeros", PetscCall(MatZeroEntries(A)));
  CHANGE("values after zeros", PetscCall(Put(A, 29, 2)));
  CHANGE("in other types and back", {
    PetscCall(MatConvert(A, MATAIJ, MAT_INPLACE_MATRIX, &A));
    PetscCall(Put(A, 29, 4));
    PetscCall(MatConvert(A, which ? type : MATAIJ, MAT_INPLACE_MATRIX, &A));
  });
  CHANGE("transposed", PetscCall(MatTranspose(A, MAT_INPLACE_MATRIX, &A)));
  CHANGE("places by coordinates", PetscCall(PutCoordinates(A, 1)));
  CHANGE("other places by coordinates", PetscCall(PutCoordinates(A, 2)));
  CHANGE("values by coordinates", {
    PetscScalar values[64];
    for (int i = 0; i < 64; ++i) values[i] = i;
    PetscCall(MatSetValuesCOO(A, values, INSERT_VALUES));
  });
  PetscFunctionReturn(0);
}

/* Matrices that come from others. */
static PetscErrorCode Descendants(void) {
  Mat A, B, dense, products[2];
  Vec diagonals[2];
  MatType full_type;
  PetscBool same;

  PetscFunctionBeginUser;
  PetscCall(MatDuplicate(ours, MAT_COPY_VALUES, &A));
  PetscCall(MatDuplicate(twin, MAT_COPY_VALUES, &B));
  PetscCall(MatGetType(ours, &full_type));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, full_type, &same));
  PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "a duplicate of another type than %s", full_type);
  PetscCall(MatScale(A, 2));
  PetscCall(MatScale(B, 2));
  PetscCall(Check("a duplicate, changed", A, B));
  PetscCall(Check("the original after that", ours, twin));

  PetscCall(MatCreateVecs(ours, &diagonals[0], &diagonals[1]));
  PetscCall(MatGetDiagonal(ours, diagonals[0]));
  PetscCall(MatGetDiagonal(twin, diagonals[1]));
  PetscCall(VecEqual(diagonals[0], diagonals[1], &same));
  PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "another diagonal");
  PetscCall(VecDestroy(&diagonals[0]));
  PetscCall(VecDestroy(&diagonals[1]));

  PetscCall(MatPtAP(ours, A, MAT_INITIAL_MATRIX, 2, &products[0]));
  PetscCall(MatPtAP(twin, B, MAT_INITIAL_MATRIX, 2, &products[1]));
  PetscCall(Check("P^T A P", products[0], products[1]));
  PetscCall(MatScale(A, 3));
  PetscCall(MatScale(B, 3));
  PetscCall(MatPtAP(ours, A, MAT_REUSE_MATRIX, 2, &products[0]));
  PetscCall(MatPtAP(twin, B, MAT_REUSE_MATRIX, 2, &products[1]));
  PetscCall(Check("P^T A P again", products[0], products[1]));
  PetscCall(MatDestroy(&products[0]));
  PetscCall(MatDestroy(&products[1]));

  PetscCall(MatMatMult(ours, B, MAT_INITIAL_MATRIX, 2, &products[0]));
  PetscCall(MatMatMult(twin, B, MAT_INITIAL_MATRIX, 2, &products[1]));
  PetscCall(Check("A B with an aij matrix", products[0], products[1]));
  PetscCall(MatDestroy(&products[0]));
  PetscCall(MatDestroy(&products[1]));

  PetscCall(MatConvert(B, MATDENSE, MAT_INITIAL_MATRIX, &dense));
  PetscCall(MatMatMult(ours, dense, MAT_INITIAL_MATRIX, 2, &products[0]));
  PetscCall(MatMatMult(twin, dense, MAT_INITIAL_MATRIX, 2, &products[1]));
  PetscCall(MatEqual(products[0], products[1], &same));
  PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "another product with a dense matrix");
  PetscCall(MatDestroy(&products[0]));
  PetscCall(MatDestroy(&products[1]));
  PetscCall(MatDestroy(&dense));
  PetscCall(MatDestroy(&A));

  PetscCall(MatConvert(ours, MATAIJ, MAT_INITIAL_MATRIX, &A));
  PetscCall(PetscObjectBaseTypeCompareAny((PetscObject)A, &same, MATSEQAIJ, MATMPIAIJ, ""));
  PetscCheck(same, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "conversion to aij gives something else");
  PetscCall(Check("as aij", A, twin));
  PetscCall(MatDestroy(&A));
  PetscCall(MatConvert(twin, type, MAT_INITIAL_MATRIX, &A));
  PetscCall(Check("from aij", A, twin));
  PetscCall(MatScale(twin, 2));
  PetscCall(MatConvert(twin, type, MAT_REUSE_MATRIX, &A));
  PetscCall(Check("from aij again", A, twin));
  PetscCall(MatDestroy(&A));
  PetscCall(MatDestroy(&B));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscBool plain;

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-mat_type", type, sizeof(type), NULL));
  PetscCall(Create(NULL, &ours));
  PetscCall(Create(MATAIJ, &twin));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)ours, &plain, MATSEQAIJ, MATMPIAIJ, ""));
  PetscCheck(!plain, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "an aij matrix against an aij matrix: give another -mat_type");
  PetscCall(Changes());
  PetscCall(MatDestroy(&ours));
  PetscCall(MatDestroy(&twin));
  PetscCall(Create(NULL, &ours));
  PetscCall(Create(MATAIJ, &twin));
  PetscCall(Put(ours, 5, 1));
  PetscCall(Put(twin, 5, 1));
  PetscCall(Descendants());
  PetscCall(MatDestroy(&ours));
  PetscCall(MatDestroy(&twin));
  PetscCall(PetscFinalize());
  return 0;
}
