"""The options that name a scene and change it, shared by all commands that need one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlviz.algorithms import Algorithm, broken, find, why_missing
from mlviz.cli.decision_options import DECISION_OPTIONS, deciding
from mlviz.cli.idle_options import idle
from mlviz.cli.split_options import SPLIT_OPTIONS, idle_split, parted
from mlviz.cli.table_options import add_table_options, wanted_format
from mlviz.data.generators.catalog import generators
from mlviz.data.tables.departures import sentences
from mlviz.data.tables.reading import AS_FOUND
from mlviz.draw.colour_words import colour_number
from mlviz.draw.palette import COLOUR_NAMES
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.pipeline.preprocessing.features import Switches
from mlviz.scene.attempts.edits import hiding
from mlviz.scene.canvas_axes import fitted_limits, seen_anew
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import target_for_any, with_class_colour, with_drawn, with_method
from mlviz.scene.failures import Failure, failure_of, failures
from mlviz.scene.failures.failure import failing
from mlviz.scene.files import opening
from mlviz.scene.scene import Panel, Scene
from mlviz.spec import BadValue, Declared
from mlviz.spec.outside import listed, printable, quoted, told

FAILED, USAGE = 1, 2
_LONGEST = 600
"""So many characters of a complaint are said: names in it may be as long as a file."""


_SWITCHES = tuple(parameter.name for parameter in Switches.parameters())


class BadOptions(Exception):
    """A sentence for standard error and the exit code that goes with it."""

    def __init__(self, sentence: str, code: int = FAILED) -> None:
        super().__init__(sentence)
        self.code = code


def add_scene_options(command: argparse.ArgumentParser) -> None:
    """Declare them for a command."""
    samples = command.add_mutually_exclusive_group(required=True)
    samples.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a scene file, or a table with one sample a line"
    )
    samples.add_argument(
        "--generator",
        choices=tuple(generators()),
        metavar="NAME",
        help=f"artificial samples instead: {', '.join(generators())}",
    )
    samples.add_argument(
        "--break",
        dest="failure",
        type=_failure,
        metavar="NAME",
        help="samples with which a method fails, and the method as it fails; `mlviz list` names them",
    )
    options: dict[str, dict[str, Any]] = {
        "columns": {"type": _names, "metavar": "X,Y", "help": "the two columns on the axes"},
        "target": {"metavar": "NAME", "help": "the class column, or the column to predict"},
        "algorithm": {"metavar": "ID", "help": "the method (see mlviz list)"},
        "set": {
            "action": "append",
            "default": [],
            "metavar": "NAME=VALUE",
            "help": "a hyperparameter; may be repeated",
        },
        "preprocessing": {"metavar": "ID", "help": f"{', '.join(preprocessings())} (tables start standardized)"},
        "features": {
            "metavar": "NAME,NAME",
            "help": f"features beside the inputs: {', '.join(_SWITCHES)}",
        },
        "multiclass": {"metavar": "HOW", "help": "auto, direct, one-vs-rest or one-vs-one"},
        **DECISION_OPTIONS,
        **SPLIT_OPTIONS,
        "seed": {"type": _whole, "metavar": "N", "help": "for everything random"},
        "step": {"type": _whole, "metavar": "N", "help": "the step of the fit, from 0 (default: the last)"},
        "reveal": {"action": "store_true", "help": "tell the answer, where the scene hides it until it is predicted"},
    }
    for name, option in options.items():
        command.add_argument(f"--{name}", **option)
    add_table_options(command)


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**63:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from 0")
    return int(text)


def _failure(text: str) -> Failure:
    try:
        return failure_of(text)
    except KeyError:
        known = ", ".join(failure.id for failure in failures())
        raise argparse.ArgumentTypeError(f"there is no failure {quoted(text)}; there are {known}") from None


def _names(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not two column names separated by a comma")
    if names[0] == names[1]:
        raise argparse.ArgumentTypeError(f"{quoted(text)} names one column twice; the axes show two")
    return names[0], names[1]


def scene_of(options: argparse.Namespace) -> opening.Opened:
    """The scene in the file, changed as the options say; they change every panel. Departures of a table are told."""
    opened = _opened(options)
    scene, dataset, subject = opened.scene, opened.scene.dataset, subject_of(options)
    for name in options.columns or ():
        if name not in dataset.columns:
            raise BadOptions(
                f"{subject}: there is no column of numbers {quoted(name)}; there are {listed(dataset.columns)}", USAGE
            )
    if options.target is not None and options.target not in (dataset.class_column, *dataset.columns):
        known = listed((dataset.class_column, *dataset.columns))
        raise BadOptions(f"{subject}: there is no column {quoted(options.target)}; there are {known}", USAGE)
    if options.columns and options.columns != scene.view.axes:
        scene = scene.with_view(axes=options.columns)
        scene = scene.with_view(limits=fitted_limits(scene))
    if options.seed is not None:
        scene = scene.replace(seed=options.seed)
    scene = seen_anew(scene.replace(panels=tuple(_panel(scene, panel, options) for panel in scene.panels)), scene)
    together = scene
    scene = parted(scene, options)
    asked = getattr(options, "asked", ())
    refuse_unknown(options.set, [*asked, *(panel.pipeline.algorithm for panel in scene.panels)])
    chosen = _reads_table(options)
    without_effect = (*idle(options, scene, target_chosen=chosen), *idle_split(scene, together, options))
    for sentence in (*opened.notes, *sentences(opened.departures), *without_effect):
        complain(f"{subject}: {sentence}")
    scene = hiding(scene, scene.hides_answer and not options.reveal)
    return replace(opened, scene=scene if options.step is None else scene.with_view(step=options.step))


def coloured(scene: Scene, wishes: Sequence[str]) -> Scene:
    """The scene with the colours of classes that are wished for as NAME=COLOUR."""
    names = scene.dataset.names()
    for wish in wishes:
        name, _, word = wish.rpartition("=")
        number = colour_number(word)
        if number is None:
            known = listed(COLOUR_NAMES)
            raise BadOptions(f"--class-colour {told(wish)}: it is NAME=COLOUR, with one of {known}", USAGE)
        if name in names[len(COLOUR_NAMES) :]:
            most = f"only the first {len(COLOUR_NAMES)} classes have colours of their own"
            raise BadOptions(f"--class-colour {told(wish)}: {most}, and {quoted(name)} is a later one", USAGE)
        if name not in names:
            known = listed(names) or "none"
            raise BadOptions(f"--class-colour {told(wish)}: there is no class {quoted(name)}; there are {known}", USAGE)
        if [other.rpartition("=")[0] for other in wishes].count(name) > 1:
            raise BadOptions(f"--class-colour {told(name)} is given twice: leave one out", USAGE)
        scene = with_class_colour(scene, names.index(name), number)
    return scene


def complain(sentence: str) -> None:
    """Say on standard error what went otherwise than it was wanted; names of files and columns are part of it."""
    said = printable(sentence)
    print(f"mlviz: {said if len(said) <= _LONGEST else said[:_LONGEST] + '…'}", file=sys.stderr)


def subject_of(options: argparse.Namespace) -> str:
    """What the command is about, for its messages: the file, the generator or the failure."""
    return str(options.file or options.generator or options.failure.id)


def _reads_table(options: argparse.Namespace) -> bool:
    return options.file is not None and not opening.is_scene_file(options.file)


def _opened(options: argparse.Namespace) -> opening.Opened:
    method = None if options.algorithm is None else _method(options.algorithm)
    wanted = wanted_format(options)
    if wanted != AS_FOUND and not _reads_table(options):
        raise BadOptions(f"{subject_of(options)} is no table, so nothing can be said of how one is written", USAGE)
    if options.failure is not None:
        failure = options.failure if options.seed is None else replace(options.failure, seed=options.seed)
        start = default_scene() if method is None else with_method(default_scene(), 0, method.id)
        return opening.Opened(failing(start, 0, failure))
    if options.generator is None:
        regression = method is not None and method.tasks[0] == "regression"
        return opening.load(options.file, options.columns, options.target, regression, wanted)
    generator = generators()[options.generator]()
    return opening.Opened(with_drawn(default_scene(), generator.generate(options.seed or 0)))


def _method(name: str) -> type[Algorithm]:
    try:
        return find(name, patient=True)
    except KeyError:
        code = FAILED if any(missing.id == name for missing in broken()) else USAGE
        raise BadOptions(f"there is no method {quoted(name)}; {why_missing(name)}", code) from None


def _panel(scene: Scene, panel: Panel, options: argparse.Namespace) -> Panel:
    pipeline = panel.pipeline
    algorithm = pipeline.algorithm
    if options.algorithm is not None and options.algorithm != algorithm.id:
        algorithm = _method(options.algorithm)()
        panel = replace(panel, inputs=None, target=_target(scene, panel, options), hidden=None)
    given = {name: getattr(options, name) for name in ("preprocessing", "multiclass")}
    if options.features is not None:
        given |= _features(options.features, options.preprocessing)
    pipeline = pipeline.replace(**{name: value for name, value in given.items() if value is not None})
    if algorithm.id != pipeline.algorithm.id:
        pipeline = pipeline.replace(decision=pipeline.decision.for_another(algorithm))
    try:
        weights, decision = deciding(pipeline, options)
    except BadValue as error:
        raise BadOptions(str(error), USAGE) from None
    pipeline = pipeline.replace(algorithm=with_settings(algorithm, options.set), weights=weights, decision=decision)
    for owner, given in ((pipeline.algorithm, options.set), (weights, options.class_weight)):
        if given and (sentence := owner.beyond(len(scene.dataset.names()))):
            raise BadOptions(f"{subject_of(options)}: {sentence.removesuffix('.')}", USAGE)
    return replace(panel, pipeline=pipeline, target=panel.target if options.target is None else options.target)


def _target(scene: Scene, panel: Panel, options: argparse.Namespace) -> str | None:
    """What another method is to predict if it can: values stay values, and a table without classes has nothing else."""
    unclassed = _reads_table(options) and not scene.dataset.class_names and len(set(scene.dataset.labels.tolist())) < 2
    return scene.axes[1] if unclassed else target_for_any(scene, panel)


def _features(text: str, preprocessing: str | None) -> dict[str, Any]:
    """The preprocessing "features" with just those switches on."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in _SWITCHES:
            known = ", ".join(_SWITCHES)
            raise BadOptions(f"--features {told(name)}: there is no such feature; there are {known}", USAGE)
    if len(set(names)) < len(names):
        raise BadOptions(f"--features {told(text)}: one feature is named twice", USAGE)
    if preprocessing not in (None, "features"):
        raise BadOptions("--features and --preprocessing say different things: leave one out", USAGE)
    return {"preprocessing": "features"} | {name: name in names for name in _SWITCHES}


def with_settings(algorithm: Algorithm, settings: Sequence[str]) -> Algorithm:
    """The method with those of the hyperparameters set that it has; raises `BadValue`."""
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadValue(f"--set {told(setting)}: a hyperparameter is set as NAME=VALUE")
        if not algorithm.has(name.strip()):
            continue
        parameter = algorithm.parameter(name.strip())
        if parameter.name in changes:
            raise BadValue(f"--set {parameter.key} is given twice: leave one out")
        changes[parameter.name] = parameter.parse(value)
    return algorithm.replace(**changes)


def refuse_unknown(settings: Sequence[str], owners: Sequence[Declared]) -> None:
    """Raise `BadValue` for a parameter that none of the methods has, nor the study where one is asked."""
    for setting in settings:
        name = setting.partition("=")[0].strip()
        if not any(owner.has(name) for owner in owners):
            known = dict.fromkeys(p.key for owner in owners for p in owner.parameters())
            raise BadValue(f"there is no parameter {quoted(name)}; the parameters are: {', '.join(known) or 'none'}")
