# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Several processes: a fault of one ends all, once, soon, with the exit code of the fault."""
from case import Case, is_absent, numbers
from files import SMALL, column, csr_directory, diagonal, mtx

RUN = "mpirun -q --oversubscribe -np {ranks} $LACIS {words}"


def cluster(name, words, ranks=2, code=0, error=(), **more):
    line = RUN.replace("{ranks}", str(ranks)).replace("{words}", words)
    return Case(name, shell=line, code=code, error=error, seconds=10 if code != 0 else 60,  # a fault ends all ranks within 10 s; what works may wait for processors
                needs=["mpi"], **more)


def cases(program):
    nan = diagonal([1, "nan", 1])
    return [
        cluster("A missing file on 2 ranks is one complaint", "solve --mpi missing.mtx", code=4, error=["missing.mtx"]),
        cluster("A missing file on 4 ranks is one complaint", "spmv --mpi missing.mtx", ranks=4, code=4, error=["missing.mtx"]),
        cluster(
            "A malformed file on 2 ranks is one complaint", "solve --mpi bad.mtx", code=4, error=["bad.mtx"],
            files={"bad.mtx": mtx("2 2 1\n3 1 1\n")},
        ),
        cluster("A missing b on 2 ranks is one complaint", "solve --mpi A.mtx b", code=4, error=["b"], files={"A.mtx": SMALL}),
        cluster(
            "NaN in A on 2 ranks is bad input", "solve --mpi A.mtx b", code=4, error=["not finite"],
            files={"A.mtx": nan, "b": column([1, 1, 1])},
        ),
        cluster("NaN in b on 2 ranks is bad input", "solve --mpi A.mtx b", code=4, error=["not finite"], files={"A.mtx": SMALL, "b": "1\nnan\n1\n"}),
        cluster(
            "An impossible system on 2 ranks is not solved", "solve --mpi A.mtx b", code=3,
            files={"A.mtx": mtx("2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n"), "b": column([1, -1])},
        ),
        cluster(
            "A directory of arrays that is cut on 2 ranks is bad input", "spmv --mpi bad.csr", code=4, error=["bad.csr"],
            files={"bad.csr": csr_directory(values=None)},
        ),
        cluster(
            "A result that cannot be written on 2 ranks is a failure", "solve --mpi A.mtx -o nodir/x", code=1, error=["nodir"],
            files={"A.mtx": SMALL},
        ),
        cluster(
            "An unknown option on 2 ranks is a usage error", "solve --mpi A.mtx --zzzz", code=2, error=["--zzzz"], files={"A.mtx": SMALL},
            complaints=None,
        ),
        cluster("A device on 2 ranks is refused", "solve --mpi A.mtx --device simt", code=(1, 2), files={"A.mtx": SMALL}),
        cluster(
            "More ranks than rows work", "solve --mpi A.mtx -o x", ranks=5, files={"A.mtx": diagonal([1, 2]), "b": column([1, 2])},
            after=[numbers("x", [1, 1])],
        ),
        cluster("A matrix without rows on 2 ranks works", "spmv --mpi A.mtx", files={"A.mtx": mtx("0 0 0\n")}),
        cluster(
            "A diagonal of 1e-200 on 2 ranks is solved", "solve --mpi A.mtx b -o x",
            files={"A.mtx": diagonal(["1e-200"] * 3), "b": column(["1e-200"] * 3)}, after=[numbers("x", [1, 1, 1])],
        ),
        Case(
            "A file that only the first rank sees is read by it",
            shell="mpirun -q --oversubscribe -np 1 $LACIS solve --mpi A.mtx : -np 1 --wdir / $LACIS solve --mpi A.mtx",
            files={"A.mtx": SMALL}, code=(0, 4), complaints=None, seconds=10, needs=["mpi"],
        ),
        Case(
            "A directory that only one rank sees ends both",
            shell="mpirun -q --oversubscribe -np 1 $LACIS spmv --mpi m.csr : -np 1 --wdir / $LACIS spmv --mpi m.csr",
            files={"m.csr": csr_directory()}, code=4, error=["m.csr"], seconds=10, needs=["mpi"],
        ),
        Case(
            "Other matrices on one rank end both",
            shell="mpirun -q --oversubscribe -np 1 $LACIS solve --mpi @poisson2d:10 : -np 1 $LACIS solve --mpi @poisson2d:11",
            code=(1, 2, 4), seconds=10, needs=["mpi"],
        ),
        Case(
            "Another method on one rank ends both",
            shell="mpirun -q --oversubscribe -np 1 $LACIS solve --mpi @poisson2d:10 --method cg : -np 1 $LACIS solve --mpi @poisson2d:10 --method gmres",
            code=(1, 2, 4), seconds=10, needs=["mpi"],
        ),
        Case(
            "Another command on one rank ends both",
            shell="mpirun -q --oversubscribe -np 1 $LACIS solve --mpi @poisson2d:10 : -np 1 $LACIS spmv --mpi @poisson2d:10",
            code=(1, 2, 4), seconds=10, needs=["mpi"],
        ),
        Case("--mpi without mpirun works as one process", ["solve", "--mpi", "A.mtx"], files={"A.mtx": SMALL}, needs=["mpi"]),
        Case("--mpi on a command that has none is refused", ["info", "--mpi", "A.mtx"], files={"A.mtx": SMALL}, code=2, error=["--mpi"]),
        Case(
            "--mpi to a name that is taken leaves no part behind",
            shell="mpirun -q --oversubscribe -np 2 $LACIS reorder --mpi A.mtx --parts 2 -o m.csr", files={"A.mtx": SMALL, "m.csr": "x"},
            code=(1, 2), seconds=10, needs=["mpi"], after=[is_absent("m.csr/matrix.json")],
        ),
    ]
