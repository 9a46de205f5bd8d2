"""What is drawn of an embedding: the samples at their places in it, distances there against the given ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mlviz.algorithms.components.embedded import EmbeddingModel
from mlviz.draw.inks import CANVAS, TEXT, RoleInk, Scale, Tone
from mlviz.draw.layer import Context, chart, overlay
from mlviz.draw.marks import Lines, Mark, Points
from mlviz.draw.numbers import drawn_part
from mlviz.draw.plot import Area, Limits, Plot
from mlviz.numerics.arrays import Array, Rows
from mlviz.spec.names_of_people import capitalised

INKS = {
    "pair": RoleInk(Tone("second", opacity=0.5), Tone("second", opacity=0.5), width=0.5, size=3.5),
    "coordinate": RoleInk(
        fill=CANVAS, width=0.8, size=5.5, halo=TEXT, scale=Scale(Tone("unlike"), TEXT, strongest=0.9)
    ),
}
_REACH = 0.012
"""So near must the hand come to a sample in the embedding, as a share of the axes."""


@overlay("coordinate", "first coordinate", "a shade in each sample: its first coordinate in the embedding")
def coordinate(model: EmbeddingModel, context: Context) -> Sequence[Mark]:
    values = model.embedding[:, 0]
    low, high = float(values.min()), float(values.max())
    shade = (values - low) / (high - low) if high > low else np.full(len(values), 0.5)
    strength = np.rint(1 + 254 * shade).astype(np.uint8)
    rows = model.embedded_rows
    return context.symbols("coordinate", rows, "first coordinate", strength=strength[model.samples.node[rows]])


@chart("embedding", "embedding")
def embedding_chart(model: EmbeddingModel, context: Context) -> Plot | None:
    """The samples at their places, in the colours of their classes; of a single dimension, over the first input."""
    rows = model.embedded_rows
    node = model.samples.node[rows]
    places = _on_chart(model, model.embedding, model.samples.places)
    marks = [*_probed(model, context, places), *_samples(context, rows, places[node])]
    plane = model.embedding.shape[1] > 1
    n, m = len(context.X), len(rows)
    title = f"Embedding of {drawn_part(m, n)}" if m < n else "Embedding"
    x_label, y_label = (_of_embedding(f"coordinate {j}", model, context) for j in (1, 2))
    y_label = y_label if plane else context.axis_label(0)
    limits = _limits(places, square=plane)
    areas = tuple(_areas(model, context, rows, places, limits))
    return Plot("embedding", title, x_label, y_label, tuple(marks), limits, equal=plane, areas=areas)


def _of_embedding(words: str, model: EmbeddingModel, context: Context) -> str:
    """What an axis in the embedding is called, which has the units of the inputs where their distances are kept."""
    return context.measured(words) if model.measures_distances else words


def _on_chart(model: EmbeddingModel, embedding: Array, inputs: Array) -> Array:
    """Places (m, 2) in the chart of those in an embedding (m, k), whose inputs are (m, d)."""
    return embedding if embedding.shape[1] > 1 else np.column_stack((embedding[:, 0], inputs[:, 0]))


def _limits(places: Array, square: bool) -> Limits:
    """Limits around the places, with some room; as wide as they are high where both coordinates are alike."""
    low, high = places.min(axis=0), places.max(axis=0)
    middle, half = low / 2 + high / 2, (high - low) / 2
    half = np.full(2, half.max()) if square else half
    half = np.where(half > 0, 1.15 * half, np.maximum(1e-3 * np.abs(middle), 1e-3))
    (x0, y0), (x1, y1) = (middle - half).tolist(), (middle + half).tolist()
    return x0, x1, y0, y1


def _samples(context: Context, rows: Rows, places: Array) -> Iterator[Mark]:
    codes = np.zeros(len(rows), dtype=np.intp) if context.labels is None else context.labels[rows]
    for code in np.unique(codes).tolist():
        mine = codes == code
        yield Points(f"dot {code}", places[mine], rows=context.rows[rows[mine]], label=context.names.of_class(code))


def _probed(model: EmbeddingModel, context: Context, places: Array) -> Iterator[Mark]:
    """The place pointed at, and the samples that are nearest to it among the inputs."""
    if context.probe is None:
        return
    row, there = model.at(context.probe)
    if row is not None and model.samples.near is not None:
        near = model.samples.near[row]
        yield Points("neighbour", places[near], label=f"its {len(near)} nearest samples")
    shown = _on_chart(model, there[None], context.probe[None])
    yield Points("now", shown, label="the place pointed at" if row is None else "the sample pointed at")


def _areas(model: EmbeddingModel, context: Context, rows: Rows, places: Array, limits: Limits) -> Iterator[Area]:
    """Each of the samples, to be picked."""
    x0, x1, y0, y1 = limits
    reach_x, reach_y = _REACH * (x1 - x0), _REACH * (y1 - y0)
    order = np.argsort(model.samples.node[rows], kind="stable")
    node = model.samples.node[rows][order]
    first = np.searchsorted(node, np.arange(len(places) + 1))
    for k, (x, y) in enumerate(places.tolist()):
        mine = rows[order[first[k] : first[k + 1]]]
        if len(mine):
            name = f"sample {context.rows[mine[0]] + 1}" if len(mine) == 1 else f"{len(mine)} samples"
            yield Area((x - reach_x, x + reach_x, y - reach_y, y + reach_y), name, context.rows[mine])


@chart("shepard", "Shepard diagram")
def shepard_chart(model: EmbeddingModel, context: Context) -> Plot | None:
    """How far samples are apart in the embedding over how far they are apart among the inputs (Shepard 1962)."""
    if model.samples.distances is None:
        return None
    (i, j), m = model.samples.some_pairs, len(model.embedding)
    given = model.samples.distances[i, j] * model.samples.unit
    placed_apart = np.sqrt(((model.embedding[i] - model.embedding[j]) ** 2).sum(axis=1))
    of = m * (m - 1) // 2
    some = f"{len(given):,} of {of:,} pairs" if len(given) < of else "pairs of samples"
    marks: list[Mark] = [Points("pair", np.column_stack((given, placed_apart)), label=some)]
    high, top = float(placed_apart.max()), float(given.max())
    if model.measures_distances:
        marks.insert(0, Lines("reference", np.array([(0.0, 0.0), (top, top)]), label="equal"))
        high = max(high, top)
    label = context.measured(f"{capitalised(model.samples.metric)} distance")
    placed = _of_embedding("distance in the embedding", model, context)
    limits = (0.0, 1.05 * top, 0.0, 1.05 * (high or 1.0))
    return Plot("shepard", "Shepard diagram", label, placed, tuple(marks), limits)
