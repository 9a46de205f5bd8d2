import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mlviz.data.dataset import Dataset, nearest_of
from mlviz.data.generators.catalog import Moons

FINITE = st.floats(-1e6, 1e6)


@st.composite
def datasets(draw: Any, least: int = 0) -> Dataset:
    n, d = draw(st.integers(least, 20)), draw(st.integers(2, 4))
    X = draw(hnp.arrays(np.float64, (n, d), elements=FINITE))
    labels = draw(hnp.arrays(np.intp, n, elements=st.integers(0, 8)))
    masks = hnp.arrays(np.bool_, n)
    return Dataset(X, labels, tuple(f"c{i}" for i in range(d)), held_out=draw(masks), active=draw(masks))


@st.composite
def with_rows(draw: Any) -> tuple[Dataset, list[int]]:
    data = draw(datasets(least=1))
    return data, draw(st.lists(st.integers(0, len(data) - 1), unique=True, min_size=1))


def arrays_of(data: Dataset) -> tuple[np.ndarray, ...]:
    return data.X, data.labels, data.held_out, data.active


@given(datasets(), hnp.arrays(np.float64, st.tuples(st.integers(0, 5), st.just(2)), elements=FINITE), st.integers(0, 8))
def test_add_appends_and_fills_other_columns_with_the_mean(data: Dataset, points: np.ndarray, label: int) -> None:
    more = data.add(points, label, axes=(1, 0))
    n = len(data)
    assert len(more) == n + len(points)
    for old, new in zip(arrays_of(data), arrays_of(more), strict=True):
        np.testing.assert_array_equal(old, new[:n])
    np.testing.assert_array_equal(more.X[n:][:, [1, 0]], points)
    assert (more.labels[n:] == label).all() and more.active[n:].all() and not more.held_out[n:].any()
    mean = data.X.mean(axis=0) if n else np.zeros(data.X.shape[1])
    np.testing.assert_array_equal(more.X[n:, 2:], np.tile(mean[2:], (len(points), 1)))


@given(with_rows(), FINITE, FINITE)
def test_move_changes_those_places_only(chosen: tuple[Dataset, list[int]], x: float, y: float) -> None:
    data, rows = chosen
    moved = data.move(rows, np.tile([x, y], (len(rows), 1)), axes=(1, 0))
    expected = data.X.copy()
    expected[rows, 1], expected[rows, 0] = x, y
    np.testing.assert_array_equal(moved.X, expected)
    for old, new in zip(arrays_of(data)[1:], arrays_of(moved)[1:], strict=True):
        np.testing.assert_array_equal(old, new)


@given(with_rows())
def test_erase_keeps_the_others_in_order(chosen: tuple[Dataset, list[int]]) -> None:
    data, rows = chosen
    left = [i for i in range(len(data)) if i not in rows]
    for old, new in zip(arrays_of(data), arrays_of(data.erase(rows)), strict=True):
        np.testing.assert_array_equal(old[left], new)


@given(with_rows(), st.integers(0, 8))
def test_relabel_changes_those_labels_only(chosen: tuple[Dataset, list[int]], label: int) -> None:
    data, rows = chosen
    expected = [label if i in rows else old for i, old in enumerate(data.labels)]
    assert data.relabel(rows, label).labels.tolist() == expected


@given(datasets(least=1), FINITE, FINITE, st.floats(0.01, 100), st.floats(0.01, 100))
def test_nearest_is_nearest_on_the_screen(data: Dataset, x: float, y: float, sx: float, sy: float) -> None:
    row, distance = nearest_of(data.X[:, [1, 0]], (x, y), scale=(sx, sy))
    every = np.hypot((data.X[:, 1] - x) * sx, (data.X[:, 0] - y) * sy)
    assert distance == every.min()
    assert row == np.flatnonzero(every == every.min())[-1]


def test_nearest_of_none() -> None:
    assert nearest_of(Dataset.empty().X, (0.0, 0.0)) == (-1, float("inf"))


@given(with_rows())
def test_every_edit_has_a_new_key_and_forgets_the_source(chosen: tuple[Dataset, list[int]]) -> None:
    data, rows = chosen
    edits = [data.add([[0.0, 0.0]], 1), data.move(rows, data.X[rows][:, :2]), data.erase(rows), data.relabel(rows, 0)]
    assert len({data.key, *(edit.key for edit in edits)}) == 5
    moons = Moons(n_samples=5).generate(0)
    assert moons.source is not None and moons.erase([0]).source is None


@given(datasets())
def test_arrays_are_read_only_also_after_pickling(data: Dataset) -> None:
    again = pickle.loads(pickle.dumps(data))
    assert (again.key, again.columns, again.class_names) == (data.key, data.columns, data.class_names)
    for old, new in zip(arrays_of(data), arrays_of(again), strict=True):
        np.testing.assert_array_equal(old, new, strict=True)
        for array in (old, new):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_what_was_given_is_copied() -> None:
    X = np.zeros((2, 2))
    data = Dataset(X, [0, 1])
    X[0, 0] = 5.0
    assert data.X[0, 0] == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_only_finite_samples(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Dataset([[0.0, value]], [0])


def test_names() -> None:
    data = Dataset([[0.0, 0.0]], [2], class_names=("oak",))
    assert data.names() == ("oak", "class 2", "class 3")
    assert data.column("x2") == 1
    with pytest.raises(KeyError):
        data.column("x3")


def test_an_edit_shares_what_it_does_not_change():
    before = Dataset(np.zeros((4, 2)), [0, 1, 0, 1])
    after = before.move([1], [(1.0, 2.0)])
    assert after.labels is before.labels
    assert after.held_out is before.held_out
    assert after.X is not before.X


def test_arrays_that_others_can_write_to_are_copied():
    X = np.zeros((4, 2))
    sealed = X[:]
    sealed.flags.writeable = False
    labels = np.zeros(4, dtype=np.intp)
    data = Dataset(sealed, labels)
    X[0] = labels[0] = 7
    assert data.X[0, 0] == 0
    assert data.labels[0] == 0
