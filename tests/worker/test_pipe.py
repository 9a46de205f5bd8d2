"""The end of a pipe that never waits: it speaks to one of the standard library's."""

import multiprocessing
import os
import pickle
import threading

import numpy as np
import pytest

from mlviz.draw.marks import Lines
from mlviz.draw.plot import Plot
from mlviz.worker.messages import PlotBegun
from mlviz.worker.pipe import NEVER_WAITS, SwiftEnd, SwiftListener

pytestmark = pytest.mark.skipif(not NEVER_WAITS, reason="pipes are no sockets on this system")


@pytest.fixture
def ends():
    own, far = multiprocessing.Pipe()
    swift = SwiftEnd(own)
    own.close()
    yield swift, far
    swift.close()
    far.close()


@pytest.mark.parametrize("size", [0, 1, 3000, 20_000])
def test_messages_go_both_ways(ends, size):
    swift, far = ends
    array = np.arange(size)
    assert swift.write(("to", array)) == b""
    word, came = far.recv()
    assert word == "to" and np.array_equal(came, array)
    far.send(("fro", array))
    found = []
    while not found:
        found = swift.read()
    assert found[0][0] == "fro" and np.array_equal(found[0][1], array)


def test_several_messages_come_in_their_order(ends):
    swift, far = ends
    for number in range(50):
        far.send(number)
    found = []
    while len(found) < 50:
        found += swift.read()
    assert found == list(range(50))


def test_a_message_in_pieces_is_heard_when_it_is_complete(ends):
    swift, far = ends
    whole = b"\0\0\0\5" + pickle.dumps(7, 2)  # a length, then as many bytes
    for k in range(len(whole)):
        os.write(far.fileno(), whole[k : k + 1])
        assert swift.read() == ([7] if k == len(whole) - 1 else [])


def test_what_nobody_reads_is_left_and_can_be_written_later(ends):
    swift, far = ends
    rest, number = b"", 0
    while not rest:
        number += 1
        rest = swift.write(np.zeros(3000))
    for _ in range(number - 1):
        far.recv()
    swift.sendall(rest)
    assert len(far.recv()) == 3000


def test_an_end_that_is_gone_is_told(ends):
    swift, far = ends
    far.close()
    with pytest.raises(EOFError):
        swift.read()
    with pytest.raises(OSError):
        swift.write("nobody there")


def test_a_listener_polls_and_receives_as_a_connection_does(ends):
    swift, far = ends
    listener = SwiftListener(far)
    assert not listener.poll() and not listener.poll(0.01)
    for message in (1, np.arange(200_000), None):
        rest = swift.write(message)
        assert listener.poll(None)
        if rest:  # what a pipe does not hold is written while the other end reads
            writing = threading.Thread(target=swift.sendall, args=(rest,))
            writing.start()
        np.testing.assert_array_equal(listener.recv(), message)
    writing.join()
    assert not listener.poll()
    swift.write(2)
    swift.write(3)
    assert [listener.recv() for _ in range(2) if listener.poll(0.0)] == [2, 3]
    listener.send("back")
    assert swift.read() == ["back"]
    plot = Plot("data", "all marks", "x1", "x2", (Lines("boundary", np.arange(6.0).reshape(3, 2)),))
    listener.send(PlotBegun(3, plot, 0))
    (begun,) = swift.read()
    assert (begun.panel, begun.plot.title) == (3, plot.title)
    np.testing.assert_array_equal(begun.plot.marks[0].xy, plot.marks[0].xy)
    swift.close()
    assert listener.poll()
    with pytest.raises(EOFError):
        listener.recv()
    listener._end.close()
