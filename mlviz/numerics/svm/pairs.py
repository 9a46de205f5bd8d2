"""Sequential minimal optimization, a rough start for `mlviz.numerics.svm.active_set`, whose program it solves.

Two variables move at a time, so that the sum stays. Platt (1998); the pair by Fan, Chen and Lin, JMLR 6 (2005)
1889-1918.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlviz.numerics.arrays import Array

_CHUNK = 400
"""Steps between two starts that are yielded."""
_PAUSE = 300_000
"""After steps that looked at so many variables there is a pause: 2 ms."""
_KEPT = 1_000_000
"""How many curvatures of pairs are kept at most: the same variables move again and again."""


def smo(
    K: Array,
    t: Array,
    lo: Array,
    hi: Array,
    tolerance: float = 1e-2,
    start: Array | None = None,
    most: int | None = None,
    epsilon: float = 0.0,
) -> Generator[Array | None, None, tuple[Array, bool]]:
    """Yield feasible b (n,), each better than the last, up to 3 n or `most` steps from a feasible one; bounds as there.

    Returns the last one, and whether no pair gains more than the tolerance there. Without a start it is 0:
    lo <= 0 <= hi. With many variables None comes in between, a pause. With an `epsilon` the objective has epsilon |b|
    as well, added up, and no step leads across 0.
    """
    n = len(t)
    beta = np.zeros(n) if start is None else start.copy()
    slope, diagonal = t.copy() if start is None else t - beta @ K, K.diagonal()
    up = np.where(beta < hi, np.where(beta >= 0, -epsilon, epsilon), -np.inf)
    down = np.where(beta > lo, np.where(beta > 0, -epsilon, epsilon), np.inf)
    pause, near, gain, score = max(1, _PAUSE // n), False, np.empty(n), np.empty(n)
    softness: dict[int, Array] = {}  # the roots of 1 / curvature
    for step in range(1, (3 * n if most is None else most) + 1):
        np.add(slope, up, out=gain)
        i = int(gain.argmax())
        np.subtract(gain.item(i), slope, out=gain)
        gain -= down
        if i not in softness:
            if len(softness) * n > _KEPT:
                softness.clear()
            softness[i] = 1 / np.sqrt(np.maximum(diagonal + diagonal[i] - 2 * K[i], 1e-12))
        soft = softness[i]
        np.multiply(gain, soft, out=score)  # the root of what the pair gains, but for its sign
        j = int(score.argmax())
        near = gain.item(j) <= tolerance and gain.item(gain.argmax()) <= tolerance
        if near:
            break
        of_i, of_j = beta.item(i), beta.item(j)
        top = 0.0 if epsilon and of_i < 0 else hi.item(i)
        bottom = 0.0 if epsilon and of_j > 0 else lo.item(j)
        move = min(gain.item(j) * soft.item(j) ** 2, top - of_i, of_j - bottom)
        of_i, of_j = min(of_i + move, top), max(of_j - move, bottom)
        for k, b in ((i, of_i), (j, of_j)):
            beta[k] = b
            up[k] = (-epsilon if b >= 0 else epsilon) if b < hi.item(k) else -np.inf
            down[k] = (-epsilon if b > 0 else epsilon) if b > lo.item(k) else np.inf
        np.subtract(K[i], K[j], out=score)
        score *= move
        slope -= score
        if step % _CHUNK == 0:
            yield beta.copy()
        elif step % pause == 0:
            yield None
    yield beta
    return beta, near
