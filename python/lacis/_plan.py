# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Plans: a matrix inspected once and multiplied many times."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import CSR, dense_array, exact_values, is_torch, like_operand, output_array, parts_of, with_narrow_indices
from ._errors import InvalidArgument
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Array, Dense, Matrix


def readable_bytes(count):
    """7.9 MiB."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count} B"
        count /= 1024
    return f"{count:.1f} GiB"


def readable_seconds(seconds):
    """29 us."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


class Plan(_core.Plan):
    """A snapshot of a matrix, prepared for products; lacis.plan() makes it. Later changes of the matrix do not reach it.

    P @ x, P @ X, x @ P, P.T @ x, P.H @ x; P.matvec(x, out=y) computes into y. Any number of threads may multiply with one
    plan at a time. SciPy's solvers take it as a LinearOperator."""

    # NumPy leaves x @ P to the plan.
    __array_ufunc__ = None
    ndim: int = 2
    _kept: Any = None
    _by_columns: bool = False

    if TYPE_CHECKING:
        # Of the compiled part. A product is an array, or with a tensor a tensor.
        @property
        def dtype(self) -> np.dtype[Any]: ...
        def __matmul__(self, x: Dense) -> Any: ...
        def __rmatmul__(self, x: Dense) -> Any: ...
        def matvec(self, x: Dense, out: Any = None) -> Any: ...
        def rmatvec(self, x: Dense, out: Any = None) -> Any: ...
        def matmat(self, X: Dense, out: Any = None) -> Any: ...
        def rmatmat(self, X: Dense, out: Any = None) -> Any: ...

    def dot(self, x: Dense) -> Any:
        """P @ x."""
        return self @ x

    @property
    def T(self) -> Side:
        """The transpose of the plan, for plans made with transpose=True."""
        return Side(self, conjugated=False)

    @property
    def H(self) -> Side:
        """The conjugate transpose of the plan, for plans made with transpose=True."""
        return Side(self, conjugated=True)

    def update(self, data: Dense) -> None:
        """Other values for the same entries, in the order in which the CSR matrix had them. In place: products that are under way
        in other threads end first, later ones see the new values."""
        if self._by_columns:
            raise InvalidArgument(
                "this plan was made from a CSC matrix, whose values come in another order than the plan keeps: make it from A.tocsr() and update "
                "it with the values of that"
            )
        values = exact_values(data).reshape(-1)
        if values.dtype != self.dtype:
            if not np.can_cast(values.dtype, self.dtype, "safe"):
                raise InvalidArgument(f"the plan holds {self.dtype}; {values.dtype} values do not fit without rounding")
            values = values.astype(self.dtype)
        self._update(values)
        if self._kept is not None:
            parts, options = self._kept
            self._kept = (parts[:5] + (_frozen(values),), options)

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """What inspection compared, the best first: a list of dicts. Plans of devices have none."""
        return self._candidates()

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<lacis.plan {rows} x {cols}, {self.nnz:,} entries, {self.layout}, {readable_bytes(self.nbytes)}>"

    def _repr_html_(self) -> str:
        candidates = self.candidates
        most = max((c["moved_bytes"] for c in candidates), default=0) or 1
        lines = []
        for c in candidates:
            share = 100 * c["moved_bytes"] / most
            weight = "bold" if c["chosen"] else "normal"
            time = c["measured_seconds"] if c["measured_seconds"] is not None else c["seconds"]
            lines.append(
                f"<tr style='font-weight:{weight}'><td style='text-align:left'>{html.escape(c['layout'])}</td><td>{html.escape(c['values'])}</td>"
                f"<td>{readable_bytes(c['storage_bytes'])}</td><td>{readable_seconds(time)}</td>"
                f"<td style='text-align:left'><div style='background:steelblue;height:0.8em;width:{share:.0f}px'></div></td>"
                f"<td>{readable_bytes(c['moved_bytes'])}</td></tr>"
            )
        table = ""
        if lines:
            head = "<tr><th>layout</th><th>values</th><th>storage</th><th>time</th><th colspan=2>bytes per product</th></tr>"
            table = f"<table>{head}{''.join(lines)}</table>"
        return f"<p>{html.escape(repr(self))}</p>{table}<p>{html.escape(self.explain())}</p>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._kept is None:
            raise TypeError(
                "this plan does not keep its matrix, so it cannot be pickled; make it with lacis.plan(A, picklable=True), or send the "
                "matrix and make the plan where it is used"
            )
        return (_remake, self._kept)


