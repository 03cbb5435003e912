// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Exceptions stop here: PETSc is C and passes on error codes.
#pragma once

#include <exception>
#include <new>
#include <petscsys.h>

namespace lacis::petsc {

/// PETSc 3.18 has no name for it, later ones forbid the plain number in C++.
inline constexpr auto success = static_cast<PetscErrorCode>(0);

/// work(), and what it throws as one of PETSc's errors.
template <class Work> PetscErrorCode guarded(Work&& work) noexcept {
  PetscFunctionBegin;
  try {
    work();
  } catch (const std::bad_alloc&) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "lacis: out of memory");
  } catch (const std::exception& problem) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "lacis: %s", problem.what());
  } catch (...) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "lacis: an operator threw what is no std::exception");
  }
  PetscFunctionReturn(success);
}

}  // namespace lacis::petsc
