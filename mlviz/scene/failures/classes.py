"""Where classifiers fail."""

from mlviz.data.generators.catalog import Circles, Moons, TwoGaussians, Xor
from mlviz.scene.failures.failure import SAME, Failure, Setup
from mlviz.scene.failures.samples import gaussians, rounded, stretched, with_points

_GAUSSIAN = Setup("svm", {"kernel": "gaussian"})
_NARROW = {"sigma": 0.12}
_LINES = (
    Setup("perceptron"),
    Setup("logistic"),
    Setup("lda"),
    Setup("svm", {"kernel": "linear"}),
    Setup("rls-classifier"),
    Setup("nearest-centroid"),
    Setup("l1-svm"),
    Setup("svm-sgd"),
)
"""Every method whose boundary is a straight line."""
_APART = TwoGaussians(x_1=-1.0, y_1=0.0, sigma=0.4, x_2=1.0, y_2=0.0, sigma_2=0.4, n_samples=40)
_OVERLAP = TwoGaussians(sigma=1.2, sigma_2=1.2, n_samples=120)
_CLOSE = TwoGaussians(sigma=1.5, sigma_2=1.5, n_samples=120)
_FAR_RIGHT = (
    (9.0, -5.0),
    (9.3, -5.4),
    (9.6, -5.8),
    (9.9, -5.0),
    (10.2, -5.4),
    (10.5, -5.8),
    (10.8, -5.0),
    (11.1, -5.4),
)
_FAR_WRONG = ((8.0, 3.5), (8.3, 3.9), (7.8, 3.8), (8.4, 3.4), (8.1, 3.0))
_UNITS = stretched(TwoGaussians(x_1=-1.2, y_1=0, x_2=1.2, y_2=0, sigma=0.6, sigma_2=0.6, n_samples=80).generate, 1, 100)
_RARE = TwoGaussians(x_1=-0.8, y_1=-0.5, x_2=0.8, y_2=0.5, sigma=0.9, sigma_2=0.9, n_samples=220, imbalance=15.0)

