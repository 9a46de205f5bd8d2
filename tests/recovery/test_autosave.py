"""Copies of unsaved work: what is in them, who may touch them, and what becomes of those left behind."""

import errno
import multiprocessing
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.files.atomic import digest_of, write_atomically
from mlviz.pipeline.pipeline import Pipeline
from mlviz.recovery import copies
from mlviz.recovery.copies import (
    BadCopy,
    Copy,
    CopySlot,
    WriteCopy,
    find_leftover_copies,
    keep_for_later,
    lock_of,
    unpack,
)
from mlviz.recovery.locks import Lock
from mlviz.recovery.writer import CopySender, CopyWriter
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel, Scene

NAMES = ("X", "labels", "held_out", "active")


def scene_with(n=5, **fields):
    rng = np.random.default_rng(n)
    return default_scene().replace(dataset=Dataset(rng.normal(size=(n, 2)), np.arange(n) % 3, **fields))


def copy_of(scene, when=100.0, file="/home/ada/moons.mlviz"):
    return Copy(scene, file, "abc", when)


def left_behind(folder, *scenes):
    """Copies whose program is gone, each a second younger than the one before."""
    for number, scene in enumerate(scenes):
        place = CopySlot(folder)
        assert WriteCopy(1, place.path, copy_of(scene, 100.0 + number)).carry_out() == ""
        place._lock.release()


def names(folder):
    return sorted(path.suffix for path in folder.iterdir())


def same(a: Scene, b: Scene) -> bool:
    arrays = all(np.array_equal(getattr(a.dataset, name), getattr(b.dataset, name)) for name in NAMES)
    words = (a.dataset.columns, a.dataset.class_column, a.dataset.class_names, a.dataset.source)
    return arrays and words == (b.dataset.columns, b.dataset.class_column, b.dataset.class_names, b.dataset.source)


class TestContent:
    @pytest.mark.parametrize(
        "scene",
        [
            default_scene(),
            scene_with(7, columns=("height", "Größe"), class_column="Art", class_names=("", "ä\n", "c")),
            scene_with(4, held_out=[True, False, False, True], active=[False, True, True, True]),
            default_scene().replace(dataset=generators()["moons"](noise=0.3).generate(8), seed=2**62),
            scene_with(300).with_view(limits=(-1e9, 1e9, 0.0, 1e-9), equal=False, step=3),
            Scene(
                Dataset(np.full((3, 2), [5e-324, -1.7e308]), [0, 250, 0]),
                tuple(Panel(Pipeline(kind())) for kind in list(registry().values())[:6]),
            ),
        ],
        ids=["empty", "names", "masks", "source", "view", "extremes"],
    )
    def test_it_comes_back_to_the_last_bit(self, scene):
        about, read = unpack(copy_of(scene).pack())
        assert (about.file, about.digest, about.when, about.points) == (
            "/home/ada/moons.mlviz", "abc", 100.0, len(scene.dataset),
        )  # fmt: skip
        assert same(read, scene)
        assert (read.panels, read.seed, read.view) == (scene.panels, scene.seed, scene.view)
        assert not read.dataset.X.flags.writeable

    def test_a_panel_that_no_file_can_hold_does_not_cost_the_points(self):
        scene = scene_with(9)
        odd = Panel(scene.panels[0].pipeline, inputs=("gone", "x1"))
        read = unpack(copy_of(scene.replace(panels=(odd,), seed=4)).pack())[1]
        assert same(read, scene) and read.panels == default_scene().panels

    def test_every_damage_is_noticed(self):
        content = copy_of(scene_with(3)).pack()
        for place in range(0, len(content), 7):
            for damaged in (content[:place], content[:place] + b"\xff" + content[place + 1 :]):
                with pytest.raises(BadCopy):
                    unpack(damaged)

    def test_another_version_is_a_sentence(self):
        content = copy_of(default_scene()).pack()
        title, _, body = content.partition(b"\n")
        body = body.replace(b'"digest"', b'"future"', 1)
        digest = copies.hashlib.sha256(body).hexdigest().encode()
        with pytest.raises(BadCopy, match="another version"):
            unpack(title[: len(copies._TITLE)] + digest + b"\n" + body)

    def test_a_hundred_thousand_points_cost_little(self):
        copy = copy_of(scene_with(100_000))
        times = []
        for _ in range(5):
            start = time.perf_counter()
            copy.pack()
            times.append(time.perf_counter() - start)
        assert min(times) < 0.05


