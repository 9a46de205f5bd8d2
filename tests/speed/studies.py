"""How much faster a validation curve is than scikit-learn's: ``python -m tests.speed.studies``.

Ten folds, 25 values of C over the slider, 200 samples, Gaussian kernel, training scores on both sides, one core, CPU
time. The folds are the same, and so are the errors but where scikit-learn's solver stops early (`tol`).
"""

from __future__ import annotations

import os
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
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
