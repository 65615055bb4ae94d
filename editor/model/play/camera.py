"""The camera that follows a driven character: smooth at any frame rate, kept out of the terrain."""

import math
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.locomotion.dampers import clamp, damp
from core.pose import kinematics
from core.rig.rig import Rig
from core.terrain.terrain import Terrain

LEVEL_HALF, HEIGHT_HALF, OUT_HALF = 0.03, 0.10, 0.20
"""Half-lives in seconds: over the ground, up and down (stairs), and away from the character after an obstacle."""
RADIUS = 0.20
"""Metres of the sphere that is swept from the character to the eye."""
DISTANCE = 4.2
"""Metres of the camera from what it looks at, at first."""
NEAREST, FARTHEST = 0.5, 40.0
PIVOT = 0.80
"""Share of the capsule's height that the camera looks at."""
JUMPED = 4.0
"""Metres that the character must be away for the camera to cut to it."""


USUAL = 1.7
"""Metres of a body that the distances are meant for; others are looked at from as much farther or nearer."""


def size_of(rig: Rig) -> float:
    """How many times as tall a character is as the usual one; 1 for all that are near it."""
    places = kinematics.to_model(rig.skeleton, rig.skeleton.rest).translation
    times = clamp(float(np.ptp(places[:, 1])) / USUAL, 0.25, 8.0)
    return 1.0 if 0.8 < times < 1.25 else times


@dataclass(frozen=True, slots=True)
class FollowCamera:
    """Where the camera is between two pictures.

    Parameters
    ----------
    pivot : what it looks at, metres
    wanted : distance that the person asks for
    distance : distance now
    """

    pivot: tuple[float, float, float] = (0.0, 1.4, 0.0)
    wanted: float = DISTANCE
    distance: float = DISTANCE

    def zoomed(self, factor: float) -> "FollowCamera":
        """Nearer or farther away."""
        return replace(self, wanted=clamp(self.wanted * factor, NEAREST, FARTHEST))

    def followed(
        self,
        place: tuple[float, float, float],
        height: float,
        view: tuple[float, float],
        seconds: float,
        terrain: Terrain,
    ) -> "FollowCamera":
        """The camera some seconds later.

        Parameters
        ----------
        place : of the character's feet
        height : metres of its capsule
        view : yaw and pitch, degrees, as the person looks
        """
        goal = (place[0], place[1] + PIVOT * height, place[2])
        if math.dist(goal, self.pivot) > JUMPED:
            pivot = goal
        else:
            halves = (LEVEL_HALF, HEIGHT_HALF, LEVEL_HALF)
            x, y, z = (damp(a, b, seconds, half) for a, b, half in zip(self.pivot, goal, halves, strict=True))
            pivot = (x, y, z)
        free = free_distance(terrain, pivot, view, self.wanted)
        away = damp(self.distance, self.wanted, seconds, OUT_HALF)
        return replace(self, pivot=pivot, distance=min(away, free))


def backward(view: tuple[float, float]) -> FloatArray:
    """Unit vector from what is looked at to the eye, for yaw and pitch in degrees."""
    yaw, pitch = math.radians(view[0]), math.radians(view[1])
    return -np.array([math.cos(pitch) * math.sin(yaw), math.sin(pitch), math.cos(pitch) * math.cos(yaw)])


def free_distance(
    terrain: Terrain, pivot: tuple[float, float, float], view: tuple[float, float], wanted: float
) -> float:
    """How far a sphere gets from the pivot toward the eye before it touches the terrain."""
    way = backward(view) * wanted
    x, y, z = way.tolist()
    touched = terrain.touch(pivot, pivot, RADIUS, (x, y, z))
    return wanted if touched is None else max(touched.time * wanted, 0.05)
