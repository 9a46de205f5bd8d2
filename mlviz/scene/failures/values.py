"""Where methods that predict values fail."""

from __future__ import annotations

from mlviz.data.generators.catalog import LinearRegression, SineRegression
from mlviz.scene.failures.failure import SAME, Failure, Setup
from mlviz.scene.failures.samples import on_the_left, twins, with_points

_LINE = LinearRegression(n_samples=25, noise=0.3)
_SINE = SineRegression(n_samples=40)

VALUES = (
    Failure(
        id="lever",
        title="A lever point",
        look="the point at the far right: it is one of many, and yet the line goes to it and leaves all others",
        clean=_LINE.generate,
        spoilt=with_points((12.0, -6.0)),
        breaks=(Setup("linear-regression"),),
        better=Setup("kernel-ridge", {"lambda_": 0.01}),
        task="regression",
    ),
    Failure(
        id="degree-9",
        title="Degree 9 on ten points",
        look="the curve between the points: it goes through each of them, and swings wildly in between",
        clean=SineRegression(n_samples=10, period=7.0, seed=3).generate,
        breaks=(Setup("linear-regression", {"basis": "polynomial", "degree": 9}),),
        better=Setup(SAME, {"penalty": "L2", "lambda_": 0.001}),
        task="regression",
        seed=3,
    ),
    Failure(
        id="wave",
        title="A line on a wave",
        look="the residuals: they are above, below and above again, which no noise would be",
        clean=_SINE.generate,
        breaks=(Setup("linear-regression"),),
        better=Setup("kernel-ridge"),
        task="regression",
    ),
    Failure(
        id="twins",
        title="Two inputs that are the same",
        look="the shades: they change steeply across the line of points, where no sample holds them, and |w| is huge",
        clean=twins(30, 0.003, 0.5),
        breaks=(Setup("linear-regression"),),
        better=Setup(SAME, {"penalty": "L2", "lambda_": 0.01}),
        task="regression",
        inputs=("x1", "x2"),
    ),
    Failure(
        id="no-penalty",
        title="A kernel without a penalty",
        look="the curve: it swings from point to point, noise and all",
        clean=_SINE.generate,
        breaks=(Setup("kernel-ridge", {"lambda_": 1e-12, "sigma": 0.3}),),
        better=Setup(SAME, {"lambda_": 0.01, "sigma": 1.0}),
        task="regression",
    ),
    Failure(
        id="beyond",
        title="Beyond the samples",
        look="the right half, where there are no samples: the curve does not go on as it came",
        clean=on_the_left(LinearRegression(n_samples=60, noise=0.3).generate, 0.5),
        breaks=(Setup("knn"), Setup("parzen"), Setup("kernel-ridge")),
        better=Setup("linear-regression"),
        task="regression",
        limits=(-4.0, 4.0, -4.0, 4.0),
    ),
    Failure(
        id="waves-on-a-line",
        title="A Fourier series on a line",
        look="the ends of the curve: after one period it is back where it began, and so it leaves the line there",
        clean=_LINE.generate,
        breaks=(Setup("linear-regression", {"basis": "Fourier", "n_frequencies": 4, "period": 8.0}),),
        better=Setup(SAME, {"basis": "linear"}),
        task="regression",
    ),
)
