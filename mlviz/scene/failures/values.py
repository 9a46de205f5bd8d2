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
        breaks=(Setup("linear-regression"), Setup("quantile-regression")),
        better=Setup("kernel-ridge"),
        task="regression",
    ),
    Failure(
        id="outlier",
        title="One wrong target",
        look="the point at the top: squares let it lift the whole line; other losses hardly notice it",
        clean=_LINE.generate,
        spoilt=with_points((3.5, 14.0)),
        breaks=(Setup("lp-regression", {"power": 2.0}),),
        better=Setup(SAME, {"power": 1.0}),
        task="regression",
        equal=False,
    ),
    Failure(
        id="sure",
        title="Sure of a line on a wave",
        look="the inner band: it is narrow, and yet the truth runs out of it",
        clean=_SINE.generate,
        breaks=(Setup("bayesian-linear"),),
        better=Setup(SAME, {"basis": "polynomial", "degree": 7, "tau": 10.0}),
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
        breaks=(
            Setup("kernel-ridge", {"lambda_": 1e-12, "sigma": 0.3}),
            Setup("quantile-regression", {"function": "kernel", "lambda_": 1e-6, "sigma": 0.3}),
        ),
        better=Setup(SAME, {"lambda_": 0.01, "sigma": 1.0}),
        task="regression",
    ),
    Failure(
        id="sure-of-noise",
        title="Too little noise",
        look="the curve and its band: it chases each point, and is sure of that, where there is nothing but noise",
        clean=_SINE.generate,
        breaks=(Setup("gp", {"noise_variance": 1e-4, "sigma": 0.3}),),
        better=Setup(SAME, {"noise_variance": 0.1, "sigma": 1.0}),
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
        id="outliers",
        title="Outliers",
        look="the line: a few samples at the top left lift it there, and it leaves all others on one side",
        clean=_LINE.generate,
        spoilt=with_points((-3.4, 3.2), (-3.2, 3.5), (-3.0, 3.1), (-2.8, 3.4)),
        breaks=(Setup("linear-regression"),),
        better=Setup("quantile-regression"),
        task="regression",
    ),
    Failure(
        id="wide-tube",
        title="A tube that is too wide",
        look="the curve: it is flatter than the wave, since nothing within the tube draws it up or down",
        clean=_SINE.generate,
        breaks=(Setup("svr", {"epsilon": 1.5}),),
        better=Setup(SAME, {"epsilon": 0.3}),
        task="regression",
    ),
)
