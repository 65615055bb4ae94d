"""Where the mannequin is dark: bands round its joints, cut into the mesh along crisp lines."""

import numpy as np

from resources.sample import skeleton as sk
from resources.sample.shape.body import torso_field
from resources.sample.shape.fields import Array, Field
from resources.sample.shape.limbs import arm_field
from resources.sample.shape.remesh import Index, edges_of, gradient, project

ARM, TORSO = arm_field(), torso_field()


def _ring(p: Array, centre: Array, normal: Array, half_width: float, reach: float) -> Array:
    """Below zero in a slab about a joint, as far as ``reach`` metres from it."""
    q = p - centre
    return np.asarray(np.maximum(np.abs(q @ sk.unit(normal)) - half_width, np.linalg.norm(q, axis=1) - reach))


def dark(p: Array) -> Array:
    """Below zero where the darker material lies; metres, roughly a distance. Symmetric in x."""
    side = np.sqrt(p[:, 0] ** 2 + 0.05**2)
    p = np.stack([np.abs(p[:, 0]), p[:, 1], p[:, 2]], axis=1)
    y, z = p[:, 1], p[:, 2]
    collar = 1.484 + 0.45 * side - 0.42 * (z + 0.03) - y
    jaw = y - (1.583 - 0.27 * z)
    neck = np.maximum(collar, jaw) / 1.05
    low = 1.060 + 0.27 * side - y
    high = y - (1.200 - 0.33 * side)
    waist = np.maximum(np.maximum(low, high) / 1.05, np.abs(p[:, 0]) - 0.16)
    arm, fore, hand = sk.UPPER_ARM_DIRECTION, sk.LOWER_ARM_DIRECTION, sk.HAND.axes[0]
    shin = sk.unit(sk.ANKLE - sk.KNEE)
    thigh = sk.unit(sk.KNEE - sk.HIP)
    brief = np.stack([np.sqrt(p[:, 0] ** 2 + 0.040**2), y, z], axis=1)  # rounds the V between the legs
    groin = np.array([0.62, -0.78, 0.0])
    armpit = ARM(p) - TORSO(p) + 0.004  # below zero on the arm's side of the fold
    rings = [
        np.maximum(
            _ring(p, sk.SHOULDER + 0.058 * arm, arm + np.array([0.12, 0.0, 0.0]), 0.014, 0.12), armpit
        ),
        _ring(p, sk.ELBOW, arm + fore, 0.027, 0.08),
        _ring(p, sk.WRIST - 0.004 * hand, hand, 0.012, 0.06),
        _ring(brief, sk.HIP + 0.012 * groin, groin, 0.012, 0.16),
        _ring(p, sk.KNEE, thigh + shin, 0.031, 0.11),
        _ring(p, sk.ANKLE + [0.0, 0.022, 0.0], shin, 0.014, 0.08),
    ]
    return np.asarray(np.min([neck, waist, *rings], axis=0))


def _onto_line(field: Field, points: Array) -> Array:
    """Points moved along the surface to where `dark` is zero."""
    seam = points[:, 0] == 0.0
    for _ in range(4):
        g, n = gradient(dark, points), gradient(field, points)
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        g -= (g * n).sum(axis=1, keepdims=True) * n
        g[seam, 0] = 0.0
        step = dark(points) / np.maximum((g * g).sum(axis=1), 0.1)
        points = project(field, points - g * np.clip(step, -0.004, 0.004)[:, None], 1)
    return points


def cut_bands(field: Field, points: Array, triangles: Index) -> tuple[Array, Index, np.ndarray]:
    """Cut the triangles along the bands' outlines.

    Vertices near an outline are first moved onto it, so that no slivers come about.

    Returns
    -------
    points, triangles, dark
        ``dark`` says for every triangle whether it wears the darker material.
    """
    for _ in range(2):
        edges, _, _ = edges_of(triangles)
        value = dark(points)
        across = edges[(value[edges] < 0).sum(axis=1) == 1]
        a, b = np.abs(value[across[:, 0]]), np.abs(value[across[:, 1]])
        share = a / np.maximum(a + b, 1e-12)
        near = np.union1d(across[share < 0.42, 0], across[share > 0.58, 1])
        length = np.linalg.norm(points[across[:, 0]] - points[across[:, 1]], axis=1)
        longest = np.zeros(len(points))
        np.maximum.at(longest, across.ravel(), np.repeat(length, 2))
        near = near[np.abs(value[near]) < 0.36 * longest[near]]
        points = points.copy()
        points[near] = _onto_line(field, points[near])
    value = dark(points)
    value[np.abs(value) < 1e-5] = 0.0
    edges, _, which = edges_of(triangles)
    a, b = value[edges].T
    crossed = np.flatnonzero(a * b < 0.0)
    share = (a / np.where(a == b, 1.0, a - b))[crossed, None]
    fresh = points[edges[crossed, 0]] * (1.0 - share) + points[edges[crossed, 1]] * share
    middle = np.full(len(edges), -1)
    middle[crossed] = len(points) + np.arange(len(crossed))
    points = np.concatenate([points, _onto_line(field, project(field, fresh))])
    value = np.concatenate([value, np.zeros(len(crossed))])
    out = []
    for tri, cuts in zip(triangles, middle[which], strict=True):
        out += _pieces(tri, cuts)
    new = np.array(out)
    return points, new, value[new].sum(axis=1) < 0.0


def _pieces(tri: Index, cuts: Index) -> list[list[int]]:
    """A triangle cut at the vertices put on its edges (corner k to k + 1), −1 for none."""
    hit = np.flatnonzero(cuts >= 0)
    if not len(hit):
        return [list(tri)]
    if len(hit) == 1:
        k = int(hit[0])
        a, b, c = (int(tri[(k + i) % 3]) for i in range(3))
        return [[a, int(cuts[k]), c], [int(cuts[k]), b, c]]
    k = next(int(k) for k in hit if (k - 1) % 3 in hit)  # the corner between both cut edges
    a, b, c = (int(tri[(k + i) % 3]) for i in range(3))
    m, n = int(cuts[k]), int(cuts[(k - 1) % 3])
    return [[a, m, n], [m, b, c], [m, c, n]]
