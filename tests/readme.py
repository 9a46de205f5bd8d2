"""The parts of the README that are written by the program: ``python -m tests.readme`` writes the table of methods."""

from __future__ import annotations

from pathlib import Path

from mlviz.algorithms import registry
from mlviz.spec import Parameter

README = Path(__file__).resolve().parent.parent / "README.md"


def methods_table() -> str:
    """One line a method: id, what it is, its hyperparameters with their defaults."""
    lines = ["| id | method | for | hyperparameters (default) |", "|---|---|---|---|"]
    for key, cls in registry().items():
        parameters = ", ".join(f"{p.key} ({_default(p)})" for p in cls.parameters())
        lines.append(f"| `{key}` | {cls.label} | {', '.join(cls.tasks)} | {parameters} |")
    return "\n".join(lines)


def _default(parameter: Parameter) -> str:
    match parameter.kind:
        case "flag":
            return str(parameter.default).lower()
        case "per class":
            return f"{parameter.missing:g} each"
        case _:
            return str(parameter.default)


def part(name: str) -> str:
    """What stands in the README between the two comments of that name."""
    text = README.read_text(encoding="utf-8")
    return text.split(f"<!-- {name}: ")[1].split("-->\n", 1)[1].split(f"<!-- end of {name} -->")[0].strip()


def write(name: str, content: str) -> None:
    """Put content between the two comments of that name."""
    text = README.read_text(encoding="utf-8")
    head, rest = text.split(f"<!-- {name}: ")
    note, tail = rest.split("-->\n", 1)[0], rest.split(f"<!-- end of {name} -->")[1]
    README.write_text(f"{head}<!-- {name}: {note}-->\n{content}\n<!-- end of {name} -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    write("methods", methods_table())
