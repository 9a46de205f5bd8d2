"""(Scene, models) -> pictures: which overlays and charts, in paint order, with caption, facts and explanation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mlviz.draw.context import Explanation
from mlviz.draw.plot import Plot


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """Everything one panel shows, but the samples themselves."""

    request: int
    """Id of the request it answers."""
    panel: int
    """Index of the panel in the scene."""
    plot: Plot
    """The marks on the data, in paint order, in the user's axes; `limits` is the visible part it was made for."""
    sides: tuple[Plot, ...] = ()
    """The charts."""
    caption: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    message: str | None = None
    """Why there is no model, in one sentence."""
    explanation: Explanation | None = None
    """Why the model says what it says at the probe, in the user's axes."""
    step: int = 0
    n_steps: int = 1
    """How many steps there are so far; the last is n_steps - 1."""
    stage: str = ""
    """What the step does ("assignment")."""
    finished: bool = True
    """False while the fit is still going on."""
    draft: bool = False
    """Made while a gesture is under way: coarse, from a follower."""
    fit_ms: float = 0.0
    """How long the fit took, milliseconds."""
