"""All criteria in one picture: each as its own study has it, and a click adopts a number of clusters."""

import numpy as np
import pytest

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.draw.marks import Points, Segments
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry
from mlviz.studies.clusters.cluster_criteria import PARTS

X = generators()["blobs"](n_samples=45).generate(1).X
SIX = {"elbow", "silhouette", "information-criteria", "eigengap", "gap", "cluster-stability"}


def asked(method, **settings):
    pipeline = Pipeline(methods()[method](**settings))
    study = registry()["cluster-criteria"](most=4, repeats=2)
    return pipeline, study, list(study.run(pipeline, X, seed=5))


@pytest.mark.parametrize("method", ["kmeans", "gmm", "hierarchical"])
def test_each_choice_is_that_of_its_own_study(method):
    pipeline, _study, results = asked(method)
    result = results[-1]
    assert {kind.id for kind in PARTS} == SIX
    wanted, curves = {}, {}
    for kind in PARTS:
        alone = kind(most=4, **{name: 2 for name in ("references", "repeats") if hasattr(kind, name)})
        if alone.applies(pipeline):
            *_, answer = alone.run(pipeline, X, seed=5)
            wanted |= dict.fromkeys(answer.curves())
            wanted |= {choice.rule: answer.axis.values[choice.place] for choice in answer.choices()}
            curves |= {rule: (answer.axis.places, heights) for rule, heights in answer.curves().items()}
    table = dict(zip(*[result.table().columns[k] for k in (0, 1)], strict=True))
    assert table == wanted and len(table) == (8 if method == "gmm" else 6)
    for rule, k in wanted.items():
        assert str(result.facts()[rule].value).startswith("no k" if k is None else f"k = {k}")
    (plot,) = result.plots()
    (lines,) = [mark for mark in plot.marks if isinstance(mark, Segments) and mark.role == "curve"]
    (chosen,) = [mark for mark in plot.marks if isinstance(mark, Points) and mark.role == "now"]
    assert sorted(chosen.xy[:, 0]) == sorted(k for k in wanted.values() if k is not None)
    for row, (rule, (places, heights)) in enumerate(curves.items()):
        strip = len(curves) - 1 - row
        mine = (lines.start[:, 1] > strip) & (lines.start[:, 1] < strip + 1)
        drawn = np.vstack((lines.start[mine], lines.end[mine][-1:]))
        np.testing.assert_array_equal(drawn[:, 0], places[np.isfinite(heights)])
        # The same curve but for its scale.
        known = heights[np.isfinite(heights)]
        assert np.corrcoef(drawn[:, 1], known)[0, 1] == pytest.approx(1.0)
        at = chosen.xy[(chosen.xy[:, 1] > strip) & (chosen.xy[:, 1] < strip + 1)]
        assert at[:, 0].tolist() == ([] if wanted[rule] is None else [wanted[rule]])


def test_a_click_adopts_a_number_and_the_curves_stay_while_it_moves():
    pipeline, study, results = asked("kmeans", n_clusters=2)
    result = results[-1]
    (plot,) = result.plots()
    assert [dict(area.settings) for area in plot.areas] == [
        {"algorithm.n_clusters": k, "algorithm.n_init": 10} for k in (1, 2, 3, 4)
    ]
    assert plot.areas[2].limits[:2] == (2.5, 3.5) and "silhouette" in plot.areas[2].label
    assert [handle.path for handle in plot.handles] == ["algorithm.n_clusters"]
    others = [dict(offer.settings)["algorithm.n_clusters"] for offer in result.offers()]
    assert len(set(others)) == len(others) and set(others) == {k for k in result.table().columns[1] if k is not None}
    counts = [int(offer.label.split(": ")[1].split()[0]) for offer in result.offers()]
    assert all(", 10 restarts:" in offer.label for offer in result.offers()), "what else an offer sets is told"
    assert counts == sorted(counts, reverse=True) and sum(counts) == sum(
        k is not None for k in result.table().columns[1]
    )
    changed = pipeline.replace(algorithm=pipeline.algorithm.replace(n_clusters=4))
    assert study.rests_on(changed) == study.rests_on(pipeline)
    (moved,) = result.of_panel(changed).plots()
    assert (
        moved.handles[0].values[moved.handles[0].at] == 4 and moved.marks[-1].xy.tolist() == plot.marks[-1].xy.tolist()
    )


