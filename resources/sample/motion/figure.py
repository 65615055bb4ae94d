"""The mannequin's skeleton as arrays, and poses as an animator thinks of them.

A turn of a bone is written in the *character's* axes as they stand at rest (x to its left, y up, z ahead),
carried along by the parent: ``local = Bp⁻¹ · D · B`` with the rest model rotations ``B`` of the bone and
``Bp`` of its parent. So ``(20, 0, 0)`` leans any bone forward about the left-right axis, whatever its own
axes are, and the right side mirrors as ``(x, −y, −z)``.
"""

import math
from collections.abc import Mapping

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from resources.sample.skeleton import rest_bones

Turn = tuple[float, float, float]


class Figure:
    """Rest pose of the mannequin in arrays, parents before children."""

    def __init__(self) -> None:
        bones = rest_bones()
        self.names = tuple(b.name for b in bones)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.parents = np.array([self.index[b.parent] if b.parent else -1 for b in bones])
        self.heads = np.stack([b.head for b in bones])
        self.tails = np.stack([b.tail for b in bones])
        self.rest_model = quat.from_matrix(np.stack([b.rotation for b in bones]))
        above = np.where(self.parents < 0, 0, self.parents)
        up = np.where(self.parents[:, None] < 0, quat.IDENTITY, self.rest_model[above])
        start = np.where(self.parents[:, None] < 0, 0.0, self.heads[above])
        self.rest_parent = up
        self.rest_rotations = _mirror_exact(
            self.names, quat.normalise(quat.multiply(quat.conjugate(up), self.rest_model))
        )
        self.rest_translations = quat.rotate(quat.conjugate(up), self.heads - start)
        self._tidy()

    def _tidy(self) -> None:
        """Make the right side's numbers the left side's to the last bit."""
        for i, name in enumerate(self.names):
            if name.endswith("_r"):
                left = self.index[name[:-2] + "_l"]
                self.rest_translations[i] = self.rest_translations[left] * [-1.0, 1.0, 1.0]
            elif not name.endswith("_l"):
                self.rest_translations[i, 0] = 0.0

    def turned(self, bones: list[int], deltas: FloatArray) -> FloatArray:
        """Local rotations ``(n, 4)`` of bones turned from rest by quaternions in the character's axes."""
        turn = quat.multiply(deltas, self.rest_model[bones])
        return quat.normalise(quat.multiply(quat.conjugate(self.rest_parent[bones]), turn))

    def model(self, rotations: FloatArray, translations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Model rotations ``(..., B, 4)`` and positions ``(..., B, 3)`` of local ones."""
        q, t = np.array(rotations), np.array(translations)
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                t[..., i, :] = t[..., parent, :] + quat.rotate(q[..., parent, :], t[..., i, :])
                q[..., i, :] = quat.multiply(q[..., parent, :], q[..., i, :])
        return q, t

    def flexed(self, bone: str, degrees: float) -> FloatArray:
        """Turn in the character's axes about the bone's own X: fingers close, elbows and knees bend."""
        axis = quat.rotate(self.rest_model[self.index[bone]], [1.0, 0.0, 0.0])
        return quat.from_axis_angle(axis, np.radians(degrees))


def _mirror_exact(names: tuple[str, ...], rotations: FloatArray) -> FloatArray:
    """Rotations whose right side is exactly the mirror image (y and z negated) of the left side."""
    index = {name: i for i, name in enumerate(names)}
    out = np.where(rotations[:, 3:] < 0, -rotations, rotations)
    for i, name in enumerate(names):
        if name.endswith("_r"):
            out[i] = out[index[name[:-2] + "_l"]] * [1.0, -1.0, -1.0, 1.0]
        elif not name.endswith("_l"):
            out[i, 1:3] = 0.0
            out[i] /= np.linalg.norm(out[i])
    return out


FIGURE = Figure()


def turn(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
    """Quaternion of a turn in the character's axes: lean z, then twist y, then swing x, in degrees."""
    (sx, cx), (sy, cy), (sz, cz) = _half(x), _half(y), _half(z)
    a, b, c, d = sx * cy, cx * sy, sx * sy, cx * cy
    return np.array([a * cz + b * sz, b * cz - a * sz, c * cz + d * sz, d * cz - c * sz])


def _own_turn(x: float, y: float, z: float) -> FloatArray:
    """Quaternion of a twist y, then a lean z, then a bend x, in degrees."""
    (sx, cx), (sy, cy), (sz, cz) = _half(x), _half(y), _half(z)
    a, b, c, d = sx * cz, -sx * sz, cx * sz, cx * cz
    return np.array([a * cy - c * sy, b * cy + d * sy, c * cy + a * sy, d * cy - b * sy])


def _half(degrees: float) -> tuple[float, float]:
    """Sine and cosine of half an angle."""
    angle = math.radians(0.5 * degrees)
    return math.sin(angle), math.cos(angle)


class Posing:
    """A pose being made: turns of bones in the character's axes, and shifts of root and pelvis."""

    def __init__(self) -> None:
        self.turns: dict[str, FloatArray] = {}
        self.shifts: dict[str, FloatArray] = {}

    def set(self, bone: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Posing":
        """Turn a bone from rest."""
        self.turns[bone] = turn(x, y, z)
        return self

    def flex(self, bone: str, degrees: float, twist: float = 0.0, side: float = 0.0) -> "Posing":
        """Bend a bone about its own X from rest; twist about its own Y, then lean about its own Z."""
        i = FIGURE.index[bone]
        own = _own_turn(degrees, twist, side)
        base = FIGURE.rest_model[i]
        self.turns[bone] = quat.multiply(quat.multiply(base, own), quat.conjugate(base))
        return self

    def add(self, bone: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Posing":
        """Turn a bone further, about the character's axes."""
        self.turns[bone] = quat.multiply(turn(x, y, z), self.turns.get(bone, quat.IDENTITY))
        return self

    def shift(self, bone: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Posing":
        """Move root or pelvis from rest, in metres along the character's axes."""
        self.shifts[bone] = np.array([x, y, z])
        return self

    def update(self, other: "Posing") -> "Posing":
        """Take over what another pose sets."""
        self.turns.update(other.turns)
        self.shifts.update(other.shifts)
        return self

    def mirrored(self) -> "Posing":
        """The same pose with left and right exchanged."""
        out = Posing()
        for name, q in self.turns.items():
            out.turns[other_side(name)] = q * [1.0, -1.0, -1.0, 1.0]
        for name, v in self.shifts.items():
            out.shifts[other_side(name)] = v * [-1.0, 1.0, 1.0]
        return out

    def local(self) -> tuple[FloatArray, FloatArray]:
        """Local rotations ``(B, 4)`` and translations ``(B, 3)``."""
        q, t = FIGURE.rest_rotations.copy(), FIGURE.rest_translations.copy()
        if self.turns:
            bones = [FIGURE.index[name] for name in self.turns]
            q[bones] = FIGURE.turned(bones, np.array(list(self.turns.values())))
        for name, v in self.shifts.items():
            i = FIGURE.index[name]
            t[i] += quat.rotate(quat.conjugate(FIGURE.rest_parent[i]), v)
        return q, t


def other_side(name: str) -> str:
    """Name of the paired bone, or the name itself on the middle line."""
    if name.endswith("_l"):
        return name[:-2] + "_r"
    if name.endswith("_r"):
        return name[:-2] + "_l"
    return name


def names_of(*groups: str) -> tuple[str, ...]:
    """Names of the bones whose names start with one of the groups."""
    return tuple(n for n in FIGURE.names if n.startswith(groups))


Turns = Mapping[str, Turn]
