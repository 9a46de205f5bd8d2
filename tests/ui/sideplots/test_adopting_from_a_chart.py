"""What is clicked in a method's own chart is adopted: the likeliest hyperparameters of a Gaussian process."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.draw.plot import full_limits
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.paint.axes import AxesFrame
from mlviz.ui.sideplots.reading import value_at


def test_the_likeliest_hyperparameters_are_a_click_away_and_taken_back_by_one_undo(make_window):
    data = generators()["sine"](n_samples=30).generate(1)
    panel = Panel(Pipeline(registry()["gp"](sigma=0.2)), inputs=("x1",), target="x2")
    window = make_window(Scene(data, (panel,)))
    window.appearance.sides_wanted = True
    window.show_parts()
    store = window.store

    def likelihood():
        (picture,) = draw(store.scene, [(200, 200)])
        window._show_picture(picture)
        window._show_numbers()
        return picture.facts["log marginal likelihood"].value

    heights = [likelihood()]
    two, three = window.sides.plots["likelihood"].plot.areas[-2:]
    for area, names in ((two, ("sigma", "noise_variance")), (three, ("sigma", "noise_variance", "signal_variance"))):
        window.sides.picked.emit(area)
        adopted = store.scene.panels[0].pipeline.algorithm
        assert dict(area.settings) == {f"algorithm.{name}": getattr(adopted, name) for name in names}
        heights.append(likelihood())
        assert area.label in store.undo_what
        store.undo()
        assert store.scene.panels[0].pipeline.algorithm == panel.pipeline.algorithm
    assert heights == sorted(heights)


def test_what_a_click_adopts_is_said_in_full_before_it_is_clicked():
    data = generators()["sine"](n_samples=30).generate(1)
    scene = Scene(data, (Panel(Pipeline(registry()["gp"]()), inputs=("x1",), target="x2"),))
    (picture,) = draw(scene, [(200, 200)])
    (plot,) = [plot for plot in picture.sides if plot.id == "likelihood"]
    frame = AxesFrame(full_limits(plot), QRectF(0, 0, 600, 400), (plot.x_scale, plot.y_scale))
    # The maxima have points of two numbers at them, and what is set there is up to three.
    for area in (*plot.areas[:3], *plot.areas[-2:]):
        x0, x1, y0, y1 = area.limits
        (pixel,) = frame.to_pixels(np.array([[np.sqrt(x0 * x1), np.sqrt(y0 * y1)]]))
        _, words = value_at(plot, frame, QPointF(*pixel.tolist()))
        assert words == f"{area.label}; click to adopt"
    assert "signal variance" in words
