"""The logistic loss of two classes and of several, with or without an L2 penalty.

Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 4.4.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.convex.mean_loss import MeanLoss

_BLOCK = 2**19
"""How many numbers a block of products of probabilities holds at most: more would leave the cache."""
FEW_INPUTS = 12
"""Up to so many inputs all blocks of the softmax's Hessian come from one product; of more, each from its own."""


class BinaryLoss(MeanLoss):
    """sum_i share_i log(1 + exp(-y_i a_i.theta)) + sum_j penalty_j theta_j^2, y_i = -1 or +1."""

    bend = 1 / 4

    def start(self) -> Array:
        """No weights; the offset that is best without any."""
        odds = self.shares[self.y > 0].sum() / self.shares[self.y < 0].sum()
        return np.append(np.zeros(len(self.inputs) - 1), np.log(odds))

    def value(self, at: Array) -> tuple[float, tuple[Array, Array]]:
        """The loss; each row's score s, positive on its own side, and exp(-|s|)."""
        scores = self.y * (at @ self.inputs)
        small = np.exp(-np.abs(scores))
        # log(1 + exp(-s)) without overflow.
        return float(self.shares @ (np.log1p(small) + np.maximum(-scores, 0)) + self.penalty @ at**2), (scores, small)

    def gradient(self, at: Array, known: tuple[Array, Array]) -> Array:
        """The gradient (m,)."""
        scores, small = known
        wrong = np.where(scores > 0, small, 1.0) / (1 + small)
        return np.asarray(-(self.inputs @ (self.shares * self.y * wrong)) + 2 * self.penalty * at)

    def derivatives(self, at: Array, known: tuple[Array, Array]) -> tuple[Array, Array]:
        """Gradient and Hessian."""
        small = known[1]
        hessian = (self.inputs * (self.shares * small / (1 + small) ** 2)) @ self.inputs.T
        hessian.flat[:: len(at) + 1] += 2 * self.penalty
        return self.gradient(at, known), hessian

    def class_margins(self, at: Array) -> Array:
        """By how much each sample's own class is ahead of the other, (n,)."""
        return np.asarray(self.y * (at @ self.inputs))


class SoftmaxLoss(MeanLoss):
    """sum_i share_i (log sum_c exp(a_i.theta_c) - a_i.theta_(y_i)) + sum_cj penalty_j theta_cj^2, y_i = 0 to k - 1.

    theta is (k, m) row by row in one vector (k m,). All offsets may grow by the same number without changing anything;
    here they add up to 0.
    """

    bend = 1 / 2

    def start(self) -> Array:
        """No weights; the offsets that are best without any."""
        offsets = np.log(np.bincount(self.y, self.shares))
        return np.column_stack((np.zeros((len(offsets), len(self.inputs) - 1)), offsets - offsets.mean())).ravel()

    def value(self, at: Array) -> tuple[float, tuple[Array, Array]]:
        """The loss; the probabilities (k, n) and each row's (n,) of all classes but its own."""
        theta, own = self._by_class(at), self._own
        scores = theta @ self.inputs
        scores -= scores.max(axis=0)
        chosen = scores[own]
        P = np.exp(scores, out=scores)
        # The own class is kept apart: what the others are beside it would be lost in 1 + others or in 1 - p.
        P[own] = 0.0
        others = P.sum(axis=0)
        P[own] = np.exp(chosen)
        total = P[own] + others
        P /= total
        each = np.log1p(others + np.expm1(chosen)) - chosen
        return float(self.shares @ each + (theta**2 @ self.penalty).sum()), (P, others / total)

    def gradient(self, at: Array, known: tuple[Array, Array]) -> Array:
        """The gradient (k m,)."""
        P, others = known
        return self._slope(at, P * self.shares, others)

    def derivatives(self, at: Array, known: tuple[Array, Array]) -> tuple[Array, Array]:
        """Gradient and Hessian, a term added to the latter that holds the sum of the offsets."""
        P, others = known
        k, m = len(P), len(self.inputs)
        weighted = P * self.shares
        hessian = self._curvature(P, weighted).reshape(k * m, k * m)
        hessian.flat[:: k * m + 1] += np.tile(2 * self.penalty, k)
        offsets = np.arange(m - 1, k * m, m)
        hessian[np.ix_(offsets, offsets)] += 1 / k
        return self._slope(at, weighted, others), hessian

    def class_margins(self, at: Array) -> Array:
        """By how much each sample's own class is ahead of the best other one, (n,)."""
        scores = self._by_class(at) @ self.inputs
        chosen = scores[self._own]
        scores[self._own] = -np.inf
        return np.asarray(chosen - scores.max(axis=0))

    def _by_class(self, at: Array) -> Array:
        """The parameters of each class, (k, m)."""
        return at.reshape(-1, len(self.inputs))

    @property
    def _own(self) -> tuple[Labels, Labels]:
        """Where in an array (k, n) the samples' own classes are."""
        return self.y, np.arange(len(self.y))

    def _slope(self, at: Array, weighted: Array, others: Array) -> Array:
        weighted[self._own] = -self.shares * others
        return np.ravel(weighted @ self.inputs.T + 2 * self.penalty * self._by_class(at))

    def _curvature(self, P: Array, weighted: Array) -> Array:
        """The Hessian (k, m, k, m) of the loss alone, from probabilities (k, n), plain and times the shares.

        Block (a, b) is -sum_i share_i P_ai P_bi a_i a_i'. Those of a class add up to 0, which gives the diagonal ones.
        """
        k, m = len(P), len(self.inputs)
        first, second = np.triu_indices(k, 1)
        blocks: Array = np.empty((len(first), m, m))
        if m > FEW_INPUTS:
            for block, one, other in zip(blocks, first, second, strict=True):
                block[:] = (self.inputs * (weighted[one] * P[other])) @ self.inputs.T
        else:
            row, column = np.triu_indices(m)
            sums = np.zeros((len(first), len(row)))
            step = max(1, _BLOCK // (len(first) + len(row)))
            for begin in range(0, P.shape[1], step):
                some = slice(begin, begin + step)
                sums += (weighted[first, some] * P[second, some]) @ (
                    self.inputs[row, some] * self.inputs[column, some]
                ).T
            blocks[:, row, column] = blocks[:, column, row] = sums
        hessian: Array = np.zeros((k, m, k, m))
        for block, one, other in zip(blocks, first, second, strict=True):
            hessian[one, :, other, :] = hessian[other, :, one, :] = -block
            hessian[one, :, one, :] += block
            hessian[other, :, other, :] += block
        return hessian


Loss = BinaryLoss | SoftmaxLoss


def softmax(scores: Array) -> Array:
    """exp(scores) over its sum along the last axis, without overflow."""
    power = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(power / power.sum(axis=-1, keepdims=True))
