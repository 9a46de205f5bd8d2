"""The parts of the README that are written by the program: ``python -m tests.readme`` writes all of its tables."""

from __future__ import annotations

import re
from pathlib import Path

from mlviz.algorithms import registry
from mlviz.draw.tasks import task_name
from mlviz.spec import Parameter
from mlviz.studies import registry as studies

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
RESULTS = ROOT / "tests" / "speed" / "RESULTS.md"
"""All measurements, as `python -m tests.speed` wrote them."""
USUAL = {
    "svm": "svm, Gaussian, C = 1",
    "kernel-ridge": "kernel-ridge, two inputs",
    "linear-regression": "linear-regression, degree 5, L2",
}
"""Of methods that are measured in several ways, what stands in the README; of the others it is the first one."""
N = 500
"""The number of samples of the README's table."""


def methods_table() -> str:
    """One line a method: id, what it is, its hyperparameters with their defaults."""
    lines = ["| id | method | for | hyperparameters (default) |", "|---|---|---|---|"]
    for key, cls in registry().items():
        parameters = ", ".join(f"{p.key} ({_default(p)})" for p in cls.parameters())
        lines.append(f"| `{key}` | {cls.label} | {', '.join(map(task_name, cls.tasks))} | {parameters} |")
    return "\n".join(lines)


def _default(parameter: Parameter) -> str:
    match parameter.kind:
        case "flag":
            return str(parameter.default).lower()
        case "per class":
            return f"{parameter.missing:g} each"
        case _:
            return str(parameter.default)


def studies_table() -> str:
    """One line a study that is asked by name: id and what it tells."""
    lines = ["| id | tells |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{key}` | {one.help} |" for key, one in studies().items() if not one.by_layer)])


def speed_table() -> str:
    """One line a method out of all measurements: fit and field of 500 samples, from nothing and in a drag."""
    rows = [line.strip("| ").split(" | ") for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    measured = {cells[0]: cells[2:] for cells in rows if len(cells) > 2 and cells[1] == str(N)}
    lines = ["| method | cold ms | scikit-learn ms | drag ms | scikit-learn ms |", "|---|---|---|---|---|"]
    for key in registry():
        first = next((name for name in measured if re.match(rf"{key}(,|$)", name)), None)
        name = USUAL.get(key, first)
        if name is not None:
            cold, cold_theirs, _, drag, drag_theirs, _ = measured[name]
            lines.append(f"| {name} | {cold} | {cold_theirs} | {drag} | {drag_theirs} |")
    return "\n".join(lines)


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
    write("studies", studies_table())
    write("speed", speed_table())
