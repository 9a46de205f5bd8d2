"""(Scene, models) -> pictures: which overlays and charts, in paint order, with caption, facts and explanation."""

from mlviz.picture.context import leading_parts
from mlviz.picture.panel import PanelPicture, empty_picture, panel_picture, unstandardized_fit
from mlviz.picture.render import draw
from mlviz.picture.viewport import FINEST, Ground, Shades, Size, ground_of, shades_of

__all__ = [
    "FINEST",
    "Ground",
    "PanelPicture",
    "Shades",
    "Size",
    "draw",
    "empty_picture",
    "ground_of",
    "leading_parts",
    "panel_picture",
    "shades_of",
    "unstandardized_fit",
]
