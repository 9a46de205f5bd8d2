"""What a picture begins with is sent ahead of it, and once."""

from dataclasses import replace

import numpy as np

from mlviz.algorithms.gaussian.lda import LDA
from mlviz.draw.marks import Lines
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.pipeline.rating import Rating
from mlviz.worker import Engine
from mlviz.worker.messages import PlotBegun, RequestDone, SentRequest
from mlviz.worker.outgoing import Outgoing
from tests.worker.requests import DATASET, SIZE, pictures_of, request_of, scene_of
from tests.worker.test_server import served

SCENES = [scene_of(LDA(), dataset=DATASET.move([0], [(0.1 * k, 1.0)])) for k in range(3)]
DRAFTS = [False, False, True]


def sent_request(number):
    scene = SCENES[number]
    what = scene.panels, scene.seed, scene.view, scene.attempts, scene.hides_answer, scene.split
    return SentRequest(number, scene.dataset.key, scene.dataset, *what, (SIZE,), DRAFTS[number], frozenset(), None)


def joined(sent, picture):
    """All marks of a picture, with those that were sent ahead of it."""
    marks = ()
    for message in sent[: sent.index(picture)]:
        if isinstance(message, PlotBegun):
            marks = (*marks[: message.known], *message.plot.marks)
    return (*marks[: picture.known], *picture.plot.marks)


def test_of_a_picture_that_answers_the_field_is_sent_first_and_no_mark_twice(monkeypatch):
    # However busy the machine is, no fit is shown before it is done, and no draft comes ahead of it.
    monkeypatch.setattr("mlviz.worker.engine._CHUNK", 60.0)
    monkeypatch.setattr("mlviz.worker.engine._SLOW_SECONDS", 60.0)

    def script(window):
        for number in range(len(SCENES)):
            yield sent_request(number)
            yield from window.until(lambda number=number: RequestDone(number) in window.sent, taking=True)

    window = served(script, monkeypatch)
    kinds = [type(message).__name__ for message in window.sent]
    assert kinds[1:4] == ["PlotBegun", "PlotBegun", "PanelPicture"]
    begun = [message for message in window.sent if isinstance(message, PlotBegun)]
    assert [message.known for message in begun] == [0, 1, 0, 1]
    for number, (scene, draft) in enumerate(zip(SCENES, DRAFTS, strict=True)):
        engine = Engine()
        engine.submit(request_of(number, scene, draft))
        whole = pictures_of(engine)[0].plot.marks
        picture = window.pictures(number)[0]
        marks = joined(window.sent, picture)
        assert [mark.role for mark in marks] == [mark.role for mark in whole] and len(whole) > 3
        assert (marks[0].strength == whole[0].strength).all() and (marks[1].xy == whole[1].xy).all()
        assert len(picture.plot.marks) == (len(whole) if draft else 0)


def test_what_was_begun_counts_only_for_a_picture_of_these_very_marks():
    sent = []
    outgoing = Outgoing(sent.append)
    first, second, other = (Lines("boundary", np.array([(0.0, 0.0), (x, 1.0)])) for x in (1.0, 2.0, 3.0))
    plot = Plot("data", "", "x1", "x2", (first,))
    for marks in ((first, second), (other, second), (first, second)):
        outgoing.begin(0, plot)
        outgoing.send(PanelPicture(1, 0, "key", replace(plot, marks=marks)))
    pictures = [message for message in sent if isinstance(message, PanelPicture)]
    assert [joined(sent, picture) for picture in pictures] == [(first, second), (other, second), (first, second)]
    assert [picture.known for picture in pictures] == [1, 0, 1]


def test_while_a_picture_waits_to_be_taken_nothing_is_sent_ahead(monkeypatch):
    def script(window):
        for number in (0, 1):
            yield sent_request(number)
            yield from window.until(lambda number=number: window.server._ready or RequestDone(number) in window.sent)

    window = served(script, monkeypatch)
    assert len([message for message in window.sent if isinstance(message, PlotBegun)]) == 2


def test_the_window_does_not_wait_for_the_training_error_to_paint_marks(monkeypatch):
    order, error = [], Rating.error.func
    monkeypatch.setattr(Rating, "error", property(lambda rating: order.append("error") or error(rating)))
    engine = Engine(begun=lambda panel, plot: order.append(len(plot.marks)))
    engine.submit(request_of(1, scene_of(LDA())))
    first = pictures_of(engine)[0]
    assert order[:3] == [1, len(first.plot.marks), "error"] and "training error" in first.caption
