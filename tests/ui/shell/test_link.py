import contextlib
import multiprocessing
import os
import signal
import threading

import numpy as np
import pytest
from PySide6.QtCore import QTimer

import mlviz.ui.shell.worker_link as link_room
from mlviz.algorithms.gaussian.lda import LDA
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.study_run import asked_studies
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.worker import GIVEN_UP
from tests.odd_algorithms import Dying, Followed, Hanging, Stepping, StudyHanging

pytestmark = pytest.mark.slow

DATASET = Dataset([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [1.0, 0.0], [3.0, 3.0]], [0, 1, 1, 0, 1])
SIZE = (600, 300)


def scene_of(*algorithms, dataset=DATASET):
    return Scene(dataset, tuple(Panel(Pipeline(algorithm)) for algorithm in algorithms))


class Window:
    """Stands for the window: asks, and keeps what comes."""

    def __init__(self, qtbot, link):
        self.qtbot = qtbot
        self.link = link
        self.pictures = []
        self.begun = []
        self.words = []
        self.link.pictured.connect(self.pictures.append)
        self.link.begun.connect(lambda panel, plot: self.begun.append((panel, plot)))
        self.link.status.connect(self.words.append)

    def ask(self, scene, draft=False):
        return self.link.request(scene, [SIZE] * len(scene.panels), draft)

    def wait(self):
        self.qtbot.waitUntil(lambda: not self.link.busy)
        return {picture.panel: picture for picture in self.pictures}

    def answer(self, scene, draft=False):
        self.pictures.clear()
        self.ask(scene, draft)
        return self.wait()


def of_workers():
    """The processes and threads there are of workers."""
    threads = [t for t in threading.enumerate() if t.name in ("mlviz reader", "mlviz writer")]
    return len([p for p in multiprocessing.active_children() if p.name == "mlviz worker"]), len(threads)


@pytest.fixture
def window(qtbot, _shared):
    """One whose worker is that of other tests, or took the place of it; of those before nothing is left."""
    window = Window(qtbot, _shared())
    before = of_workers()
    yield window
    left = of_workers(), window.link.busy
    window.link._timer.setInterval(link_room.PULSE_MS)
    window.link._refused.clear()
    window.link._deaths.clear()
    window.link.close()
    assert left == (before, False)


@pytest.fixture
def another(window, qtbot):
    """A second one, with a worker of its own, of which nothing is left."""
    before = of_workers()
    another = Window(qtbot, WorkerLink())
    yield another
    another.link.close()
    assert of_workers() == before


def test_a_picture_for_every_panel(window):
    assert not window.link.busy
    pictures = window.answer(scene_of(Stepping(), Stepping(n=3)))
    assert {panel: picture.n_steps for panel, picture in pictures.items()} == {0: 10, 1: 3}
    assert pictures[0].request == window.link.newest and not window.words


def test_without_samples_there_is_an_answer_too(window):
    pictures = window.answer(scene_of(Stepping(), dataset=Dataset.empty()))
    assert pictures[0].message is not None


