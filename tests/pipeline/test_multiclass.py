from types import SimpleNamespace

import numpy as np

from mlviz.algorithms import registry
from mlviz.draw.contours import contour
from mlviz.numerics.grid import Grid
from mlviz.pipeline import binary_tasks
from mlviz.pipeline.multiclass import OneVsOne
from mlviz.pipeline.pipeline import Pipeline


def test_the_leading_class_is_the_predicted_one_and_leads_are_continuous():
    rng = np.random.default_rng(3)
    y = np.arange(90) % 3
    X = np.array([(0, 1), (1, 0), (-1, 0)])[y] + rng.normal(0, 0.7, (90, 2))
    model = Pipeline(registry()["svm"]()).fit(X, y).inner
    assert isinstance(model, OneVsOne)
    grid = Grid.over((-3, 3, -3, 3), 301, 301)
    signed = model.signed_on_grid(grid)
    scores = model.scores(signed)
    class_margins = model.class_margins(signed, scores)
    np.testing.assert_array_equal(np.argmax(class_margins, axis=-1), np.argmax(scores, axis=-1))
    np.testing.assert_array_equal((class_margins > 0).sum(axis=-1), 1)
    # Votes jump by a whole one between neighbouring nodes; leads change little from one to the next.
    assert np.abs(np.diff(class_margins, axis=0)).max() < 0.2 < 0.5 < np.abs(np.diff(scores, axis=0)).max()


def test_the_boundary_beside_tied_votes_is_as_smooth_as_any():
    # Each class beats its neighbour on a ring, so that in the middle all votes are equal.
    directions = np.array([(0, 1), (np.sqrt(0.75), -0.5), (-np.sqrt(0.75), -0.5)])
    parts = [SimpleNamespace(positive=b, negative=a, model=None) for a, b in ((0, 1), (0, 2), (1, 2))]
    model = OneVsOne(np.arange(3), tuple(parts))
    grid = Grid.over((-3, 3, -3, 3), 61, 61)

    def signed(places):
        away = [places @ (directions[part.positive] - directions[part.negative]) for part in parts]
        return [scale * f + shift for f, scale, shift in zip(away, (1.0, 3.0, 0.5), (0.8, -0.8, 0.8), strict=True)]

    on_grid = [f.reshape(grid.shape) for f in signed(grid.points())]
    assert (model.vote_counts(on_grid) == 3).any()
    class_margins = model.class_margins(on_grid, model.scores(on_grid))
    away: list[float] = []
    for k in range(3):
        line = contour(grid, class_margins[..., k], 0.0, fine=True)
        line = line[np.isfinite(line[:, 0])]
        # On the boundary a pair is undecided, or inside the tie two scores are equal.
        pairs = np.abs(np.stack(signed(line))).min(axis=0)
        ranked = np.sort(model.scores(signed(line)), axis=-1)
        gap = np.where(model.vote_counts(signed(line)) == 3, ranked[:, -1] - ranked[:, -2], np.inf)
        away += np.minimum(pairs, gap).tolist()
    assert np.mean(np.array(away) > 0.01) < 0.1


def test_a_long_round_of_many_pairs_can_be_interrupted_and_changes_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.arange(120) % 6
    X = rng.normal(size=(120, 2)) + 3 * np.column_stack((np.cos(y), np.sin(y)))
    pipeline = Pipeline(registry()["perceptron"](max_iter=3), multiclass="one-vs-one")
    whole = list(pipeline.steps(X, y))
    monkeypatch.setattr(binary_tasks, "_LONG", (80, 80))
    chances = list(pipeline.steps(X, y))
    assert len(chances) > 5 * len(whole), "15 pairs of 40 samples: a chance after every second one"
    distinct = [step for step, former in zip(chances[1:], chances, strict=False) if step is not former]
    full = [step for step in distinct if len(step.parts) == 15]
    np.testing.assert_array_equal(full[-1].predict(X), whole[-1].predict(X))
    assert abs(len(full) - len(whole)) <= 1
