# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What there is to know about a matrix and about this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import as_csr, parts_of

if TYPE_CHECKING:
    from ._types import Array, Matrix


class Info(dict[str, Any]):
    """Facts of a matrix: a dict whose names are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no fact {name!r}; there are {', '.join(self)}") from None

    def _lines(self):
        kinds = [name.replace("_", " ") for name in ("symmetric", "skew_symmetric", "hermitian") if self[name]]
        kinds = kinds or (["symmetric pattern"] if self["pattern_symmetric"] else ["not symmetric"])
        return [
            ("size", f"{self['rows']:,} x {self['cols']:,}, {self['entries']:,} entries ({100 * self['density']:.3g} %)"),
            ("values", f"{self['value_type']}, {8 * self['index_bytes']}-bit indices"),
            ("rows", f"{self['shortest_row']:,} to {self['longest_row']:,} entries, mean {self['mean_row']:.3g}, median {self['median_row']:g}"),
            ("empty", f"{self['empty_rows']:,} rows, {self['empty_cols']:,} columns"),
            ("bandwidth", f"{self['lower_bandwidth']:,} below, {self['upper_bandwidth']:,} above the diagonal"),
            ("diagonal", f"{self['diagonal_entries']:,} entries"),
            ("symmetry", ", ".join(kinds)),
        ]

    def __repr__(self) -> str:
        return "\n".join(f"{name:<10} {text}" for name, text in self._lines())

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{text}</td></tr>" for name, text in self._lines())
        return f"<table>{rows}</table>"


def info(a: Matrix) -> Info:
    """Facts of a matrix: sizes, lengths of rows, bandwidth, diagonal, symmetry."""
    return Info(_core.info(as_csr(parts_of(a))))


class Spy:
    """Entries of a matrix per cell of a grid. Shows itself in a notebook; plot() draws it with matplotlib."""

    def __init__(self, counts: Array, shape: tuple[int, int]) -> None:
        self.counts = counts
        self.shape = shape

    def __repr__(self) -> str:
        height, width = self.counts.shape
        return f"<lacis.spy {self.shape[0]} x {self.shape[1]} on {height} x {width} cells, {int(self.counts.sum()):,} entries>"

    def _shades(self):
        """0 to 1 per cell, on a logarithmic scale."""
        most = self.counts.max(initial=0)
        return np.log1p(self.counts) / np.log1p(most) if most else np.zeros(self.counts.shape)

    def plot(self, ax: Any = None, cmap: Any = "Blues") -> Any:
        """Draws it on matplotlib axes, and gives them back."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots()[1]
        rows, cols = self.shape
        ax.imshow(self._shades(), cmap=cmap, extent=(0, cols, rows, 0), interpolation="nearest", vmin=0, vmax=1)
        ax.set_xlabel("column")
        ax.set_ylabel("row")
        return ax

    def _repr_svg_(self) -> str:
        height, width = self.counts.shape
        shades = self._shades()
        cells = "".join(
            f'<rect x="{x}" y="{y}" width="1" height="1" fill-opacity="{0.15 + 0.85 * shades[y, x]:.2f}"/>' for y, x in np.argwhere(self.counts)
        )
        scale = max(1, 320 // max(width, height, 1))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}" height="{height * scale}" viewBox="0 0 {width} {height}">'
            f'<rect width="{width}" height="{height}" fill="white" stroke="gray" stroke-width="0.1"/><g fill="navy">{cells}</g></svg>'
        )


def spy(a: Matrix, width: int = 64, height: int = 64) -> Spy:
    """Where the entries are, on a grid of at most width x height cells."""
    parts = parts_of(a)
    parts = parts if parts[0] == 0 else as_csr(parts)
    return Spy(_core.spy(parts, int(width), int(height)), (parts[1], parts[2]))


class Findings(list[tuple[str, str, str, str]]):
    """What doctor() found: (mark, name, state, advice) each."""

    def __repr__(self) -> str:
        lines = []
        for mark, name, state, advice in self:
            lines.append(f"{mark:<5} {name}: {state}")
            if advice:
                lines.append(f"      {advice}")
        return "\n".join(lines)


def doctor() -> Findings:
    """What this machine offers to sparse matrices, and what could be improved."""
    return Findings(_core.doctor())
