"""How much faster studies are than scikit-learn's counterparts: ``python -m tests.speed.studies``.

First the validation curve: ten folds, 25 values of C over the slider, 200 samples, Gaussian kernel, training scores on
both sides, one core, CPU time. The folds are the same, and so are the errors but where scikit-learn's solver stops
early (`tol`). Then others of a support vector machine of 100 samples, by the same folds where scikit-learn has a
counterpart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

ROUNDS = 7


def measured(data: Any, preprocessing: str) -> tuple[float, float, float, float]:
    """Seconds of both and of the first points (medians of rounds in turn), and how far their errors are apart."""
    import numpy as np
    from sklearn.model_selection import validation_curve
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from mlviz.algorithms import registry
    from mlviz.pipeline.pipeline import Pipeline
    from mlviz.studies import registry as studies

    X, y = data.X, data.labels
    study, pipeline = studies()["validation-curve"](), Pipeline(registry()["svm"](), preprocessing)
    ours, theirs, first, apart = [], [], [], 0.0
    for _ in range(ROUNDS):
        start, early, result = process_time(), 0.0, None
        for result in study.run(pipeline, X, y):
            if not early and np.isfinite(result.test).any():
                early = process_time() - start
        ours.append(process_time() - start)
        first.append(early)
        machine = SVC(gamma=0.5) if preprocessing == "none" else make_pipeline(StandardScaler(), SVC(gamma=0.5))
        start = process_time()
        scores = validation_curve(
            machine,
            X,
            y,
            param_name="C" if preprocessing == "none" else "svc__C",
            param_range=list(result.axis.values),
            cv=result.folding.folds,
        )
        theirs.append(process_time() - start)
        apart = max(float(np.abs(1 - a - b).max()) for a, b in zip(scores, (result.training, result.test), strict=True))
    return median(ours), median(theirs), median(first), apart


def others(data: Any) -> Iterator[tuple[str, float, float | None]]:
    """Yield each study with its seconds, ours and theirs, the least of rounds in turn; None where there is none."""
    from sklearn.model_selection import GridSearchCV, cross_validate, validation_curve
    from sklearn.svm import SVC

    from mlviz.algorithms import registry
    from mlviz.pipeline.pipeline import Pipeline
    from mlviz.studies import registry as studies

    def grid(result: Any) -> None:
        values = {"C": list(result.across.values), "gamma": [0.5 / sigma**2 for sigma in result.up.values]}
        assert (result.across.name, result.up.name) == ("C", "sigma")
        GridSearchCV(SVC(), values, cv=result.folding.folds, refit=False, return_train_score=True).fit(X, y)

    def by_folds(result: Any) -> None:
        cross_validate(SVC(gamma=0.5), X, y, cv=result.folding.folds, return_train_score=True)

    def over_C(result: Any) -> None:
        how = {"param_name": "C", "param_range": list(result.axis.values), "cv": result.folding.folds}
        validation_curve(SVC(gamma=0.5), X, y, **how)

    cases: tuple[tuple[str, dict[str, Any], Callable[[Any], None] | None], ...] = (
        ("heat-map", {"hyperparameter": "C", "second": "sigma"}, grid),
        ("learning-curve", {}, by_folds),
        ("validation-curve", {"scheme": "leave-one-out", "values": 5}, over_C),
        ("bias-variance", {"hyperparameter": "C", "values": 4, "fits": 10}, None),
        ("stability", {}, None),
        ("influence", {}, None),
    )
    X, y, pipeline = data.X, data.labels, Pipeline(registry()["svm"]())
    for name, settings, counterpart in cases:
        study, ours, theirs = studies()[name](**settings), [], []
        for _ in range(3):
            start = process_time()
            *_, result = study.run(pipeline, X, y, source=data.source)
            ours.append(process_time() - start)
            if counterpart is not None:
                start = process_time()
                counterpart(result)
                theirs.append(process_time() - start)
        yield f"{name} {settings or ''}", min(ours), min(theirs) if theirs else None


def main() -> int:
    """Measure and print."""
    from mlviz.data.generators.catalog import Blobs, Moons, TwoGaussians

    cases = {"moons": Moons(n_samples=200), "two Gaussians": TwoGaussians(n_samples=200), "blobs": Blobs(n_samples=200)}
    for preprocessing in ("none", "standardize"):
        for name, generator in cases.items():
            ours, theirs, first, apart = measured(generator.generate(0), preprocessing)
            print(
                f"{name}, {preprocessing}: {1e3 * ours:.1f} ms, first points after {1e3 * first:.1f} ms; scikit-learn "
                f"{1e3 * theirs:.0f} ms: {theirs / ours:.1f} times; errors apart by at most {apart:.2g}"
            )

    for name, ours, least in others(Moons(n_samples=100).generate(0)):
        told = "no counterpart" if least is None else f"scikit-learn {1e3 * least:.0f} ms: {least / ours:.1f} times"
        print(f"{name}: {1e3 * ours:.0f} ms; {told}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
