"""Of very many samples some are predicted for all, and what is drawn by hand is judged by the same ones."""

import numpy as np
import pytest

from tests.picture.attempts.test_scores import LINES, scene_with, scores_of, with_attempts


def test_where_some_samples_are_predicted_for_all_the_drawing_is_judged_by_the_same(monkeypatch):
    for room in ("model", "rating"):
        monkeypatch.setattr(f"mlviz.pipeline.{room}.rows_predicted", lambda X, cost: np.arange(1, len(X), 3))
    scene = with_attempts(scene_with("lda", "classification"))
    (score,), data = scores_of(scene), scene.dataset
    (x0, y0), (x1, y1) = LINES["boundary"]
    wrong = ((x1 - x0) * (data.X[:, 1] - y0) - (y1 - y0) * (data.X[:, 0] - x0) > 0) != data.labels
    wrong ^= wrong[data.training].mean() > 0.5
    for measure, mask in zip(score.measures, (data.training, data.test), strict=False):
        assert measure.drawn == pytest.approx(wrong[mask][1::3].mean()), measure.name
