"""What is drawn of Gaussian process regression: functions drawn at random, deviations, covariances, the likelihood."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from mlviz.algorithms.kernels.gp import GaussianProcess
from mlviz.algorithms.kernels.gp.likelihood_chart import MOST_SAMPLES, surface_of
from mlviz.algorithms.kernels.gp.model import SEEN, SEEN_IN_MOTION
from mlviz.algorithms.kernels.gp.pictures import CURVE_NODES, CURVES, std_field
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field, Lines, Polygons
from mlviz.numerics.grid import Grid
from mlviz.numerics.quantiles import half_width
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import each, share, trials

LIMITS = (-4.0, 4.0, -4.0, 4.0)


def wave(n=30, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + 0.3 * rng.normal(size=n)


def scene_of(X, y, seed=0, hidden=(), **values):
    columns = ("x1", "x2") if X.shape[1] == 1 else ("x1", "x2", "value")
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), columns)
    panel = Panel(Pipeline(GaussianProcess(**values)), inputs=columns[:-1], target=columns[-1], hidden=hidden)
    return Scene(data, (panel,), seed, View(limits=LIMITS, equal=False))


def picture_of(scene, parts="all"):
    (picture,) = draw(scene, [(300, 240)], 40, parts)
    return picture


def mark(picture, role):
    (found,) = (one for one in picture.plot.marks if one.role == role)
    return found


def curves_of(scene):
    """The functions drawn at random, (CURVES, CURVE_NODES)."""
    y = mark(picture_of(scene, "canvas"), "drawn function").xy[:, 1]
    return np.append(y, np.nan).reshape(CURVES, CURVE_NODES + 1)[:, :-1]


def test_before_the_first_sample_there_is_the_prior():
    empty = Scene(Dataset.empty(), scene_of(*wave(), signal_variance=4.0).panels, 0, View(limits=LIMITS, equal=False))
    picture = picture_of(empty)
    assert picture.message == "There are no samples yet."
    assert {one.label.replace("\u00a0", "") for one in picture.plot.marks} == {
        "95% band of the function",
        "95% band of a new target",
        f"{CURVES} functions drawn from the prior",
        "mean of the prior",
    }
    band = mark(picture, "band")
    assert isinstance(band, Polygons)
    assert np.abs(band.vertices[0][:, 1]) == pytest.approx(2 * half_width(0.95))
    many = np.concatenate([curves_of(empty.replace(seed=seed)) for seed in range(40)])
    assert many.std() == pytest.approx(2.0, rel=0.1)
    hidden = empty.replace(panels=(scene_of(*wave(), hidden=("functions",)).panels[0],))
    assert picture_of(hidden).plot.marks == ()
    refused = scene_of(*wave(), kernel="expression", expression="linear - gaussian(1)").panels
    assert picture_of(empty.replace(panels=refused)).plot.marks == ()


def test_functions_follow_a_sample_that_is_dragged():
    X, y = wave()
    before, (first, *others) = curves_of(scene_of(X, y)), X
    far = curves_of(scene_of(np.vstack((first + 1.0, *others)), y))
    steps = [before]
    for t in np.linspace(0, 1, 21)[1:]:
        steps.append(curves_of(scene_of(np.vstack((first + t, *others)), y)))
    np.testing.assert_allclose(steps[-1], far, atol=1e-9)
    jumps = [np.abs(new - old).max() for new, old in zip(steps[1:], steps[:-1], strict=True)]
    assert max(jumps) < 0.2, "no curve jumps while a point moves by a twentieth"
    assert not np.allclose(before, curves_of(scene_of(X, y, seed=1)), atol=0.1)


def test_functions_have_the_mean_and_the_covariance_of_the_posterior():
    X, y = wave(8)
    model = GaussianProcess().fit(X, y)
    many = np.concatenate([curves_of(scene_of(X, y, seed=seed)) for seed in trials(60)])
    x = np.linspace(-4, 4, CURVE_NODES)[:, None]
    assert np.abs(many.mean(axis=0) - model.predict(x)).max() < 4 / np.sqrt(len(many))
    assert np.abs(np.cov(many.T) - model.covariance(x)).max() < 6 / np.sqrt(len(many))


def test_the_standard_deviation_lies_over_the_plane():
    X, y = wave(30, 2)
    picture, model = picture_of(scene_of(X, y)), GaussianProcess().fit(X, y)
    field, line = mark(picture, "uncertainty"), picture.plot.marks
    assert isinstance(field, Field) and field.cover and field.label == "standard deviation of the function, 0 to 1"
    grid = Grid(field.x, field.y)
    std = model.predict_std(grid.points())[0].reshape(grid.shape)
    assert np.abs(field.strength - 180 * std).max() <= 2
    levels = [one for one in line if one.role == "uncertainty line" and isinstance(one, Lines)]
    on_lines = levels[0].xy[~np.isnan(levels[0].xy[:, 0])]
    told = model.predict_std(on_lines)[0]
    assert np.abs(told[:, None] - np.arange(0, 1.01, 0.1)).min(axis=1).max() < 0.02
    assert "standard deviation" not in {one.id for one in scene_of(X, y, hidden=None).panels[0].overlays if one.shown}


@pytest.mark.parametrize("kernel", ["laplacian", "gaussian"])
def test_where_few_places_do_not_tell_it_the_field_is_coarser(kernel):
    X, y = wave(150, 2)
    model, grid = GaussianProcess(kernel=kernel, sigma=0.1).fit(X, y), Grid.over((-4, 4, -4, 4), 150, 150)
    fine, coarse = std_field(model, grid, True), std_field(model, grid, False)
    for nodes, std in (fine, coarse):
        np.testing.assert_allclose(std, model.predict_std(nodes.points())[0].reshape(nodes.shape), atol=1e-9)
    assert coarse[0].x.size < fine[0].x.size <= 150


@each("sigma, fine", [0.7, 1.0, 1.4, 2.0, 4.0], [True, False])
def test_few_places_tell_the_variance_as_exactly_as_it_is_seen(sigma, fine):
    seen = SEEN if fine else SEEN_IN_MOTION
    X, y = wave(100, 2)
    model, grid = GaussianProcess(sigma=sigma).fit(X, y), Grid.over((-4, 4, -4, 4), 140, 140)
    nodes, std = std_field(model, grid, fine)
    expected = model.predict_std(nodes.points())[0].reshape(nodes.shape) ** 2
    assert nodes.shape == grid.shape
    # What the last coefficients come to tells the error but for a factor.
    assert np.abs(std**2 - expected).max() < 3 * seen * expected.max()


def test_the_likelihood_is_drawn_over_width_and_noise_and_its_maximum_is_adopted():
    X, y = wave(60)
    scene = scene_of(X, y, sigma=0.4)
    (plot,) = (one for one in picture_of(scene).sides if one.id == "likelihood")
    best = plot.areas[-2]
    for path, value in best.settings:
        scene = edits.with_value(scene, 0, path, value)
    model = GaussianProcess(**{path.removeprefix("algorithm."): value for path, value in best.settings}).fit(X, y)
    assert scene.panels[0].pipeline.algorithm == model.settings
    (there,) = (one for one in plot.marks if one.role == "likeliest")
    assert there.xy[0].tolist() == [model.settings.sigma, model.settings.noise_variance]
    # Nothing around is likelier, and each cell sets what it says.
    for area in plot.areas[:: len(plot.areas) // 40]:
        values = {path.removeprefix("algorithm."): value for path, value in area.settings}
        other = GaussianProcess(**values).fit(X, y).evidence.value
        assert other <= model.evidence.value + 1e-9
    for factor in (0.99, 1.01):
        for name in ("sigma", "noise_variance"):
            near = model.settings.replace(**{name: factor * getattr(model.settings, name)})
            assert near.fit(X, y).evidence.value < model.evidence.value
    sigma, noise = plot.handles
    assert (sigma.path, sigma.values[sigma.at]) == ("algorithm.sigma", 0.4)
    assert (noise.path, noise.values[noise.at]) == ("algorithm.noise_variance", 0.1)


@pytest.mark.parametrize(
    "values", [{}, {"kernel": "linear"}, {"kernel": "expression"}, {"kernel": "laplacian", "signal_variance": 3.0}]
)
def test_the_surface_is_the_models_likelihood(values):
    X, y = wave(20)
    model = GaussianProcess(**values).fit(X, y)
    surface = surface_of(model, np.arange(20))
    for i, j in ((0, 30), (5, 20), (len(surface.x) - 1, 10)):
        at = {surface.across: float(surface.x[i]), "noise_variance": float(surface.noise[j])}
        other = GaussianProcess(**(values | at)).fit(X, y)
        assert surface.values[j, i] == pytest.approx(other.evidence.value, rel=1e-8)
    assert surface.best.log_likelihood >= surface.values.max() - 1e-9
    assert surface.across == ("signal_variance" if values.get("kernel") in ("linear", "expression") else "sigma")


@pytest.mark.parametrize(("noise", "inside"), [(0.3, True), (0.0, False)])
def test_the_likeliest_of_all_three_is_adopted_by_one_click(noise, inside):
    X, y = wave(40)
    y = np.sin(X[:, 0]) + noise * (y - np.sin(X[:, 0]))
    scene = scene_of(X, y)
    (plot,) = (one for one in picture_of(scene).sides if one.id == "likelihood")
    (mark,) = (one for one in plot.marks if one.role == "likeliest of all")
    assert mark.label.startswith("largest of all three" if inside else "largest in sight of all three")
    for path, value in plot.areas[-1].settings:
        scene = edits.with_value(scene, 0, path, value)
    settings = scene.panels[0].pipeline.algorithm
    assert mark.xy[0].tolist() == [settings.sigma, settings.noise_variance]
    assert settings.signal_variance != 1.0
    found = settings.fit(X, y).evidence.value
    two = {path.removeprefix("algorithm."): value for path, value in plot.areas[-2].settings}
    assert found > GaussianProcess(**two).fit(X, y).evidence.value
    kernel = ConstantKernel(1.0, (1e-6, 1e6)) * RBF(1.0, (0.05, 20)) + WhiteKernel(0.1, (1e-6, 10))
    if inside:
        other = GaussianProcessRegressor(kernel, alpha=0, n_restarts_optimizer=4, random_state=0).fit(X, y - y.mean())
        assert found >= other.log_marginal_likelihood_value_ - 1e-6
    else:  # as far as it may go
        assert settings.noise_variance / settings.signal_variance == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.parametrize("expression", ["1e9*linear", "1e9*gaussian(1)"])
def test_where_no_maximum_can_be_set_the_likeliest_in_sight_is_shown(expression):
    # For the one kernel it rises on and on with the noise, for the other until the noise is less than it may be.
    X = np.arange(5.0)[:, None]
    scene = scene_of(X, X[:, 0], kernel="expression", expression=expression)
    (plot,) = (one for one in picture_of(scene).sides if one.id == "likelihood")
    (there,) = (one for one in plot.marks if one.role == "likeliest")
    assert there.label.startswith("largest in sight")
    found = []
    for area in (*share(plot.areas, expression, 5), plot.areas[-1]):
        settings = scene
        for path, value in area.settings:
            settings = edits.with_value(settings, 0, path, value)
        found.append(settings.panels[0].pipeline.algorithm.fit(X, X[:, 0]).evidence.value)
    assert dict(plot.areas[-1].settings)["algorithm.noise_variance"] == there.xy[0, 1] >= 1e-12
    assert found[-1] >= max(found) - 1e-6 * abs(found[-1])


def test_of_many_samples_the_likelihood_is_that_of_some():
    X, y = wave(MOST_SAMPLES + 50)
    (plot,) = (one for one in picture_of(scene_of(X, y)).sides if one.id == "likelihood")
    assert plot.title.endswith(f", {MOST_SAMPLES} of {MOST_SAMPLES + 50} samples, drawn at random")
    constant = picture_of(scene_of(X, np.full(len(X), 2.0)))
    assert "likelihood" not in {one.id for one in constant.sides}


def test_the_covariance_fades_where_samples_were_seen():
    X, y = wave(30)
    plots = {one.id: one for one in picture_of(scene_of(X, y)).sides}
    prior, posterior = (plots[f"{which} covariance"].marks[0].strength.astype(int) for which in ("prior", "posterior"))
    assert (prior.diagonal() == 255).all() and posterior.max() == 255
    middle = slice(25, 56)
    assert posterior[middle, middle].max() < 128 + 127 * 0.2


def test_what_is_said_of_a_place_adds_up():
    X, y = wave(30)
    model = GaussianProcess().fit(X, y)
    told = model.explain(np.array([0.5]))
    assert told.sentence.startswith(f"prediction {model.predict(np.array([[0.5]]))[0]:.4g} = mean ")
    of_function = float(model.predict_std(np.array([[0.5]]))[0][0])
    assert told.sentence.endswith(f"; standard deviation {of_function:.3g} of the function.")
    rings, here = told.marks  # how sure it is there is what the band says, at its level
    assert (rings.role, here.role) == ("influence", "now") and here.xy[0, 1] == model.predict(here.xy[:, :1])[0]


@pytest.mark.parametrize(
    ("n", "values"),
    [(10, {}), (60, {}), (60, {"signal_variance": 10.0}), (100, {}), (30, {"sigma": 0.0311, "noise_variance": 2e-5})],
)
def test_the_likelihood_is_as_much_below_on_its_lines_as_they_say(n, values):
    X, y = wave(n)
    model = GaussianProcess(**values).fit(X, y)
    best = surface_of(model, np.arange(n)).best.log_likelihood
    (plot,) = (one for one in picture_of(scene_of(X, y, **values)).sides if one.id == "likelihood")
    (lines,) = (one.xy for one in plot.marks if isinstance(one, Lines) and one.role == "value line")
    places = lines[np.isfinite(lines[:, 0])]
    levels = np.array([1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6])
    off = []
    for sigma, noise in places[:: max(1, len(places) // 25)]:
        below = best - model.settings.replace(sigma=sigma, noise_variance=noise).fit(X, y).evidence.value
        off.append(np.abs(below / levels - 1).min())
    assert np.mean(off) < 0.03
    assert max(off) < 0.15
