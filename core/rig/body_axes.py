"""Axes and ranges of a proposed body plan: bend, sideways and twist, told from the rig's own rest pose."""

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.vectors import unit
from core.rig.body_place import UP, Place, vector
from core.rig.body_plan import MIDDLE_LIMIT, AxisRange, Capsule
from core.rig.body_shape import Shape
from core.rig.body_shares import RANGES, Part, Range
from core.rig.roles import RIGHT

SNAP = 0.94
"""Cosine (20°) within which a part's axes are taken to be meant by the bone's own axes."""

REST_ARM, REST_FOOT = -45.0, 27.0
"""Degrees: how the arm rises and the foot points down in the pose that the ranges are told from."""

STRAIGHT = 0.05
"""Sine (3°) below which an elbow or a knee counts as straight."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A rig's parts: their places, their shape at rest, and the model direction of the character's left."""

    places: tuple[Place, ...]
    shape: Shape
    left: FloatArray

    @property
    def ahead(self) -> FloatArray:
        """Where the character faces."""
        return np.cross(self.left, UP)

    def above(self, place: Place) -> Place | None:
        """The part that ends where this one begins."""
        return next((p for p in self.places if p.following == place.bone), None)


def axes_of(figure: Figure, place: Place, along: FloatArray) -> tuple[AxisRange, ...]:
    """Bend, sideways, twist in the bone's frame, with the ranges of the part.

    Parameters
    ----------
    along : model direction of the part
    """
    toward = _bends_toward(figure, place, along)
    x = unit(np.cross(along, toward), figure.left)
    wanted = np.stack((x, np.cross(x, along), along))
    rotation = figure.shape.model.rotation[figure.shape.skeleton.index(place.bone)]
    local = _snapped(quat.rotate(quat.conjugate(rotation), wanted))
    ranges = list(RANGES[place.part])
    if place.side == RIGHT:
        ranges = [r if number == 0 else (-r[1], -r[0]) for number, r in enumerate(ranges)]
    ranges = _from_rest(figure, place, ranges, along)
    return tuple(AxisRange(vector(axis), low, high) for axis, (low, high) in zip(local, ranges, strict=False))


def _bends_toward(figure: Figure, place: Place, along: FloatArray) -> FloatArray:
    """The model direction that a positive bend moves the part's end to."""
    if place.part is Part.THIGH:
        return -figure.ahead
    if place.part in (Part.FOOT, Part.BALL):
        return -UP
    if place.part is Part.HAND:  # the palm faces the thigh where the thumb points ahead
        return np.cross(along, figure.ahead) * place.side
    bent = None
    if place.part in (Part.UPPER_ARM, Part.LOWER_ARM):
        bent = _bent(figure, place.side, (Part.UPPER_ARM, Part.LOWER_ARM, Part.HAND), figure.ahead)
    elif place.part is Part.CALF:
        bent = _bent(figure, place.side, (Part.THIGH, Part.CALF, Part.FOOT), -figure.ahead)
        return -figure.ahead if bent is None else bent
    return figure.ahead if bent is None else bent


def _bent(figure: Figure, side: int, limb: tuple[Part, Part, Part], toward: FloatArray) -> FloatArray | None:
    """The direction that an elbow or a knee is bent to at rest; None where it is straight or bent the wrong way."""
    at = {p.part: figure.shape.at(p.bone) for p in figure.places if p.side == side}
    if not set(limb) <= at.keys():
        return None
    upper = unit(at[limb[1]] - at[limb[0]], UP)
    lower = unit(at[limb[2]] - at[limb[1]], UP)
    hinge = np.cross(upper, lower)
    if np.linalg.norm(hinge) < STRAIGHT or float(hinge @ np.cross(upper, toward)) <= 0.0:
        return None
    return lower - upper


def _from_rest(figure: Figure, place: Place, ranges: list[Range], along: FloatArray) -> list[Range]:
    """Ranges told from the rest pose of this rig."""
    above = figure.above(place)
    if place.part is Part.UPPER_ARM:
        rise = np.degrees(np.arctan2(along[1], place.side * float(along @ figure.left)))
        ranges[1] = _moved(ranges[1], float(place.side * (REST_ARM - rise)))
    elif place.part in (Part.LOWER_ARM, Part.CALF, Part.FOOT) and above is not None:
        before = unit(figure.shape.at(place.bone) - figure.shape.at(above.bone), along)
        bent = float(np.degrees(np.arccos(np.clip(before @ along, -1.0, 1.0))))
        if place.part is Part.FOOT:
            bent = (90.0 - bent) - REST_FOOT
        ranges[0] = _moved(ranges[0], -bent)
    if len(ranges) == 3:
        low, high = ranges[1]
        ranges[1] = max(low, -MIDDLE_LIMIT + 5.0), min(high, MIDDLE_LIMIT - 5.0)
    return ranges


def _moved(limits: Range, by: float) -> Range:
    low, high = round(limits[0] + by, 1), round(limits[1] + by, 1)
    return max(low, -180.0), min(high, 180.0)


def free_axes(capsule: Capsule, swing: float, twist: float) -> tuple[AxisRange, ...]:
    """Three axes for a bone of unknown kind: it bends to all sides and turns a little about itself."""
    along = unit(np.subtract(capsule.end, capsule.start), UP)
    aside = np.eye(3)[int(np.argmin(np.abs(along)))]
    x = unit(np.cross(along, aside), aside)
    frame = _snapped(np.stack((x, np.cross(x, along), along)))
    side = min(swing, MIDDLE_LIMIT)
    ranges = ((-swing, swing), (-side, side), (-twist, twist))
    return tuple(AxisRange(vector(axis), low, high) for axis, (low, high) in zip(frame, ranges, strict=True))


def _snapped(frame: FloatArray) -> FloatArray:
    """The bone's own axes where a frame (rows) is nearly those, else the frame."""
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            own: FloatArray = np.eye(3)[list(order)] * np.array(signs)[:, None]
            if np.linalg.det(own) * np.linalg.det(frame) > 0 and np.sum(own * frame, axis=1).min() > SNAP:
                return own
    return frame
