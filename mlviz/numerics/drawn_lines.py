"""Lines that a hand has drawn, (m, 2): on which side places are, how straight they are, and what they enclose.

A line whose last place is its first one is closed; an open one goes on straight at both ends, for ever.
"""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import Array, Labels, Mask

END_SHARE = 0.1
"""An open line goes on as this share of it at its end goes: the very end is the hand letting go."""

_ROUNDING = 1e-12
"""Areas between pieces of lines that are on one straight line, in the box of one of the lines."""


def is_closed(line: Array) -> bool:
    """Whether the line is closed."""
    return len(line) > 3 and bool((line[0] == line[-1]).all())


def simplified(line: Array, tolerance: Array) -> Array:
    """The line without places that others leave no farther away than `tolerance` (2,) on each axis.

    D. Douglas and T. Peucker, Cartographica 10 (1973) 112-122.
    """
    line = line[np.concatenate(([True], (np.diff(line, axis=0) != 0).any(axis=1)))]
    kept = np.zeros(len(line), dtype=bool)
    kept[[0, -1]] = True
    scaled = (line - line[0]) / tolerance
    # What is closed has no way from its first place to its last: it is parted at the place farthest off.
    parts = [(0, len(line) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        away = from_segment(scaled[first + 1 : last], scaled[first], scaled[last])
        farthest = first + 1 + int(np.argmax(away))
        if away[farthest - first - 1] > 1:
            kept[farthest] = True
            parts += [(first, farthest), (farthest, last)]
    return line[kept]


def thinned(line: Array, tolerance: Array, most: int) -> Array:
    """The line `simplified`, by a larger tolerance where more than so many places would be left."""
    while len(found := simplified(line, tolerance)) > most:
        tolerance = 2 * tolerance
    return found


def smoothed(line: Array) -> Array:
    """The line with its corners cut twice: as the hand went, and not from pixel to pixel. Its ends stay.

    G. Chaikin, Computer Graphics and Image Processing 3 (1974) 346-349.
    """
    for _ in range(2):
        if len(line) > 2:
            near, far = 0.75 * line[:-1] + 0.25 * line[1:], 0.25 * line[:-1] + 0.75 * line[1:]
            cut = np.stack((near, far), axis=1).reshape(-1, 2)[1:-1]
            line = np.concatenate((line[:1], cut, line[-1:]))
    return line


def evenly_along(line: Array, count: int) -> Array:
    """So many places (count, 2) of the line, equally far apart along it; of a closed one its end is none of them."""
    travelled = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))))
    at = np.linspace(0.0, travelled[-1], count, endpoint=not is_closed(line))
    return np.column_stack([np.interp(at, travelled, coordinate) for coordinate in line.T])


def cross(line: Array, other: Array) -> bool:
    """Whether two lines have a place in common."""
    low, size = line.min(axis=0), np.maximum(np.ptp(line, axis=0), 1e-300)
    line, other = (line - low) / size, (other - low) / size
    start, way, place, step = line[:-1, None], np.diff(line, axis=0)[:, None], other[:-1], np.diff(other, axis=0)
    apart, turn = place - start, _area(way, step)
    with np.errstate(divide="ignore", invalid="ignore"):
        along, across = _area(apart, step) / turn, _area(apart, way) / turn
        # Pieces on one straight line: where one begins and ends along the other.
        ends = np.sort(
            [((there - start) * way).sum(axis=2) / (way**2).sum(axis=2) for there in (place, other[1:])], axis=0
        )
    on_it = (np.abs(turn) <= _ROUNDING) & (np.abs(_area(apart, way)) <= _ROUNDING) & (ends[1] >= 0) & (ends[0] <= 1)
    return bool(((along >= 0) & (along <= 1) & (across >= 0) & (across <= 1) | on_it).any())


