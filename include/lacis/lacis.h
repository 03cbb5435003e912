/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   lacis for C, and for every language that calls C.

   Arrays are borrowed: a lacis_view and a dense operand point to the caller's memory, which lacis reads during the call
   and never keeps. What lacis makes (matrices, plans, operators) is opaque and has a function that frees it; freeing
   NULL does nothing.

   Every function that can fail returns a status, and lacis_last_error() says what was wrong and what to do. No
   exception leaves a function. Pointers to results are written only on success; what y holds after a product that
   failed is unspecified.

   Structures begin with their size: LACIS_INIT(lacis_view) sets it and clears the rest, so that a program compiled
   with an older header goes on working when a later version adds members. Options may be NULL: the defaults.

   Threads: functions may be called from any number of threads at a time. One matrix, plan or operator may be used by
   several at a time as long as none of them changes or frees it (lacis_plan_update, the functions named _free); an
   operator over a function of yours is as safe as that function. */
#ifndef LACIS_LACIS_H
#define LACIS_LACIS_H

#include <stddef.h>
#include <stdint.h>

#include <lacis/export.hpp>
#include <lacis/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A structure with its size set and all else zero: lacis_view a = LACIS_INIT(lacis_view); */
#ifdef __cplusplus
#define LACIS_INIT(type)                  \
  ([] {                                   \
    type lacis_new = type();              \
    lacis_new.struct_size = sizeof(type); \
    return lacis_new;                     \
  }())
#else
#define LACIS_INIT(type) ((type){.struct_size = sizeof(type)})
#endif

/** In C++ every number is a value of the type, as it is in C: what is not known is refused. */
#ifdef __cplusplus
#define LACIS_AS_INT : int
#else
#define LACIS_AS_INT
#endif

/** What became of a call. */
typedef enum lacis_status LACIS_AS_INT {
  LACIS_OK = 0,               /**< it was done */
  LACIS_INVALID_ARGUMENT = 1, /**< sizes that do not fit, unknown names, NULL where an array is needed */
  LACIS_INVALID_MATRIX = 2,   /**< a matrix breaks a rule of its format, or lacks what the operation needs */
  LACIS_BAD_INPUT = 3,        /**< a file is malformed */
  LACIS_IO = 4,               /**< the system could not read or write */
  LACIS_UNSUPPORTED = 5,      /**< this build or this machine cannot do it */
  LACIS_OVERFLOW = 6,         /**< a size or a value does not fit its type */
  LACIS_OUT_OF_MEMORY = 7,    /**< an allocation failed, or would have passed a limit */
  LACIS_NO_DEVICE = 8,        /**< no plugin, no driver or no GPU */
  LACIS_KERNEL_FAULT = 9,     /**< a device kernel broke a rule; the message names it */
  LACIS_STOPPED = 10,         /**< a function of the caller asked for it */
  LACIS_INTERNAL = 11         /**< a defect of lacis; please report it */
} lacis_status;

/** "ok", "invalid argument", ... */
LACIS_API const char* lacis_status_name(lacis_status status);
/** What was wrong in the last call of this thread that failed; valid until the next call in this thread. */
LACIS_API const char* lacis_last_error(void);
/** "0.2.0": that of the library which is loaded; LACIS_VERSION_MAJOR and its kin are those of this header. */
LACIS_API const char* lacis_version(void);

/** The type of numbers. */
typedef enum lacis_type LACIS_AS_INT {
  LACIS_FLOAT32 = 0,   /**< float */
  LACIS_FLOAT64 = 1,   /**< double */
  LACIS_COMPLEX64 = 2, /**< two floats: real, imaginary */
  LACIS_COMPLEX128 = 3 /**< two doubles: real, imaginary */
} lacis_type;

/** How the arrays of a lacis_view are ordered. */
typedef enum lacis_format LACIS_AS_INT {
  LACIS_CSR = 0, /**< offsets of rows, indices of columns */
  LACIS_CSC = 1  /**< offsets of columns, indices of rows */
} lacis_format;

