"""The motion that a simulation is carried by, and the simulated places put back into poses."""

from collections.abc import Callable, Sequence

import numpy as np

from core.arrays import FloatArray
from core.math import quat, transform
from core.math.transform import Transform, down_chain
from core.physics.parts import Part
from core.rig.skeleton import Skeleton

Sampler = Callable[[FloatArray], Transform]
"""Local transforms ``(T, B, k)`` at times within the clip, root motion left in."""


STAYS = 1e-3
"""Metres and radians that a bone may differ between the ends of a loop and still count as come back."""


class ClipMotion:
    """A clip at any time: before its beginning too, where it loops the turn before, else its first pose.

    Parameters
    ----------
    loop : length of the clip where it loops, None where it does not
    """

    def __init__(self, skeleton: Skeleton, sample: Sampler, loop: float | None) -> None:
        self._skeleton, self._sample = skeleton, sample
        self._loop = loop if loop is not None and loop > 0.0 else None
        self._turn: Transform | None = None

    def local(self, times: FloatArray) -> Transform:
        """Local transforms ``(T, B, k)``; over the seam of a loop those of the same phase."""
        return self._sample(self._phase(times)[0])

    def model(self, times: FloatArray) -> Transform:
        """Model transforms ``(T, B, k)``; over the seam of a loop the character goes on where it came to."""
        phase, turns = self._phase(times)
        model = down_chain(self._skeleton.parents, self._sample(phase))
        for count in np.unique(turns).tolist():
            if count:
                model = _carried(model, turns == count, self._whole_turn(), int(count))
        return model

    def _phase(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Times within the clip, and the number of the turn that each belongs to; the end is still turn 0."""
        if self._loop is None:
            return np.maximum(times, 0.0), np.zeros(len(times))
        turns = np.floor(times / self._loop + 1e-9)
        turns = np.where((turns == 1.0) & (times <= self._loop + 1e-9), 0.0, turns)
        return np.clip(times - turns * self._loop, 0.0, self._loop), turns

    def _whole_turn(self) -> Transform:
        """How far the character comes in one turn: as the first of the bones that carry all others does."""
        if self._turn is None:
            ends = down_chain(self._skeleton.parents, self._sample(np.array([0.0, self._loop or 0.0])))
            self._turn = transform.IDENTITY
            for bone in _carrying(self._skeleton):
                rotation, place = ends.rotation[:, bone], ends.translation[:, bone]
                turn = quat.normalise(quat.multiply(rotation[1], quat.conjugate(rotation[0])))
                apart = float(quat.angle_between(rotation[0], rotation[1]))
                if np.abs(place[1] - place[0]).max() > STAYS or apart > STAYS:
                    self._turn = Transform(place[1] - quat.rotate(turn, place[0]), turn, np.ones(3))
                    break
        return self._turn


def _carrying(skeleton: Skeleton) -> list[int]:
    """The first root and what hangs on it alone, down to the first bone that branches."""
    line = [int(skeleton.roots()[0])]
    while len(children := skeleton.children(line[-1])) == 1:
        line.append(children[0])
    return line


def _carried(model: Transform, rows: FloatArray, turn: Transform, count: int) -> Transform:
    """The model transforms with some rows moved on by so many turns (back where below 0)."""
    one = turn if count > 0 else transform.inverse(turn)
    whole = one
    for _ in range(abs(count) - 1):
        whole = transform.compose(one, whole)
    translation, rotation = np.array(model.translation), np.array(model.rotation)
    translation[rows] = whole.translation + quat.rotate(whole.rotation, translation[rows])
    rotation[rows] = quat.multiply(whole.rotation, rotation[rows])
    return Transform(translation, rotation, model.scale)


def with_parts(
    skeleton: Skeleton,
    model: Transform,
    local: Transform,
    parts: Sequence[Part],
    places: FloatArray,
    turns: FloatArray,
) -> Transform:
    """Local transforms ``(F, B, k)`` of a clip with the bones of parts turned, and moved where they are free.

    Parameters
    ----------
    model, local : the clip's
    places, turns : of the parts in model space, ``(F, P, 3)`` and ``(F, P, 4)``
    """
    by_bone = {part.bone: number for number, part in enumerate(parts)}
    translation, rotation = np.array(local.translation), np.array(local.rotation)
    place, turn = np.array(model.translation), np.array(model.rotation)
    moved = np.zeros(len(skeleton), dtype=bool)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        above = turn[:, parent] if parent >= 0 else np.broadcast_to(quat.IDENTITY, turn[:, 0].shape)
        number = by_bone.get(bone)
        if number is not None:
            turn[:, bone] = turns[:, number]
            rotation[:, bone] = quat.normalise(quat.multiply(quat.conjugate(above), turns[:, number]))
            moved[bone] = True
            if parts[number].above < 0:
                place[:, bone] = places[:, number]
                translation[:, bone] = place[:, bone]
                if parent >= 0:
                    offset = quat.rotate(quat.conjugate(above), place[:, bone] - place[:, parent])
                    translation[:, bone] = offset / np.where(
                        model.scale[:, parent] == 0.0, 1.0, model.scale[:, parent]
                    )
                continue
        elif parent >= 0 and moved[parent]:
            turn[:, bone] = quat.multiply(above, rotation[:, bone])
            moved[bone] = True
        if parent >= 0 and moved[parent]:
            offset = model.scale[:, parent] * translation[:, bone]
            place[:, bone] = place[:, parent] + quat.rotate(above, offset)
    rotation = np.where(np.sum(rotation * local.rotation, axis=-1, keepdims=True) < 0.0, -rotation, rotation)
    return Transform(translation, rotation, local.scale)
