/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   PETSc programs on lacis products: a matrix type for C and C++, shell matrices over plans and operators for C++. */
#ifndef LACIS_PETSC_H
#define LACIS_PETSC_H

#include <petscmat.h>

#include <lacis/export.hpp>

/** For MatSetType(): an AIJ matrix whose products run on lacis. Sequential or parallel by the communicator. */
#define MATLACIS "lacis"
/** What MatGetType() answers on one rank. The names begin as those of AIJ do, since PETSc asks for AIJ by the beginning
 * of a name.
 */
#define MATSEQAIJLACIS "seqaijlacis"
/** What MatGetType() answers on several ranks. */
#define MATMPIAIJLACIS "mpiaijlacis"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the types known, after PetscInitialize(); again does no harm. A program that was not written for lacis has it
   done by the option -dll_prepend /path/to/liblacis_petsc.so. */
LACIS_API PetscErrorCode lacis_petsc_register(void);

#ifdef __cplusplus
}

#include <cstdint>
#include <memory>

#include <lacis/operator.hpp>
#include <lacis/plan.hpp>

namespace lacis {

/// A sequential MatShell that multiplies with a plan: MatMult and MatMultAdd, and their transposes where the plan
/// holds them (plan_options.transpose). It shares the plan's arrays. MatDestroy it.
template <class Index> LACIS_API PetscErrorCode make_petsc_shell(const plan<PetscScalar, Index>& matrix, Mat* shell);

/// The same for any operator: MatMult, and MatMultHermitianTranspose where the operator can. Vectors are copied to the
/// operator's space and back.
LACIS_API PetscErrorCode make_petsc_shell(std::shared_ptr<const linear_operator<PetscScalar>> matrix, Mat* shell);

}  // namespace lacis
#endif

#endif
