import contextlib
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
from tests.odd_algorithms import WITNESS, Dying, Followed, Hanging, Stepping, StudyHanging

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
        self.words = []
        self.link.pictured.connect(self.pictures.append)
        self.link.status.connect(self.words.append)

    def ask(self, scene, draft=False):
        return self.link.request(scene, [SIZE] * len(scene.panels), draft)

    def wait(self, timeout=30000):
        self.qtbot.waitUntil(lambda: not self.link.busy, timeout=timeout)
        return {picture.panel: picture for picture in self.pictures}

    def answer(self, scene, draft=False):
        self.pictures.clear()
        self.ask(scene, draft)
        return self.wait()


@pytest.fixture
def witness(tmp_path, monkeypatch):
    monkeypatch.setenv(WITNESS, str(tmp_path / "died"))  # before the worker starts, which inherits it
    return tmp_path / "died"


@pytest.fixture
def make(qtbot, witness):
    """Makes windows with a worker of their own, of which nothing is left."""
    before = set(threading.enumerate())  # a worker that other tests share has a thread, too
    made = []

    def make():
        made.append(Window(qtbot, WorkerLink()))
        return made[-1]

    yield make
    threads = set(threading.enumerate()) - before
    pids = [window.link._worker.pid for window in made if window.link._worker is not None]
    for window in made:
        window.link.close()
    assert not [t for t in threads if t.name in ("mlviz reader", "mlviz writer") and t.is_alive()]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.fixture
def window(make):
    return make()


@pytest.fixture
def kind_window(qtbot, _shared):
    """One whose worker is that of other tests: for what neither hangs nor ends it."""
    window = Window(qtbot, _shared())
    yield window
    window.link._timer.setInterval(link_room.PULSE_MS)
    window.link.close()


def test_a_picture_for_every_panel(kind_window):
    assert not kind_window.link.busy
    pictures = kind_window.answer(scene_of(Stepping(), Stepping(n=3)))
    assert {panel: picture.n_steps for panel, picture in pictures.items()} == {0: 10, 1: 3}
    assert pictures[0].request == kind_window.link.newest and not kind_window.words


def test_without_samples_there_is_an_answer_too(kind_window):
    pictures = kind_window.answer(scene_of(Stepping(), dataset=Dataset.empty()))
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


def test_of_many_requests_the_newest_is_answered_and_the_window_is_not_held_up(kind_window):
    kind_window.answer(scene_of(Followed()))
    with nobody_reading(kind_window):
        for number in range(200):
            kind_window.ask(scene_of(Followed(), dataset=DATASET.move([0], [[number, 0]])), draft=True)
    kind_window.wait()
    assert kind_window.pictures[-1].request == kind_window.link.newest


def test_a_large_dataset_does_not_hold_up_the_window(kind_window):
    kind_window.answer(scene_of(Stepping()))
    large = Dataset(np.random.default_rng(0).normal(size=(500_000, 2)), np.arange(500_000) % 2)
    with nobody_reading(kind_window):
        kind_window.ask(scene_of(Hanging(), dataset=large))
        kind_window.ask(scene_of(Stepping(n=2), dataset=large))
    assert kind_window.wait()[0].n_steps == 2


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


def test_a_fit_that_takes_the_worker_down_once_is_tried_again(window, witness):
    picture = window.answer(scene_of(Dying()))[0]
    assert picture.message is None and witness.exists() and len(window.words) == 1


def test_a_fit_that_takes_the_worker_down_twice_is_given_up(window):
    pictures = window.answer(scene_of(Dying(always=True), Stepping()))
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


def test_a_study_that_hangs_is_given_up_and_the_fit_is_not(make):
    """Also one that is asked for again meanwhile; the two hang at the same time, for that takes seconds."""
    scene = with_study(StudyHanging())
    _, again = windows = make(), make()
    for window in windows:
        window.link._timer.setInterval(50)
        assert window.answer(scene)[0].message is None
    again.qtbot.waitUntil(lambda: again.link._worker.working_on[:2] == (0, 1))
    assert again.answer(scene.with_view(probe=(2, 2)))[0].message is None
    for window in windows:
        window.qtbot.waitUntil(lambda window=window: bool(window.words), timeout=30000)
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
        window.qtbot.waitUntil(lambda deaths=deaths: len(window.words) == deaths, timeout=30000)
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


def test_a_long_fit_is_no_hang(kind_window):
    kind_window.link._timer.setInterval(
        50
    )  # two seconds of silence are a hang: longer than a busy machine holds a step up
    kind_window.answer(scene_of(Stepping()))
    assert kind_window.answer(scene_of(Stepping(n=120, pause=0.02)))[0].n_steps == 120
    assert not kind_window.words


def test_a_worker_that_cannot_start_is_given_up_until_the_next_request(window, monkeypatch):
    window.answer(scene_of(Stepping()))
    for _ in range(link_room.MOST_FAILED_STARTS):
        window.link._ready = False
        window.link._died(window.link._worker)
    assert window.link._worker is None and "can't be started" in window.words[-1]
    assert window.answer(scene_of(Stepping(n=2)))[0].n_steps == 2


def test_closing_twice_and_closing_a_hanging_worker(window):
    window.answer(scene_of(Stepping()))
    window.ask(scene_of(Hanging()))
    window.qtbot.wait(100)
    worker = window.link._worker.pid
    window.link.close()
    window.link.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_the_window_stays_awake_while_the_worker_works(kind_window):
    kind_window.answer(scene_of(Stepping()))
    ticks = []
    timer = QTimer(interval=10)
    timer.timeout.connect(lambda: ticks.append(kind_window.link.busy))
    timer.start()
    kind_window.answer(scene_of(Stepping(n=300, pause=0.001)))
    timer.stop()
    assert sum(ticks) >= 10  # in 0.3 s there is room for 30


def test_a_picture_arrives_with_the_marks_that_were_sent_ahead_of_it(kind_window):
    begun = []
    kind_window.link.begun.connect(lambda panel, plot: begun.append((panel, plot)))
    kind_window.answer(scene_of(LDA(), LDA(shrinkage=0.5)))
    answers = {picture.panel: picture for picture in kind_window.pictures[::-1] if picture.finished}  # the first ones
    for panel, picture in answers.items():
        own = [plot.marks for number, plot in begun if number == panel]
        assert len(own) == 2 and own[0] == own[1][:1] and own[0][0].fills
        assert picture.plot.marks == own[1] and not picture.known
