"""Every picture on the way tells how well the model does on what was held out."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.scene.trace import fit_of
from mlviz.worker import Engine
from tests.worker.requests import request_of, scene_of
from tests.worker.test_engine import pictures_of


@pytest.mark.parametrize("method", registry())
def test_drafts_and_steps_tell_the_test_error_too(method):
    X = np.random.default_rng(2).normal(size=(40, 2))
    data = Dataset(X, (X[:, 0] > 0.3).astype(int)).with_held_out(range(0, 40, 4))
    scene = scene_of(registry()[method](), dataset=data)
    engine, told = Engine(), ("test error", "test RMSE", "test log-likelihood per sample")
    tested = fit_of(scene, 0).y is not None or method in ("gmm", "kde")
    for number, seen in enumerate((scene, scene.with_view(step=0), scene.with_view(step=1))):
        for draft in (True, False):
            engine.submit(request_of(2 * number + draft, seen, draft))
            for picture in pictures_of(engine):
                assert any(name in picture.caption for name in told) == tested, (number, draft)
                if picture.facts:
                    assert any(name in picture.facts for name in told) == tested, (number, draft)
