"""Random edits of a data set against a list of rows that is edited in the plain way."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mlviz.data.dataset import Dataset, nearest_of

numbers = st.floats(-1e6, 1e6, allow_nan=False)
places = st.tuples(numbers, numbers)
edits = st.one_of(
    st.tuples(st.just("add"), st.lists(places, max_size=4), st.integers(0, 8)),
    st.tuples(st.just("move"), st.lists(st.tuples(st.integers(0, 99), places), max_size=4), st.just(0)),
    st.tuples(st.just("erase"), st.lists(st.integers(0, 99), max_size=4), st.just(0)),
    st.tuples(st.just("relabel"), st.lists(st.integers(0, 99), max_size=4), st.integers(0, 8)),
)


def edited(dataset, rows, edit):
    """Both after one edit: rows are [x, y, label]."""
    kind, what, label = edit
    if kind == "add":
        return dataset.add(what, label), rows + [[x, y, label] for x, y in what]
    if not rows:
        return dataset, rows
    if kind == "move":
        moved = {row % len(rows): place for row, place in what}
        if not moved:
            return dataset, rows
        return (
            dataset.move(list(moved), list(moved.values())),
            [[*moved[i], row[2]] if i in moved else row for i, row in enumerate(rows)],
        )
    which = sorted({row % len(rows) for row in what})
    if kind == "erase":
        return dataset.erase(which), [row for i, row in enumerate(rows) if i not in which]
    return dataset.relabel(which, label), [[*row[:2], label] if i in which else row for i, row in enumerate(rows)]


@given(st.lists(edits, max_size=12))
def test_edits_do_what_they_do_to_a_list(steps):
    dataset, rows, keys = Dataset.empty(), [], set()
    for step in steps:
        before = dataset.X.copy(), dataset.labels.copy()
        old, (dataset, rows) = dataset, edited(dataset, rows, step)
        assert (before[0] == old.X).all() and (old.labels == before[1]).all()  # edits make a new one
        assert old is dataset or dataset.key not in keys
        keys |= {old.key, dataset.key}
    assert [[*x, label] for x, label in zip(dataset.X.tolist(), dataset.labels.tolist(), strict=True)] == rows
    assert len(dataset.held_out) == len(dataset.active) == len(rows)
    for kept in (dataset, pickle.loads(pickle.dumps(dataset))):
        assert kept.key == dataset.key
        assert not any(getattr(kept, name).flags.writeable for name in ("X", "labels", "held_out", "active"))


@given(st.lists(places, min_size=1, max_size=30), places, st.tuples(*[st.floats(0.01, 100)] * 2))
def test_nearest_is_the_smallest_distance_and_of_equals_the_last(points, place, scale):
    row, distance = nearest_of(Dataset.empty().add(points, 0).X, place, scale)
    all_distances = np.hypot(*((np.array(points) - place) * scale).T)
    assert distance == all_distances.min()
    assert row == np.flatnonzero(all_distances == distance)[-1]
