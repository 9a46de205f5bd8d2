"""What the program says is English as in textbooks: words that readers stumbled over are not said again."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import mlviz
from mlviz.algorithms import registry
from mlviz.algorithms.base import CannotFit
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions.decision import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.pipeline.weights import Weights
from mlviz.spec.sentences import sentence
from mlviz.studies import registry as studies
from mlviz.studies.values import parameter_of
from mlviz.ui.controls.number_control import ExactField
from mlviz.ui.sidebar.method_page import method_page
from tests.test_imports import nodes_of

STUMBLED = {
    r"\b[Ll]east (BIC|AIC|cost|inertia|expected|mean loss|(ratio |normalized )?cut\b|weight of)": "lowest or smallest",
    r"not to be trusted": "unreliable",
    r"\bby all others|each left out|told by all": "leave-one-out",
    r"(density|p\(x\)|densities) (is|are|begin|counts as|count as) small|small densities|density is small": "low",
    r"squares count": "because distances are squared",
    r"; at first \{?|\bat first \d": "default",
    r"upright on|stands? upright": "perpendicular to",
    r"leaves? nothing open|says nothing of\b": "is ambiguous nowhere, tells nothing about",
    r"(itself|themselves) counted": "included",
    r"(^|[.;:] )([Ss]hown|[Dd]rawn|[Cc]lustered) (is|are) ": "the subject first",
    r"\bparted by (a )?(comma|semicolon|\{)": "separated by",
    r"\b(one|a) (row|line|number|column|value|centre|canvas|coordinate)s? (a|an) "
    r"(row|line|class|canvas|centre|sample|input|side)\b": "per, or for each",
    r"\b(primal|dual|loss|value) less (the )?(primal|dual|loss|value)": "minus",
    r"seen along the other": "projected along",
    r"study says nothing|says nothing about \{(?!told)|stud.*does not apply to": "needs",
    r"asked in its menu": "chosen from the Study menu",
    r"no fit to be studied": "the reason alone",
    r"\bby lot\b": "at random",
    r"passes over them": "runs along them",
    r"^settled$": "converged",
    r"^C&omponents$": "dimensionality reduction",
    r"[Cc]ounterclockwise": "anticlockwise",
    r"\b[Bb]y which share\b": "by what share",
    r"both objectives are apart": "how far apart the two objectives are",
    r"[Tt]he least and the largest": "the smallest and the largest",
    r"without a bound": "without bound",
    r"choice of h: width by hand|^width by hand": "fixed width",
    r"\bpunish": "penalise",
    r"\b(part|parts|parted) (them\b|the (classes|graph|inner)|groups)|\b(groups|blobs) part\b": "separate",
    r"\b(functions?|numbers?|samples|button|else one) a class\b": "per class",
    r"\b(draw|drawn) (\w+ )*by an? (generator|example)": "with a generator",
    r"\bwants (at least|two)\b": "needs",
    r"\b[Aa] canvas each\b": "one canvas for each",
    r"\b(is|are) least\b": "is lowest or smallest",
    r"\bless (the|their) (mean|standard error|number|truth)": "minus",
    r"promises too much": "is too optimistic",
    r"samples seen along": "projected onto",
    r"left-out likelihood|\ba small density": "leave-one-out likelihood, low density",
    r"share wrong": "error rate",
    r"as (wide|many .*) as each other": "equal widths, equal numbers",
    r"still win\b|recall that is won|\bwin little": "gain",
    r"classes are met|\bmeets? (them all|all classes|several classes)": "handle",
    r"hold what (they are|it is the band) of": "what a band holds, by name",
    r"\brims? of the (street|tube)|(to|on) its rim|lie on a rim": "edge, as in the legend",
    r"counted for": "counted on",
    r"could come true": "to calibrate",
    r"proper JSON": "valid JSON",
}
"""What is not said, and what is said instead."""
_OLD = {"width by hand"}
"""Words that scene files of before may hold."""


@cache
def texts():
    """All that is said: the file, the line, the text."""
    files = sorted(Path(mlviz.__file__).parent.rglob("*.py"))
    return [(path.name, line, text) for path in files for line, text in said(path) if text not in _OLD]


def said(path):
    """The texts of a file with the docstrings of its classes, which are the help of methods; {} stands for values."""
    nodes = nodes_of(path)
    within = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    help = {id(node.body[0]) for node in nodes if isinstance(node, ast.ClassDef)}
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and id(node) not in help}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (within | told):
            yield node.lineno, node.value


def test_no_text_says_what_readers_stumbled_over():
    together = "\n".join(text for _, _, text in texts())
    found = [
        f"{name}:{line}: {text!r}, say {better!r}"
        for pattern, better in STUMBLED.items()
        if re.search(pattern, together, re.MULTILINE)
        for name, line, text in texts()
        if re.search(pattern, text)
    ]
    assert not found, "\n".join(found)


NAMES_OF_PEOPLE = re.compile(
    r"(?<![\w.\"'@/-])(bayes|bayesian|cauchy|chebyshev|epanechnikov|euclidean|fisher|fourier|gaussian|gram|haar|huber|"
    r"jaccard|laplace|laplacian|lloyd|mahalanobis|manhattan|markov|minkowski|newton|nystr[oö]e?m|parzen|poisson|scott|"
    r"silverman|tukey|voronoi|ward)\b(?![(\"'=_.])"
)
"""Names in the lower case, but for kernels that are typed, ids in quotes and words of Python."""


def test_names_of_people_begin_with_a_capital_wherever_they_are_read():
    found = [f"{name}:{line}: {text!r}" for name, line, text in texts() if " " in text and NAMES_OF_PEOPLE.search(text)]
    for method in registry().values():
        found += [f"{method.id}: {NAMES_OF_PEOPLE.findall(method_page(method))}"] * bool(
            NAMES_OF_PEOPLE.search(method_page(method))
        )
        for parameter in method.parameters():
            told = parameter.label, *map(parameter.in_words, parameter.options), parameter.range_text()
            found += [f"{method.id}: {words}" for words in told if NAMES_OF_PEOPLE.search(words)]
    assert not found, "\n".join(found)


def test_choices_are_shown_in_words_and_not_as_the_ids_of_files():
    owners = (Pipeline, Weights, Decision, *registry().values(), *studies().values(), *generators().values())
    choices = [parameter for owner in owners for parameter in owner.parameters() if parameter.kind == "choice"]
    things = (*preprocessings().values(), *registry().values(), *studies().values(), *generators().values())
    ids = {one.id for one in things if "-" in one.id and one.id not in one.label}
    for parameter in choices:
        shown = [parameter.shown(option) for option in parameter.options]
        assert not [words for words in shown if words in ids or "_" in words], parameter.name
        assert [parameter.check(words) for words in shown] == list(parameter.options), parameter.name


def test_a_name_may_be_typed_in_either_form():
    kernel = registry()["svm"].parameter("kernel")
    assert kernel.parse("Gaussian") == kernel.parse("gaussian") == "gaussian"
    assert registry()["svm"](kernel="Laplacian") == registry()["svm"](kernel="laplacian")


SAYING = {"BadTable", "BadCell", "say", "complain", "announce", "emit", "setText", "setPlainText"}
"""What is called with words that are shown as they are; of `emit` and `setText` only whole sentences are meant."""
ALL_ITS_OWN = {"BadTable", "BadCell", "say", "complain", "announce"}


def spoken():
    """Each call in the package that says something: the file, the line, what is called, the words; {} for values."""
    for path in sorted(Path(mlviz.__file__).parent.rglob("*.py")):
        if "cli" in path.parts:  # after "mlviz: " there is no capital
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                words = node.args[0]
                if isinstance(words, ast.JoinedStr):
                    parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in words.values)
                    yield path.name, node.lineno, name, "".join(parts)
                elif isinstance(words, ast.Constant) and isinstance(words.value, str):
                    yield path.name, node.lineno, name, words.value


def test_what_is_said_begins_with_a_capital():
    found = list(spoken())
    assert {name for _, _, name, _ in found} >= SAYING
    said = [each for each in found if each[2] in SAYING and (each[2] in ALL_ITS_OWN or each[3].endswith("."))]
    assert not [each for each in said if each[3][:1].islower()]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("width is a number above 0; 'x' was not taken", "Width is a number above 0; 'x' was not taken."),
        ("k is a whole number.", "k is a whole number."),
        ("σ of the noise is a number above 0", "σ of the noise is a number above 0."),
        ("t-SNE needs a target.", "t-SNE needs a target."),
        ("min_samples is a whole number", "min_samples is a whole number."),
        ("data.csv is empty", "data.csv is empty."),
        ("a number is missing", "A number is missing."),
        ("a = 3 is too large", "a = 3 is too large."),
        ("'a' is no number", "'a' is no number."),
    ],
)
def test_a_sentence_begins_with_a_capital_and_symbols_and_names_stay(words, told):
    assert sentence(words) == sentence(told) == told


@pytest.mark.parametrize("method", registry().values(), ids=list(registry()))
def test_refusals_that_begin_with_a_label_begin_with_a_capital(method, qtbot):
    told = []
    for parameter in method.parameters():
        if parameter.kind in ("real", "integer"):
            field = ExactField(parameter)
            qtbot.addWidget(field)
            field.refused.connect(told.append)
            field.lineEdit().setText("word")
            field.editingFinished.emit()
    wanted = "no such hyperparameter"
    with pytest.raises(CannotFit) as refused:
        parameter_of(method(), wanted)
    told.append(str(refused.value))
    numbers = sum(parameter.kind in ("real", "integer") for parameter in method.parameters())
    assert len(told) == numbers + 1
    assert not [words for words in told if words[0].islower() and words[1].islower()]
