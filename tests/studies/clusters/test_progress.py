"""How far the studies of the number of clusters have come, which is told while they go on."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies

KEY = {"gap": "references", "cluster-stability": "repeats"}


@pytest.mark.parametrize("name", KEY)
def test_each_of_many_fits_is_progress(name):
    """A repeat makes a fit for each number of clusters, which may take seconds together."""
    study = studies()[name](most=5, **{KEY[name]: 3})
    X = np.random.default_rng(0).normal(size=(60, 2))
    done = [result.done for result in study.run(Pipeline(registry()["kmeans"]()), X)]
    assert set(done) == set(range(done[-1] + 1)) and done == sorted(done)
