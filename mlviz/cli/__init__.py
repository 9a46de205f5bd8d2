"""The ``mlviz`` command: ``mlviz [open] FILE | render | fit | study | list``."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import mlviz
from mlviz.cli import list_command, study_command
from mlviz.cli.idle_options import idle_step
from mlviz.cli.printed_json import print_json
from mlviz.cli.progress import Progress
from mlviz.cli.scene_options import (
    FAILED,
    USAGE,
    BadOptions,
    add_scene_options,
    coloured,
    complain,
    scene_of,
    subject_of,
)
from mlviz.data.tables.reading import BadTable
from mlviz.draw.numbers import number, plain
from mlviz.draw.palette import COLOUR_NAMES, THEMES
from mlviz.files.quiet import warnings_to_log
from mlviz.picture import PanelPicture, draw
from mlviz.picture.comparison import compared
from mlviz.picture.figure_formats import CM, FIGURE_FORMATS, LONGEST_SIDE, SHORTEST_SIDE, SUFFIXES
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.files.split_file import recipe_json
from mlviz.scene.scene import Panel, Scene
from mlviz.spec import BadValue
from mlviz.spec.outside import printable, quoted, told

_FIT_SIZE = (800, 600)
"""The canvas that `fit` computes for, of which nothing is seen."""
_SCREEN_DPI = 96


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 done, 1 failed, 2 called wrongly."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or _opened(arguments):
        arguments.insert(0, "open")
    warnings_to_log()
    options, unknown = _parser().parse_known_args(arguments, argparse.Namespace(file=None))
    if unknown:
        _Parser(prog=f"mlviz {arguments[0]}").error(f"nothing is known of {' '.join(unknown)}")
    try:
        code: int = options.run(options)
        if sys.stdout is not None:  # a program without a console has none
            sys.stdout.flush()
        return code
    except BadOptions as error:
        complain(str(error))
        return error.code
    except (BadScene, BadTable) as error:
        complain(f"{options.file}: {error}")
        return FAILED
    except BadValue as error:
        complain(str(error))
        return USAGE
    except BrokenPipeError:
        _give_up_output()  # the reader of our output has left (head, less): no reason to complain
        return 0
    except OSError as error:
        place = error.filename or options.file
        if error.filename is None and error.errno == errno.ENOSPC:
            place = getattr(options, "output", "standard output")
            _give_up_output()
        folder = Path(str(place)).parent
        lost = error.errno == errno.ENOENT and not folder.is_dir()
        complain(f"{place}: {f'there is no folder {folder}' if lost else error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return 130


def _opened(arguments: Sequence[str]) -> bool:
    """Whether the window is asked for without its command: by a file, or by what can only be the name of one."""
    first = arguments[0]
    return first not in _COMMANDS and not first.startswith("-") and (len(arguments) == 1 or Path(first).exists())


def _give_up_output() -> None:
    """Write no more to standard output: at exit Python would once more, and complain."""
    with contextlib.suppress(AttributeError, OSError):  # one that has no descriptor, or is none, does not complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Complains in one line, like everything else here: the usage, a screen of options, would hide it."""

    def error(self, message: str) -> NoReturn:
        """Complain and exit; what was typed is shortened."""
        shortened = re.sub(r"\S{41,}", lambda word: told(word[0]), printable(message))
        self.exit(USAGE, f"{self.prog}: {shortened}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="mlviz", description="See machine learning happen.")
    parser.add_argument("--version", action="version", version=f"mlviz {mlviz.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, (run, what, options) in _COMMANDS.items():
        command = commands.add_parser(name, help=what)
        if run in (_render, _fit, study_command.run):
            add_scene_options(command)
        for flags, option in options.items():
            command.add_argument(*flags.split(), **option)
        command.set_defaults(run=run)
    return parser


def _size(text: str) -> tuple[float, float]:
    """A size such as 800x600 or 8.5cmx6cm, in 96ths of an inch."""
    sides = re.fullmatch(r"(\d+(?:\.\d+)?)(?:cm)?x(\d+(?:\.\d+)?)(cm)?", text.lower())
    if sides is None or not (sides[3] or sides[0].replace("x", "").isdecimal()):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a size such as 800x600 or 8.5cmx6cm")
    width, height = (float(side) * (CM if sides[3] else 1.0) for side in sides.groups()[:2])
    if not all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)}: width and height go from {SHORTEST_SIDE:g} to {LONGEST_SIDE:g},"
            f" or {SHORTEST_SIDE / CM:.3g}cm to {LONGEST_SIDE // CM:g}cm"
        )
    return width, height


