"""The support vector machine beside libsvm on random and degenerate problems; as a script, prints the differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from mlviz.algorithms.margin.svm import SVM

KERNELS = ("gaussian", "linear", "polynomial", "laplacian")
SHAPES = (
    "overlapping",
    "apart",
    "moons",
    "twins of one class",
    "twins of both classes",
    "collinear",
    "one column constant",
    "four columns",
    "few of one class",
    "two samples",
    "weighted",
    "all in one place",
)


@dataclass(frozen=True, eq=False)
class Problem:
    shape: str
    svm: SVM
    X: Any
    y: Any
    sample_weight: Any = None

    def __str__(self) -> str:
        return f"{self.svm.kernel}, C = {self.svm.C:g}, {self.shape}, n = {len(self.X)}"


@dataclass(frozen=True)
class Difference:
    objective: float
    """Ours less libsvm's, of what both minimise (minus the dual), over its size: negative where ours is better."""
    decision_function: float
    """The largest, over samples and places around them, over the largest |f|."""
    explained: float
    """How far their f may be from ours: for a dual that is d below the optimum, |w - w*|² <= 2 d."""
    gap: float
    kkt: float


def problems(seeds: range = range(50)) -> Iterator[Problem]:
    """Problem number `seed` has a kernel, a shape and a C that change with it."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        kernel, shape = KERNELS[seed % 4], SHAPES[(seed + seed // 12) % len(SHAPES)]
        n = int(rng.integers(10, 120))
        X, y, weight = sample(shape, n, rng)
        C = float(rng.choice([0.01, 1.0, 10.0, 1000.0 if kernel != "polynomial" else 0.1]))
        sigma = float(rng.choice([0.3, 1.0, 3.0]))
        yield Problem(shape, SVM(C=C, kernel=kernel, sigma=sigma, degree=int(rng.integers(2, 4))), X, y, weight)


def sample(shape: str, n: int, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """X (n, d), y (n,) and sample_weight (n,) or None."""
    y = np.arange(n) % 2
    X, weight = rng.normal(size=(n, 4 if shape == "four columns" else 2)), None
    X[y == 1] += 1.2
    match shape:
        case "apart":
            X[y == 1] += 4
        case "moons":
            angle = np.pi * rng.random(n)
            X = np.column_stack((np.cos(angle), np.sin(angle))) * np.where(y, 1, -1)[:, None]
            X += np.where(y[:, None], [0.0, 0.0], [1.0, 0.5]) + rng.normal(scale=0.2, size=(n, 2))
        case "twins of one class":
            X[2::4] = X[0::4][: len(X[2::4])]
        case "twins of both classes":
            X[1::2] = X[0::2][: len(X[1::2])]
        case "collinear":
            X[:, 1] = 2 * X[:, 0] + 1
        case "one column constant":
            X[:, 1] = 3.0
        case "few of one class":
            y = (np.arange(n) < 2).astype(int)
        case "two samples":
            X, y = X[:2], y[:2]
        case "weighted":
            weight = rng.choice([0.0, 0.3, 1.0, 4.0], size=n)
            weight[:2] = 1.0
        case "all in one place":
            X[:] = X[0]
            y = (np.arange(n) < n // 3 + 1).astype(int)
    return X, y, weight


def libsvm(problem: Problem, model: Any) -> tuple[Callable[[Any], Any], float, float]:
    """f of libsvm at places (m, d), minus its dual objective, and that one's rounding."""
    svm = problem.svm
    settings: dict[str, Any] = {
        "gaussian": {"kernel": "rbf", "gamma": 1 / (2 * svm.sigma**2)},
        "linear": {"kernel": "linear"},
        "polynomial": {"kernel": "poly", "gamma": 1.0, "coef0": svm.coef0, "degree": svm.degree},
        "laplacian": {"kernel": "precomputed"},
    }[svm.kernel]
    # scikit-learn numbers the support vectors without the samples of weight 0: they are left out here.
    weight = np.ones(len(problem.X)) if problem.sample_weight is None else problem.sample_weight
    X, y, weight = problem.X[weight > 0], problem.y[weight > 0], weight[weight > 0]
    given = (lambda A: model.kernel.matrix(A, X)) if svm.kernel == "laplacian" else (lambda A: A)
    machine = SVC(C=svm.C, tol=1e-8, cache_size=500, max_iter=3_000_000, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(given(X), y, sample_weight=weight)
    beta = np.zeros(len(X))
    beta[machine.support_] = machine.dual_coef_[0]
    K = model.kernel.matrix(X, X)
    # Multipliers of both signs cancel in the norm, whose terms are larger than it by powers of ten. Their roundings are
    # independent, so that they add up as their squares do.
    rounding = 10 * np.finfo(np.float64).eps * float(np.sqrt(beta**2 @ K**2 @ beta**2) + np.abs(beta).sum())
    return lambda A: machine.decision_function(given(A)), float(beta @ K @ beta / 2 - np.abs(beta).sum()), rounding


def difference(problem: Problem) -> Difference:
    """Fit both and compare."""
    model = problem.svm.fit(problem.X, problem.y, sample_weight=problem.sample_weight)
    theirs, objective, rounding = libsvm(problem, model)
    spread = np.random.default_rng(1).normal(size=(50, problem.X.shape[1]))
    places = np.concatenate((problem.X, problem.X.mean(axis=0) + spread))
    f, g = model.decision_function(places), theirs(places)
    facts = model.facts()
    # The optimum of the dual is not above our primal: so far each of the two may be below it.
    missing = [max(0.0, model.objective - dual) + rounding for dual in (model.dual_objective, -objective)]
    reach = np.sqrt(2 * model.kernel.diagonal(places - model.origin).max()) * np.sqrt(missing).sum()
    return Difference(
        (-model.dual_objective - objective) / max(abs(objective), 1e-12),
        float(np.abs(f - g).max() / max(1.0, np.abs(g).max())),
        float(2 * reach / max(1.0, np.abs(g).max())),
        facts["relative duality gap"],
        facts["KKT residual"],
    )


def _table() -> None:
    found = []
    for problem in problems():
        d = difference(problem)
        found.append(d)
        certificate = f"gap {d.gap:.1e} KKT {d.kkt:.1e}"
        print(f"{problem!s:60} {d.objective:+.1e} {d.decision_function:.1e} (at most {d.explained:.1e}) {certificate}")
    low, high = min(d.objective for d in found), max(d.objective for d in found)
    print(f"objective less libsvm's, relative: {low:.1e} to {high:.1e}")
    print(f"decision function, largest difference: {max(d.decision_function for d in found):.1e}")
    print(f"our duality gap, largest: {max(d.gap for d in found):.1e}; KKT residual: {max(d.kkt for d in found):.1e}")


if __name__ == "__main__":
    _table()
