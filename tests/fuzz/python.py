"""The door of Python: what reads files, and what fits arrays."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import numpy as np

from mlviz.algorithms import CannotFit, registry
from mlviz.data.tables.decoding import ENCODINGS
from mlviz.data.tables.reading import BadTable, parse_table, read_table, write_table
from mlviz.data.tables.splitting import SEPARATORS
from mlviz.data.tables.table import Format
from mlviz.pipeline.pipeline import Pipeline
from mlviz.recovery.copies import BadCopy, Copy
from mlviz.recovery.slots import find_leftover_copies
from mlviz.scene.files import opening, scene_file
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.scene import Scene
from tests.fuzz.given.inputs import Input
from tests.fuzz.given.settings import settings
from tests.fuzz.oracle import HANG_SECONDS, Channels, Outcome, check_sentence, watched


def read(path: Path, kind: str, rng: Random, folder: Path, hang_seconds: float = HANG_SECONDS) -> Outcome:
    """Read the file with what is meant for its kind; what comes is written and read again."""
    outcome, channels = Outcome(), Channels()
    with channels.taken(), watched(outcome, hang_seconds):
        try:
            if kind == "copy":
                _keep(outcome, Copy.unpack(path.read_bytes()).scene, folder)
            elif kind == "scene":
                load = rng.choice((scene_file.load, lambda path: opening.load(path).scene))
                _keep(outcome, load(path), folder)
            else:
                _read_table(outcome, path, rng, folder)
            outcome.kind = "read"
        except (BadScene, BadTable, BadCopy) as error:
            outcome.kind = "sentence"
            # How a copy is broken is for whoever reports it.
            if kind != "copy":
                check_sentence(outcome, str(error), f"{type(error).__name__}")
        except OSError as error:
            outcome.kind = "OSError"
            if error.strerror is None:
                outcome.blame("an OSError without a sentence", repr(error))
    for text in channels.said:
        if text:
            outcome.blame("reading prints something", text)
    return outcome


def _keep(outcome: Outcome, scene: Scene, folder: Path) -> None:
    """A scene that was read can be written, and is the same when read again."""
    path = folder / "kept.mlviz"
    scene_file.save(scene, path)
    again = scene_file.load(path)
    # Outlines of former fits are arrays, which are told apart as objects: what is written tells all there is.
    if scene_file.to_json(scene) != scene_file.to_json(again):
        outcome.blame("a scene is another one when it was written and read")
    if not np.isfinite(scene.dataset.X).all():
        outcome.blame("a scene was read whose samples are not finite")


def _read_table(outcome: Outcome, path: Path, rng: Random, folder: Path) -> None:
    wanted = Format(
        rng.choice((None, None, None, *ENCODINGS)),
        rng.choice((None, None, *SEPARATORS)),
        rng.choice((None, None, True, False)),
        rng.choice((None, None, True, False)),
    )
    table = read_table(path, wanted)
    classes = rng.choice((None, "", *table.class_columns))
    selection = table.select(None, classes)
    for note in (*table.notes, *selection.notes):
        check_sentence(outcome, note, "a note")
    data = selection.dataset
    if not np.isfinite(data.X).all() or len(data.labels) != len(data.X):
        outcome.blame("a table was read whose samples are not finite", f"{data.X}")
    write_table(data, folder / "written.csv")
    again = parse_table((folder / "written.csv").read_bytes()).select(data.columns, data.class_column).dataset
    if not np.array_equal(again.X, data.X):
        outcome.blame("a table reads otherwise when it was written", f"{wanted}: {data.X[:3]} {again.X[:3]}")


def find_copies(path: Path, rng: Random, folder: Path) -> Outcome:
    """Look for what is left behind in a folder with that copy."""
    outcome = Outcome()
    state = folder / "state"
    state.mkdir(exist_ok=True)
    for old in state.iterdir():
        old.unlink()
    (state / "canary.copy").write_bytes(path.read_bytes())
    with watched(outcome):
        left, problems = find_leftover_copies(state)
        outcome.kind = "read" if left else "sentence"
        for one in left:
            one.slot.release()
        for problem in problems:
            check_sentence(outcome, problem.replace(str(folder), ""), "a copy's problem")
        if len(left) + len(problems) != 1:
            outcome.blame("a copy is passed over in silence")
    return outcome


_PATIENCE_SECONDS = 5.0
"""Twenty samples take no method longer."""
_ENDS = (0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e-160, 1e-9, 1e9, 1e100, 1e155, 1e300, 1.7e308, -1e300, 2.0**53 + 2)


def arrays(rng: Random) -> Input:
    """Samples, targets and weights at the ends of what numbers can be, for a method."""
    n, d = rng.choice((0, 1, 2, 3, 8, 20)), rng.choice((1, 2, 2, 2, 5))
    source = np.random.default_rng(rng.getrandbits(32))

    def some(shape: tuple[int, ...]) -> np.ndarray:
        values = source.normal(0, 1, shape)
        match rng.randrange(5):
            case 0:
                values = np.full(shape, rng.choice(_ENDS))
            case 1:
                values = values * rng.choice(_ENDS)
            case 2:
                values = source.choice(_ENDS, shape)
            case 3:
                values = np.where(source.random(shape) < 0.2, rng.choice((*_ENDS, np.nan, np.inf)), values)
        return values

    with np.errstate(all="ignore"):
        X = some((n, d))
        y = some((n,)) if rng.random() < 0.4 else source.integers(0, rng.choice((1, 2, 3, 5)), n).astype(float)
        weights = np.abs(some((n,))) if rng.random() < 0.5 else None
    file = io.BytesIO()
    np.savez(file, X=X, y=y, **({} if weights is None else {"weights": weights}))
    return Input("arrays", f"n = {n}, d = {d}", file.getvalue(), ".npz")


def fit(path: Path, rng: Random, folder: Path) -> Outcome:
    """Fit a method to the arrays; what it predicts is finite."""
    outcome, channels = Outcome(), Channels()
    given = np.load(path)
    method = rng.choice(tuple(registry()))
    pre = rng.choice(("none", "standardize"))
    algorithm = registry()[method].from_json(settings(registry()[method], rng))
    with channels.taken(), watched(outcome, _PATIENCE_SECONDS):
        try:
            y = None if algorithm.tasks[0] in ("clustering", "decomposition") else given["y"]
            if y is not None and algorithm.tasks == ("classification",):
                y = np.unique(y, return_inverse=True)[1]
            model = Pipeline(algorithm, preprocessing=pre).fit(given["X"], y, 0, given.get("weights"))
            outcome.kind = "model"
            for name in ("predict", "decision_function", "predict_proba", "score_samples"):
                if not hasattr(model, name):
                    continue
                values = getattr(model, name)(given["X"])
                # The logarithm of a density of 0: at a sample without weight that no other one's kernel reaches.
                nowhere = np.isneginf(values) if name == "score_samples" else np.zeros(np.shape(values), bool)
                if not (np.isfinite(values) | nowhere).all():
                    outcome.blame(f"{method}: {name} is not finite")
        except CannotFit as error:
            outcome.kind = "sentence"
            check_sentence(outcome, str(error), "CannotFit")
    outcome.faults = [
        type(f)(f"{method}: {f.cause}".replace(f"{method}: {method}", method), f"{pre}, {algorithm!r}\n{f.detail}")
        for f in outcome.faults
    ]
    return outcome
