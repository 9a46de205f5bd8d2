"""The table of commands: everything that can be done, written down once.

Menus, toolbar, shortcuts, tooltips and the help page of shortcuts are all made from it.
"""

from __future__ import annotations

from collections.abc import Callable

from mlviz.data.dataset import KEYED_CLASSES
from mlviz.interaction import selection
from mlviz.scene import edits
from mlviz.scene.chance import owes_to_chance
from mlviz.scene.splits import edits as splits
from mlviz.scene.values import value_column
from mlviz.ui.shell.help_pages import GESTURES, Page, about_page, shortcuts_page, words_page
from mlviz.ui.shell.key_routing import PEEK
from mlviz.ui.shell.menu import class_colours, command_functions, note_functions
from mlviz.ui.shell.menu.command import Command
from mlviz.ui.shell.menu.view_commands import VIEW_COMMANDS
from mlviz.ui.shell.window_parts import WindowParts


def _tool(
    tool: str, text: str, key: str, tip: str, choose: Callable[[WindowParts, str], None] = command_functions.choose_tool
) -> Command:
    writes = choose is note_functions.choose_tool
    return Command(
        f"tool {tool}", text, "Edit/Tool", tip, lambda w: choose(w, tool), (key,), tool,
        toolbar=True, bare=not writes, checked=lambda w: w.hand.tool == tool,
    )  # fmt: skip


def _class(code: int) -> Command:
    number = code + 1
    return Command(
        f"class {number}", f"Class &{number}", "Edit/Active class",
        f"New points belong to class {number}; selected points are moved to it.",
        lambda w: command_functions.choose_class(w, code), (str(number),),
        checked=lambda w: w.hand.code == code and not _valued(w),
    )  # fmt: skip


def _selected(window: WindowParts) -> bool:
    return len(window.hand.selection(window.store.scene.dataset)) > 0


def _valued(window: WindowParts) -> bool:
    return value_column(window.store.scene, window.current) is not None


def _split(window: WindowParts) -> bool:
    return bool(window.store.scene.dataset.held_out.any())


FILE_COMMANDS = (
    Command("new", "&New", "File", "Start with an empty canvas.", lambda w: w.documents.new(), ("Ctrl+N",)),
    Command("open", "&Open...", "File", "Open a scene or a table.", lambda w: w.documents.ask_open(),
            ("Ctrl+O",), "open"),
    Command("recover", "&Recover unsaved work...", "File", "Open unsaved work that was left behind.",
            lambda w: w.recovery.ask(), ("Ctrl+Shift+R",)),
    Command("save", "&Save", "File", "Save the scene.", lambda w: w.documents.save(), ("Ctrl+S",), "save"),
    Command("save as", "Save &as...", "File", "Save the scene under another name.", lambda w: w.documents.ask_save(),
            ("Ctrl+Shift+S",)),
    Command("export", "&Export picture...", "File", "Write the picture as PNG, SVG or PDF.",
            lambda w: w.exporting.ask_export(), ("Ctrl+E",), "export", line=True),
    Command("close", "&Close", "File", "Close the window.", lambda w: w.close(), ("Ctrl+W",), line=True),
    Command("quit", "&Quit", "File", "Leave the program.", lambda w: w.close(), ("Ctrl+Q",)),
)  # fmt: skip

