"""What stands beside the canvas of a draft: a slow chart waits until the hand rests, a quick one comes with it."""

import time

import pytest

from mlviz.draw.layer import Chart
from mlviz.draw.plot import Plot
from mlviz.worker import Engine
from tests.odd_algorithms import Followed, Stepping
from tests.worker.requests import DATASET, request_of, scene_of
from tests.worker.test_engine import pictures_of


def _chart(name, drawn, seconds=0.0):
    def draw(model, context):
        drawn.append(name)
        time.sleep(seconds)
        return Plot(name, name, "x", "y", ())

    return Chart(name, name, draw)


def answers(engine):
    found = []
    while not engine.answered:
        found += engine.advance(0.0)
    return found


@pytest.mark.parametrize("method", [Followed, Stepping])
def test_a_slow_chart_in_front_comes_when_the_hand_rests(method):
    drawn: list[str] = []
    charts = _chart("slow", drawn, 0.06), _chart("quick", drawn)
    engine, scene = Engine(), scene_of(type("Charted", (method,), {"charts": charts})())
    engine.submit(request_of(1, scene))
    pictures_of(engine)
    drawn.clear()
    for number in (2, 3):
        moved = scene.replace(dataset=DATASET.move([0], [(0.1 * number, 0.0)]))
        engine.submit(request_of(number, moved, draft=True, front=(0, "slow")))
        (draft,) = answers(engine)
        assert draft.sides is None and draft.facts and draft.request == number and not drawn
    assert engine.busy and 0 < engine.seconds_until_work() < 1
    (late,) = pictures_of(engine)
    assert [plot.id for plot in late.sides] == drawn == ["slow"]
    assert late.plot is draft.plot and late.request == 3 and late.draft and late.fit_ms == draft.fit_ms
    engine.submit(request_of(4, scene, draft=True, front=(0, "quick")))
    (draft,) = pictures_of(engine)
    assert [plot.id for plot in draft.sides] == ["quick"]