/** A sparse matrix in the caller's arrays. */
typedef struct lacis_view {
  size_t struct_size;  /**< set by LACIS_INIT */
  lacis_format format; /**< CSR or CSC */
  lacis_type type;     /**< of the values */
  int offset_bits;     /**< 32 or 64 */
  int index_bits;      /**< 32 or 64 */
  int iso;             /**< not 0: `values` holds one value, which every entry has */
  int64_t rows;        /**< number of rows */
  int64_t cols;        /**< number of columns */
  int64_t nnz;         /**< stored entries */
  const void* offsets; /**< rows + 1 of them (CSC: cols + 1), from 0 to nnz */
  const void* indices; /**< nnz */
  const void* values;  /**< nnz, or one */
} lacis_view;

/** A dense matrix in the caller's array: element (i, j) is data[i * row_stride + j * col_stride], counted in elements.
 */
typedef struct lacis_dense {
  size_t struct_size; /**< set by LACIS_INIT */
  lacis_type type;    /**< of the values */
  int64_t rows;       /**< number of rows */
  int64_t cols;       /**< number of columns */
  int64_t row_stride; /**< elements from one row to the next */
  int64_t col_stride; /**< elements from one column to the next */
  void* data;         /**< only read where it is an operand */
} lacis_dense;

/** Remembers the matrix of the last transposed product; lacis_product_memory_free frees it. */
typedef struct lacis_product_memory lacis_product_memory;

/** y = alpha op(A) x + beta y. */
typedef struct lacis_product_options {
  size_t struct_size; /**< set by LACIS_INIT */
  int threads;        /**< 0: as many as OpenMP gives, one for small products; a plan has its own */
  int transpose;      /**< 0: A, 1: its transpose, 2: its conjugate transpose. A plan must hold it */
  const void* alpha;  /**< one number of the type of y; NULL: 1 */
  const void* beta;   /**< one number of the type of y; NULL: 0, and y is not read */
  /** of a product without a plan whose arrays hold the transpose of op(A): makes repeated products fast. NULL: none */
  lacis_product_memory* memory;
} lacis_product_options;

/** The type that a product of two types has: complex when one is, double when one is. */
LACIS_API lacis_type lacis_product_type(lacis_type a, lacis_type x);

/** Whether the arrays are a matrix: sizes, offsets that rise, indices inside it. Not that rows are sorted. */
LACIS_API lacis_status lacis_check(const lacis_view* a);

/** y = A x without preparation; the elements of y have the product type. Rows must be sorted and without duplicates
   (lacis_copy sorts); a plan takes any order. */
LACIS_API lacis_status lacis_multiply(const lacis_view* a, lacis_type x_type, const void* x, void* y,
                                      const lacis_product_options* options);
/** The same with dense columns. */
LACIS_API lacis_status lacis_multiply_dense(const lacis_view* a, const lacis_dense* x, const lacis_dense* y,
                                            const lacis_product_options* options);

/** For repeated products with the transpose of a CSR matrix, or with a CSC matrix: the second product makes a plan,
   which takes about as much memory as the matrix. Every product compares a hash of the matrix's arrays, so you may
   change them. Pass one to all products with the same matrix; several threads may use it at a time. memory_limit: bytes
   of the plan, 0 for a quarter of what is available. */
LACIS_API lacis_status lacis_product_memory_make(int64_t memory_limit, lacis_product_memory** made);
/** Bytes that it holds now. */
LACIS_API int64_t lacis_product_memory_bytes(const lacis_product_memory* memory);
/** Frees it and the plan that it holds. */
LACIS_API void lacis_product_memory_free(lacis_product_memory* memory);

/* --- Matrices that lacis owns ------------------------------------------------------------------------------------ */

/** A matrix that lacis owns; lacis_matrix_free frees it. */
typedef struct lacis_matrix lacis_matrix;

/** A CSR copy with sorted rows; entries at one place are summed in the order in which they stand. */
LACIS_API lacis_status lacis_copy(const lacis_view* a, lacis_matrix** copy);
/** The transpose as CSR, with conjugated values if `conjugate` is not 0. */
LACIS_API lacis_status lacis_transpose(const lacis_view* a, int conjugate, lacis_matrix** result);
/** C = A B. Both have the same type of values and the same bits of indices. memory_limit: bytes, 0 for none. */
LACIS_API lacis_status lacis_spgemm(const lacis_view* a, const lacis_view* b, int threads, int64_t memory_limit,
                                    lacis_matrix** c);
