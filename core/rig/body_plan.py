"""The body plan of a rig: what a ragdoll is made of. One rigid body a part, a capsule each, and its joints.

Everything is told in the bones' own axes and in metres: a capsule's point ``p`` of a bone is at
``t + q·p`` in model space, with ``t``, ``q`` the bone's model translation and rotation. Scale above the bone
plays no part, so the numbers of a rig made in centimetres are metres too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from core.arrays import FloatArray
from core.errors import MissingReferenceError, ValidationError
from core.rig.skeleton import Skeleton

Vector = tuple[float, float, float]

MIDDLE_LIMIT = 85.0
"""Degrees that the second of three axes may turn at most: at 90 the first and the third would be one."""


@dataclass(frozen=True, slots=True)
class Capsule:
    """All points within `radius` of a segment.

    Parameters
    ----------
    start, end : metres, in the bone's axes, from the bone's origin; equal points make a ball
    radius : metres, above 0
    """

    start: Vector
    end: Vector
    radius: float

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            point = tuple(float(x) for x in getattr(self, name))
            if len(point) != 3 or not all(map(isfinite, point)):
                raise ValidationError(f"capsule: expected three finite numbers as its {name}, got {point}")
            object.__setattr__(self, name, point)
        if not (isfinite(self.radius) and self.radius > 0.0):
            raise ValidationError(f"capsule: expected a radius above 0 m, got {self.radius}")

    @property
    def length(self) -> float:
        """Length of the segment, metres."""
        return float(np.linalg.norm(np.subtract(self.end, self.start)))

    @property
    def volume(self) -> float:
        """Cubic metres."""
        return float(np.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius))


@dataclass(frozen=True, slots=True)
class AxisRange:
    """One axis that a body turns about, and how far from the rest pose.

    Parameters
    ----------
    axis : unit vector in the bone's rest frame
    minimum, maximum : degrees, −180 to 180
    """

    axis: Vector
    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        axis = tuple(float(x) for x in self.axis)
        if len(axis) != 3 or not abs(float(np.linalg.norm(axis)) - 1.0) < 1e-6:
            raise ValidationError(f"axis of a body: expected a unit vector, got {axis}")
        object.__setattr__(self, "axis", axis)
        if not -180.0 <= self.minimum <= self.maximum <= 180.0:
            raise ValidationError(
                "axis of a body: expected a range within −180 to 180° with its minimum first, "
                f"got {self.minimum} to {self.maximum}"
            )


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid part of the ragdoll. It carries its bone and all bones below that have no body of their own.

    Parameters
    ----------
    bone : name of the bone
    capsule : its shape
    mass : kilograms, above 0
    axes : what it turns about against the body above it: none (fixed to it), one (a hinge), or three that are
        square to each other: bend, sideways, twist. The first turns in the frame of the body above, the last
        about the body itself; the second stays within ±85°. The root body moves freely, whatever its axes are
    damping : of each axis, N·m·s
    """

    bone: str
    capsule: Capsule
    mass: float
    axes: tuple[AxisRange, ...] = ()
    damping: float = 1.0

    def __post_init__(self) -> None:
        what = f"body of bone {self.bone!r}"
        object.__setattr__(self, "axes", tuple(self.axes))
        if not self.bone:
            raise ValidationError("body: expected the name of a bone, got an empty one")
        if not (isfinite(self.mass) and self.mass > 0.0):
            raise ValidationError(f"{what}: expected a mass above 0 kg, got {self.mass}")
        if not (isfinite(self.damping) and self.damping >= 0.0):
            raise ValidationError(f"{what}: expected a damping of 0 or more, got {self.damping}")
        if len(self.axes) not in (0, 1, 3):
            raise ValidationError(f"{what}: expected no, one or three axes, got {len(self.axes)}")
        if len(self.axes) == 3:
            frame = np.array([axis.axis for axis in self.axes])
            if np.abs(frame @ frame.T - np.eye(3)).max() > 1e-6:
                raise ValidationError(f"{what}: its three axes must be square to each other")
            second = self.axes[1]
            if second.minimum < -MIDDLE_LIMIT or second.maximum > MIDDLE_LIMIT:
                raise ValidationError(
                    f"{what}: the range of its second axis must stay within ±{MIDDLE_LIMIT:g}°, "
                    f"got {second.minimum:g} to {second.maximum:g}; swap axes so that the smallest range is second"
                )

    def with_range(self, axis: int, minimum: float, maximum: float) -> "Body":
        """The same with another range (degrees) of its axis number `axis`."""
        axes = list(self.axes)
        axes[axis] = replace(axes[axis], minimum=minimum, maximum=maximum)
        return replace(self, axes=tuple(axes))


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """The bodies of a rig and which pairs of them pass through each other.

    Parameters
    ----------
    bodies : one a bone; the root body first, each body after the one above it (see `check`)
    ignored : pairs of bones whose bodies do not collide. A body never collides with the one above it

    Raises
    ------
    ValidationError
        No body, two bodies of one bone, or a pair that names a bone without a body.
    """

    bodies: tuple[Body, ...]
    ignored: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", tuple(self.bodies))
        if not self.bodies:
            raise ValidationError("body plan: expected one body at least")
        names = [body.bone for body in self.bodies]
        twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
        if twice is not None:
            raise ValidationError(f"body plan: bone {twice!r} has two bodies; remove one")
        pairs = []
        for pair in self.ignored:
            first, second = pair
            if first == second or first not in names or second not in names:
                raise ValidationError(
                    f"body plan: the ignored pair {first!r}, {second!r} must name two bodies"
                )
            pairs.append((first, second) if names.index(first) < names.index(second) else (second, first))
        object.__setattr__(self, "ignored", tuple(dict.fromkeys(pairs)))

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)

    @property
    def bones(self) -> tuple[str, ...]:
        """Names of the bones that have a body."""
        return tuple(body.bone for body in self.bodies)

    @property
    def mass(self) -> float:
        """Kilograms of all bodies together."""
        return sum(body.mass for body in self.bodies)

    def find(self, bone: str) -> Body | None:
        """The body of that bone, or None."""
        return next((body for body in self.bodies if body.bone == bone), None)

    def body(self, bone: str) -> Body:
        """The body of that bone; raises `MissingReferenceError`."""
        found = self.find(bone)
        if found is None:
            raise MissingReferenceError(f"bone {bone!r} has no body; there are: {', '.join(self.bones)}")
        return found

    def with_body(self, body: Body) -> "BodyPlan":
        """The same with the body of that bone replaced; raises `MissingReferenceError` where it has none."""
        self.body(body.bone)
        return replace(self, bodies=tuple(body if b.bone == body.bone else b for b in self.bodies))

    def without(self, bone: str) -> "BodyPlan":
        """The same without a body and its pairs; its bones ride on the body above.

        Raises `ValidationError` for the root body, which the others hang on.
        """
        self.body(bone)
        if bone == self.bodies[0].bone:
            raise ValidationError(f"body plan: {bone!r} is the root body, which the others need")
        kept = tuple(body for body in self.bodies if body.bone != bone)
        return BodyPlan(kept, tuple(pair for pair in self.ignored if bone not in pair))


