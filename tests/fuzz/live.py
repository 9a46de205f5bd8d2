"""The door of the worker: its engine in this process, asked as a hand would ask it."""

from __future__ import annotations

import dataclasses
import re
import time
from pathlib import Path
from random import Random

from mlviz.algorithms import registry
from mlviz.picture import PanelPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.files import scene_file
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.scene import Panel, Scene
from mlviz.testing.pictures import check_plot
from mlviz.worker import Engine, Request
from tests.fuzz.given.settings import settings
from tests.fuzz.oracle import SECONDS, Channels, Outcome, check_sentence, watched

_SIZE = (300, 240)
_PATIENCE = 2.5
"""So many seconds of this process a request is worked on before the next one comes."""
_SILENCE = 1.0
"""The longest that one piece of work may take, in seconds of this process."""
_NO_NUMBER = re.compile(r"(?<![\w.])-?(?:nan|inf|None)(?![\w.])")


def work(path: Path, rng: Random, folder: Path) -> Outcome:
    """Ask for the scene's pictures, then for those after some changes, as drafts and at other steps too."""
    outcome, channels = Outcome(), Channels()
    with channels.taken(), watched(outcome, 60.0):
        try:
            scene = scene_file.load(path)
        except BadScene as error:
            outcome.kind = "sentence"
            check_sentence(outcome, str(error), "BadScene")
            scene = None
        if scene is not None:
            outcome.kind = "picture"
            _play(outcome, scene, rng)
    for text in channels.said:
        if text:
            outcome.blame("the worker prints something", text)
    return outcome


def _play(outcome: Outcome, scene: Scene, rng: Random) -> None:
    engine, start = Engine(), time.process_time()
    _ask(outcome, engine, scene, 1, False)
    for number in range(2, 2 + rng.choice((0, 1, 3, 6))):
        if outcome.faults or time.process_time() - start > 2 * _PATIENCE:
            return
        scene = _changed(scene, rng)
        outcome.asked += 1
        _ask(outcome, engine, scene, number, rng.random() < 0.6)


def _changed(scene: Scene, rng: Random) -> Scene:
    data = scene.dataset
    place = (rng.uniform(-4, 4), rng.uniform(-4, 4))
    axes = scene.axis_columns
    match rng.randrange(8):
        case 0 | 1 if len(data):
            rows = rng.sample(range(len(data)), rng.choice((1, 1, len(data))))
            moved = [place if rng.random() < 0.9 else (1e6, -1e6)] * len(rows)
            return scene.replace(dataset=data.move(rows, moved, axes))
        case 2 if len(data):
            return scene.replace(dataset=data.erase([rng.randrange(len(data))]))
        case 3:
            return scene.replace(dataset=data.add([place], rng.randrange(3), axes))
        case 4 if len(data):
            return scene.replace(dataset=data.relabel([rng.randrange(len(data))], rng.randrange(4)))
        case 5:
            return scene.with_view(step=rng.choice((None, 0, 1, 2, 7, 10**5)))
        case 6:
            return scene.with_view(probe=rng.choice((None, place)), limits=rng.choice(((-4, 4, -4, 4), (-1, 0, 5, 9))))
    at = rng.randrange(len(scene.panels))
    panel = scene.panels[at]
    method = type(panel.pipeline.algorithm) if rng.random() < 0.6 else rng.choice(list(registry().values()))
    algorithm = method.from_json(settings(method, rng))
    pipeline: Pipeline = panel.pipeline.replace(algorithm=algorithm)
    changed: Panel = dataclasses.replace(panel, pipeline=pipeline, hidden=rng.choice((None, ())))
    return scene.with_panel(at, changed)


def _ask(outcome: Outcome, engine: Engine, scene: Scene, number: int, draft: bool) -> None:
    engine.submit(Request(number, scene, (_SIZE,) * len(scene.panels), draft))
    start, pictures = time.process_time(), list[PanelPicture]()
    while engine.busy and time.process_time() - start < _PATIENCE:
        before = time.process_time()
        pictures += engine.advance(0.0)
        if (took := time.process_time() - before) > _SILENCE:
            names = ", ".join(panel.pipeline.algorithm.id for panel in scene.panels)
            outcome.blame(f"silence of {names}", f"{took:.1f} s, {len(scene.dataset)} samples, {told(scene)}")
        if (pause := engine.seconds_until_work()) is not None:
            time.sleep(pause)
    first = {picture.panel for picture in pictures}
    if len(first) < len(scene.panels) and time.process_time() - start > SECONDS * len(scene.panels):
        slow = {panel.pipeline.algorithm.id for i, panel in enumerate(scene.panels) if i not in first}
        outcome.blame(f"no picture of {', '.join(sorted(slow))}", told(scene))
    for picture in pictures:
        check_picture(outcome, picture, scene)


def told(scene: Scene) -> str:
    """The pipelines of a scene, for whoever looks into a fault."""
    return "\n".join(f"{panel.pipeline!r} {panel.studies!r}" for panel in scene.panels)


def check_picture(outcome: Outcome, picture: PanelPicture, scene: Scene) -> None:
    """Blame a picture that failed, words in it that are none for a person, and marks at no place."""
    algorithm = scene.panels[picture.panel].pipeline.algorithm.id
    said = {"message": picture.message, **{f"study {s.study.id}": s.message for s in picture.studies}}
    for where, sentence in said.items():
        if sentence and "failed unexpectedly" in sentence:
            outcome.blame(f"{algorithm}, {where}: {sentence.partition('unexpectedly: ')[2]}"[:160], told(scene))
        elif sentence:
            check_sentence(outcome, sentence, f"{algorithm}, {where}")
    texts = {
        "caption": picture.caption,
        **{f"fact {name}": str(fact) for name, fact in picture.facts.items()},
        **{f"study {s.study.id} fact {name}": str(fact) for s in picture.studies for name, fact in s.facts.items()},
        "explanation": picture.explanation.sentence if picture.explanation else "",
        **{f"legend {i}": str(getattr(mark, "label", "")) for i, mark in enumerate(picture.plot.marks)},
    }
    for where, text in texts.items():
        if found := _NO_NUMBER.search(text):
            outcome.blame(f"{algorithm}, {where}: {found[0]} is no number", f"{text}\n{told(scene)}")
    own = scene.replace(panels=(scene.panels[picture.panel],))
    for plot in (picture.plot, *(picture.sides or ())):
        try:
            # What is seen of the data may be anywhere, far from all that is drawn.
            check_plot(dataclasses.replace(plot, limits=None) if plot.id == "data" else plot, own)
        except AssertionError as error:
            outcome.blame(f"{algorithm}, {plot.id}: {error}"[:160], f"step {picture.step}, {told(scene)}")
