"""What models tell whose dual program has bounds: of their support vectors, and how exact they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlviz.algorithms.base import ModelFact


def relative_gap(objective: float, dual_objective: float) -> float:
    """How far apart the two objectives are, as a share of the primal one."""
    return max(0.0, objective - dual_objective) / max(abs(objective), 1e-300)


def support_facts(free: str, bounded: str) -> tuple[ModelFact, ...]:
    """How many support vectors there are, and where those that are free and those at C lie at the solution."""
    weighted = "for a weighted sample C times its weight. At the solution they lie"
    return (
        ModelFact(
            "support vectors",
            lambda m: len(m.support),
            "Samples with α > 0. At the solution, the others could be left out without changing anything.",
        ),
        ModelFact(
            "free support vectors",
            lambda m: len(m.support) - int(m.at_bound.sum()),
            f"Support vectors with 0 < α < C, {weighted} exactly on {free}.",
            level="more",
        ),
        ModelFact(
            "support vectors at C",
            lambda m: int(m.at_bound.sum()),
            f"Support vectors with α = C, {weighted} {bounded}.",
            level="more",
        ),
    )


def objective_facts(primal: str, found: Callable[[Any], Any], unit: str = "") -> tuple[ModelFact, ...]:
    """Both objectives, what parts them and the KKT residual, of what `found` gives of the model."""
    return (
        ModelFact("primal objective", lambda m: found(m).objective, f"{primal}, which is made as small as possible."),
        ModelFact(
            "dual objective",
            lambda m: found(m).dual_objective,
            "Lower bound of the primal objective, by the α; at the solution both are equal.",
            level="solver",
        ),
        ModelFact(
            "relative duality gap",
            lambda m: relative_gap(found(m).objective, found(m).dual_objective),
            "How far apart the two objectives are, as a share of the primal one: the error of the solution.",
            level="solver",
        ),
        ModelFact(
            "KKT residual",
            lambda m: found(m).kkt_residual,
            f"Largest violation of the conditions that hold at the exact solution{unit}.",
            level="solver",
        ),
    )
