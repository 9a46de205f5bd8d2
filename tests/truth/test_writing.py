"""All numbers are written in one way: read back they are what they were, and no method writes them by itself."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mlviz
from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.facts import Fact, Range
from mlviz.draw.numbers import (
    counted,
    interval_ends,
    linear_sum,
    number,
    numbers_apart,
    place,
    probability,
    share,
    typographic,
)
from tests.truth.reading import Told, plain, sums
from tests.truth.scenes import CLASSIFIERS, Case, everything, looked_at, seen, texts
from tests.truth.test_sentences import PLACES, told

RNG = np.random.default_rng(12)
NUMBERS = (RNG.choice((-1, 1), 3000) * 10 ** RNG.uniform(-12, 12, 3000)).tolist()
EDGES = [0.0, -0.0, 999.5, 999.4999, 99999.4, 99999.6, 100000.0, 0.99951, -9.9951, 1e-300, 1e300]


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_a_number_read_back_is_what_it_was(digits):
    for value in NUMBERS + EDGES:
        text = number(value, digits)
        assert abs(float(text) - value) <= 0.50001 * 10 ** (math.floor(math.log10(abs(value) or 1)) - digits + 1), text
        assert not text.startswith("-0") or (value < 0 and float(text) < 0)
        assert "e" not in text or abs(value) >= 9e4 or abs(value) < 1e-4, text


def test_no_end_is_told_that_is_not_there():
    for value in [*RNG.uniform(0, 1, 500), 1 - 1e-15, 1 - 1e-6, 0.99949, 0.99951, 1e-9, 1e-320]:
        assert not re.match(r"(100|0) %", share(value)) and not re.fullmatch(r"[01]", probability(value)), value
        assert "e" not in re.sub("less|more|than", "", share(value) + probability(value))
    assert (share(0.0), share(1.0), share(1 / 3)) == ("0 %", "100 %", "33.3 %")
    assert (probability(0.99985), probability(5.67e-51)) == ("more than 0.999", "less than 0.001")


def test_a_reader_who_adds_up_finds_what_is_told():
    for _ in range(2000):
        k = int(RNG.integers(1, 5))
        weights, inputs = RNG.normal(size=(2, k)) * 10 ** RNG.uniform(-2, 2, (2, 1))
        offset = float(RNG.normal() * 10 ** RNG.uniform(-2, 2))
        value = offset + float(weights @ inputs)
        text = linear_sum(value, offset, zip(weights, inputs, [f"x{j + 1}" for j in range(k)], strict=True))
        (equation,) = sums(text)
        assert len(equation.terms) == k + 1 and equation.left.says(value), text
        found = sum(term.value for term in equation.terms)
        # Five digits a factor at most: where parts cancel, more would be needed.
        most = max(abs(offset), float(np.abs(weights * inputs).max()))
        assert number(found) == equation.left.text or abs(found - value) <= 2e-4 * most * k, text
    assert linear_sum(17.0, 2.0, [(3.0, 5.0, "x1")]) == "17 = 2 + 3 · 5 (x1)"
    assert linear_sum(-13.0, 2.0, [(-3.0, 5.0, "a"), (0.5, -0.0, "b")]) == "-13 = 2 - 3 · 5 (a) + 0.5 · 0 (b)"
    assert linear_sum(1e-17, 0.0, [(2.0, 0.5, "a"), (1.0, -1.0, "b")]) == "0 = 0 + 2 · 0.5 (a) + 1 · (-1) (b)"


def test_numbers_that_differ_read_differently():
    assert numbers_apart(0.4003, 0.4) == ["0.4003", "0.4"] and numbers_apart(1.0, 1.0) == ["1", "1"]
    assert interval_ends(1.75e9 - 2, 1.75e9 + 2) == ["1749999998", "1750000002"]
    assert str(Fact(Range(0.00501, 0.00499))) == "0.005" and str(Fact(Range(0.5, 0.5), "share")) == "50\u00a0%"
    assert str(Fact(Range(3.0, 5.0), "°")) == "3 to 5°"
    assert (counted(1, "sample"), counted(2000, "class", "classes")) == ("1 sample", "2,000 classes")
    assert place((-1.22e-16, 3.0)) == "(0, 3)" and place([2.5]) == "2.5"


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_score_beside_the_threshold_reads_as_above_or_below_it(name):
    case = Case(name, decision="threshold")
    model = seen(case).model
    tau = model.score_threshold.threshold
    score = model.decision_function if hasattr(model, "decision_function") else lambda x: model.predict_proba(x)[:, 1]
    way = np.column_stack((np.linspace(-3, 3, 4001), np.full(4001, 0.2)))
    near = way[np.argsort(np.abs(score(way) - tau), kind="stable")[:3]]
    for x in near:
        said = re.search(r"The [a-z ]+ (\S+) is (not )?above the threshold (\S+):", plain(model.explain(x).sentence))
        below, (at,) = bool(said[2]), score(x[None])
        assert (Told(said[1]).value <= Told(said[3]).value) == below, said[0]
        assert abs(at - tau) < 5e-6 or said[1] != said[3] or at == tau


SYMMETRIC = np.array([(-1.1, -0.3), (-1.1, 0.3), (-0.7, 0.9), (-0.7, -0.9)])
SYMMETRIC = np.vstack((SYMMETRIC, -SYMMETRIC))


@pytest.mark.parametrize("method", registry())
def test_what_rounding_leaves_is_told_as_nothing(method):
    for task in registry()[method].tasks:
        values = np.column_stack((SYMMETRIC, SYMMETRIC[:, 0] ** 3)) if task == "regression" else SYMMETRIC
        columns = ("x1", "x2", "value")[: values.shape[1]]
        case = Case(method, task=task)
        for probe in ((0.0, 0.0), (0.0, 0.37)):
            scene = case.scene(probe)
            data = Dataset(values, (SYMMETRIC[:, 0] > 0).astype(int), columns)
            shown = looked_at(case, replace(scene, dataset=data))
            lesson = [f"{name} {fact}" for name, fact in shown.picture.facts.items() if fact.level == "lesson"]
            said = shown.picture.explanation.sentence if shown.picture.explanation else ""
            for text in (said, *(text for text in lesson if "gradient norm" not in text)):
                assert not re.search(r"e[-−]1\d", text), text


EVERYTHING = everything()
UNIT = re.compile(r"\d (?:%|ms|s|cm|MB|px)(?!\w)")


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_no_unit_is_parted_from_its_number(case):
    shown = seen(case, PLACES[1])
    for text in texts(shown.picture):
        assert not UNIT.search(text.replace(" (", "(")), text
    assert UNIT.search("98.8 %") and not UNIT.search(typographic("98.8 %, 12 ms"))


MEASURES = re.compile(
    r"away|from (?:the decision|their) boundary(?! in feature)|log p\(x\)|log-density|distances? | · "
)


@pytest.mark.parametrize("case", everything(lambda case: case.preprocessing == "none"), ids=str)
def test_what_has_a_unit_says_whose(case):
    """Under a decision as well, and with one input."""
    for kind in ("standardize", "principal-components"):
        asked = replace(case, preprocessing=kind)
        text = told(asked, PLACES[0])
        if MEASURES.search(text) and "Mahalanobis distance" not in text:
            units = seen(asked).model.training.transform.units
            assert units and text.endswith(f" Measured in {units.removeprefix('of ')}."), text
        assert " Measured in " not in told(replace(case, preprocessing="none"), PLACES[0])


WRITTEN = re.compile(r"\{[^{}]*:[+,]?\.\d+[gf%][^{}]*\}")
BY_ITSELF = {"draw/numbers.py", "algorithms/base.py"}
"""Where numbers are written, and arrays for lines of Python."""


def test_no_method_writes_numbers_by_itself():
    root = Path(mlviz.__file__).parent
    rooms = ("algorithms", "draw", "pipeline", "picture", "studies")
    files = [path for room in rooms for path in sorted((root / room).rglob("*.py"))]
    found = [
        f"{path.relative_to(root)}:{i}: {line.strip()}"
        for path in files
        if str(path.relative_to(root)) not in BY_ITSELF
        for i, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if WRITTEN.search(line)
    ]
    assert len(files) > 90 and not found, "\n".join(found)


REPLACED = (
    "so much below", "without end", "samples met", "rims of", "determined weights", "no sum of others",
    "overshoots farther", "by the kernel itself", "the last four", "c1 : c2", "cost of too low",
)  # fmt: skip


@pytest.mark.parametrize("method", registry().values(), ids=registry())
def test_words_that_textbooks_have_others_for_are_nowhere(method):
    drawn = [*method.overlays, *method.charts]
    words = [method.__doc__, *(str(vars(one)) for one in (*drawn, *method.parameters()))]
    equivalents = [p.equivalent(method(), 10) for p in method.parameters() if p.equivalent]
    said = " ".join(" ".join((*words, *equivalents)).split())
    assert not [phrase for phrase in REPLACED if phrase in said]
