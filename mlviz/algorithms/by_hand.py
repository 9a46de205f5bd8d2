"""What the hand may set of a method on the canvas: the centres that it starts from, or a direction."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from mlviz.numerics.arrays import Array


@runtime_checkable
class StartsByHand(Protocol):
    """A method whose centres may start where the hand has put them."""

    @property
    def started_by_hand(self) -> bool:
        """Whether they do."""

    def start_places(self, X: Array) -> Array:
        """Where they start among samples X (n, d): (k, d)."""

    def started_at(self, places: Array) -> Any:
        """The method itself, with centres that start at so many places (k, d)."""


@runtime_checkable
class TurnsByHand(Protocol):
    """A method of two inputs with a direction that the hand may turn."""

    @property
    def turned_by_hand(self) -> bool:
        """Whether there is such a direction."""

    def turning_ends(self, X: Array) -> Array:
        """Where the line of the direction is taken hold of among samples X (n, 2): (2, 2), on both sides of the mean.

        Raises `CannotFit`.
        """

    def turned_to(self, X: Array, place: Array) -> Any:
        """The method itself with the direction from the mean of samples X (n, 2) to a place (2,)."""
