"""A start of centres that the hand has placed: a hyperparameter, as a text such as "-1, 2; 0.5, 0"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol, Self, cast

import numpy as np

from mlviz.algorithms.base import Algorithm
from mlviz.algorithms.checking import CannotFit
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.lloyd import SortedSamples, assign
from mlviz.numerics.number_lists import numbers_of
from mlviz.spec import BadValue, text
from mlviz.spec.outside import quoted

BY_HAND = "by hand"
MOST_CENTERS = 50
"""So many can be placed."""


def places_of(written: str) -> Array:
    """The places (k, d) that a text names; raises `BadValue`. Without any they are (0, 0)."""
    try:
        places = [place for row in written.split(";") if (place := numbers_of(row))]
    except BadValue:
        raise _refusal(written) from None
    if len(set(map(len, places))) > 1:
        raise _refusal(written)
    if len(places) > MOST_CENTERS:
        raise BadValue(f"centers has at most {MOST_CENTERS} places, not {len(places)}")
    return np.array(places, dtype=np.float64).reshape(len(places), -1 if places else 0)


def _refusal(written: str) -> BadValue:
    return BadValue(f"centers is a place for each centre, such as -1, 2; 0.5, 0, and not {quoted(written)}")


def written_of(places: Array) -> str:
    """The text that names places (k, d), with so many digits that they stay where they are."""
    return "; ".join(", ".join(repr(float(f"{x + 0.0:.11e}")) for x in place) for place in places.tolist())


def restarts_made(made: int, wanted: int) -> str:
    """That restarts were left out, for the caption."""
    return f"{made:,} of {wanted:,} restarts were made: more would take too long"


def start_text() -> Any:
    """Declare the text, which matters for a start by hand."""
    return text(
        "",
        grammar=places_of,
        numbers=lambda written: (),
        label="centres",
        help="where the centres start, in the inputs as the method gets them: drag them on the canvas",
        when=("init", (BY_HAND,)),
    )


class _Settings(Protocol):
    init: str
    centers: str
    main: str

    def replace(self, **changes: Any) -> Any: ...


class StartedByHand:
    """What methods share whose centres may start where the hand has put them: `init` says whether, `centers` where."""

    @property
    def started_by_hand(self) -> bool:
        """Whether they do."""
        return cast(_Settings, self).init == BY_HAND

    @property
    def given(self) -> str | None:
        """The text that names the places; None where the start is another one."""
        return cast(_Settings, self).centers if self.started_by_hand else None

    def caption(self, classes: int = 2, first: Collection[str] = ()) -> str:
        """As of every method, with those places alone that are used."""
        settings = cast(_Settings, self)
        rows = [row for row in settings.centers.split(";") if row.strip()]
        used = settings.replace(centers=";".join(rows[: getattr(self, settings.main)]))
        return Algorithm.caption(used, classes, first)

    def start_in(self, samples: SortedSamples, k: int) -> Array:
        """The k places (k, d) at which centres start, further ones at the sample farthest from those before.

        Raises `CannotFit` where places have not as many coordinates as the samples.
        """
        places = places_of(cast(_Settings, self).centers)
        d = len(samples.columns)
        if len(places) and places.shape[1] != d:
            told = f"The start by hand has {places.shape[1]} coordinates per centre"
            raise CannotFit(f"{told}, and there are {d} inputs: place it anew.")
        return filled_up(samples, places[:k].reshape(-1, d), k)

    def start_places(self, X: Array) -> Array:
        """The same among samples X (n, d), as many as there are to be."""
        samples = SortedSamples.of(X, np.ones(len(X)))
        k = getattr(self, cast(_Settings, self).main)
        return self.start_in(samples, min(k, samples.different))

    def started_at(self, places: Array) -> Self:
        """The method started at so many places (k, d)."""
        settings = cast(_Settings, self)
        changes: dict[str, Any] = {"centers": written_of(places), "init": BY_HAND, settings.main: len(places)}
        return cast(Self, settings.replace(**changes))


def filled_up(samples: SortedSamples, places: Array, k: int) -> Array:
    """The places (m, d) and further ones, k in all: the sample nearest to the mean first, then the farthest one."""
    weights = samples.weights
    if not len(places):
        mean = samples.weighted.sum(axis=1) / weights.sum()
        gaps = np.where(weights > 0, samples.gaps(mean), np.inf)
        places = samples.columns[:, np.argmin(gaps)][None]
    gaps = assign(samples, places)[1]
    while len(places) < k:
        place = samples.columns[:, np.argmax(np.where(weights > 0, gaps, -1.0))]
        places = np.vstack((places, place))
        gaps = np.minimum(gaps, samples.gaps(place))
    return places
