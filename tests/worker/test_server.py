"""What the process sends, and when, to a window that takes its time."""

import time

import pytest

from mlviz.picture import PanelPicture
from mlviz.worker.messages import Completed, PictureTaken, RequestDone, SentRequest
from mlviz.worker.process import _Server
from tests.odd_algorithms import Followed
from tests.worker.requests import DATASET, request_of, scene_of

MOST_LOOKS = 500
"""So often a window looks for what it waits for."""


class Window:
    """The other end of the pipe: `script` yields what it says, or None where it says nothing."""

    def __init__(self, script):
        self.sent, self._inbox, self._script = [], [], script(self)

    def poll(self, timeout):
        self._inbox += filter(None, [next(self._script, "the end")])
        if not self._inbox:
            time.sleep(min(timeout or 0.0, 0.02))
        return bool(self._inbox)

    def recv(self):
        return self._inbox.pop(0)

    def send(self, message):
        self.sent.append(message)

    def until(self, wanted, taking=False):
        """Wait for something, taking all pictures meanwhile or none."""
        taken = 0
        for _ in range(MOST_LOOKS):
            waiting = [m for m in self.sent if isinstance(m, (PanelPicture, Completed))][taken:][:taking]
            if wanted() and not waiting:
                return
            taken += len(waiting)
            yield PictureTaken(0) if waiting else None

    def pictures(self, request):
        return [m for m in self.sent if isinstance(m, PanelPicture) and m.request == request and m.finished]


def sent_request(number, shift):
    """Of a fit that is slow enough for a draft by its follower to come ahead of it."""
    request = request_of(number, scene_of(Followed(n=3, pause=0.005), dataset=DATASET.move([0], [(shift, 0.0)])))
    scene = request.scene
    what = scene.panels, scene.seed, scene.view, scene.attempts, scene.hides_answer, scene.split
    how = request.sizes, request.draft, request.refused, request.front
    return SentRequest(number, scene.dataset.key, scene.dataset, *what, *how)


def served(script, monkeypatch):
    monkeypatch.setattr("mlviz.worker.process._PRELOADED", ())
    window = Window(script)
    server = window.server = _Server(window, [0, -1, 0, 0])
    server.run()
    return window


def test_a_refined_picture_on_its_way_does_not_hold_back_the_draft_of_the_next_click(monkeypatch):
    def script(window):
        yield sent_request(1, 0.1)
        yield from window.until(lambda: RequestDone(1) in window.sent, taking=True)
        yield from window.until(lambda: len(window.pictures(1)) == 2)
        yield sent_request(2, 0.2)
        yield from window.until(lambda: window.pictures(2))
        assert [picture.draft for picture in window.pictures(2)] == [True]
        yield PictureTaken(0)  # the refined one, and so the exact one still waits for the draft to be taken
        yield from window.until(lambda: 0 in window.server._ready)
        assert len(window.pictures(2)) == 1
        yield PictureTaken(0)
        yield from window.until(lambda: RequestDone(2) in window.sent)
        assert [picture.draft for picture in window.pictures(2)] == [True, False]

    served(script, monkeypatch)


@pytest.mark.parametrize("late", [True, False])
def test_what_is_refined_while_a_request_comes_is_not_sent(monkeypatch, late):
    def script(window):
        yield sent_request(1, 0.1)
        yield from window.until(lambda: RequestDone(1) in window.sent, taking=True)
        yield from window.until(lambda: any(refined for _, refined in window.server._ready.values()))
        if late:
            yield sent_request(2, 0.2)
        yield from window.until(lambda: window.pictures(1 + late)[1 - late :])

    window = served(script, monkeypatch)
    assert len(window.pictures(1)) == (1 if late else 2)
