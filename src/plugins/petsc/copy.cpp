// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// When a copy is made and when it reads the matrix again: in the next product, not at assembly, so a matrix that is
// never multiplied with costs nothing.
#include "petsc/copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <omp.h>
#include <span>
#include <string>

#include <lacis/buffer.hpp>

#include "petsc/composed.hpp"
#include "petsc/guarded.hpp"

namespace lacis::petsc {
namespace {

PetscLogEvent inspect_event = -1;
PetscLogEvent update_event = -1;

/// MPI programs have a rank for each core: more threads are for those who ask for them.
bool threads_are_asked_for() { return std::getenv("OMP_NUM_THREADS") != nullptr; }

/// One thread in its scope, unless the user has asked for others.
class modest_threads {
 public:
  modest_threads() : before_(omp_get_max_threads()) {
    if (!threads_are_asked_for()) omp_set_num_threads(1);
  }
  ~modest_threads() { omp_set_num_threads(before_); }
  modest_threads(const modest_threads&) = delete;
  modest_threads& operator=(const modest_threads&) = delete;

 private:
  int before_;
};

/// The arrays of a sequential AIJ matrix.
struct arrays {
  PetscInt rows = 0;
  PetscInt cols = 0;
  const PetscInt* row_offsets = nullptr;
  const PetscInt* columns = nullptr;
  const PetscScalar* values = nullptr;

  [[nodiscard]] std::size_t nnz() const { return static_cast<std::size_t>(row_offsets[rows]); }
};

/// The rows that have entries where they are fewer than half: those of a parallel matrix's second block.
std::optional<buffer<PetscInt>> few_filled_rows(const arrays& a) {
  PetscInt count = 0;
  for (PetscInt i = 0; i < a.rows; ++i) count += a.row_offsets[i] < a.row_offsets[i + 1] ? 1 : 0;
  if (count > a.rows / 2) return {};
  buffer<PetscInt> filled(count);
  std::int64_t next = 0;
  for (PetscInt i = 0; i < a.rows; ++i)
    if (a.row_offsets[i] < a.row_offsets[i + 1]) filled[next++] = i;
  return filled;
}

void inspect(const arrays& a, copy& c) {
  c.matrix.reset();  // before there are two
  c.filled_rows = few_filled_rows(a);
  const std::int64_t rows = c.filled_rows ? c.filled_rows->size() : a.rows;
  c.packed = buffer<PetscScalar>(c.filled_rows ? rows : 0);
  buffer<std::int64_t> offsets(rows + 1);
  for (std::int64_t k = 0; k < rows; ++k) offsets[k] = a.row_offsets[c.filled_rows ? (*c.filled_rows)[k] : k];
  offsets[rows] = a.row_offsets[a.rows];
  const csr_view<PetscScalar, PetscInt> view(rows, a.cols, offsets, {a.columns, a.nnz()},
                                             std::span<const PetscScalar>(a.values, a.nnz()));
  const plan_options options{.threads = threads_are_asked_for() ? 0 : 1, .transpose = c.holds_transpose};
  c.matrix = multiply_inspect(view, options);
}

/// -mat_lacis_view: what was chosen, and why, each time that something is chosen. From the rank that has chosen.
PetscErrorCode tell(Mat matrix, const copy& c, const arrays& a) {
  PetscFunctionBegin;
  PetscBool wanted = PETSC_FALSE;
  PetscCall(PetscOptionsGetBool(nullptr, nullptr, "-mat_lacis_view", &wanted, nullptr));
  if (!wanted) PetscFunctionReturn(success);
  const char* prefix = nullptr;
  PetscCall(MatGetOptionsPrefix(matrix, &prefix));
  PetscMPIInt rank = 0;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  std::string reason;
  PetscCall(guarded([&] { reason = c.matrix->explain(); }));
  const auto aij_bytes = (std::int64_t{a.rows} + 1) * std::int64_t{sizeof(PetscInt)} +
                         static_cast<std::int64_t>(a.nnz() * (sizeof(PetscInt) + sizeof(PetscScalar)));
  PetscCall(PetscPrintf(
      PETSC_COMM_SELF,
      "lacis [%d] %s%s%" PetscInt_FMT " x %" PetscInt_FMT ", %lld entries: %lld bytes beside AIJ's %lld. %s\n", rank,
      prefix == nullptr ? "" : prefix, prefix == nullptr ? "" : " ", a.rows, a.cols, static_cast<long long>(a.nnz()),
      static_cast<long long>(c.storage_bytes()), static_cast<long long>(aij_bytes), reason.c_str()));
  PetscFunctionReturn(success);
}

PetscErrorCode refresh(Mat matrix, copy& c) {
  PetscFunctionBegin;
  arrays a;
  PetscInt offsets = 0;
  PetscBool done = PETSC_FALSE;
  PetscObjectState pattern = 0;
  PetscCall(MatGetLocalSize(matrix, &a.rows, &a.cols));
  PetscCall(MatGetNonzeroState(matrix, &pattern));
  PetscCall(MatGetRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &offsets, &a.row_offsets, &a.columns, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "lacis: this matrix does not show its rows");
  PetscCall(MatSeqAIJGetArrayRead(matrix, &a.values));
  // Offsets at one place and no news of the pattern: there are as many rows and entries as before.
  const bool same_pattern = c.matrix && c.nonzero_state == pattern && c.row_offsets == a.row_offsets &&
                            c.columns == a.columns && c.matrix->cols() == a.cols;
  const PetscLogEvent event = same_pattern ? update_event : inspect_event;
  PetscCall(PetscLogEventBegin(event, matrix, 0, 0, 0));
  PetscCall(guarded([&] {
    const modest_threads scope;
    if (same_pattern)
      update_values(*c.matrix, {a.values, a.nnz()});
    else
      inspect(a, c);
  }));
  PetscCall(PetscLogEventEnd(event, matrix, 0, 0, 0));
  c.nonzero_state = pattern;
  c.row_offsets = a.row_offsets;
  c.columns = a.columns;
  if (!same_pattern) PetscCall(tell(matrix, c, a));
  PetscCall(MatSeqAIJRestoreArrayRead(matrix, &a.values));
  PetscCall(MatRestoreRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &offsets, &a.row_offsets, &a.columns, &done));
  PetscFunctionReturn(success);
}

}  // namespace