def _area(one: Array, other: Array) -> Array:
    """The signed areas between steps (..., 2)."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def distance_to(line: Array, places: Array, unit: Array) -> float:
    """How far the place (2,), or the nearest of several (k, 2), is from the line, or from its one place.

    Both axes are measured in `unit` (2,).
    """
    pixels = (line - places[..., None, :]) / unit
    several = len(line) > 1
    start, way = (pixels[..., :-1, :], np.diff(pixels, axis=-2)) if several else (pixels, np.zeros_like(pixels))
    lengths = (way**2).sum(axis=-1)
    along = np.clip(-(start * way).sum(axis=-1) / np.where(lengths > 0, lengths, 1.0), 0.0, 1.0)
    return float(np.hypot(*np.moveaxis(start + along[..., None] * way, -1, 0)).min())


def from_segment(places: Array, start: Array, end: Array) -> Array:
    """How far places (m, 2) are from the segment."""
    way, offset = end - start, places - start
    length = float(way @ way)
    along = np.clip(offset @ way / length, 0.0, 1.0) if length > 0 else np.zeros(len(offset))
    rest = offset - along[:, None] * way
    return np.hypot(rest[:, 0], rest[:, 1])


def encloses(places: Array, line: Array) -> Mask:
    """Which places (n, 2) are on the one side of the line: inside a closed one, on the left of one that is not.

    Inside is where the line winds around, however often it crosses itself; an open line is crossed an odd number of
    times on the way to one side of it and an even number to the other.
    """
    # In the box of the line, which goes from 0 to 1, squares are numbers.
    low, high = line.min(axis=0), line.max(axis=0)
    size = np.where(high > low, high - low, max(float((high - low).max()), 1e-300))
    with np.errstate(over="ignore"):
        # Farther away than any number, the side is that of very far away.
        boxed, inside = (line - low) / size, np.clip((places - low) / size, -1e100, 1e100)
    if is_closed(line):
        return np.asarray(_passed(inside, boxed) != 0)
    ways = end_ways(line) / size
    return _left_of(inside, boxed, ways / np.hypot(ways[:, 0], ways[:, 1])[:, None])


def _passed(places: Array, line: Array) -> Labels:
    """How often (n,) the line goes up on the right of each place, less how often it goes down there.

    Around a place that is how often a closed line winds; whatever the line, it is odd where the number of crossings is.
    """
    order = np.argsort(places[:, 1])
    x, y = places[order].T
    start, end = line[:-1], line[1:]
    # Each piece passes the places between its ends, the lower one with them; a level piece passes none.
    first, last = (np.searchsorted(y, ends) for ends in np.sort(np.stack((start[:, 1], end[:, 1])), axis=0))
    counts = np.zeros(len(places), dtype=np.intp)
    for j in np.flatnonzero(first < last).tolist():
        (x0, y0), (x1, y1), there = start[j], end[j], slice(first[j], last[j])
        right = x[there] < x0 + (y[there] - y0) / (y1 - y0) * (x1 - x0)
        counts[there] += np.where(right, 1 if y1 > y0 else -1, 0)
    found = np.empty_like(counts)
    found[order] = counts
    return found


def _left_of(places: Array, line: Array, ways: Array) -> Mask:
    """Which places are on the left of an open line that goes on straight in the directions `ways` (2, 2) at its ends.

    They are told by whether a ray crosses it an odd number of times. No ray is level with an end of the line, since
    where it crosses that would be told by rounding.
    """
    angle = np.arctan2(ways[:, 1], ways[:, 0])
    turns = np.linspace(0, np.pi, 16, endpoint=False)
    apart = np.abs(np.sin(turns[:, None] - angle)).min(axis=1)
    turn = turns[int(np.argmax(apart))]
    across, along = np.array([-np.sin(turn), np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    # In a frame that is turned so that the rays go along the first axis.
    frame = np.stack((along, across), axis=1)
    line, ways, places = line @ frame, ways @ frame, places @ frame
    odd = _passed(places, line) % 2 == 1
    for place, (step, rise) in zip((line[0], line[-1]), ways, strict=True):
        # The end goes on upwards or downwards; at its first place the line itself is asked, by the same rule.
        beyond = (places[:, 1] >= place[1]) if rise > 0 else (places[:, 1] < place[1])
        at = place[0] + (places[:, 1] - place[1]) * (step / rise)
        odd ^= beyond & (places[:, 0] < at)
    # Very far along the rays nothing is crossed. That is on the left if it comes, turning to the left, between the ways
    # of the last end and of the first.
    first, last = np.arctan2(ways[:, 1], ways[:, 0]) % (2 * np.pi)
    on_left = -last % (2 * np.pi) < (first - last) % (2 * np.pi)
    return np.asarray(odd ^ on_left)


def end_ways(line: Array) -> Array:
    """Where an open line goes on at its first and at its last place: directions (2, 2) of length 1."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    travelled = np.concatenate(([0.0], np.cumsum(steps)))
    reach = END_SHARE * travelled[-1]
    ways = []
    for place, other, at in ((line[0], line[-1], reach), (line[-1], line[0], travelled[-1] - reach)):
        inner = np.array([np.interp(at, travelled, line[:, 0]), np.interp(at, travelled, line[:, 1])])
        way = place - (inner if (inner != place).any() else other)
        length = float(np.hypot(*way))
        ways.append(way / length if length > 0 else np.array([1.0, 0.0]))
    return np.array(ways)


