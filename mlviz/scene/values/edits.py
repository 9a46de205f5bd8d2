"""Changes of the values of samples over the plane: pure functions from one scene, or data set, to the next."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from mlviz.data.dataset import Dataset
from mlviz.numerics.arrays import Array
from mlviz.scene.scene import Scene
from mlviz.scene.values import scale_of, value_column

_USUAL = "y"
"""What a column of values is called that nobody has named."""


def with_values_over_plane(scene: Scene, index: int, target: str | None = None) -> Scene:
    """With panel `index` predicting a column over the two axes: `target`, or the one that there is.

    Where there is no further column there is one from then on, whose first values are the numbers of the classes,
    from 0. Its inputs are the usual ones again.
    """
    data = scene.dataset
    if target is None:
        if value_column(scene, index) is not None:
            return scene
        others = offered_targets(scene)
        scene = scene if others else scene.replace(dataset=with_column(data, data.labels))
        target = scene.dataset.columns[-1] if not others else others[0]
    panel = dataclasses.replace(scene.panels[index], target=target, inputs=None)
    return scene if panel == scene.panels[index] else scene.with_panel(index, panel)


def offered_targets(scene: Scene) -> tuple[str, ...]:
    """The columns that may be predicted over the plane: all but those on the axes."""
    return tuple(name for name in scene.dataset.columns if name not in scene.axes)


def with_column(dataset: Dataset, values: ArrayLike) -> Dataset:
    """With one column more, of such values (n,), and a name that no other column has."""
    taken = {*dataset.columns, dataset.class_column}
    names = (_USUAL, *(f"{_USUAL}{number}" for number in range(1, len(taken) + 1)))
    name = next(name for name in names if name not in taken)
    X = np.column_stack((dataset.X, np.asarray(values, dtype=np.float64)))
    empty = Dataset.empty()
    return dataclasses.replace(dataset, X=X, columns=(*dataset.columns, name), source=None, key=empty.key)


def with_values(dataset: Dataset, rows: ArrayLike, values: ArrayLike, name: str) -> Dataset:
    """With values (m,), or one for all, of the samples `rows` (m,) in a column; the same data set if they have them."""
    where, column = np.atleast_1d(np.asarray(rows, dtype=np.intp)), dataset.column(name)
    given: Array = np.broadcast_to(np.asarray(values, dtype=np.float64), where.shape)
    if np.array_equal(dataset.X[where, column], given):
        return dataset
    return dataset.move(where, given[:, None], (column,))


def with_last_values(dataset: Dataset, n: int, value: float, name: str | None) -> Dataset:
    """With that value of the last n samples, which have just been added, in a column; as it is where there is none."""
    if name is None or not n:
        return dataset
    return with_values(dataset, np.arange(len(dataset) - n, len(dataset)), value, name)


def with_raised_values(dataset: Dataset, rows: ArrayLike, steps: float, name: str) -> Dataset:
    """With the values of the samples `rows` higher by so many steps, each a twentieth of the scale."""
    scale, where = scale_of(dataset, name), np.asarray(rows, dtype=np.intp)
    values = dataset.X[where, dataset.column(name)] + steps * raise_step(scale.low, scale.high)
    return with_values(dataset, where, [scale.rounded(value) for value in values.tolist()], name)


def raise_step(low: float, high: float) -> float:
    """How much a key raises a value on a scale."""
    return high / 20 - low / 20
