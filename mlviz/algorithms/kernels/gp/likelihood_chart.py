"""The marginal likelihood over two hyperparameters, as contours, and where it is largest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.kernels.gp.likelihood_lines import likelihood_lines
from mlviz.algorithms.kernels.gp.model import GaussianProcessModel
from mlviz.algorithms.kernels.gp.settings import GaussianProcessSettings
from mlviz.draw.layer import Context, chart
from mlviz.draw.marks import Mark, Points
from mlviz.draw.numbers import drawn_part, number
from mlviz.draw.plot import Area, Handle, Limits, Plot
from mlviz.numerics.arrays import Array, Rows, to_digits
from mlviz.numerics.kernels.marginal_likelihood import Likeliest, Search
from mlviz.numerics.sampling import spread_subsample
from mlviz.spec.brief import Brief

MOST_SAMPLES = 200
"""The likelihood of more is that of so many: each width takes the cube of their number."""
_FEW, _WIDTHS = 100, (24, 15)
"""With so few samples there are more widths than with many."""
_NOISES = 41
_HANDLED = 121
"""Values to which a hyperparameter can be dragged."""
_POWERS = {"gaussian": 2.0, "laplacian": 1.0, "exponential": 1.0}
"""How -log k goes with the inverse of the width."""
RANGES = {"sigma": (0.05, 20.0), "signal_variance": (0.01, 100.0), "noise_variance": (1e-4, 10.0)}
"""From where to where the plot goes at the least: the ends of the sliders."""
_RATIOS = 1e-6, 1e3
"""Between which multiples of the signal variance the noise variance is looked for where both are free."""
_TOO_SMALL = 1e-100
"""Nothing is told of targets whose squares are smaller, or larger than its inverse."""
_AT_END = 1e-4
"""What is nearer to an end than this share of it is at the end."""
_DIGITS = 5
"""So many digits of a hyperparameter are adopted: the likelihood of hundreds of samples is the same to 1e-6."""
_NEAR = 0.1
"""A click so near to a maximum, in powers of ten, adopts it."""


@dataclass(frozen=True, eq=False)
class _Surface(Brief):
    """The likelihood at values of one hyperparameter `across` and of the noise variance, and where it is largest."""

    across: str
    """The hyperparameter's name: sigma, or signal_variance where the kernel has no width."""
    x: Array
    noise: Array
    values: Array
    """(len(noise), len(x))."""
    best: Likeliest
    best_is_inside: bool
    """Whether it falls on all sides of the likeliest values, so that no end of what was searched is in the way."""
    free: Likeliest | None = None
    """The likeliest of all three, the signal variance as well; None for kernels without width, or out of range."""
    free_is_inside: bool = False
    """The same of these."""

    @property
    def best_place(self) -> tuple[float, float]:
        """The likeliest values."""
        across = self.best.signal if self.best.width is None else self.best.width
        return to_digits(across, _DIGITS), to_digits(self.best.noise, _DIGITS)


@chart("likelihood", "marginal likelihood")
def likelihood_chart(model: GaussianProcessModel, context: Context) -> Plot | None:
    """Lines of equal likelihood over the kernel's width, or else the signal variance, and the noise variance."""
    rows = spread_subsample(model.X, MOST_SAMPLES)
    if len(rows) < 2 or not np.isfinite(model.evidence.value):
        return None
    surface = surface_of(model, rows)
    if surface is None:
        return None
    settings = context.algorithm
    name = settings.parameter(surface.across).label
    now, best = (getattr(settings, surface.across), settings.noise_variance), surface.best_place
    inside, told = surface.best_is_inside, _told(name, *best)
    marks = (
        *likelihood_lines(surface.x, surface.noise, surface.values, surface.best.log_likelihood),
        Points("now", np.array([now]), label="present values"),
        Points("likeliest", np.array([best]), label=f"{'largest' if inside else 'largest in sight'}: {told}"),
        *_of_all_three(surface, name),
    )
    limits: Limits = (float(surface.x[0]), float(surface.x[-1]), float(surface.noise[0]), float(surface.noise[-1]))
    some = "" if len(rows) == len(model.X) else f", {drawn_part(len(rows), len(model.X))}"
    return Plot(
        "likelihood",
        f"Log marginal likelihood{some}",
        "width σ of the kernel" if surface.across == "sigma" else "signal variance",
        "noise variance",
        marks,
        limits,
        x_scale="log",
        y_scale="log",
        handles=_handles(surface, now, name),
        areas=tuple(_areas(surface, name)),
    )


