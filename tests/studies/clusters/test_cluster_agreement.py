"""Clusters against the classes that were drawn: scikit-learn's numbers, and the samples of each cell."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import TwoGaussians
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import registry as studies

CLOUDS = TwoGaussians(n_samples=90, sigma=1.6).generate(2)
METHODS = [name for name, kind in registry().items() if "clustering" in kind.tasks]
Agreement = studies()["cluster-agreement"]


@pytest.mark.parametrize("method", METHODS)
def test_numbers_are_scikit_learns_and_cells_light_their_samples(method):
    pipeline = Pipeline(registry()[method]())
    (result,) = Agreement().run(pipeline, CLOUDS.X, CLOUDS.labels)
    labels = pipeline.fit(CLOUDS.X).inner.labels
    table = contingency_matrix(labels, CLOUDS.labels)
    facts = {name: fact.value for name, fact in result.facts().items()}
    assert_allclose(facts["adjusted Rand index"], adjusted_rand_score(CLOUDS.labels, labels), atol=1e-12)
    expected = normalized_mutual_info_score(CLOUDS.labels, labels)
    assert_allclose(facts["normalized mutual information"], expected, atol=1e-12)
    assert_allclose(facts["purity"], table.max(axis=1).sum() / 90, atol=1e-12)
    assert np.array_equal(np.array(result.table().columns[1:]).T, table)
    (plot,) = result.plots()
    for area, (i, j) in zip(plot.areas, np.ndindex(table.shape), strict=True):
        both = (labels == np.unique(labels)[i]) & (CLOUDS.labels == np.unique(CLOUDS.labels)[j])
        assert np.array_equal(area.rows, np.flatnonzero(both))


def test_the_canvas_knows_the_classes_of_the_samples_that_take_part():
    some = np.arange(0, 90, 4)
    dataset = CLOUDS.with_active(some)
    scene = with_study(Scene(dataset, (Panel(Pipeline(registry()["kmeans"]())),)), 0, Agreement())
    (picture,) = draw(scene, [(200, 200)], 60)
    (told,) = picture.studies
    assert told.message == "" and sum(map(sum, told.table.columns[1:])) == dataset.training.sum()
    rows = np.sort(np.concatenate([area.rows for area in told.plots[0].areas]))
    assert np.array_equal(rows, np.flatnonzero(dataset.training))


def test_one_class_has_a_sentence():
    with pytest.raises(CannotFit, match="one class"):
        list(Agreement().run(Pipeline(registry()["kmeans"]()), CLOUDS.X, np.zeros(90, dtype=int)))
    with pytest.raises(CannotFit, match="one class"):
        list(Agreement().run(Pipeline(registry()["kmeans"]()), CLOUDS.X))
