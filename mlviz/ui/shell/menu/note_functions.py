"""What commands do with words and strokes over the picture, and with a hyperparameter that is played."""

from __future__ import annotations

from mlviz.interaction import selection
from mlviz.scene.notes import INKS
from mlviz.scene.notes.edits import without_note, without_notes
from mlviz.ui.shell.menu import command_functions
from mlviz.ui.shell.window_parts import WindowParts


def choose_tool(window: WindowParts, tool: str) -> None:
    """Take a tool that writes into the hand; once more, it has another ink."""
    hand = window.hand
    if tool == hand.tool:
        hand.ink = INKS[(INKS.index(hand.ink) + 1) % len(INKS)]
    hand.tool = tool
    how, key = ("Click and type", "J") if tool == "text" else ("Draw on the picture", "I")
    window.announce(f"{how} in {hand.ink} ink: {key} changes it, Escape puts the tool away, C clears.")


def delete_selected(window: WindowParts) -> None:
    """Remove the selected text, or else the selected points."""
    note = window.hand.note
    if note is not None and has_note(window):
        window.hand.note = None
        window.store.push(without_note(window.store.scene, note), "remove text")
    else:
        selection.delete_selection(window.store, window.hand)


def has_note(window: WindowParts) -> bool:
    """Whether a text is selected."""
    return window.hand.note in window.store.scene.notes


def clear_notes(window: WindowParts) -> None:
    """Remove all texts and pen strokes."""
    window.store.push(without_notes(window.store.scene), "clear notes")
    window.announce("Texts and pen strokes are cleared; undo brings them back.")


def play(window: WindowParts) -> None:
    """Stop a hyperparameter that is played, or else play the steps of the fit, or pause."""
    if not window.animation.stop():
        window.player.toggle()


def animate(window: WindowParts) -> None:
    """Play the hyperparameter whose control has the keyboard, or else the main one; or stop what is played."""
    if not window.animation.stop():
        window.animate(command_functions.reached(window) or "")