def surface_of(model: GaussianProcessModel, rows: Rows) -> _Surface | None:
    """The likelihood of some of the samples, by rows; None where there is nothing to be told."""
    settings, origin = model.settings, model.expansion.origin
    places, r, weights = model.X[rows] - origin, model.y[rows] - model.expansion.offset, model.weights[rows]
    square = float(weights @ r**2 / weights.sum())
    if not _TOO_SMALL < square < 1 / _TOO_SMALL:
        return None
    power, signal = _POWERS.get(settings.kernel), settings.signal_variance
    noise = _values(settings, "noise_variance", _NOISES, *_decades(square / 100, 2 * square))
    if power is None:
        search = Search(lambda width: model.expansion.kernel.matrix(places, places), r, weights, None)
        spectrum = search.spectrum(1.0)
        best = search.likeliest(None, np.ones(1), [spectrum], _RATIOS)
        noise = np.union1d(noise, np.clip(best.noise, *settings.parameter("noise_variance").valid))
        x = _values(settings, "signal_variance", _NOISES, best.signal)
        values = np.array([spectrum.log_likelihood(s, noise) for s in x]).T
        in_sight = x[0] <= best.signal <= x[-1] and noise[0] <= best.noise <= noise[-1]
        if not in_sight or values.max() > best.log_likelihood:
            # It can't be set, or is at an end of the ratios: the likeliest of what can be seen takes its place.
            i, j = np.unravel_index(int(values.argmax()), values.shape)
            slope = spectrum.slope_in_noise(float(x[j]), float(noise[i]))
            best = Likeliest(None, float(x[j]), float(noise[i]), float(values[i, j]), slope)
        inside = _is_between(best.signal, x) and _is_between(best.noise, noise)
        return _Surface("signal_variance", x, noise, values, best, inside)
    search = Search(
        lambda width: settings.replace(sigma=width).kernel_function().matrix(places, places), r, weights, power
    )
    reach = float(np.ptp(places, axis=0).max())
    usual = RANGES["sigma"]
    unusual = _decades(reach / 100, reach) if reach > 0 and not usual[0] < reach / 2 < usual[1] else ()
    x = _values(settings, "sigma", _WIDTHS[len(rows) > _FEW], *unusual)
    spectra = {width: search.spectrum(width) for width in x.tolist()}
    noises = float(noise[0]), float(noise[-1])
    best = search.likeliest(signal, x, list(spectra.values()), noises)
    # Whatever is possible with the present signal variance is so with a free one.
    ratios = min(_RATIOS[0], noises[0] / signal), max(_RATIOS[1], noises[1] / signal)
    free = search.likeliest(None, x, list(spectra.values()), ratios)
    if not noises[0] < free.noise < noises[1]:
        noise = _values(settings, "noise_variance", _NOISES, *noises, *_decades(free.noise, free.noise))
    assert best.width is not None
    assert free.width is not None
    spectra.setdefault(best.width, search.spectrum(best.width))
    x, noise = np.union1d(x, best.width), np.union1d(noise, best.noise)
    values = np.array([spectra[width].log_likelihood(signal, noise) for width in x]).T
    inside = _is_between(best.width, x) and _is_between(best.noise, noises)
    free_inside = _is_between(free.width, x) and _is_between(free.noise / free.signal, ratios)
    can_be_set = _is_valid(settings, "signal_variance", free.signal) and _is_valid(
        settings, "noise_variance", free.noise
    )
    return _Surface("sigma", x, noise, values, best, inside, free if can_be_set else None, free_inside)


def _is_valid(settings: GaussianProcessSettings, name: str, value: float) -> bool:
    least, most = settings.parameter(name).valid
    return (least is None or least <= value) and (most is None or value <= most)


def _is_between(value: float, rising: Array | tuple[float, float]) -> bool:
    """Whether a value is away from the ends of rising ones, which a search comes near to only."""
    return bool(rising[0] * (1 + _AT_END) < value < rising[-1] * (1 - _AT_END))


def _of_all_three(surface: _Surface, name: str) -> Iterator[Mark]:
    """Where the likelihood is largest once the signal variance is free, too."""
    free = surface.free
    if free is None or free.width is None:
        return
    which = "largest of all three" if surface.free_is_inside else "largest in sight of all three"
    width, noise = to_digits(free.width, _DIGITS), to_digits(free.noise, _DIGITS)
    told = f"{which}: {_told(name, width, noise, free.signal)}"
    yield Points("likeliest of all", np.array([[width, noise]]), label=told)


