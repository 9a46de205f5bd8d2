"""mlviz: see machine learning happen.

The BLAS thread variables are set here, before the first import of NumPy anywhere in the program: NumPy's and SciPy's
wheels bring one spinning thread pool each, and on two cores alternating calls take forty times as long with two
threads.

What a script needs first can be imported from here, ``from mlviz import Pipeline, registry``, and is read when asked
for; the program itself imports nothing from here.
"""

import importlib
import os
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

__version__ = "0.1.0"

_EXPORTS = {
    "CannotFit": "mlviz.algorithms",
    "Dataset": "mlviz.data.dataset",
    "Grid": "mlviz.numerics.grid",
    "Pipeline": "mlviz.pipeline.pipeline",
    "Scene": "mlviz.scene.scene",
    "registry": "mlviz.algorithms",
}


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return [*_EXPORTS, "__version__"]
