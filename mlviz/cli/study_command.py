"""``mlviz study``: a study of the fit of a scene or a table, as text, JSON, a table or a picture."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlviz.cli.printed_json import print_json
from mlviz.cli.progress import Progress
from mlviz.cli.scene_options import USAGE, BadOptions, complain, scene_of, subject_of
from mlviz.draw.numbers import number, plain
from mlviz.draw.palette import THEMES
from mlviz.files.atomic import write_atomically
from mlviz.picture import draw
from mlviz.picture.figure_formats import FIGURE_FORMATS, SUFFIXES
from mlviz.picture.study_pictures import StudyPicture
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.spec.outside import printable, quoted, told
from mlviz.studies import Study, registry

_SIZE = (640, 420)
"""Of the picture of a plot, pixels."""
OPTIONS: dict[str, dict[str, Any]] = {
    "--study": {"required": True, "metavar": "ID", "help": "which one: see mlviz list --studies"},
    "--json": {"action": "store_true", "help": "print JSON; a number that is not finite is null"},
    "-o --output": {"type": Path, "metavar": "FILE", "help": f"a picture of its plots ({SUFFIXES}), or a table (.csv)"},
    "--theme": {"choices": THEMES, "default": "light", "help": "colours of the picture (default: light)"},
}


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    kind = _kind(options.study)
    suffix = options.output.suffix.lower() if options.output else ""
    if options.output and suffix not in (".csv", *FIGURE_FORMATS):
        raise BadOptions(f"{options.output}: the name ends in .csv, {SUFFIXES}", USAGE)
    mine, theirs = _parted(options.set, kind)
    study = kind(**mine)
    options.set, options.asked = theirs, (study,)
    scene = scene_of(options).scene
    if scene.hides_answer:
        raise BadOptions(f"{subject_of(options)} hides the answer, and a study would tell of it; --reveal does")
    for index, panel in enumerate(scene.panels):
        if lack := study.lack(panel.pipeline):
            raise BadOptions(f"{subject_of(options)}: the study {study.id} {lack}")
        if not (study.decides or panel.pipeline.decision.natural):
            complain(f"{subject_of(options)}: threshold and costs have no effect: in this study the method decides")
        scene = with_study(scene, index, study)
    pictures = draw(scene, [_SIZE] * len(scene.panels), watch=Progress())
    answers = [_answer(picture.studies, study) for picture in pictures]
    if options.json:
        reports = [_report(answer, panel) for answer, panel in zip(answers, scene.panels, strict=True)]
        print_json(reports)
    elif not options.output:
        for answer in answers:
            _print(answer)
    if suffix:
        _write(options, scene, answers)
    for answer in answers:
        if answer.message:
            raise BadOptions(f"{subject_of(options)}: {plain(answer.message)}")
    return 0


def list_studies(as_json: bool) -> None:
    """Print the studies and their settings."""
    known = {key: kind for key, kind in registry().items() if not kind.by_layer}
    if as_json:
        studies = {
            key: {"label": kind.label, "help": kind.help, "settings": _described(kind)} for key, kind in known.items()
        }
        print_json(studies)
        return
    for key, kind in known.items():
        print(f"{key}  {kind.label}: {kind.help}")
        for p in kind.parameters():
            print(f"    {p.key} = {p.default}  {p.range_text()}: {p.help}")


def _kind(name: str) -> type[Study]:
    known = {key: kind for key, kind in registry().items() if not kind.by_layer}
    if name not in known:
        raise BadOptions(f"there is no study {quoted(name)}; the studies are: {', '.join(known)}", USAGE)
    return known[name]


def _parted(settings: Sequence[str], kind: type[Study]) -> tuple[dict[str, Any], list[str]]:
    """The values of the study, and the settings that are left for the method."""
    mine: dict[str, Any] = {}
    theirs = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if equals and kind.has(name.strip()):
            parameter = kind.parameter(name.strip())
            if parameter.name in mine:
                raise BadOptions(f"--set {told(parameter.key)} is given twice: leave one out", USAGE)
            mine[parameter.name] = parameter.parse(value)
        else:
            theirs.append(setting)
    return mine, theirs


def _answer(studies: Sequence[StudyPicture], study: Study) -> StudyPicture:
    found = next((answer for answer in studies if answer.study.id == study.id), None)
    return found or StudyPicture(study, message="The pipeline itself has no model, so there is nothing to study.")


def _report(answer: StudyPicture, panel: Panel) -> dict[str, Any]:
    return {
        "study": answer.study.id,
        "settings": answer.study.to_json(),
        "algorithm": panel.pipeline.algorithm.id,
        "hyperparameters": panel.pipeline.algorithm.to_json(),
        "table": answer.table.to_json(),
        "facts": {name: fact.value for name, fact in answer.facts.items()},
        "message": plain(answer.message) or None,
    }


def _print(answer: StudyPicture) -> None:
    table = answer.table
    rows = [table.names, *([_word(value) for value in row] for row in zip(*table.columns, strict=True))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows if table.names else ():
        print(printable("  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))))
    width = max(map(len, answer.facts), default=0)
    for name, fact in answer.facts.items():
        print(printable(plain(f"{name:{width}}  {fact}")))


def _word(value: Any) -> str:
    return number(value, 6) if isinstance(value, float) else str(value)


def _write(options: argparse.Namespace, scene: Scene, answers: Sequence[StudyPicture]) -> None:
    if options.output.suffix.lower() == ".csv":
        if len(answers) > 1:
            raise BadOptions(f"{options.output}: the scene has several canvases, and a table is one of one canvas")
        write_atomically(options.output, answers[0].table.to_csv().encode("utf-8"))
        return
    plots = [plot for answer in answers for plot in answer.plots]
    if not plots:
        complain(f"{options.output} is not written: the study has no plot")
        return
    from mlviz.ui.figure import figure
    from mlviz.ui.figure.plots import export_plots

    figure.headless()
    export_plots(options.output, plots, _SIZE, figure.Style(theme=options.theme, colours=scene.colours))


def _described(kind: type[Study]) -> dict[str, Any]:
    return {p.key: {"default": p.default, "allowed": p.range_text(), "help": p.help} for p in kind.parameters()}
