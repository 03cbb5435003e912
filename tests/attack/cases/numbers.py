# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptions of generated matrices and lists of numbers, with absurd numbers."""
from case import Case

GENERATORS = ["banded", "density", "kmer", "mesh3d", "poisson2d", "poisson3d", "powerlaw", "rmat", "stencil27", "uniform"]
ARGUMENTS = ["-1", "nan", "inf", "1e999", "99999999999999999999", "x", "", "1,", ",1", "1,,2", "1e-40", "0x10", "1.5.5", "²", " 1", "1 ", "1e", "+", "-"]


def cases(program):
    every = []
    for name in GENERATORS:
        for argument in ARGUMENTS if name in ("rmat", "poisson2d") else ("nan", "-1", "1e999"):  # one parser reads all
            every.append(Case(
                f"The description @{name}:{argument} is refused", ["info", f"@{name}:{argument}"], code=2, error=["lacis: "],
                megabytes=150, seconds=5,
            ))
        every.append(Case(f"The description @{name}:0 is refused or has no rows", ["info", f"@{name}:0"], code=(0, 2), seconds=5))
        every.append(Case(
            f"The description @{name}:1e18 is too large", ["info", f"@{name}:1e18"], code=(1, 2, 5), error=["lacis: "], megabytes=150,
            seconds=5,
        ))
        every.append(Case(
            f"The description @{name}:1e18,1e18 is too large", ["info", f"@{name}:1e18,1e18"], code=(1, 2, 5), error=["lacis: "],
            megabytes=150, seconds=5,
        ))
        every.append(Case(f"The description @{name} without arguments is refused", ["info", f"@{name}"], code=2, error=[name], seconds=5))
        every.append(Case(
            f"The description @{name} with ten arguments is refused", ["info", f"@{name}:1,2,3,4,5,6,7,8,9,10"], code=2, error=[name],
            seconds=5,
        ))
        every.append(Case(f"The description @{name} with a wrong seed is refused", ["info", f"@{name}:4,seed=-1"], code=2, error=["seed"], seconds=5))
        every.append(Case(
            f"The description @{name} with two seeds is refused", ["info", f"@{name}:4,seed=1,seed=2"], code=2, error=["seed"], seconds=5,
        ))
    for words in ("@", "@:", "@:4", "@@rmat:4", "@rmat:4,sead=1", "@rmta:4", "@RMAT:4", "@rmat 4", "@rmat:4:4"):
        every.append(Case(f"The description {words!r} is refused", ["info", words], code=2, error=["lacis: "]))
    for values in ("odd", "", "Natural", "natural,ones"):
        every.append(Case(f"The values {values!r} are refused", ["info", "@rmat:4", "--values", values], code=(0, 2) if not values else 2))
    for option, words in (
        ("-k", ["partition", "@poisson2d:4"]),
        ("--block", ["lab", "@poisson2d:4"]),
        ("--kernel", ["lab", "@poisson2d:4"]),
        ("--threads-list", ["verify"]),
        ("--isa", ["verify"]),
    ):
        for value in (",", "1,,2", ",1", "1,", "1,x", "0", "-1", "", "1;2", "99999999999"):
            if value in ("1,", ",1", "1,,2") and option in ("-k", "--threads-list"):
                continue
            every.append(Case(f"{words[0]} {option} {value!r} is refused", [*words, option, value], code=2, error=["lacis: "], seconds=5))
    for network in ("", ",", "1", "1,", ",1", "0,0", "-1,1", "1,-1", "nan,1", "1,nan", "inf,inf", "1e999,1", "1,2,3", "ethernet", "1;2", "1,5;2"):
        every.append(Case(
            f"scale refuses the network {network!r}", ["scale", "@poisson2d:8", "-k", "1", "--bandwidth", "10", "--network", network],
            code=2, error=["lacis: "],
        ))
    for ranks in ("2", "1000000000", "1,2,4", "2147483647", "2147483648"):
        every.append(Case(
            f"partition of 16 rows into {ranks} ranks works or is refused", ["partition", "@poisson2d:4", "-k", ranks], code=(0, 2),
            megabytes=200, seconds=5,
        ))
        every.append(Case(
            f"scale of 16 rows into {ranks} ranks works or is refused",
            ["scale", "@poisson2d:4", "-k", ranks, "--bandwidth", "10", "--network", "loopback"], code=(0, 2), megabytes=200, seconds=10,
        ))
    for parts in ("1", "2", "17", "1073741824"):
        every.append(Case(
            f"reorder of 16 rows into {parts} parts works or is refused", ["reorder", "@poisson2d:4", "--parts", parts, "-o", "m.csr"],
            code=(0, 1, 2), megabytes=200, seconds=10,
        ))
    for top in ("0", "17", "1152921504606846976"):
        every.append(Case(f"pagerank --top {top} of 16 pages works", ["pagerank", "@poisson2d:4", "--top", top], megabytes=200))
    for uses in ("1", "1e18", "1.5"):
        every.append(Case(f"plan --uses {uses} works", ["plan", "@poisson2d:4", "--uses", uses]))
    for columns in ("1", "1073741824"):
        every.append(Case(f"plan --columns {columns} works", ["plan", "@poisson2d:4", "--columns", columns], megabytes=200))
    for seed in ("0", "18446744073709551615", "18446744073709551616", "-1"):
        every.append(Case(
            f"generate --seed {seed} works or is refused", ["generate", "@rmat:4", "-o", "o.mtx", "--seed", seed],
            code=0 if seed in ("0", "18446744073709551615") else 2,
        ))
    for entries in ("0", "1", "all", "ALL", "9223372036854775807", "9223372036854775808"):
        every.append(Case(
            f"lab --entries {entries} works or is refused", ["lab", "@poisson2d:4", "--entries", entries, "--kernel", "csr_row"],
            code=(0, 2), seconds=30,
        ))
    return every
