"""A forked process is like one that the program starts: nothing of the test is in it, and none outlives the tests."""

import multiprocessing
import os
import subprocess
import sys
from multiprocessing import forkserver

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


def look(end):
    modules = list(sys.modules)
    end.send(
        {
            "ready": [name for name in modules if name in ("mlviz.worker.process", "scipy.spatial")],
            "window": [name for name in modules if name.startswith(("PySide6", "shiboken6", "mlviz.ui"))],
            "environment": {name: os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "QT_QPA_PLATFORM")},
            "folder": os.getcwd(),
            "parent": os.getppid(),
        }
    )


def test_it_has_what_a_worker_imports_and_nothing_of_the_window():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=look, args=(theirs,))
    process.start()
    theirs.close()
    found, server = ours.recv(), forkserver._forkserver._forkserver_pid
    ours.close()
    process.join()
    assert process.exitcode == 0
    assert found.pop("parent") == server and len(os.listdir(f"/proc/{server}/task")) == 1, "no thread is lost by a fork"
    assert sorted(found.pop("ready")) == ["mlviz.worker.process", "scipy.spatial"]
    environment = {"OPENBLAS_NUM_THREADS": "1", "QT_QPA_PLATFORM": os.environ["QT_QPA_PLATFORM"]}
    assert found == {"window": [], "environment": environment, "folder": os.getcwd()}


@pytest.mark.parametrize("how", ["environment", "folder", "spawned"])
def test_where_the_surroundings_are_others_or_it_is_asked_for_it_is_started_as_in_the_program(
    how, monkeypatch, tmp_path, request
):
    {
        "environment": lambda: monkeypatch.setenv("MLVIZ_METHODS", str(tmp_path)),
        "folder": lambda: monkeypatch.chdir(tmp_path),
        "spawned": lambda: request.getfixturevalue("spawned"),
    }[how]()
    assert multiprocessing.get_context("spawn").get_start_method() == "spawn"


ENDING = """
import multiprocessing, time
from multiprocessing import forkserver
from tests.processes import forked

forked.PRELOADED = "json"
if __name__ == "__main__":
    with forked.forked_processes():
        left = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(100,))
        left.start()
        print(left.pid, forkserver._forkserver._forkserver_pid, flush=True)
    print(multiprocessing.get_context("spawn").get_start_method())
"""


def test_at_the_end_none_is_left(tmp_path):
    (tmp_path / "ending.py").write_text(ENDING)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in (os.getcwd(), *sys.path) if path)}
    call = [sys.executable, tmp_path / "ending.py"]
    done = subprocess.run(call, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    *numbers, method = done.stdout.split()
    assert len(numbers) == 2 and method == "spawn"
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(int(number), 0)
