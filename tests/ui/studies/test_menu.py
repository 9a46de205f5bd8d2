"""The Study menu: grouped by what is asked, what has an answer first, and nothing is offered that has none."""

import numpy as np
import pytest

from mlviz.algorithms import CannotFit
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons
from mlviz.scene import edits
from mlviz.scene.edits import with_method
from mlviz.scene.scene import Scene
from mlviz.scene.study_run import asked_studies
from mlviz.spec.sentences import with_capital
from mlviz.studies import GROUPS, registry

KINDS = [kind for kind in registry().values() if not kind.by_layer]


def groups_of(window):
    """The entries below each heading, in the order of the menu."""
    menu = window.actions_.menu("Study")
    menu.aboutToShow.emit()
    found = {}
    for action in menu.actions():
        if action.isSeparator():
            found[action.text()] = entries = []
        else:
            entries.append(action)
    return found


def test_every_study_stands_once_below_its_question(window):
    found = groups_of(window)
    assert set(found) == set(GROUPS)
    for kind in KINDS:
        label = with_capital(kind.label)
        assert [group for group, entries in found.items() if label in [a.text() for a in entries]] == [kind.group]
    assert {a.text() for a in found["How many clusters?"]} >= {"Elbow", "Silhouette", "Gap statistic", "Eigengap"}


@pytest.mark.parametrize("method", ["kmeans", "svm", "pca", "gmm", "knn"])
def test_questions_that_have_an_answer_come_first(window, method):
    window.store.reset(with_method(window.store.scene, 0, method))
    some = [any(action.isEnabled() for action in entries) for entries in groups_of(window).values()]
    assert some == sorted(some, reverse=True)


def test_without_points_the_source_is_not_said_to_be_unknown(window):
    tips = {a.text(): a.toolTip() for entries in groups_of(window).values() for a in entries if not a.isEnabled()}
    for kind in KINDS:
        if kind.of_source and kind().applies(window.store.scene.panels[0].pipeline):
            tip = tips[with_capital(kind.label)]
            assert "no points yet" in tip and "not known" not in tip


@pytest.mark.parametrize("method", ["kmeans", "svm", "gmm", "knn", "linear-regression"])
def test_no_study_is_offered_that_needs_a_source_nobody_knows(window, method):
    drawn = Moons(n_samples=30).generate(0)
    by_hand = Dataset(drawn.X, drawn.labels)
    for data in (by_hand, drawn):
        window.store.reset(edits.with_dataset(with_method(window.store.scene, 0, method), data))
        enabled = {a.text() for entries in groups_of(window).values() for a in entries if a.isEnabled()}
        for kind in KINDS:
            if with_capital(kind.label) not in enabled:
                continue
            scene = edits.with_study(window.store.scene, 0, kind())
            assert refusal(scene) is None or "not known" not in refusal(scene), kind.id


def refusal(scene: Scene) -> str | None:
    """The sentence by which the study of the first canvas refuses at its first step."""
    (asked,) = asked_studies(scene, 0)
    try:
        next(iter(asked.study.steps(asked.question)))
    except CannotFit as error:
        return str(error)
    return None


def test_the_true_source_is_offered_until_the_points_are_edited(window):
    def offered():
        return next(a for a in groups_of(window)["What is true?"]).isEnabled()

    assert not offered()
    window.store.reset(edits.with_drawn(window.store.scene, Moons(n_samples=30).generate(0)))
    assert offered()
    scene = window.store.scene
    window.store.push(scene.replace(dataset=scene.dataset.add(np.array([[0.0, 0.0]]), 0)), "add")
    assert not offered()
