// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// seqaijlacis: a sequential AIJ matrix whose products run on its copy.
#include <cstddef>
#include <petscviewer.h>
#include <span>
#include <string>

#include <lacis/petsc.h>

#include "petsc/copy.hpp"
#include "petsc/derived_type.hpp"
#include "petsc/guarded.hpp"
#include "petsc/types.hpp"

namespace lacis::petsc {
namespace {

/// y = A x, or y = added + A x where `added` is not null; it may be y.
PetscErrorCode product(Mat matrix, side which, Vec x, Vec added, Vec y) {
  PetscFunctionBegin;
  copy* c = nullptr;
  PetscCall(current_copy(matrix, which != side::plain, &c));
  if (added != nullptr && added != y) PetscCall(VecCopy(added, y));
  PetscInt size_of_x = 0;
  PetscInt size_of_y = 0;
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(VecGetLocalSize(x, &size_of_x));
  PetscCall(VecGetLocalSize(y, &size_of_y));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(added == nullptr ? VecGetArrayWrite(y, &to) : VecGetArray(y, &to));
  PetscCall(guarded([&] {
    c->multiply(which, std::span(from, static_cast<std::size_t>(size_of_x)), added != nullptr,
                std::span(to, static_cast<std::size_t>(size_of_y)));
  }));
  PetscCall(added == nullptr ? VecRestoreArrayWrite(y, &to) : VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(PetscLogFlops(2.0 * static_cast<PetscLogDouble>(c->matrix->nnz())));
  PetscFunctionReturn(success);
}

PetscErrorCode mult(Mat a, Vec x, Vec y) { return product(a, side::plain, x, nullptr, y); }
PetscErrorCode mult_add(Mat a, Vec x, Vec added, Vec y) { return product(a, side::plain, x, added, y); }
PetscErrorCode mult_transpose(Mat a, Vec x, Vec y) { return product(a, side::transposed, x, nullptr, y); }
PetscErrorCode mult_transpose_add(Mat a, Vec x, Vec added, Vec y) { return product(a, side::transposed, x, added, y); }
PetscErrorCode view(Mat matrix, PetscViewer viewer);
PetscErrorCode destroy(Mat matrix);

override_of overrides[] = {{MATOP_MULT, as_operation(mult)},
                           {MATOP_MULT_ADD, as_operation(mult_add)},
                           {MATOP_MULT_TRANSPOSE, as_operation(mult_transpose)},
                           {MATOP_MULT_TRANSPOSE_ADD, as_operation(mult_transpose_add)},
                           {MATOP_VIEW, as_operation(view)},
                           {MATOP_DESTROY, as_operation(destroy)}};

constexpr converter converters[] = {{"MatConvert_seqaijlacis_seqaij_C", convert_by<leave_sequential>},
                                    {"MatConvert_seqaijlacis_seqlacis_C", convert_by<stay>},
                                    {"MatConvert_seqaij_seqlacis_C", convert_by<become_sequential>},
                                    {"MatConvert_seqaij_seqaijlacis_C", convert_by<become_sequential>}};

const derived_type sequential{MATSEQAIJLACIS, MATSEQAIJ, copy_name, overrides, converters};

PetscErrorCode view(Mat matrix, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(sequential.original<PetscErrorCode(Mat, PetscViewer)>(MATOP_VIEW)(matrix, viewer));
  bool wanted = false;
  PetscCall(asks_for_info(viewer, &wanted));
  if (!wanted) PetscFunctionReturn(success);
  const copy* c = nullptr;
  PetscCall(find_copy(matrix, &c));
  if (c == nullptr) {
    PetscCall(PetscViewerASCIIPrintf(viewer, "lacis: no product yet, so no copy\n"));
    PetscFunctionReturn(success);
  }
  std::string reason;
  PetscCall(guarded([&] { reason = c->matrix->explain(); }));
  PetscCall(PetscViewerASCIIPrintf(viewer, "lacis: a copy of %lld bytes. %s\n",
                                   static_cast<long long>(c->storage_bytes()), reason.c_str()));
  PetscFunctionReturn(success);
}

PetscErrorCode destroy(Mat matrix) { return destroy(matrix, sequential); }

}  // namespace

PetscErrorCode become_sequential(Mat matrix) { return become(matrix, sequential); }
PetscErrorCode leave_sequential(Mat matrix) { return leave(matrix, sequential); }

PetscErrorCode create_sequential(Mat matrix) {
  PetscFunctionBegin;
  PetscCall(MatSetType(matrix, MATSEQAIJ));
  PetscCall(become_sequential(matrix));
  PetscFunctionReturn(success);
}

PetscErrorCode convert_to_sequential(Mat matrix, MatType wanted, MatReuse reuse, Mat* result) {
  return convert_by<become_sequential>(matrix, wanted, reuse, result);
}

}  // namespace lacis::petsc
