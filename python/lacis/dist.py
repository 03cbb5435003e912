# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Distributed matrices over the ranks of an mpi4py communicator.

    from mpi4py import MPI
    import lacis.dist as dist

    A = dist.read("A.mtx", comm=MPI.COMM_WORLD)     # or dist.generate("@poisson3d:100"), dist.csr_array(rows_of_this_rank)
    P = dist.plan(A)                                # prepared for many products
    y = P @ x                                       # this rank's parts of x and y
    r = dist.solve(P, b)                            # r.x is this rank's part of the solution

All ranks make the same calls in the same order. Results have the bits of one process, on any number of ranks. Where a call fails on one
rank, all raise, with the message of that rank, and the matrix can be used again."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as problem:
    raise ImportError(f"lacis.dist needs mpi4py ({problem}): pip install mpi4py, and an MPI library that it finds") from problem
try:
    from . import _dist
except ImportError as problem:
    raise ImportError(
        f"lacis.dist is not in this installation of lacis ({problem}); wheels do not have it. Install lacis with MPI (cmake -DLACIS_WITH_MPI=ON, "
        "cmake --install), then build the Python package from source against it: CMAKE_PREFIX_PATH=<where lacis is> pip install ."
    ) from problem

from . import _core
from ._arrays import CSR, TYPE_NUMBERS, VALUES, as_csr, exact_values, expanded, parts_of
from ._errors import InvalidArgument, LacisWarning
from ._plan import readable_bytes
from ._solve import Result, goal_of, most_iterations, progress_bar, result_from, start_vector

if TYPE_CHECKING:
    from ._types import Array, Dense, Matrix, Monitor, Path

_T = TypeVar("_T")

__all__ = ["Plan", "csr_array", "even_rows", "generate", "pagerank", "plan", "read", "solve", "together"]

_dist.use_numpy(np)


def _require_same_library():
    """Handles of another MPI library mean something else, or nothing."""
    theirs, ours = MPI.Get_library_version().strip("\0 \n"), _dist.mpi_version().strip("\0 \n")
    if theirs != ours:
        raise ImportError(
            f"mpi4py uses another MPI library ({theirs!r}) than lacis was built with ({ours!r}): build one of them with the MPI of the other, such "
            "as pip install --no-binary mpi4py mpi4py, or select the library of an mpi4py wheel with MPI4PY_MPIABI"
        )


_require_same_library()


def _address(comm):
    """The address of the handle of a communicator that ranks can share a matrix on."""
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm must be a communicator of mpi4py such as MPI.COMM_WORLD, not {type(comm).__name__}")
    if not MPI.Is_initialized() or MPI.Is_finalized():
        raise InvalidArgument("MPI is not initialised, or finalised already")
    if comm == MPI.COMM_NULL:
        raise InvalidArgument("comm is MPI.COMM_NULL: this rank is not in the communicator, or it has been freed")
    if comm.Is_inter():
        raise InvalidArgument("comm is an intercommunicator; merge its groups first with comm.Merge()")
    return MPI._addressof(comm)


def together(function: Callable[[], _T], comm: MPI.Comm = MPI.COMM_WORLD) -> _T:
    """function() on all ranks; gives back what it returns. Where it raises on one rank, all ranks raise: that one its own exception, the
    others a lacis.Error with its message."""
    return _dist.together(_address(comm), function)


def even_rows(n: int, comm: MPI.Comm = MPI.COMM_WORLD) -> slice:
    """The rows that this rank brings to csr_array() for a matrix of n rows, as a slice: multiples of 4096."""
    return slice(*_dist.even_rows(_address(comm), int(n)))


def _type_number(dtype):
    dtype = np.dtype(dtype)
    if dtype not in VALUES:
        raise TypeError(f"dtype must be float32, float64, complex64 or complex128, not {dtype}")
    return TYPE_NUMBERS[dtype]


