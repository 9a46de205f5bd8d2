"""Nothing is lost: copies of unsaved work, files that others changed, places where nothing can be written."""

import datetime
import errno
import os
import signal

import numpy as np
import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

import mlviz.files.atomic as atomic
from mlviz.data.dataset import Dataset
from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot, find_leftover_copies, keep_for_later
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.ui.documents.recovery_dialog import RecoveryDialog, describe, format_time
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.widgets.preferences import RECENT, Preferences
from tests import kill9
from tests.ui.conftest import SilentLink

Answer = QMessageBox.StandardButton


def points(n):
    return Dataset(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)


def leave(folder, n, file=None, when=100.0, digest=""):
    """What a program with n points leaves that is not closed."""
    slot = CopySlot.new(folder)
    scene = default_scene().replace(dataset=points(n))
    assert slot.write(Copy(scene, None if file is None else str(file), digest, when)) == ""
    slot.release()


def kept(folder):
    """The copies in the folder, whoever holds them."""
    return [Copy.unpack(path.read_bytes()) for path in folder.glob("*.copy")]


def with_points(window, n, what="points"):
    window.store.push(window.store.scene.replace(dataset=points(n)), what)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "copies"


@pytest.fixture
def make(qtbot, preferences, folder):
    def make(live=False, copies=folder):
        window = MainWindow(None, None if live else SilentLink(), preferences, copies)
        qtbot.addWidget(window, before_close_func=MainWindow.close_without_asking)
        window.said, window.complained = [], []
        window.say, window.complain = window.said.append, window.complained.append
        window.show()
        return window

    return make


@pytest.fixture
def press(qtbot):
    """Press buttons of the dialogs that come up, one after the other, by the start of their names."""
    waiting = []

    def look():
        dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, RecoveryDialog | QMessageBox)]
        # A question on top of another one comes first.
        shown = sorted((w for w in dialogs if w.isVisible()), key=lambda w: isinstance(w, RecoveryDialog))
        if shown and waiting:
            wanted = waiting.pop(0)
            buttons = [b for b in shown[0].findChildren(QPushButton) if b.text().replace("&", "").startswith(wanted)]
            # Not from in here: a timer rests until its last call is over, and what this opens is to be answered too.
            QTimer.singleShot(0, buttons[0], buttons[0].click)

    timer = QTimer(interval=10)
    timer.timeout.connect(look)
    timer.start()
    yield waiting.extend
    assert waiting == []
    timer.stop()


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

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
    def test_it_does_not_need_the_worker_and_a_good_end_removes_it(self, qtbot, make, folder, number):
        window = make(live=True)
        with_points(window, 3)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [3]
        qtbot.waitUntil(lambda: window.link._ready, timeout=20000)
        os.kill(window.link._worker.pid, number)
        with_points(window, 7)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [7]
        window.close_without_asking()
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


class TestRecovery:
    def test_nothing_left_asks_nothing(self, make):
        window = make()
        window.recovery.start(None)
        window.recovery.ask()
        assert window.said == ["No program has left unsaved work behind."]

    def test_recovered_work_is_unsaved_and_its_copy_stays_until_there_is_a_new_one(self, make, folder, press):
        leave(folder, 5)
        window = make()
        press(["Recover"])
        window.recovery.start(None)
        assert len(window.store.scene.dataset) == 5 and window.documents.path is None
        assert window.documents.modified and window.isWindowModified() and window.store.undo_what is None
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [5]
        with_points(window, 6)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [6]
        window.close_without_asking()
        assert list(folder.iterdir()) == []

    def test_recovered_work_is_safe_where_no_other_copy_can_be_written(self, make, folder, press, monkeypatch):
        leave(folder, 5)
        window = make()
        monkeypatch.setattr(CopySlot, "write", lambda *_: "No space left on device")
        press(["Recover"])
        window.recovery.start(None)
        assert [len(copy.scene.dataset) for copy in kept(folder)] == [5]

    def test_later_keeps_it(self, make, folder, press):
        leave(folder, 5)
        press(["Later", "Later"])
        make().recovery.start(None)
        window = make()
        window.recovery.start(None)
        assert len(window.store.scene.dataset) == 0 and len(list(folder.glob("*.copy"))) == 1

    def test_discard_asks_once_more(self, make, folder, press):
        leave(folder, 5)
        leave(folder, 6, when=200.0)
        press(["Discard", "No", "Discard", "Yes", "Discard", "Yes"])
        make().recovery.start(None)
        assert list(folder.glob("*.copy")) == []

    def test_of_several_one_is_recovered_and_the_others_are_kept(self, make, folder, press):
        for n in (3, 4, 5):
            leave(folder, n, when=100.0 + n)
        window = make()
        press(["Recover"])
        window.recovery.start(None)
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
        window.recovery.start(path)
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
        window.recovery.start(None)
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
        window.recovery.start(None)
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


