"""A field that takes long comes in pieces, between which the hand may ask for something else."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.numerics.grid import Grid
from mlviz.pipeline.field_sample import FieldSample, field_on
from mlviz.pipeline.pipeline import Pipeline
from mlviz.worker import Engine, pieces
from mlviz.worker.fields import Fields
from mlviz.worker.pieces import FieldInPieces
from tests.odd_algorithms import Stepping
from tests.worker.requests import pictures_of, request_of, scene_of

GRID = Grid(np.arange(7.0), np.arange(90.0))


@pytest.fixture
def paced(monkeypatch):
    """A clock that goes on by so many seconds for each row of nodes, and so many for each call; the sizes of pieces."""

    def begin(by_row, by_call=0.0):
        now, sizes = [0.0], []

        def slow(model, grid):
            now[0] += by_call + by_row * len(grid.y)
            sizes.append(len(grid.y))
            return FieldSample(np.add.outer(grid.y, grid.x))

        monkeypatch.setattr(pieces, "field_on", slow)
        monkeypatch.setattr(pieces.time, "perf_counter", lambda: now[0])
        return sizes

    return begin


@pytest.mark.parametrize(
    ("by_row", "by_call", "longest", "most"),
    [(1e-5, 0.0, 0.25, 2), (0.01, 0.0, 0.35, 9), (0.1, 0.0, 0.61, 90), (0.5, 0.0, 3.1, 90), (1e-4, 0.1, 0.25, 5)],
)
def test_no_piece_takes_long_and_what_takes_no_time_comes_at_once(paced, by_row, by_call, longest, most):
    sizes, asked = paced(by_row, by_call), FieldInPieces("key", None, GRID, None)
    while (found := asked.advance(0.0)) is None:
        pass
    np.testing.assert_array_equal(found.field, np.add.outer(GRID.y, GRID.x))
    assert max(sizes) * by_row + by_call <= longest and len(sizes) <= most
    assert asked.seconds == pytest.approx(90 * by_row + len(sizes) * by_call)


def test_what_is_known_to_be_quick_is_sampled_at_once(paced):
    sizes = paced(1e-3)
    assert FieldInPieces("key", None, GRID, 0.09).advance(0.0) is not None and sizes == [90]


@pytest.mark.parametrize("multiclass", ["direct", "one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize("method", ["knn", "logistic", "qda"])
def test_the_pieces_make_up_the_whole(method, multiclass):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 3, 60)
    model = Pipeline(registry()[method](), multiclass=multiclass).fit(X, y)
    grid = Grid.over((-2, 2, -2, 2), 20, 33)
    asked = FieldInPieces("key", model, grid, None)
    while (found := asked.advance(0.0)) is None:
        pass
    whole = field_on(model, grid)
    for name in ("field", "class_margins", "vote_counts"):
        part, all_at_once = getattr(found, name), getattr(whole, name)
        assert (part is None) == (all_at_once is None)
        if part is not None:
            np.testing.assert_allclose(part, all_at_once, rtol=1e-5, atol=1e-6)


def test_several_pieces_are_sampled_until_the_deadline(paced):
    sizes = paced(1e-2)
    assert FieldInPieces("key", None, GRID, None).advance(0.2) is None and sizes == [6, 12, 24]


def test_a_new_request_does_not_wait_for_the_field_of_the_former_one(monkeypatch):
    monkeypatch.setattr(pieces, "WHOLE_SECONDS", -1.0)  # as if all took long
    monkeypatch.setattr("mlviz.worker.engine._CHUNK", 0.0)
    engine = Engine()
    engine.submit(request_of(1, scene_of(Stepping(n=1))))
    assert engine.advance(0.0) == [] and not engine.answered
    engine.submit(request_of(2, scene_of(Stepping(n=2))))
    assert {picture.request for picture in pictures_of(engine)} == {2}


def test_a_draft_has_as_many_nodes_as_it_has_time_for(monkeypatch):
    now, sizes = [0.0], []

    def slow(model, viewport):
        now[0] += 5e-4 * viewport.grid.x.size
        sizes.append(viewport.grid.x.size)
        return FieldSample()

    monkeypatch.setattr("mlviz.worker.fields.sample_field", slow)
    monkeypatch.setattr("mlviz.worker.fields.time.perf_counter", lambda: now[0])
    engine, model = Engine(), object()
    job = engine._job(request_of(1, scene_of(Stepping()), draft=True), 0, {})
    fields = Fields()
    for nodes in (300, 300, 100):
        fields.at_once(job, model, nodes)
    assert sizes[0] == 24 and max(sizes) <= 200 and sizes[-1] == 100