/** Its arrays, always CSR with 64-bit offsets; valid while the matrix is. */
LACIS_API lacis_status lacis_matrix_view(const lacis_matrix* a, lacis_view* view);
/** Frees the matrix; views of it are no longer valid. */
LACIS_API void lacis_matrix_free(lacis_matrix* a);

/** Called now and then with the share that is done, 0 to 1; other than 0 stops the operation (LACIS_STOPPED). */
typedef int (*lacis_progress)(void* user, const char* stage, double share);

/** A file in any format that `lacis convert` reads, or a description as "@poisson3d:50"; double or complex double,
   32-bit indices where they fit. */
LACIS_API lacis_status lacis_read(const char* path, lacis_progress progress, void* user, lacis_matrix** a);
/** The format follows from the extension: .mtx, .mtx.gz, .npz, .graph, .csr. The file appears whole or not at all. */
LACIS_API lacis_status lacis_write(const char* path, const lacis_view* a, lacis_progress progress, void* user);

/* --- Plans: inspected once, multiplied many times ---------------------------------------------------------------- */

/** A matrix prepared for products; lacis_plan_free frees it. */
typedef struct lacis_plan lacis_plan;

/** How a plan is made. */
typedef struct lacis_plan_options {
  size_t struct_size;      /**< set by LACIS_INIT */
  double expected_uses;    /**< 0: 1000 */
  int64_t memory_limit;    /**< bytes that the plan may hold; 0: no limit */
  int threads;             /**< of its products; 0: as many as OpenMP gives */
  int transpose;           /**< not 0: hold the transpose too */
  int conjugate_transpose; /**< not 0: hold the conjugate transpose too */
  int tune;                /**< not 0: time the best candidates instead of trusting the prediction */
  const char* layout;      /**< "csr", "sell", ...; NULL: the plan chooses */
  const char* device;      /**< "cpu", "cuda:0"; NULL: cpu */
  /** not 0: the caller keeps the arrays of a CSR matrix, unchanged, as long as the plan lives; a plan whose best layout
     is "csr" then has no copy of them */
  int borrow;
} lacis_plan_options;

/** What a plan is. */
typedef struct lacis_plan_facts {
  size_t struct_size;    /**< set by LACIS_INIT */
  lacis_type type;       /**< of the values */
  int index_bits;        /**< 32 or 64 */
  int64_t rows;          /**< number of rows */
  int64_t cols;          /**< number of columns */
  int64_t nnz;           /**< after summing duplicates */
  int64_t storage_bytes; /**< of everything that it holds */
  int64_t moved_bytes;   /**< of one product, at least */
  const char* layout;    /**< valid while the plan is */
} lacis_plan_facts;

/** One way to keep the matrix. Texts are valid while the plan is. */
typedef struct lacis_plan_candidate {
  size_t struct_size;        /**< set by LACIS_INIT */
  const char* layout;        /**< "sell-8", "staged-8", ... */
  const char* values;        /**< how values are kept: "one", "int8", "float", "double", ... */
  const char* limit;         /**< what bounds a product: "memory bandwidth", "reads of x", "arithmetic" */
  int64_t storage_bytes;     /**< about */
  double moved_bytes;        /**< of one product: the arrays, x and y */
  double seconds;            /**< of one product, predicted */
  double conversion_seconds; /**< predicted */
  double measured_seconds;   /**< of one product, when the plan was tuned; negative: not measured */
  int fits;                  /**< not 0: within the memory limit */
  int chosen;                /**< not 0: the plan's own */
} lacis_plan_candidate;

/** A snapshot of the matrix: it refers to none of the caller's arrays. */
LACIS_API lacis_status lacis_plan_make(const lacis_view* a, const lacis_plan_options* options, lacis_plan** plan);
/** Sizes, types and layout of the plan. */
LACIS_API lacis_status lacis_plan_get_facts(const lacis_plan* plan, lacis_plan_facts* facts);
/** Which layout was chosen and why; valid while the plan is. */
LACIS_API const char* lacis_plan_explain(const lacis_plan* plan);
/** How many layouts the inspection compared; 0 for a plan of a device. */
LACIS_API int64_t lacis_plan_candidates(const lacis_plan* plan);
/** Number k of them, from 0: the best first, by conversion and expected uses together. */
LACIS_API lacis_status lacis_plan_get_candidate(const lacis_plan* plan, int64_t k, lacis_plan_candidate* candidate);
/** y = A x with the plan; the elements of y have the product type. The plan may be shared between threads. */
LACIS_API lacis_status lacis_plan_multiply(const lacis_plan* plan, lacis_type x_type, const void* x, void* y,
                                           const lacis_product_options* options);