def _dpi(text: str) -> int:
    if not text.isdecimal() or not 30 <= int(text) <= 1200:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of dots per inch from 30 to 1200")
    return int(text)


def _open(options: argparse.Namespace) -> int:
    on_linux = sys.platform.startswith("linux")
    if on_linux and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise BadOptions("there is no display for the window; `mlviz render FILE -o FIGURE.png` draws without one")
    if options.file is not None and not options.file.exists():
        known = "" if options.file.suffix else f", and no such command; the commands are {', '.join(_COMMANDS)}"
        raise BadOptions(f"{options.file}: there is no such file{known}")
    from mlviz.ui.app import main as run

    return run(options.file)


def _render(options: argparse.Namespace) -> int:
    if options.output.suffix.lower() not in FIGURE_FORMATS:
        raise BadOptions(f"{options.output}: the figure's name ends in {SUFFIXES}", USAGE)
    scene = coloured(scene_of(options).scene, options.class_colour)
    from mlviz.ui.figure import figure

    figure.headless()
    if missing := figure.boxes(scene):
        complain(f"{subject_of(options)}: {missing}")
    style = figure.Style(theme=options.theme)
    parts = {"caption": not options.no_caption, "sides": options.sides and figure.has_sides(scene)}
    sizes = figure.plot_sizes(options.size, scene, style, **parts)
    pictures = draw(scene, sizes, parts="all" if parts["sides"] else "canvas", watch=Progress())
    figure.export(options.output, pictures, scene, options.size, style, dpi=options.dpi, **parts)
    _tell_idle(options, scene, pictures)
    if options.sides and not parts["sides"]:
        complain(f"{subject_of(options)}: --sides has no effect: there are no side plots")
    if options.dpi != _SCREEN_DPI and options.output.suffix.lower() != ".png":
        complain(f"{options.output}: --dpi has no effect: only a PNG has pixels")
    for picture in pictures:
        if picture.message:
            shown = "what there is without a fit" if picture.plot.marks else "the samples"
            raise BadOptions(f"{options.output} shows {shown} only: {plain(picture.message)}")
    return 0


def _fit(options: argparse.Namespace) -> int:
    opened = scene_of(options)
    panels = opened.scene.panels
    pictures = draw(opened.scene, [_FIT_SIZE] * len(panels), parts="facts", watch=Progress())
    _tell_idle(options, opened.scene, pictures)
    if options.json == "csv":
        print(compared(opened.scene, dict(enumerate(pictures))).text(), end="")
    elif options.json:
        departures = [departure.to_json() for departure in opened.departures]
        shared = {"split": _split_report(opened.scene), "departures": departures}
        reports = [_report(picture, panel) for picture, panel in zip(pictures, panels, strict=True)]
        print_json([{**report, **shared} for report in reports])
    else:
        for panel, picture in enumerate(pictures):
            if panel:
                print()
            print(printable(plain(picture.caption)))
            width = max((len(name) for name in picture.facts), default=0)
            for name, fact in picture.facts.items():
                said = f"{name:{width}}  {_say(fact.value)}{fact.unit if fact.unit != 'share' else ''}"
                print(f"  {printable(said)}")
            for score in picture.scores:
                print(f"  {printable(plain(score.sentence))}")
    complaints = [plain(picture.message) for picture in pictures if picture.message]
    if complaints:
        raise BadOptions(f"{subject_of(options)}: {complaints[0]}")
    return 0


