"""The lines that give a Gaussian mixture with scikit-learn."""

from __future__ import annotations

from mlviz.algorithms.base import Code, format_array
from mlviz.algorithms.clustering.gmm.model import GaussianMixtureModel

_SHAPES = {
    "full": "covariances",
    "diagonal": "[np.diag(C) for C in covariances]",
    "spherical": "[C[0, 0] for C in covariances]",
    "tied": "covariances[0]",
}
"""What scikit-learn knows of the covariances of each kind that it has."""


def mixture_code(model: GaussianMixtureModel) -> Code | None:
    """GaussianMixture, started from the model: from elsewhere it may end elsewhere. It knows soft EM and four kinds."""
    kind = {"diagonal": "diag"}.get(model.covariance_type, model.covariance_type)
    if model.hard or model.covariance_type not in _SHAPES:
        return None
    invert = "np.linalg.inv" if kind in ("full", "tied") else "np.reciprocal"
    shapes = _SHAPES[model.covariance_type]
    start = f"weights_init=weights, means_init=means, precisions_init={invert}({shapes})"
    matrices = ",\n    ".join(map(format_array, model.covariances))
    how = f'covariance_type="{kind}", tol=1e-10, reg_covar=0, max_iter=1000'
    return Code(
        ("from sklearn.mixture import GaussianMixture",),
        (f"GaussianMixture({len(model.weights)}, {how},\n    {start})",),
        (
            f"weights = {format_array(model.weights)}",
            f"means = {format_array(model.means)}",
            f"covariances = np.array([\n    {matrices}])",
        ),
        "lower_bound_",
    )
