"""Work in a process of its own: what it is handed and what it answers, while the window goes on."""

import multiprocessing
import os
import signal

import pytest
from PySide6.QtCore import QTimer

from mlviz.ui.widgets.background import Background
from mlviz.worker import answering

LARGE = b"x" * 40_000_000


def length_of(content):
    return len(content)


def fail(content):
    raise ValueError(f"{len(content)} bytes are too many")


def die(content):
    os._exit(1)


class Local:
    """Something that can't be handed to another process, or that no process can read."""

    def __init__(self, how):
        self.how = how

    def __reduce__(self):
        return {"neither": lambda: lambda: 0, "unread": lambda: (fail, (b"12",))}[self.how]()


def answer_with(how):
    return Local(how)


@pytest.fixture
def heard(qtbot):
    background, said = Background("no answer"), []
    background.done.connect(lambda answer: said.append(("done", answer)))
    background.failed.connect(lambda sentence: said.append(("failed", sentence)))
    yield background, said
    background.stop()


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        (length_of, ("done", len(LARGE))),
        (fail, ("failed", f"{len(LARGE)} bytes are too many")),
        (die, ("failed", "no answer")),
    ],
)
def test_what_is_large_is_handed_over_and_answered(qtbot, heard, function, answer):
    background, said = heard
    background.start(function, LARGE)
    qtbot.waitUntil(lambda: bool(said))
    assert said == [answer] and not background.busy


def test_the_process_starts_without_qt(spawned, qtbot, heard):
    background, said = heard
    background.start(eval, "any(name.startswith(('PySide6', 'shiboken6')) for name in __import__('sys').modules)")
    qtbot.waitUntil(lambda: bool(said))
    assert said == [("done", False)]


@pytest.mark.parametrize("how", ["neither", "unread"])
@pytest.mark.parametrize(("function", "work"), [(length_of, Local), (answer_with, str)])
def test_what_can_not_be_handed_over_is_told(spawned, qtbot, heard, capfd, function, work, how):
    background, said = heard
    background.start(function, work(how))
    qtbot.waitUntil(lambda: bool(said))
    [(outcome, sentence)] = said
    assert outcome == "failed" and sentence != "no answer" and not background.busy
    assert capfd.readouterr().err == ""


def test_the_window_does_not_wait_for_the_process_to_read(qtbot, heard, monkeypatch):
    background, said = heard
    background.start(length_of, LARGE)
    process = background._process.pid
    os.kill(process, signal.SIGSTOP)  # who waited for it would wait for ever
    ticks = []
    timer = QTimer(interval=1)
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start()
    qtbot.waitUntil(lambda: len(ticks) > 20)
    assert not said and background.busy
    os.kill(process, signal.SIGCONT)
    qtbot.waitUntil(lambda: said == [("done", len(LARGE))])


def test_what_is_given_up_while_it_is_handed_over_leaves_nothing(qtbot, heard):
    background, said = heard
    for _ in range(3):
        background.start(length_of, LARGE)
    process, sender = background._process.pid, background._sender
    background.stop()
    assert not sender.is_alive() and not said
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_an_answer_that_nobody_waits_for_is_dropped_in_silence(monkeypatch):
    monkeypatch.setattr(answering, "warnings_to_log", lambda: None)
    ours, theirs = multiprocessing.Pipe()
    ours.send((sorted, ([2, 1],)))
    ours.close()
    answering.answer(theirs)
    theirs.close()
