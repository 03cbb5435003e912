# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Options that are right one by one and not together, files that would be lost, and advice on what was misspelt."""
from case import Case, is_absent, is_unchanged, named
from files import SMALL, column, link_to, mtx, npz, tridiagonal

FILES = {"A.mtx": tridiagonal(4), "a.npz": npz(), "b.txt": column([1, 2, 3, 4])}
TALL = mtx("3 2 3\n1 1 1\n2 2 1\n3 2 1\n")

# (what has no effect, arguments, texts of the message)
NO_EFFECT = [
    ("solve --every without --checkpoint", ["solve", "A.mtx", "--every", "5"], ["--every", "--checkpoint"]),
    ("eigs --every without --checkpoint", ["eigs", "A.mtx", "-k", "1", "--every", "5"], ["--every", "--checkpoint"]),
    ("solve --restart with cg", ["solve", "A.mtx", "--method", "cg", "--restart", "5"], ["--restart", "cg"]),
    ("solve --view with jacobi", ["solve", "A.mtx", "--preconditioner", "jacobi", "--view"], ["--view", "jacobi"]),
    ("a preconditioner of --method direct", ["solve", "A.mtx", "--method", "direct", "--preconditioner", "ilu0"], ["direct"]),
    ("--max-iterations of --method direct", ["solve", "A.mtx", "--method", "direct", "--max-iterations", "9"], ["direct"]),
    ("a preconditioner of a tall matrix", ["solve", "tall.mtx", "--preconditioner", "ilu0"], ["lsqr", "preconditioner"]),
    ("--mixed of a tall matrix", ["solve", "tall.mtx", "--mixed"], ["lsqr", "mixed"]),
    ("--mixed with lsqr", ["solve", "A.mtx", "--method", "lsqr", "--mixed"], ["lsqr", "mixed"]),
    ("--undirected of a Matrix Market file", ["info", "A.mtx", "--undirected"], ["--undirected", "A.mtx"]),
    ("--compact-ids of a Matrix Market file", ["convert", "A.mtx", "out.mtx", "--compact-ids"], ["--compact-ids", "A.mtx"]),
    ("--compact-ids of an .npz file", ["info", "a.npz", "--compact-ids"], ["--compact-ids"]),
    ("--from of a generated matrix", ["info", "@poisson2d:4", "--from", "npz"], ["--from"]),
    ("--undirected of a generated matrix", ["spmv", "@poisson2d:4", "--undirected"], ["--undirected"]),
    ("--round-integers of two generated matrices", ["spgemm", "@poisson2d:4", "@poisson2d:4", "--round-integers"], ["--round-integers"]),
    ("verify --limit without a device", ["verify", "--limit", "1"], ["--limit", "--device"]),
    ("info --size without --png", ["info", "A.mtx", "--size", "100"], ["--size", "--png"]),
]

# (what is lost, arguments, the file that stays)
LOST = [
    ("the matrix of reorder in its order", ["reorder", "A.mtx", "--by", "rcm", "-o", "out", "--order", "out"], None),
    ("the matrix of reorder by another spelling", ["reorder", "A.mtx", "--by", "rcm", "-o", "out", "--order", "./out"], None),
    ("x in the picture of solve", ["solve", "A.mtx", "-o", "f", "--svg", "f"], None),
    ("the vectors in the picture of eigs", ["eigs", "A.mtx", "-k", "1", "-o", "f", "--svg", "f"], None),
    ("the matrix of solve in x", ["solve", "A.mtx", "-o", "A.mtx"], "A.mtx"),
    ("the .npz file of solve in x", ["solve", "a.npz", "-o", "a.npz"], "a.npz"),
    ("the matrix of solve through a link", ["solve", "A.mtx", "-o", "link"], "A.mtx"),
    ("b in x", ["solve", "A.mtx", "b.txt", "-o", "b.txt"], "b.txt"),
    ("b in the picture", ["solve", "A.mtx", "b.txt", "--svg", "b.txt"], "b.txt"),
    ("x of a product in y", ["spmv", "A.mtx", "b.txt", "-o", "b.txt"], "b.txt"),
    ("the matrix of a product in y", ["spmv", "A.mtx", "-o", "A.mtx"], "A.mtx"),
    ("the matrix of eigs in its vectors", ["eigs", "A.mtx", "-k", "1", "-o", "A.mtx"], "A.mtx"),
    ("the graph of pagerank in its scores", ["pagerank", "A.mtx", "-o", "A.mtx"], "A.mtx"),
    ("the personalisation in the scores", ["pagerank", "A.mtx", "--personalisation", "b.txt", "-o", "b.txt"], "b.txt"),
    ("the matrix of info in its picture", ["info", "A.mtx", "--png", "A.mtx"], "A.mtx"),
    ("the matrix of partition in its picture", ["partition", "A.mtx", "-k", "1", "--svg", "A.mtx"], "A.mtx"),
    ("the matrix of lab in its picture", ["lab", "A.mtx", "--kernel", "csr_row", "--svg", "A.mtx"], "A.mtx"),
    ("the matrix of bench in its chart", ["bench", "spgemm", "A.mtx", "--seconds", "0", "--chart", "A.mtx"], "A.mtx"),
    ("the matrix of reorder in its order file", ["reorder", "A.mtx", "--by", "rcm", "-o", "o.mtx", "--order", "A.mtx"], "A.mtx"),
]