def _part(x, dtype, size, name):
    """This rank's part of a vector, as a contiguous array of that dtype; called by the compiled part."""
    array = np.asarray(x)
    if array.shape != (size,):
        raise InvalidArgument(f"{name} needs this rank's part, {size} elements; this one has shape {array.shape}")
    array = exact_values(array)
    if not np.can_cast(array.dtype, dtype, "safe"):
        raise TypeError(f"{name} is {array.dtype}, the matrix {dtype}: convert one of them with astype()")
    return np.ascontiguousarray(array, dtype=dtype)


def _start(x0, dtype, size):
    """This rank's part of where a solver starts; called by the compiled part."""
    return start_vector(None if x0 is None else _part(x0, dtype, size, "x0"), size, dtype)


class csr_array:
    """A sparse matrix whose rows the ranks of a communicator share, in contiguous ranges.

    rows: this rank's rows, those of even_rows(n, comm), with the columns of the whole matrix: a SciPy or torch sparse matrix, (data, indices,
    indptr) or a dense array. They are copied. shape: of the whole matrix (default: all rows that are brought, and the most columns).
    balance: rows move to other ranks so that rows and entries are shared evenly; own_rows says where they are."""

    __array_ufunc__ = None
    ndim: int = 2

    def __init__(self, rows: Matrix, shape: tuple[int, int] | None = None, comm: MPI.Comm = MPI.COMM_WORLD, balance: bool = True) -> None:
        address = _address(comm)

        def prepared():
            of_three = isinstance(rows, tuple) and len(rows) == 3 and shape is not None
            parts = parts_of(rows, shape=(len(rows[2]) - 1, shape[1]) if of_three else None)
            return parts if parts[0] == CSR else as_csr(parts)

        parts = together(prepared, comm)
        own = (parts[1], parts[2], parts[5].dtype.char, parts[4].dtype == np.int32)
        counts, widths, types, narrow = zip(*comm.allgather(own))
        whole = (sum(counts), max(widths)) if shape is None else tuple(int(n) for n in shape)
        dtype = np.result_type(*types)

        def converted():
            if parts[2] > whole[1]:
                raise InvalidArgument(f"the rows of this rank have {parts[2]} columns, the matrix {whole[1]}")
            return parts[:2] + (whole[1],) + parts[3:5] + (parts[5].astype(dtype, copy=False),)

        self._take(_dist.distribute(address, together(converted, comm), whole[0], _type_number(dtype), all(narrow), bool(balance)), comm)

    def _take(self, held, comm, ranks_here=None):
        self._held = held
        self.comm: MPI.Comm = comm
        if ranks_here is None:
            here = comm.Split_type(MPI.COMM_TYPE_SHARED)
            ranks_here = here.Get_size()
            here.Free()
        self._ranks_here = ranks_here

    @classmethod
    def _of(cls, held, comm, ranks_here=None):
        made = cls.__new__(cls)
        made._take(held, comm, ranks_here)
        return made

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole matrix."""
        return self._held.shape

    @property
    def nnz(self) -> int:
        """Entries of the whole matrix."""
        return self._held.nnz

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._held.dtype

    @property
    def own_rows(self) -> slice:
        """The rows of this rank, as a slice: its part of y = A x is y[A.own_rows]."""
        return slice(*self._held.own_rows)

    @property
    def own_cols(self) -> slice:
        """The part of x that this rank holds, as a slice."""
        return slice(*self._held.own_cols)

    @property
    def local_shape(self) -> tuple[int, int]:
        """Elements of this rank's parts of y and x."""
        (top, bottom), (left, right) = self._held.own_rows, self._held.own_cols
        return bottom - top, right - left

    def transpose(self, conjugate: bool = False) -> csr_array:
        """A^T, or A^H, on the same ranks. All ranks call it."""
        return self._of(_dist.transpose(self._held, bool(conjugate)), self.comm, self._ranks_here)

    @property
    def T(self) -> csr_array:
        """transpose()."""
        return self.transpose()

    @property
    def H(self) -> csr_array:
        """transpose(conjugate=True)."""
        return self.transpose(conjugate=True)

    def __matmul__(self, other: csr_array) -> csr_array:
        if not isinstance(other, csr_array):
            if np.ndim(other) == 1:
                raise TypeError("a product with a vector needs a plan: P = dist.plan(A), then P @ x")
            return NotImplemented
        if other.dtype != self.dtype:
            raise TypeError(f"a product of {self.dtype} and {other.dtype} is not possible; make both matrices with the same dtype")
        return self._of(_dist.multiply(self._held, other._held), self.comm, self._ranks_here)

    def collect(self) -> Any:
        """The whole matrix as a lacis.csr_array, on every rank. For small ones. All ranks call it."""
        from ._sparse import from_arrays

        return from_arrays(*expanded(_dist.collect(self._held)))

    def __repr__(self) -> str:
        rows, cols = self.shape
        own = self.own_rows
        return f"<lacis.dist.csr_array {rows} x {cols}, {self.nnz:,} entries, {self.dtype}, rows {own.start} to {own.stop} on this rank>"


