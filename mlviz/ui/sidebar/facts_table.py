"""The numbers under the panel: the few that matter most, and folded below them all the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from mlviz.draw.facts import Fact, Level
from mlviz.ui.controls.collapsible_form import Fold
from mlviz.ui.widgets.parts import as_tooltip, lay_out, plain_label

UNFITTED, HIDDEN = "nothing fitted yet", "hidden, until the answer is revealed"
"""What is said where there are no facts."""
_FIRST = 5
"""So many facts are seen at first."""
_TIP = "The other facts, and what the solver says of its answer: how exact it is, and what it took to find it."


class FactsTable(QWidget):
    """The facts that matter; the others under a head that opens and closes them, and stays as the hand left it."""

    def __init__(self) -> None:
        super().__init__(accessibleName="Facts")
        self._first, self._others = _Lines(), _Lines()
        self.more = Fold("More", _TIP, self._others)
        self._told: tuple[Mapping[str, Fact], str] | None = None
        lay_out(QVBoxLayout(self), self._first, self.more, spacing=2).addStretch(1)
        self.show_facts({}, UNFITTED)

    def show_facts(self, facts: Mapping[str, Fact], instead: str = "none") -> None:
        """Show the facts of a fit, or words instead; labels are kept and rewritten: following a drag stays cheap."""
        if (facts, instead) == self._told:
            return
        self._told = facts, instead
        # The solver's come last, whatever the method tells first.
        order = sorted(facts, key=lambda name: get_args(Level).index(facts[name].level))
        first = [name for name in order[:_FIRST] if facts[name].level == "lesson"]
        nothing = {} if facts else {"": Fact(instead)}
        self._first.show_facts({name: facts[name] for name in first} or nothing)
        self._others.show_facts({name: facts[name] for name in order[len(first) :]})
        self.more.setVisible(len(order) > len(first))


class _Lines(QWidget):
    """Name and value, one a line; the values can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setVerticalSpacing(2)
        self._layout.setColumnStretch(1, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []

    def show_facts(self, facts: Mapping[str, Fact]) -> None:
        while len(self._lines) < len(facts):
            by_mouse = Qt.TextInteractionFlag.TextSelectableByMouse
            value = plain_label(wordWrap=True, alignment=Qt.AlignmentFlag.AlignRight, textInteractionFlags=by_mouse)
            value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            self._lines.append((plain_label(), value))
            for column, label in enumerate(self._lines[-1]):
                self._layout.addWidget(label, len(self._lines) - 1, column)
        for labels in self._lines[len(facts) :]:
            labels[1].clear()  # what is no longer told stands nowhere
            for label in labels:
                label.hide()
        for labels, (name, fact) in zip(self._lines, facts.items(), strict=False):
            labels[1].setText(str(fact))
            if labels[0].text() != name or labels[0].toolTip() != fact.help or labels[0].isHidden():
                labels[0].setText(name)
                labels[1].setAccessibleName(name)
                for label in labels:
                    label.setToolTip(as_tooltip(fact.help))
                    label.setAccessibleDescription(fact.help)
                    label.show()
