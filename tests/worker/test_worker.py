import dataclasses
import os
import pickle
import queue
import subprocess
import sys
import time

import pytest

from mlviz.picture import PanelPicture
from mlviz.worker import process
from mlviz.worker.messages import Completed, RequestDone, WorkerReady
from mlviz.worker.process import DATASETS, Worker
from tests.odd_algorithms import Followed, Hanging, Stepping
from tests.processes.forked import spawned_processes
from tests.worker.requests import DATASET, request_of, scene_of

pytestmark = pytest.mark.slow


class Ear:
    """Hears a worker and acknowledges its pictures."""

    def __init__(self, acknowledge=True):
        self.answers = queue.Queue()
        self.acknowledge = acknowledge

    def __call__(self, worker, answer):
        if self.acknowledge and isinstance(answer, (PanelPicture, Completed)):
            worker.shown(answer.panel)
        self.answers.put(answer)

    def until(self, wanted, timeout=30):
        heard = []
        while True:
            heard.append(self.answers.get(timeout=timeout))
            if wanted(heard[-1]):
                return heard


@pytest.fixture(scope="module")
def running():
    """One that is started as in the program, not forked like those of other tests."""
    ear = Ear()
    with spawned_processes():
        worker = Worker(ear)
    ear.until(lambda answer: isinstance(answer, WorkerReady))
    yield worker, ear
    worker.stop()


def done(number):
    return lambda answer: answer == RequestDone(number)


def answer_of(request, heard):
    """The finished picture that answers the request; on a busy machine one of a fit under way comes before it."""
    return next(a for a in heard if isinstance(a, PanelPicture) and a.request == request and a.finished)


def _wait_for(what):
    last = time.monotonic() + 30
    while not what():
        assert time.monotonic() < last
        time.sleep(0.005)


def test_what_is_found_out_about_a_panel_is_not_sent():
    panel = scene_of(Stepping()).panels[0]
    panel.hides("boundary")
    assert "_off" in vars(panel)
    assert vars(pickle.loads(pickle.dumps(panel))).keys() == {field.name for field in dataclasses.fields(panel)}


