"""Nothing is lost: copies of unsaved work, files that others changed, places where nothing can be written."""

import datetime
import os
import signal

import pytest

import mlviz.files.atomic as atomic
from mlviz.recovery.slots import CopySlot, find_leftover_copies, keep_for_later
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.ui.documents import recovery
from mlviz.ui.documents.recovery import describe, format_time
from tests import kill9
from tests.closing import close_without_asking
from tests.recovery.leftovers import recovered
from tests.recovery.samples import left_behind, scene_with
from tests.ui.documents.unsaved import kept, leave, points, with_points

pytestmark = pytest.mark.slow


class TestCopies:
    def test_a_copy_follows_each_gesture_and_goes_when_nothing_is_unsaved(self, make, tmp_path, folder):
        def last():
            return [(len(copy.scene.dataset), copy.file, copy.when) for copy in kept(folder)]

        window = make()
        assert last() == []
        with_points(window, 3)
        (first,) = last()
        assert first[:2] == (3, None)
        window.store.push(window.store.scene.replace(dataset=points(4)), "drag", "key")
        window.store.push(window.store.scene.replace(dataset=points(5)), "drag", "key")
        assert last() == [first]
        window.store.settle()
        (second,) = last()
        assert second[0] == 5
        window.store.look(window.store.scene.with_view(probe=(0.0, 1.0)))
        assert last() == [second]
        window.documents._write(tmp_path / "a.mlviz")
        assert last() == []
        window.store.undo()
        assert last()[0][1] == str((tmp_path / "a.mlviz").resolve()) and kept(folder)[0].digest
        window.store.redo()
        assert last() == []

    def test_of_a_long_stroke_there_is_a_copy_each_second(self, qtbot, make, folder, monkeypatch):
        monkeypatch.setattr(recovery, "STROKE_MS", 50)
        window = make()
        with_points(window, 3)
        for n in (4, 5):  # and once more when it has been written in this stroke already
            window.store.push(window.store.scene.replace(dataset=points(n)), "brush", "key")
            qtbot.waitUntil(lambda n=n: [len(copy.scene.dataset) for copy in kept(folder)] == [n])
        window.store.cancel("key")
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [3]
        window.store.push(window.store.scene.replace(dataset=points(9)), "brush", "key")
        close_without_asking(window)
        qtbot.wait(100)
        assert list(folder.iterdir()) == []

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
    def test_it_does_not_need_the_worker_and_a_good_end_removes_it(self, qtbot, make, folder, number):
        window = make(live=True)
        with_points(window, 3)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [3]
        qtbot.waitUntil(lambda: window.link._ready)
        os.kill(window.link._worker.pid, number)
        with_points(window, 7)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [7]
        close_without_asking(window)
        assert list(folder.iterdir()) == []

    def test_where_no_copy_can_be_kept_the_program_works_on_and_says_so_once(self, make, tmp_path, monkeypatch):
        (tmp_path / "file").touch()
        window = make(copies=tmp_path / "file" / "copies")
        with_points(window, 3)
        assert len(window.store.scene.dataset) == 3
        later = make()
        monkeypatch.setattr(CopySlot, "write", lambda *_: "No space left on device")
        for n in range(1, 4):
            with_points(later, n)
        assert len(later.said) == 1
        assert later.said[0].startswith("No copy is kept in ") and "No space left" in later.said[0]

    @pytest.mark.parametrize("pinned", [False, True])
    def test_what_is_only_looked_at_is_in_no_copy_and_no_file(self, make, folder, tmp_path, pinned):
        window = make()
        window.store.look(window.store.scene.with_view(probe=(0.5, 0.25)))
        window.hand.pinned = pinned
        with_points(window, 3)
        window.documents._write(tmp_path / "a.mlviz")
        with_points(window, 4)
        (copy,) = kept(folder)
        for scene in (copy.scene, scene_file.load(tmp_path / "a.mlviz")):
            assert scene.view.probe == ((0.5, 0.25) if pinned else None)
        close_without_asking(window)


