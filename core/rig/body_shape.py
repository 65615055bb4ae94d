"""Capsules of a proposed body plan: from bone to bone, as thick as the skin around them."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.vectors import unit
from core.rig.body_place import UP, Place, away_from, rest_model, riding, strongest, vector
from core.rig.body_plan import Capsule
from core.rig.body_shares import THICKNESS, Part
from core.rig.mesh import Mesh
from core.rig.skeleton import Skeleton

FEWEST = 8
"""Vertices that a shape is measured from at least."""

LONG_PARTS = (Part.NECK, Part.UPPER_ARM, Part.LOWER_ARM, Part.THIGH, Part.CALF)
"""Parts whose capsule goes from their bone to the next body; that of the others spans their skin."""


class Shape:
    """The rest pose, and the vertices that follow each body most."""

    def __init__(self, skeleton: Skeleton, bones: Sequence[str], meshes: Sequence[Mesh]) -> None:
        self.skeleton = skeleton
        self.model = rest_model(skeleton)
        order = sorted(bones, key=skeleton.index)
        ride = riding(skeleton, order)
        self.skin: dict[str, FloatArray] = {}
        points, owners = strongest(skeleton, meshes)
        for number, bone in enumerate(order):
            self.skin[bone] = points[ride[owners] == number] if len(points) else np.zeros((0, 3))
        heights = [self.model.translation[[skeleton.index(b) for b in order], 1]]
        heights += [points[ride[owners] >= 0, 1]] if len(points) else []
        if len(points):
            self.height = float(np.ptp(np.concatenate(heights))) or 1.0
        else:  # the bones end at the head's base and at the ankles or toes
            self.height = 1.15 * float(np.ptp(heights[0])) or 1.0

    def at(self, bone: str) -> FloatArray:
        return np.array(self.model.translation[self.skeleton.index(bone)])

    def capsule(self, place: Place, places: Sequence[Place], left: FloatArray) -> tuple[Capsule, FloatArray]:
        """Its capsule, and the direction along the part in model space."""
        origin, end = self.at(place.bone), self.end(place, places, left)
        along = unit(end - origin, UP)
        skin = self.skin[place.bone]
        length = float(np.linalg.norm(end - origin))
        if place.part is Part.PELVIS:
            hips = [self.at(p.bone) for p in places if p.part is Part.THIGH]
            if len(hips) == 2:
                across = 0.25 * (hips[1] - hips[0])
                middle = 0.5 * (hips[0] + hips[1])
                length = float(np.linalg.norm(hips[1] - hips[0]))
                radius = THICKNESS[place.part] * length
                if len(skin) >= FEWEST:
                    middle = np.mean(skin, axis=0)
                    radius = float(np.median(away_from(skin, middle, unit(across, left))))
                return self.local(place.bone, middle - across, middle + across, radius), along
        if len(skin) < FEWEST:
            return self.local(place.bone, origin, end, THICKNESS[place.part] * length), along
        if place.part in LONG_PARTS and place.following is not None:
            aside = np.mean(skin, axis=0) - origin
            aside = aside - along * (aside @ along)
            radius = float(np.median(away_from(skin, origin + aside, along)))
            return self.local(place.bone, origin + aside, end + aside, radius), along
        flat = along
        if place.part is Part.FOOT:  # soles lie on the ground
            flat = unit(along * np.array([1.0, 0.0, 1.0]), along)
        on_ground = place.part in (Part.FOOT, Part.BALL)
        return self.around(place.bone, flat, on_ground), along

    def span(self, bone: str, following: str | None) -> Capsule:
        """A capsule from a bone to another, or along its skin."""
        origin = self.at(bone)
        skin = self.skin[bone]
        if following is None:
            if len(skin) >= FEWEST:
                middle = np.mean(skin, axis=0) - origin
                return self.around(bone, unit(middle, UP))
            parent = self.skeleton.parent(self.skeleton.index(bone))
            before = origin - self.model.translation[parent] if parent >= 0 else np.array([0.0, 0.1, 0.0])
            if np.linalg.norm(before) < 1e-6:
                before = np.array([0.0, 0.02 * self.height, 0.0])
            return self.local(bone, origin, origin + 0.6 * before, 0.15 * float(np.linalg.norm(before)))
        end = self.at(following)
        along = unit(end - origin, UP)
        radius = 0.15 * float(np.linalg.norm(end - origin))
        if len(skin) >= FEWEST:
            radius = float(np.median(away_from(skin, origin, along)))
        return self.local(bone, origin, end, radius)

    def around(self, bone: str, along: FloatArray, on_ground: bool = False) -> Capsule:
        """A capsule in a direction that spans the skin of a bone; on the ground it is no lower than that."""
        skin = self.skin[bone]
        middle = np.mean(skin, axis=0)
        radius = float(np.median(away_from(skin, middle, along)))
        if on_ground:
            middle = middle + UP * max(0.0, float(skin[:, 1].min()) + radius - float(middle[1]))
        low, high = np.percentile((skin - middle) @ along, (2.0, 98.0))
        low, high = (low + radius, high - radius) if high - low > 2.0 * radius else (0.5 * (low + high),) * 2
        return self.local(bone, middle + low * along, middle + high * along, radius)

    def local(self, bone: str, start: FloatArray, end: FloatArray, radius: float) -> Capsule:
        number = self.skeleton.index(bone)
        back = quat.conjugate(self.model.rotation[number])
        points = quat.rotate(back, np.stack((start, end)) - self.model.translation[number])
        rounded = [tuple(float(round(x, 5)) for x in point) for point in points]
        smallest = 0.004 * self.height
        return Capsule(vector(rounded[0]), vector(rounded[1]), round(max(radius, smallest), 5))

    def end(self, place: Place, places: Sequence[Place], left: FloatArray) -> FloatArray:
        """Where a part ends: at the next body, else where its skin goes, else by the part above."""
        origin = self.at(place.bone)
        if place.following is not None:
            end = self.at(place.following)
            if np.linalg.norm(end - origin) > 1e-6:
                return end
        skin = self.skin[place.bone]
        if len(skin) >= FEWEST:
            middle = np.mean(skin, axis=0) - origin
            if place.part is Part.HEAD:
                middle = UP * max(float(middle @ UP), 1e-3)
            tip: FloatArray = origin + 2.0 * middle
            return tip
        if place.part is Part.FOOT or place.part is Part.BALL:
            ahead = np.cross(left, UP)
            return origin + (0.09 if place.part is Part.FOOT else 0.04) * self.height * ahead
        if place.part is Part.HEAD:
            return origin + 0.1 * self.height * UP
        above = next((p for p in places if p.following == place.bone), None)
        before = origin - self.at(above.bone) if above is not None else 0.1 * self.height * UP
        return origin + (0.4 if place.part is Part.HAND else 0.8) * before
