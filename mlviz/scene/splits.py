"""Which samples are held out and which are switched off: pure functions from one scene to the next."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Generator
from mlviz.numerics.arrays import occurring
from mlviz.numerics.sampling import ranks_by_lot
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.spec import Declared, flag, integer, real

MOST_VALUES = 12
"""A column with more values than these does not say which samples are to be held out."""
_NEXT = 1_000_003
"""So far from the seed of a sample is that of the second one: nobody draws that by hand."""


@dataclass(frozen=True)
class Split(Declared):
    """Which samples are held out by lot."""

    share: float = real(
        0.0,
        soft=(0.0, 0.8),
        valid=(0.0, 1.0),
        help="which share of the samples is held out: no method learns from these, and they give the test error",
        label="share held out",
    )
    seed: int = integer(
        0, soft=(0, 50), valid=(0, 2**31 - 1), help="another one holds out other samples", label="seed of the split"
    )
    stratified: bool = flag(False, help="hold out the same share of each class", label="the same share of each class")

    def of(self, scene: Scene) -> Scene:
        """The scene split so."""
        return split(scene, self.share, self.seed, self.stratified)

    def as_now(self, dataset: Dataset) -> Split:
        """The same, with the share that is held out of a data set, if it is not this one already: a round one."""
        held_out, n = int(dataset.test.sum()), int(dataset.active.sum())
        if held_count(self.share, n) == held_out:
            return self
        shares = (round(held_out / n, digits) for digits in range(2, 17))
        return self.replace(share=next((share for share in shares if held_count(share, n) == held_out), held_out / n))


def held_count(share: float, n: int) -> int:
    """How many of n samples are held out by lot for such a share: at least one, with one left, but for a share of 0."""
    return max(0, min(max(round(share * n), 1), n - 1)) if share > 0 else 0


def held_out_share(dataset: Dataset) -> float:
    """Which share of the samples that are switched on is held out."""
    return float(dataset.test.sum() / max(1, dataset.active.sum()))


def split(scene: Scene, share: float, seed: int = 0, stratified: bool = False) -> Scene:
    """With that share of the samples held out by lot: the same ones whatever their order, a larger share those too.

    Where it is `stratified`, the share of each class is as nearly the same as whole samples allow. Samples that are
    switched off are not held out.
    """
    data = scene.dataset
    active = np.flatnonzero(data.active)
    count = held_count(share, len(active))
    if not count:
        return unsplit(scene)
    order = active[ranks_by_lot(np.column_stack((data.X, data.labels))[active].astype(np.float64), seed)]
    chosen = _stratified(order, data.labels, count) if stratified else order[:count]
    return scene.replace(dataset=data.with_held_out(chosen))


def _stratified(order: NDArray[np.intp], labels: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """So many of the rows in that order, of each class its share of them; the largest remainders get one more."""
    codes = occurring(labels[order])
    groups = [order[labels[order] == code] for code in codes.tolist()]
    exact = np.array([len(group) for group in groups]) * count / len(order)
    sizes = np.floor(exact).astype(np.intp)
    sizes[np.argsort(sizes - exact, kind="stable")[: count - sizes.sum()]] += 1
    return np.concatenate([group[:size] for group, size in zip(groups, sizes.tolist(), strict=True)])


def unsplit(scene: Scene) -> Scene:
    """With no sample held out; the same scene where none is."""
    data = scene.dataset
    return scene.replace(dataset=data.with_held_out([])) if data.held_out.any() else scene


def swapped(scene: Scene) -> Scene:
    """With training and test samples exchanged; the same scene where there are not both."""
    data = scene.dataset
    both = data.test.any() and data.training.any()
    return scene.replace(dataset=data.with_held_out(~data.held_out)) if both else scene


def marked(mask: NDArray[np.bool_], rows: ArrayLike, mark: bool = True) -> NDArray[np.bool_]:
    """The mask (n,) with another mark at some rows."""
    changed = mask.copy()
    changed[np.asarray(rows, dtype=np.intp)] = mark
    return changed


def with_rows_held_out(scene: Scene, rows: ArrayLike) -> Scene:
    """With those samples held out, or back among the others where they are so already."""
    data = scene.dataset
    return scene.replace(dataset=data.with_held_out(_toggled(data.held_out, rows)))


def with_rows_off(scene: Scene, rows: ArrayLike) -> Scene:
    """With those samples switched off, or on again where they are off already."""
    data = scene.dataset
    return scene.replace(dataset=data.with_active(~_toggled(~data.active, rows)))


def all_on(scene: Scene) -> Scene:
    """With every sample switched on; the same scene where none is off."""
    data = scene.dataset
    return scene if data.active.all() else scene.replace(dataset=data.with_active(np.arange(len(data))))


def _toggled(mask: NDArray[np.bool_], rows: ArrayLike) -> NDArray[np.bool_]:
    return marked(mask, rows, not mask[np.asarray(rows, dtype=np.intp)].all())


def telling_columns(dataset: Dataset) -> Mapping[str, tuple[float, ...] | tuple[str, ...]]:
    """The columns by whose values samples can be held out, and these values; names of classes for the class column."""
    found: dict[str, tuple[float, ...] | tuple[str, ...]] = {}
    for j, name in enumerate(dataset.columns):
        values = np.unique(dataset.X[:, j])
        if 1 < len(values) <= min(MOST_VALUES, len(dataset) // 2):
            found[name] = tuple(values.tolist())
    codes = occurring(dataset.labels).tolist() if len(dataset) else []
    if len(codes) > 1:
        found[dataset.class_column] = tuple(dataset.class_name(code) for code in codes)
    return found


def split_by_column(scene: Scene, column: str, value: float | str) -> Scene:
    """With the samples held out that have that value in a column, or that class where it is the class column.

    A column that only says which samples these are is neither an axis nor an input any more, unless no two others are
    left.
    """
    data = scene.dataset
    if column == data.class_column:
        names = np.array([data.class_name(code) for code in range(int(data.labels.max(initial=-1)) + 1)])
        return scene.replace(dataset=data.with_held_out(names[data.labels] == value))
    others = tuple(name for name in data.columns if name != column)
    if len(others) > 1:
        if column in scene.axes:
            kept = [name for name in scene.axes if name != column]
            kept += [name for name in others if name not in kept]
            scene = scene.with_view(axes=(kept[0], kept[1]))
        scene = scene.replace(panels=tuple(_without_input(scene, panel, column) for panel in scene.panels))
    return scene.replace(dataset=data.with_held_out(data.X[:, data.column(column)] == value))


def _without_input(scene: Scene, panel: Panel, column: str) -> Panel:
    """The panel without the column among its inputs, where others are left."""
    inputs = tuple(name for name in roles(scene, panel).inputs if name != column)
    return dataclasses.replace(panel, inputs=inputs) if inputs and inputs != roles(scene, panel).inputs else panel


def with_second_sample(scene: Scene, source: Generator, seed: int = 0) -> Scene:
    """With a second sample of the generator's, as large as the first, held out; all others are for training.

    One that was drawn before makes room.
    """
    first = _first_sample(scene.dataset, source.n_samples)
    second = source.further((source.seed + _NEXT * (seed + 1)) % 2**31)
    n, m = len(first), len(second)
    return scene.replace(
        dataset=dataclasses.replace(
            first,
            X=np.concatenate((first.X, second.X)),
            labels=np.concatenate((first.labels, second.labels)),
            held_out=np.arange(n + m) >= n,
            active=np.concatenate((first.active, second.active)),
        )
    )


def has_second_sample(dataset: Dataset, size: int) -> bool:
    """Whether the last so many samples, and no others, are held out, as a second sample is."""
    return len(dataset) > size and bool(dataset.held_out[-size:].all() and not dataset.held_out[:-size].any())


def _first_sample(data: Dataset, size: int) -> Dataset:
    """The samples without a second one, none held out; they and their source stay, under another key."""
    n = len(data) - size if has_second_sample(data, size) else len(data)
    X, labels, active = data.X[:n], data.labels[:n], data.active[:n]
    none = np.zeros(n, dtype=bool)
    return dataclasses.replace(data, X=X, labels=labels, active=active, held_out=none, key=Dataset.empty().key)


def redrawn(scene: Scene, drawn: Dataset) -> Scene:
    """With samples that a generator drew in the place of others, and as many held out: by lot, or a second sample."""
    before = scene.dataset
    scene = scene.replace(dataset=drawn)
    if has_second_sample(before, drawn.source.n_samples):
        return with_second_sample(scene, drawn.source)
    return split(scene, held_out_share(before)) if before.held_out.any() else scene
