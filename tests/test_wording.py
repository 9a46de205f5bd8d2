"""What the program says is English as in textbooks: words that readers stumbled over are not said again."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import mlviz

STUMBLED = {
    r"\b[Ll]east (BIC|AIC|cost|inertia|expected|mean loss|(ratio |normalized )?cut\b|weight of)": "lowest or smallest",
    r"not to be trusted": "unreliable",
    r"\bby all others|each left out|told by all": "leave-one-out",
    r"(density|p\(x\)|densities) (is|are|begin|counts as|count as) small|small densities|density is small": "low",
    r"squares count": "because distances are squared",
    r"; at first \{?|\bat first \d": "default",
    r"seen along the other": "projected along",
    r"study says nothing|says nothing about \{(?!told)|stud.*does not apply to": "needs",
    r"asked in its menu": "chosen from the Study menu",
    r"no fit to be studied": "the reason alone",
    r"\bby lot\b": "at random",
    r"passes over them": "runs along them",
    r"^settled$": "converged",
    r"^C&omponents$": "dimensionality reduction",
    r"choice of h: width by hand|^width by hand": "fixed width",
}
"""What is not said, and what is said instead."""
_OLD = {"width by hand"}
"""Words that scene files of before may hold."""


@cache
def texts():
    """All that is said: the file, the line, the text."""
    files = sorted(Path(mlviz.__file__).parent.rglob("*.py"))
    return [(path.name, line, text) for path in files for line, text in said(path) if text not in _OLD]


def said(path):
    """The texts of a file with the docstrings of its classes, which are the help of methods; {} stands for values."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    help = {id(node.body[0]) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and id(node) not in help}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (within | told):
            yield node.lineno, node.value


@pytest.mark.parametrize("pattern", STUMBLED)
def test_no_text_says_what_readers_stumbled_over(pattern):
    found = [
        f"{name}:{line}: {text!r}, say {STUMBLED[pattern]!r}"
        for name, line, text in texts()
        if re.search(pattern, text)
    ]
    assert not found, "\n".join(found)