def read(path: Path, comm: MPI.Comm = MPI.COMM_WORLD, dtype: Any = np.float64, balance: bool = True) -> csr_array:
    """The matrix in a file that all ranks see. Matrix Market text and .csr directories are read by all ranks, one range per rank; anything else by
    the first, which distributes the rows. dtype: of the values; complex files need complex128."""
    address = _address(comm)
    name, *options = together(lambda: (os.fspath(path), _type_number(dtype), bool(balance)), comm)
    if name.startswith("@"):
        return generate(name, comm, dtype=dtype, balance=balance)
    return csr_array._of(_dist.read(address, name, *options), comm)


def generate(
    spec: str, comm: MPI.Comm = MPI.COMM_WORLD, seed: int = 1, values: str = "natural", dtype: Any = np.float64, balance: bool = True
) -> csr_array:
    """The matrix that a description such as '@poisson3d:100' stands for, as lacis.generate() makes it; each rank makes its rows."""
    address = _address(comm)

    def options():
        return spec if spec.startswith("@") else "@" + spec, _type_number(dtype), bool(balance), int(seed), str(values)

    return csr_array._of(_dist.generate(address, *together(options, comm)), comm)


def _checked(A, check):
    """check() on all ranks, as together() does it; after comm.Free() on each by itself."""
    return check() if A.comm == MPI.COMM_NULL else together(check, A.comm)


