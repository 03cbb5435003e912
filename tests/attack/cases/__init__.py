# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The cases by subject. A new file of cases is one line here; it has a function cases() that returns a list."""
from cases import (
    agreement,
    checkpoints,
    environment,
    exhaustive,
    limits,
    malformed,
    malformed_binary,
    names,
    numbers,
    options,
    output,
    ranks,
    shapes,
    solver,
    terminal,
)

FILES = (options, agreement, exhaustive, malformed, malformed_binary, names, shapes, numbers, solver, output, limits, terminal, checkpoints, ranks, environment)


def every_case(program: str) -> list:
    """(file, case) of all of them; `program` is asked for its commands and options."""
    return [(file.__name__.rsplit(".", 1)[-1], case) for file in FILES for case in file.cases(program)]
