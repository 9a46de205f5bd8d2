"""The place whose image under a Gaussian kernel is nearest to a sum of images of samples.

Mika, Schölkopf, Smola, Müller, Scholz and Rätsch, Kernel PCA and de-noising in feature spaces, NIPS 11 (1999) 536-542.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.grid import far_away

_ROUNDS = 300
_SETTLED = 1e-9
"""A step shorter than this, in units of sigma, is none."""
_HALVINGS = 20


@far_away
def gaussian_pre_image(sigma: float, centers: Array, coef: Array, start: Array) -> Array | None:
    """The place z (d,) with the least |phi(z) − sum_s coef_s phi(p_s)|², uphill from the start; one of several maybe.

    All images are 1 long, so that g(z) = sum_s coef_s k(z, p_s) is to be as large as possible. Each step goes to the
    mean of the centers (m, d), weighted by their terms in g, or half as far until g does not fall. None where g is not
    above 0 on the way, or has not settled.
    """

    def terms_at(place: Array) -> Array:
        return np.asarray(coef * np.exp(-0.5 * (((centers - place) / sigma) ** 2).sum(axis=1)))

    z, terms = start, terms_at(start)
    for _ in range(_ROUNDS):
        height = float(terms.sum())
        if not height > 0:
            return None
        step = terms @ centers / height - z
        if float(np.linalg.norm(step)) <= _SETTLED * sigma:
            return z
        for _ in range(_HALVINGS):
            further = terms_at(z + step)
            if float(further.sum()) >= height:
                break
            step = step / 2
        z, terms = z + step, further
    return None
