"""The rooms of the program: each imports only from those before it, Qt stays in `ui`, and slow imports stay out."""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import mlviz

MOST_FILES = 16
MOST_LINES = 300
SLOW = ("scipy.stats", "scipy.signal", "scipy.optimize", "scipy.interpolate")
LATE = {
    "cli/__init__.py": {"mlviz.ui.app", "mlviz.ui.figure"},
    "cli/study_command.py": {"mlviz.ui.figure", "mlviz.ui.figure.plots"},
    "scene/failures/__init__.py": {f"mlviz.scene.failures.{part}" for part in ("classes", "structure", "values")},
    "ui/shell/guide.py": {"mlviz.ui.guide.hint_line", "mlviz.ui.guide.hints", "mlviz.ui.guide.tour"},
    "ui/sideplots/loading.py": {"mlviz.ui.sideplots.plot_view"},
}
"""File -> modules of this package that it imports inside functions; CONTRIBUTING.md says why."""
PACKAGE = Path(mlviz.__file__).parent
TESTS = Path(__file__).parent
HALF_SENTENCE = r"(and|but|nor|or|by|if|there|from) "
"""It goes on from the one above it; a symbol, such as f or exp, may come first."""
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "assets" not in path.relative_to(PACKAGE).parts)


def names(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """What the tree of a file is made of, but for the signs of operators and whether a name is read or set."""
    found: list[ast.AST] = [parsed(path)]
    for node in found:
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, list):
                found += [one for one in part if isinstance(one, ast.AST)]
            elif isinstance(part, ast.AST) and name not in ("ctx", "op"):
                found.append(part)
    return found


def scopes(path: Path) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """The module, its classes and its functions; its statements alone are looked through, for expressions have none."""
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield node
        kinds = ast.stmt | ast.ExceptHandler | ast.match_case
        waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, kinds)]


class Import(NamedTuple):
    """An import: its module, what is taken from there, and whether that is inside a function."""

    module: str
    names: tuple[str, ...]
    inside: bool


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """All imports of a file; its statements alone are looked through, for expressions have none."""
    found = []
    waiting: list[tuple[ast.AST, bool]] = [(parsed(path), False)]
    while waiting:
        node, inside = waiting.pop()
        match node:
            case ast.Import():
                found += [Import(alias.name, (), inside) for alias in node.names]
            case ast.ImportFrom():
                assert node.level == 0 and node.module, f"{names(path)} has a relative import"
                found.append(Import(node.module, tuple(alias.name for alias in node.names), inside))
            case ast.stmt() | ast.Module() | ast.ExceptHandler() | ast.match_case():
                within_it = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                waiting += [(child, within_it) for child in ast.iter_child_nodes(node)]
    return tuple(found)


def imported(path: Path, inside: bool = True) -> Iterator[str]:
    """The full names that a file imports; without those inside functions if not `inside`."""
    for one in imports(path):
        if inside or not one.inside:
            yield from (f"{one.module}.{name}" for name in one.names) if one.names else (one.module,)


def within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def late_imports(path: Path) -> set[str]:
    """The modules of this package that a file imports inside functions."""
    return {one.module for one in imports(path) if one.inside and within(one.module, "mlviz")}


def test_no_circle_is_broken_by_an_import_for_types_or_inside_a_function():
    for path in FILES:
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path
        assert late_imports(path) == LATE.get(names(path), set()), path


def test_types_of_arrays_are_called_by_their_names():
    for path in FILES:
        if names(path) != "numerics/arrays.py":
            text = path.read_text(encoding="utf-8")
            spelled = re.findall(r"NDArray\[(?:np\.(?:float64|intp|bool_|generic)|Any)\]", text)
            assert not spelled, f"{path}: {spelled[0]} has a name in mlviz/numerics/arrays.py"


def test_the_rooms_keep_their_order():
    # The contracts stand in pyproject.toml.
    asked = "from importlinter.cli import lint_imports_command as run; run(['--no-cache'])"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=PACKAGE.parent, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


FOLDERS = sorted(folder for top in (PACKAGE, TESTS) for folder in {path.parent for path in top.rglob("*.py")})


def test_a_folder_and_its_files_fit_in_the_head():
    for folder in FOLDERS:
        files = sorted(folder.glob("*.py"))
        assert len(files) <= MOST_FILES, folder
        if folder.is_relative_to(TESTS / "algorithms"):
            continue  # tests of one method stand together
        lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
        assert not {name: count for name, count in lines.items() if count > MOST_LINES}, folder


