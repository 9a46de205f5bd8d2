"""Samples put after others: which column goes into which, and which class is which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mlviz.data.dataset import Dataset, class_codes
from mlviz.data.tables.decoding import BadTable
from mlviz.draw.numbers import format_number
from mlviz.numerics.arrays import Labels
from mlviz.spec.outside import listed, told
from mlviz.spec.parameter import MAX_CLASSES

Axes = tuple[str, str]


Value = tuple[str, float]
"""The column in which samples have a value over the plane, and the value of those whose table has none."""


def append(
    present: Dataset, axes: Axes, more: Dataset, more_axes: Axes, code: int = 0, value: Value | None = None
) -> tuple[Dataset, str]:
    """The samples `more` after the present ones, and a sentence on how they were fitted in.

    Raises `BadTable` where there would be too many classes.
    Columns go by their names where `more` has both present `axes`; otherwise its own axes go onto them, and only the
    other columns by name. A column that `more` lacks takes the mean of the present samples. Classes go by their names;
    samples of no class go into class `code`. The column of a `value` takes a third column that is the only further
    one, or else that value.
    """
    sources = {name: name for name in present.columns if name in more.columns}
    by_name = set(axes) <= set(sources)
    if not by_name:
        sources = {name: source for name, source in sources.items() if source not in more_axes}
        sources |= dict(zip(axes, more_axes, strict=True))
        further = [name for name in more.columns if name not in more_axes]
        if value is not None and len(further) == 1:
            sources[value[0]] = further[0]
    labels, names = _classes(present, more, code)
    X = more.X[:, [more.column(source) for source in sources.values()]]
    dataset = replace(
        present.add(X, code, [present.column(name) for name in sources]),
        labels=np.concatenate((present.labels, labels)),
        class_names=names,
        held_out=np.concatenate((present.held_out, more.held_out)),
        active=np.concatenate((present.active, more.active)),
    )
    lacks_value = value is not None and value[0] not in sources
    if value is not None and lacks_value:
        X = dataset.X.copy()
        X[len(present) :, present.column(value[0])] = value[1]
        dataset = replace(dataset, X=X)
    return dataset, _how(present, axes, more, more_axes, by_name, sources, value if lacks_value else None)


def _classes(present: Dataset, more: Dataset, code: int) -> tuple[Labels, tuple[str, ...]]:
    """The codes of the new samples among the present classes, and the names of all classes."""
    if not more.class_names:
        return np.full(len(more), code, dtype=np.intp), present.class_names
    names = list(present.names())
    codes = class_codes(more.names(), names)
    if len(names) > MAX_CLASSES:
        raise BadTable(f"That would make {len(names)} classes; at most {MAX_CLASSES} are possible.")
    return np.array(codes, dtype=np.intp)[more.labels], tuple(names)


def _how(
    present: Dataset,
    axes: Axes,
    more: Dataset,
    more_axes: Axes,
    by_name: bool,
    sources: dict[str, str],
    value: Value | None,
) -> str:
    if by_name:
        parts = ["Columns go by their names"]
    else:
        parts = [f"{told(more_axes[0])} goes onto {told(axes[0])} and {told(more_axes[1])} onto {told(axes[1])}"]
        other = [(to, source) for to, source in sources.items() if to not in axes and to != source]
        parts += [f"{told(source)} onto {told(to)}" for to, source in other]
    if value is not None:
        parts.append(f"{told(value[0])} is {format_number(value[1])}")
    lacking = [name for name in present.columns if name not in sources and (value is None or name != value[0])]
    if lacking:
        parts.append(f"the mean stands in for {listed(lacking)}")
    dropped = [name for name in more.columns if name not in sources.values()]
    if dropped:
        parts.append(f"{listed(dropped)} left out")
    new = [name for name in more.class_names if name not in present.names()]
    if new:
        parts.append(f"new {'class' if len(new) == 1 else 'classes'}: {listed(new)}")
    return f"{'; '.join(parts)}."