def test_a_present_number_that_was_not_tried_is_in_sight():
    (plot,) = asked("kmeans", n_clusters=9)[2][-1].plots()
    (handle,) = plot.handles
    assert handle.points[handle.at, 0] == 9 and plot.limits[0] < 9 < plot.limits[1]


def test_work_is_told_as_it_grows_and_is_complete_only_at_the_end():
    _, _, results = asked("kmeans")
    done = [result.done for result in results]
    assert done == sorted(done) and [result.complete for result in results].count(True) == 1 and results[-1].complete


def test_it_is_asked_of_methods_that_are_told_how_many_clusters_there_are():
    study = registry()["cluster-criteria"]()
    for name, kind in methods().items():
        assert study.applies(Pipeline(kind())) == registry()["silhouette"]().applies(Pipeline(kind())), name


def test_each_study_that_does_not_tell_of_all_samples_says_so(monkeypatch):
    monkeypatch.setattr("mlviz.studies.clusters.base.STARTS", 2)
    pipeline, study = Pipeline(methods()["kmeans"]()), registry()["cluster-criteria"](most=3, repeats=2)
    places = generators()["blobs"](n_samples=1600).generate(1).X
    *_, result = study.run(pipeline, places)
    wanted = {}
    for kind in PARTS:
        alone = kind(most=3, **{name: 2 for name in ("references", "repeats") if hasattr(kind, name)})
        if alone.applies(pipeline):
            *_, answer = alone.run(pipeline, places)
            wanted |= {kind.label: answer.told} if answer.told else {}
    assert len(set(wanted.values())) > 1
    assert result.facts()["samples"].value == "; ".join(f"{name}: {told}" for name, told in wanted.items())


def test_fits_that_a_rule_leaves_out_are_marked_and_told_as_in_its_own_study(monkeypatch):
    """Without that a curve is seen to fall below what is chosen."""
    monkeypatch.setattr("mlviz.studies.clusters.base.STARTS", 5)
    places = generators()["blobs"](n_samples=30).generate(4).X
    pipeline = Pipeline(methods()["gmm"]())
    *_, result = registry()["cluster-criteria"](most=5, repeats=2).run(pipeline, places, seed=5)
    *_, alone = registry()["information-criteria"](most=5).run(pipeline, places, seed=5)
    unsound = [k for k, caveat in zip(alone.axis.values, alone.caveats, strict=True) if caveat]
    assert unsound and result.facts()["unreliable at k"] == alone.facts()["unreliable at k"]
    (plot,) = result.plots()
    (warned,) = [mark for mark in plot.marks if isinstance(mark, Points) and mark.role == "warning"]
    assert warned.label == "unreliable" and sorted(warned.xy[:, 0]) == sorted(2 * unsound)
    found = {criterion.name: criterion for _, criterion in result.strips}
    for criterion in (found["BIC"], found["AIC"]):
        chosen = criterion.heights[criterion.choice.place]
        assert chosen == np.delete(criterion.heights, criterion.left_out).min()
    assert chosen > found["AIC"].heights.min()


def test_numbers_that_are_as_good_are_told_of_in_their_column_too():
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [50.0, 0.0], [50.0, 1.0]])
    X = np.concatenate([corner + 1e-3 * np.random.default_rng(0).normal(size=(12, 2)) for corner in corners])
    *_, result = registry()["cluster-criteria"](most=5, repeats=4).run(Pipeline(methods()["hierarchical"]()), X)
    stable = next(criterion.choice for _, criterion in result.strips if criterion.name == "stability")
    chosen, *equal = (stable.place + 2, *(place + 2 for place in stable.equals))
    assert chosen == 2 and 4 in equal
    told = {area.settings[0][1]: area.label for area in result.plots()[0].areas}
    assert "stability" in told[2].split(";")[0] and told[5] == "k = 5"
    assert all("as good by stability" in told[k] for k in equal)
