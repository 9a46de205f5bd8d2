"""Which samples are held out and which are switched off: pure functions from one scene to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Generator
from mlviz.numerics.arrays import Mask, occurring
from mlviz.scene.edits import with_samples
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.scene.splits import ColumnSplit, RandomSplit, Recipe, SecondSample

MOST_VALUES = 12
"""A column with more values than these does not say which samples are to be held out."""
_NEXT = 1_000_003
"""So far from the seed of a sample is that of the second one: nobody draws that by hand."""


def held_out_share(dataset: Dataset) -> float:
    """Which share of the samples that are switched on is held out."""
    return float(dataset.test.sum() / max(1, dataset.active.sum()))


def split(scene: Scene, share: float, seed: int = 0, stratified: bool = False) -> Scene:
    """With that share of the samples held out at random, as `RandomSplit` does."""
    return split_by(scene, Recipe(RandomSplit(share=share, seed=seed, stratified=stratified)))


def split_by(scene: Scene, recipe: Recipe) -> Scene:
    """With the samples held out that a recipe names; with none where it names none."""
    mask = recipe.mask(scene.dataset)
    if mask is None or not mask.any():
        return unsplit(scene)
    return scene.replace(dataset=scene.dataset.with_held_out(mask), split=recipe)


def told_split(scene: Scene, draft: bool = False) -> str:
    """How the samples were chosen that are held out; "" where none is, or nobody knows.

    A draft does not follow the recipe again, which is to sort all samples: it says nothing of changes since.
    """
    if scene.split is None or not scene.dataset.held_out.any():
        return ""
    return scene.split.words if draft else scene.split.told(scene.dataset)


def with_class_name(scene: Scene, code: int, name: str) -> Scene:
    """With another name for a class, "" for the usual one: a recipe that names it follows."""
    data = scene.dataset.rename(code, name)
    recipe = scene.split and scene.split.renamed(scene.dataset, code, data.class_name(code))
    return with_samples(scene, data).replace(split=recipe)


def unsplit(scene: Scene) -> Scene:
    """With no sample held out; the same scene where none is."""
    data = scene.dataset
    return scene.replace(dataset=data.with_held_out([]), split=None) if data.held_out.any() else scene


def swapped(scene: Scene) -> Scene:
    """With training and test samples exchanged; the same scene where there are not both."""
    data = scene.dataset
    both = data.test.any() and data.training.any()
    if not both:
        return scene
    recipe = None if scene.split is None else replace(scene.split, exchanged=not scene.split.exchanged)
    return scene.replace(dataset=data.with_held_out(~data.held_out), split=recipe)


def marked(mask: Mask, rows: ArrayLike, mark: bool = True) -> Mask:
    """The mask (n,) with another mark at some rows."""
    changed = mask.copy()
    changed[np.asarray(rows, dtype=np.intp)] = mark
    return changed


def with_edited(scene: Scene, dataset: Dataset) -> Scene:
    """With samples changed by hand: where none was held out before, those that are now have no recipe."""
    return scene.replace(dataset=dataset, split=scene.split if scene.dataset.held_out.any() else None)


def with_rows_held_out(scene: Scene, rows: ArrayLike) -> Scene:
    """With those samples held out, or back among the others where they are so already."""
    data = scene.dataset
    return with_edited(scene, data.with_held_out(_toggled(data.held_out, rows)))


def with_rows_off(scene: Scene, rows: ArrayLike) -> Scene:
    """With those samples switched off, or on again where they are off already."""
    data = scene.dataset
    return scene.replace(dataset=data.with_active(~_toggled(~data.active, rows)))


def all_on(scene: Scene) -> Scene:
    """With every sample switched on; the same scene where none is off."""
    data = scene.dataset
    return scene if data.active.all() else scene.replace(dataset=data.with_active(np.arange(len(data))))


def _toggled(mask: Mask, rows: ArrayLike) -> Mask:
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
    others = tuple(name for name in data.columns if name != column)
    if column != data.class_column and len(others) > 1:
        if column in scene.axes:
            kept = [name for name in scene.axes if name != column]
            kept += [name for name in others if name not in kept]
            scene = scene.with_view(axes=(kept[0], kept[1]))
        scene = scene.replace(panels=tuple(_without_input(scene, panel, column) for panel in scene.panels))
    return split_by(scene, Recipe(ColumnSplit(column, value)))


def _without_input(scene: Scene, panel: Panel, column: str) -> Panel:
    """The panel without the column among its inputs, where others are left."""
    inputs = tuple(name for name in roles(scene, panel).inputs if name != column)
    return replace(panel, inputs=inputs) if inputs and inputs != roles(scene, panel).inputs else panel


def with_second_sample(scene: Scene, source: Generator, seed: int = 0) -> Scene:
    """With a second sample of the generator's, as large as the first, held out; all others are for training.

    One that was drawn before makes room.
    """
    first = _first_sample(scene.dataset, source.n_samples)
    second = source.further((source.seed + _NEXT * (seed + 1)) % 2**31)
    n, m = len(first), len(second)
    return scene.replace(
        dataset=replace(
            first,
            X=np.concatenate((first.X, second.X)),
            labels=np.concatenate((first.labels, second.labels)),
            held_out=np.arange(n + m) >= n,
            active=np.concatenate((first.active, second.active)),
        ),
        split=Recipe(SecondSample(seed)),
    )


def has_second_sample(dataset: Dataset, size: int) -> bool:
    """Whether the last so many samples, and no others, are held out, as a second sample is."""
    return len(dataset) > size and bool(dataset.held_out[-size:].all() and not dataset.held_out[:-size].any())


def _first_sample(data: Dataset, size: int) -> Dataset:
    """The samples without a second one, none held out; they and their source stay, under another key."""
    n = len(data) - size if has_second_sample(data, size) else len(data)
    X, labels, active = data.X[:n], data.labels[:n], data.active[:n]
    none = np.zeros(n, dtype=bool)
    return replace(data, X=X, labels=labels, active=active, held_out=none, key=Dataset.empty().key)


def redrawn(scene: Scene, drawn: Dataset) -> Scene:
    """With samples that a generator drew in the place of others, held out as those were: by the same recipe.

    Where there is none, as many are held out at random, or a second sample.
    """
    before = scene.dataset
    scene = scene.replace(dataset=drawn)
    if has_second_sample(before, drawn.source.n_samples):
        return with_second_sample(scene, drawn.source)
    if not before.held_out.any():
        return scene.replace(split=None)
    if scene.split is not None and scene.split.mask(drawn) is not None and scene.split.holds(before):
        return split_by(scene, scene.split)
    return split(scene, held_out_share(before))
