"""The gap statistic against plain fits, and what of it is known early."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlviz.algorithms import registry
from mlviz.numerics.scoring.clusters import uniform_reference, within_sum_of_squares
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.clusters import gap
from mlviz.studies.clusters.base import STARTS
from tests.studies.clusters.test_number_of_clusters import BLOBS, answers, asked, last, models


@pytest.mark.parametrize("box", ["principal axes", "coordinates"])
def test_the_gap_is_that_of_plain_fits_to_the_same_references(box):
    X = BLOBS * (1, 3)
    result = last("gap", X=X, seed=3, box=box, most=3)
    rng = np.random.default_rng(3)
    sets = [X, *(uniform_reference(X, box, rng) for _ in range(5))]
    logs = np.array([[np.log(m.inner.inertia / len(X)) for m in models(result, X=one, seed=3)] for one in sets]).T
    found, error = result.gap
    assert_allclose(found, logs[:, 1:].mean(axis=1) - logs[:, 0], atol=1e-10)
    assert_allclose(error, logs[:, 1:].std(axis=1) * np.sqrt(1 + 1 / 5), atol=1e-10)
    enough = found[:-1] >= found[1:] - error[1:]
    (offer,) = result.offers()
    assert offer.settings[0] == ("algorithm.n_clusters", 1 + int(np.argmax(enough)))


def test_the_gap_of_mixtures_is_that_of_short_fits_from_one_start_and_says_so():
    X = BLOBS * (1, 3)
    result = last("gap", "gmm", X=X, seed=3, most=3)
    rng = np.random.default_rng(3)
    sets = [X, *(uniform_reference(X, "principal axes", rng) for _ in range(5))]
    for k, own, *references in zip(range(1, 4), result.log_scatter, *result.reference.T, strict=True):
        for one, found in zip(sets, (own, *references), strict=True):
            steps = Pipeline(registry()["gmm"](n_components=k)).steps(one, None, 3)
            *_, model = itertools.islice(steps, gap.MOST_STEPS)
            assert found == pytest.approx(np.log(within_sum_of_squares(one, model.inner.labels, np.ones(60)) / 60))
    assert result.facts()[gap.SHORT_FITS].value == f"1 start, {gap.MOST_STEPS} steps at most"
    assert gap.SHORT_FITS in last("cluster-criteria", "gmm", most=3, repeats=2).facts()
    # Hard assignments settle at once: all starts are made, as for k-means.
    hard = Pipeline(registry()["gmm"](assignment="hard"))
    *_, result = asked("gap", most=3).run(hard, X)
    assert result.facts()["starts of each fit"].value == STARTS and gap.SHORT_FITS not in result.facts()


def test_the_scatter_of_the_samples_is_shown_one_number_after_the_other():
    found, _ = answers("gap", "kmeans", BLOBS, most=4)
    known = [np.isfinite(result.log_scatter).tolist() for result in found[:5]]
    assert known == [[True] * count + [False] * (4 - count) for count in range(5)]
    assert not any(np.isfinite(result.reference).any() for result in found[:5])
    (lines,) = (mark for mark in found[2].plots()[1].marks if mark.label == "samples")
    assert_allclose(lines.xy, [[k, height] for k, height in zip((1, 2), found[2].log_scatter, strict=False)])