class TestFiles:
    def saved(self, make, tmp_path):
        window = make()
        path = tmp_path / "scene.mlviz"
        with_points(window, 3)
        assert window.documents._write(path)
        return window, path

    @pytest.mark.parametrize(("button", "seed"), [("Save anyway", 0), ("Cancel", 77)])
    def test_a_file_that_another_program_changed_is_asked_about(self, make, tmp_path, press, button, seed):
        window, path = self.saved(make, tmp_path)
        scene_file.save(default_scene().replace(seed=77), path)
        with_points(window, 4)
        press([button])
        assert window.documents.save() == (button == "Save anyway")
        assert scene_file.load(path).seed == seed and window.documents.modified == (button == "Cancel")
        if button == "Save anyway":
            with_points(window, 5)
            assert window.documents.save()

    def test_or_saved_as_another(self, make, tmp_path, press, monkeypatch):
        window, path = self.saved(make, tmp_path)
        scene_file.save(default_scene().replace(seed=77), path)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "other"), ""))
        press(["Save as another"])
        assert window.documents.save()
        assert scene_file.load(path).seed == 77 and window.documents.path == tmp_path / "other.mlviz"

    def test_a_table_opened_after_a_scene_is_not_saved_over_it(self, make, tmp_path):
        window, path = self.saved(make, tmp_path)
        window.documents.show_table(default_scene().replace(dataset=points(9)), tmp_path / "table.csv")
        assert window.documents.path is None and not window.documents.modified
        window.store.undo()
        assert window.documents.modified and len(scene_file.load(path).dataset) == 3

    def test_a_file_that_is_gone_is_written_again(self, make, tmp_path):
        window, path = self.saved(make, tmp_path)
        path.unlink()
        assert window.documents.save() and path.exists()

    def test_a_change_on_disk_is_noted_once(self, make, tmp_path):
        window, path = self.saved(make, tmp_path)
        window.said.clear()
        window.documents.look_at_disk()
        assert window.said == []
        scene_file.save(default_scene().replace(seed=77), path)
        for _ in range(3):
            window.documents.look_at_disk()
        assert len(window.said) == 1 and "scene.mlviz was changed by another program" in window.said[0]

    def test_a_name_that_gets_an_ending_is_asked_about_where_that_exists(self, make, tmp_path, press, monkeypatch):
        window, path = self.saved(make, tmp_path)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
        press(["No"])
        assert not window.documents.ask_save()

    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
    def test_where_nothing_can_be_written_the_window_stays_open(self, make, tmp_path, press, monkeypatch, number):
        window, path = self.saved(make, tmp_path)
        before = path.read_bytes()
        with_points(window, 4)

        def refuse(*_, **__):
            raise OSError(number, os.strerror(number))

        press(["Save"])
        with monkeypatch.context() as fault:
            fault.setattr(atomic.os, "replace", refuse)
            assert not window.close()
        assert window.isVisible() and window.documents.modified and path.read_bytes() == before
        assert [p.name for p in tmp_path.glob("*.part")] == [] and len(window.complained) == 1
        sentence = window.complained[0]
        assert sentence.startswith(f"scene.mlviz was not saved in {tmp_path}: {os.strerror(number)}. ")
        assert sentence.endswith("hoose another place.")

    @pytest.mark.parametrize("way", ["close", "new", "open"])
    def test_escape_is_cancel_whatever_asks(self, make, tmp_path, monkeypatch, way):
        window, path = self.saved(make, tmp_path)
        with_points(window, 4)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: Answer.Cancel)  # what Escape gives
        {"close": window.close, "new": window.documents.new, "open": lambda: window.documents.open(path)}[way]()
        assert window.isVisible() and len(window.store.scene.dataset) == 4 and window.documents.modified


class TestTwoWindows:
    def preferences(self, tmp_path):
        return Preferences(QSettings(str(tmp_path / "shared.ini"), QSettings.Format.IniFormat))

    def test_recent_files_stand_in_one_list(self, tmp_path):
        files = [tmp_path / f"{number}.mlviz" for number in range(2 * RECENT + 4)]
        for path in files:
            path.touch()
        a, b = self.preferences(tmp_path), self.preferences(tmp_path)
        a.remember(files[0])
        b.remember(files[1])
        a.remember(files[2])
        assert a.recent == b.recent == tuple(files[i].resolve() for i in (2, 1, 0))
        files[1].unlink()
        assert a.recent == tuple(files[i].resolve() for i in (2, 0))
        files[1].touch()
        for path in files[3:]:
            b.remember(path)
        assert a.recent == tuple(path.resolve() for path in files[: -RECENT - 1 : -1])
        a.forget_recent()
        assert b.recent == ()

    def test_a_theme_chosen_in_another_window_leaves_this_one_alone(self, tmp_path):
        a, b = self.preferences(tmp_path), self.preferences(tmp_path)
        a.theme = "dark"
        assert b.theme == "system" and self.preferences(tmp_path).theme == "dark"

    def test_preferences_that_cannot_be_written_are_told_once(self, tmp_path):
        (tmp_path / "file").touch()
        settings = QSettings(str(tmp_path / "file" / "shared.ini"), QSettings.Format.IniFormat)
        preferences, said = Preferences(settings), []
        preferences.tell = said.append
        preferences.theme = "dark"
        preferences.remember(tmp_path / "file")
        assert preferences.theme == "dark" and len(said) == 1
        assert said[0].startswith("Theme and recent files can't be remembered in ") and "ot a directory" in said[0]

    def test_the_menu_numbers_them_and_can_be_cleared(self, make, tmp_path):
        window = make()
        for name in ("a&b.mlviz", "x/c.mlviz", "y/c.mlviz"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
            window.preferences.remember(tmp_path / name)
        menu = window.presets._recent
        menu.aboutToShow.emit()
        texts = [action.text() for action in menu.actions()]
        assert texts == ["&1 c.mlviz in y", "&2 c.mlviz in x", "&3 a&&b.mlviz", "", "&Clear this list"]
        menu.actions()[-1].trigger()
        menu.aboutToShow.emit()
        assert [action.text() for action in menu.actions()] == ["none yet"]


@pytest.mark.parametrize(("mode", "seed"), list(zip(kill9.MODES, (11, 12, 13, 14), strict=True)))
def test_what_was_finished_before_the_program_was_killed_comes_back(mode, seed):
    trial = kill9.trial(mode, seed)
    assert trial.wrong == "" and trial.gestures > 0
    assert max(trial.lost, default=0.0) < 1.0 and trial.orphan < 5.0
