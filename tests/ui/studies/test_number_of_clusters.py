"""The number of clusters is moved in the plot and adopted by a click, and the silhouettes follow without new fits."""

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.study_run import asked_studies
from mlviz.studies import registry


def test_the_number_that_is_chosen_is_adopted_and_the_samples_light_up(make_window):
    data = generators()["blobs"](n_samples=60).generate(1)
    scene = Scene(data, (Panel(Pipeline(methods()["kmeans"](n_clusters=5))),))
    window = make_window(with_study(scene, 0, registry()["silhouette"](most=6)))
    window.appearance.sides_wanted = True
    window.show_parts()
    store = window.store
    (before,) = asked_studies(store.scene, 0)

    def answer():
        (picture,) = draw(store.scene, [(200, 200)])
        window._show_picture(picture)
        window._show_numbers()

    answer()
    assert {"silhouette", "silhouette samples"} <= set(window.sides.plots)
    (handle,) = window.sides.plots["silhouette"].plot.handles
    assert (handle.path, handle.values[handle.at]) == ("algorithm.n_clusters", 5)
    (button,) = window.studies._bars["silhouette"]._offers
    button.click()
    chosen = store.scene.panels[0].pipeline.algorithm
    assert button.text() == "Largest silhouette: k = 3, 10 restarts" and (chosen.n_clusters, chosen.n_init) == (3, 10)
    assert asked_studies(store.scene, 0)[0].key == before.key
    answer()
    labels = Pipeline(methods()["kmeans"](n_init=10)).fit(data.X).inner.labels
    areas = window.sides.plots["silhouette samples"].plot.areas
    window.sides.picked.emit(areas[0])
    lit = window.hand.selection(store.scene.dataset).tolist()
    assert sorted(lit) == [i for i, label in enumerate(labels) if label == 0]
    store.undo()
    assert store.scene.panels[0].pipeline.algorithm.n_clusters == 5
