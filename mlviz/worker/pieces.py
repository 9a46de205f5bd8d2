"""A field that takes long, sampled some rows of nodes at a time: between two pieces something new may come."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Hashable
from typing import Any

import numpy as np

from mlviz.numerics.arrays import AnyArray
from mlviz.numerics.grid import Grid
from mlviz.pipeline.field_sample import FieldSample, field_on
from mlviz.pipeline.model import PipelineModel

WHOLE_SECONDS = 0.25
"""What takes no longer is sampled at once."""
_PIECE_SECONDS = 0.15
"""A piece that took less is followed by a larger one, one that took twice as long by a smaller one."""
_FIRST_SHARE = 16
"""The first piece is this part of the rows."""


class FieldInPieces:
    """The field of one model on one grid, as far as it has come."""

    def __init__(self, key: Hashable, model: PipelineModel, grid: Grid, seconds: float | None) -> None:
        """`seconds` are those that the whole is expected to take; None where nobody knows."""
        self.key = key
        self.seconds = 0.0
        """How long it took so far."""
        self._model, self._grid = model, grid
        self._pieces: list[FieldSample] = []
        self._sampled = 0
        known = seconds is not None and seconds <= WHOLE_SECONDS
        self._rows = len(grid.y) if known else -(-len(grid.y) // _FIRST_SHARE)

    def advance(self, deadline: float) -> FieldSample | None:
        """Sample rows until `deadline` (time.perf_counter), one piece at the least; the field if all are sampled."""
        while (left := len(self._grid.y) - self._sampled) > 0:
            rows = slice(self._sampled, self._sampled + min(self._rows, left))
            start = time.perf_counter()
            whole = rows.stop - rows.start == len(self._grid.y)
            grid = self._grid if whole else dataclasses.replace(self._grid, y=self._grid.y[rows])
            self._pieces.append(field_on(self._model, grid))
            now = time.perf_counter()
            self.seconds += now - start
            self._sampled = rows.stop
            self._plan(now - start, left - (rows.stop - rows.start))
            if now >= deadline:
                break
        return None if self._sampled < len(self._grid.y) else _joined(self._pieces)

    def _plan(self, took: float, left: int) -> None:
        """Say how many rows the next piece has, by how long those of the last one took."""
        if took * left <= WHOLE_SECONDS * self._rows:
            self._rows = left
        elif took < _PIECE_SECONDS:
            self._rows *= 2
        elif took > 2 * _PIECE_SECONDS:
            self._rows = max(1, self._rows // 2)


def _joined(pieces: list[FieldSample]) -> FieldSample:
    if len(pieces) == 1:
        return pieces[0]
    fields = (f.name for f in dataclasses.fields(FieldSample))
    return FieldSample(**{name: _stacked([getattr(piece, name) for piece in pieces]) for name in fields})


def _stacked(parts: list[Any]) -> AnyArray | None:
    return None if parts[0] is None else np.concatenate(parts)