/** The same with dense columns. */
LACIS_API lacis_status lacis_plan_multiply_dense(const lacis_plan* plan, const lacis_dense* x, const lacis_dense* y,
                                                 const lacis_product_options* options);
/** Other values for the same entries, in the order in which the inspected matrix had them; of a CSC matrix in the order
   of its rows, as lacis_copy gives them. */
LACIS_API lacis_status lacis_plan_update(lacis_plan* plan, const void* values, int64_t count);
/** Frees the plan; texts of it are no longer valid. */
LACIS_API void lacis_plan_free(lacis_plan* plan);

/* --- Solvers ----------------------------------------------------------------------------------------------------- */

/** A matrix as solvers see it: a plan, a preconditioner, a function. */
typedef struct lacis_operator lacis_operator;

/** y = A x; other than 0 stops the solver (LACIS_STOPPED). */
typedef int (*lacis_apply)(void* user, const void* x, void* y);

/** The operator keeps the plan's arrays; the plan may be freed before it. */
LACIS_API lacis_status lacis_operator_from_plan(const lacis_plan* plan, lacis_operator** made);
/** `adjoint` is y = A^H x, or NULL: then lsqr is not possible. */
LACIS_API lacis_status lacis_operator_from_function(int64_t rows, int64_t cols, lacis_type type, lacis_apply apply,
                                                    lacis_apply adjoint, void* user, lacis_operator** made);
/** `kind` is a name in the list of precondition.hpp: "jacobi", "ilu0", "ic0", "amg" ... Another one is an error whose
   message has all of them. */
LACIS_API lacis_status lacis_preconditioner(const lacis_view* a, const char* kind, int threads, lacis_operator** made);

/** Which preconditioner is made, and how. */
typedef struct lacis_preconditioner_options {
  size_t struct_size;   /**< set by LACIS_INIT */
  const char* kind;     /**< as in lacis_preconditioner; NULL: "amg" */
  int threads;          /**< 0: as many as OpenMP gives */
  const char* cycle;    /**< of amg: "v", "w", "k"; NULL: "v". lacis_solve_operator takes "k" with cg, fgmres ... */
  const char* smoother; /**< of amg: "chebyshev", "l1-jacobi"; NULL: chebyshev, or l1-jacobi if A is not Hermitian */
} lacis_preconditioner_options;

/** The same with more to choose; `options` may be NULL. */
LACIS_API lacis_status lacis_preconditioner_with(const lacis_view* a, const lacis_preconditioner_options* options,
                                                 lacis_operator** made);
/** y = A x, or A^H x if `adjoint` is not 0; x and y have the type of the operator. */
LACIS_API lacis_status lacis_operator_apply(const lacis_operator* a, int adjoint, const void* x, void* y);
/** Frees an operator or a preconditioner. */
LACIS_API void lacis_operator_free(lacis_operator* made);

/** How far a solver is; other than 0 stops it, which is no failure: outcome LACIS_SOLVE_STOPPED. */
typedef int (*lacis_monitor)(void* user, int64_t iteration, double residual);

/** How a solver runs and when it stops. */
typedef struct lacis_solve_options {
  size_t struct_size;         /**< set by LACIS_INIT */
  double tolerance;           /**< of |b - A x| / |b|; 0: 1e-8, in single precision 1e-4 */
  int64_t max_iterations;     /**< 0: ten times the unknowns, 1000 at least */
  int restart;                /**< of gmres and fgmres; 0: 50 */
  int threads;                /**< of lacis_solve; 0: as many as OpenMP gives */
  const char* preconditioner; /**< of lacis_solve: a kind, "none", or NULL: chosen */
  lacis_monitor monitor;      /**< called after every iteration, or NULL */
  void* user;                 /**< the monitor's first argument */
  const char* checkpoint;     /**< a directory for states, or NULL */
  const char* device;   /**< of lacis_solve: "cpu", "cuda:0"; NULL: cpu. lacis_solve_operator: that of the operator */
  const char* cycle;    /**< of lacis_solve with "amg": as in lacis_preconditioner_options */
  const char* smoother; /**< of lacis_solve with "amg": as in lacis_preconditioner_options */
} lacis_solve_options;

