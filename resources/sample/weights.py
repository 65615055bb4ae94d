"""Skin weights of the left half: how far each vertex belongs to each bone's subtree, joint by joint.

A joint has a plane and a width: the membership of its subtree rises smoothly from 0 to 1 across it, and a
bone keeps what its children do not take. So weights sum to 1, fall off evenly, and a joint's width can be
tuned alone. Where a plane cannot tell parts that lie side by side (arm and chest, finger and finger, toe
and toe) the nearer part decides.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from resources.sample import skeleton as sk
from resources.sample.shape.body import torso_field
from resources.sample.shape.fields import Array, smooth_min
from resources.sample.shape.limbs import arm_field
from resources.sample.shape.remesh import Index, edges_of

INFLUENCES = 4
SMOOTHING, SOFT_SMOOTHING = 3, 12  # rounds: everywhere, and round the wide joints

# Half the width of the transition, metres.
SPINE = {"spine_01": 0.050, "spine_02": 0.050, "spine_03": 0.055, "spine_04": 0.060, "spine_05": 0.065}
NECK = {"neck_01": (20.0, 0.040), "neck_02": (24.0, 0.030), "head": (36.0, 0.032)}  # tilt forward, width
SHOULDER, ELBOW, WRIST = 0.066, 0.042, 0.024
HIP, KNEE, ANKLE, BALL = 0.070, 0.051, 0.030, 0.017


def step(s: Array, width: float) -> Array:
    """0 below −width, 1 above it, a smooth step between."""
    u = np.clip(s / width, -1.0, 1.0)
    return 0.5 + 0.75 * u - 0.25 * u**3


def ramp(s: Array, low: float, high: float) -> Array:
    """0 below ``low``, 1 above ``high``, a smooth step between."""
    return step(s - 0.5 * (low + high), 0.5 * (high - low))


def _from_segment(p: Array, a: Array, b: Array) -> Array:
    """Distance of points to a segment."""
    d = b - a
    t = np.clip((p - a) @ d / (d @ d), 0.0, 1.0)
    return np.asarray(np.linalg.norm(p - a - t[:, None] * d, axis=1))


def _from_path(p: Array, points: Array) -> Array:
    return np.asarray(np.min([_from_segment(p, a, b) for a, b in pairwise(points)], axis=0))


class _Memberships(dict[str, Array]):
    """Membership in each bone's subtree; `weights` turns it into one weight a bone."""

    def weights(self, parents: dict[str, str | None]) -> dict[str, Array]:
        left = {name: m.copy() for name, m in self.items()}
        for name, m in self.items():
            parent = parents[name]
            if parent in left:
                left[parent] -= m
        return {name: np.clip(w, 0.0, 1.0) for name, w in left.items()}


def _middle(p: Array, out: _Memberships, bones: dict[str, sk.RestBone]) -> None:
    parent = np.ones(len(p))
    out["pelvis"] = parent
    for name, width in SPINE.items():
        bone = bones[name]
        lean = sk.unit(bone.rotation[:, 1] + sk.UP)
        parent = parent * step((p - bone.head) @ lean, width)
        out[name] = parent
    for name, (tilt, width) in NECK.items():
        place = bones[name].head + (np.array([0.0, -0.014, 0.004]) if name == "head" else 0.0)
        normal = np.array([0.0, np.cos(np.radians(tilt)), np.sin(np.radians(tilt))])
        # Only the column: the shoulders beside it are above the plane too, but belong to the chest.
        column = 1.0 - ramp(np.hypot(p[:, 0], 0.6 * (p[:, 2] + 0.02)), 0.060, 0.120) * ramp(
            -p[:, 1], -1.57, -1.53
        )
        parent = parent * step((p - place) @ normal, width) * column
        out[name] = parent


def _arm(p: Array, out: _Memberships) -> None:
    along, fore, hand = sk.UPPER_ARM_DIRECTION, sk.LOWER_ARM_DIRECTION, sk.HAND.axes[0]
    plane = (p - sk.SHOULDER) @ sk.unit(along + np.array([0.45, 0.10, 0.0])) - 0.002
    seam = torso_field()(p) - arm_field()(p) + 0.004
    arm = step(smooth_min(plane, seam, 0.05), SHOULDER)
    girdle = ramp(p[:, 0], 0.020, 0.150) * ramp(p[:, 1] - 0.25 * p[:, 0], 1.285, 1.425)
    girdle = girdle * (1.0 - np.minimum(1.0, 1.4 * out["neck_01"]))
    out["clavicle_l"] = out["spine_05"] * (1.0 - (1.0 - 0.9 * girdle) * (1.0 - arm))
    # The arm belongs to the chest's top bone wherever it hangs.
    out["clavicle_l"] = np.maximum(out["clavicle_l"], arm)
    for name in SPINE:
        out[name] = np.maximum(out[name], out["clavicle_l"])
    out["upper_arm_l"] = arm
    t = (p - sk.SHOULDER) @ along / sk.UPPER_ARM_LENGTH
    elbow = step((p - sk.ELBOW) @ sk.unit(along + fore), ELBOW) * arm
    out["lower_arm_l"] = elbow
    out["upper_arm_twist_01_l"] = (arm - elbow) * ramp(-t, -0.70, -0.10)
    wrist = step((p - sk.WRIST) @ hand, WRIST) * elbow
    t = (p - sk.ELBOW) @ fore / sk.LOWER_ARM_LENGTH
    out["lower_arm_twist_01_l"] = (elbow - wrist) * ramp(t, 0.25, 0.85)
    out["hand_l"] = wrist