def _tell_idle(options: argparse.Namespace, scene: Scene, pictures: Sequence[PanelPicture]) -> None:
    """Say on standard error that the step that was asked for is none."""
    for sentence in idle_step(scene.view.step, [picture.n_steps for picture in pictures if not picture.message]):
        complain(f"{subject_of(options)}: {sentence}")


def _report(picture: PanelPicture, panel: Panel) -> dict[str, Any]:
    algorithm = panel.pipeline.algorithm
    return {
        "algorithm": algorithm.id,
        "hyperparameters": algorithm.to_json(),
        "preprocessing": picture.preprocessing,
        "multiclass": panel.pipeline.multiclass,
        "weights": panel.pipeline.weights.to_json(),
        "decision": panel.pipeline.decision.to_json(),
        "facts": {name: fact.value for name, fact in picture.facts.items()},
        "steps": picture.n_steps,
        "message": picture.message and plain(picture.message),
        "hidden": picture.hidden,
        "attempts": [score.to_json() for score in picture.scores],
    }


def _split_report(scene: Scene) -> dict[str, Any] | None:
    """How samples were held out, and whether these are others by now; None where nobody knows, or none is."""
    if scene.split is None or not scene.dataset.held_out.any():
        return None
    return {**recipe_json(scene.split), "changed": not scene.split.holds(scene.dataset)}


def _say(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, 6) if isinstance(value, float) else str(value)


_STUDIES: dict[str, Any] = {"action": "store_true", "help": "the studies instead of the methods"}
_JSON: dict[str, Any] = {"action": "store_true", "help": "print JSON; a number that is not finite is null"}
_CSV = {"dest": "json", "action": "store_const", "const": "csv", "help": "print a table, one line for each canvas"}
_COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], int], str, dict[str, dict[str, Any]]]] = {
    "open": (
        _open,
        "open the window, with a scene or a table if one is named (the default)",
        {"file": {"nargs": "?", "type": Path, "metavar": "FILE"}},
    ),
    "render": (
        _render,
        "draw a scene or a table into a PNG, SVG or PDF; needs no display",
        {
            "-o --output": {"required": True, "type": Path, "metavar": "FIGURE", "help": f"file ending in {SUFFIXES}"},
            "--size": {
                "type": _size,
                "default": (800, 600),
                "metavar": "WxH",
                "help": "in pixels at 96 dpi, or as 8.5cmx6cm (default: 800x600)",
            },
            "--dpi": {
                "type": _dpi,
                "default": _SCREEN_DPI,
                "metavar": "N",
                "help": "pixels per inch of a PNG (default: 96; 200 and 300 are usual in print)",
            },
            "--theme": {
                "choices": THEMES,
                "default": "light",
                "help": "colours (default: light)",
            },
            "--class-colour": {
                "action": "append",
                "default": [],
                "metavar": "NAME=COLOUR",
                "help": f"{', '.join(COLOUR_NAMES)} for a class; may be repeated",
            },
            "--sides": {
                "action": "store_true",
                "help": "add the side plots below, where the method has some (objective, weights, coefficient path)",
            },
            "--no-caption": {"action": "store_true", "help": "leave out the line under the picture"},
        },
    ),
    "fit": (_fit, "fit a scene or a table and print the facts", {"--json": _JSON, "--csv": _CSV}),
    "study": (study_command.run, "answer a question about the fit of a scene or a table", study_command.OPTIONS),
    "list": (
        list_command.run,
        "list the methods, or the studies, and what can be set",
        {"--json": _JSON, "--studies": _STUDIES},
    ),
}
"""Command -> what runs it, what it does, and its options beside those of a scene."""
