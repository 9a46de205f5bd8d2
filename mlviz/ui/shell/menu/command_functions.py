"""What commands do to the scene, the hand and the canvases of a window: the verbs of the command table."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog

from mlviz.data.dataset import KEYED_CLASSES, default_class_name
from mlviz.draw.numbers import format_number
from mlviz.interaction import selection, values
from mlviz.picture.sklearn_code import TABLE
from mlviz.scene import comparing, edits, trying
from mlviz.scene.splits import edits as splits
from mlviz.scene.values import value_column
from mlviz.spec.outside import readable_name
from mlviz.spec.sentences import sentence
from mlviz.studies.values import main_parameter
from mlviz.ui.comparison.values_dialog import ValuesDialog
from mlviz.ui.controls.pins import PINNABLE
from mlviz.ui.shell.player import MORE_THAN_ALL
from mlviz.ui.shell.window_parts import WindowParts
from mlviz.ui.widgets.dialogs import ask


def choose_tool(window: WindowParts, tool: str) -> None:
    """Take a tool into the hand; the slice line's once more takes its line away."""
    scene = window.store.scene
    if tool == window.hand.tool == "slice" and scene.view.slice is not None:
        window.store.look(scene.with_view(slice=None))
    window.hand.tool = tool


def toggle_pin(window: WindowParts) -> None:
    """Pin the explanation at the cursor, or let it go."""
    window.canvas.toggle_pin()
    if window.hand.pinned:
        window.say("Pinned: drag the purple ring to ask at another place; W or Escape lets it go.")


def select_next(window: WindowParts, step: int) -> None:
    """Select the next or the previous point, and say which one it is."""
    row = selection.select_next(window.store, window.hand, step)
    if row is None:
        return
    scene = window.store.scene
    x, y = (format_number(value, 3) for value in window.canvas.axes.places(scene.dataset)[row].tolist())
    data = scene.dataset
    column = value_column(scene, window.current)
    name = data.class_name(int(data.labels[row]))
    if column is not None:
        name = f"{column} = {format_number(float(data.X[row, data.column(column)]))}"
    window.say(f"Point {row + 1:,} of {len(scene.dataset):,}: {name}, at ({x}, {y})")
    window.canvas.setFocus()


def choose_value(window: WindowParts, value: float, held: bool = False) -> None:
    """Choose the value of the next points and of the selected ones; while a slider is held it is one step of undo."""
    values.set_value(window.store, window.hand, window.current, value, window.burst.key("value", held))


def raise_value(window: WindowParts, steps: int) -> None:
    """Raise the value of the selected points, or else of the next ones, and tell where nobody sees it."""
    values.raise_value(window.store, window.hand, window.current, steps, window.burst.key("value"))
    _tell_value(window)


def _tell_value(window: WindowParts) -> None:
    scene = window.store.scene
    value = values.shown_value(scene, window.hand, window.current)
    if value is not None:
        window.presentation.say(f"{value_column(scene, window.current)} = {format_number(value)}")


def choose_class(window: WindowParts, code: int) -> None:
    """Make a class the active one; selected points go into it. Where points have values, it chooses one of these."""
    value = values.keyed_value(window.store.scene, window.current, code)
    if value is not None:
        values.set_value(window.store, window.hand, window.current, value)
        _tell_value(window)
        return
    window.hand.code = code
    window.presentation.say(window.store.scene.dataset.class_name(code))
    selection.relabel_selection(window.store, window.hand, code)


def rename_class(window: WindowParts, code: int) -> None:
    """Ask for the name of a class."""
    scene = window.store.scene
    data, old = scene.dataset, scene.dataset.class_name(code)
    asked = f"Name of {old} (empty for the usual one):"
    dialog = QInputDialog(window)
    dialog.setWindowTitle("Rename class")
    dialog.setLabelText(asked)
    dialog.setTextValue(old)
    agreed = ask(dialog)
    name = readable_name(dialog.textValue()) or default_class_name(code)
    if not agreed or name == old:
        return
    others = {data.class_name(other) for other in range(max(KEYED_CLASSES, len(data.names()))) if other != code}
    if name in others:
        window.complain(f"Another class is called {name} already. Choose another name.")
    else:
        window.store.push(splits.with_class_name(scene, code, name), f"rename {old}")