@contextlib.contextmanager
def nobody_reading(window):
    """While this goes on the worker reads nothing: who waited for it would wait for ever."""
    worker = window.link._worker.pid
    os.kill(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


def test_of_many_requests_the_newest_is_answered_and_the_window_is_not_held_up(window):
    window.answer(scene_of(Followed()))
    with nobody_reading(window):
        for number in range(200):
            window.ask(scene_of(Followed(), dataset=DATASET.move([0], [[number, 0]])), draft=True)
    window.wait()
    assert window.pictures[-1].request == window.link.newest


def test_a_large_dataset_does_not_hold_up_the_window(window):
    window.answer(scene_of(Stepping()))
    large = Dataset(np.random.default_rng(0).normal(size=(500_000, 2)), np.arange(500_000) % 2)
    with nobody_reading(window):
        window.ask(scene_of(Hanging(), dataset=large))
        window.ask(scene_of(Stepping(n=2), dataset=large))
    assert window.wait()[0].n_steps == 2


def test_a_killed_worker_is_replaced_and_the_picture_still_comes(window):
    window.answer(scene_of(Stepping()))
    first = window.link._worker.pid
    os.kill(first, 9)
    assert window.answer(scene_of(Stepping(n=4)))[0].n_steps == 4
    assert window.link._worker.pid != first and len(window.words) == 1
    for n in (5, 6):
        window.ask(scene_of(Stepping(n=n, pause=0.01)))
        os.kill(window.link._worker.pid, 9)
        assert window.wait()[0].n_steps == n


def test_a_fit_that_takes_the_worker_down_once_is_tried_again(window, tmp_path):
    witness = tmp_path / "died"
    picture = window.answer(scene_of(Dying(witness=str(witness))))[0]
    assert picture.message is None and witness.exists() and len(window.words) == 1


def test_a_fit_that_takes_the_worker_down_twice_is_given_up(window, tmp_path):
    pictures = window.answer(scene_of(Dying(witness=str(tmp_path / "died"), always=True), Stepping()))
    assert pictures[0].message == GIVEN_UP and pictures[1].message is None
    assert window.answer(scene_of(Stepping(n=2)))[0].n_steps == 2


def test_a_fit_that_hangs_is_stopped_and_the_other_panels_are_answered(window, monkeypatch):
    monkeypatch.setattr(link_room, "PULSE_MS", 50)
    window.link._timer.setInterval(50)
    window.answer(scene_of(Stepping()))
    pictures = window.answer(scene_of(Hanging(), Stepping(n=2)))
    assert pictures[0].message == GIVEN_UP and pictures[1].n_steps == 2
    assert len(window.words) == 1 and "no sign of life" in window.words[0]
    window.answer(scene_of(Hanging(), Stepping(n=2)).with_view(probe=(0, 0)))
    assert len(window.words) == 1


def with_study(algorithm):
    return Scene(DATASET, (Panel(Pipeline(algorithm, "standardize"), hidden=()),))


def test_a_study_that_hangs_is_given_up_and_the_fit_is_not(window, another, monkeypatch):
    """Also one that is asked for again meanwhile; the two hang at the same time, for that takes seconds."""
    scene = with_study(StudyHanging())
    monkeypatch.setattr(link_room, "_IDLE_TICKS", 1000)  # on a loaded machine it begins long after the answer
    windows = window, another
    for window in windows:
        window.link._timer.setInterval(50)
        assert window.answer(scene)[0].message is None
    another.qtbot.waitUntil(lambda: another.link._worker.working_on[:2] == (0, 1))
    assert another.answer(scene.with_view(probe=(2, 2)))[0].message is None
    for window in windows:
        window.qtbot.waitUntil(lambda window=window: bool(window.words))
    monkeypatch.undo()
    for window in windows:
        assert list(window.link._refused) == [asked_studies(scene, 0)[0].key]
        assert window.answer(scene.with_view(probe=(1, 1)))[0].message is None
    for window in windows:
        window.qtbot.waitUntil(lambda window=window: not window.link._timer.isActive())
        assert len(window.words) == 1


def test_a_study_that_takes_the_worker_down_twice_is_given_up(window):
    scene = with_study(StudyHanging(dies=True))
    for deaths in (1, 2):
        assert window.answer(scene.with_view(probe=(deaths, 0)))[0].message is None
        window.qtbot.waitUntil(lambda deaths=deaths: len(window.words) == deaths)
    assert list(window.link._refused) == [asked_studies(scene, 0)[0].key]
    assert window.answer(scene)[0].message is None


def test_a_hanging_fit_is_left_for_a_newer_request(window):
    window.link._timer.setInterval(50)
    window.answer(scene_of(Stepping()))
    window.ask(scene_of(Hanging()))
    window.qtbot.wait(100)
    window.ask(scene_of(Stepping(n=2)))
    assert window.wait()[0].n_steps == 2
    assert not window.link._refused


def test_a_long_fit_is_no_hang(window):
    window.link._timer.setInterval(50)  # two seconds of silence are a hang: longer than a busy machine holds a step up
    window.answer(scene_of(Stepping()))
    assert window.answer(scene_of(Stepping(n=120, pause=0.02)))[0].n_steps == 120
    assert not window.words


def test_a_worker_that_cannot_start_is_given_up_until_the_next_request(window, monkeypatch):
    window.answer(scene_of(Stepping()))
    for _ in range(link_room.MOST_FAILED_STARTS):
        window.link._ready = False
        window.link._died(window.link._worker)
    assert window.link._worker is None and "can't be started" in window.words[-1]
    assert window.answer(scene_of(Stepping(n=2)))[0].n_steps == 2


def test_closing_twice_and_closing_a_hanging_worker(another):
    another.answer(scene_of(Stepping()))
    another.ask(scene_of(Hanging()))
    another.qtbot.wait(100)
    worker = another.link._worker.pid
    another.link.close()
    another.link.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_the_window_stays_awake_while_the_worker_works(window):
    window.answer(scene_of(Stepping()))
    ticks = []
    timer = QTimer(interval=10)
    timer.timeout.connect(lambda: ticks.append(window.link.busy))
    timer.start()
    window.answer(scene_of(Stepping(n=300, pause=0.001)))
    timer.stop()
    assert sum(ticks) >= 10  # in 0.3 s there is room for 30


def test_a_picture_arrives_with_the_marks_that_were_sent_ahead_of_it(window):
    window.answer(scene_of(LDA(), LDA(shrinkage=0.5)))
    answers = {picture.panel: picture for picture in window.pictures[::-1] if picture.finished}  # the first ones
    for panel, picture in answers.items():
        own = [plot.marks for number, plot in window.begun if number == panel]
        assert len(own) == 2 and own[0] == own[1][:1] and own[0][0].fills
        assert picture.plot.marks == own[1] and not picture.known
