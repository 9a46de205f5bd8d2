import numpy as np
import pytest

from mlviz.algorithms.density.kde import MOST_SAMPLES, KernelDensityEstimation


@pytest.mark.parametrize(
    "settings", [{"width": 0.7}, {"selection": "Scott's rule"}, {"selection": "likelihood"}], ids=str
)
def test_where_some_samples_stand_for_many_the_densities_at_all_are_found_in_parts(settings):
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(MOST_SAMPLES + 900, 4)), 1.0 + np.arange(MOST_SAMPLES + 900) % 3
    *before, last = KernelDensityEstimation(**settings).steps(X, None, rng, weights)
    drafts = [model for model in before if model.width == last.width]
    assert len(drafts) > 3 and all(model.log_likelihood is None for model in before)
    assert all(model.caveat == last.caveat for model in drafts) and "samples, drawn at random" in last.caveat
    assert last.log_likelihood == pytest.approx(weights @ last.score_samples(X), rel=1e-12)
    assert last.facts()["log-likelihood"] == last.log_likelihood and "log-likelihood" not in drafts[0].facts()


def test_few_samples_have_one_step_and_their_likelihood():
    X = np.random.default_rng(0).normal(size=(600, 4))
    (model,) = KernelDensityEstimation().steps(X, None, np.random.default_rng(0))
    assert model.log_likelihood == pytest.approx(model.score_samples(X).sum(), rel=1e-12)