def show_split(window: WindowParts) -> None:
    """Open the part of the side panel where points are held out at random."""
    if not window.appearance.sidebar_wanted:
        window.appearance.toggle_sidebar()
    window.show_help(False)
    window.sidebar.held_out.unfold()
    window.sidebar.scrolled.ensureWidgetVisible(window.sidebar.held_out)


def split_by_column(window: WindowParts) -> None:
    """Ask for a value of a column, and hold out the points that have it."""
    scene = window.store.scene
    columns = splits.telling_columns(scene.dataset)
    offered = {f"{name} = {_told(value)}": (name, value) for name, values in columns.items() for value in values}
    if not offered:
        window.complain("No column has few enough values to say which points are held out.")
        return
    dialog = QInputDialog(window)
    dialog.setWindowTitle("Hold out by a column")
    dialog.setLabelText("Hold out the points with:")
    dialog.setComboBoxItems(list(offered))
    if ask(dialog):
        name, value = offered[dialog.textValue()]
        window.store.push(splits.split_by_column(scene, name, value), f"hold out {dialog.textValue()}")


def _told(value: float | str) -> str:
    return value if isinstance(value, str) else format_number(value)


def draw_second_sample(window: WindowParts) -> None:
    """Draw a second sample from the source of the points, and hold it out; each time another one."""
    scene, source = window.store.scene, window.presets.again
    if source is not None:
        seed = window.sidebar.held_out.next_seed()
        window.store.push(splits.with_second_sample(scene, source, seed), "draw a second sample")


def copy_code(window: WindowParts) -> None:
    """Put the code that gives the current panel's answer on the clipboard."""
    picture = window.pictures.get(window.current)
    if window.store.scene.hides_answer:
        window.say("The answer is hidden: reveal it first.")
    elif picture is None or picture.message or picture.hidden:
        window.say("There is no model whose code could be copied.")
    elif not picture.code:
        window.say(
            f"There is no {window.sidebar.panel.pipeline.algorithm.label} in scikit-learn, so there is no code to copy."
        )
    else:
        QGuiApplication.clipboard().setText(picture.code)
        reads = f"; it reads the points from a table saved as {TABLE}" if TABLE in picture.code else ""
        window.say(f"Code copied to the clipboard{reads}.")


def toggle_prediction(window: WindowParts) -> None:
    """Hide what the methods answer and take the tool to draw it by hand, or reveal it."""
    if window.store.scene.hides_answer:
        window.predict.show_answer()
    else:
        window.predict.hide_answer()
        window.canvas.setFocus()


def resize_brush(window: WindowParts, factor: float) -> None:
    """Make the circle of brush, eraser and relabel bigger or smaller."""
    window.hand.radius *= factor


def step_main(window: WindowParts, steps: int) -> None:
    """Move the main hyperparameter of the current panel's method by whole steps, and tell where nobody sees it."""
    name = main_parameter(window.sidebar.panel.pipeline.algorithm)
    if name is not None:
        path = f"algorithm.{name}"
        window.burst.step_value(window.current, path, steps)
        scene = window.store.scene
        label = edits.parameter_at(scene, window.current, path).label
        window.presentation.say(f"{label} = {format_number(edits.value_at(scene, window.current, path))}")


def draw_again(window: WindowParts) -> None:
    """Draw the samples again with the next seed: those of the failure that is shown, or else those last drawn."""
    if not window.breaking.draw_again():
        window.presets.draw_again()


