"""Caption, facts, legend and the picture in words agree with the model, and with each other."""

import re
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.draw import legend, palette
from mlviz.draw.facts import Fact
from mlviz.draw.marks import Field
from mlviz.draw.numbers import format_coordinate, format_number, number
from mlviz.picture.description import summary
from mlviz.scene.values import value_column
from tests.truth.reading import NUMBER, Told, plain
from tests.truth.scenes import DECISIONS, Case, classifications, everything, regressions, samples, seen
from tests.truth.test_marks import rows_of

EVERYTHING = everything()


def caption_number(shown, words):
    found = re.search(rf"(?:^|; ){words}({NUMBER})", shown.picture.caption)
    return None if found is None else Told(found[1])


def wrong_of(shown):
    said = np.asarray(shown.model.predict(shown.X))
    return said, (said != shown.y) & (said != -1)


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_the_caption_counts_the_samples_that_were_fitted(case):
    shown = seen(case)
    n = caption_number(shown, "n = ")
    assert n.text == str(len(shown.rows)) == str(int((shown.data.active & ~shown.data.held_out).sum()))


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_errors_are_those_of_the_predictions(case):
    shown = seen(case)
    said, wrong = wrong_of(shown)
    facts, percent = shown.picture.facts, caption_number(shown, "training error ")
    tested, test_rows = re.search(rf", test error ({NUMBER})", shown.picture.caption), np.flatnonzero(shown.data.test)
    missed = np.asarray(shown.model.predict(shown.data.X[test_rows][:, : case.d]))
    missed = (missed != shown.data.labels[test_rows]) & (missed != -1)
    assert facts["test error"].value == pytest.approx(missed.mean()) and Told(tested[1]).says(100 * missed.mean())
    assert facts["training error"].value == pytest.approx(wrong.mean(), abs=1e-12)
    assert percent.says(100 * wrong.mean()) and (percent.value == 0) == (not wrong.any())
    assert str(facts["training error"]) == f"{percent.text}\u00a0%"
    codes = shown.model.classes.tolist()
    if len(codes) > 2:
        for code in codes:
            own = shown.y == code
            # A sample put into no class counts for none of several classes, which can't be rejected.
            assert facts[f"wrong in {shown.data.class_name(code)}"].value == f"{(wrong & own).sum()} of {own.sum()}"
        return
    negative, positive = (shown.y == code for code in codes)
    assert facts["positive class"].value == shown.data.class_name(codes[1])
    assert facts["false positives"].value == (negative & (said == codes[1])).sum()
    assert facts["false negatives"].value == (positive & (said == codes[0])).sum()
    assert facts["false positive rate"].value == pytest.approx((negative & (said == codes[1])).sum() / negative.sum())
    assert facts["false negative rate"].value == pytest.approx((positive & (said == codes[0])).sum() / positive.sum())
    decision = DECISIONS[case.decision]
    if "mean cost" in facts:
        bill = decision.cost_fp * facts["false positives"].value + decision.cost_fn * facts["false negatives"].value
        bill += decision.reject_cost * (said == -1).sum()
        assert facts["mean cost"].value == pytest.approx(bill / len(said))
    if "share rejected" in facts:
        assert facts["share rejected"].value == pytest.approx((said == -1).mean())
        assert caption_number(shown, "rejected ").says(100 * (said == -1).mean())


@pytest.mark.parametrize("case", regressions(), ids=str)
def test_the_residual_told_is_that_of_the_predictions(case):
    shown = seen(case)
    rmse = float(np.sqrt(np.mean((shown.model.predict(shown.X) - shown.y) ** 2)))
    assert shown.picture.facts["training RMSE"].value == pytest.approx(rmse)
    assert caption_number(shown, "training RMSE ").says(rmse)
    test = np.flatnonzero(shown.data.test)
    residuals = shown.model.predict(shown.data.X[test][:, : case.d]) - shown.data.X[test, case.d]
    rmse = float(np.sqrt(np.mean(residuals**2)))
    assert shown.picture.facts["test RMSE"].value == pytest.approx(rmse)
    assert Told(re.search(rf", test RMSE ({NUMBER})", shown.picture.caption)[1]).says(rmse)


