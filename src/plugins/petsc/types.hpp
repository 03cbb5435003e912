// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The two matrix types, seqaijlacis and mpiaijlacis.
#pragma once

#include <petscmat.h>

namespace lacis::petsc {

/// A sequential AIJ matrix, changed in place. Nothing is copied before a product.
PetscErrorCode become_sequential(Mat matrix);
PetscErrorCode leave_sequential(Mat matrix);
/// For MatRegister().
PetscErrorCode create_sequential(Mat matrix);
/// For MatSeqAIJRegister().
PetscErrorCode convert_to_sequential(Mat matrix, MatType wanted, MatReuse reuse, Mat* result);

/// For MatRegister().
PetscErrorCode create_parallel(Mat matrix);

}  // namespace lacis::petsc
