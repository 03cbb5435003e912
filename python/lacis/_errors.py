# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions of lacis: each is a lacis.Error with a code, and the exception of Python that one expects."""

from typing import Any


class Error(RuntimeError):
    """What lacis could not do. code is a word: 'invalid argument', 'bad input', ..."""

    code: str = "internal"

    def __init__(self, message: str = "", code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.code))


class InvalidArgument(Error, ValueError):
    """Sizes that do not fit, unknown names."""

    code = "invalid argument"


class InvalidMatrix(Error, ValueError):
    """The arrays are not a matrix, or it lacks what the operation needs."""

    code = "invalid matrix"


class BadInput(Error, ValueError):
    """A file is malformed; the message says where."""

    code = "bad input"


class IoError(Error, OSError):
    """The system could not read or write."""

    code = "io"

    def __init__(self, message: str = "", code: str | None = None) -> None:
        Error.__init__(self, message, code)


class Unsupported(Error, NotImplementedError):
    """This build or this machine cannot do it."""

    code = "unsupported"


class Overflow(Error, OverflowError):
    """A size or a value does not fit its type."""

    code = "overflow"


class OutOfMemory(Error, MemoryError):
    """An allocation failed, or would have passed a limit."""

    code = "out of memory"


class NoDevice(Error):
    """The device is not there."""

    code = "no device"


class Stopped(Error):
    """A function of the caller ended the operation."""

    code = "stopped"


class LacisWarning(UserWarning):
    """A result that needs a second look, such as a solution that did not converge."""


# By the numbers of lacis_status in lacis.h.
_BY_STATUS = {
    1: InvalidArgument,
    2: InvalidMatrix,
    3: BadInput,
    4: IoError,
    5: Unsupported,
    6: Overflow,
    7: OutOfMemory,
    8: NoDevice,
    9: Error,
    10: Stopped,
    11: Error,
}


def from_status(status, message):
    """The exception for a status of the C interface. Called by the compiled part."""
    kind = _BY_STATUS.get(status, Error)
    return kind(message, "kernel fault") if status == 9 else kind(message)
