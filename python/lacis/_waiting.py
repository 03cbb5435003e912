# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""How threads wait for each other."""

import contextlib
import os

_SPINS = "1000"  # some tens of microseconds: enough between two products


@contextlib.contextmanager
def short_spins():
    """OpenMP, if it is loaded in here, lets waiting threads sleep soon.

    Its threads spin for milliseconds otherwise, also while other programs need the processor. It reads the variable when
    it is loaded: it is not left behind for other programs. What the user has set stays."""
    if any(name in os.environ for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")):
        yield
        return
    os.environ["GOMP_SPINCOUNT"] = _SPINS
    try:
        yield
    finally:
        del os.environ["GOMP_SPINCOUNT"]
