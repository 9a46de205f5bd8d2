"""Fits that a study lays over the canvas are asked one by one: in between the hand is heard."""

import time

import pytest

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import registry
from mlviz.studies.resampling.bundle import Asked
from mlviz.worker import Engine
from tests.worker.requests import request_of

FITS = 6
STUDIES = {"stability": {}, "bias-variance": {"fits": FITS, "values": 2}, "variance-lens": {"fits": FITS}}


@pytest.mark.parametrize("name", STUDIES)
def test_no_piece_of_work_asks_many_fits_for_their_lines(name, monkeypatch):
    asked, told = [], Asked.of

    def counted(self, model):
        asked[-1] += 1
        return told(self, model)

    monkeypatch.setattr(Asked, "of", counted)
    monkeypatch.setattr("mlviz.worker.engine._CHUNK", 0.0)
    data = generators()["moons"](n_samples=FITS).generate(1)
    scene = Scene(data, (Panel(Pipeline(methods()["lda"]()), hidden=()),))
    engine, pictures = Engine(), []
    engine.submit(request_of(1, with_study(scene, 0, registry()[name](**STUDIES[name]))))
    while engine.busy:
        asked.append(0)
        pictures += engine.advance(0.0)
        time.sleep(engine.seconds_until_work() or 0)
    assert max(asked) == 1
    assert sum(asked) >= FITS - 1  # without a sample a class may be gone
    (bundle,) = (mark for mark in pictures[-1].plot.marks if mark.role == "bundle")
    assert len(bundle.xy) > FITS


def test_a_draft_does_not_wait_for_the_lines_of_many_fits(monkeypatch):
    asked, told = [], Asked.of

    def counted(self, model):
        asked.append(model)
        return told(self, model)

    monkeypatch.setattr(Asked, "of", counted)
    monkeypatch.setattr("mlviz.worker.fields._OVERLAYS_SECONDS", 0.0)
    monkeypatch.setattr("mlviz.worker.studies._LIVE_SECONDS", 60.0)
    scene = Scene(generators()["moons"](n_samples=FITS).generate(1), (Panel(Pipeline(methods()["lda"]()), hidden=()),))
    engine = Engine()
    engine.submit(request_of(1, with_study(scene, 0, registry()["variance-lens"](fits=FITS)), draft=True))
    (draft,) = engine.advance(0.0)
    assert draft.draft
    assert len(asked) == 1
    assert not [mark for mark in draft.plot.marks if mark.role == "bundle"]
