"""The process that fits and makes pictures. Never imports Qt."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.state.scene import Scene

Size = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Request:
    """Show me this scene: `sizes` are the plot areas in logical pixels, one a panel; `draft` while a gesture is on."""

    id: int
    scene: Scene
    sizes: tuple[Size, ...]
    draft: bool = False