CLASSES = (
    Failure(
        id="far-and-right",
        title="Points far on the right side",
        look="the gap between the classes: the far points are right already, yet they turn the line into their class",
        clean=gaussians((50, (-0.7, 0.7), (1.2, 0.35), 45), (50, (0.7, -0.7), (1.2, 0.35), 45)),
        spoilt=with_points(*_FAR_RIGHT, label=1),
        breaks=(Setup("lda"), Setup("rls-classifier"), Setup("nearest-centroid")),
        better=Setup("logistic"),
    ),
    Failure(
        id="far-and-wrong",
        title="A few wrong labels far away",
        look="the far points of the wrong class: each pulls the more the farther it is, and turns the whole line",
        clean=_APART.generate,
        spoilt=with_points(*_FAR_WRONG, label=0),
        breaks=(
            Setup("logistic"),
            Setup("svm", {"kernel": "linear"}),
            Setup("l1-svm"),
            Setup("svm-sgd"),
            Setup("lda"),
            Setup("rls-classifier"),
            Setup("perceptron"),
        ),
        better=_GAUSSIAN,
    ),
    Failure(
        id="xor",
        title="Exclusive or",
        look="the errors: wherever a line lies, at least one of the four clouds is on the wrong side of it",
        clean=Xor(n_samples=120).generate,
        breaks=(*_LINES, Setup("naive-bayes")),
        better=_GAUSSIAN,
    ),
    Failure(
        id="same-mean",
        title="Classes around the same mean",
        look="the two means: they coincide, so that nothing is left of what tells the classes apart",
        clean=Circles(n_samples=120, factor=0.2).generate,
        breaks=(Setup("lda"), Setup("nearest-centroid")),
        better=Setup("qda"),
    ),
    Failure(
        id="units",
        title="One input in small units",
        look="the numbers at the axes: x2 is in units a hundred times smaller, so that distance is x2 alone",
        clean=_UNITS,
        breaks=(
            Setup("knn"),
            Setup("parzen"),
            *(
                Setup(name, {"kernel": "gaussian"})
                for name in ("svm", "smo", "kernel-logistic", "kernel-rls", "kernel-perceptron")
            ),
            Setup("nearest-centroid"),
        ),
        better=Setup(SAME, preprocessing="standardize"),
        equal=False,
    ),
    Failure(
        id="rare-class",
        title="A rare class",
        look="the rare class: much of it lies on the wrong side, and the training error is small all the same",
        clean=_RARE.generate,
        breaks=(
            Setup("logistic"),
            Setup("svm", {"kernel": "linear"}),
            Setup("lda"),
            Setup("qda"),
            Setup("naive-bayes"),
            Setup("knn", {"n_neighbors": 15}),
            Setup("parzen", {"width": 1.5}),
            Setup("rls-classifier"),
            Setup("l1-svm"),
            Setup("svm-sgd"),
            Setup("kernel-logistic", {"lambda_": 0.1}),
        ),
        better=Setup(SAME, balance="balanced"),
    ),
    Failure(
        id="wrong-labels",
        title="Wrong labels",
        look="the islands: each is a single wrong label, and the training error of 0 says nothing",
        clean=Moons(n_samples=160, label_noise=0.2).generate,
        breaks=(Setup("knn", {"n_neighbors": 1}),),
        better=Setup(SAME, {"n_neighbors": 15}),
    ),
    Failure(
        id="slanted",
        title="Slanted classes",
        look="the ellipses: they are parallel to the axes, since the inputs count as independent; the points slope",
        clean=gaussians((60, (-0.6, 0.6), (1.8, 0.3), 45), (60, (0.6, -0.6), (1.8, 0.3), 45)),
        breaks=(Setup("naive-bayes"),),
        better=Setup("lda"),
    ),
    Failure(
        id="elongated-classes",
        title="Elongated classes",
        look="the line: it is perpendicular to that between the two centres, and cuts off the ends of both classes",
        clean=gaussians((60, (-0.9, 0.4), (2.0, 0.3), 30), (60, (0.9, -0.4), (2.0, 0.3), 30)),
        breaks=(Setup("nearest-centroid"),),
        better=Setup("lda"),
    ),
    Failure(
        id="few-samples",
        title="Three samples per class",
        look="the ellipses: three points do not tell a covariance, and the boundary bends after them",
        clean=TwoGaussians(sigma=1.0, sigma_2=1.0, n_samples=6).generate,
        breaks=(Setup("qda"),),
        better=Setup("lda"),
        seed=1,
    ),
    Failure(
        id="overlap",
        title="Overlapping classes",
        look="the line while the steps are played: it never comes to rest, and where it ends is chance",
        clean=_CLOSE.generate,
        breaks=(Setup("perceptron", {"order": "given order"}), Setup("kernel-perceptron")),
        better=Setup("logistic"),
    ),
    Failure(
        id="narrow-kernel",
        title="A kernel that is too narrow",
        look="the islands: each sample knows only itself, and between them nothing is known",
        clean=_OVERLAP.generate,
        breaks=tuple(
            Setup(name, {"kernel": "gaussian", **_NARROW})
            for name in ("svm", "smo", "kernel-logistic", "kernel-rls", "kernel-perceptron")
        ),
        better=Setup("svm", {"kernel": "gaussian", "sigma": 2.0}),
    ),
    Failure(
        id="narrow-window",
        title="A window that is too narrow",
        look="the patches: each sample has one of its own, and the rest of the plane follows the nearest of them",
        clean=_CLOSE.generate,
        breaks=(Setup("parzen", {"width": 0.05}),),
        better=Setup(SAME, {"width": 1.0}),
    ),
    Failure(
        id="large-step",
        title="A step that is too large",
        look="the line while the steps are played: it jumps to and fro, each step beyond the valley",
        clean=_OVERLAP.generate,
        breaks=(Setup("logistic", {"solver": "SGD", "learning_rate": 100.0, "lambda_": 0.01}),),
        better=Setup(SAME, {"solver": "Newton"}),
    ),
    Failure(
        id="large-first-steps",
        title="Steps of 1/(λt) with a tiny λ",
        look="the line: its first steps are huge, and those that are left are too few and too small to mend it",
        clean=_OVERLAP.generate,
        breaks=(Setup("svm-sgd", {"lambda_": 1e-6, "average": False, "max_iter": 1}),),
        better=Setup(SAME, {"lambda_": 0.01, "average": True, "max_iter": 20}),
        seed=1,
    ),
    Failure(
        id="heavy-penalty",
        title="A penalty that is too heavy",
        look="the weights among the facts: all of them are 0, and nothing tells the classes apart any more",
        clean=_OVERLAP.generate,
        breaks=(Setup("l1-svm", {"lambda_": 3.0}), Setup("logistic", {"penalty": "L1", "lambda_": 3.0})),
        better=Setup(SAME, {"lambda_": 0.01}),
    ),
    Failure(
        id="duplicates",
        title="The same place, another class",
        look="the places where points of both classes lie on each other: one of them alone decides, by chance",
        clean=rounded(_OVERLAP.generate, 1.0),
        breaks=(Setup("knn", {"n_neighbors": 1}),),
        better=Setup(SAME, {"n_neighbors": 15}),
    ),
)
