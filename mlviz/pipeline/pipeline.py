"""A pipeline: preprocessing, then one algorithm, for several classes where the algorithm knows two only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlviz.algorithms.base import Algorithm, last_until
from mlviz.algorithms.checking import checked, is_classes, refuse_beyond
from mlviz.draw.layer import Chart, Overlay
from mlviz.draw.overlays import bands, decisions
from mlviz.draw.overlays.loadings import loadings
from mlviz.numerics.arrays import AnyArray, Labels
from mlviz.pipeline.binary_tasks import choose_scheme, parts_steps, split
from mlviz.pipeline.decisions import NATURAL_DECISION, Decision
from mlviz.pipeline.follower import PipelineFollower
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.multiclass import combine
from mlviz.pipeline.preprocessing import Preprocessing, preprocessings
from mlviz.pipeline.preprocessing.features import Switches
from mlviz.pipeline.rating import HeldOut
from mlviz.pipeline.training import Training
from mlviz.pipeline.weights import DRAWN, UNWEIGHTED, Weights, drawn_rows
from mlviz.spec import BadValue, Parameter, choice

__all__ = ["Pipeline", "PipelineFollower", "PipelineModel"]

_GROUNDS = ("regions", "value field", "density field")
"""Overlays that shade the whole canvas."""
_BOTH = (
    "class weights in the fit and costs in the decision would count the same costs twice: "
    "set the class weights to none, or the decision to natural or threshold"
)


@dataclass(frozen=True)
class Pipeline(Switches):
    """Everything between the samples and the model."""

    algorithm: Algorithm = field(kw_only=False)
    preprocessing: str = choice(
        *preprocessings(),
        help="; ".join(f"{one.label}: {one.help}" for one in preprocessings().values() if one.help),
        words={one.id: one.label for one in preprocessings().values()},
    )
    multiclass: str = choice(
        "auto",
        "direct",
        "one-vs-rest",
        "one-vs-one",
        help="how several classes are handled: by the method itself, or by methods for two, each class against the "
        "rest, or each pair of classes",
        label="several classes",
    )
    weights: Weights = UNWEIGHTED
    decision: Decision = NATURAL_DECISION

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """The preprocessing with what belongs to it, then how several classes are met."""
        return tuple(sorted(super().parameters(), key=lambda parameter: parameter.name == "multiclass"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if _twice(self.weights, self.decision):
            raise BadValue(_BOTH)

    @property
    def preprocessor(self) -> Preprocessing:
        """What is made of the inputs before the fit."""
        chosen = preprocessings()[self.preprocessing]
        # Asked a score of times a click: most have nothing that could be set.
        if not chosen.parameters():
            return chosen
        return chosen.replace(**{p.name: getattr(self, p.name) for p in chosen.parameters()})

    def for_codes(self, codes: Iterable[int]) -> Pipeline:
        """The same for some classes by their codes in a data set, which may lack others: as all that there are."""
        if not self._has_values_of_classes:
            return self
        groups = [(code,) for code in codes]
        return self.replace(algorithm=self.algorithm.for_groups(groups), weights=self.weights.for_groups(groups))

    @property
    def _has_values_of_classes(self) -> bool:
        """Whether there are values per class that matter: without, each class has its default wherever it stands."""
        return bool(self.weights.beyond(0) or self.algorithm.beyond(0))

    @property
    def resamples(self) -> bool:
        """Whether samples of classes are drawn: so that all have as many, or for a method that can't weigh them."""
        balance = self.weights.balance
        return balance in DRAWN or (balance != "none" and not self.algorithm.traits.weighted)

    @property
    def tells_density(self) -> bool:
        """Whether its models tell a density, by which samples that were held out are judged without a target."""
        return self.algorithm.field in ("score_samples", "density")

    @property
    def answers_by_probability(self) -> bool:
        """Whether the method has no other score than a probability."""
        return self.algorithm.field == "predict_proba"

    def with_weights(self, **changes: Any) -> Pipeline:
        """With some values of the class weights changed; where they begin, costs of the decision end."""
        weights, decision = self.weights.replace(**changes), self.decision
        if _twice(weights, decision):
            decision = decision.replace(rule="natural")
        return self.replace(weights=weights, decision=decision)

    def with_decision(self, **changes: Any) -> Pipeline:
        """With some values of the decision changed; where its costs begin, class weights end."""
        weights, decision = self.weights, self.decision_with(**changes)
        if _twice(weights, decision):
            weights = weights.replace(balance="none")
        return self.replace(weights=weights, decision=decision)

    def decision_with(self, **changes: Any) -> Decision:
        """The decision with some values changed; a threshold that is set is the rule from then on, whatever it was.

        One that is not given starts where the method parts by itself: at a probability of 1/2 where it answers by one.
        """
        if "threshold" in changes:
            changes = {"rule": "threshold", **changes}
        if changes.get("rule") == "threshold":
            changes = {"threshold": 0.5 if self.answers_by_probability else 0.0, **changes}
        return self.decision.replace(**changes)

    @property
    def overlays(self) -> tuple[Overlay, ...]:
        """What can be drawn on the data: the method's own overlays and those of the pipeline that make sense now."""
        return self.overlays_with(())

    def overlays_with(self, others: tuple[Overlay, ...]) -> tuple[Overlay, ...]:
        """The overlays with others of the kind of the pipeline's: on the regions and under everything else."""
        tasks = self.algorithm.tasks
        own = [overlay for overlay, there in _OVERLAYS if there(self) and not set(tasks).isdisjoint(overlay.tasks)]
        theirs = self.algorithm.overlays
        first = 1 + max((i for i, overlay in enumerate(theirs) if overlay.id in _GROUNDS), default=-1)
        return (*theirs[:first], *own, *others, *theirs[first:])

    @property
    def charts(self) -> tuple[Chart, ...]:
        """What can be drawn beside the data: the method's own charts and those of the pipeline that make sense now."""
        own = self.algorithm.charts
        return (*own, bands.expected_cost) if self.decision.asymmetric and self.algorithm.is_predictive() else own

    @property
    def possible_overlays(self) -> tuple[Overlay, ...]:
        """All overlays that there are with some of the pipeline's settings."""
        return (*self.algorithm.overlays, *(overlay for overlay, _ in _OVERLAYS))

    def pair_sizes(self, y: AnyArray) -> tuple[int, ...]:
        """How many of the samples y (n,) the smallest and the largest pair of classes have, where pairs have models."""
        classes, counts = np.unique(y, return_counts=True)
        if self.multiclass == "direct" or choose_scheme(self.algorithm, self.multiclass, classes) != "one-vs-one":
            return ()
        ordered = np.sort(counts)
        return tuple(dict.fromkeys((int(ordered[:2].sum()), int(ordered[-2:].sum()))))

    def prepare(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        seed: int = 0,
        held_out: HeldOut | None = None,
    ) -> Training:
        """Check the samples, drop those of weight 0, learn the preprocessing, weigh and split the classes.

        Raises `CannotFit`.
        """
        inputs, target, weights = checked(self.algorithm, X, y, sample_weight)
        rows = np.arange(len(inputs)) if weights is None else np.flatnonzero(weights > 0)
        named = target is not None and is_classes(self.algorithm, target)
        own = self._for_samples(target, rows) if target is not None and named else self
        if len(rows) < len(inputs):
            inputs, target = inputs[rows], None if target is None else target[rows]
            weights = None if weights is None else weights[rows]
        transform = self.preprocessor.learn(inputs, weights)
        weighed = weights if target is None or not named else own.weights.of(inputs, target, weights, seed)
        drawn = None
        if weighed is not None and not self.algorithm.traits.weighted and (weighed != 1).any():
            drawn, weighed = drawn_rows(inputs, weighed, seed), None
        given = target if target is None or drawn is None else target[drawn]
        classes = np.empty(0) if given is None or not named else np.unique(given)
        scheme = choose_scheme(self.algorithm, self.multiclass, classes)
        return Training(
            inputs,
            target,
            weights,
            rows,
            transform,
            transform.to_model(inputs),
            named,
            scheme,
            () if given is None or scheme == "direct" else split(scheme, given, classes),
            algorithm=own.algorithm,
            weighed=named and self.weights.balance != "none",
            weights=weighed,
            resampled_rows=drawn,
            held_out=held_out,
        )

    def _for_samples(self, y: AnyArray, rows: Labels) -> Pipeline:
        """The same for the classes of some rows of y (n,), where values are set by the places of all classes in y."""
        if not self._has_values_of_classes:
            return self
        classes = np.unique(y)
        for owner in (self.weights, self.algorithm):
            refuse_beyond(owner, len(classes))
        kept = np.flatnonzero(np.isin(classes, y[rows]))
        return self if len(kept) == len(classes) else self.for_codes(kept.tolist())

    def steps(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        seed: int = 0,
        sample_weight: ArrayLike | None = None,
        held_out: HeldOut | None = None,
    ) -> Iterator[PipelineModel]:
        """Yield usable models, the last of which is the answer; raises `CannotFit`.

        The same one comes again where a method only wants to be interrupted. X, y and sample_weight are as in
        `Algorithm.fit`; the models know how well they do on what was held out.
        """
        data = self.prepare(X, y, sample_weight, seed, held_out)
        last = told = None
        for step in _steps_of(data, seed):
            if told is None or step is not last:
                last, told = step, self._told(data, step)
            yield told

    def _told(self, data: Training, step: Any) -> PipelineModel:
        """What answers in the user's coordinates, of a step of the algorithm or of the binary models."""
        combined = (combine(data.scheme, step), data, step) if data.problems else (step, data)
        return PipelineModel(*combined).deciding(self.decision)

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, sample_weight: ArrayLike | None = None
    ) -> PipelineModel:
        """The final model; raises `CannotFit`."""
        data = self.prepare(X, y, sample_weight, seed)
        if data.problems:
            return self._told(data, last_until(np.inf, _steps_of(data, seed)))
        inputs, target, weights = data.given
        return self._told(data, data.algorithm.answer(inputs, target, np.random.default_rng(seed), weights))

    def follower(self, seed: int = 0) -> PipelineFollower:
        """A new follower, which keeps what makes a drag fast."""
        return PipelineFollower(seed)


