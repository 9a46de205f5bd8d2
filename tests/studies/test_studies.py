"""Studies are asked of any pipeline; the engine answers them after the pipeline's own fit, and knows none by name."""

import dataclasses
import inspect
import re
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import mlviz
from mlviz.algorithms import CannotFit, registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.draw.layer import Overlay
from mlviz.draw.marks import Lines
from mlviz.picture import draw
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import scene as scene_module
from mlviz.scene.edits import with_layer
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene, View
from mlviz.scene.study_run import asked_studies
from mlviz.spec import BadValue, integer
from mlviz.studies import Result, Study, Table, layer_studies
from mlviz.studies import registry as all_studies
from mlviz.testing.pictures import check_plot
from mlviz.worker.engine import Engine
from mlviz.worker.jobs import Request

RNG = np.random.default_rng(3)
LABELS = np.arange(60) % 2
DATA = Dataset(RNG.normal(size=(60, 2)) * (1, 40) + LABELS[:, None] * (1, 30), LABELS)
VIEW = View(limits=(-3, 4, -120, 150), equal=False)


def scene_with(preprocessing, hidden=(), method="logistic", **values):
    panel = Panel(Pipeline(registry()[method](**values), preprocessing), hidden=hidden)
    return Scene(DATA, (panel,), view=VIEW)


def named(picture, label):
    return next((mark for mark in picture.plot.marks if mark.label == label), None)


def pictures(engine, request):
    engine.submit(request)
    found = []
    while engine.busy:
        found += engine.advance(0.0)
        time.sleep(engine.seconds_until_work() or 0)
    return found


@pytest.mark.parametrize("study", all_studies().values(), ids=lambda study: study.id)
def test_a_study_says_what_it_is(study):
    assert study.label and study.help and (study.overlays or not study.by_layer)
    assert inspect.getmodule(study).__name__.rpartition(".")[2] == study.id.replace("-", "_")
    assert list(inspect.signature(study.steps).parameters) == ["self", "question"]


def test_neither_engine_nor_picture_knows_a_study_by_name():
    root = Path(mlviz.__file__).parent
    names = {name for study in all_studies().values() for name in (study.id, study.__name__)}
    for room in ("worker", "picture"):
        for file in (root / room).glob("*.py"):
            text = file.read_text(encoding="utf-8")
            # As whole words: "roc" is in "process".
            assert not any(re.search(rf"\b{re.escape(name)}\b", text) for name in names), file
            assert "standardiz" not in text, file


@pytest.mark.parametrize(
    ("preprocessing", "study", "label"),
    [("standardize", "unstandardized", "without standardization"), ("whiten", "unwhitened", "without whitening")],
)
def test_the_plain_fit_is_that_of_the_inputs_as_they_are(preprocessing, study, label):
    scene = scene_with(preprocessing, lambda_=1.0)
    (picture,) = draw(scene, [(300, 300)], 60)
    xy = named(picture, label).xy
    xy = xy[np.isfinite(xy).all(axis=1)]
    plain = Pipeline(scene.panels[0].pipeline.algorithm).fit(DATA.X, DATA.labels)
    assert len(xy) > 1 and picture.message is None
    assert_allclose(plain.decision_function(xy), 0, atol=2e-2)
    assert named(draw(with_layer(scene, 0, study, shown=False), [(300, 300)], 60)[0], label) is None
    for other in {"none", "standardize", "whiten"} - {preprocessing}:
        assert named(draw(scene_with(other, lambda_=1.0), [(300, 300)], 60)[0], label) is None


def test_a_study_is_off_until_it_is_asked():
    scene = scene_with("standardize", hidden=None)
    assert [study.id for study in scene.panels[0].possible_studies] == ["unstandardized"]
    assert asked_studies(scene, 0) == ()
    (fit,) = asked_studies(with_layer(scene, 0, "unstandardized", shown=True), 0)
    assert fit.study is scene.panels[0].possible_studies[0] and fit.key[-1] == fit.study
    assert asked_studies(scene_with("none"), 0) == ()


