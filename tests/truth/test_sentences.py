"""What is told of a place is what the model says there: class, value, score, probabilities and sums."""

import re

import numpy as np
import pytest

from mlviz.numerics.distances import sample_at
from tests.truth.reading import Told, numbers_after, plain, sums, sums_in_words
from tests.truth.scenes import (
    CODES,
    DECISIONS,
    NAMES,
    PROBES,
    Case,
    classifications,
    clusterings,
    everything,
    regressions,
    seen,
    sentence,
)

PLACES = (*PROBES, (-0.4, 0.7), (0.5, -0.6))
EVERYTHING = everything()


def names_of(case):
    shown = seen(case)
    return shown.data.names(), tuple(shown.model.training.transform.names(shown.data.columns[: case.d]))


def told(case, place):
    """The plain sentence and the names in it, by codes."""
    return plain(sentence(case, place), *names_of(case))


def claimed(text):
    """The code of the class that the sentence says is predicted: None for none chosen, "" where it says nothing."""
    if "no class is chosen" in text:
        return -1
    for pattern in (r"«c(\d+)» is chosen", r"«c(\d+)» wins \d+ of", r"^«c(\d+)»"):
        if found := re.findall(pattern, text):
            return int(found[-1])
    return ""


def parts_at(case, place):
    """The binary models between the two classes that a sentence names, by those classes."""
    shown = seen(case)
    return {frozenset((part.negative, part.positive)): part.model for part in shown.model.parts}


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_the_class_told_is_the_class_predicted(case):
    for place in PLACES:
        text = told(case, place)
        (predicted,) = seen(case).predict([place])
        if not text:
            continue
        if "ambiguous" in text and case.multiclass != "one-vs-rest" and "votes each" in text:
            continue
        assert claimed(text) == predicted, text


@pytest.mark.parametrize(
    "case", classifications(lambda case: DECISIONS[case.decision].reject_band is not None), ids=str
)
def test_a_rejection_is_told_where_it_is_predicted(case):
    for place in PLACES:
        (predicted,) = seen(case).predict([place])
        assert ("no class is chosen" in sentence(case, place)) == (predicted == -1)


@pytest.mark.parametrize("case", regressions(), ids=str)
def test_the_value_told_is_the_value_predicted(case):
    for place in PLACES:
        text = told(case, place)
        value = float(seen(case).model.predict(np.array([place[: case.d]]))[0])
        said = re.match(r"(?:prediction )?([-+]?[\d.e-]+\d)", text)
        assert said and Told(said[1]).says(value, 4), text


@pytest.mark.parametrize("case", clusterings(), ids=str)
def test_the_cluster_told_is_the_cluster_predicted(case):
    for place in PLACES:
        text = told(case, place)
        (predicted,) = seen(case).predict([place])
        name = rf"(cluster|component) {predicted + 1}\b" if predicted >= 0 else "no cluster"
        assert re.match(name, text), text


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_sums_add_up_within_the_digits_told(case):
    for place in PLACES:
        for equation in sums(told(case, place)):
            assert equation.adds_up, sentence(case, place)


@pytest.mark.parametrize("case", classifications(lambda case: len(CODES[case.codes]) == 2), ids=str)
def test_the_score_told_is_that_of_the_model(case):
    for place in PLACES:
        text = told(case, place)
        said = numbers_after(r"f\(x\) = (?:w·x \+ b = )?", text) + numbers_after(r"The (?:score|log odds) ", text)
        inputs = seen(case).model.training.inputs
        (x,) = seen(case).model.training.transform.to_model(seen(case).to_inputs([place]))
        beside = sample_at(inputs, x)[0] is not None  # which test_claims looks at
        if said and not beside and "from «x0»" not in text:
            score = float(seen(case).model.decision_function(seen(case).to_inputs([place]))[0])
            assert all(number.says(score) for number in said), text


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_what_adds_up_in_words_adds_up(case):
    """Bumps and support vectors are told in words; what they add is the score."""
    for place in PLACES:
        text = told(case, place)
        assert all(equation.adds_up for equation in sums_in_words(text)), text


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_the_scores_and_votes_of_several_classes_are_those_of_the_model(case):
    shown = seen(case)
    if len(shown.model.classes) < 3 or not shown.model.parts:
        return
    for place in PLACES:
        text, x = told(case, place), shown.to_inputs([place])
        scores = shown.model.decision_function(x)[0]
        order = np.argsort(-scores, kind="stable")
        if case.multiclass == "one-vs-rest":
            said = re.match(r"«c(\d+)»: score ([\d.e+-]+), ahead of «c(\d+)» with ([\d.e+-]+\d)", text)
            assert said, text
            codes = [int(said[1]), int(said[3])]
            assert codes == shown.model.classes[order[:2]].tolist()
            assert Told(said[2]).says(scores[order[0]]) and Told(said[4]).says(scores[order[1]]), text
        elif text:
            votes = np.rint(scores).astype(int)
            said = re.search(r"wins? (\d+) of (\d+) votes", text)
            assert (int(said[1]), int(said[2])) == (votes.max(), len(votes) - 1), text
            assert ("votes each" in text) == ((votes == votes.max()).sum() > 1), text


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_probabilities_told_are_those_of_the_model(case):
    shown = seen(case)
    if shown.model.parts or not hasattr(shown.model.inner, "predict_proba"):
        return
    codes = {code: k for k, code in enumerate(shown.model.classes.tolist())}
    for place in PLACES:
        text = told(case, place)
        proba = shown.model.predict_proba(shown.to_inputs([place]))[0]
        said = re.findall(r"«c(\d+)» with (?:probability )?([\d.e+-]*\d)", text)
        for code, number in said:
            assert Told(number).says(proba[codes[int(code)]]), text
        shares = re.findall(r"«c(\d+)» has (\d+) ?%", text) + [
            (c, s) for s, c in re.findall(r"(\d+) ?% «c(\d+)»", text)
        ]
        for code, percent in shares:
            assert abs(100 * proba[codes[int(code)]] - float(percent)) <= 0.5 + 1e-9, text
        if said or shares:
            first = int((said or shares)[0][0])
            if case.decision == "natural" and "tie" not in text and "%" not in text:
                assert proba[codes[first]] == proba.max(), text


def test_names_are_told_as_they_are():
    assert any(name in sentence(Case("nearest-centroid", "names"), PROBES[0]) for name in NAMES)