def _steps_of(data: Training, seed: int) -> Iterator[Any]:
    """The steps of the algorithm, or of the binary models."""
    inputs, target, weights = data.given
    if data.problems:
        return parts_steps(data.algorithm, data.problems, inputs, weights, seed)
    return data.algorithm.steps(inputs, target, np.random.default_rng(seed), weights)


_OVERLAYS: tuple[tuple[Overlay, Callable[[Pipeline], bool]], ...] = (
    (decisions.ambiguous, lambda p: not (p.algorithm.traits.multiclass and p.multiclass in ("auto", "direct"))),
    (decisions.reject_band, lambda p: p.decision.reject_band is not None),
    (decisions.left_out, lambda p: p.weights.balance == "subsample"),
    (decisions.natural_boundary, lambda p: not p.decision.natural),
    (loadings, lambda p: p.preprocessor.projects),
    (bands.deviations, lambda p: p.algorithm.is_predictive() and bands.deviations.id not in _own_ids(p)),
    (bands.decided, lambda p: p.decision.asymmetric and p.algorithm.is_predictive()),
)
"""Those of the pipeline, in paint order, and when they make sense."""


def _own_ids(pipeline: Pipeline) -> set[str]:
    """The ids of the method's own overlays."""
    return {overlay.id for overlay in pipeline.algorithm.overlays}


def _twice(weights: Weights, decision: Decision) -> bool:
    """Whether the same costs would count in the fit and in the decision."""
    return weights.balance != "none" and decision.rule == "costs"
