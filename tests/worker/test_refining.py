"""When a finer picture follows: once nothing new comes, and as fine as it gets in time."""

import time

import pytest

from mlviz.draw.layer import Overlay
from mlviz.worker import Engine
from tests.odd_algorithms import Stepping
from tests.worker.requests import request_of, scene_of

pytestmark = pytest.mark.slow


def test_a_first_field_that_took_long_does_not_keep_the_finest_away(monkeypatch):
    monkeypatch.setattr("mlviz.worker.engine.REST_SECONDS", -1e12)  # as if nothing new had come for long
    engine, seen, pace, paces = Engine(), [], [0.0], iter((1e3, 1e-9))
    on_viewport = engine._fields.on_viewport

    def measured(job, state, resolution, deadline):
        pace[0] = next(paces, pace[0])
        return on_viewport(job, state, resolution, deadline)

    def look(model, context):
        seen.append(context.grid.shape)
        return ()

    monkeypatch.setattr(engine._fields, "on_viewport", measured)
    monkeypatch.setattr(engine._fields, "seconds", lambda job, nodes: pace[0] * nodes**2)
    spy = Overlay("spy", "spy", look, "nothing")
    engine.submit(request_of(7, scene_of(type("Wide", (Stepping,), {"overlays": (spy,)})())))
    while engine.busy:
        engine.advance(0.0)
        time.sleep(engine.seconds_until_work() or 0)
    assert seen == [(50, 100), (100, 200), (200, 400)]
