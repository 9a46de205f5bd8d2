"""The model of a pipeline: it answers in the user's coordinates, whatever the algorithm was given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.draw.facts import Fact
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import counted
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.arrays import AnyArray, Array, Labels
from mlviz.numerics.asymmetric_cost import AsymmetricCost
from mlviz.numerics.grid import Grid
from mlviz.pipeline.binary_tasks import BinaryModel
from mlviz.pipeline.decisions import (
    NATURAL_DECISION,
    Decision,
    ScoreThreshold,
    score_of,
    score_threshold_of,
    values,
)
from mlviz.pipeline.degenerate import MOST_PARTS, PART_ASKED, caveat_of_scores
from mlviz.pipeline.facts import BAYES_THRESHOLD, DECIDED_QUANTILE, THRESHOLD, UNITS, facts_of_all_inputs
from mlviz.pipeline.preprocessing import place_in_model
from mlviz.pipeline.rating import Rating, rating_of_held_out, rows_predicted
from mlviz.pipeline.training import Training
from mlviz.pipeline.untold import no_class_leads, why_no_class_leads
from mlviz.spec.brief import Brief, brief

_ANSWERS = ("predict", "decision_function", "predict_proba", "score_samples", "density", "component_score")
_MODEL_WORDS = (*_ANSWERS, "transform", "inverse_transform", "predict_std")


@dataclass(frozen=True, eq=False)
class PipelineModel(Brief):
    """A model that answers in the user's coordinates.

    `inner` is the model in model coordinates, those of `training.transform`: the algorithm's own, or the combination of
    the binary models in `parts`. It has the words that `inner` has, of `predict`, `decision_function`, `predict_proba`,
    `score_samples` and `density` (those of model coordinates), `component_score`, `transform` and `inverse_transform`.
    Rows of samples that `inner` and `parts` name count the samples that `training.given` has.

    `predict` follows the `decision`: it may part two classes elsewhere than the method itself would, and answer with
    `decisions.rejected_of` the classes, -1 for codes, where it chooses none. Scores and probabilities stay, and so does
    the prediction of values: what asymmetric costs make of it is told beside it.
    """

    inner: Any
    training: Training
    parts: tuple[BinaryModel, ...] = ()
    decision: Decision = NATURAL_DECISION
    natural: PipelineModel | None = None
    """The same model deciding by itself, which keeps what it once computed; None for this one."""

    def __repr__(self) -> str:
        """What was fitted on how many samples, and how well."""
        training = self.training
        words = ", ".join(filter(None, (brief(training.algorithm), training.transform.caption)))
        told = (counted(len(training.X), "sample"), *(f"{name} {fact}" for name, fact in self.results.items()))
        return f"PipelineModel of {words}: {', '.join(told)}"

    def deciding(self, decision: Decision) -> PipelineModel:
        """The same model with another decision; nothing is fitted again."""
        natural = self.natural or self
        return (
            natural
            if decision == NATURAL_DECISION
            else PipelineModel(self.inner, self.training, self.parts, decision, natural)
        )

    @cached_property
    def _rule(self) -> tuple[ScoreThreshold | None, str]:
        if not self.training.is_classes or self.decision.natural:
            return None, ""
        return score_threshold_of(self.decision, self.inner, self.training.algorithm.label)

    @property
    def score_threshold(self) -> ScoreThreshold | None:
        """The decision in the units of the score; None where the method decides by itself."""
        return self._rule[0]

    @property
    def value_cost(self) -> AsymmetricCost | None:
        """What a value costs that is too low or too high; None where the prediction is decided for."""
        return self.decision.value_cost if self._has_distribution else None

    @property
    def _predicts_values(self) -> bool:
        return self.training.y is not None and not self.training.is_classes

    @property
    def _has_distribution(self) -> bool:
        return self._predicts_values and isinstance(self.inner, HasPredictive) and self.inner.degrees_of_freedom > 0

    @property
    def field(self) -> str | None:
        """The name of what `on_grid` mirrors."""
        model: Model = self.inner
        return model.field

    @property
    def objective(self) -> float:
        """What the algorithm minimises, at this step; NaN where there is no such thing."""
        return float(self.inner.objective)

    @property
    def stage(self) -> str:
        """The step that led here."""
        return str(self.inner.stage)

    @property
    def caveat(self) -> str:
        """What must be told of this model, or of the binary models it is made of, and of the samples."""
        return "; ".join(filter(None, (self.own_caveat, self._caveat_of_samples)))

    @property
    def own_caveat(self) -> str:
        """What must be told of a step on the way, when the scores say nothing yet."""
        models: list[Model] = [self.inner, *(part.model for part in self.parts)]
        first, *others = dict.fromkeys(model.caveat for model in models if model.caveat) or [""]
        if others:
            first = f"{first}, and similarly for others of the {len(self.parts)} binary models"
        return "; ".join(filter(None, (first, self._rule[1], self._caveat_of_values)))

    @property
    def _caveat_of_values(self) -> str:
        """That costs of values are not met, where they are wished."""
        if self.decision.value_cost is None or not self._predicts_values:
            return ""
        if self.value_cost is None:
            label = self.training.algorithm.label
            return f"asymmetric costs need a predictive distribution, and {label} gives none here"
        return values.caveat(self.inner)

    @cached_property
    def _caveat_of_samples(self) -> str:
        """Whether the samples tell the method anything."""
        told, of_directions = self.training.caveats
        if not told and self.training.is_classes and self.training.y is not None:
            told = self._caveat_of_ties(self.training.given[0])
            if told.endswith("tied") and self.score_threshold is None:
                told += ": the first one is chosen"
        return told or of_directions

    def _caveat_of_ties(self, inputs: Array) -> str:
        """Whether classes are tied at the inputs that the algorithm was given."""
        if self.training.scheme != "one-vs-one":
            return caveat_of_scores(self.inner, inputs)
        parts = (caveat_of_scores(part.model, inputs[part.rows], PART_ASKED) for part in self.parts[:MOST_PARTS])
        return f"{told}, for at least one pair of classes" if (told := next(filter(None, parts), "")) else ""

    @property
    def classes(self) -> AnyArray:
        """The classes (k,), sorted, of a classifier."""
        return np.asarray(self.inner.classes)

    def __getattr__(self, name: str) -> Any:
        if name not in _MODEL_WORDS:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        word = getattr(self.inner, name)
        if name == "inverse_transform":
            return lambda scores: self.training.transform.to_user(word(scores))
        if name == "predict" and self.score_threshold is not None:
            word = self.decide
        return lambda X: word(self.training.transform.to_model(np.asarray(X, dtype=np.float64)))

    def decide(self, X: Array) -> AnyArray:
        """What is predicted at places (n, d) in model coordinates."""
        if self.score_threshold is None:
            return np.asarray(self.inner.predict(X))
        return self.score_threshold.decide(score_of(self.inner, X), self.classes)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The field at every node of a grid on the canvas."""
        return self.training.transform.grid(grid).field_of(self.inner, dtype)

    @property
    def evaluated_rows(self) -> Labels | None:
        """The fitted samples (q,) that are predicted, where all of them would take too long; None for all."""
        return self.rating.rows

    @cached_property
    def rating(self) -> Rating:
        """How well it does on the fitted samples, or on some of them at random where all would take too long."""
        if self.natural is not None:
            return self.natural.rating.deciding(self.score_threshold)
        data = self.training
        rows = rows_predicted(data.X, self.inner.cost)
        if rows is None:
            # The array itself, not a copy: some models know what they predict for it.
            chosen = data.inputs, data.y, data.sample_weight
        else:
            y, weights = (None if values is None else values[rows] for values in (data.y, data.sample_weight))
            chosen = data.inputs[rows], y, weights
        return Rating(self.inner, "training", *chosen, data.is_classes, rows, len(data.X))

    @cached_property
    def test_rating(self) -> Rating | None:
        """How well it does on the samples that were held out; None where there are none."""
        if self.natural is not None:
            return self.natural.test_rating and self.natural.test_rating.deciding(self.score_threshold)
        held_out = self.training.held_out
        return None if held_out is None else rating_of_held_out(self.inner, self.training, held_out)

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """How well it does on the fitted samples, and on those that were held out if there are any."""
        return (self.rating,) if self.test_rating is None else (self.rating, self.test_rating)

    @cached_property
    def results(self) -> dict[str, Fact]:
        """Training and test error, by their names."""
        return {name: fact for rating in self.ratings for name, fact in rating.summary.items()}

    def facts(self, names: Names = UNNAMED) -> dict[str, Any]:
        """Training and test error and what the model knows about itself, as plain values."""
        return {name: fact.value for name, fact in self.told_facts(names).items()}

    def told_facts(self, names: Names = UNNAMED) -> dict[str, Fact]:
        """Training and test error and what the model knows about itself, with what that means."""
        found = self.results | {name: fact for rating in self.ratings for name, fact in rating.counted.items()}
        found |= self.class_outcomes(names) | self.value_outcomes()
        found |= facts_of_all_inputs(self.inner, self.training.transform)
        return found | UNITS.told(units) if (units := self.training.transform.units) else found

    def class_outcomes(self, names: Names = UNNAMED) -> dict[str, Fact]:
        """How the classes fare, and where the decision parts them if it is not the usual one."""
        rule, decision = self.score_threshold, self.decision
        found: dict[str, Fact] = {}
        if rule is not None and self.training.is_classes:
            if decision.rule == "costs":
                found |= BAYES_THRESHOLD.told(decision.bayes_threshold)
            found |= THRESHOLD.told(rule.threshold)
        for rating in self.ratings:
            found |= rating.class_outcomes(NATURAL_DECISION if rule is None else decision, names)
        return found

    def value_outcomes(self) -> dict[str, Fact]:
        """What it costs to decide for values, where the costs are asymmetric."""
        cost, found = self.value_cost, dict[str, Fact]()
        if cost is not None:
            found |= DECIDED_QUANTILE.told(cost.share)
            for rating in self.ratings:
                found |= rating.value_outcomes(cost)
        return found

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation | None:
        """Why the model says what it says at the place x (d,), with marks on the canvas."""
        transform = self.training.transform
        place = place_in_model(transform, np.asarray(x, dtype=np.float64), self.training.X, self.training.inputs)
        told: Explanation | None = self.inner.explain(place, names)
        if self._has_distribution:
            size = float(np.abs(np.asarray(self.training.y)).max())
            words = values.sentence(self.inner, place, self.decision.level, self.value_cost, size)
            told = values.followed(told, *words)
        if told is None:
            return None
        rule = self.score_threshold
        if self.training.is_classes and no_class_leads(self.inner, place, rule):
            told = Explanation(f"No class leads here: {why_no_class_leads(self.inner, rule)}.")
        elif rule is not None:
            told = rule.explain(told, float(score_of(self.inner, place[None])[0]), self.classes, names)
        if told.measured and transform.units:
            told = replace(told, sentence=f"{told.sentence} Measured in {transform.units.removeprefix('of ')}.")
        marks = () if len(place) > 2 else transform.on_canvas(told.marks, None if len(place) == 1 else (0, 1))
        return Explanation(told.sentence, marks)
