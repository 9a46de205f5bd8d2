"""No number in a text says more than it is: one and nothing only where they are; counts agree in number."""

import itertools
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from tests.sweep import share
from tests.truth.reading import NUMBER, Told, plain
from tests.truth.scenes import (
    LIMITS,
    Case,
    classifications,
    clusterings,
    looked_at,
    regressions,
    samples,
    scene_of,
    texts,
)

FEW = ("samples", "classes", "votes", "points", "features", "steps", "models", "neighbours", "mistakes", "clusters")
ONE_OF_MANY = re.compile(rf"(?<![\d.,])(?<!of )1 (?:[a-z-]+ )?(?:{'|'.join(FEW)})\b")
MANY_AS_ONE = re.compile(
    r"(?<!\d)(?:[2-9]|\d\d+) of \d+ [a-z]+ has\b|\b1 of 1 [a-z]+s\b (?!votes)(?:has|have)|\b1 of \d+ [a-z]+ have\b"
)
MINUS_NOTHING = re.compile(r"(?<![\de.])[-−]0(?:\.0*)?(?![\d.])")
TINY = re.compile(r"(?:probability|with|has) \d[\d.]*[eE][-−]\d\d")
PLACES = ((-1.9, -1.1), (2.9, 2.9), (-2.4, 0.3), (0.6, -1.2))


def cases():
    """Cases of each method and task, with hardly any penalty too: probabilities come near to one and nothing."""
    two = classifications(lambda case: case.codes == "0 1" and case.decision in ("natural", "threshold", "costs"))
    several = classifications(lambda case: (case.codes, case.multiclass) == ("names", "auto"))
    weak = [replace(case, values=(("lambda_", 1e-6),)) for case in (*two, *several) if _is_penalized(case)]
    found = (*two, *several, *weak, *clusterings(), *regressions())
    return list(dict.fromkeys(replace(case, preprocessing="none") for case in found))


def _is_penalized(case):
    return any(parameter.name == "lambda_" for parameter in registry()[case.method].parameters())


def spread(case):
    """The samples with the classes far apart from each other, for what they scatter."""
    data = samples(case)
    group = np.arange(case.n) % (3 if case.codes == "names" else 2)
    X = data.X.copy()
    if case.task != "regression":
        X = 0.2 * X + 2.5 * np.column_stack((np.cos(2.1 * group + 3), np.sin(2.1 * group + 3)))
    return replace(data, X=X)


@cache
def seen_apart(case):
    data = spread(case)
    return [looked_at(case, scene_of(case, data, place)) for place in PLACES]


def exact_ends(text, what):
    return [found for pattern, found in what.items() if re.search(pattern, text)]


@pytest.mark.parametrize("case", cases(), ids=str)
def test_probability_one_and_nothing_are_told_only_where_they_are(case):
    for shown in seen_apart(case):
        if shown.picture.explanation is None or not hasattr(shown.model, "predict_proba"):
            continue
        text = plain(shown.picture.explanation.sentence, shown.data.names())
        proba = shown.model.predict_proba(shown.to_inputs([shown.scene.view.probe]))[0]
        one = bool((proba > 1 - 1e-12).any())
        assert one or not re.search(r"(?:with|probability) 1(?![\d.])|\b100 ?%", text), text
        assert one or not re.search(r"(?:with|probability|Probability) 0(?![\d.])|(?<![\d.])0 ?%", text), text


@pytest.mark.parametrize("case", cases(), ids=str)
def test_no_sentence_tells_a_probability_as_a_power_of_ten(case):
    for shown in seen_apart(case):
        for text in texts(shown.picture):
            assert not TINY.search(text), text


@pytest.mark.parametrize("case", cases(), ids=str)
def test_nothing_has_no_sign(case):
    for shown in seen_apart(case):
        for text in texts(shown.picture):
            assert not MINUS_NOTHING.search(text), text


def test_signs_of_nothing_are_found():
    assert all(MINUS_NOTHING.search(text) for text in ("f = −0", "(-0, 1)", "−0.00 and", "is −0."))
    assert not any(MINUS_NOTHING.search(text) for text in ("−0.5", "1e−07", "0-0", "10−08", "3.−0.01"))
    assert ONE_OF_MANY.search("a sum over 1 mistaken samples") and not ONE_OF_MANY.search("wins 1 of 1 votes")
    assert MANY_AS_ONE.search("2 of 2 classes has too few") and not MANY_AS_ONE.search("1 of 2 classes has too few")
    assert not ONE_OF_MANY.search("wins 2 of 11 votes") and not ONE_OF_MANY.search("0.1 samples")


LINEAR = {"kernel": "linear"}
FEWER = {
    "one sample": Dataset(np.array([(-1.0, -1.0)]), [0]),
    "two samples": Dataset(np.array([(-1.0, -1.0), (1.0, 1.5)]), [0, 1]),
    "three samples": Dataset(np.array([(-1.0, -1.0), (1.0, 1.5), (1.2, -0.4)]), [0, 1, 1]),
    "one wrong": Dataset(np.array([(-1.0, 0.0), (-1.1, 0.2), (1.0, 0.1), (1.1, 0.0), (-1.05, 0.1)]), [0, 0, 1, 1, 1]),
}


@pytest.mark.parametrize("method", registry())
def test_counts_agree_in_number(method):
    task = registry()[method].tasks[0]
    one = {"n_neighbors": 1, "n_clusters": 1, "n_components": 1, "max_iter": 1}
    two = {"n_clusters": 2, "n_components": 2}
    descent = {"solver": "gradient, fixed step", "max_iter": 1}
    known = {p.name for p in registry()[method].parameters() if p.name != "kernel" or "linear" in p.options}
    settings = [{name: value for name, value in some.items() if name in known} for some in (one, two, descent, LINEAR)]
    tried = dict.fromkeys(((), *(tuple(some.items()) for some in settings)))
    for values, data in share(itertools.product(tried, FEWER.values()), method):
        case = Case(method, task=task, values=values, d=1 if task == "regression" else 2)
        for place in (None, tuple(data.X[-1].tolist()), (0.3, 0.2)):
            scene = scene_of(case, data, place)
            shown = looked_at(case, scene)
            for text in texts(shown.picture):
                assert not ONE_OF_MANY.search(text) and not MANY_AS_ONE.search(text), text


@pytest.mark.parametrize("case", cases(), ids=str)
def test_no_number_has_more_digits_than_are_known(case):
    """Five significant digits at most: more is noise to a reader."""
    for shown in seen_apart(case):
        if shown.picture.explanation is None:
            continue
        for found in re.findall(NUMBER, plain(shown.picture.explanation.sentence, shown.data.names())):
            digits = Told(found).text.lower().partition("e")[0].strip("+-−").replace(".", "").lstrip("0")
            assert len(digits) <= 5, shown.picture.explanation.sentence


def test_the_view_holds_the_places():
    assert all(LIMITS[0] < x < LIMITS[1] and LIMITS[2] < y < LIMITS[3] for x, y in PLACES)
