"""By which recipe samples are held out: at random, by a column, or as a second sample. It is a value of the scene.

The mask of the data set alone says which samples are held out; the recipe says how they were chosen, and whether they
are still those.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.draw.numbers import format_number
from mlviz.draw.numbers import share as percent
from mlviz.numerics.arrays import Labels, Mask, Rows, occurring
from mlviz.numerics.sampling import random_order
from mlviz.spec import Declared, flag, integer, real
from mlviz.spec.brief import Brief


@dataclass(frozen=True)
class RandomSplit(Declared):
    """Which samples are held out at random."""

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

    def mask(self, data: Dataset) -> Mask:
        """(n,) the samples that it holds out: the same ones whatever their order, a larger share those too.

        Where it is stratified, the share of each class is as nearly the same as whole samples allow. Samples that are
        switched off are not held out.
        """
        mask, active = np.zeros(len(data), dtype=bool), np.flatnonzero(data.active)
        if count := held_count(self.share, len(active)):
            places = np.column_stack((data.X, data.labels))[active].astype(np.float64)
            order = active[random_order(places, self.seed)]
            mask[_stratified(order, data.labels, count) if self.stratified else order[:count]] = True
        return mask

    def as_now(self, dataset: Dataset) -> RandomSplit:
        """The same, with the share that is held out of a data set, if it is not this one already: a round one."""
        held_out, n = int(dataset.test.sum()), int(dataset.active.sum())
        if held_count(self.share, n) == held_out:
            return self
        shares = (round(held_out / n, digits) for digits in range(2, 17))
        return self.replace(share=next((share for share in shares if held_count(share, n) == held_out), held_out / n))

    @property
    def words(self) -> str:
        """What it holds out."""
        return f"{percent(self.share)} at random, seed {self.seed}{', stratified' if self.stratified else ''}"


@dataclass(frozen=True)
class ColumnSplit(Brief):
    """The samples with that value in a column are held out, or those of a class where it is the class column."""

    column: str
    value: float | str

    def mask(self, data: Dataset) -> Mask | None:
        """(n,) the samples that it holds out; None where there is no such column."""
        if self.column == data.class_column:
            names = np.array([data.class_name(code) for code in range(int(data.labels.max(initial=-1)) + 1)])
            return np.asarray(names[data.labels] == self.value, dtype=bool) if len(data) else data.held_out
        found = self.column in data.columns
        return np.asarray(data.X[:, data.column(self.column)] == self.value) if found else None

    @property
    def words(self) -> str:
        """What it holds out."""
        return f"{self.column} = {self.value if isinstance(self.value, str) else format_number(self.value)}"


@dataclass(frozen=True)
class SecondSample(Brief):
    """A second sample of the same source is held out, drawn with that seed."""

    seed: int = 0

    def mask(self, data: Dataset) -> Mask | None:
        """(n,) the samples that it holds out, the last ones; None where the source is not known any more."""
        size = 0 if data.source is None else data.source.n_samples
        return np.arange(len(data)) >= len(data) - size if 0 < size < len(data) else None

    @property
    def words(self) -> str:
        """What it holds out."""
        return f"a second sample, seed {self.seed}"


@dataclass(frozen=True)
class Recipe(Brief):
    """How the samples were chosen that are held out, and whether training and test were exchanged after."""

    how: RandomSplit | ColumnSplit | SecondSample
    exchanged: bool = False

    def mask(self, data: Dataset) -> Mask | None:
        """(n,) which samples it holds out; None where it can't be followed."""
        mask = self.how.mask(data)
        return ~mask if self.exchanged and mask is not None else mask

    def holds(self, data: Dataset) -> bool:
        """Whether these samples are those that are held out: none was marked by hand since, and none changed."""
        mask = self.mask(data)
        return mask is not None and bool(np.array_equal(mask, data.held_out))

    def renamed(self, data: Dataset, code: int, name: str) -> Recipe:
        """The same where a class of a data set gets another name."""
        how = ColumnSplit(data.class_column, data.class_name(code))
        return replace(self, how=replace(how, value=name)) if self.how == how else self

    @property
    def words(self) -> str:
        """Which samples were held out by it, in a few words."""
        return f"all but {self.how.words}" if self.exchanged else self.how.words

    def told(self, data: Dataset) -> str:
        """The same, and whether a data set has changed since."""
        return self.words if self.holds(data) else f"{self.words}, changed since"


def held_count(share: float, n: int) -> int:
    """How many of n samples are held out at random for a share: at least one, with one left, but for a share of 0."""
    return max(0, min(max(round(share * n), 1), n - 1)) if share > 0 else 0


def _stratified(order: Rows, labels: Labels, count: int) -> Labels:
    """So many of the rows in that order, of each class its share of them; the largest remainders get one more."""
    codes = occurring(labels[order])
    groups = [order[labels[order] == code] for code in codes.tolist()]
    exact = np.array([len(group) for group in groups]) * count / len(order)
    sizes = np.floor(exact).astype(np.intp)
    sizes[np.argsort(sizes - exact, kind="stable")[: count - sizes.sum()]] += 1
    return np.concatenate([group[:size] for group, size in zip(groups, sizes.tolist(), strict=True)])