class Side:
    """A plan from another side: its transpose or conjugate transpose."""

    __array_ufunc__ = None
    ndim: int = 2

    def __init__(self, plan: Plan, conjugated: bool) -> None:
        self._plan = plan
        self._conjugated = conjugated

    @property
    def shape(self) -> tuple[int, int]:
        return self._plan.shape[::-1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._plan.dtype

    def matvec(self, x: Dense, out: Any = None) -> Any:
        """A^T @ x, or A^H @ x."""
        if self._conjugated or self.dtype.kind != "c":
            return self._plan.rmatvec(x, out)
        return _conjugated(self._plan.rmatvec, x, out)

    def rmatvec(self, x: Dense, out: Any = None) -> Any:
        """The adjoint of this side."""
        if self._conjugated or self.dtype.kind != "c":
            return self._plan.matvec(x, out)
        return _conjugated(self._plan.matvec, x, out)

    matmat = matvec
    rmatmat = rmatvec

    def __matmul__(self, x: Dense) -> Any:
        return self.matvec(x)

    def __rmatmul__(self, x: Dense) -> Any:
        # x A^T = (A x^T)^T; x A^H = conj(A) x^T, likewise.
        x = np.asarray(x)
        if self._conjugated and self.dtype.kind == "c":
            return np.conj(self._plan.matvec(np.conj(x.T))).T
        return self._plan.matvec(x.T).T

    def dot(self, x: Dense) -> Any:
        return self.matvec(x)

    @property
    def T(self) -> Plan:
        if self._conjugated and self.dtype.kind == "c":
            raise InvalidArgument("the conjugate of a plan is not held; use P.T, P.H or conjugate the operand")
        return self._plan

    @property
    def H(self) -> Plan:
        if not self._conjugated and self.dtype.kind == "c":
            raise InvalidArgument("the conjugate of a plan is not held; use P.T, P.H or conjugate the operand")
        return self._plan

    def __repr__(self) -> str:
        return f"{self._plan!r}.{'H' if self._conjugated else 'T'}"


def _conjugated(multiply, x, out):
    """The product with the conjugate of a matrix."""
    y = np.conj(multiply(np.conj(dense_array(x))))
    if out is None:
        return like_operand(x, y)
    (output_array(out) if is_torch(out) else out)[...] = y
    return out


def from_the_left(x, plan):
    """x @ P of a complex plan, which holds the adjoint; called by the compiled part."""
    x = np.asarray(x)
    return np.conj(plan.rmatvec(np.conj(x.T))).T


def _frozen(array):
    """The array itself if nothing can change it, else a copy that nothing can."""
    owner = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            array = array.copy()
            break
        owner = owner.base
    if array.flags.writeable:
        array.flags.writeable = False
    return array


def _remake(parts, options):
    return plan(None, _parts=parts, picklable=True, **options)


def plan(
    A: Matrix,
    uses: float | None = 1000,
    threads: int | None = None,
    memory: int | None = None,
    transpose: bool = False,
    tune: bool = False,
    layout: str | None = None,
    device: str | None = "cpu",
    picklable: bool = False,
    borrow: bool = False,
    *,
    _parts: tuple[Any, ...] | None = None,
) -> Plan:
    """A plan for products with A: the layout that suits it, made once.

    A: a SciPy matrix, a torch tensor, (data, indices, indptr), a dense array, a file or a description such as '@rmat:16'.
    uses: how many products are expected; a layout that takes long to make has to be worth it.
    threads: of its products (default: lacis.get_num_threads()). The bits do not depend on it.
    memory: bytes that the plan may hold (default: no limit).
    transpose: also hold the transpose, for P.T @ x, P.H @ x, x @ P and P.rmatvec(x).
    tune: time the best candidates instead of trusting the prediction.
    layout: 'csr', 'sell', ... (default: chosen).
    borrow: you will not change A while the plan lives; where 'csr' is the best layout, the plan then uses A's own arrays and keeps no copy.
    picklable: keep the matrix too, so that the plan can be sent to another process, which inspects it again. Arrays that can
    be written are copied for it."""
    parts = _parts if _parts is not None else parts_of(A)
    if uses is not None and not uses > 0:
        raise InvalidArgument(f"uses must be positive, not {uses}")
    made = Plan(
        parts if borrow else with_narrow_indices(parts),
        float(uses or 0),
        count_of(threads),
        0 if memory is None else int(memory),
        bool(transpose),
        bool(tune),
        layout or "",
        "" if device in (None, "cpu") else device,
        bool(borrow),
    )
    if parts[0] != CSR:
        made._by_columns = True
    if picklable:
        kept = parts[:3] + tuple(_frozen(array) for array in parts[3:])
        made._kept = (kept, dict(uses=uses, threads=threads, memory=memory, transpose=transpose, tune=tune, layout=layout, device=device))
    return made