_EDIT = (
    Command("undo", "&Undo", "Edit", "Take back the last change.", lambda w: w.store.undo(), ("Ctrl+Z",), "undo",
            toolbar=True, enabled=lambda w: w.store.undo_what is not None),
    Command("redo", "&Redo", "Edit", "Make the change again.", lambda w: w.store.redo(),
            ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", toolbar=True, enabled=lambda w: w.store.redo_what is not None),
    Command("copy picture", "&Copy picture", "Edit", "Put the picture of the canvases on the clipboard.",
            lambda w: w.exporting.copy(), ("Ctrl+C",), line=True),
    Command("copy code", "Copy Python c&ode", "Edit",
            "Put the lines on the clipboard that give the same answer with scikit-learn.", command_functions.copy_code,
            ("Ctrl+Shift+C",)),
    Command("paste", "&Paste points", "Edit", "Take points copied from a spreadsheet, classes too.",
            lambda w: w.importing.paste(), ("Ctrl+V",)),
    Command("select all", "Select &all", "Edit", "Select every point.",
            lambda w: selection.select_all(w.store, w.hand), ("Ctrl+A",), line=True,
            enabled=lambda w: len(w.store.scene.dataset) > 0),
    Command("next point", "Select &next point", "Edit", "Select the next point and say where it is; arrows move it.",
            lambda w: command_functions.select_next(w, 1), ("N",), bare=True,
            enabled=lambda w: len(w.store.scene.dataset) > 0),
    Command("previous point", "Select pre&vious point", "Edit", "Select the point before and say where it is.",
            lambda w: command_functions.select_next(w, -1), ("Shift+N",), bare=True,
            enabled=lambda w: len(w.store.scene.dataset) > 0),
    Command("delete", "&Delete selected", "Edit", "Remove the selected points, or the selected text.",
            note_functions.delete_selected, ("Delete", "Backspace"),
            enabled=lambda w: _selected(w) or note_functions.has_note(w)),
    Command("hold out selected", "&Hold out selected", "Edit",
            "Hold the selected points out, or train on them again where all are held out.",
            lambda w: selection.change_selection(w.store, w.hand, splits.with_rows_held_out, "hold out points"),
            ("Shift+H",), bare=True, enabled=_selected),
    Command("switch off selected", "S&witch selected off", "Edit",
            "Switch the selected points off, or on again where all are off; the fit is made without them.",
            lambda w: selection.change_selection(w.store, w.hand, splits.with_rows_off, "switch points off"),
            ("Shift+O",), bare=True, enabled=_selected),
    _tool("pen", "&Pen", "P",
          "Click adds a point, right click one of the next class or opposite value; drag moves, Ctrl+click removes."),
    _tool("brush", "&Brush", "B", "Spray points of the active class, or of the value chosen."),
    _tool("eraser", "&Eraser", "E", "Remove the points under the circle."),
    _tool("move", "&Move", "M", "Drag a point, or the view where there is none."),
    _tool("select", "&Select", "S", "Draw a rectangle around points; then drag, delete or relabel them."),
    _tool("lasso", "&Lasso", "L", "Draw a line around points; then drag, delete or relabel them."),
    _tool("relabel", "&Relabel", "R", "Give the points under the circle the active class, or the value chosen."),
    _tool("value", "&Value", "Y",
          "Drag a point up or down to raise or lower its value; a click on one takes its value for the next points."),
    _tool("hold-out", "&Hold out", "H",
          "Hold the points under the circle out: they test the fit. Right drag or Shift: train on them."),
    _tool("switch-off", "Switch &off", "O",
          "Switch the points under the circle off: the fit is made without them. Right drag or Shift: on again."),
    _tool("attempt", "Dr&aw an answer", "A",
          "Draw by hand what the method will answer: a boundary, a curve, centres, an axis. Ctrl+click removes one."),
    _tool("slice", "Sl&ice line", "X", "Draw a line: the function along it is plotted below. Escape removes it."),
    _tool("text", "&Jot a text", "J",
          "Click and type; a drag moves a text, a double click changes it, Delete removes it. J again changes the ink.",
          note_functions.choose_tool),
    _tool("ink", "I&nk pen", "I",
          "Scribble over the picture; Ctrl+click removes a stroke. I again changes the ink.",
          note_functions.choose_tool),
    *(_class(code) for code in range(KEYED_CLASSES)),
    Command("rename class", "Re&name...", "Edit/Active class", "Give the active class a name, for legend and files.",
            lambda w: command_functions.rename_class(w, w.hand.code), ("F2",), line=True),
    Command("class colour", "&Colour...", "Edit/Active class",
            "Choose colour and shape of the active class; a class that has them gets those of this one in exchange.",
            lambda w: class_colours.offer(w, w.hand.code), ("Shift+F2",)),
    Command("raise value", "&Higher value", "Edit/Active class",
            "Raise the value of the selected points, or of the next ones.",
            lambda w: command_functions.raise_value(w, 1), ("Ctrl+Up",), line=True, enabled=_valued),
    Command("lower value", "&Lower value", "Edit/Active class",
            "Lower the value of the selected points, or of the next ones.",
            lambda w: command_functions.raise_value(w, -1), ("Ctrl+Down",), enabled=_valued),
    Command("bigger brush", "Bi&gger circle", "Edit/Tool", "A bigger circle for the tools that work in one.",
            lambda w: command_functions.resize_brush(w, 1.25), ("]",), line=True, bare=True),
    Command("smaller brush", "Smaller &circle", "Edit/Tool", "A smaller circle for the tools that work in one.",
            lambda w: command_functions.resize_brush(w, 0.8), ("[",), bare=True),
    Command("erase attempts", "Erase attempt&s", "Edit", "Remove the answers drawn by hand; undo brings them back.",
            lambda w: w.predict.erase_attempts(), ("Ctrl+Shift+A",), line=True,
            enabled=lambda w: bool(w.store.scene.attempts)),
    Command("clear notes", "Clear texts and stro&kes", "Edit",
            "Remove all texts and pen strokes from the picture; undo brings them back.", note_functions.clear_notes,
            ("C",), enabled=lambda w: bool(w.store.scene.notes or w.store.scene.strokes)),
    Command("clear data", "Cl&ear data", "Edit", "Remove every point; the method stays. Undo brings them back.",
            lambda w: w.store.push(edits.without_samples(w.store.scene), "clear data"), ("Ctrl+Backspace",),
            "clear", line=True, toolbar=True, enabled=lambda w: len(w.store.scene.dataset) > 0),
    Command("reset method", "Reset &method", "Edit", "Give the method its default hyperparameters; the points stay.",
            lambda w: w.store.push(edits.with_defaults(w.store.scene, w.current), "reset method"),
            ("Ctrl+Shift+Backspace",)),
    Command("another start", "Another start, ne&xt seed", "Edit",
            "Take the next seed, where the method or a study leaves something to chance; undo brings the start back.",
            lambda w: w.sidebar.start_again(), ("Shift+R",), bare=True,
            enabled=lambda w: owes_to_chance(w.store.scene, w.current)),
)  # fmt: skip

_DATA = (
    Command("next seed", "&Draw again", "Data",
            "Draw the same kind of data again with the next seed, also after edits; undo brings the points back.",
            command_functions.draw_again, ("D",), bare=True,
            enabled=lambda w: w.breaking.shown is not None or w.presets.again is not None),
    Command("break it", "&Next failure of the method", "Data/Break it",
            "Samples with which the method fails, and a line that says what to look at; once more, the next ones.",
            lambda w: w.breaking.show_next(), ("Ctrl+B",)),
    Command("better beside", "&Show the better method beside", "Data/Break it",
            "Put the method that does better on a canvas of its own, with the same points.",
            lambda w: w.breaking.put_beside(), ("Ctrl+Shift+B",), enabled=lambda w: w.breaking.missing),
    Command("split", "Hold out at &random...", "Data/Training and test",
            "How many points are held out, which ones, and whether of each class alike: in the side panel.",
            command_functions.show_split, ("Ctrl+H",)),
    Command("new split", "&New split", "Data/Training and test",
            "Hold out other points, as many as now; three in ten where none is held out.",
            lambda w: w.sidebar.held_out.split_again(), ("Shift+T",), bare=True,
            enabled=lambda w: len(w.store.scene.dataset) > 1),
    Command("split by column", "Hold out by a &column...", "Data/Training and test",
            "Hold out the points with one value in a column, which is no input then, or those of one class.",
            command_functions.split_by_column, ("Ctrl+Shift+H",), enabled=lambda w: len(w.store.scene.dataset) > 1),
    Command("second sample", "&Second sample", "Data/Training and test",
            "Draw as many points again from the same source, and hold these out.",
            command_functions.draw_second_sample, ("Shift+D",), bare=True,
            enabled=lambda w: w.presets.again is not None),
    Command("swap split", "&Exchange training and test", "Data/Training and test",
            "Train on the points that are held out, and hold out the others.",
            lambda w: w.store.push(splits.swapped(w.store.scene), "exchange training and test"), ("T",),
            line=True, enabled=_split),
    Command("no split", "&Train on all points", "Data/Training and test", "Hold no point out.",
            lambda w: w.store.push(splits.unsplit(w.store.scene), "train on all points"), ("Shift+A",), bare=True,
            enabled=_split),
    Command("all on", "Switch all points &on", "Data/Training and test", "No point is switched off any more.",
            lambda w: w.store.push(splits.all_on(w.store.scene), "switch all points on"), ("Ctrl+Shift+O",),
            enabled=lambda w: not w.store.scene.dataset.active.all()),
    Command("columns", "&Columns...", "Data",
            "Choose the two columns on the axes; for points just read from a table, its class column too.",
            lambda w: w.importing.ask_columns(), ("Ctrl+K",)),
    Command("points", "&Points as a table", "Data", "All points as numbers, to be read, edited and pasted into.",
            lambda w: w.importing.show_points(), ("F4",)),
    Command("open table", "&Open table...", "Data", "Open a table of samples.",
            lambda w: w.documents.ask_open(tables=True), ("Ctrl+T",), line=True),
    Command("save table", "&Save data as CSV...", "Data", "Write the points as a table.",
            lambda w: w.importing.ask_save(), ("Ctrl+Shift+T",)),
    Command("quote formulas", "&Quote formulas in CSV", "Data",
            "Write names that a spreadsheet would run as formulas (=, +, -, @) with an apostrophe before them.",
            lambda w: w.importing.toggle_quoting(), ("Ctrl+Shift+F",), checked=lambda w: w.importing.quoting),
)  # fmt: skip

_HELP = (
    Command("about method", "About this &method", "Help", "What the method does, and how to read its picture.",
            lambda w: w.show_help(not w.helping), ("F1",), checked=lambda w: w.helping),
    Command("describe", "Describe the &picture", "Help",
            "What the current canvas shows, in words: for screen readers, and to be copied.",
            lambda w: Page("The picture in words", words_page(w.canvas.in_words()), w).show(), ("F3",)),
    Command("shortcuts", "&Keys and gestures", "Help", "Every shortcut, and what the mouse does.",
            lambda w: Page("Keys and gestures", shortcuts_page(COMMANDS, GESTURES), w).show(), ("Ctrl+F1",)),
    Command("tour", "Take the &tour", "Help", "Five steps through the window, which can be left at any time.",
            lambda w: w.guide.start_tour(), ("Shift+F1",), line=True),
    Command("hints", "Show &hints", "Help", "Say in a line, once, what is worth knowing just now.",
            lambda w: w.guide.toggle_hints(), checked=lambda w: w.guide.hinting),
    Command("hints again", "Show all hints a&gain", "Help", "Show the hints that have been shown once more, too.",
            lambda w: w.guide.show_hints_again()),
    Command("about", "&About mlviz", "Help", "Version and licence.",
            lambda w: Page("About mlviz", about_page(), w).show(), line=True),
)  # fmt: skip

COMMANDS: tuple[Command, ...] = FILE_COMMANDS + _EDIT + _DATA + VIEW_COMMANDS + _HELP


def written(words: str) -> str:
    """The words with the keys and names of the commands that they mention, as {key[undo]} and {name[undo]}.

    {key[peek]} is the key that is held to see the fit before.
    """
    keys = {command.id: command.native_keys[0] for command in COMMANDS if command.keys}
    names = {command.id: command.name for command in COMMANDS}
    return words.format(key=keys | {"peek": PEEK}, name=names)
