import itertools

import numpy as np
import pytest

from mlviz.draw import palette
from mlviz.draw.inks import CANVAS, _inks

# Machado, Oliveira, Fernandes 2009: what linear colours become for a person without one kind of cone.
EYES = {
    "common": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
# Ottosson 2020, Oklab: distances in it are about as large as they look.
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(colour):
    c = np.asarray(colour[:3]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    """The contrast of two colours as WCAG 2 defines it."""
    high, low = sorted((float(linear(c) @ (0.2126, 0.7152, 0.0722)) for c in (a, b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_the_classes_apart(theme, eye):
    seen = [np.clip(np.asarray(EYES[eye]) @ linear(palette.class_colour(code, theme)), 0, 1) for code in range(9)]
    lab = [TO_LAB @ np.cbrt(TO_CONES @ colour) for colour in seen]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(lab, 2)) > 0.075


def test_classes_have_looks_of_their_own():
    looks = [palette.class_look(code) for code in range(palette.MOST_CLASS_LOOKS)]
    assert len(set(looks)) == palette.MOST_CLASS_LOOKS
    assert looks[:3] == ["blue circle", "orange square", "green triangle"]
    assert len({palette.class_symbol(code) for code in range(9)}) == 9


@pytest.mark.parametrize("theme", palette.THEMES)
def test_text_can_be_read(theme):
    ground = palette.theme_colors(theme)
    for paper in (ground.paper, ground.canvas):
        assert contrast(ground.text, paper) > 7
        assert contrast(ground.faint, paper) > 4.5
        assert contrast(ground.accent, paper) > 4.5


@pytest.mark.parametrize("theme", palette.THEMES)
def test_lines_stand_out_from_every_tint(theme):
    for tint in palette.class_tints(theme)[:, 180]:
        colour = (int(tint) >> 16 & 255, int(tint) >> 8 & 255, int(tint) & 255)
        assert contrast(palette.ink("boundary", theme).line, colour) > 4.5


@pytest.mark.parametrize("theme", palette.THEMES)
def test_a_tint_goes_from_the_canvas_towards_its_class(theme):
    canvas = np.array(palette.theme_colors(theme).canvas[:3], dtype=float)
    for code, row in enumerate(palette.class_tints(theme)):
        rgb = np.stack((row >> 16 & 255, row >> 8 & 255, row & 255), axis=1).astype(float)
        assert (rgb[0] == canvas).all()
        towards = np.array(palette.class_colour(code, theme)[:3]) - canvas
        way = rgb[255] - canvas
        assert way @ towards / np.linalg.norm(way) / np.linalg.norm(towards) > 0.999
        assert np.linalg.norm(way) < 0.6 * np.linalg.norm(towards)  # pale


@pytest.mark.parametrize("theme", palette.THEMES)
def test_the_diverging_scale_is_neutral_in_the_middle(theme):
    r, g, b, _ = palette.theme_colors(theme).canvas
    roles = [role for role, ink in _inks.items() if ink.scale is not None]
    assert len(roles) >= 3
    for role in roles:
        scale = palette.diverging_tints(theme, role)
        if _inks[role].scale.low == CANVAS:
            assert scale[0] == 0xFF000000 | r << 16 | g << 8 | b and scale[255] != scale[128] != scale[0]
            continue
        assert scale[128] == 0xFF000000 | r << 16 | g << 8 | b
        assert scale[0] != scale[255]


@pytest.mark.parametrize("theme", palette.THEMES)
def test_the_inks_of_a_similarity_are_of_no_class_but_the_grey_ninth(theme):
    ends = [[int(palette.diverging_tints(theme, "similarity")[k]) >> s & 255 for s in (16, 8, 0)] for k in (0, 255)]
    colours = [palette.class_colour(code, theme)[:3] for code in range(8)]
    apart = [np.linalg.norm(np.subtract(end, colour)) for end in ends for colour in colours]
    assert min(apart) > 40


@pytest.mark.parametrize("theme", palette.THEMES)
def test_the_two_kinds_of_support_vectors_differ_in_shape(theme):
    free, bound = palette.ink("support vector", theme), palette.ink("bound support vector", theme)
    assert free.symbol != bound.symbol
    assert palette.ink("margin", theme).dash == "dashed"
    assert palette.ink("boundary", theme).dash == "solid"


@pytest.mark.parametrize("theme", palette.THEMES)
def test_blending_mixes_class_colours_in_few_steps(theme):
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 5000).astype(np.float32)
    colours = np.array([palette.class_colour(code, theme)[:3] for code in range(3)])
    found = palette.blended(shares, theme)
    channels = np.stack((found >> 16, found >> 8 & 255, found & 255), axis=1)
    assert np.abs(channels - shares @ colours).max() <= 4.7
    assert len(np.unique(found)) < 500


def test_a_class_role_takes_the_colour_of_the_class_and_an_unknown_role_is_drawn():
    assert palette.ink("class 2", "light").line == palette.class_colour(2, "light")
    assert palette.ink("class 11", "dark").symbol == palette.class_symbol(11)
    assert palette.ink("class of its own", "dark").line == palette.theme_colors("dark").text


def test_grey_shapes_are_seen_on_dark_under_a_coloured_dot():
    canvas = palette.theme_colors("dark").canvas
    grey, rim = palette.class_colour(palette.grey_code(2), "dark"), palette.rim(palette.grey_code(2), "dark")
    assert contrast(grey, canvas) > 4 and contrast(rim, canvas) > 8
    assert contrast(rim, grey) > 1.5
