"""Choosing the colour, and with it the shape, of a class: a menu of the nine that the palette has."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from mlviz.data.dataset import KEYED_CLASSES
from mlviz.draw.palette import class_look, class_number
from mlviz.scene import edits
from mlviz.spec.outside import told
from mlviz.ui.paint.samples import class_icon
from mlviz.ui.shell.window_parts import WindowParts
from mlviz.ui.widgets.parts import add_entry, named


def fill(window: WindowParts, code: int, menu: QMenu) -> None:
    """Offer all colours for a class, each with its shape and the name of another class that has it now."""
    scene = window.store.scene
    holders = {class_number(other, scene.colours): other for other in range(KEYED_CLASSES)}
    in_use, own = len(scene.dataset.names()), told(scene.dataset.class_name(code))
    for number in range(KEYED_CLASSES):
        text, holder = class_look(number).capitalize(), holders[number]
        tip = f"Paint {own} in this colour and shape."
        if holder not in (code, *range(in_use, KEYED_CLASSES)):
            name = told(scene.dataset.class_name(holder))
            text += f" (now {name.replace('&', '&&')})"
            tip += f" {name} gets those of {own} in exchange."
        entry = add_entry(menu, text, tip, partial(_choose, window, code, number))
        entry.setIcon(class_icon(number, window.appearance.style.theme))
        entry.setCheckable(True)
        entry.setChecked(holder == code)


def offer(window: WindowParts, code: int) -> None:
    """Open the menu over the current canvas."""
    title = f"Colour of {told(window.store.scene.dataset.class_name(code))}"
    menu = named(QMenu(window, toolTipsVisible=True), title)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addSection(title.replace("&", "&&"))
    fill(window, code, menu)
    menu.setActiveAction(next(entry for entry in menu.actions() if entry.isChecked()))
    menu.popup(window.canvas.mapToGlobal(window.canvas.frame().area.topLeft().toPoint()))


def _choose(window: WindowParts, code: int, number: int) -> None:
    scene = window.store.scene
    what = f"choose colour of {told(scene.dataset.class_name(code))}"
    window.store.push(edits.with_class_colour(scene, code, number), what)