@pytest.mark.parametrize("case", classifications(lambda case: case.method in ("svm", "smo", "l1-svm")), ids=str)
def test_as_many_support_vectors_are_told_as_have_rings(case):
    shown = seen(case)
    fact = shown.picture.facts.get("support vectors")
    models = [part.model for part in shown.model.parts] or [shown.model.inner]
    rings = len(rows_of(shown, "support vector", "bound support vector"))
    if fact is None:
        return
    if len(models) == 1:
        assert fact.value == rings == len(models[0].support)
        return
    counts = [len(model.support) for model in models]
    assert rings == sum(counts) and (min(counts), max(counts)) in (
        tuple(np.atleast_1d(fact.value).tolist()),
        (fact.value,) * 2,
    )


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_slopes_are_those_of_the_function(case):
    shown = seen(case)
    slopes = {name: fact.value for name, fact in shown.picture.facts.items() if name.startswith("slope along ")}
    if not slopes:
        return
    x, step = np.zeros((1, case.d)), np.eye(case.d)
    ask = shown.model.predict if case.task == "regression" else shown.model.decision_function
    for name, way in zip(shown.data.columns, step, strict=False):
        assert slopes[f"slope along {name}"] == pytest.approx(float((ask(x + way) - ask(x))[0]), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_the_legend_names_each_class_and_each_label_once(case):
    shown = seen(case)
    labels = shown.data.labels if case.task == "classification" else None
    entries = legend.entries(shown.marks, labels, shown.data.names(), shown.data.held_out, shown.data.active)
    words = [entry.label for entry in entries]
    assert len(set(words)) == len(words)
    if labels is not None:
        for code in np.unique(labels).tolist():
            (entry,) = [entry for entry in entries if entry.label == shown.data.class_name(code)]
            assert [swatch.role for swatch in entry.swatches] == [f"class {code}"]
        assert "held out" in words and "switched off" in words
    assert {mark.label for mark in shown.marks if mark.label} <= set(words)


@pytest.mark.parametrize("case", EVERYTHING, ids=str)
def test_the_picture_in_words_counts_what_is_there(case):
    shown = seen(case)
    said = summary(shown.scene, 0, shown.picture)
    assert f"There are {len(shown.data)} points, 2 held out and 1 switched off." in said
    if value_column(shown.scene, 0):
        assert f"{len(shown.data)} points (in the shade of its value, from " in said
        return
    for code, count in zip(*np.unique(shown.data.labels, return_counts=True), strict=True):
        assert f"{count} of {shown.data.class_name(int(code))} (" in said
    crosses = re.findall(r"Misclassified(?: among those held out)?: (\d+)", said)
    assert sum(map(int, crosses)) == len(rows_of(shown, "misclassified"))
    if case.task == "regression":
        return
    doubt = next((np.asarray(mark.strength) > 0 for mark in shown.with_role("doubt")), np.zeros((1, 1), dtype=bool))
    for share, name in shares_told(said):
        (region,) = [mark for mark in shown.with_role("region") if isinstance(mark, Field)]
        painted = (region.strength > 0) & ~doubt
        codes = [c for c in range(20) if name in (shown.data.class_name(c), f"cluster {c + 1}")]
        parts = [(region.classes == code) & painted for code in codes]
        parts += [~painted & ~doubt] if name == "without colour" else []
        assert any(abs(100 * np.mean(part) - float(share)) <= 0.0501 for part in parts)


@pytest.mark.parametrize("case", regressions(lambda case: case.d == 2), ids=str)
def test_the_largest_value_in_words_is_the_largest_in_view(case):
    """Also where the shade ends before it, at the largest target."""
    shown = seen(case)
    said = plain(summary(shown.scene, 0, shown.picture))
    (field,) = shown.with_role("value")
    corners = np.stack(np.meshgrid(field.x, field.y), axis=-1).reshape(-1, 2)
    values = shown.predict(corners)
    for word, most in (("largest", values.max()), ("smallest", values.min())):
        told = re.search(rf"The value is {word}(?:, ([a-z ]+),)? near \(({NUMBER}), ({NUMBER})\)", said)
        place = Told(told[2]).value, Told(told[3]).value
        (there,) = shown.predict([place])
        assert abs(there - most) <= 0.01 * np.ptp(values), said
        assert_is_colour_of(told[1], field, place)


def assert_is_colour_of(word, field, place):
    """The class colour that the pixel of a value field is a tint of, in each theme; none where it is hardly any."""
    column, row = (int(np.abs(nodes - at).argmin()) for nodes, at in zip((field.x, field.y), place, strict=True))
    for theme in palette.THEMES:
        pixel = palette.diverging_tints(theme, field.role)[field.strength[row, column]]
        canvas = np.array(palette.theme_colors(theme).canvas[:3])
        tint = np.array([pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255]) - canvas
        ways = [np.array(palette.class_colour(k, theme)[:3]) - canvas for k in range(len(palette.COLOUR_NAMES))]
        if word is None:
            assert np.linalg.norm(tint) < 0.1 * np.linalg.norm(ways, axis=1).max()
        else:
            alike = [way @ tint / np.linalg.norm(way) for way in ways]
            assert palette.COLOUR_NAMES[np.argmax(alike)] == word, theme


@pytest.mark.parametrize("way", ["kmeans", "gmm"])
def test_symbols_in_words_are_counted_as_samples(way):
    shown = seen(Case(way, task="clustering"))
    (told,) = [line for line in summary(shown.scene, 0, shown.picture).splitlines() if line.startswith("Also drawn")]
    counts = dict(re.findall(r"((?:cluster|component) \d) \((\d+) samples?\)", told))
    assert sum(map(int, counts.values())) == len(shown.rows), told


def shares_told(said):
    (line,) = [line for line in said.splitlines() if line.startswith("Regions: ")] or [""]
    return re.findall(r"([\d.]+) % (.*?)(?:, (?=[\d.]+ %)| of what is seen)", plain(line))


@pytest.mark.parametrize("name", ["logistic", "lda", "knn"])
def test_what_is_rejected_is_in_no_region(name):
    shown = seen(Case(name, decision="reject"))
    said = summary(shown.scene, 0, shown.picture)
    rejected = re.search(r"no class is chosen: ([\d.]+) %", plain(said))
    assert sum(float(share) for share, _ in shares_told(said)) + float(rejected[1]) == pytest.approx(100, abs=0.3)


@pytest.mark.parametrize("share", [0.9999, 1 - 1e-9, 0.99951])
def test_a_fact_is_the_whole_only_where_it_is(share):
    assert str(Fact(share, "share")) == "more than 99.9\u00a0%"


def test_facts_that_are_exact_say_so():
    assert str(Fact(1.0, "share")) == "100\u00a0%" and str(Fact(0.0, "share")) == "0\u00a0%"
    assert str(Fact(1e-6, "share")) == "less than 0.001\u00a0%" and str(Fact(1e-4, "share")) == "0.01\u00a0%"


def test_no_region_that_is_there_is_told_as_nothing():
    shown = seen(Case("logistic"))
    (region,) = shown.with_role("region")
    classes = np.zeros((40, 40), dtype=np.uint8)
    classes[0, :3] = 1
    small = replace(region, x=np.arange(40.0), y=np.arange(40.0), strength=classes * 0 + 90, classes=classes)
    picture = replace(shown.picture, plot=replace(shown.picture.plot, marks=(small,)))
    (told,) = [line for line in plain(summary(shown.scene, 0, picture)).splitlines() if line.startswith("Regions")]
    assert " 0 % " not in told and "100 %" not in told and "0.188 % class 2" in told


@pytest.mark.parametrize("name", ["knn", "svm", "logistic", "lda"])
def test_one_wrong_sample_of_many_is_not_none(name):
    case = Case(name, n=2000)
    data = samples(case)
    X = data.X + 40 * data.labels[:, None]
    data = replace(data, X=X, labels=np.where(np.arange(2000) == 6, 1 - data.labels, data.labels))
    model = case.pipeline.fit(data.X, data.labels)
    assert 0 < model.rating.named[1] < 1e-3 and str(model.told_facts()["training error"]) not in (
        "0\u00a0%",
        "100\u00a0%",
    )


@pytest.mark.parametrize("case", [Case(name) for name in registry()], ids=str)
def test_the_settings_in_the_caption_are_those_of_the_method(case):
    task = registry()[case.method].tasks[0]
    case = replace(case, task=task, d=1 if task == "regression" else 2)
    shown = seen(case)
    algorithm = shown.scene.panels[0].pipeline.algorithm
    for p in algorithm.parameters():
        number = re.search(rf"{re.escape(p.label)} = ({NUMBER})", shown.picture.caption)
        if number and p.kind in ("real", "integer"):
            assert Told(number[1]).says(getattr(algorithm, p.name), 6), p.label


WRITERS = {
    "coordinate": lambda value: format_coordinate(value, 8.0),
    "narrow coordinate": lambda value: format_coordinate(value, 0.5),
    "number": format_number,
    "short": lambda value: number(value, 2),
    "fact": lambda value: str(Fact(value)),
    "share": lambda value: str(Fact(value, "share")),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_rounded_to_nothing_has_no_sign(writer):
    for value in (-0.0, -1e-12, -0.00004, -0.004, -0.4):
        text = WRITERS[writer](value)
        assert not re.fullmatch(r"[-−]0(\.0*)?(\s%)?", text), text