def test_a_file_of_former_times_opens_with_the_layer_on_or_off():
    former = {
        "format": 1,
        "points": DATA.X.tolist(),
        "labels": DATA.labels.tolist(),
        "panels": [
            {"algorithm": "svm", "preprocessing": "standardize", "hidden": ["unstandardized", "misclassified"]},
            {"algorithm": "svm", "preprocessing": "standardize", "hidden": []},
            {"algorithm": "kmeans", "preprocessing": "none", "hidden": ["unstandardized"]},
        ],
    }
    scene = scene_file.from_json(former)
    assert scene.panels[0].hides("unstandardized") and not scene.panels[1].hides("unstandardized")
    assert [len(asked_studies(scene, index)) for index in range(3)] == [0, 1, 0]
    written = scene_file.to_json(scene)["panels"]
    assert [panel["preprocessing"] for panel in written] == ["standardize", "standardize", "none"]
    assert written[0]["hidden"] == ["unstandardized", "misclassified"]


@dataclasses.dataclass(frozen=True)
class Halves(Study):
    """The same method on every other sample, in two steps; the second one may be refused."""

    id = "halves"
    label = "every other sample"
    help = "what half the samples say"
    overlays = (Overlay("halves", "halves", lambda model, context: [Lines("boundary", context.X[:2], label="half")]),)
    by_layer = True
    refuses = False
    part: int = integer(2, soft=(2, 9), valid=(1, None), help="which share of the samples is taken")

    def lack(self, pipeline):
        return "" if pipeline.algorithm.id == "knn" else "needs neighbours; there are none"

    def steps(self, question):
        pipeline, X, y, seed = question.pipeline, question.X, question.y, question.seed
        yield Result(question, model=pipeline.fit(X[::4], y[::4], seed))
        if self.refuses:
            raise CannotFit("Half is not enough.")
        yield Result(question, model=pipeline.fit(X[:: self.part], y[:: self.part], seed))


@pytest.fixture
def halves(monkeypatch):
    def install(study):
        monkeypatch.setattr(scene_module, "layer_studies", lambda: (*layer_studies(), study))
        return scene_with("whiten", method="knn")

    return install


def test_another_study_needs_no_line_in_the_engine(halves):
    scene = halves(Halves())
    first, _, *others = pictures(Engine(), Request(1, scene, ((80, 80),)))
    assert named(first, "half") is None and first.sides is None
    last = others[-1]
    assert_allclose(named(last, "half").xy, DATA.X[:4:2], rtol=1e-9)
    assert named(last, "without whitening") is not None
    (exact,) = draw(scene, [(200, 200)], 60)
    assert [mark.label for mark in exact.plot.marks] == [mark.label for mark in last.plot.marks]


def test_a_study_that_can_not_be_answered_leaves_the_picture(halves):
    class Refusing(Halves):
        refuses = True

    scene = halves(Refusing())
    engine = Engine()
    last = pictures(engine, Request(1, scene, ((80, 80),)))[-1]
    assert last.message is None and named(last, "half") is None and not engine.busy
    assert named(draw(scene, [(200, 200)], 60)[0], "half") is None


def test_while_the_hand_moves_no_study_is_at_work(halves):
    asked = []

    class Counting(Halves):
        def steps(self, *given):
            asked.append(given)
            return super().steps(*given)

    scene, engine = halves(Counting()), Engine()
    for number in range(1, 4):
        pictures(engine, Request(number, scene.replace(seed=number), ((80, 80),), draft=True))
    assert asked == [] and not any(job.studies for job in engine._jobs)
    pictures(engine, Request(4, scene, ((80, 80),)))
    assert len(asked) == 1


def test_a_study_that_takes_long_goes_on_while_the_probe_moves(halves):
    begun = []

    class Slow(Halves):
        def steps(self, *given):
            begun.append(given)
            for _ in range(12):
                time.sleep(0.009)  # longer than one piece of work
                yield from super().steps(*given)

    scene, engine = halves(Slow()), Engine()
    for number in range(1, 15):
        for draft in (True, False):
            probed = scene.with_view(probe=(number / 10, draft))
            engine.submit(Request(2 * number - draft, probed, ((80, 80),), draft=draft))
            while not engine.answered:
                engine.advance(0.0)
        for _ in range(4):
            time.sleep(engine.seconds_until_work() or 0)
            engine.advance(0.0)
    assert len(begun) == 1 and all(job.unfinished is None for job in engine._jobs)