def claims_no_qt(path: Path) -> bool:
    return "No Qt." in (ast.get_docstring(parsed(path)) or "")


@pytest.mark.parametrize("path", [path for path in FILES if room(path) == "ui" and claims_no_qt(path)], ids=names)
def test_a_file_of_the_window_that_claims_no_qt_has_none(path):
    assert not [n for n in imported(path) if within(n, "PySide6")]


def test_qt_stays_in_its_room_and_slow_imports_stay_out():
    for path in FILES:
        every = list(imported(path))
        assert not [n for n in every if any(within(n, slow) for slow in SLOW)], path
        assert not [n for n in every if within(n, "sklearn")], path
        if room(path) == "ui":
            assert not [n for n in imported(path, inside=False) if within(n, "scipy")], path
        else:
            assert not [n for n in every if n.split(".")[0] in ("PySide6", "shiboken6", "PyQt6", "pyqtgraph")], path


def test_only_what_a_thread_loads_imports_pyqtgraph():
    files = {names(path) for path in FILES if any(within(name, "pyqtgraph") for name in imported(path))}
    assert files == {f"ui/sideplots/{name}.py" for name in ("axis", "handles", "plot_view")}


def loaded(*asked: tuple[str, tuple[str, ...]]) -> list[list[str]]:
    """Which of some modules a fresh Python has loaded after a statement, and after each further one."""
    told = "\n".join(
        f"{statement}\nprint([m for m in {modules!r} if m in sys.modules])" for statement, modules in asked
    )
    done = subprocess.run([sys.executable, "-c", f"import sys\n{told}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(map(ast.literal_eval, done.stdout.splitlines()))


def test_the_window_opens_without_scipy():
    # It lists all methods as it opens.
    listed = "import mlviz.ui.shell.window\nfrom mlviz.algorithms import registry\nregistry()"
    assert loaded((listed, ("scipy", "sklearn", "pyqtgraph"))) == [[]]


def test_what_needs_no_window_loads_no_qt_and_no_command_but_the_window_loads_pyqtgraph(tmp_path):
    """What all of these load together is what each of them loads, or more."""
    modules = ", ".join(
        f"mlviz.{name}" for name in ("algorithms", "scene.scene", "picture", "worker", "testing", "cli")
    )
    imports = f"import {modules}\nfrom mlviz.algorithms import registry\nregistry()"
    commands = (f"render --generator moons --sides -o {tmp_path / 'a.svg'}", "fit --generator moons", "list")
    run = "from contextlib import redirect_stdout\nwith redirect_stdout(sys.stderr):"
    run += "".join(f"\n    assert cli.main({command.split()}) == 0" for command in commands)
    run = f"import mlviz.cli as cli\n{run}"
    asked = (imports, ("PySide6", *SLOW)), (run, ("pyqtgraph", "mlviz.ui.sideplots.plot_view"))
    assert loaded(*asked) == [[], []]


def test_what_a_constant_a_field_or_a_function_means_is_a_whole_sentence():
    for path in FILES:
        sentences_are_whole(path)


def sentences_are_whole(path: Path) -> None:
    for scope in scopes(path):
        told = ast.get_docstring(scope) or "None is needed."
        # Or a formula, which may stand alone or end what is told.
        whole = re.search(r"[.?]$|^k\(x, x'\) = |\n {4}\S.*$", told) and not re.match(HALF_SENTENCE, told)
        assert whole, f"{path}: {told}"
        body = scope.body if isinstance(scope, ast.Module | ast.ClassDef) else []
        for before, after in itertools.pairwise(body):
            match before, after:
                case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(words))):
                    # A shape, such as (n, d), is enough for an array.
                    whole = re.search(r"^\(.*\)\.$|^\|f\|$|\S+ \S+ \S.*\.$", words.strip(), re.DOTALL)
                    begun = not re.match(HALF_SENTENCE, words.strip())
                    assert whole and begun, f"{path}, line {after.lineno}: {words}"


def test_no_ordinary_test_measures_a_time():
    """How fast something is hangs on the machine and on what else runs there: `tests/speed` measures it."""
    clocks = {"perf_counter", "process_time", "thread_time", "monotonic", "time"}
    asked = re.compile(rf"\b({'|'.join(clocks)})\s*\(")
    measures = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path in TESTS.rglob("test_*.py")
        if asked.search(path.read_text(encoding="utf-8"))
        for node in nodes_of(path)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        for side in (node.left, node.right)
        if isinstance(side, ast.Call) and getattr(side.func, "attr", getattr(side.func, "id", "")) in clocks
    ]
    assert not measures
