import numpy as np

from mlviz.algorithms import registry
from mlviz.numerics.grid import Grid
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
    leads = model.leads(signed, scores)
    np.testing.assert_array_equal(np.argmax(leads, axis=-1), np.argmax(scores, axis=-1))
    np.testing.assert_array_equal((leads > 0).sum(axis=-1), 1)
    # Votes jump by a whole one between neighbouring nodes; leads change little from one to the next.
    assert np.abs(np.diff(leads, axis=0)).max() < 0.2 < 0.5 < np.abs(np.diff(scores, axis=0)).max()
