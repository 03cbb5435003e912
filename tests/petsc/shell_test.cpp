// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Shells over plans and operators give the bits of the plan, and PETSc's solvers take them.
#include <gtest/gtest.h>
#include <memory>
#include <petscksp.h>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/petsc.h>

namespace {

using scalars = std::vector<PetscScalar>;

scalars numbers(std::size_t size) {
  scalars x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<PetscScalar>(i % 13) / PetscScalar(7);
  return x;
}

/// What a product of PETSc's gives for x.
scalars through_petsc(PetscErrorCode (*product)(Mat, Vec, Vec), Mat shell, const scalars& x, std::size_t size) {
  scalars y(size);
  Vec from = nullptr;
  Vec to = nullptr;
  EXPECT_EQ(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, static_cast<PetscInt>(x.size()), x.data(), &from), 0);
  EXPECT_EQ(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, static_cast<PetscInt>(size), y.data(), &to), 0);
  EXPECT_EQ(product(shell, from, to), 0);
  EXPECT_EQ(VecDestroy(&from), 0);
  EXPECT_EQ(VecDestroy(&to), 0);
  return y;
}

TEST(PetscShell, APlanGivesItsBitsAndThoseOfItsTranspose) {
  const auto a = lacis::generate<PetscScalar>("@rmat:8");
  const auto plan = lacis::multiply_inspect(a, {.transpose = true});
  const auto x = numbers(static_cast<std::size_t>(a.cols));
  scalars expected(x.size());
  Mat shell = nullptr;
  ASSERT_EQ(lacis::make_petsc_shell(plan, &shell), 0);
  lacis::multiply(plan, x, expected);
  EXPECT_EQ(through_petsc(MatMult, shell, x, x.size()), expected);
  lacis::multiply(lacis::transposed(plan), x, expected);
  EXPECT_EQ(through_petsc(MatMultTranspose, shell, x, x.size()), expected);
  EXPECT_EQ(MatDestroy(&shell), 0);
}

TEST(PetscShell, AnOperatorGivesItsBits) {
  const auto a = lacis::generate<PetscScalar>("@rmat:8");
  const auto plan = lacis::multiply_inspect(a, {.transpose = true, .conjugate_transpose = true});
  const auto x = numbers(static_cast<std::size_t>(a.cols));
  scalars expected(x.size());
  Mat shell = nullptr;
  ASSERT_EQ(lacis::make_petsc_shell(std::shared_ptr(lacis::make_operator(plan)), &shell), 0);
  lacis::multiply(plan, x, expected);
  EXPECT_EQ(through_petsc(MatMult, shell, x, x.size()), expected);
  lacis::multiply(lacis::conjugate_transposed(plan), x, expected);
  EXPECT_EQ(through_petsc(MatMultHermitianTranspose, shell, x, x.size()), expected);
  EXPECT_EQ(MatDestroy(&shell), 0);
}

TEST(PetscShell, ConjugateGradientsOfPetscSolveWithAPlan) {
  const auto a = lacis::generate<PetscScalar>("@poisson2d:20");
  const auto plan = lacis::multiply_inspect(a);
  const auto b = numbers(static_cast<std::size_t>(a.rows));
  scalars x(b.size());
  Mat shell = nullptr;
  Vec right = nullptr;
  Vec left = nullptr;
  KSP ksp = nullptr;
  ASSERT_EQ(lacis::make_petsc_shell(plan, &shell), 0);
  ASSERT_EQ(MatCreateVecs(shell, &left, &right), 0);
  ASSERT_EQ(VecPlaceArray(right, b.data()), 0);
  ASSERT_EQ(VecPlaceArray(left, x.data()), 0);
  ASSERT_EQ(KSPCreate(PETSC_COMM_SELF, &ksp), 0);
  ASSERT_EQ(KSPSetType(ksp, KSPCG), 0);
  PC preconditioner = nullptr;
  ASSERT_EQ(KSPGetPC(ksp, &preconditioner), 0);
  ASSERT_EQ(PCSetType(preconditioner, PCNONE), 0);
  ASSERT_EQ(KSPSetOperators(ksp, shell, shell), 0);
  ASSERT_EQ(KSPSolve(ksp, right, left), 0);
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  ASSERT_EQ(KSPGetConvergedReason(ksp, &reason), 0);
  EXPECT_GT(reason, 0);
  EXPECT_EQ(KSPDestroy(&ksp), 0);
  EXPECT_EQ(VecDestroy(&right), 0);
  EXPECT_EQ(VecDestroy(&left), 0);
  EXPECT_EQ(MatDestroy(&shell), 0);
}

TEST(PetscRegister, TwiceIsAsGoodAsOnce) {
  ASSERT_EQ(lacis_petsc_register(), 0);
  ASSERT_EQ(lacis_petsc_register(), 0);
  Mat a = nullptr;
  MatType type = nullptr;
  ASSERT_EQ(MatCreate(PETSC_COMM_SELF, &a), 0);
  ASSERT_EQ(MatSetSizes(a, 3, 3, 3, 3), 0);
  for (const char* name : {MATLACIS, "seqlacis", MATSEQAIJLACIS}) {
    ASSERT_EQ(MatSetType(a, name), 0);
    ASSERT_EQ(MatGetType(a, &type), 0);
    EXPECT_STREQ(type, MATSEQAIJLACIS);
  }
  EXPECT_EQ(MatDestroy(&a), 0);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 1;
  const int failed = RUN_ALL_TESTS();
  return PetscFinalize() != 0 || failed != 0 ? 1 : 0;
}