class TestFolder:
    def test_a_running_program_is_not_offered_and_one_that_ended_well_leaves_nothing(self, tmp_path):
        place = CopySlot(tmp_path / "new" / "folder")
        WriteCopy(1, place.path, copy_of(scene_with())).carry_out()
        assert find_leftover_copies(place.path.parent).left == []
        place.give_up()
        assert list(place.path.parent.iterdir()) == []

    def test_copies_are_offered_newest_first_and_to_one_program_only(self, tmp_path):
        left_behind(tmp_path, scene_with(3), scene_with(4))
        first = find_leftover_copies(tmp_path).left
        assert [left.about.points for left in first] == [4, 3]
        assert find_leftover_copies(tmp_path).left == []
        keep_for_later(first)
        again = find_leftover_copies(tmp_path).left
        assert [left.about.points for left in again] == [4, 3]
        again[0].discard()
        again[1].release()
        assert names(tmp_path) == [".copy", ".lock"]

    def test_the_worker_that_still_writes_holds_the_copy(self, tmp_path):
        place = CopySlot(tmp_path)
        WriteCopy(1, place.path, copy_of(scene_with())).carry_out()
        worker = Lock(lock_of(place.path), shared=True)
        place._lock.release()
        assert find_leftover_copies(tmp_path).left == []
        worker.release()
        assert len(find_leftover_copies(tmp_path).left) == 1

    def test_a_killed_process_lets_go_of_its_lock(self, tmp_path):
        code = (
            "import os, sys, pathlib\n"
            "from mlviz.recovery.copies import *; from mlviz.scene.defaults import default_scene\n"
            "p = CopySlot(pathlib.Path(sys.argv[1]))\n"
            "WriteCopy(1, p.path, Copy(default_scene(), None, '', 1.0)).carry_out()\n"
            "os.kill(os.getpid(), 9)"
        )
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
        assert done.returncode == -9
        assert len(find_leftover_copies(tmp_path).left) == 1

    def test_a_damaged_copy_is_told_once_and_kept_aside(self, tmp_path):
        left_behind(tmp_path, scene_with(3), scene_with(4))
        damaged = sorted(tmp_path.glob("*.copy"))[0]
        damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
        found = find_leftover_copies(tmp_path)
        assert len(found.left) == 1 and len(found.problems) == 1
        assert found.problems[0].endswith(f"It is kept as {damaged.with_suffix('.damaged')}.")
        keep_for_later(found.left)
        assert names(tmp_path) == [".copy", ".damaged", ".lock"]
        assert find_leftover_copies(tmp_path).problems == []

    def test_a_damaged_copy_that_stays_where_it_is_is_not_held(self, tmp_path, monkeypatch):
        left_behind(tmp_path, scene_with(3))
        (damaged,) = tmp_path.glob("*.copy")
        damaged.write_bytes(b"?")
        with monkeypatch.context() as fault:
            fault.setattr(copies.os, "replace", lambda *ends: (_ for _ in ()).throw(PermissionError(13, "no")))
            assert find_leftover_copies(tmp_path).problems[0].endswith(f"It is kept as {damaged}.")
        Lock(copies.lock_of(damaged)).release()
        assert find_leftover_copies(tmp_path).problems[0].endswith(f"It is kept as {damaged.with_suffix('.damaged')}.")

    def test_what_was_only_begun_goes(self, tmp_path):
        place = CopySlot(tmp_path)
        (tmp_path / f".{place.path.name}.xyz.part").write_bytes(b"half")
        place._lock.release()
        assert find_leftover_copies(tmp_path).left == [] and list(tmp_path.iterdir()) == []

    def test_of_many_that_were_put_off_the_newest_stay(self, tmp_path):
        left_behind(tmp_path, *[default_scene()] * (copies.MOST_KEPT_COPIES + 3))
        found = find_leftover_copies(tmp_path).left
        assert len(found) == copies.MOST_KEPT_COPIES + 3  # each is offered once at the least
        keep_for_later(found)
        assert sorted(left.about.when for left in find_leftover_copies(tmp_path).left)[0] == 103.0

    def test_a_folder_that_is_none(self, tmp_path):
        (tmp_path / "file").touch()
        assert find_leftover_copies(tmp_path / "file").left == [] and find_leftover_copies(tmp_path / "none").left == []
        with pytest.raises(OSError, match=r"exists|directory"):
            CopySlot(tmp_path / "file")


