"""Gaussian naive Bayes: inputs that are independent within a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Code
from mlviz.algorithms.gaussian.gaussian_classes import GaussianClassesModel, GaussianClassifier
from mlviz.algorithms.traits import Trial
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_density import ClassMoments


@dataclass(frozen=True)
class NaiveBayes(GaussianClassifier):
    """Each class is a Gaussian whose inputs do not depend on each other.

    Given the class k, every input is taken to be normal by itself, so that the density is a product:

        P(k | x) ∝ πₖ ∏ⱼ N(xⱼ; μₖⱼ, σₖⱼ²)

    Mean and variance of an input are those of the class's samples (divided by their number, which maximises the
    likelihood). That is the Gaussian Bayes classifier with a diagonal covariance: 2 d numbers per class instead of
    d (d + 3) / 2, which few samples can tell also where there are many inputs. It is naive: inputs that go together
    are counted as if each were news, so that the probabilities come out too sure; the likeliest class is often the
    right one all the same. A prior πₖ adds its logarithm to the score of its class.

    In the picture: a cross is the mean of a class, its ellipses are 1 and 2 standard deviations from there, their axes
    always parallel to those of the plot: turn a long cloud of samples by 45° and see them miss it. The solid line is
    where two classes are equally probable, the shade is by how much the likeliest one leads. Ringed samples are
    outliers: the density p(x) of all classes together is lower there than at all but a share of the samples that the
    model itself would draw; the dotted line is where that begins.

    Where an input does not vary within a class, it gets the least width, a thousandth of the spread within the classes,
    and the caption says so.

    Reference: D. Hand, K. Yu, Idiot's Bayes: not so stupid after all?, 2001, doi:10.1111/j.1751-5823.2001.tb00465.x.
    """

    id = "naive-bayes"
    label = "Gaussian naive Bayes"
    main = "outlier_share"
    trials = (Trial("ellipses that lie along the axes, whatever the points do", "moons"),)

    def shapes(self, moments: ClassMoments) -> Array:
        """Each class its own variances, and nothing beside them."""
        return np.asarray(moments.covariances * np.eye(moments.covariances.shape[-1]))

    def n_parameters(self, k: int, d: int) -> int:
        """A mean and a variance for each input and class."""
        return 2 * k * d

    def code(self, model: GaussianClassesModel) -> Code | None:
        """GaussianNB, without what it adds to all variances."""
        priors = self.priors_code(model)
        if priors is None or model.caveat:
            return None
        given = ", ".join(filter(None, (priors, "var_smoothing=0")))
        return Code(("from sklearn.naive_bayes import GaussianNB",), (f"GaussianNB({given})",))
