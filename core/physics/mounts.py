"""Mounts: where each body is on the body above it when its angles are 0, and what moves that.

Bones between bodies (clavicles, say), stretch, and what a hinge cannot turn move a body in ways that its axes cannot.
In a clip that is followed they go as the clip has them; in a fall they go on as they moved and come to a stop.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.math import quat
from core.math.transform import Transform
from core.rig.skeleton import Skeleton

COASTING = 0.15
"""Seconds in which bones without axes come to a stop."""
FARTHEST, WIDEST = 0.1, np.radians(30.0)
"""Metres, of a person, and radians that they go on at most: what moves faster stops sooner."""


class Mounts(NamedTuple):
    """Each body on the one above it at angles of 0: places ``(..., n, 3)``, turns ``(..., n, 4)``.

    The root body's are in the world. `between` has the local transforms ``(..., L, k)`` of the bones between.
    """

    places: FloatArray
    turns: FloatArray
    between: Transform

    def towards(self, other: "Mounts", share: float) -> "Mounts":
        """Those a share of the way to others."""
        turns = self.turns + share * (quat.aligned(other.turns, self.turns) - self.turns)
        places = self.places + share * (other.places - self.places)
        return Mounts(places, quat.normalise(turns), other.between)

    def row(self, number: int) -> "Mounts":
        """Those of one pose of several."""
        between = Transform(*(part[number] for part in self.between))
        return Mounts(self.places[number], self.turns[number], between)

    def to_bytes(self) -> bytes:
        """Every number in order."""
        return b"".join(np.ascontiguousarray(part).tobytes() for part in (*self[:2], *self.between))


class Links:
    """The bones between each body and the one above it.

    Parameters
    ----------
    bones : bone of each body, ``(n,)``
    parents : body above each, −1 for the root body

    Attributes
    ----------
    between : numbers of the bones that are between two bodies, ``(L,)``
    carried : those, then the bodies' bones without the root body's, ``(C,)``
    """

    def __init__(self, skeleton: Skeleton, bones: IntArray, parents: tuple[int, ...]) -> None:
        chains: list[list[int]] = []
        for number, above in enumerate(parents):
            chain: list[int] = []
            if above >= 0:
                bone, stop = skeleton.parent(int(bones[number])), int(bones[above])
                while bone != stop:
                    chain.append(bone)
                    bone = skeleton.parent(bone)
            chains.append(chain[::-1])
        self.between = np.array(sorted({bone for chain in chains for bone in chain}), dtype=np.int32)
        self.carried = np.concatenate((self.between, bones[1:]))
        # an index for each step down; one beyond the last is of a bone that does nothing
        row = {bone: number for number, bone in enumerate(self.between.tolist())}
        nothing = len(self.carried)
        self._steps = [
            np.array([row[chain[k]] if k < len(chain) else nothing for chain in chains])
            for k in range(max(len(chain) for chain in chains))
        ]

    def rows(self, local: Transform) -> Transform:
        """Of local transforms ``(..., B, k)`` those of the bones that are carried, ``(..., C, k)``."""
        return Transform(*(part[..., self.carried, :] for part in local))

    def rides(self, rows: Transform, scales: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Place ``(..., n, 3)`` and turn ``(..., n, 4)`` of each body's parent bone within the body above.

        Parameters
        ----------
        rows : local transforms of the bones between, ``(..., L or more, k)``
        scales : world scale above each bone that is carried, ``(C, 3)``
        """
        shape, count = rows.translation.shape[:-2], len(self.carried) - len(self.between) + 1
        places = np.zeros((*shape, count, 3))
        turns = np.broadcast_to(quat.IDENTITY, (*shape, count, 4))
        if not self._steps:
            return places, turns
        number = len(self.between)
        moved = np.zeros((*shape, len(self.carried) + 1, 3))
        moved[..., :number, :] = scales[:number] * rows.translation[..., :number, :]
        turned = np.broadcast_to(quat.IDENTITY, (*moved.shape[:-1], 4)).copy()
        turned[..., :number, :] = rows.rotation[..., :number, :]
        for step in self._steps:
            places = places + quat.rotate(turns, moved[..., step, :])
            turns = quat.multiply(turns, turned[..., step, :])
        return places, turns

    def places(self, rows: Transform, scales: FloatArray) -> FloatArray:
        """Place ``(n, 3)`` of each body's bone within the body above, by local transforms ``(C, k)``; 0 of the root."""
        places, turns = self.rides(rows, scales)
        number = len(self.between)
        places[1:] += quat.rotate(turns[1:], scales[number:] * rows.translation[number:])
        return places


@dataclass(frozen=True, slots=True, eq=False)
class Coast:
    """Local speeds that no axis can do, and when they have come to a stop.

    Parameters
    ----------
    shift, turn : of the bones that are carried, ``(C, 3)``: local units a second, radians a second about the
        parent's axes
    mount : of the mounts' turns, ``(n, 3)``, radians a second about the axes of the body above
    seconds, mount_seconds : until each has stopped, ``(C,)``, ``(n,)``
    """

    shift: FloatArray
    turn: FloatArray
    mount: FloatArray
    seconds: FloatArray
    mount_seconds: FloatArray

    @classmethod
    def of(
        cls, shift: FloatArray, turn: FloatArray, mount: FloatArray, scales: FloatArray, size: float
    ) -> "Coast":
        """Speeds that die out; `size` is that of the character against a person's."""
        fast = np.linalg.norm(scales * shift, axis=1)
        seconds = np.minimum(_seconds(fast, FARTHEST * size), _seconds(np.linalg.norm(turn, axis=1), WIDEST))
        return cls(shift, turn, mount, seconds, _seconds(np.linalg.norm(mount, axis=1), WIDEST))

    def rows(self, rows: Transform, seconds: float) -> Transform:
        """Local transforms some seconds after those ``(C, k)`` of the start."""
        gone = _gone(self.seconds, seconds)[:, None]
        turned = quat.multiply(quat.from_rotation_vector(self.turn * gone), rows.rotation)
        return Transform(rows.translation + self.shift * gone, turned, rows.scale)

    def mounted(self, turns: FloatArray, seconds: float) -> FloatArray:
        """The mounts' turns some seconds after those ``(n, 4)`` of the start."""
        gone = _gone(self.mount_seconds, seconds)[:, None]
        return quat.normalise(quat.multiply(quat.from_rotation_vector(self.mount * gone), turns))

    def to_bytes(self) -> bytes:
        """Every number in order."""
        parts = (self.shift, self.turn, self.mount, self.seconds, self.mount_seconds)
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def _seconds(speeds: FloatArray, most: float) -> FloatArray:
    """Seconds until something stops, so that it goes no farther than `most`."""
    return np.minimum(COASTING, 3.0 * most / np.maximum(speeds, 1e-12))


def _gone(until: FloatArray, seconds: float) -> FloatArray:
    """Seconds at the first speed that make the way gone by then: the speed falls with the square of what is left."""
    left = 1.0 - np.minimum(seconds / until, 1.0)
    return until / 3.0 * (1.0 - left**3)