def _hand(p: Array, out: _Memberships, bones: dict[str, sk.RestBone]) -> None:
    wrist = out["hand_l"]
    a, b, c = ((p - sk.HAND.origin) @ sk.HAND.axes.T).T
    paths = {f: sk.finger_points(f) for f in (*sk.FINGERS, "thumb")}
    far = {f: _from_path(p, points) for f, points in paths.items()}
    palm = np.min(
        [_from_segment(p, bones[f"{f}_metacarpal_l"].head, paths[f][0]) for f in sk.FINGERS], axis=0
    )
    # Thumb: what lies nearer to its ray than to the palm's.
    root, tip = paths["thumb"][0], paths["thumb"][-1]
    ahead = (p - root) @ sk.unit(tip - root)
    near_thumb = np.minimum(palm, np.min([far[f] for f in sk.FINGERS], axis=0)) - far["thumb"]
    thumb = wrist * step(smooth_min(ahead - 0.012, near_thumb * 1.1 + 0.001, 0.012), 0.018)
    out["thumb_01_l"] = thumb
    for i, width in ((1, 0.0115), (2, 0.0085)):
        axis = sk.unit(paths["thumb"][i + 1] - paths["thumb"][i - 1])
        clear = ramp(near_thumb, -0.004, 0.004)
        thumb = thumb * step((p - paths["thumb"][i]) @ axis, width) * clear
        out[f"thumb_{i + 1:02d}_l"] = thumb
    rest = (wrist - out["thumb_01_l"]) * ramp(a, 0.012, 0.072)
    # The four rays share the palm: between two knuckles their weights cross over.
    share = np.clip((a - 0.022) / 0.07, 0.0, 1.0)
    lines = np.stack([(0.55 + 0.45 * share) * sk.KNUCKLES[f][0][1] for f in sk.FINGERS])
    for k, finger in enumerate(sk.FINGERS):
        rise = 1.0 if k == 3 else np.clip((b - lines[k + 1]) / (lines[k] - lines[k + 1]), 0.0, 1.0)
        fall = 1.0 if k == 0 else np.clip((lines[k - 1] - b) / (lines[k - 1] - lines[k]), 0.0, 1.0)
        others = np.min([far[f] for f in sk.FINGERS if f != finger], axis=0)
        clear = ramp(others - far[finger], 0.0005, 0.0065)
        m = rest * np.minimum(rise, fall)
        points = paths[finger]
        widths = (0.0125, 0.0068, 0.0062)
        s = (p - points[0]) @ sk.unit(points[1] - points[0]) - 0.001
        one = wrist * (1.0 - out["thumb_01_l"] / np.maximum(wrist, 1e-9)) * step(s, widths[0]) * clear
        out[f"{finger}_metacarpal_l"] = m  # without the finger, which is added below
        out[f"{finger}_01_l"] = one
        for i in (1, 2):
            axis = sk.unit(points[i + 1] - points[i - 1])
            one = one * step((p - points[i]) @ axis, widths[i])
            out[f"{finger}_{i + 1:02d}_l"] = one
    fingers = np.sum([out[f"{f}_01_l"] for f in sk.FINGERS], axis=0)
    for finger in sk.FINGERS:
        own = out[f"{finger}_metacarpal_l"] * np.maximum(1.0 - fingers / np.maximum(wrist, 1e-9), 0.0)
        out[f"{finger}_metacarpal_l"] = own + out[f"{finger}_01_l"]