def carried_on(line: Array, far: float) -> Array:
    """An open line with a place `far` away before its first one and one after its last."""
    ways = end_ways(line)
    return np.concatenate((line[:1] + far * ways[:1], line, line[-1:] + far * ways[1:]))


def straight_through(line: Array) -> tuple[Array, Array, float]:
    """The straight line nearest to a line: a place on it, its direction, and how far off the line is at the most.

    Pieces count by their length; the last number is a share of how far the ends of the line are apart.
    """
    start, end = line[:-1], line[1:]
    lengths = np.hypot(*(end - start).T)
    weights = lengths / lengths.sum() if lengths.sum() > 0 else np.full(len(lengths), 1 / len(lengths))
    middle = weights @ (start + end) / 2
    offsets = [part - middle for part in (start, (start + end) / 2, end)]
    # Simpson's rule, which is exact for the squares along a piece.
    spread = sum(w * (weights[:, None] * o).T @ o for w, o in zip((1 / 6, 4 / 6, 1 / 6), offsets, strict=True))
    values, vectors = np.linalg.eigh(spread)
    way = vectors[:, int(np.argmax(values))]
    way = way if way @ (line[-1] - line[0]) >= 0 else -way
    off = np.abs((line - middle) @ np.array([-way[1], way[0]])).max()
    span = float(np.hypot(*(line[-1] - line[0])))
    return middle, way, float(off / span) if span > 0 else np.inf


def area_inside(line: Array) -> float:
    """The area that a closed line encloses, where it does not cross itself."""
    x, y = (line - line[0]).T
    return abs(float(x[:-1] @ y[1:] - x[1:] @ y[:-1])) / 2


def value_along(x: Array, line: Array) -> Array:
    """The height (n,) of a line at places x (n,) of the horizontal axis, straight between its places.

    Where it has several there, as it goes back, it is their mean; beyond its ends it goes on straight, as that share of
    it at each end goes.
    """
    at, which, counts = np.unique(line[:, 0], return_inverse=True, return_counts=True)
    heights = np.bincount(which, weights=line[:, 1]) / counts
    found = np.interp(x, at, heights)
    reach = END_SHARE * (at[-1] - at[0])
    if reach > 0:
        for end, inner, beyond in ((0, at[0] + reach, x < at[0]), (-1, at[-1] - reach, x > at[-1])):
            slope = (heights[end] - np.interp(inner, at, heights)) / (at[end] - inner)
            found = np.where(beyond, heights[end] + slope * (x - at[end]), found)
    return np.asarray(found)