def _values(settings: GaussianProcessSettings, name: str, count: int, *held: float) -> Array:
    """Values of a hyperparameter, rising, over its slider and what else is to be in sight: its present one, others."""
    (soft_low, soft_high), present = RANGES[name], float(getattr(settings, name))
    (least, most), others = settings.parameter(name).valid, (present, *held)
    low, high = min(soft_low, *others), max(soft_high, *others)
    ends = max(low, least or low), min(high, most or high)
    return np.asarray(np.union1d(np.geomspace(*ends, count), present))


def _decades(low: float, high: float) -> tuple[float, float]:
    """Powers of ten around both: they stay while a sample moves a little."""
    low, high = max(low, _TOO_SMALL), max(high, _TOO_SMALL)
    return 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))


def _handles(surface: _Surface, now: tuple[float, float], name: str) -> tuple[Handle, ...]:
    """Upright and level lines at the present values, which can be moved."""
    widths, noises = _steps(surface.x, now[0]), _steps(surface.noise, now[1])
    across, up = np.full(len(noises), now[0]), np.full(len(widths), now[1])
    at, level = int(np.searchsorted(widths, now[0])), int(np.searchsorted(noises, now[1]))
    return (
        Handle(f"algorithm.{surface.across}", np.column_stack((widths, up)), widths, at, name, "upright"),
        Handle("algorithm.noise_variance", np.column_stack((across, noises)), noises, level, "noise variance", "level"),
    )


def _steps(values: Array, now: float) -> Array:
    """Many values between the ends of some, the present one among them."""
    between = np.geomspace(values[0], values[-1], _HANDLED)[1:-1]
    return np.unique(np.concatenate((values[:1], between, [now], values[-1:])))


def _areas(surface: _Surface, name: str) -> Iterator[Area]:
    """All of the plot, and its maximum: what is clicked is adopted."""
    x, y = (_edges(values).tolist() for values in (surface.x, surface.noise))
    # There are a thousand cells: what is told of a column or a row of them is written once.
    columns = [(f"{name} = {number(value)}", _adopted(surface.across, value)) for value in surface.x.tolist()]
    rows = [(_told_noise(value), _adopted("noise_variance", value)) for value in surface.noise.tolist()]
    for i, (of_x, set_x) in enumerate(columns):
        for j, (of_noise, set_noise) in enumerate(rows):
            told = f"{of_x}, {of_noise}: {_told_likelihood(float(surface.values[j, i]))}"
            yield Area((x[i], x[i + 1], y[j], y[j + 1]), told, settings=(set_x, set_noise))
    best, reach = surface.best_place, 10**_NEAR
    limits = best[0] / reach, best[0] * reach, best[1] / reach, best[1] * reach
    yield _area(surface, best, limits, name, surface.best.log_likelihood)
    free = surface.free
    if free is not None and free.width is not None:
        limits = free.width / reach, free.width * reach, free.noise / reach, free.noise * reach
        yield _area(surface, (free.width, free.noise), limits, name, free.log_likelihood, free.signal)


def _area(
    surface: _Surface,
    values: tuple[float, float],
    limits: Limits,
    name: str,
    likelihood: float,
    signal: float | None = None,
) -> Area:
    told = f"{_told(name, *values, signal)}: {_told_likelihood(likelihood)}"
    settings = {surface.across: values[0], "noise_variance": values[1]}
    if signal is not None:
        settings["signal_variance"] = signal
    return Area(limits, told, settings=tuple(_adopted(key, value) for key, value in settings.items()))


def _adopted(name: str, value: float) -> tuple[str, float]:
    return f"algorithm.{name}", to_digits(value, _DIGITS)


def _edges(values: Array) -> Array:
    """Where the cells about rising values (m,) end, half way on a logarithmic axis: (m + 1,)."""
    middle = np.sqrt(values[1:] * values[:-1])
    return np.concatenate((values[:1], middle, values[-1:]))


def _told(name: str, x: float, noise: float, signal: float | None = None) -> str:
    of_signal = "" if signal is None else f", signal variance = {number(signal)}"
    return f"{name} = {number(x)}{of_signal}, {_told_noise(noise)}"


def _told_noise(noise: float) -> str:
    return f"noise variance = {number(noise)}"


def _told_likelihood(likelihood: float) -> str:
    return f"log marginal likelihood {number(likelihood, 4)}"