def _leg(p: Array, out: _Memberships) -> None:
    groin = sk.unit(np.array([0.60, -0.80, 0.0]))
    clear = ramp(p[:, 0], 0.0, 0.016)
    thigh = step((p - sk.HIP) @ groin - 0.004, HIP) * clear * (1.0 - ramp(p[:, 1], 0.98, 1.05))
    arm = out["upper_arm_l"] > 1e-6  # hands hang beside the hips
    thigh[arm] = 0.0
    out["thigh_l"] = thigh
    down, shin = sk.unit(sk.KNEE - sk.HIP), sk.unit(sk.ANKLE - sk.KNEE)
    t = (p - sk.HIP) @ down / np.linalg.norm(sk.KNEE - sk.HIP)
    knee = step((p - sk.KNEE) @ sk.unit(down + shin), KNEE) * thigh
    out["calf_l"] = knee
    out["thigh_twist_01_l"] = (thigh - knee) * ramp(-t, -0.65, -0.10)
    sole = sk.unit(np.array([0.0, -0.92, 0.40]))
    foot = step((p - sk.ANKLE) @ sole - 0.002, ANKLE) * knee
    out["foot_l"] = foot
    a, b, _ = ((p - sk.FOOT.origin) @ sk.FOOT.axes.T).T
    ball = step(a - sk.BALL[0] - 0.25 * (sk.BALL[1] - b), BALL) * foot
    out["ball_l"] = ball
    roots = {toe: sk.FOOT.point(*sk.TOE_ROOTS[toe]) for toe in sk.TOES}
    tips = {toe: sk.FOOT.point(*sk.TOE_TIPS[toe]) for toe in sk.TOES}
    far = {toe: _from_segment(p, roots[toe], tips[toe]) for toe in sk.TOES}
    for toe in sk.TOES:
        others = np.min([far[t] for t in sk.TOES if t != toe], axis=0)
        axis = sk.unit(tips[toe] - roots[toe])
        one = ball * step((p - roots[toe]) @ axis - 0.004, 0.0085) * ramp(others - far[toe], 0.0, 0.0045)
        out[f"{toe}_toe_01_l"] = one
        if toe == "big":
            middle = 0.5 * (roots[toe] + tips[toe])
            out["big_toe_02_l"] = one * step((p - middle) @ axis, 0.0075)


def left_weights(points: Array, triangles: Index) -> tuple[tuple[str, ...], Array]:
    """Weights ``(V, B)`` of the left half and the names of its bones; every row sums to 1.

    Vertices on the seam x = 0 have no weight of a left bone, so that mirroring leaves no step there.
    """
    bones = {b.name: b for b in sk.rest_bones() if not b.name.endswith("_r")}
    out = _Memberships()
    _middle(points, out, bones)
    _arm(points, out)
    _hand(points, out, bones)
    _leg(points, out)
    weights = out.weights({name: bones[name].parent for name in out})
    names = tuple(n for n in bones if n in weights)
    table = np.stack([weights[n] for n in names], axis=1)
    table /= table.sum(axis=1, keepdims=True)
    return names, _limited(_smoothed(table, points, triangles, names))


def _smoothed(table: Array, points: Array, triangles: Index, names: tuple[str, ...]) -> Array:
    """A few rounds of averaging with the neighbours that give no bone to a vertex it was kept from."""
    edges, _, _ = edges_of(triangles)
    both = np.concatenate([edges, edges[:, ::-1]])
    allowed = table > 0.0
    left = np.array([n.endswith("_l") for n in names])
    seam = points[:, 0] == 0.0
    allowed |= ~np.array([any(f in n for f in (*sk.FINGERS, "thumb", "toe")) for n in names])[None]
    allowed &= ~(seam[:, None] & left[None])
    stencil = _linear_stencil(points, both)[:, None]
    soft = (
        np.minimum(np.linalg.norm(points - sk.SHOULDER, axis=1), np.linalg.norm(points - sk.HIP, axis=1))
        < 0.17
    )
    for number in range(SOFT_SMOOTHING):
        mean = np.zeros_like(table)
        np.add.at(mean, both[:, 0], stencil * table[both[:, 1]])
        share = np.where(soft | (number < SMOOTHING), 0.5, 0.0)[:, None]
        table = np.maximum((1.0 - share) * table + share * mean, 0.0) * allowed
        table /= table.sum(axis=1, keepdims=True)
    return table


def _linear_stencil(points: Array, both: Index) -> Array:
    """Weight of each directed edge in the average that keeps linear functions as they are.

    The neighbours' values are fitted by a plane, which is read at the vertex itself; a plain average would
    shift values towards the side where the triangles are small, and bend the outlines of the dark bands.
    """
    away = points[both[:, 1]] - points[both[:, 0]]
    away[points[both[:, 0], 0] == 0.0, 0] = 0.0  # the mirror image balances this part
    rows = np.concatenate([np.ones((len(both), 1)), away / 0.01], axis=1)
    normal = np.zeros((len(points), 4, 4))
    np.add.at(normal, both[:, 0], rows[:, :, None] * rows[:, None, :])
    normal += np.diag([0.0, 0.02, 0.02, 0.02])
    first = np.linalg.inv(normal)[:, 0]
    return np.asarray((first[both[:, 0]] * rows).sum(axis=1))


def _limited(table: Array) -> Array:
    """Only the `INFLUENCES` largest weights of each row, without crumbs, summing to 1."""
    least = np.sort(table, axis=1)[:, -INFLUENCES][:, None]
    table = np.where((table >= least) & (table > 0.004), table, 0.0)
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def rows(table: Array) -> tuple[NDArray[np.int64], Array]:
    """Columns and weights ``(V, INFLUENCES)`` of a table, largest first."""
    order = np.argsort(-table, axis=1, kind="stable")[:, :INFLUENCES]
    return order, np.take_along_axis(table, order, axis=1)