def refuse(number):
    def call(*_, **__):
        raise OSError(number, os.strerror(number))

    return call


class TestTrouble:
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
    @pytest.mark.parametrize("call", ["os.fsync", "os.replace", "tempfile.mkstemp", "os.chmod"])
    def test_the_older_copy_stays_and_nothing_else(self, tmp_path, monkeypatch, call, number):
        place = CopySlot(tmp_path)
        order = WriteCopy(1, place.path, copy_of(scene_with(3)))
        assert order.carry_out() == ""
        with monkeypatch.context() as fault:
            fault.setattr(call, refuse(number))
            assert WriteCopy(2, place.path, copy_of(scene_with(4))).carry_out() == os.strerror(number)
        assert names(tmp_path) == [".copy", ".lock"]
        assert unpack(place.path.read_bytes())[0].points == 3

    def test_a_bug_in_writing_is_told(self, tmp_path):
        assert WriteCopy(1, tmp_path / "x.copy", copy_of(None)).carry_out().startswith("AttributeError: ")

    def test_a_folder_that_cannot_be_synced_is_no_failure(self, tmp_path, monkeypatch):
        sync, calls = os.fsync, []

        def second(descriptor):
            calls.append(descriptor)
            return sync(descriptor) if len(calls) == 1 else refuse(errno.EINVAL)()

        monkeypatch.setattr("os.fsync", second)
        write_atomically(tmp_path / "a", b"new")
        assert (tmp_path / "a").read_bytes() == b"new" and len(calls) == 2

    def test_a_file_that_may_not_be_written_is_not_replaced(self, tmp_path, monkeypatch):
        path = tmp_path / "a"
        path.write_bytes(b"old")
        with monkeypatch.context() as fault:  # the mode alone would not keep the administrator from it
            fault.setattr("os.open", refuse(errno.EACCES))
            with pytest.raises(PermissionError):
                write_atomically(path, b"new")
        assert names(tmp_path) == [""] and path.read_bytes() == b"old"

    def test_the_digest_of_a_file(self, tmp_path):
        (tmp_path / "a").write_bytes(b"1")
        one = digest_of(tmp_path / "a")
        (tmp_path / "a").write_bytes(b"2")
        assert one not in ("", digest_of(tmp_path / "a")) and digest_of(tmp_path / "b") == ""


class TestScribe:
    def pipe(self, answers):
        far, near = multiprocessing.Pipe(duplex=False)
        return CopySender(near), CopyWriter(far, answers)

    def test_the_newest_order_is_carried_out_and_what_is_in_the_pipe_at_the_end_too(self, tmp_path):
        place, kept = CopySlot(tmp_path), []
        dictation, scribe = self.pipe(kept.append)
        for number in range(1, 4):
            dictation.send(WriteCopy(number, place.path, copy_of(scene_with(number))))
            time.sleep(0.05)
        dictation.close()
        dictation.join()
        scribe.start()
        scribe.join(10)
        assert not scribe.is_alive() and [answer.number for answer in kept] == [3]
        assert unpack(place.path.read_bytes())[0].points == 3

    def test_it_writes_although_nobody_hears_it(self, tmp_path):
        place = CopySlot(tmp_path)
        dictation, scribe = self.pipe(refuse(errno.EPIPE))
        scribe.start()
        for number in (1, 2):
            dictation.send(WriteCopy(number, place.path, copy_of(scene_with(number))))
            time.sleep(0.1)
        dictation.close()
        scribe.join(10)
        assert unpack(place.path.read_bytes())[0].points == 2

    def test_it_does_not_write_where_somebody_recovers(self, tmp_path):
        kept, done = [], threading.Event()
        dictation, scribe = self.pipe(lambda answer: (kept.append(answer), done.set()))
        other = Lock(lock_of(tmp_path / "a.copy"))
        scribe.start()
        dictation.send(WriteCopy(1, tmp_path / "a.copy", copy_of(default_scene())))
        assert done.wait(10) and kept[0].problem and not (tmp_path / "a.copy").exists()
        dictation.close()
        scribe.join(10)
        other.release()
