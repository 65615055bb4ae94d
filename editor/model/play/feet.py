"""Where the feet of a driven character were at each step, and how much they slid while they touched the ground."""

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.locomotion.setup import H
from core.math import transform
from core.math.transform import Transform
from core.pose import kinematics
from core.pose.pose import Pose
from core.rig.rig import Rig
from core.rig.roles import find_roles
from core.rig.skeleton import Skeleton
from core.terrain.terrain import Terrain

CURVES = ("contact_l", "contact_r")
NEAR = 0.03
"""Metres of a sole above the ground that count as contact where a character has no contact curves."""


@dataclass(frozen=True, slots=True, eq=False)
class FeetSample:
    """One step.

    Parameters
    ----------
    places : ``(2, 3)`` of the balls of the left and the right foot, world metres
    contacts : whether each touches the ground
    slip : cm/s over the ground of each while it touches; 0 in the air
    """

    places: FloatArray
    contacts: tuple[bool, bool]
    slip: tuple[float, float]


class Feet:
    """The feet of one rig; without two legs there is nothing to tell."""

    def __init__(self, rig: Rig) -> None:
        skeleton = rig.skeleton
        self._skeleton = skeleton
        self._balls = _balls(skeleton)
        self._rest = 0.0
        if self._balls is not None:
            rest = kinematics.to_model(skeleton, skeleton.rest).translation
            self._rest = float(min(rest[self._balls[0], 1], rest[self._balls[1], 1]))

    @property
    def known(self) -> bool:
        """Whether the rig has a left and a right foot."""
        return self._balls is not None

    def sample(
        self, pose: Pose, stands: Transform, terrain: Terrain, before: FeetSample | None
    ) -> FeetSample | None:
        """The feet of a pose; None where the rig has none.

        Parameters
        ----------
        stands : where the character stands
        before : the step before, for the slip
        """
        if self._balls is None:
            return None
        model = kinematics.to_model(self._skeleton, pose.local)
        at = np.array([model.translation[k] for k in self._balls])
        places = transform.apply(Transform(*(part[None] for part in stands)), at)
        contacts = self._contacts(pose, places, terrain)
        slip = [0.0, 0.0]
        for side in range(2):
            if before is not None and contacts[side] and before.contacts[side]:
                dx, _, dz = (places[side] - before.places[side]).tolist()
                slip[side] = 100.0 * math.hypot(dx, dz) / H
        return FeetSample(places, contacts, (slip[0], slip[1]))

    def _contacts(self, pose: Pose, places: FloatArray, terrain: Terrain) -> tuple[bool, bool]:
        if all(name in pose.curves for name in CURVES):
            return pose.curves[CURVES[0]] > 0.5, pose.curves[CURVES[1]] > 0.5
        heights = terrain.under(places)
        near = places[:, 1] - heights < self._rest + NEAR
        return bool(near[0]), bool(near[1])


def _balls(skeleton: Skeleton) -> tuple[int, int] | None:
    """The bones that stand on the ground: toes, or feet where there are none."""
    found = []
    for leg in find_roles(skeleton).legs():
        name = leg.toe or leg.end
        if name is not None:
            found.append(skeleton.index(name))
    return (found[0], found[1]) if len(found) == 2 else None