class TestWorker:
    def test_what_can_not_be_sent_is_told_and_what_comes_after_it_is_answered(self, running):
        worker, ear = running
        scene = scene_of(Stepping())
        worker.send(request_of(70, scene.with_panel(0, dataclasses.replace(scene.panels[0], hidden=(lambda: 0,)))))
        (picture,) = [answer for answer in ear.until(done(70)) if isinstance(answer, PanelPicture)]
        assert picture.request == 70 and "pickle" in picture.message
        worker.send(request_of(71, scene))
        assert answer_of(71, ear.until(done(71))).message is None

    def test_it_answers_without_qt(self, running):
        worker, ear = running
        worker.send(request_of(1, scene_of(Stepping())))
        (rest,) = [answer for answer in ear.until(done(1)) if isinstance(answer, Completed)]
        assert rest.facts["number"].value == 9 and rest.facts["qt"].value is False

    def test_the_arrays_of_a_picture_arrive(self, running):
        worker, ear = running
        worker.send(request_of(2, scene_of(Stepping(), dataset=DATASET.move([0], [[9, 9]]))))
        picture = answer_of(2, ear.until(done(2)))
        assert picture.plot.marks[0].xy[0].tolist() == [9, 9]

    def test_a_dataset_crosses_once(self, running):
        worker, ear = running
        scene = scene_of(Stepping(), dataset=DATASET.move([1], [[5, 5]]))
        assert worker._asking.packed(request_of(3, scene)).dataset is scene.dataset
        worker.send(request_of(3, scene))
        ear.until(done(3))
        again = worker._asking.packed(request_of(4, scene.replace(seed=3)))
        assert again.dataset is None and again.key == scene.dataset.key

    def test_panels_cross_where_they_are_others(self, running):
        worker, ear = running
        first, other = scene_of(Stepping()), scene_of(Followed())
        for number, scene, crosses in ((5, first, True), (6, first, False), (7, other, True), (8, first, True)):
            sent = worker._asking.packed(request_of(number, scene)).panels
            assert sent is (scene.panels if crosses else None)
            worker.send(request_of(number, scene.replace(dataset=DATASET.move([1], [[number, 6]]))))
            picture = answer_of(number, ear.until(done(number)))
            assert picture.plot.title == scene.panels[0].pipeline.algorithm.label

    def test_many_datasets_in_turn(self, running):
        worker, ear = running
        scenes = [scene_of(Stepping(), dataset=DATASET.move([1], [[i, 6]])) for i in range(DATASETS + 3)]
        for number, scene in enumerate((*scenes, *scenes), start=10):
            worker.send(request_of(number, scene))
            assert ear.until(done(number))[-1] == RequestDone(number)

    def test_a_storm_of_requests_ends_with_the_newest(self, running):
        worker, ear = running
        for number in range(100, 400):
            moved = DATASET.move([1], [[number, 6]])
            worker.send(request_of(number, scene_of(Followed(), dataset=moved), draft=True))
        heard = ear.until(done(399))
        numbers = [answer.request for answer in heard if isinstance(answer, PanelPicture)]
        assert numbers[-1] == 399 and numbers == sorted(numbers)
        assert ear.answers.empty()

    def test_a_picture_that_was_not_taken_holds_back_the_next(self):
        ear = Ear(acknowledge=False)
        worker = Worker(ear)
        try:
            ear.until(lambda answer: isinstance(answer, WorkerReady))
            worker.send(request_of(1, scene_of(Stepping(n=60, pause=0.004))))
            assert ear.answers.get(timeout=10).panel == 0
            with pytest.raises(queue.Empty):
                ear.answers.get(timeout=1)
            worker.shown(0)
            assert ear.until(done(1))[0].finished
        finally:
            worker.stop()

    def test_without_pipes_that_never_wait_threads_do_it_all(self, monkeypatch):
        monkeypatch.setattr(process, "NEVER_WAITS", False)
        ear = Ear()
        worker = Worker(ear)
        try:
            for number in range(1, 4):
                worker.send(request_of(number, scene_of(Stepping(n=number))))
                assert answer_of(number, ear.until(done(number))).n_steps == number
        finally:
            worker.stop()

    def test_it_beats_while_it_works(self, running):
        """On a fit that lasts until it is interrupted, however late the process comes to it."""
        worker, ear = running
        worker.send(request_of(500, scene_of(Stepping(n=10**6, pause=0.005))))
        _wait_for(lambda: worker.working_on[2] == 500)
        before = worker.beats
        _wait_for(lambda: worker.beats > before)
        assert worker.working_on == (0, 0, 500)
        worker.send(request_of(501, scene_of(Stepping())))
        ear.until(done(501))

    def test_a_dead_process_is_reported(self):
        ear = Ear()
        worker = Worker(ear)
        ear.until(lambda answer: isinstance(answer, WorkerReady))
        os.kill(worker.pid, 9)
        assert ear.until(lambda answer: answer is None)
        worker.send(request_of(1, scene_of(Stepping())))
        worker.stop()

    def test_stopping_a_hanging_one_does_not_wait_for_its_end(self):
        ear = Ear()
        worker = Worker(ear)
        ear.until(lambda answer: isinstance(answer, WorkerReady))
        worker.send(request_of(1, scene_of(Hanging())))
        time.sleep(0.2)
        pid = worker.pid
        worker.stop(0.1)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert not any(thread.is_alive() for thread in worker._threads)


GONE = """
import multiprocessing, os, sys, time
from mlviz.worker.messages import WorkerReady
from mlviz.worker.process import Worker
from tests.odd_algorithms import {algorithm}
from tests.worker.test_worker import Ear, request_of, scene_of
if __name__ == "__main__":
    ear = Ear()
    worker = Worker(ear)
    ear.until(lambda answer: isinstance(answer, WorkerReady))
    worker.send(request_of(1, scene_of({algorithm}())))
    time.sleep(0.3)
    print(worker.pid, flush=True)
    os._exit(9)
"""


def test_no_orphan_outlives_a_window_that_was_killed(tmp_path):
    """Whether its fit takes steps or hangs; both wait side by side."""
    environment, windows = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}, []
    for algorithm in ("Stepping", "Hanging"):
        script = tmp_path / f"{algorithm}.py"
        script.write_text(GONE.format(algorithm=algorithm), encoding="utf-8")
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        windows.append(subprocess.Popen([sys.executable, script], text=True, env=environment, **pipes))
    workers = set()
    for window in windows:
        said, complained = window.communicate(timeout=60)
        assert window.returncode == 9, complained
        workers.add(int(said))
    for _ in range(100):
        workers = {pid for pid in workers if is_there(pid)}
        if not workers:
            return
        time.sleep(0.05)
    pytest.fail("a worker is still there")


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
