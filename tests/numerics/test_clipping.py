import numpy as np

from mlviz.numerics.clipping import clip_segments


def test_what_is_inside_stays():
    start = np.array([(-2.0, 0.5), (-2.0, 5.0), (0.2, 0.2), (0.5, -3.0), (3.0, 0.5), (0.9, 0.9)])
    end = np.array([(2.0, 0.5), (2.0, 5.0), (0.4, 0.4), (0.5, 3.0), (3.0, 0.9), (0.9, 0.9)])
    inside = clip_segments(start, end, (0, 0), (1, 1))
    np.testing.assert_allclose(inside[0], [(0, 0.5), (0.2, 0.2), (0.5, 0), (0.9, 0.9)])
    np.testing.assert_allclose(inside[1], [(1, 0.5), (0.4, 0.4), (0.5, 1), (0.9, 0.9)])


def test_parts_are_inside_and_on_their_segments():
    rng = np.random.default_rng(0)
    start, end = rng.normal(size=(500, 2)), rng.normal(size=(500, 2))
    low, high = np.array([-0.5, -1.0]), np.array([1.0, 0.25])
    a, b = clip_segments(start, end, low, high)
    along = np.linspace(0, 1, 201)[:, None, None]
    places = start + along * (end - start)
    touched = ((places >= low) & (places <= high)).all(axis=2).any(axis=0)
    assert touched.sum() <= len(a) <= touched.sum() + 10
    for ends in (a, b):
        assert (ends >= low - 1e-12).all() and (ends <= high + 1e-12).all()


def test_nothing_to_cut():
    none = np.empty((0, 2))
    assert clip_segments(none, none, (0, 0), (1, 1))[0].shape == (0, 2)
