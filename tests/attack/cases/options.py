# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Command lines in unusual order and with values that look like something else."""
from case import Case, begins, is_json
from files import SMALL

FILES = {"A.mtx": SMALL}


def cases(program):
    return [
        Case("The program alone asks for a command", [], code=2, error=["lacis help"]),
        Case("An empty command is refused", [""], code=2, error=["lacis: "]),
        Case("A command of blanks is refused", [" "], code=2, error=["lacis: "]),
        Case("A dash as a command is refused", ["-"], code=2, error=["lacis: "]),
        Case("Two dashes as a command are refused", ["--"], code=2, error=["lacis: "]),
        Case("A misspelt command is corrected", ["inof", "A.mtx"], code=2, error=["did you mean 'info'?"]),
        Case("A command in capitals is refused", ["INFO", "A.mtx"], code=2, error=["lacis: "]),
        Case("Options before the command are refused", ["--json", "info", "A.mtx"], code=2, error=["after the command"]),
        Case("--version works", ["--version"], output=["lacis "]),
        Case("-V works", ["-V"], output=["lacis "]),
        Case("--version with more words still tells the version or refuses them", ["--version", "info"], code=(0, 2)),
        Case("--help works", ["--help"], output=["info"]),
        Case("-h works", ["-h"], output=["info"]),
        Case("help of help works", ["help", "help"], output=["help"]),
        Case("help of nothing known is refused", ["help", "nothing"], code=2, error=["nothing"]),
        Case("help of two commands is refused", ["help", "info", "convert"], code=2, error=["convert"]),
        Case("completion of an unknown shell is refused", ["completion", "tcsh"], code=2, error=["tcsh"]),
        Case("Options may come first", ["info", "--json", "--no-spy", "A.mtx"], files=FILES, after=[is_json]),
        Case("Options may come last", ["info", "A.mtx", "--json"], files=FILES, after=[is_json]),
        Case("Values may be joined with =", ["info", "A.mtx", "--size=100", "--png=p.png"], files=FILES, after=[begins("p.png", b"\x89PNG")]),
        Case("A value after = may be empty and is then refused", ["info", "A.mtx", "--size="], files=FILES, code=2, error=["--size"]),
        Case("Short options may be joined with their value", ["spmv", "A.mtx", "-oy"], files=FILES, after=[begins("y", b"")]),
        Case("A flag does not take a value that says no", ["info", "A.mtx", "--json=maybe"], files=FILES, code=2, error=["json"]),
        Case("An abbreviated option is refused", ["info", "A.mtx", "--jso"], files=FILES, code=2, error=["--json"]),
        Case("An option in capitals is refused", ["info", "A.mtx", "--JSON"], files=FILES, code=2, error=["--JSON"]),
        Case(
            "A value that looks like an option is a value and no option, or is refused", ["spmv", "A.mtx", "-o", "--json"], files=FILES,
            code=(0, 2), absent=['"rows"'],
        ),
        Case("A file that looks like an option comes after --", ["info", "--json", "--", "--json"], files={"--json": SMALL}, after=[is_json]),
        Case("What follows -- is never an option", ["info", "A.mtx", "--", "--json"], files=FILES, code=2, error=["--json"]),
        Case("A file that looks like a negative number is read", ["info", "--json", "-5"], files={"-5": SMALL}, code=(0, 2)),
        Case(
            "A file whose name looks like a description is read with its folder", ["info", "--json", "./@rmat:4"],
            files={"@rmat:4": SMALL}, output=['"entries": 5'],
        ),
        Case("A file named - is read with its folder", ["info", "--json", "./-"], files={"-": SMALL}, output=['"entries": 5']),
        Case("Help inside the arguments explains the command", ["info", "A.mtx", "--help"], files=FILES, output=["--png"]),
        Case("A thousand arguments are refused", ["info", *["A.mtx"] * 1000], files=FILES, code=2, error=["A.mtx"]),
        Case("--json twice is one", ["info", "A.mtx", "--json", "--json"], files=FILES, code=(0, 2)),
        Case("--seed for a file is refused", ["info", "A.mtx", "--seed", "3"], files=FILES, code=2, error=["--seed"]),
        Case(
            "--json and a picture on standard output are refused", ["info", "A.mtx", "--json", "--png", "-"], files=FILES, code=2,
            error=["standard output"],
        ),
        Case(
            "--json and a matrix on standard output are refused", ["convert", "A.mtx", "-", "--json"], files=FILES, code=2,
            error=["standard output"],
        ),
        Case(
            "Two results of reorder on standard output are refused", ["reorder", "A.mtx", "--by", "rcm", "-o", "-", "--order", "-"],
            files=FILES, code=2, error=["standard output"],
        ),
        Case(
            "--json and an order on standard output are refused",
            ["reorder", "A.mtx", "--by", "rcm", "-o", "o.mtx", "--order", "-", "--json"], files=FILES, code=2, error=["standard output"],
        ),
        Case(
            "partition --json and a picture on standard output are refused", ["partition", "A.mtx", "-k", "1", "--svg", "-", "--json"],
            files=FILES, code=2, error=["standard output"],
        ),
        Case(
            "lab --json and a picture on standard output are refused", ["lab", "A.mtx", "--svg", "-", "--json"], files=FILES, code=2,
            error=["standard output"],
        ),
        Case(
            "bench --json and a chart on standard output are refused", ["bench", "spgemm", "A.mtx", "--chart", "-", "--json"], files=FILES,
            code=2, error=["standard output"],
        ),
        Case(
            "convert to /dev/stdout writes there", shell="$LACIS convert A.mtx /dev/stdout | $LACIS info --json -", files=FILES,
            output=['"entries": 5'],
        ),
        Case(
            "convert to /dev/stdout that is a file keeps the file",
            shell="echo first > o; $LACIS convert -q A.mtx /dev/stdout >> o; head -1 o; ls -A", files=FILES, output=["A.mtx"],
        ),
        Case("convert from /dev/stdin reads there", shell="$LACIS info --json /dev/stdin < A.mtx", files=FILES, output=['"entries": 5']),
        Case("reorder without an order is refused", ["reorder", "A.mtx", "-o", "o.mtx"], files=FILES, code=2, error=["--by"]),
        Case(
            "reorder with two orders is refused", ["reorder", "A.mtx", "-o", "o.csr", "--by", "rcm", "--parts", "2"], files=FILES, code=2,
            error=["--by"],
        ),
        Case("reorder --parts to a file is refused", ["reorder", "A.mtx", "-o", "o.mtx", "--parts", "2"], files=FILES, code=2, error=[".csr"]),
        Case(
            "An unknown format to write is refused and corrected", ["convert", "A.mtx", "o", "--to", "matrix-markt"], files=FILES, code=2,
            error=["matrix-market"],
        ),
        Case("An unknown format to read is refused before the file", ["info", "missing", "--from", "nzp"], code=2, error=["npz"]),
        Case("An unknown type is refused", ["solve", "A.mtx", "--type", "half"], files=FILES, code=2, error=["half"]),
        Case("An unknown instruction set is refused", ["spgemm", "A.mtx", "--isa", "neon"], files=FILES, code=2, error=["neon"]),
        Case("An unknown layout is refused", ["plan", "A.mtx", "--layout", "ell"], files=FILES, code=2, error=["ell"]),
        Case("An unknown GPU is refused", ["lab", "A.mtx", "--gpu", "t5"], files=FILES, code=2, error=["t5"]),
        Case("An unknown kernel is refused", ["lab", "A.mtx", "--kernel", "nothing"], files=FILES, code=2, error=["nothing"]),
        Case("lab of nothing is refused", ["lab"], code=2, error=["lacis: "]),
        Case("verify of an unknown operation is refused", ["verify", "spvm"], code=2, error=["spvm"]),
        Case("verify with an unknown instruction set is refused", ["verify", "--isa", "neon"], code=2, error=["neon"]),
        Case("bench of an unknown operation is refused", ["bench", "spmvv", "A.mtx"], files=FILES, code=2, error=["spmv"]),
        Case("bench without a matrix is refused", ["bench", "spmv"], code=2, error=["lacis: "]),
        Case("bench plan --all with a matrix is refused", ["bench", "plan", "A.mtx", "--all"], files=FILES, code=2, error=["--all"]),
        Case("bench plan --files of a missing folder is refused", ["bench", "plan", "--files", "missing"], files=FILES, code=4, error=["missing"]),
        Case("bench with an unknown library is refused", ["bench", "spmv", "A.mtx", "--peers", "mlk"], files=FILES, code=2, error=["mkl"]),
        Case("doctor with an unknown device is refused", ["doctor", "--device", "gpu"], code=(2, 5), error=["gpu"]),
        Case("generate of a file is refused", ["generate", "A.mtx", "-o", "o.mtx"], files=FILES, code=2, error=["@"]),
        Case("generate without an output is refused", ["generate", "@rmat:4"], code=2, error=["-o"]),
        Case(
            "A standard input for both matrices of a product is refused", ["spgemm", "-", "-"], stdin=SMALL.encode(), code=2,
            error=["standard input"],
        ),
    ]
