"""Studies: questions that can be asked of any pipeline, one file each. Finding a file here is installing it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from mlviz.spec import installed
from mlviz.studies.base import GROUPS, Study
from mlviz.studies.question import Offer, Question, Result, Samples, Table

__all__ = ["GROUPS", "Offer", "Question", "Result", "Samples", "Study", "Table", "layer_studies", "registry"]

_LAYERS = "layers"
"""The family of those that are asked by switching an overlay on: every picture has to know them."""


@cache
def layer_studies() -> tuple[Study, ...]:
    """The studies that are asked by their overlays, in alphabetical order of the ids."""
    return _family(_LAYERS)


@cache
def registry() -> dict[str, type[Study]]:
    """Id -> class of every study, in alphabetical order; the window that asks none does not import them."""
    here = Path(__file__).parent
    families = sorted(path.parent.name for path in here.glob("*/__init__.py"))
    found = [type(study) for family in families for study in _family(family)]
    return {study.id: study for study in sorted(found, key=lambda study: study.id)}


def _family(name: str) -> tuple[Study, ...]:
    module = import_module(f"{__name__}.{name}")
    return tuple(installed(Study, module.__name__, module.__path__))
