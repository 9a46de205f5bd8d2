"""The help of a method as HTML: what it says of itself, and what there is to try."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Sequence

from mlviz.algorithms import Algorithm
from mlviz.draw.numbers import typographic
from mlviz.scene.failures import failures_of
from mlviz.scene.trying import in_words
from mlviz.ui.controls.number_control import format_value

TRY = "try:"
"""How the address of a thing to try begins; its place among them follows."""
BREAK = "break:"
"""How the address of a failure begins; its id follows."""


def method_page(method: type[Algorithm], set_formula: Callable[[str], str] = html.escape) -> str:
    """The help of a method: its docstring, its hyperparameters, layers and facts, what to try, and where it fails.

    `set_formula` gives the HTML of a line of mathematics; at first it is the line itself.
    """
    paragraphs = (inspect.getdoc(method) or "").split("\n\n")
    rows = [
        (p.label, f"{p.help} ({typographic(p.range_text())}; default {p.shown(_plain(p.default))})")
        for p in method.parameters()
    ]
    trials = [(f"{TRY}{k}", in_words(trial, method)) for k, trial in enumerate(method.trials)]
    failures = [(f"{BREAK}{one.id}", f"{one.title}: look at {one.look}.") for one in failures_of(method.id)]
    page = "".join(
        (
            f"<h2>{html.escape(method.label)}</h2>",
            *(f"<p>{_prose(paragraph, set_formula)}</p>" for paragraph in paragraphs),
            table("Hyperparameters", rows),
            table("Layers", [(overlay.label, overlay.help) for overlay in method.overlays]),
            table("Facts", [(fact.name, fact.help) for fact in method.known_facts()]),
            _links("Try this", trials),
            _links("Break it", failures),
        )
    )
    # No line ends behind a stroke inside a formula, as in 2δ|r|.
    return re.sub(r"\|(?=\S)", "|\N{WORD JOINER}", page)


def _links(title: str, entries: Sequence[tuple[str, str]]) -> str:
    """A heading, and below it what can be clicked: addresses with their words; nothing where there are none."""
    lines = "".join(f"<li><a href='{address}'>{html.escape(words)}</a></li>" for address, words in entries)
    return f"<h3>{html.escape(title)}</h3><ul>{lines}</ul>" if entries else ""


def table(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """A heading, and below it names with what is said of them; nothing where there are none."""
    if not rows:
        return ""
    lines = "".join(
        f"<tr><td style='padding-right: 14px'><b>{html.escape(left)}</b></td><td>{html.escape(right)}</td></tr>"
        for left, right in rows
    )
    return f"<h3>{html.escape(title)}</h3><table cellpadding='2'>{lines}</table>"


def _prose(paragraph: str, set_formula: Callable[[str], str]) -> str:
    lines = paragraph.splitlines()
    if any(line.startswith("    ") for line in lines):
        return "<br>".join(set_formula(line.strip()) for line in lines)  # indented lines are formulas
    return html.escape(" ".join(lines)).replace("``", "").replace("`", "")


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return typographic(format_value(value)) if isinstance(value, (int, float)) else str(value)
