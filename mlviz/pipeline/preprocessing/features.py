"""Squares, product and sines of two inputs as further inputs: what is straight in them is curved on the canvas."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.numerics.arrays import Array
from mlviz.pipeline.preprocessing.base import Feature, Lifting, Preprocessing, Transform
from mlviz.pipeline.preprocessing.none import NoPreprocessing
from mlviz.pipeline.preprocessing.standardize import Standardize
from mlviz.spec import Declared, flag

_USED = ("preprocessing", ("features",))
_FEATURES = {
    "x1_squared": Feature((0, 0)),
    "x2_squared": Feature((1, 1)),
    "x1_times_x2": Feature((0, 1)),
    "sin_x1": Feature((0,), sine=True),
    "sin_x2": Feature((1,), sine=True),
}


@dataclass(frozen=True, kw_only=True)
class Switches(Declared):
    """Which features there are beside the inputs themselves."""

    x1_squared: bool = flag(True, label="x1²", help="the square of the first input is an input too", when=_USED)
    x2_squared: bool = flag(True, label="x2²", help="the square of the second input is an input too", when=_USED)
    x1_times_x2: bool = flag(True, label="x1·x2", help="the product of the first two is an input too", when=_USED)
    sin_x1: bool = flag(False, label="sin x1", help="the sine of the first input is an input too", when=_USED)
    sin_x2: bool = flag(False, label="sin x2", help="the sine of the second input is an input too", when=_USED)
    features_standardized: bool = flag(
        False,
        label="of standardized inputs",
        help="the inputs get mean 0 and standard deviation 1 before the features are made of them, so that large "
        "numbers in a table do not drown in their squares",
        when=_USED,
    )


@dataclass(frozen=True)
class Features(Switches, Preprocessing):
    """The inputs and, of the first two, the features that are switched on. A single input is left as it is."""

    id = "features"
    label = "features"
    rank = 4
    help = (
        "squares, the product and sines of the first two inputs become further inputs, so that a linear method draws "
        "circles, crosses and waves; weights and ways to the boundary have no place on the two axes and are not drawn"
    )
    aligned, lifts = False, True

    @property
    def _first(self) -> Standardize | NoPreprocessing:
        return Standardize() if self.features_standardized else NoPreprocessing()

    def _of(self, d: int) -> tuple[Feature, ...]:
        return tuple(feature for name, feature in _FEATURES.items() if getattr(self, name)) if d > 1 else ()

    def counterpart(self, d: int) -> tuple[str, str] | None:
        """The same columns in the same order."""
        first = self._first.sklearn
        if not (features := self._of(d)):
            return first
        made = f"FunctionTransformer(lambda X: np.column_stack((X, {', '.join(f.python for f in features)})))"
        if first is None:
            return "from sklearn.preprocessing import FunctionTransformer", made
        names = "FunctionTransformer, StandardScaler"
        return f"from sklearn.preprocessing import {names}", f"make_pipeline({first[1]}, {made})"

    def learn(self, X: Array, sample_weight: Array | None = None) -> Transform:
        """The scaling of the inputs, if there is one, and the features of what it gives."""
        first = self._first.learn(X, sample_weight)
        if not (features := self._of(X.shape[1])):
            return first
        made = ", ".join(feature.word(("x1", "x2")) for feature in features)
        of = " of the standardized inputs" if self.features_standardized else ""
        return Lifting(f"features {made}{of}", f"of the features{of}", first=first, features=features)