def pin_control(window: WindowParts) -> None:
    """Pin the hyperparameter whose control has the keyboard, or else the main one; or let it go."""
    algorithm = window.sidebar.panel.pipeline.algorithm
    name = reached(window) or main_parameter(algorithm)
    if name is None or algorithm.parameter(name).kind not in PINNABLE:
        window.say("There is no hyperparameter here that can be pinned.")
        return
    window.pins.toggle(name)
    label = algorithm.parameter(name).label
    told = "pinned: it stays at hand in presentations" if name in window.pins.names else "let go"
    window.say(sentence(f"{label} is {told}"))


def reached(window: WindowParts) -> str | None:
    """The name of the hyperparameter whose control has the keyboard."""
    rows, focused = window.sidebar.hyperparameters.rows, window.focusWidget()
    return next((name for name, row in rows.items() if focused is not None and row.isAncestorOf(focused)), None)


def add_panel(window: WindowParts) -> None:
    """Add a canvas like the current one, and go to it."""
    scene = edits.with_another_panel(window.store.scene, window.current)
    if scene is not window.store.scene:
        window.store.push(scene, "add canvas")
        go_to_panel(window, len(scene.panels) - 1)


def go_to_panel(window: WindowParts, index: int) -> None:
    """Make another canvas the current one."""
    window.panels.choose(index % len(window.store.scene.panels))
    window.canvas.setFocus()


def go_on(window: WindowParts) -> None:
    """The next thing to be seen: a step; after the last one what is still hidden, then the next canvas.

    After all that it begins anew, since a remote clicker has no other key for it. Outside a presentation it steps, or
    reveals an answer.
    """
    player, last = window.player, len(window.store.scene.panels) - 1
    if not player.at_end or not (window.appearance.presenting or window.store.scene.hides_answer):
        player.skip(1)
    elif any(reveal() for reveal in window.reveals):
        return
    elif window.current < last:
        _present_panel(window, window.current + 1)
    else:
        player.skip(-MORE_THAN_ALL)
        if last:
            _present_panel(window, 0)


def go_back(window: WindowParts) -> None:
    """The thing before: a step, or before the first one the canvas before."""
    if window.appearance.presenting and window.player.at_start and window.current:
        _present_panel(window, window.current - 1)
    else:
        window.player.skip(-1)


def _present_panel(window: WindowParts, index: int) -> None:
    go_to_panel(window, index)
    window.presentation.say(window.sidebar.panel.pipeline.algorithm.label)


def compare_values(window: WindowParts, path: str, chosen: bool = False) -> None:
    """Lay values of what stands at a path of the current panel out in several canvases; they may be `chosen` first."""
    scene, index = window.store.scene, window.current
    parameter, now = edits.parameter_at(scene, index, path), edits.value_at(scene, index, path)
    values = comparing.spread(scene, index, path)
    if chosen:
        dialog = ValuesDialog(parameter, values, window)
        if not ask(dialog):
            return
        values = dialog.values
    window.store.push(
        comparing.with_values(scene, index, path, values), comparing.name_of_comparison(scene, index, path)
    )
    go_to_panel(window, values.index(now) if now in values else 0)
    told = f"{parameter.label}: {comparing.listed(parameter, values)}"
    window.presentation.say(told)
    window.say(f"One canvas for each of {told}. Undo brings back the former canvases.")


def compare_main(window: WindowParts) -> None:
    """Lay the main hyperparameter of the current panel's method out in several canvases."""
    name = main_parameter(window.sidebar.panel.pipeline.algorithm)
    if name is None:
        window.say("This method has no hyperparameter that is a number.")
    else:
        compare_values(window, f"algorithm.{name}")


def move_panel(window: WindowParts, step: int) -> None:
    """Swap the current canvas with the next one or the one before; from an end with the other one."""
    window.panels.swap(window.current, (window.current + step) % len(window.store.scene.panels))


def try_out(window: WindowParts, number: int) -> None:
    """Do what the help of the current panel's method offers to be tried."""
    method = type(window.sidebar.panel.pipeline.algorithm)
    trial = method.trials[number]
    window.store.push(trying.tried(window.store.scene, window.current, trial), "try what the help says")
    window.say(trying.in_words(trial, method))
