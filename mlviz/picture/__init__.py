"""(Scene, models) -> pictures: which overlays and charts, in paint order, with caption, facts and explanation."""

from mlviz.picture.context import leading_parts
from mlviz.picture.hidden import hidden_picture
from mlviz.picture.panel import Drawing, PanelPicture, empty_picture, failed_picture
from mlviz.picture.render import draw
from mlviz.picture.viewport import FINEST_NODES, Size, Viewport, sample_field, viewport_of
from mlviz.pipeline.field_sample import FieldSample

__all__ = [
    "FINEST_NODES",
    "Drawing",
    "FieldSample",
    "PanelPicture",
    "Size",
    "Viewport",
    "draw",
    "empty_picture",
    "failed_picture",
    "hidden_picture",
    "leading_parts",
    "sample_field",
    "viewport_of",
]
