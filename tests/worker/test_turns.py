"""Panels in turn while the hand moves: a fit that takes several turns is seen beside those that take one."""

from collections import Counter

import pytest

from mlviz.worker import Engine, Request
from tests.odd_algorithms import Followed, Stepping
from tests.worker.requests import DATASET, SIZE, scene_of

CHUNK = 0.004
STEPS = 12


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr("mlviz.worker.engine._CHUNK", CHUNK)
    monkeypatch.setattr("mlviz.worker.jobs._DRAFT_SECONDS", 60.0)  # however busy the machine is
    return Engine()


def drag(engine, scene, moves, turns):
    """So many moves of a sample, after each so many turns; how many finished pictures each panel had."""
    seen = Counter()
    for k in range(moves):
        moved = scene.replace(dataset=DATASET.move([0], [(0.01 * k, 0.0)]))
        engine.submit(Request(k, moved, (SIZE,) * len(scene.panels), draft=True))
        for _ in range(turns):
            seen.update(picture.panel for picture in engine.advance(0.0) if picture.finished)
    return seen


def test_a_fit_of_several_turns_is_seen_though_each_move_asks_anew(engine):
    # A step takes as long as a turn: the fit is never over before the next move.
    slow, quick = Stepping(n=STEPS, pause=CHUNK), Followed()
    scene = scene_of(slow, quick, quick, quick)
    seen = drag(engine, scene, moves=60, turns=4)
    assert seen[0] >= 60 // STEPS - 1
    assert min(seen[panel] for panel in (1, 2, 3)) > 4 * seen[0]


def test_what_takes_too_long_gives_way_to_what_is_new(engine, monkeypatch):
    monkeypatch.setattr("mlviz.worker.jobs._DRAFT_SECONDS", 0.02)
    scene = scene_of(Stepping(n=400, pause=CHUNK), Followed())
    drag(engine, scene, moves=40, turns=2)
    assert engine._jobs[0].request.id > 0


def test_the_end_of_a_gesture_is_answered_at_once(engine):
    scene = scene_of(Stepping(n=STEPS, pause=CHUNK), Followed())
    drag(engine, scene, moves=3, turns=2)
    engine.submit(Request(99, scene, (SIZE,) * 2))
    assert [job.request.id for job in engine._jobs] == [99, 99]
    pictures = []
    while not engine.answered:
        pictures += engine.advance(0.0)
    assert {picture.request for picture in pictures} == {99}


def test_the_newest_move_is_answered_in_the_end(engine):
    scene = scene_of(Stepping(n=STEPS, pause=CHUNK), Followed())
    drag(engine, scene, moves=5, turns=2)
    pictures = []
    while not engine.answered:
        pictures += engine.advance(0.0)
    assert {picture.panel: picture.request for picture in pictures if picture.finished}[0] == 4
