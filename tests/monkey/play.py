"""Sessions of random actions on one window, each from an empty canvas and back to it by undo."""

import random
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

from mlviz.data.generators.catalog import generators
from mlviz.data.tables.reading import write_table
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.ui.app import make_application
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.widgets.preferences import Preferences
from tests.closing import close_without_asking
from tests.monkey import hand, watch

ANSWER_MS = 10


@dataclass
class Report:
    """What one run came to."""

    actions: int = 0
    kills: int = 0
    undone: int = 0
    done: list[tuple[str, int]] = field(default_factory=list)
    """Name and seed of every action of the present session."""
    censuses: list[dict[str, int]] = field(default_factory=list)


class Monkey:
    """Owns the window and answers its dialogs."""

    def __init__(self, seed: int, folder: Path, kill_every: int = 0) -> None:
        self.rng = random.Random(seed)
        self.folder, self.kill_every = folder, kill_every
        self.report = Report()
        make_application([])
        settings = QSettings(str(folder / "preferences.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(default_scene(), None, Preferences(settings))
        self.window.monkey_folder = folder / "files"
        self.window.monkey_folder.mkdir()
        self._fill(self.window.monkey_folder)
        self.window.resize(1100, 740)
        self.window.show()
        self.window.activateWindow()
        self._start = self.window.store.scene
        reset = self.window.store.reset

        def restart(scene):
            # A file opened is another start: the history begins anew.
            reset(scene)
            self._start = self.window.store.scene

        self.window.store.reset = restart
        self._answers = QTimer(self.window, interval=ANSWER_MS)
        self._answers.timeout.connect(self._answer)
        self._answering = False

    def close(self) -> None:
        self._answers.stop()
        close_without_asking(self.window)
        self.window.deleteLater()  # a window that is left slows down all others

    def session(self, actions: int) -> None:
        """So many random actions; then undo to the start, redo to the end, and a rest."""
        self.report.done = []
        kinds, weights = zip(*hand.ACTIONS.items(), strict=True)
        self._answers.start()
        with ExitStack() as stack, watch.caught() as complaints:
            self._no_native_dialogs(stack)
            stack.callback(_told, complaints)
            for number in range(actions):
                kind = self.rng.choices(kinds, weights)[0]
                if self.kill_every and number % self.kill_every == self.kill_every // 2:
                    kind = hand.kill
                    self.report.kills += 1
                self._act(kind, self.rng.getrandbits(32), complaints)
                if number % 100 == 99:
                    watch.check_rested(self.window, self.folder)
            watch.check_rested(self.window, self.folder)
            self._there_and_back()
        self._answers.stop()
        self._rest()

    def _act(self, kind, seed, complaints) -> None:
        self.report.done.append((kind.__name__, seed))
        self.report.actions += 1
        kind(self.window, random.Random(seed))
        hand.tidy(self.window)
        QApplication.processEvents()
        _told(complaints)
        watch.check_now(self.window)

    def _there_and_back(self) -> None:
        store = self.window.store
        while store.redo_what is not None:
            store.redo()
        end, kept = store.scene, self._start
        while store.undo_what is not None:
            store.undo()
            self.report.undone += 1
        if not watch.same(store.scene, kept):
            raise watch.Failure("undo did not lead back to the start")
        while store.redo_what is not None:
            store.redo()
        if not watch.same(store.scene, end):
            raise watch.Failure("redo did not lead back to the end")

    def _rest(self) -> None:
        """The state in which sessions are compared."""
        window = self.window
        if window.appearance.presenting:
            window.presentation.show(False)
        window.resize(1100, 740)
        window.appearance.set_theme("light")
        window.store.reset(default_scene())
        for page in [w for w in QApplication.topLevelWidgets() if w is not window and w.isVisible()]:
            page.close()
        QApplication.clipboard().clear()
        QTest.qWait(400)
        self.report.censuses.append(watch.census(window))

    def _answer(self) -> None:
        """Do something with the dialog or menu that waits for an answer."""
        popup, dialog = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        if self._answering:
            return
        self._answering = True
        try:
            if popup is not None:
                popup.close()
            elif isinstance(dialog, QMessageBox):
                buttons = [b for b in dialog.buttons() if b.isEnabled()]
                (self.rng.choice(buttons) if buttons else dialog).click()
            elif isinstance(dialog, QDialog):
                for _ in range(self.rng.randint(0, 3)):
                    hand.poke(self.rng, [dialog])
                if dialog.isVisible():
                    QTest.keyClick(dialog, self.rng.choice([Qt.Key.Key_Return, Qt.Key.Key_Escape]))
                if dialog.isVisible() and self.rng.random() < 0.5:
                    dialog.reject()
        finally:
            self._answering = False

    def _no_native_dialogs(self, stack: ExitStack) -> None:
        def to_open(*_):
            files = [*self.window.monkey_folder.iterdir(), None]
            chosen = self.rng.choice(files)
            return (str(chosen) if chosen else "", "")

        def to_save(parent, title, start, *_):
            name = Path(start).name if self.rng.random() < 0.7 else ""
            return (str(self.folder / "written" / name) if name else "", "")

        (self.folder / "written").mkdir(exist_ok=True)
        stack.enter_context(patch.object(QFileDialog, "getOpenFileName", to_open))
        stack.enter_context(patch.object(QFileDialog, "getSaveFileName", to_save))

    @staticmethod
    def _fill(folder: Path) -> None:
        """Scenes and tables, good and bad ones."""
        data = generators()["moons"](n_samples=60).generate(1)
        write_table(data, folder / "moons.csv")
        scene_file.save(default_scene().replace(dataset=data), folder / "moons.mlviz")
        (folder / "broken.mlviz").write_text('{"format": 1, "points": [[')
        (folder / "commas.csv").write_text("a;b;c\n1,5;2;x\n2,5;;y\n3;4,25;x\n")
        (folder / "noise.dat").write_bytes(bytes(range(256)) * 8)


def _told(complaints: list[str]) -> None:
    if complaints:
        raise watch.Failure(complaints[0])


def run(actions: int, seed: int, kill_every: int = 0, session: int = 1000, say=print) -> Report:
    """Play, killing the worker once in so many actions (0: never); raises `Failure` after printing the last actions."""
    with tempfile.TemporaryDirectory() as name:
        monkey = Monkey(seed, Path(name), kill_every)
        report = monkey.report
        try:
            while report.actions < actions:
                monkey.session(min(session, actions - report.actions))
                say(f"{report.actions} actions, {report.kills} kills, {report.undone} undone: {report.censuses[-1]}")
        except BaseException:
            say(f"seed {seed}, after {report.actions} actions; the last ones: {report.done[-30:]}")
            raise
        finally:
            monkey.close()
    return report
