// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// mpiaijlacis: a parallel AIJ matrix whose two blocks on each rank are seqaijlacis. Its products are PETSc's: they
// exchange elements of x and call the products of the blocks.
#include <cstdint>
#include <petscviewer.h>
#include <string>

#include <lacis/petsc.h>

#include "petsc/composed.hpp"
#include "petsc/copy.hpp"
#include "petsc/derived_type.hpp"
#include "petsc/types.hpp"

namespace lacis::petsc {
namespace {

constexpr char record_name[] = "lacis_record";

/// What the blocks have been told.
struct record {
  PetscObjectState state = -1;
};

PetscErrorCode become_parallel(Mat matrix);
PetscErrorCode leave_parallel(Mat matrix);
PetscErrorCode mult(Mat a, Vec x, Vec y);
PetscErrorCode mult_add(Mat a, Vec x, Vec added, Vec y);
PetscErrorCode mult_transpose(Mat a, Vec x, Vec y);
PetscErrorCode mult_transpose_add(Mat a, Vec x, Vec added, Vec y);
PetscErrorCode view(Mat matrix, PetscViewer viewer);
PetscErrorCode destroy(Mat matrix);

override_of overrides[] = {{MATOP_MULT, as_operation(mult)},
                           {MATOP_MULT_ADD, as_operation(mult_add)},
                           {MATOP_MULT_TRANSPOSE, as_operation(mult_transpose)},
                           {MATOP_MULT_TRANSPOSE_ADD, as_operation(mult_transpose_add)},
                           {MATOP_VIEW, as_operation(view)},
                           {MATOP_DESTROY, as_operation(destroy)}};

constexpr converter converters[] = {{"MatConvert_mpiaijlacis_mpiaij_C", convert_by<leave_parallel>},
                                    {"MatConvert_mpiaijlacis_mpilacis_C", convert_by<stay>},
                                    {"MatConvert_mpiaij_mpilacis_C", convert_by<become_parallel>},
                                    {"MatConvert_mpiaij_mpiaijlacis_C", convert_by<become_parallel>}};

const derived_type parallel{MATMPIAIJLACIS, MATMPIAIJ, record_name, overrides, converters};

PetscErrorCode become_parallel(Mat matrix) { return become(matrix, parallel); }

PetscErrorCode leave_parallel(Mat matrix) {
  PetscFunctionBegin;
  PetscCall(leave(matrix, parallel));
  Mat blocks[2] = {};
  PetscCall(MatMPIAIJGetSeqAIJ(matrix, &blocks[0], &blocks[1], nullptr));
  for (Mat block : blocks) {
    PetscBool ours = PETSC_FALSE;
    if (block != nullptr) PetscCall(PetscObjectTypeCompare(object(block), MATSEQAIJLACIS, &ours));
    if (ours) PetscCall(leave_sequential(block));
  }
  PetscFunctionReturn(success);
}

/// PETSc makes blocks of its own type in many places and writes into them without a word, so before a product: when
/// anything happened to the matrix, its blocks are ours, and read their values again.
PetscErrorCode follow(Mat matrix) {
  PetscFunctionBegin;
  record* last = nullptr;
  PetscObjectState now = 0;
  PetscCall(find_or_compose(matrix, record_name, &last));
  PetscCall(PetscObjectStateGet(object(matrix), &now));
  if (last->state == now) PetscFunctionReturn(success);
  Mat blocks[2] = {};
  PetscCall(MatMPIAIJGetSeqAIJ(matrix, &blocks[0], &blocks[1], nullptr));
  for (Mat block : blocks) {
    PetscCall(become_sequential(block));
    PetscCall(expire_copy(block));
  }
  last->state = now;
  PetscFunctionReturn(success);
}

PetscErrorCode mult(Mat a, Vec x, Vec y) {
  PetscFunctionBegin;
  PetscCall(follow(a));
  PetscCall(parallel.original<PetscErrorCode(Mat, Vec, Vec)>(MATOP_MULT)(a, x, y));
  PetscFunctionReturn(success);
}

PetscErrorCode mult_add(Mat a, Vec x, Vec added, Vec y) {
  PetscFunctionBegin;
  PetscCall(follow(a));
  PetscCall(parallel.original<PetscErrorCode(Mat, Vec, Vec, Vec)>(MATOP_MULT_ADD)(a, x, added, y));
  PetscFunctionReturn(success);
}

PetscErrorCode mult_transpose(Mat a, Vec x, Vec y) {
  PetscFunctionBegin;
  PetscCall(follow(a));
  PetscCall(parallel.original<PetscErrorCode(Mat, Vec, Vec)>(MATOP_MULT_TRANSPOSE)(a, x, y));
  PetscFunctionReturn(success);
}

PetscErrorCode mult_transpose_add(Mat a, Vec x, Vec added, Vec y) {
  PetscFunctionBegin;
  PetscCall(follow(a));
  PetscCall(parallel.original<PetscErrorCode(Mat, Vec, Vec, Vec)>(MATOP_MULT_TRANSPOSE_ADD)(a, x, added, y));
  PetscFunctionReturn(success);
}

/// Bytes on all ranks, and the reason of the first rank: the others usually have the same.
PetscErrorCode view(Mat matrix, PetscViewer viewer) {
  PetscFunctionBegin;
  PetscCall(parallel.original<PetscErrorCode(Mat, PetscViewer)>(MATOP_VIEW)(matrix, viewer));
  bool wanted = false;
  PetscCall(asks_for_info(viewer, &wanted));
  Mat blocks[2] = {};
  PetscCall(MatMPIAIJGetSeqAIJ(matrix, &blocks[0], &blocks[1], nullptr));
  if (!wanted || blocks[0] == nullptr) PetscFunctionReturn(success);
  long long bytes = 0;
  std::string reason;
  for (Mat block : blocks) {
    const copy* c = nullptr;
    PetscCall(find_copy(block, &c));
    if (c == nullptr) continue;
    bytes += c->storage_bytes();
    PetscCall(guarded([&] { reason += " " + c->matrix->explain(); }));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_LONG_LONG, MPI_SUM, PetscObjectComm(object(matrix))));
  PetscCall(PetscViewerASCIIPrintf(viewer, "lacis: copies of %lld bytes on all processes.%s\n", bytes, reason.c_str()));
  PetscFunctionReturn(success);
}

PetscErrorCode destroy(Mat matrix) { return destroy(matrix, parallel); }

}  // namespace

PetscErrorCode create_parallel(Mat matrix) {
  PetscFunctionBegin;
  PetscCall(MatSetType(matrix, MATMPIAIJ));
  PetscCall(become_parallel(matrix));
  PetscFunctionReturn(success);
}

}  // namespace lacis::petsc
