"""Files that others changed, places where nothing can be written, and two windows at once."""

import errno
import json
import os

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QMessageBox

import mlviz.files.atomic as atomic
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.ui.widgets.preferences import RECENT, Preferences
from tests.ui.documents.unsaved import points, with_points

pytestmark = pytest.mark.slow

Answer = QMessageBox.StandardButton


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

    def test_a_fit_that_has_changed_since_is_told_until_the_scene_is_saved_again(self, make, tmp_path):
        window, path = make(), tmp_path / "scene.mlviz"
        settings = {"basis": "polynomial", "penalty": "L2"}
        panels = [{"algorithm": "linear-regression", "hyperparameters": settings}]
        path.write_text(json.dumps({"format": 1, "panels": panels}))
        window.documents.open(path)
        assert window.said[-1].startswith("The penalized polynomial looks different")
        window.documents.save()
        window.documents.open(path)
        assert sum("penalized" in sentence for sentence in window.said) == 1

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

    def test_where_nothing_can_be_written_the_window_stays_open(self, make, tmp_path, press, monkeypatch):
        window, path = self.saved(make, tmp_path)
        with_points(window, 4)
        for number in (errno.ENOSPC, errno.EROFS, errno.EACCES):
            window.complained.clear()
            self.stays_open(window, path, press, monkeypatch, number)

    def stays_open(self, window, path, press, monkeypatch, number):
        before, folder = path.read_bytes(), path.parent

        def refuse(*_, **__):
            raise OSError(number, os.strerror(number))

        press(["Save"])
        with monkeypatch.context() as fault:
            fault.setattr(atomic.os, "replace", refuse)
            assert not window.close()
        assert window.isVisible() and window.documents.modified and path.read_bytes() == before
        assert [p.name for p in folder.glob("*.part")] == [] and len(window.complained) == 1
        sentence = window.complained[0]
        assert sentence.startswith(f"scene.mlviz was not saved in {folder}: {os.strerror(number)}. ")
        assert sentence.endswith("hoose another place.")

    def test_escape_is_cancel_whatever_asks(self, make, tmp_path, monkeypatch):
        window, path = self.saved(make, tmp_path)
        with_points(window, 4)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: Answer.Cancel)  # what Escape gives
        for way in (window.close, window.documents.new, lambda: window.documents.open(path)):
            way()
            assert window.isVisible() and len(window.store.scene.dataset) == 4 and window.documents.modified, way


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
        a.choose_theme("dark")
        assert b.theme == "system" and self.preferences(tmp_path).theme == "dark"

    def test_preferences_that_cannot_be_written_are_told_once(self, tmp_path):
        (tmp_path / "file").touch()
        settings = QSettings(str(tmp_path / "file" / "shared.ini"), QSettings.Format.IniFormat)
        preferences, said = Preferences(settings), []
        preferences.tell = said.append
        preferences.choose_theme("dark")
        preferences.remember(tmp_path / "file")
        assert preferences.theme == "dark" and len(said) == 1
        assert (
            said[0].startswith("Theme, recent files and choices can't be remembered in ")
            and "ot a directory" in said[0]
        )

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