def check(plan: BodyPlan, skeleton: Skeleton) -> None:
    """Raise where a plan does not fit a skeleton.

    Raises
    ------
    MissingReferenceError
        A body's bone is not in the skeleton.
    ValidationError
        A body's bone is not below the first body's, or comes before the body above it.
    """
    parents_of(plan, skeleton)


def parents_of(plan: BodyPlan, skeleton: Skeleton) -> tuple[int, ...]:
    """Number of the body above each body, −1 for the root body; raises as `check` does."""
    numbers = {skeleton.index(body.bone): number for number, body in enumerate(plan.bodies)}
    parents = []
    for number, body in enumerate(plan.bodies):
        above = next((numbers[b] for b in skeleton.above(skeleton.index(body.bone)) if b in numbers), -1)
        if number == 0 and above >= 0:
            raise ValidationError(
                f"body plan: {plan.bodies[above].bone!r} is above the first body {body.bone!r}; put it first"
            )
        if number > 0 and above < 0:
            raise ValidationError(
                f"body plan: bone {body.bone!r} is not below the root body's bone {plan.bodies[0].bone!r}"
            )
        if above > number:
            raise ValidationError(
                f"body plan: the body of {body.bone!r} must come after that of {plan.bodies[above].bone!r} above it"
            )
        parents.append(above)
    return tuple(parents)


def riders(plan: BodyPlan, skeleton: Skeleton) -> tuple[int, ...]:
    """Number of the body that each bone rides on: its own or the next above; −1 above the root body."""
    numbers = {skeleton.index(body.bone): number for number, body in enumerate(plan.bodies)}
    ride: list[int] = []
    for bone in range(len(skeleton)):
        parent = skeleton.parent(bone)
        ride.append(numbers.get(bone, ride[parent] if parent >= 0 else -1))
    return tuple(ride)


def inserted(plan: BodyPlan, body: Body, skeleton: Skeleton) -> BodyPlan:
    """The plan with one body more, put where the skeleton's order has it.

    Raises
    ------
    ValidationError
        The bone has a body already, or is not below the root body's bone.
    """
    bodies = sorted((*plan.bodies, body), key=lambda b: skeleton.index(b.bone))
    if bodies[0] is body:
        raise ValidationError(
            f"body plan: bone {body.bone!r} is not below the root body's bone {plan.bodies[0].bone!r}"
        )
    result = BodyPlan(tuple(bodies), plan.ignored)
    check(result, skeleton)
    return result


def segment_distances(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Distances ``(N, N)`` in metres between segments, each from ``starts[i]`` to ``ends[i]``, ``(N, 3)``.

    The nearest points of two segments are those of their lines, brought into the first segment, then into the
    second, then back (Ericson, Real-Time Collision Detection, 5.1.9). Segments of no length are points.
    """
    d = ends - starts
    r = starts[:, None] - starts[None]
    a = np.sum(d * d, axis=-1)
    first, second = a[:, None] + 0.0 * a, a[None] + 0.0 * a[:, None]
    b = d @ d.T
    c = np.sum(d[:, None] * r, axis=-1)
    f = np.sum(d[None] * r, axis=-1)
    determinant = first * second - b * b
    flat = determinant <= 1e-12 * np.maximum(first * second, 1e-30)
    s = np.where(flat, 0.0, np.clip((b * f - c * second) / np.where(flat, 1.0, determinant), 0.0, 1.0))
    point = second <= 1e-18
    t = np.where(point, 0.0, np.clip((b * s + f) / np.where(point, 1.0, second), 0.0, 1.0))
    point = first <= 1e-18
    s = np.where(point, 0.0, np.clip((b * t - c) / np.where(point, 1.0, first), 0.0, 1.0))
    apart = r + s[..., None] * d[:, None] - t[..., None] * d[None]
    distances: FloatArray = np.linalg.norm(apart, axis=-1)
    return distances
