"""Error bars are seen: dark, thick, and over the curve that they belong to."""

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.draw import palette
from mlviz.draw.marks import Lines, Segments
from mlviz.pipeline.pipeline import Pipeline
from tests.draw.test_palette import contrast
from tests.studies.test_every_method import STUDIES, samples, small

METHODS = {"clustering": "kmeans", "classification": "logistic"}
BARS = {"clustering": {"gap", "cluster-stability"}, "classification": {"learning-curve", "validation-curve"}}


@pytest.mark.parametrize("task", METHODS)
def test_error_bars_stand_out(task):
    X, y, source = samples(task)
    pipeline, found = Pipeline(registry()[METHODS[task]]()), set()
    for kind in STUDIES:
        try:
            *_, last = small(kind).run(pipeline, X, y, source=source, rival=pipeline, target="y")
        except CannotFit:
            continue
        for plot in last.plots():
            for place, mark in enumerate(plot.marks):
                if not (isinstance(mark, Segments) and "±" in mark.label):
                    continue
                found.add(kind.id)
                middles = (mark.start + mark.end) / 2
                # The curve through their middles is painted before them.
                below = [other for other in plot.marks[:place] if isinstance(other, Lines)]
                assert any(np.isin(middles[:, 0], other.xy[:, 0]).all() for other in below), kind.id
                for theme in palette.THEMES:
                    ink = palette.ink(mark.role, theme)
                    assert contrast(ink.line, palette.theme_colors(theme).canvas) > 7, (kind.id, theme)
                    assert ink.width >= 1.8 and ink.halo is not None
    assert found == BARS[task]
