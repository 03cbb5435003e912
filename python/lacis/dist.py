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

import os
import warnings

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
from ._solve import goal_of, most_iterations, progress_bar, result_from, start_vector

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


def together(function, comm=MPI.COMM_WORLD):
    """function() on all ranks; gives back what it returns. Where it raises on one rank, all ranks raise: that one its own exception, the
    others a lacis.Error with its message."""
    return _dist.together(_address(comm), function)


def even_rows(n, comm=MPI.COMM_WORLD):
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
    ndim = 2

    def __init__(self, rows, shape=None, comm=MPI.COMM_WORLD, balance=True):
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
        self.comm = comm
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
    def shape(self):
        """Rows and columns of the whole matrix."""
        return self._held.shape

    @property
    def nnz(self):
        """Entries of the whole matrix."""
        return self._held.nnz

    @property
    def dtype(self):
        return self._held.dtype

    @property
    def own_rows(self):
        """The rows of this rank, as a slice: its part of y = A x is y[A.own_rows]."""
        return slice(*self._held.own_rows)

    @property
    def own_cols(self):
        """The part of x that this rank holds, as a slice."""
        return slice(*self._held.own_cols)

    @property
    def local_shape(self):
        """Elements of this rank's parts of y and x."""
        (top, bottom), (left, right) = self._held.own_rows, self._held.own_cols
        return bottom - top, right - left

    def transpose(self, conjugate=False):
        """A^T, or A^H, on the same ranks. All ranks call it."""
        return self._of(_dist.transpose(self._held, bool(conjugate)), self.comm, self._ranks_here)

    @property
    def T(self):
        """transpose()."""
        return self.transpose()

    @property
    def H(self):
        """transpose(conjugate=True)."""
        return self.transpose(conjugate=True)

    def __matmul__(self, other):
        if not isinstance(other, csr_array):
            if np.ndim(other) == 1:
                raise TypeError("a product with a vector needs a plan: P = dist.plan(A), then P @ x")
            return NotImplemented
        if other.dtype != self.dtype:
            raise TypeError(f"a product of {self.dtype} and {other.dtype} is not possible; make both matrices with the same dtype")
        return self._of(_dist.multiply(self._held, other._held), self.comm, self._ranks_here)

    def collect(self):
        """The whole matrix as a lacis.csr_array, on every rank. For small ones. All ranks call it."""
        from ._sparse import from_arrays

        return from_arrays(*expanded(_dist.collect(self._held)))

    def __repr__(self):
        rows, cols = self.shape
        own = self.own_rows
        return f"<lacis.dist.csr_array {rows} x {cols}, {self.nnz:,} entries, {self.dtype}, rows {own.start} to {own.stop} on this rank>"


def read(path, comm=MPI.COMM_WORLD, dtype=np.float64, balance=True):
    """The matrix in a file that all ranks see. Matrix Market text and .csr directories are read by all ranks, one range per rank; anything else by
    the first, which distributes the rows. dtype: of the values; complex files need complex128."""
    address = _address(comm)
    name, *options = together(lambda: (os.fspath(path), _type_number(dtype), bool(balance)), comm)
    if name.startswith("@"):
        return generate(name, comm, dtype=dtype, balance=balance)
    return csr_array._of(_dist.read(address, name, *options), comm)


def generate(spec, comm=MPI.COMM_WORLD, seed=1, values="natural", dtype=np.float64, balance=True):
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
    ndim = 2

    def __init__(self, matrix, held):
        self.matrix = matrix
        self._held = held

    shape = property(lambda self: self.matrix.shape, doc="Rows and columns of the whole matrix.")
    dtype = property(lambda self: self.matrix.dtype)
    local_shape = property(lambda self: self.matrix.local_shape, doc="Elements of this rank's parts of y and x.")
    nbytes = property(lambda self: self._held.nbytes, doc="Bytes that the plan holds on this rank.")
    exchange = property(lambda self: self._held.exchange, doc="What this rank sends and receives in a product, and the seconds of each exchange that was tried.")

    def matvec(self, x, out=None):
        """This rank's part of A x, into out if given."""
        return self._held.multiply(x, False, out)

    def rmatvec(self, x, out=None):
        """This rank's part of A^H x, into out if given; the plan must hold the adjoint."""
        return self._held.multiply(x, True, out)

    def __matmul__(self, x):
        return self._held.multiply(x, False, None)

    def explain(self):
        """How this rank's rows are kept, and how many of them wait for elements of other ranks."""
        return self._held.explain()

    def __repr__(self):
        rows, cols = self.shape
        return f"<lacis.dist.Plan {rows} x {cols}, {self.matrix.nnz:,} entries, {readable_bytes(self.nbytes)} on this rank>"


def plan(A, uses=1000, threads=None, adjoint=False, memory=None, exchange=None):
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


def solve(A, b, method="cg", precond=None, tol=None, maxiter=None, restart=None, progress=None, x0=None, checkpoint=None, cycle=None, smoother=None):
    """Solves A x = b with a distributed matrix or its plan; b and x0 are this rank's parts. Gives a lacis.Result with this rank's part of x.

    tol: of |b - A x| / |b|; without it 1e-8, in single precision 1e-4.
    method: 'cg', 'minres', 'bicgstab', 'gmres', 'fgmres', 'lsqr', 'chebyshev'. precond: 'jacobi', 'block-jacobi', 'chebyshev', 'amg', 'none', and
    'ilu0' or 'ic0' inside stored parts (default: 'jacobi', none for lsqr). progress: as in lacis.solve(); it may be given on one rank alone, and must
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


def pagerank(A, alpha=0.85, personalization=None, tol=1e-6, max_iter=100, threads=None):
    """The PageRank of this rank's pages, A.own_rows; arguments as in lacis.pagerank(), personalization is this rank's part."""

    def options():
        part = None if personalization is None else _part(personalization, np.dtype(np.float64), A.local_shape[0], "personalization")
        return float(alpha), float(tol), int(max_iter), part, _threads(threads, A._ranks_here)

    ranks, iterations, change, converged = _dist.pagerank(A._held, *_checked(A, options))
    if not converged:
        warnings.warn(f"pagerank did not converge in {iterations} iterations: the last one changed {change:.2g}", LacisWarning, stacklevel=2)
    return ranks
