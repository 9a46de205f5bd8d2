"""The dual problem of a support vector machine: from data to a quadratic program, from its solution to a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.checking import weighted_rows
from mlviz.algorithms.kernels.box_program import (
    AT_BOUND,
    FEW,
    FREE,
    INEXACT,
    MOST_SAMPLES,
    NO_DIGITS_SENTENCE,
    PART,
    WIDEST,
    BoxProgram,
)
from mlviz.algorithms.kernels.box_solving import WIDE_BOUND
from mlviz.algorithms.margin.svm.model import SVMModel
from mlviz.algorithms.targets import stratified, two_classes
from mlviz.draw.numbers import number
from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask, Rows, scattered
from mlviz.numerics.kernels.base import Kernel, Linear
from mlviz.numerics.kernels.features import Features, FeatureSum, features_of
from mlviz.numerics.svm.feature_svm import ROUNDING, FeatureSVMSolution, feature_svm
from mlviz.numerics.svm.interior_point import interior_point
from mlviz.numerics.svm.pairs import smo
from mlviz.numerics.svm.tube import hinge_offset

_WIDEST_IN_FEATURES = 1e16
"""What stands for the hard margin's infinite bound where the kernel's features are written out."""
_MANY = 1000
"""With more samples the first model is that of a few of them."""


class Machine(Protocol):
    """What a support vector machine is asked for."""

    @property
    def C(self) -> float:
        """The price of slack."""

    @property
    def hard_margin(self) -> bool:
        """Whether no sample may lie within the margin."""

    def kernel_for(self, X: Array) -> Kernel:
        """The kernel to be used on these samples; raises `CannotFit` where it is none."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SVMDual(BoxProgram):
    """The dual: minimise 1/2 b'K b - y'b with 0 <= y b <= C and sum b = 0, where b = y alpha, over the samples used.

    The kernel is divided by `unit`, its largest diagonal value, and the bounds are multiplied by it: f stays the same,
    and data of any scale meet the solver alike. X (n, d) are all samples.
    """

    classes: AnyArray
    signs: Array
    """(m,) y = -1 or +1."""
    bound: Array
    """(m,) C times the weight, inf with a hard margin."""
    C: float
    """The price of slack; inf with a hard margin."""

    @property
    def targets(self) -> Array:
        """The signs: the hinge is the loss of a residual with a price on one side alone."""
        return self.signs

    @classmethod
    def given(cls, svm: Machine, X: Array, y: AnyArray | None, sample_weight: Array | None) -> SVMDual:
        """The problem of those data; raises `CannotFit`."""
        rows, used, target, weights = weighted_rows(X, y, sample_weight)
        classes, signs = two_classes("support vector machine", target)
        C = np.inf if svm.hard_margin else svm.C
        seen = cls.of(svm.kernel_for(used), used, classes=classes, rows=rows, signs=signs, bound=C * weights, C=C)
        return replace(seen, X=X)

    def order(self) -> Labels:
        """The samples sorted by place and class: the same whatever the order of the rows."""
        return np.lexsort((self.bound, self.signs, *self.X[self.rows].T[::-1]))

    def taken(self, which: Rows) -> SVMDual:
        """The problem of some of the samples used, in that order."""
        return replace(self, rows=self.rows[which], signs=self.signs[which], bound=self.bound[which])

    def thinned(self, rng: np.random.Generator) -> SVMDual:
        """A random part of each class where there are too many samples, their bounds raised to stand for all."""
        return self if len(self.rows) <= MOST_SAMPLES else self._part(PART, rng)

    def _part(self, most: int, rng: np.random.Generator) -> SVMDual:
        part = self.taken(stratified(self.signs, most, rng))
        m = len(self.rows)
        return replace(part, bound=part.bound * (m / len(part.rows)), thinned_from=self.thinned_from or m)

    def draft(self, rng: np.random.Generator) -> SVMModel | None:
        """A rough model of a few of the samples, where the exact one takes a while."""
        if len(self.rows) <= _MANY:
            return None
        few = self._part(FEW, rng)
        K = few.gram()
        *_, beta = smo(K, few.signs, *few.box())
        assert beta is not None
        return few.model(beta, beta @ K)

    @cached_property
    def features(self) -> Features | None:
        """The kernel's features, where the bounds are too wide for the dual program and they are few enough."""
        # With the linear kernel and a hard margin the solution grows with the data's scale as the units do.
        linear_and_hard = isinstance(self.kernel, Linear) and bool(np.isinf(self.bound[0]))
        if linear_and_hard or not float(self.bound.max()) * self.unit > WIDEST:
            return None
        return features_of(self.kernel, *self.places.shape)

    def in_features(self, features: Features) -> Iterator[SVMModel]:
        """Yield models, each better than the last, found without the dual program; raises `CannotFit`."""
        F, y = features.values(self.places), self.signs
        centred = F - F.mean(axis=0)
        width = self.unit * float(self.bound.max())
        self.check_digits(float(np.einsum("ij,ij->i", centred, centred).max()) / self.unit, width)
        price = np.minimum(self.bound, _WIDEST_IN_FEATURES / self.unit) if np.isinf(self.bound[0]) else self.bound
        model = None
        for street in feature_svm(F, y, price):
            if model is not None:
                yield model
            model = self._feature_model(features, F, street)
        if model is None:
            raise CannotFit(NO_DIGITS_SENTENCE)
        yield self.checked(model)

    def _feature_model(self, features: Features, F: Array, street: FeatureSVMSolution) -> SVMModel:
        norm = float(street.w @ street.w)
        feature_sum = FeatureSum(features, street.w)
        # Times a large C, what rounding makes of a slack of 0 would be most of the objective.
        rounding = ROUNDING * (np.sqrt(norm) * np.linalg.norm(F, axis=1) + 1)
        at_bound = street.bounded & np.isfinite(self.bound)
        used = street.used | at_bound
        return self._described(
            F @ street.w, street.alpha, used, at_bound, self.bound, norm, street.dual, feature_sum, rounding
        )

    def box(self) -> tuple[Array, Array]:
        """The bounds of the program's variables."""
        cap = np.minimum(self.bound * self.unit, WIDEST)
        return np.minimum(0.0, self.signs * cap), np.maximum(0.0, self.signs * cap)

    def starts(self, K: Array) -> Iterator[Array | None]:
        """Yield ever better starts for the active set, from nothing; None where it takes long to the next."""
        lo, hi = self.box()
        wide = float((hi - lo).max()) >= WIDE_BOUND
        return interior_point(K, self.signs, lo, hi) if wide else smo(K, self.signs, lo, hi)

    def checked(self, model: SVMModel) -> SVMModel:
        """The model at the end, with a further caveat where needed; raises `CannotFit` where a hard margin can't be."""
        if np.isinf(self.bound[0]) and model.slack.max() > 1e-3:
            raise CannotFit(
                "These classes can't be separated without errors by this kernel, or only by a street too thin to "
                "compute: switch the hard margin off or choose a more flexible kernel."
            )
        gap = abs(model.objective - model.dual_objective) / max(abs(model.objective), 1e-300)
        if model.limit is not None:
            caveat = f"solved for C = {number(model.limit)}, the largest that can be computed with here"
        elif gap > INEXACT:
            caveat = f"solved only to a relative duality gap of {number(gap, 1)}"
        else:
            return model
        return replace(model, caveat="; ".join(filter(None, (model.caveat, caveat))))

    def model(self, beta: Array, g: Array) -> SVMModel:
        """The model of variables beta (m,) with K beta = g, in the scaled units."""
        cap = np.minimum(self.bound * self.unit, WIDEST)
        multiplier = self.signs * beta
        used = multiplier > FREE * np.minimum(cap, multiplier.max(initial=0.0))
        norm = max(float(beta @ g), 0.0) / self.unit
        dual = float(multiplier.sum()) / self.unit - norm / 2
        bound = self.bound if np.isinf(self.bound[0]) else cap / self.unit
        at_bound = multiplier >= cap * (1 - AT_BOUND)
        return self._described(g, multiplier / self.unit, used, at_bound, bound, norm, dual)

    def _described(
        self,
        g: Array,
        alpha: Array,
        used: Mask,
        at_bound: Mask,
        bound: Array,
        norm: float,
        dual: float,
        feature_sum: FeatureSum | None = None,
        rounding: Array | float = 0.0,
    ) -> SVMModel:
        """The model whose f without its offset is g, up to that rounding, at the samples; norm = |w|²."""
        y, hard = self.signs, bool(np.isinf(bound[0]))
        offset = hinge_offset(g, y, np.ones(len(y)) if hard else bound)
        f = g + offset
        slack = np.where(1 - y * f > rounding, 1 - y * f, 0.0)
        residual = np.where(at_bound, np.maximum(0.0, y * f - 1), np.where(used, np.abs(1 - y * f), slack))
        support = self.rows[used]
        order = np.argsort(support, kind="stable")

        def spread(values: AnyArray) -> AnyArray:
            return scattered(values, self.rows, len(self.X))

        return SVMModel(
            classes=self.classes,
            kernel=self.kernel,
            C=self.C,
            support=support[order],
            support_vectors=self.X[support[order]],
            dual_coef=(y * alpha)[used][order],
            feature_sum=feature_sum,
            alpha=spread(np.where(used, np.where(at_bound & ~np.isinf(bound), bound, alpha), 0.0)),
            bound=spread(bound),
            signs=spread(y),
            slack=spread(slack),
            at_bound=spread(at_bound),
            origin=self.origin,
            offset=offset,
            margin=float(1 / np.sqrt(norm)) if norm > 0 else float("inf"),
            objective=norm / 2 + (0.0 if hard else float(bound @ slack)),
            dual_objective=dual,
            kkt_residual=float(residual.max()),
            lambda_=0.0 if hard else 1 / (2 * float(self.bound.sum())),
            limit=None if hard or not (bound < self.bound * (1 - 1e-9)).any() else float(bound.max()),
            X=self.X,
            subsample=None if self.thinned_from is None else (len(self.rows), self.thinned_from),
            caveat=self.told_part(),
        )