/** Why a solver stopped. */
typedef enum lacis_solve_outcome LACIS_AS_INT {
  LACIS_SOLVE_CONVERGED = 0,      /**< the true residual is within the tolerance */
  LACIS_SOLVE_MAX_ITERATIONS = 1, /**< max_iterations was reached */
  LACIS_SOLVE_STOPPED = 2,        /**< by the monitor */
  LACIS_SOLVE_STAGNATED = 3,      /**< converged by the recurrence, not by the true residual */
  LACIS_SOLVE_BROKE_DOWN = 4,     /**< a division by zero, or the matrix is not what the method needs */
  LACIS_SOLVE_OUT_OF_RANGE = 5    /**< the solution is too large or too small for the type */
} lacis_solve_outcome;

/** How a solution went. */
typedef struct lacis_solve_report {
  size_t struct_size;          /**< set by LACIS_INIT */
  lacis_solve_outcome outcome; /**< why it stopped */
  int64_t iterations;          /**< that were done */
  double residual;             /**< by the recurrence */
  double true_residual;        /**< |b - A x| / |b|, computed at the end */
  double seconds;              /**< of the call, measured */
  char method[64];             /**< "cg with ic0" */
  char reason[512];            /**< one sentence, with advice where it did not converge */
} lacis_solve_report;

/** Solves A x = b from the x that is given, choosing method and preconditioner from the matrix where `method` is NULL.
   b and x have the type of A. LACIS_OK says that it ran; whether it converged is in the report, which must be given. */
LACIS_API lacis_status lacis_solve(const lacis_view* a, const char* method, const void* b, void* x,
                                   const lacis_solve_options* options, lacis_solve_report* report);
/** The same with one method on an operator, a name in the list of solve.hpp: "cg", "minres", "bicgstab", "gmres" ...
   `preconditioner` is nearly the inverse, or NULL. */
LACIS_API lacis_status lacis_solve_operator(const lacis_operator* a, const char* method, const void* b, void* x,
                                            const lacis_operator* preconditioner, const lacis_solve_options* options,
                                            lacis_solve_report* report);

/* --- Eigenvalues and singular values ----------------------------------------------------------------------------- */

/** Which eigenvalues or singular values are wanted, how they are found and when the search stops. */
typedef struct lacis_eigen_options {
  size_t struct_size; /**< set by LACIS_INIT */
  const char* part;   /**< "smallest", "largest", "both", "magnitude"; NULL: smallest, of lacis_svds largest */
  /** "lobpcg", "lanczos"; NULL: lobpcg with a preconditioner or B, lanczos without. Of lacis_svds "normal" (A^H A) or
     "bidiagonal" (nothing is squared); NULL: bidiagonal for the smallest, normal for the largest */
  const char* method;
  double tolerance;          /**< of |A x - w x| / |w|; 0: 1e-8 */
  double absolute_tolerance; /**< of |A x - w x|, which suffices too; not of lacis_svds */
  int64_t max_iterations;    /**< 0: a thousand (lobpcg), or five times the rows, 1000 at least (lanczos) */
  int64_t vectors;           /**< of the block (lobpcg) or of the basis (lanczos); 0: some more than the pairs */
  const lacis_operator* preconditioner; /**< of lobpcg: nearly the inverse of A, or NULL */
  const lacis_operator* b;              /**< of lobpcg: B of A x = w B x, or NULL */
  const lacis_dense* start;             /**< vectors to begin with, one per column, or NULL; only read */
  lacis_monitor monitor;                /**< called after every iteration with the largest relative residual, or NULL */
  void* user;                           /**< the monitor's first argument */
  const char* checkpoint;               /**< of lacis_eigs: a directory for states, or NULL */
} lacis_eigen_options;

