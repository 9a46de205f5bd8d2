"""What commands do to the scene, the hand and the canvases of a window: the verbs of the command table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog

from mlviz.data.dataset import KEYED_CLASSES, default_class_name
from mlviz.draw.numbers import format_number
from mlviz.interaction import selection
from mlviz.scene import edits
from mlviz.ui.shell import help_pages

if TYPE_CHECKING:
    from mlviz.ui.shell.commands import Command
    from mlviz.ui.shell.window import MainWindow


def choose_tool(window: MainWindow, tool: str) -> None:
    """Take a tool into the hand; the slice line's once more takes its line away."""
    scene = window.store.scene
    if tool == window.hand.tool == "slice" and scene.view.slice is not None:
        window.store.look(scene.with_view(slice=None))
    window.hand.tool = tool


def toggle_pin(window: MainWindow) -> None:
    """Pin the explanation at the cursor, or let it go."""
    window.canvas.toggle_pin()
    if window.hand.pinned:
        window.say("Pinned: drag the purple dot to ask at another place; W or Escape lets it go.")


def has_selection(window: MainWindow) -> bool:
    """Whether points are selected."""
    return len(window.hand.selection(window.store.scene.dataset)) > 0


def select_next(window: MainWindow, step: int) -> None:
    """Select the next or the previous point, and say which one it is."""
    row = selection.select_next(window.store, window.hand, step)
    if row is None:
        return
    scene = window.store.scene
    x, y = (format_number(value, 3) for value in window.canvas.axes.places(scene.dataset)[row].tolist())
    name = scene.dataset.class_name(int(scene.dataset.labels[row]))
    window.say(f"Point {row + 1:,} of {len(scene.dataset):,}: {name}, at ({x}, {y})")
    window.canvas.setFocus()


def choose_class(window: MainWindow, code: int) -> None:
    """Make a class the active one; selected points go into it."""
    window.hand.code = code
    window.presentation.say(window.store.scene.dataset.class_name(code))
    if has_selection(window):
        window.canvas.relabel_selection(code)


def rename_class(window: MainWindow, code: int) -> None:
    """Ask for the name of a class."""
    scene = window.store.scene
    data, old = scene.dataset, scene.dataset.class_name(code)
    asked = f"Name of {old} (empty for the usual one):"
    typed, agreed = QInputDialog.getText(window, "Rename class", asked, text=old)
    name = " ".join(typed.split()) or default_class_name(code)
    if not agreed or name == old:
        return
    others = {data.class_name(other) for other in range(max(KEYED_CLASSES, len(data.names()))) if other != code}
    if name in others:
        window.complain(f"Another class is called {name} already. Choose another name.")
    else:
        window.store.push(scene.replace(dataset=data.rename(code, name)), f"rename {old}")


def copy_code(window: MainWindow) -> None:
    """Put the code that gives the current panel's answer on the clipboard."""
    picture = window.pictures.get(window.current)
    if picture is None or picture.message:
        window.say("There is no model whose code could be copied.")
    elif not picture.code:
        window.say(f"scikit-learn has no {window.sidebar.panel.pipeline.algorithm.label}, so there is no code to copy.")
    else:
        QGuiApplication.clipboard().setText(picture.code)
        window.say("Code copied to the clipboard; it reads the points from a table saved as points.csv.")


def resize_brush(window: MainWindow, factor: float) -> None:
    """Make the circle of brush, eraser and relabel bigger or smaller."""
    window.hand.radius *= factor


def step_main(window: MainWindow, steps: int) -> None:
    """Move the main hyperparameter of the current panel's method by whole steps, and tell where nobody sees it."""
    window.sidebar.step_main(steps)
    algorithm = window.sidebar.panel.pipeline.algorithm
    name = edits.main_parameter(algorithm)
    if name is not None:
        window.presentation.say(f"{algorithm.parameter(name).label} = {format_number(getattr(algorithm, name))}")


def clear_data(window: MainWindow) -> None:
    """Remove every sample."""
    window.store.push(edits.without_samples(window.store.scene), "clear data")


def reset_method(window: MainWindow) -> None:
    """Give the current panel's method its defaults."""
    window.store.push(edits.with_defaults(window.store.scene, window.current), "reset method")


def toggle_equal(window: MainWindow) -> None:
    """Make the axes equal, or let them fill the canvas."""
    scene = window.store.scene
    window.store.look(scene.with_view(equal=not scene.view.equal))


def add_panel(window: MainWindow) -> None:
    """Add a canvas like the current one, and go to it."""
    scene = edits.with_another_panel(window.store.scene, window.current)
    if scene is not window.store.scene:
        window.store.push(scene, "add canvas")
        go_to_panel(window, window.current + 1)


def remove_panel(window: MainWindow) -> None:
    """Remove the current canvas."""
    window.store.push(edits.without_panel(window.store.scene, window.current), "remove canvas")


def go_to_panel(window: MainWindow, index: int) -> None:
    """Make another canvas the current one."""
    window.panels.choose(index % len(window.store.scene.panels))
    window.canvas.setFocus()


def explain_method(window: MainWindow) -> None:
    """Open the help page of the current panel's method."""
    method = type(window.sidebar.panel.pipeline.algorithm)
    help_pages.Page(f"About {method.label}", help_pages.method_page(method), window).show()


def describe_picture(window: MainWindow) -> None:
    """Say in words what the current canvas shows."""
    help_pages.Page("The picture in words", help_pages.words_page(window.canvas.in_words()), window).show()


def show_shortcuts(window: MainWindow, commands: Sequence[Command], gestures: Sequence[tuple[str, str]]) -> None:
    """Open the table of keys and gestures."""
    help_pages.Page("Keys and gestures", help_pages.shortcuts_page(commands, gestures), window).show()


def show_about(window: MainWindow) -> None:
    """Say which program this is."""
    help_pages.Page("About mlviz", help_pages.about_page(), window).show()
