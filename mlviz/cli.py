"""The ``mlviz`` command: ``mlviz [open] FILE | render | fit | list``."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlviz
from mlviz.algorithms import registry
from mlviz.data.tables import BadTable
from mlviz.draw.numbers import plain
from mlviz.picture import PanelPicture
from mlviz.spec import BadValue
from mlviz.state import opening
from mlviz.state.scene import Panel, Scene
from mlviz.state.scene_file import BadScene

COMMANDS = ("open", "render", "fit", "list")
FAILED, USAGE = 1, 2
FIT_SIZE = (800, 600)
"""The canvas that `fit` computes for, of which nothing is seen."""


class Complaint(Exception):
    """A sentence for standard error and the exit code that goes with it."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 done, 1 failed, 2 called wrongly."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or (arguments[0] not in COMMANDS and not arguments[0].startswith("-")):
        arguments.insert(0, "open")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except Complaint as complaint:
        print(f"mlviz: {complaint}", file=sys.stderr)
        return complaint.code
    except (BadScene, BadTable) as error:
        print(f"mlviz: {options.file}: {error}", file=sys.stderr)
        return FAILED
    except BadValue as error:
        print(f"mlviz: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        _give_up_output()  # the reader of our output has left (head, less): no reason to complain
        return 0
    except OSError as error:
        place = error.filename or options.file
        if error.filename is None and error.errno == errno.ENOSPC:
            place = getattr(options, "output", "standard output")
            _give_up_output()
        print(f"mlviz: {place}: {error.strerror or error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 130


def _give_up_output() -> None:
    """Write no more to standard output: at exit Python would once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mlviz", description="See machine learning happen.")
    parser.add_argument("--version", action="version", version=f"mlviz {mlviz.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    command = commands.add_parser("open", help="open the window, with a scene or a table if one is named (the default)")
    command.add_argument("file", nargs="?", type=Path, metavar="FILE")
    command.set_defaults(run=_open)

    command = commands.add_parser("render", help="draw a scene or a table into a PNG, SVG or PDF; needs no display")
    _add_scene_options(command)
    command.add_argument(
        "-o", "--output", required=True, type=Path, metavar="FIGURE", help="file ending in .png, .svg or .pdf"
    )
    command.add_argument(
        "--size", type=_size, default=(800, 600), metavar="WxH", help="in pixels at 96 dpi (default: 800x600)"
    )
    command.add_argument(
        "--dpi",
        type=_dpi,
        default=96,
        metavar="N",
        help="pixels per inch of a PNG (default: 96; 200 and 300 are usual in print)",
    )
    command.add_argument(
        "--theme", choices=("light", "dark", "print"), default="light", help="colours (default: light)"
    )
    command.add_argument(
        "--sides",
        action="store_true",
        help="add the side plots below, where the method has some (objective, weights, coefficient path)",
    )
    command.add_argument("--no-caption", action="store_true", help="leave out the line under the picture")
    command.set_defaults(run=_render)

    command = commands.add_parser("fit", help="fit a scene or a table and print the facts")
    _add_scene_options(command)
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_fit)

    command = commands.add_parser("list", help="list the methods and their hyperparameters")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_list, file=None)
    return parser


def _add_scene_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE", help="a scene file, or a table with one sample a line")
    command.add_argument("--columns", type=_names, metavar="X,Y", help="the two columns on the axes")
    command.add_argument("--target", metavar="NAME", help="the class column, or the column to predict")
    command.add_argument("--algorithm", metavar="ID", help="the method (see mlviz list)")
    command.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a hyperparameter; may be repeated"
    )
    command.add_argument("--preprocessing", metavar="HOW", help="none or standardize (tables start standardized)")
    command.add_argument("--multiclass", metavar="HOW", help="auto, direct, one-vs-rest or one-vs-one")
    command.add_argument("--seed", type=_seed, metavar="N", help="for everything random")


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 800x600") from None
    if not (100 <= width <= 10_000 and 100 <= height <= 10_000):
        raise argparse.ArgumentTypeError(f"{text!r}: width and height go from 100 to 10000")
    return width, height


def _dpi(text: str) -> int:
    if not text.isdecimal() or not 30 <= int(text) <= 1200:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of dots per inch from 30 to 1200")
    return int(text)


def _seed(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _names(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} is not two column names parted by a comma")
    if names[0] == names[1]:
        raise argparse.ArgumentTypeError(f"{text!r} names one column twice; the axes show two")
    return names[0], names[1]


def _scene(options: argparse.Namespace) -> Scene:
    """The scene in the file, changed as the options say; they change every panel."""
    method = registry().get(options.algorithm)
    opened = opening.load(
        options.file, options.columns, options.target, regression=method is not None and method.tasks[0] == "regression"
    )
    scene, dataset = opened.scene, opened.scene.dataset
    for name in options.columns or ():
        if name not in dataset.columns:
            raise Complaint(
                f"{options.file}: there is no column of numbers {name!r}; there are {', '.join(dataset.columns)}", USAGE
            )
    if options.target is not None and options.target not in (dataset.class_column, *dataset.columns):
        known = ", ".join((dataset.class_column, *dataset.columns))
        raise Complaint(f"{options.file}: there is no column {options.target!r}; there are {known}", USAGE)
    if options.columns and options.columns != scene.view.axes:
        scene = scene.with_view(axes=options.columns)
        scene = scene.with_view(limits=opening.fitted_limits(scene))
    if options.seed is not None:
        scene = scene.replace(seed=options.seed)
    scene = scene.replace(panels=tuple(_panel(panel, options) for panel in scene.panels))
    for note in opened.notes:
        print(f"mlviz: {options.file}: {note}", file=sys.stderr)
    return scene


def _panel(panel: Panel, options: argparse.Namespace) -> Panel:
    pipeline = panel.pipeline
    algorithm = pipeline.algorithm
    if options.algorithm is not None and options.algorithm != algorithm.id:
        if options.algorithm not in registry():
            raise Complaint(f"there is no method {options.algorithm!r}; there are {', '.join(registry())}", USAGE)
        algorithm = registry()[options.algorithm]()
        panel = replace(panel, inputs=None, target=None, hidden=None)
    changes = {}
    for setting in options.set:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Complaint(f"--set {setting}: a hyperparameter is set as NAME=VALUE", USAGE)
        parameter = algorithm.parameter(name.strip())
        changes[parameter.name] = parameter.parse(value)
    for name in ("preprocessing", "multiclass"):
        if getattr(options, name) is not None:
            pipeline = pipeline.replace(**{name: getattr(options, name)})
    panel = replace(panel, pipeline=pipeline.replace(algorithm=algorithm.replace(**changes)))
    return replace(panel, target=options.target) if options.target is not None else panel


def _pictures(scene: Scene, sizes: Sequence[tuple[int, int]]) -> list[PanelPicture]:
    from mlviz.worker import draw

    return draw(scene, tuple(sizes))


def _open(options: argparse.Namespace) -> int:
    on_linux = sys.platform.startswith("linux")
    if on_linux and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise Complaint("there is no display for the window; `mlviz render FILE -o FIGURE.png` draws without one")
    if options.file is not None and not options.file.exists():
        raise Complaint(f"{options.file}: No such file or directory")
    from mlviz.ui.app import main as run

    return run(options.file)


def _render(options: argparse.Namespace) -> int:
    if options.output.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise Complaint(f"{options.output}: the figure's name ends in .png, .svg or .pdf", USAGE)
    scene = _scene(options)
    from mlviz.ui import figure

    figure.headless()
    style = figure.Style(theme=options.theme)
    parts = {"caption": not options.no_caption, "sides": options.sides and figure.has_sides(scene)}
    pictures = _pictures(scene, figure.plot_sizes(options.size, len(scene.panels), style, **parts))
    figure.export(options.output, pictures, scene, options.size, style, dpi=options.dpi, **parts)
    for picture in pictures:
        if picture.message:
            raise Complaint(f"{options.output} shows the samples only: {plain(picture.message)}")
    return 0


def _fit(options: argparse.Namespace) -> int:
    scene = _scene(options)
    pictures = _pictures(scene, [FIT_SIZE] * len(scene.panels))
    if options.json:
        print(
            json.dumps(
                [_report(picture, panel) for picture, panel in zip(pictures, scene.panels, strict=True)], indent=2
            )
        )
    else:
        for number, picture in enumerate(pictures):
            if number:
                print()
            print(plain(picture.caption))
            width = max((len(name) for name in picture.facts), default=0)
            for name, value in picture.facts.items():
                print(f"  {name:{width}}  {_say(value)}")
    complaints = [plain(picture.message) for picture in pictures if picture.message]
    if complaints:
        raise Complaint(f"{options.file}: {complaints[0]}")
    return 0


def _report(picture: PanelPicture, panel: Panel) -> dict[str, Any]:
    algorithm = panel.pipeline.algorithm
    return {
        "algorithm": algorithm.id,
        "hyperparameters": algorithm.to_json(),
        "preprocessing": panel.pipeline.preprocessing,
        "multiclass": panel.pipeline.multiclass,
        "facts": picture.facts,
        "steps": picture.n_steps,
        "message": picture.message and plain(picture.message),
    }


def _say(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _list(options: argparse.Namespace) -> int:
    if options.json:
        methods = {
            key: {
                "label": cls.label,
                "family": cls.family,
                "tasks": cls.tasks,
                "hyperparameters": {
                    p.key: {"default": p.default, "allowed": p.range_text(), "help": p.help} for p in cls.parameters()
                },
            }
            for key, cls in registry().items()
        }
        print(json.dumps(methods, indent=2))
        return 0
    for key, cls in registry().items():
        print(f"{key}  {cls.label} ({', '.join(cls.tasks)})")
        for p in cls.parameters():
            default = str(p.default).lower() if isinstance(p.default, bool) else p.default
            print(f"    {p.key} = {default}  {p.range_text()}: {p.help}")
    return 0