/** How a search went. The two arrays are the caller's, with one element per value; NULL where they are not needed. */
typedef struct lacis_eigen_report {
  size_t struct_size;          /**< set by LACIS_INIT */
  double* residuals;           /**< |A x - w x| of each: A has an eigenvalue that near, rounding errors apart */
  int32_t* converged;          /**< 1: within the tolerance, 0: not */
  lacis_solve_outcome outcome; /**< converged: all of them are within the tolerance */
  int64_t iterations;          /**< steps of a block; "bidiagonal": products with A */
  int64_t products;            /**< with A, of lacis_svds with A and A^H */
  uint64_t hash;               /**< over all vectors, the same on any number of threads */
  double seconds;              /**< of the call, measured */
  char method[64];             /**< "lobpcg", "lanczos"; of lacis_svds "normal", "bidiagonal" */
  char reason[512];            /**< one sentence, with advice where not all converged */
} lacis_eigen_report;

/** `pairs` eigenvalues of a Hermitian A, ascending, and their vectors: one per column, column after column, of the type
   of A; `vectors` may be NULL. LACIS_OK says that it ran; whether all converged is in the report, which must be given.
   Where there is no pair at all, values are NaN and vectors zero. */
LACIS_API lacis_status lacis_eigs(const lacis_operator* a, int64_t pairs, double* values, void* vectors,
                                  const lacis_eigen_options* options, lacis_eigen_report* report);
/** The `count` largest or smallest singular values, the largest first, with left and right vectors as columns; either
   may be NULL. It needs products with A^H: those of a plan with transpose, of a complex matrix with
   conjugate_transpose. */
LACIS_API lacis_status lacis_svds(const lacis_operator* a, int64_t count, double* values, void* left, void* right,
                                  const lacis_eigen_options* options, lacis_eigen_report* report);

/* --- Many small systems of one pattern --------------------------------------------------------------------------- */

/* The matrices of a batch are one lacis_view in CSR with sorted rows. Its `values` hold the entries of system 0 in the
   order of `indices`, then those of system 1, ...: systems * nnz of them, and iso is 0. Vectors stand one after the
   other likewise, and have the type of the values. */

/** y_s = A_s x_s for every system s, with the bits of lacis_multiply. threads: 0 for as many as OpenMP gives. */
LACIS_API lacis_status lacis_multiply_batch(const lacis_view* a, int64_t systems, const void* x, void* y, int threads);

/** How a batch is solved: all of its systems alike. */
typedef struct lacis_batch_options {
  size_t struct_size;         /**< set by LACIS_INIT */
  double tolerance;           /**< of |b - A x| / |b|; 0: 1e-8, in single precision 1e-4 */
  int64_t max_iterations;     /**< of cg and bicgstab; 0: ten times the unknowns, 1000 at least */
  int threads;                /**< 0: as many as OpenMP gives, one for little work */
  const char* preconditioner; /**< of cg and bicgstab: "jacobi", or "none" and NULL: nothing */
} lacis_batch_options;

/** How the systems of a batch went. The four arrays are the caller's, with one element per system; NULL where they are
   not needed. */
typedef struct lacis_batch_report {
  size_t struct_size;     /**< set by LACIS_INIT */
  int32_t* outcomes;      /**< a lacis_solve_outcome each */
  int64_t* iterations;    /**< that were done; of band factors: solutions, the first and its corrections */
  double* residuals;      /**< by the recurrence */
  double* true_residuals; /**< |b - A x| / |b|, computed at the end */
  int64_t unsolved;       /**< systems that did not converge */
  int64_t first_unsolved; /**< the first of them; -1: all converged */
  int64_t alone;          /**< systems that cg or bicgstab solved one at a time, as their numbers needed scaling */
  double seconds;         /**< of the call, measured */
  char reason[512];       /**< why first_unsolved did not converge, with advice; "" where all did */
} lacis_batch_report;

/** Solves A_s x_s = b_s for every system s by "cg", "bicgstab", "band-lu" or "band-cholesky"; float and double. cg and
   bicgstab start from the x that is given, and each x_s has the bits of lacis_solve_operator with that system alone. A
   system that has no solution leaves the others alone, and its x is finite. LACIS_OK says that the batch ran; what
   became of its systems is in the report, which must be given. */
LACIS_API lacis_status lacis_solve_batch(const lacis_view* a, int64_t systems, const char* method, const void* b,
                                         void* x, const lacis_batch_options* options, lacis_batch_report* report);

#ifdef __cplusplus
}
#endif

#endif