# (what was meant, arguments, texts of the message, texts that it must not have)
ADVICE = [
    ("an option of one letter is not guessed", ["solve", "A.mtx", "-b", "b.txt"], ["no option '-b'"], ["did you mean"]),
    ("an option that would replace the file behind it is not named", ["solve", "A.mtx", "--outpu", "b.txt"], ["--outpu"], ["--output"]),
    ("nor where the file follows an equals sign", ["solve", "A.mtx", "--outpu=b.txt"], ["--outpu"], ["--output"]),
    ("an option that would make a new file is named", ["solve", "A.mtx", "--outpu", "new"], ["did you mean '--output'?"], []),
    ("the beginning of an option leads to it", ["solve", "A.mtx", "--max-iter", "5"], ["did you mean '--max-iterations'?"], []),
    ("a method in capitals leads to it", ["solve", "A.mtx", "--method", "CG"], ["did you mean 'cg'?"], []),
    ("a preconditioner in capitals leads to it", ["solve", "A.mtx", "--preconditioner", "ILU0"], ["did you mean 'ilu0'?"], []),
    ("an unknown end of the spectrum leads to a list", ["eigs", "A.mtx", "--which", "LM"], ["smallest", "largest"], []),
    ("an unknown method leads to a list", ["solve", "A.mtx", "--method", "newton"], ["cg", "lsqr", "direct"], []),
    ("two orders are not called a missing one", ["reorder", "A.mtx", "--by", "rcm", "--parts", "2", "-o", "o.csr"], ["--by and --parts"], ["missing"]),
    ("an option that is there twice is named", ["info", "A.mtx", "--png", "p", "--png", "q"], ["--png is there twice"], ["At Most"]),
    ("an option without its value is named with it", ["info", "A.mtx", "--png"], ["--png FILE"], []),
]


def cases(program):
    files = {**FILES, "tall.mtx": TALL, "link": link_to("A.mtx")}
    every = named(
        "No effect is refused: ", NO_EFFECT,
        lambda words, texts: Case("", words, files=files, code=2, error=texts, after=[is_absent("out.mtx")]),
    )
    every += named(
        "Nothing is lost: ", LOST,
        lambda words, kept: Case("", words, files=files, code=2, error=["lacis: "], after=[is_unchanged(kept)] if kept else []),
    )
    every += named(
        "Advice: ", ADVICE, lambda words, texts, never: Case("", words, files=files, code=2, error=texts, absent=never)
    )
    every.append(Case("Two results may both go to /dev/null", ["solve", "A.mtx", "-o", "/dev/null", "--svg", "/dev/null"], files=files))
    every.append(Case("--round-integers of a file and a generated matrix works", ["spgemm", "S.mtx", "@poisson2d:2", "--round-integers"],
                      files={"S.mtx": tridiagonal(4)}))
    for method in ("cg", "minres"):
        every.append(Case(
            f"solve --method {method} names the cause where A is not Hermitian", ["solve", "C.mtx", "--method", method], code=3, error=["needs a Hermitian matrix"],
            files={"C.mtx": mtx("2 2 4\n1 1 2 1\n1 2 0 1\n2 1 0 3\n2 2 -2 0\n", "complex")}))
    every.append(Case("solve --view with auto works", ["solve", "A.mtx", "--view"], files=files))
    for words in (["eigs", "tall.mtx"], ["pagerank", "tall.mtx"], ["reorder", "tall.mtx", "--by", "rcm", "-o", "o.mtx"],
                  ["solve", "tall.mtx", "--method", "cg"], ["partition", "tall.mtx", "-k", "1"], ["spgemm", "tall.mtx"]):
        every.append(Case(f"{' '.join(words)} calls a matrix that is not square bad input", words, files=files, code=4, error=["tall.mtx", "square"]))
    every.append(Case("spgemm calls matrices that do not fit bad input", ["spgemm", "A.mtx", "tall.mtx"], files=files, code=4, error=["4 columns", "3 rows"]))
    every.append(Case("solve without a method takes a tall matrix", ["solve", "tall.mtx"], files=files))
    every.append(Case("bench small refuses a tall matrix", ["bench", "small", "tall.mtx"], files=files, code=4, error=["tall.mtx", "square"]))
    every.append(Case("bench small refuses a matrix without columns", ["bench", "small", "t.mtx"], files={"t.mtx": mtx("3 0 0\n")}, code=4, error=["square"]))
    every.append(Case("pagerank says that values are not used", ["pagerank", "S.mtx"], files={"S.mtx": SMALL}, output=["not used"]))
    every.append(Case(
        "compare --tolerance 0 takes 0 and -0 for equal", ["compare", "--vectors", "x", "y", "--tolerance", "0"], files={"x": "0\n1\n", "y": "-0\n1\n"}))
    every.append(Case(
        "compare tells 0 from -0 by their bits", ["compare", "--vectors", "x", "y"], files={"x": "0\n1\n", "y": "-0\n1\n"}, code=3))
    return every
