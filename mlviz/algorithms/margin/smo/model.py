"""The model after a step of sequential minimal optimization: the machine of the multipliers so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.algorithms.margin.svm.model import StreetScores, SVMModel
from mlviz.algorithms.margin.svm.problem import SVMDual
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.numbers import counted, number
from mlviz.numerics.arrays import Array, Labels
from mlviz.spec.brief import Brief

_OF_THE_MACHINE = (
    "kernel",
    "support",
    "support_vectors",
    "dual_coef",
    "alpha",
    "bound",
    "bound_name",
    "signs",
    "slack",
    "at_bound",
    "margin",
    "origin",
    "expansion",
    "coef",
    "intercept",
    "dual_objective",
    "X",
    "subsample",
)


@dataclass(frozen=True)
class Pair:
    """The two variables that a step moved, and what they were before."""

    grown: int
    shrunk: int
    former: tuple[float, float]


@dataclass(frozen=True, eq=False)
class PairRun(Brief):
    """The dual program over places: samples of one class at the same place are one variable, their bounds added up.

    Their multipliers share its value by their bounds. Without that, which of them moves would be left to chance.
    """

    problem: SVMDual
    group: Labels
    """(m,) the variable of each of the problem's samples."""
    pairs: SVMDual
    """The samples of whose values alone the variables are made."""
    signs: Array
    """(r,), as all that follows: in the problem's units."""
    lo: Array
    hi: Array
    share: Array
    """(m,) each sample's share of its variable."""
    course: list[tuple[int, float, float]] = field(default_factory=list)
    """Step, violation and dual objective of each model so far: the models of one fit share it."""

    @classmethod
    def of(cls, problem: SVMDual) -> PairRun:
        """That of a problem whose samples are sorted by place and class."""
        places = np.column_stack((problem.places, problem.signs))
        new = np.append(True, (places[1:] != places[:-1]).any(axis=1))
        group, first = np.cumsum(new) - 1, np.flatnonzero(new)
        lo, hi = problem.box()
        lo_sum, hi_sum = np.add.reduceat(lo, first), np.add.reduceat(hi, first)
        share = (hi - lo) / (hi_sum - lo_sum)[group]
        return cls(problem, group, problem.taken(first), problem.signs[first], lo_sum, hi_sum, share)

    def model(
        self, step: int, beta: Array, slope: Array, violation: float, pair: Pair | None, settled: bool, late: bool
    ) -> SMOModel:
        """The model after a step."""
        told = len(self.course) + 1
        model = SMOModel(self, step, told, beta, slope, violation, pair, settled, late, classes=self.problem.classes)
        self.course.append((step, violation, model.objective))
        return model


_RAISED = "Lower bound of the primal objective, by the α: what each step makes larger."


def _of_machine(fact: ModelFact) -> ModelFact:
    """What the machine tells; its bound of the error is one at the solution alone."""
    if fact.name == "leave-one-out bound":
        return replace(fact, value=lambda m: fact.value(m.machine) if m.settled else None)
    told = replace(fact, help=_RAISED, level="lesson") if fact.name == "dual objective" else fact
    return replace(told, value=lambda m: fact.value(m.machine))


@dataclass(frozen=True, eq=False)
class SMOModel(StreetScores):
    """The variables beta (r,) = y alpha after a step, in the problem's units, with slope = y - K beta.

    `machine` is the support vector machine of these multipliers, whose attributes it has.
    """

    run: PairRun
    steps: int
    told: int
    """How many entries of the course are its past."""
    beta: Array
    slope: Array
    violation: float
    pair: Pair | None
    settled: bool
    late: bool

    objective_name = "dual objective"

    known_facts = (
        ModelFact(
            "steps",
            lambda m: m.steps,
            "Pairs of multipliers moved so far.",
        ),
        ModelFact(
            "KKT violation",
            lambda m: max(0.0, m.violation),
            "By how much the worst pair of samples violates the conditions of the solution.",
            beside=lambda m: 1.0,
        ),
        *map(_of_machine, SVMModel.known_facts),
    )

    @cached_property
    def machine(self) -> SVMModel:
        """The support vector machine of the multipliers so far."""
        run = self.run
        return run.problem.model(self.beta[run.group] * run.share, (run.signs - self.slope)[run.group])

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_THE_MACHINE:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return getattr(self.machine, name)

    @property
    def objective(self) -> float:  # type: ignore[override]
        """The dual objective, which no step lowers."""
        return float(self.beta @ (self.run.signs + self.slope)) / (2 * self.run.problem.unit)

    @property
    def stage(self) -> str:  # type: ignore[override]
        """Which multipliers moved, and from where to where."""
        return f"α {' and '.join(self.told_moves)}" if self.pair else "all α = 0"

    @property
    def told_moves(self) -> tuple[str, ...]:
        """From where to where the two multipliers went; not asked for at the start."""
        assert self.pair is not None
        now = self.beta[self.pair.grown], self.beta[self.pair.shrunk]
        unit = self.run.problem.unit
        return tuple(_move(abs(a) / unit, abs(b) / unit) for a, b in zip(self.pair.former, now, strict=True))

    @property
    def moved(self) -> tuple[Labels, Labels]:
        """The samples of the two multipliers that moved, several where they are at the same place; not at the start."""
        assert self.pair is not None
        rows, group = self.run.problem.rows, self.run.group
        return rows[group == self.pair.grown], rows[group == self.pair.shrunk]

    @property
    def caveat(self) -> str:  # type: ignore[override]
        """What the machine says, and whether the steps were stopped."""
        stopped = f"stopped after {counted(self.steps, 'step')} with a KKT violation of {number(self.violation, 2)}"
        return "; ".join(filter(None, (self.machine.caveat, stopped if self.late and not self.settled else "")))

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """What the machine so far says of the place x (d,)."""
        return self.machine.explain(x, names)


def _move(former: float, now: float) -> str:
    """From where to where, with as many digits as it takes to see a difference."""
    for digits in (3, 5, 8):
        words = f"{former:.{digits}g}", f"{now:.{digits}g}"
        if words[0] != words[1]:
            break
    return " → ".join(words)