def test_a_moved_probe_computes_no_field_of_a_study(halves, monkeypatch):
    sampled = []
    whole = PipelineModel.on_grid
    monkeypatch.setattr(PipelineModel, "on_grid", lambda model, *given: sampled.append(model) or whole(model, *given))
    scene, engine = halves(Halves()), Engine()
    pictures(engine, Request(1, scene, ((80, 80),)))
    assert len({id(model) for model in sampled}) == 3
    sampled.clear()
    last = pictures(engine, Request(2, scene.with_view(probe=(0, 0)), ((80, 80),)))[-1]
    assert named(last, "without whitening") is not None and sampled == []


def test_a_study_that_was_given_up_is_not_tried_and_the_watch_tells_it_from_the_panel_s_own_fit(halves):
    scene, seen = halves(Halves()), []
    engine = Engine(lambda panel, fit: seen.append(fit))
    whitened, half = asked_studies(scene, 0)
    last = pictures(engine, Request(1, scene, ((80, 80),), refused=frozenset([whitened.key])))[-1]
    assert last.message is None and named(last, "half") and named(last, "without whitening") is None
    assert set(seen) == {0, 2} and half.key[-1] == Halves()


def test_a_study_of_other_settings_is_another_fit(halves):
    engine, keys = Engine(), []
    for part in (2, 3, 2):
        scene = halves(Halves(part=part))
        keys.append(asked_studies(scene, 0)[-1].key)
        last = pictures(engine, Request(part, scene, ((80, 80),)))[-1]
        assert_allclose(named(last, "half").xy, DATA.X[: 2 * part : part], rtol=1e-9)
    assert keys[0] == keys[2] != keys[1]


@pytest.mark.parametrize("name", [name for name, study in all_studies().items() if not study.by_layer])
@pytest.mark.parametrize("method", ["knn", "kernel-ridge", "gmm"])
def test_every_result_on_the_way_can_be_shown(name, method):
    study = all_studies()[name]()
    pipeline = Pipeline(registry()[method]())
    if not study.applies(pipeline):
        return
    kind = "sine" if method == "kernel-ridge" else "moons"
    data = generators()[kind](n_samples=24).generate(1)
    X, y = (data.X[:, :1], data.X[:, 1]) if method == "kernel-ridge" else (data.X, data.labels)
    rival = Pipeline(registry()["knn"](n_neighbors=1) if method != "gmm" else registry()["gmm"](n_components=1))
    for number, result in enumerate(study.run(pipeline, X, y, source=data.source, rival=rival)):
        if number > 40:
            break
        names, columns = result.table()
        assert len(names) == len(columns) and len({len(column) for column in columns}) <= 1
        for plot in result.plots():
            assert plot.id.partition(" ")[0] == name
            check_plot(plot, Scene(data, (Panel(pipeline),)))
        assert all(str(fact) and fact.help for fact in result.facts().values())
        for offer in result.offers():
            assert offer.label and offer.settings


@pytest.mark.parametrize("name", ["validation-curve", "heat-map", "learning-curve", "optimism", "paired-comparison"])
@pytest.mark.parametrize("method", ["svm", "perceptron", "svm-sgd", "smo"])
def test_the_log_loss_of_a_method_without_probabilities_is_refused_in_a_sentence(name, method):
    study = all_studies()[name](score="log loss")
    data = generators()["moons"](n_samples=30).generate(1)
    rival = Pipeline(registry()["logistic"]())
    with pytest.raises(CannotFit, match="probabilities"):
        for _ in study.run(Pipeline(registry()[method]()), data.X, data.labels, rival=rival):
            pass


def test_a_table_is_written_without_nan_and_a_setting_without_half_letters():
    assert Table.of(a=[1.5, float("nan")], b=["x", "y"]).to_csv() == "a,b\n1.5,x\n,y\n"
    with pytest.raises(BadValue, match="half of a letter"):
        all_studies()["validation-curve"](hyperparameter="\ud800")
