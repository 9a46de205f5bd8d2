"""A picture in words, for those who cannot see it: what is drawn, where it lies, what it says. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mlviz.data.dataset import Dataset
from mlviz.draw import palette
from mlviz.draw.marks import Arrows, Field, Lines, Mark, Points
from mlviz.draw.numbers import counted, format_number, share, typographic
from mlviz.draw.plot import Limits
from mlviz.numerics.arrays import Array, Mask, occurring
from mlviz.picture import PanelPicture
from mlviz.scene.attempts.edits import attempts_on
from mlviz.scene.canvas_axes import CanvasAxes, axes_of
from mlviz.scene.notes.edits import noted_on
from mlviz.scene.scene import Scene, drawn_labels, roles
from mlviz.scene.splits.edits import told_split
from mlviz.scene.values import value_column
from mlviz.spec.sentences import with_capital

_TOLD = 6
"""Of more places or pieces than this, only the number is told."""
_UNSEEN, _ROUNDING = 1e-9, 1e-13
"""What is nothing: of a place, as a share of its axis, and of a mean, as a share of the largest of its numbers."""


def summary(scene: Scene, index: int, picture: PanelPicture | None, seen: Limits | None = None) -> str:
    """All that panel `index` shows, in sentences, one subject a line.

    `seen` are the limits on the screen or paper, where equal axes show more than the view asks for.
    """
    lines = [_head(scene, index, picture), _axes(axes_of(scene, index), seen), *_samples(scene, index, picture)]
    x0, x1, y0, y1 = axes_of(scene, index).limits
    least = _UNSEEN * np.abs([x1 - x0, y1 - y0])
    if picture is not None and picture.message is None:
        marks = [mark.mapped(partial(_snapped, least=least)) for mark in picture.plot.marks]
        # Until a new picture comes, its marks name samples that may be gone.
        held_out = scene.dataset.held_out if picture.key == scene.dataset.key else None
        lines += [*_shapes(marks, scene, index, least, held_out), *_others(marks), *_rest(picture)]
    lines += [*_attempts(scene, index, least), *(score.sentence for score in (picture.scores if picture else ()))]
    if picture is not None and picture.explanation is not None and scene.view.probe is not None:
        lines.append(
            f"At the cursor, {_place(_snapped(np.array(scene.view.probe), least))}: {picture.explanation.sentence}"
        )
    return "\n".join([*lines, *_noted(scene, index, least)])


def _noted(scene: Scene, index: int, least: Array) -> Iterator[str]:
    """What has been written and drawn over the picture."""
    noted = noted_on(scene, index)
    for note in noted.notes if noted else ():
        yield f"Written at {_place(_snapped(np.array(note.place), least))}: {note.words}"
    if noted and noted.strokes:
        yield f"Drawn over the picture: {counted(len(noted.strokes), 'pen stroke')}."


def _attempts(scene: Scene, index: int, least: Array) -> Iterator[str]:
    """What was drawn by hand."""
    for number, attempt in attempts_on(scene, index) if index < len(scene.panels) else ():
        if attempt.kind == "surface":
            if attempt.values:
                places = map(_place, _snapped(attempt.arrays[0], least))
                given = zip(map(format_number, attempt.values), places, strict=True)
                yield f"Attempt {number} gives {', '.join(f'{value} at {at}' for value, at in given)}."
            for line, level in attempt.level_lines:
                yield from _pieces(f"line of attempt {number} for {format_number(level)}", _snapped(line, least), least)
            continue
        for line in attempt.arrays:
            xy = _snapped(line, least)
            where = ", ".join(map(_place, xy))
            if attempt.kind == "centres":
                yield f"Attempt {number} has centres at {where}."
            elif len(line) == 1:
                yield f"Attempt {number} has its first place at {where}."
            else:
                yield from _pieces(f"{attempt.kind} of attempt {number}", xy, least)


def _head(scene: Scene, index: int, picture: PanelPicture | None) -> str:
    count = len(scene.panels)
    label = scene.panels[index].pipeline.algorithm.label if index < count else ""
    said = label if picture is None else picture.caption
    words = f"Canvas {index + 1} of {count}: {said}." if count > 1 else f"{said}."
    return f"{words} {picture.message}" if picture is not None and picture.message else words


def _axes(axes: CanvasAxes, seen: Limits | None) -> str:
    x0, x1, y0, y1 = seen or axes.limits
    x, y = axes.names
    return (
        f"The horizontal axis is {x}, from {format_number(x0, 3)} to {format_number(x1, 3)}; "
        f"the vertical one is {y}, from {format_number(y0, 3)} to {format_number(y1, 3)}."
    )


def _samples(scene: Scene, index: int, picture: PanelPicture | None) -> Iterator[str]:
    data = scene.dataset
    n = len(data)
    if not n:
        yield "There are no points."
        return
    masks = ((data.held_out, "held out"), (~data.active, "switched off"))
    resting = [f"{int(mask.sum())} {name}" for mask, name in masks if mask.any()]
    yield f"There {'is 1 point' if n == 1 else f'are {n:,} points'}{', ' + ' and '.join(resting) if resting else ''}."
    if told := told_split(scene):
        yield f"Held out: {told}."
    places, labels = axes_of(scene, index).places(data), drawn_labels(scene, index)
    if (name := value_column(scene, index)) in data.columns:
        column = data.X[:, data.column(str(name))]
        low, high = (format_number(float(value)) for value in (column.min(), column.max()))
        values = low if low == high else f"from {low} to {high}"
        yield f"{counted(n, 'point')} (in the shade of its {name}, {values}), {_where(places)}."
        return
    shaded = _shaded(data, picture)
    for code in sorted(occurring(labels).tolist(), key=_plain):
        mine = labels == code
        count = int(mine.sum())
        looks = [] if shaded[mine].all() else [palette.class_look(palette.class_number(code, scene.colours))]
        looks += ["in the shade of its target"] if shaded[mine].any() else []
        of_class = (data.labels[mine] == _plain(code)).all()
        what = f"{count:,} of {data.class_name(_plain(code))}" if of_class else counted(count, "point")
        yield f"{what} ({' or '.join(looks)}), {_where(places[mine])}."


def _plain(code: int) -> int:
    """The code of a class, also where it is grey."""
    return max(code, palette.grey_code(code))


def _shaded(data: Dataset, picture: PanelPicture | None) -> Mask:
    """(n,) which samples have a shade laid over them that tells their target."""
    shaded = np.zeros(len(data), dtype=bool)
    for mark in () if picture is None or picture.key != data.key else picture.plot.marks:
        if isinstance(mark, Points) and mark.role == "target" and mark.rows is not None:
            shaded[mark.rows] = True
    return shaded


def _where(places: Array) -> str:
    """Where so many samples (n, 2) are, each coordinate without what rounding leaves of it."""
    size = np.abs(places).max(axis=0)
    unit = places / np.where(size > 0, size, 1.0)  # so that neither sums nor squares overflow
    mean, spread = (_snapped(values, _ROUNDING) * size for values in (unit.mean(axis=0), unit.std(axis=0)))
    if len(places) == 1:
        return f"at {_place(mean)}"
    width, height = (format_number(value, 3) for value in spread.tolist())
    return f"on average at {_place(mean)}, with standard deviations of {width} by {height}"


def _snapped(values: Array, least: ArrayLike) -> Array:
    """The values with a plain 0 where rounding has left next to nothing."""
    return np.where(np.abs(values) < least, 0.0, values)


def _shapes(marks: Sequence[Mark], scene: Scene, index: int, least: Array, held_out: Mask | None) -> Iterator[str]:
    """The marks whose shape says what the model is."""
    doubts = [np.asarray(mark.strength) > 0 for mark in marks if isinstance(mark, Field) and mark.role == "doubt"]
    doubt = doubts[0] if doubts else np.array(False)
    for mark in marks:
        match mark:
            case Field(cover=True):
                part = typographic(share(float(np.mean(np.asarray(mark.strength) > 0))))
                yield f"{with_capital(mark.label)}: {part} of what is seen."
            case Field(classes=None):
                yield from _diverging(mark)
            case Field():
                yield _shares(mark, doubt, scene, index)
            case Lines(role="boundary"):
                yield from _pieces("decision boundary", mark.xy, least)
            case Lines(role="curve"):
                yield from _course(mark.xy)
            case Points(role="misclassified") | Points(role="center"):
                yield _points(mark, held_out)
            case Arrows(role="component"):
                ways = zip(mark.start, mark.end, strict=True)
                yield f"Components: {'; '.join(f'from {_place(a)} to {_place(b)}' for a, b in ways)}."


def _others(marks: Iterable[Mark]) -> Iterator[str]:
    """What else there is, by the words of the legend, with the number of symbols where they are counted."""
    told = ("boundary", "curve", "misclassified", "center", "component")
    counts: dict[str, int] = {}
    for mark in marks:
        if mark.label and mark.role not in told and not mark.fills:
            on_samples = len(mark.xy) if isinstance(mark, Points) and mark.rows is not None else 0
            counts[mark.label] = counts.get(mark.label, 0) + on_samples
    if counts:
        words = (f"{label} ({counted(n, 'sample')})" if n else label for label, n in counts.items())
        yield f"Also drawn: {'; '.join(words)}."


def _rest(picture: PanelPicture) -> Iterator[str]:
    if picture.facts:
        yield f"Facts: {'; '.join(f'{name} {fact}' for name, fact in picture.facts.items())}."
    if picture.n_steps > 1:
        stage = f", {picture.stage}" if picture.stage else ""
        yield f"Step {picture.step} of {picture.n_steps - 1}{stage} is shown."
    if picture.sides:
        yield f"Side plots: {', '.join(side.title for side in picture.sides)}."


def _shares(field: Field, doubt: Mask, scene: Scene, index: int) -> str:
    """How much of what is seen belongs to each class, or cluster; where no class is chosen or leads, to none."""
    classes, painted = np.asarray(field.classes), np.asarray(field.strength) > 0
    codes, counts = np.unique(classes[painted & ~doubt], return_counts=True)
    of_classes = roles(scene, scene.panels[index]).task == "classification"
    names = [scene.dataset.class_name(code) if of_classes else f"cluster {code + 1}" for code in codes.tolist()]
    shares = zip(names, (counts / classes.size).tolist(), strict=True)
    told = [f"{typographic(share(part))} {name}" for name, part in shares]
    if not (painted | doubt).all():
        told.append(f"{typographic(share(float(np.mean(~painted & ~doubt))))} without colour")
    return f"Regions: {', '.join(told)} of what is seen."


def _diverging(field: Field) -> Iterator[str]:
    for word, at in zip(("smallest", "largest"), field.extremes or (), strict=False):
        row, column = divmod(at, len(field.x))
        colour = palette.shade_name(int(field.strength[row, column]), field.role)
        yield f"The value is {word}{f', {colour},' if colour else ''} near {_place((field.x[column], field.y[row]))}."


def _pieces(name: str, xy: Array, least: Array) -> Iterator[str]:
    pieces = _split(xy)
    if len(pieces) > _TOLD:
        yield f"The {name} has {len(pieces)} pieces."
        return
    for piece in pieces:
        if (piece[0] == piece[-1]).all() and len(piece) > 2:
            middle, size = _snapped((piece.min(axis=0) + piece.max(axis=0)) / 2, least), np.ptp(piece, axis=0)
            width, height = (format_number(value, 3) for value in size)
            yield f"The {name} goes around {_place(middle)}, {width} wide and {height} high."
        else:
            by = f"from {_place(piece[0])} by {_place(piece[len(piece) // 2])}"
            way = by if len(piece) > 2 else f"straight from {_place(piece[0])}"
            yield f"The {name} goes {way} to {_place(piece[-1])}."


def _course(xy: Array) -> Iterator[str]:
    for piece in _split(xy)[:_TOLD]:
        low, high = piece[np.argmin(piece[:, 1])], piece[np.argmax(piece[:, 1])]
        yield (
            f"The prediction goes from {_place(piece[0])} to {_place(piece[-1])}; "
            f"it is lowest at {_place(low)} and highest at {_place(high)}."
        )


def _points(mark: Points, held_out: Mask | None) -> str:
    at = f", at {', '.join(_place(place) for place in mark.xy)}" if len(mark.xy) <= _TOLD else ""
    of_held_out = held_out is not None and mark.rows is not None and held_out[mark.rows].all()
    whose = " among those held out" if of_held_out else ""
    return f"{with_capital(mark.label)}{whose}: {len(mark.xy)}{at}."


def _split(xy: Array) -> list[Array]:
    """The polylines between rows of NaN."""
    gaps = np.flatnonzero(~np.isfinite(xy).all(axis=1))
    finite = [part[np.isfinite(part).all(axis=1)] for part in np.split(xy, gaps)]
    return [part for part in finite if len(part)]


def _place(values: Iterable[float]) -> str:
    return f"({', '.join(format_number(value, 3) for value in map(float, values))})"