class TestRecovery:
    def test_nothing_left_asks_nothing(self, make):
        window = make()
        window.recovery.offer()
        window.recovery.ask()
        assert window.said == ["No program has left unsaved work behind."]

    def test_recovered_work_is_unsaved_and_its_copy_stays_until_there_is_a_new_one(self, make, folder, press):
        leave(folder, 5)
        window = make()
        press(["Recover"])
        window.recovery.offer()
        assert len(window.store.scene.dataset) == 5 and window.documents.path is None
        assert window.documents.modified and window.isWindowModified() and window.store.undo_what is None
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [5]
        with_points(window, 6)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [6]
        close_without_asking(window)
        assert list(folder.iterdir()) == []

    def test_what_could_not_be_recovered_is_told(self, make, folder, press):
        scene = scene_with(5)
        left_behind(folder, scene.with_view(probe=(1.7e308, 0.0)))
        press(["Recover"])
        window = make()
        assert window.recovery.offer()
        assert len(window.store.scene.dataset) == 5 and window.store.scene.panels == scene.panels
        (told,) = window.complained
        assert told.endswith("not how they were shown. view.probe goes beyond 1e+100, too far away to draw.")

    def test_recovered_work_is_safe_where_no_other_copy_can_be_written(self, make, folder, press, monkeypatch):
        leave(folder, 5)
        window = make()
        monkeypatch.setattr(CopySlot, "write", lambda *_: "No space left on device")
        press(["Recover"])
        window.recovery.offer()
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [5]

    def test_later_keeps_it(self, make, folder, press):
        leave(folder, 5)
        press(["Later", "Later"])
        make().recovery.offer()
        window = make()
        window.recovery.offer()
        assert len(window.store.scene.dataset) == 0 and len(list(folder.glob("*.copy"))) == 1

    def test_what_was_left_for_later_is_asked_about_when_there_is_something_new(self, make, folder, press):
        leave(folder, 5)
        press(["Later"])
        make().recovery.offer(again=False)
        window = make()
        window.recovery.offer(again=False)  # no dialog comes up, which would not end
        assert window.said == ["Unsaved work that you left for later is in the File menu: Recover unsaved work."]
        leave(folder, 6, when=200.0)
        press(["Later"])
        make().recovery.offer(again=False)
        make().recovery.offer(again=False)
        press(["Recover"])
        window.recovery.ask()
        assert len(window.store.scene.dataset) == 6 and len(kept(folder)) == 2

    def test_discard_asks_once_more(self, make, folder, press):
        leave(folder, 5)
        leave(folder, 6, when=200.0)
        press(["Discard", "No", "Discard", "Yes", "Discard", "Yes"])
        make().recovery.offer()
        assert list(folder.glob("*.copy")) == []

    def test_of_several_one_is_recovered_and_the_others_are_kept(self, make, folder, press):
        for n in (3, 4, 5):
            leave(folder, n, when=100.0 + n)
        window = make()
        press(["Recover"])
        window.recovery.offer()
        assert len(window.store.scene.dataset) == 5
        press(["Discard", "Recover"])  # the answer to unsaved changes first
        window.recovery.ask()
        assert len(window.store.scene.dataset) == 4
        left, _ = find_leftover_copies(folder)
        assert [len(leftover.copy.scene.dataset) for leftover in left] == [3]
        keep_for_later(left)

    def test_opening_a_file_offers_its_own_copy_only(self, make, folder, press, tmp_path):
        path = tmp_path / "moons.mlviz"
        scene_file.save(default_scene().replace(dataset=points(8)), path)
        leave(folder, 3)
        leave(folder, 9, file=path, digest=atomic.digest_of(path))
        press(["Later"])
        window = make()
        window.documents.open(path)
        assert len(window.store.scene.dataset) == 8 and not window.documents.modified
        window.documents.new()
        press(["Recover"])
        window.documents.open(path)
        assert len(window.store.scene.dataset) == 9 and window.documents.modified and window.documents.path == path
        assert window.documents.save() and len(scene_file.load(path).dataset) == 9
        assert len(list(folder.glob("*.copy"))) == 1

    def test_recovered_work_does_not_overwrite_what_others_saved_since(self, make, folder, press, tmp_path):
        path = tmp_path / "moons.mlviz"
        scene_file.save(default_scene(), path)
        leave(folder, 9, file=path, digest=atomic.digest_of(path))
        scene_file.save(default_scene().replace(seed=5), path)
        window = make()
        press(["Recover", "Cancel"])
        window.recovery.offer()
        assert not window.documents.save() and scene_file.load(path).seed == 5

    def test_three_damaged_copies_are_one_box(self, make, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in "abc":
            (folder / f"{name}.copy").write_bytes(b"nothing")
        window = make()
        window.recovery.offer()
        assert len(window.complained) == 1 and window.complained[0].count("It is kept as") == 3

    def test_a_damaged_copy_is_a_sentence(self, make, folder):
        leave(folder, 5)
        next(folder.glob("*.copy")).write_bytes(b"\0" * 50)
        window = make()
        window.recovery.offer()
        assert len(window.complained) == 1 and "It is kept as" in window.complained[0]
        assert len(list(folder.glob("*.damaged"))) == 1

    def test_the_words_of_the_question(self, folder, qtbot):
        leave(folder, 1, file="/home/ada/moons.mlviz")
        ((left,), _) = find_leftover_copies(folder)
        assert describe(left.copy).startswith("moons.mlviz, 1 point, ")
        left.slot.release()
        now = datetime.datetime(2026, 11, 28, 9, 5)
        hours = [format_time(now - datetime.timedelta(hours=h), now) for h in (1, 10, 24 * 40)]
        assert hours == ["today 8:05", "yesterday 23:05", "19 October 2026 9:05"]


# The two modes left out are parts of these: a worker that dies with the window or stands still, which another test
# above shows without a process of its own. `python -m tests.kill9` tries all, and recovers in a new process.
@pytest.mark.parametrize(("mode", "seed"), [("window", 11), ("worker first", 18), ("in a stroke", 8)])
def test_what_was_finished_before_the_program_was_killed_comes_back(make, mode, seed):
    trial = kill9.trial(mode, seed, lambda folder: recovered(make(copies=folder / "copies"), folder))
    assert trial.wrong == "" and trial.gestures > 0
    # In a stroke a second, and what the processor gives to others.
    assert max(trial.lost, default=0.0) < (2.0 if mode == "in a stroke" else 1.0) and trial.orphan < 5.0
