"""The logistic loss of two classes and of several, with an L2 penalty. Hastie, Tibshirani and Friedman, section 4.4."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.numerics.grid import Array

BLOCK = 2**21
"""How many numbers a block of products of probabilities holds at most."""


@dataclass(frozen=True, eq=False)
class BinaryLoss:
    """sum_i share_i log(1 + exp(-sign_i a_i.theta)) + sum_j penalty_j theta_j^2.

    `inputs` (n, m) are the rows a_i, the last column all ones; `signs` (n,) are -1 or +1; `shares` (n,) add up to 1;
    `penalty` (m,) is 0 for the offset.
    """

    inputs: Array
    signs: Array
    shares: Array
    penalty: Array

    def start(self) -> Array:
        """No weights; the offset that is best without any."""
        odds = self.shares[self.signs > 0].sum() / self.shares[self.signs < 0].sum()
        return np.append(np.zeros(self.inputs.shape[1] - 1), np.log(odds))

    def value(self, at: Array) -> float:
        """The loss."""
        scores = self.signs * (self.inputs @ at)
        # log(1 + exp(-s)) without overflow.
        each = np.log1p(np.exp(-np.abs(scores))) + np.maximum(-scores, 0)
        return float(self.shares @ each + self.penalty @ at**2)

    def derivatives(self, at: Array) -> tuple[Array, Array]:
        """Gradient and Hessian."""
        scores = self.signs * (self.inputs @ at)
        small = np.exp(-np.abs(scores))
        wrong = np.where(scores > 0, small, 1.0) / (1 + small)
        gradient = self.inputs.T @ (-self.shares * self.signs * wrong) + 2 * self.penalty * at
        curvature = self.shares * small / (1 + small) ** 2
        hessian = self.inputs.T @ (curvature[:, None] * self.inputs)
        hessian.flat[:: len(at) + 1] += 2 * self.penalty
        return gradient, hessian


@dataclass(frozen=True, eq=False)
class SoftmaxLoss:
    """sum_i share_i (log sum_c exp(a_i.theta_c) - a_i.theta_(class of i)) + sum_cj penalty_j theta_cj^2.

    theta is (k, m) row by row in one vector (k m,). `chosen` (n, k) is 1 in the class of each row, `inputs`, `shares`
    and `penalty` are as in `BinaryLoss`. All offsets may grow by the same number without changing anything; here they
    add up to 0.
    """

    inputs: Array
    chosen: Array
    shares: Array
    penalty: Array

    def start(self) -> Array:
        """No weights; the offsets that are best without any."""
        offsets = np.log(self.shares @ self.chosen)
        weights = np.zeros((self.chosen.shape[1], self.inputs.shape[1] - 1))
        return np.column_stack((weights, offsets - offsets.mean())).ravel()

    def value(self, at: Array) -> float:
        """The loss."""
        theta = at.reshape(self.chosen.shape[1], -1)
        scores = self.inputs @ theta.T
        top = scores.max(axis=1)
        each = np.log(np.exp(scores - top[:, None]).sum(axis=1)) + top - (scores * self.chosen).sum(axis=1)
        return float(self.shares @ each + (theta**2 @ self.penalty).sum())

    def derivatives(self, at: Array) -> tuple[Array, Array]:
        """Gradient and Hessian, a term added to the latter that holds the sum of the offsets."""
        k, m = self.chosen.shape[1], self.inputs.shape[1]
        theta = at.reshape(k, m)
        P = softmax(self.inputs @ theta.T)
        gradient = (self.shares[:, None] * (P - self.chosen)).T @ self.inputs + 2 * self.penalty * theta
        hessian = self._curvature(P).reshape(k * m, k * m)
        hessian.flat[:: k * m + 1] += np.tile(2 * self.penalty, k)
        offsets = np.arange(m - 1, k * m, m)
        hessian[np.ix_(offsets, offsets)] += 1 / k
        return gradient.ravel(), hessian

    def _curvature(self, P: Array) -> Array:
        """The Hessian (k, m, k, m) of the loss alone: all blocks by one product of pairs of classes and of inputs."""
        n, k = P.shape
        m = self.inputs.shape[1]
        first, second = np.triu_indices(k)
        row, column = np.triu_indices(m)
        pairs = np.zeros((len(first), len(row)))
        step = max(1, BLOCK // max(len(first), len(row)))
        for at in range(0, n, step):
            some = slice(at, at + step)
            p, a = P[some], self.inputs[some]
            weights = self.shares[some, None] * p[:, first] * ((first == second) - p[:, second])
            pairs += weights.T @ (a[:, row] * a[:, column])
        blocks = np.empty((len(first), m, m))
        blocks[:, row, column] = blocks[:, column, row] = pairs
        hessian = np.empty((k, m, k, m))
        hessian[first, :, second, :] = blocks
        hessian[second, :, first, :] = blocks
        return hessian


def softmax(scores: Array) -> Array:
    """exp(scores) over its sum along the last axis, without overflow."""
    power = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(power / power.sum(axis=-1, keepdims=True))
