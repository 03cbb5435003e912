// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// MatShells over plans and operators, for programs that have a lacis matrix and want PETSc's solvers.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <lacis/petsc.h>

#include "petsc/guarded.hpp"

namespace lacis {
namespace petsc {
namespace {

template <index Index> struct planned {
  plan<PetscScalar, Index> matrix;
  workspace memory;

  template <side Which> void apply(std::span<const PetscScalar> x, std::span<PetscScalar> y) {
    multiply(plan_side<PetscScalar, Index>{matrix, Which}, x, y, memory);
  }
};

struct operated {
  std::shared_ptr<const linear_operator<PetscScalar>> matrix;
  space_vector<PetscScalar> wide;  ///< as many elements as there are columns
  space_vector<PetscScalar> tall;

  template <side Which> void apply(std::span<const PetscScalar> x, std::span<PetscScalar> y) {
    auto& space = matrix->space();
    const auto& from = Which == side::plain ? wide : tall;
    const auto& to = Which == side::plain ? tall : wide;
    space.from_host(x, from);
    Which == side::plain ? matrix->apply(from, to) : matrix->apply_adjoint(from, to);
    space.to_host(to, y);
  }
};

template <class Context, side Which> PetscErrorCode apply(Mat shell, Vec x, Vec y) {
  PetscFunctionBegin;
  Context* context = nullptr;
  PetscInt size_of_x = 0;
  PetscInt size_of_y = 0;
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  PetscCall(VecGetLocalSize(x, &size_of_x));
  PetscCall(VecGetLocalSize(y, &size_of_y));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArrayWrite(y, &to));
  PetscCall(guarded([&] {
    context->template apply<Which>(std::span(from, static_cast<std::size_t>(size_of_x)),
                                   std::span(to, static_cast<std::size_t>(size_of_y)));
  }));
  PetscCall(VecRestoreArrayWrite(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscFunctionReturn(success);
}

template <class Context> PetscErrorCode destroy(Mat shell) {
  PetscFunctionBegin;
  Context* context = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  delete context;
  PetscFunctionReturn(success);
}

template <class Function> PetscErrorCode set(Mat shell, MatOperation which, Function* f) {
  return MatShellSetOperation(shell, which, reinterpret_cast<void (*)(void)>(f));
}

/// Takes the context.
template <class Context>
PetscErrorCode make(std::int64_t rows, std::int64_t cols, std::unique_ptr<Context> context, Mat* shell) {
  PetscFunctionBegin;
  PetscInt m = 0;
  PetscInt n = 0;
  PetscCall(PetscIntCast(rows, &m));
  PetscCall(PetscIntCast(cols, &n));
  PetscCall(MatCreateShell(PETSC_COMM_SELF, m, n, m, n, context.get(), shell));
  PetscCall(set(*shell, MATOP_DESTROY, destroy<Context>));
  context.release();
  PetscCall(set(*shell, MATOP_MULT, apply<Context, side::plain>));
  PetscFunctionReturn(success);
}

}  // namespace
}  // namespace petsc

template <class Index> PetscErrorCode make_petsc_shell(const plan<PetscScalar, Index>& matrix, Mat* shell) {
  using context = petsc::planned<Index>;
  PetscFunctionBegin;
  std::unique_ptr<context> made;
  PetscCall(petsc::guarded([&] { made = std::make_unique<context>(context{matrix, {}}); }));
  PetscCall(petsc::make(matrix.rows(), matrix.cols(), std::move(made), shell));
  PetscCall(petsc::set(*shell, MATOP_MULT_TRANSPOSE, petsc::apply<context, side::transposed>));
  PetscFunctionReturn(petsc::success);
}
template LACIS_API PetscErrorCode make_petsc_shell(const plan<PetscScalar, std::int32_t>&, Mat*);
template LACIS_API PetscErrorCode make_petsc_shell(const plan<PetscScalar, std::int64_t>&, Mat*);

PetscErrorCode make_petsc_shell(std::shared_ptr<const linear_operator<PetscScalar>> matrix, Mat* shell) {
  using context = petsc::operated;
  PetscFunctionBegin;
  const std::int64_t rows = matrix->rows();
  const std::int64_t cols = matrix->cols();
  std::unique_ptr<context> made;
  PetscCall(petsc::guarded([&] {
    auto& space = matrix->space();
    made = std::make_unique<context>(context{std::move(matrix), space.zeros(cols), space.zeros(rows)});
  }));
  PetscCall(petsc::make(rows, cols, std::move(made), shell));
  // PETSc of real numbers knows no other transpose.
  const MatOperation adjoint = is_complex<PetscScalar> ? MATOP_MULT_HERMITIAN_TRANSPOSE : MATOP_MULT_TRANSPOSE;
  PetscCall(petsc::set(*shell, adjoint, petsc::apply<context, side::conjugate_transposed>));
  PetscFunctionReturn(petsc::success);
}

}  // namespace lacis