def _threads(threads, ranks_here):
    """The ranks of a machine share its processors, unless the number of threads is given."""
    if threads is not None:
        if int(threads) < 1:
            raise InvalidArgument(f"threads must be at least 1, not {threads}")
        return int(threads)
    most = _core.get_num_threads()
    return most if "OMP_NUM_THREADS" in os.environ else max(1, min(most, (os.cpu_count() or 1) // ranks_here))


class Plan:
    """A distributed matrix prepared for products; plan() makes it. It keeps the matrix, which preconditioners are made from.

    Vectors are this rank's parts: x has A.local_shape[1] elements, y has A.local_shape[0]. The ranks agree that their operands fit before
    each product. One thread per process uses it at a time."""

    __array_ufunc__ = None
    ndim: int = 2

    def __init__(self, matrix: csr_array, held: Any) -> None:
        self.matrix = matrix
        self._held = held

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole matrix."""
        return self.matrix.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the values."""
        return self.matrix.dtype

    @property
    def local_shape(self) -> tuple[int, int]:
        """Elements of this rank's parts of y and x."""
        return self.matrix.local_shape

    @property
    def nbytes(self) -> int:
        """Bytes that the plan holds on this rank."""
        return self._held.nbytes

    @property
    def exchange(self) -> Any:
        """What this rank sends and receives in a product, and the seconds of each exchange that was tried."""
        return self._held.exchange

    def matvec(self, x: Dense, out: Array | None = None) -> Array:
        """This rank's part of A x, into out if given."""
        return self._held.multiply(x, False, out)

    def rmatvec(self, x: Dense, out: Array | None = None) -> Array:
        """This rank's part of A^H x, into out if given; the plan must hold the adjoint."""
        return self._held.multiply(x, True, out)

    def __matmul__(self, x: Dense) -> Array:
        return self._held.multiply(x, False, None)

    def explain(self) -> str:
        """How this rank's rows are kept, and how many of them wait for elements of other ranks."""
        return self._held.explain()

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<lacis.dist.Plan {rows} x {cols}, {self.matrix.nnz:,} entries, {readable_bytes(self.nbytes)} on this rank>"


def plan(
    A: csr_array, uses: float | None = 1000, threads: int | None = None, adjoint: bool = False, memory: int | None = None, exchange: str | None = None
) -> Plan:
    """A plan for products with a distributed matrix.

    uses: how many products are expected. threads: of each rank (default: OMP_NUM_THREADS, or the processors divided by the ranks of the machine).
    adjoint: also hold A^H, for rmatvec() and lsqr. memory: bytes that plans may take on this rank (default: no limit).
    exchange: 'point-to-point', 'neighbourhood' or 'all-to-all' (default: the fastest of them)."""

    def options():
        if not uses > 0:
            raise InvalidArgument(f"uses must be positive, not {uses}")
        if exchange is not None and exchange not in _dist.exchange_kinds:
            raise InvalidArgument(f"exchange must be one of {', '.join(map(repr, _dist.exchange_kinds))}, not {exchange!r}")
        kind = -1 if exchange is None else _dist.exchange_kinds.index(exchange)
        return float(uses), _threads(threads, A._ranks_here), bool(adjoint), 0 if memory is None else int(memory), kind

    return Plan(A, _dist.prepare(A._held, *_checked(A, options)))


def solve(
    A: csr_array | Plan,
    b: Dense,
    method: str = "cg",
    precond: str | None = None,
    tol: float | None = None,
    maxiter: int | None = None,
    restart: int | None = None,
    progress: Monitor | None = None,
    x0: Dense | None = None,
    checkpoint: Path | None = None,
    cycle: str | None = None,
    smoother: str | None = None,
) -> Result:
    """Solves A x = b with a distributed matrix or its plan; b and x0 are this rank's parts. Gives a lacis.Result with this rank's part of x.

    tol: of |b - A x| / |b|; without it 1e-8, in single precision 1e-4.
    method, precond: as in lacis.solve(), but no 'direct' and no 'ssor'; 'ilu0' and 'ic0' work inside stored parts (default of precond: 'jacobi', none for lsqr). progress: as in lacis.solve(); it may be given on one rank alone, and must
    not use the matrix. checkpoint: a directory that all ranks see, where the state is kept, and from which an interrupted solution goes on.
    A function of progress that raises, or Ctrl-C, ends it on all ranks. cycle, smoother: of 'amg', as in lacis.aspreconditioner()."""
    P = A if isinstance(A, Plan) else plan(A, uses=200, adjoint=method == "lsqr")
    tol = goal_of(tol, P.dtype)

    def options():
        chosen = precond or ("none" if method == "lsqr" else "jacobi")
        return (
            str(method),
            "" if chosen == "none" else str(chosen),
            cycle or "",
            smoother or "",
            tol,
            most_iterations(maxiter),
            0 if restart is None else int(restart),
            "" if checkpoint is None else os.fspath(checkpoint),
        )

    chosen = _checked(P.matrix, options)
    report, done = progress_bar(progress, tol)
    try:
        found = _dist.solve(P._held, P.matrix._held, b, x0, report, *chosen)
    finally:
        done()
    result = result_from(found["x"], found)
    if not result.converged:
        warnings.warn(f"no solution to {tol:.0e}: {result.reason} (residual {result.residual:.2e})", LacisWarning, stacklevel=2)
    return result


def pagerank(
    A: csr_array, alpha: float = 0.85, personalization: Dense | None = None, tol: float = 1e-6, max_iter: int = 100, threads: int | None = None
) -> Array:
    """The PageRank of this rank's pages, A.own_rows; arguments as in lacis.pagerank(), personalization is this rank's part."""

    def options():
        part = None if personalization is None else _part(personalization, np.dtype(np.float64), A.local_shape[0], "personalization")
        return float(alpha), float(tol), int(max_iter), part, _threads(threads, A._ranks_here)

    ranks, iterations, change, converged = _dist.pagerank(A._held, *_checked(A, options))
    if not converged:
        warnings.warn(f"pagerank did not converge in {iterations} iterations: the last one changed {change:.2g}", LacisWarning, stacklevel=2)
    return ranks