void copy::multiply(side which, std::span<const PetscScalar> x, bool add, std::span<PetscScalar> y) {
  const plan_side<PetscScalar, PetscInt> from_side{*matrix, which};
  const PetscScalar one = 1;
  const PetscScalar beta = add ? 1 : 0;
  if (!filled_rows) {
    lacis::multiply(one, from_side, x, beta, y, memory);
    return;
  }
  const auto& rows = *filled_rows;
  if (which == side::plain) {
    lacis::multiply(from_side, x, packed, memory);
    if (!add) std::fill(y.begin(), y.end(), PetscScalar(0));
    for (std::int64_t k = 0; k < rows.size(); ++k) {
      auto& sum = y[static_cast<std::size_t>(rows[k])];
      sum = add ? sum + packed[k] : packed[k];
    }
  } else {
    for (std::int64_t k = 0; k < rows.size(); ++k) packed[k] = x[static_cast<std::size_t>(rows[k])];
    lacis::multiply(one, from_side, packed, beta, y, memory);
  }
}

std::int64_t copy::storage_bytes() const {
  const auto of_rows = std::int64_t{sizeof(PetscInt) + sizeof(PetscScalar)} * packed.size();
  return matrix->storage_bytes() + of_rows;
}

PetscErrorCode register_copy_events() {
  PetscFunctionBegin;
  PetscCall(PetscLogEventRegister("LacisInspect", MAT_CLASSID, &inspect_event));
  PetscCall(PetscLogEventRegister("LacisUpdate", MAT_CLASSID, &update_event));
  PetscFunctionReturn(success);
}

PetscErrorCode find_copy(Mat matrix, const copy** result) {
  PetscFunctionBegin;
  copy* found = nullptr;
  PetscCall(find_composed(matrix, copy_name, &found));
  *result = found != nullptr && found->matrix ? found : nullptr;
  PetscFunctionReturn(success);
}

PetscErrorCode expire_copy(Mat matrix) {
  PetscFunctionBegin;
  copy* found = nullptr;
  PetscCall(find_composed(matrix, copy_name, &found));
  if (found != nullptr) found->state = -1;
  PetscFunctionReturn(success);
}

PetscErrorCode current_copy(Mat matrix, bool transpose, copy** result) {
  PetscFunctionBegin;
  PetscCall(find_or_compose(matrix, copy_name, result));
  copy& c = **result;
  PetscObjectState now = 0;
  PetscCall(PetscObjectStateGet(object(matrix), &now));
  if (transpose && !c.holds_transpose) {
    c.holds_transpose = true;
    c.matrix.reset();
  }
  if (c.matrix && c.state == now) PetscFunctionReturn(success);
  PetscCall(refresh(matrix, c));
  c.state = now;
  PetscFunctionReturn(success);
}

}  // namespace lacis::petsc
