"""The samples, as one immutable value."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask
from mlviz.spec.brief import Brief

KEYED_CLASSES = 9
"""How many classes have a key and can be clicked; a table may bring more."""
_KINDS = {"X": np.float64, "labels": np.intp, "held_out": np.bool_, "active": np.bool_}
"""The arrays, and the type of their numbers."""


def default_class_name(code: int) -> str:
    """What a class is called until it has a name of its own."""
    return f"class {code + 1}"


@dataclass(frozen=True, eq=False)
class Dataset(Brief):
    """Samples X (n, d) with class codes labels (n,); every edit returns a new data set.

    `held_out` (n,) marks test samples, `active` (n,) those that are switched on. `class_names[c]` is the name of code c
    (codes beyond it have a default name). `source` is the generator that made the samples and knows the truth; the
    first edit drops it. `key` is random, new with every change, and names the content in caches.
    """

    X: Array
    labels: Labels
    columns: tuple[str, ...] = ("x1", "x2")
    class_column: str = "class"
    class_names: tuple[str, ...] = ()
    held_out: Mask = field(default=None)  # type: ignore[arg-type]
    active: Mask = field(default=None)  # type: ignore[arg-type]
    source: Any = None
    key: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        X = _own(self.X, np.float64, (-1, len(self.columns)))
        n = len(X)
        arrays = {
            "X": X,
            "labels": _own(self.labels, np.intp, (n,)),
            "held_out": _mask(self.held_out, n, False),
            "active": _mask(self.active, n, True),
        }
        if not np.isfinite(X).all():
            raise ValueError("samples are finite numbers")
        for name, array in arrays.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __getstate__(self) -> dict[str, Any]:
        """The arrays as bytes, which cross to the worker in half the time."""
        return vars(self) | {name: getattr(self, name).tobytes() for name in _KINDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # What stands in bytes is read-only.
        arrays: dict[str, AnyArray] = {name: np.frombuffer(state[name], kind) for name, kind in _KINDS.items()}
        arrays["X"] = arrays["X"].reshape(len(arrays["labels"]), len(state["columns"]))
        vars(self).update(state, **arrays)

    def __len__(self) -> int:
        return len(self.X)

    @classmethod
    def empty(cls, columns: Sequence[str] = ("x1", "x2")) -> Dataset:
        """No samples."""
        return cls(np.empty((0, len(columns))), np.empty(0, dtype=np.intp), tuple(columns))

    def class_name(self, code: int) -> str:
        """The name of a class."""
        return self.class_names[code] if code < len(self.class_names) else default_class_name(code)

    @property
    def training(self) -> Mask:
        """(n,) which samples take part in a fit."""
        return self.active & ~self.held_out

    @property
    def test(self) -> Mask:
        """(n,) by which samples a fit is judged: those held out and switched on."""
        return self.active & self.held_out

    def names(self) -> tuple[str, ...]:
        """The names of the codes 0 to the largest one in use or named."""
        top = max(int(self.labels.max(initial=-1)) + 1, len(self.class_names))
        return tuple(map(self.class_name, range(top)))

    def column(self, name: str) -> int:
        """The index of a column; raises KeyError."""
        try:
            return self.columns.index(name)
        except ValueError:
            raise KeyError(name) from None

    def add(self, points: ArrayLike, label: int, axes: Sequence[int] = (0, 1)) -> Dataset:
        """With points (m, k) on the k columns `axes`; the other columns take their mean (0 when empty)."""
        given = np.asarray(points, dtype=np.float64)
        n = len(given) if given.ndim > 1 else given.size // len(axes)
        rows = np.zeros((n, len(self.columns)))
        if len(self) and len(axes) < len(self.columns):
            rows[:] = self.X.mean(axis=0)
        rows[:, list(axes)] = given.reshape(n, len(axes))
        return self._edited(
            X=np.concatenate((self.X, rows)),
            labels=np.concatenate((self.labels, np.full(n, label))),
            held_out=np.concatenate((self.held_out, np.zeros(n, dtype=bool))),
            active=np.concatenate((self.active, np.ones(n, dtype=bool))),
        )

    def move(self, rows: ArrayLike, points: ArrayLike, axes: Sequence[int] = (0, 1)) -> Dataset:
        """With the samples `rows` (m,) at points (m, k) on the k columns `axes`."""
        X = self.X.copy()
        where = np.ix_(np.atleast_1d(np.asarray(rows, dtype=np.intp)), np.asarray(axes))
        X[where] = np.asarray(points, dtype=np.float64)
        return self._edited(X=X)

    def erase(self, rows: ArrayLike) -> Dataset:
        """Without the samples `rows`."""
        keep = np.delete(np.arange(len(self)), np.asarray(rows, dtype=np.intp))
        return self._edited(
            X=self.X[keep], labels=self.labels[keep], held_out=self.held_out[keep], active=self.active[keep]
        )

    def relabel(self, rows: ArrayLike, label: int) -> Dataset:
        """With the samples `rows` in class `label`."""
        labels = self.labels.copy()
        labels[np.asarray(rows, dtype=np.intp)] = label
        return self._edited(labels=labels)

    def with_held_out(self, samples: ArrayLike) -> Dataset:
        """With those samples held out, by a mask (n,) or by their rows, and no others; they and their source stay."""
        return replace(self, key=secrets.token_hex(8), held_out=_chosen(samples, len(self)))

    def with_active(self, samples: ArrayLike) -> Dataset:
        """With those samples switched on, by a mask (n,) or by their rows, and no others; all and their source stay."""
        return replace(self, key=secrets.token_hex(8), active=_chosen(samples, len(self)))

    def rename(self, code: int, name: str) -> Dataset:
        """With another name for a class, "" for the usual one; the samples, and with them their source, stay."""
        names = [self.class_name(c) for c in range(max(code + 1, len(self.class_names)))]
        names[code] = name or default_class_name(code)
        while names and names[-1] == default_class_name(len(names) - 1):
            names.pop()
        return replace(self, class_names=tuple(names), key=secrets.token_hex(8))

    def _edited(self, **changes: Any) -> Dataset:
        return replace(self, source=None, key=secrets.token_hex(8), **changes)


def class_codes(classes: Sequence[str], names: list[str]) -> list[int]:
    """The codes of classes by their names, the first of equal ones; new names are added to `names`."""
    names += [name for name in dict.fromkeys(classes) if name not in names]
    codes = {name: code for code, name in reversed(list(enumerate(names)))}
    return [codes[name] for name in classes]


def nearest_of(places: Array, point: ArrayLike, scale: ArrayLike = (1.0, 1.0)) -> tuple[int, float]:
    """The row of places (n, 2) nearest to point (2,) and its distance, both axes multiplied by `scale`.

    Of several equally near ones it is the last, the one drawn on top; (-1, inf) where there is none.
    """
    if not len(places):
        return -1, float("inf")
    offset = (places - np.asarray(point, dtype=np.float64)) * np.asarray(scale, dtype=np.float64)
    distance = np.hypot(offset[:, 0], offset[:, 1])
    row = len(distance) - 1 - int(np.argmin(distance[::-1]))
    return row, float(distance[row])


def _chosen(samples: ArrayLike, n: int) -> Mask:
    """The mask (n,) of samples that are given by a mask or by rows."""
    given = np.asarray(samples)
    if given.dtype == np.bool_:
        return given
    mask = np.zeros(n, dtype=bool)
    mask[given.astype(np.intp)] = True
    return mask


def _mask(given: ArrayLike | None, n: int, default: bool) -> Mask:
    return np.full(n, default) if given is None else _own(given, np.bool_, (n,))


def _own(given: ArrayLike, kind: Any, shape: tuple[int, ...]) -> AnyArray:
    """An array of that shape that nobody else can write to: the given one if that is so already, or else a copy."""
    if isinstance(given, np.ndarray) and given.dtype == kind and given.shape[1:] == shape[1:]:
        # A view may be sealed while what it looks at is not.
        sealed = not given.flags.writeable and given.base is None
        if sealed and shape[0] in (-1, len(given)):
            return given
    return np.array(np.reshape(given, shape), dtype=kind)
