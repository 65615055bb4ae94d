"""Getting up from where a ragdoll lies: which clip, from which of its times, standing where (spec: ragdoll, *Get up*).

The clip and its time are those whose pose is nearest to the body as it lies, turned about the vertical as it fits
best, among the clips that lie on the same side. Nothing moves at the switch: what differs dies out, so slowly
that no bone goes farther than `FARTHEST` in a step.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.blending.inertia import Inertia, inertialise
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.mirror import mirrored_clip
from core.clips.root_motion import character_at, without_root
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform, compose, down_chain, inverse
from core.physics.start import Posture, world_of
from core.rig.body_plan import BodyPlan
from core.rig.propose_bodies import ahead_of
from core.rig.rig import Rig

STEP = 1.0 / 60.0
SEARCHED = 0.3
"""Seconds at the beginning of a clip that it may start from."""
EASED = 0.25
"""Seconds over which the clip comes to its speed: a body that lies does not move at once."""
LEVELLED = 0.15
"""Half-life in seconds with which it comes to the height of the ground."""
SHORTEST, LONGEST = 0.25, 1.6
"""Seconds over which what differs from the clip dies out."""
FARTHEST = 0.060
"""Metres that a bone of a person moves in a step at most."""
UNSURE = 0.3
"""Upward part of the pelvis' direction below which the chest is asked too."""
SAME_SIDE = 0.6
"""Difference of the upward parts up to which a clip lies as the body does."""
COMMITTED = 0.6
"""Part of the clip that nothing interrupts."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rising:
    """A clip at every step: local transforms ``(T, B, k)`` without root motion, and the character's path."""

    clip: Clip
    local: Transform
    path: Transform
    places: FloatArray
    up: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Rise:
    """A character that gets up, between two steps.

    Parameters
    ----------
    clip : number of the clip
    time : seconds of the clip
    elapsed : seconds since it began
    placement : where the character stands
    inertia : what of the lying pose is left over the clip
    fading : seconds until nothing is
    """

    clip: int
    time: float
    elapsed: float
    placement: Transform
    inertia: Inertia
    fading: float

    def to_bytes(self) -> bytes:
        """Every number in order."""
        told = np.array([self.clip, self.time, self.elapsed, self.fading])
        parts = [*self.placement, *self.inertia.directions]
        parts += [array for size in self.inertia.sizes for array in (size.coefficients, size.end)]
        return told.tobytes() + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


class GetUp:
    """The clips by which a rig gets up.

    Parameters
    ----------
    plan : its bodies: their bones are what is compared
    clips : each begins lying, in any way, and ends standing; where the rig has mirror pairs, mirror images
        of those that lie on a side are used as well

    Raises
    ------
    ValidationError
        There is no clip.
    """

    def __init__(self, rig: Rig, plan: BodyPlan, clips: Sequence[Clip]) -> None:
        if not clips:
            raise ValidationError(f"get up: rig {rig.name!r} has no clip to get up by")
        self.rig, skeleton = rig, rig.skeleton
        self._bones = np.array([skeleton.index(bone) for bone in plan.bones])
        self._pelvis = int(self._bones[0])
        self._weights = np.sqrt([body.mass for body in plan.bodies])
        self._size = float((plan.mass / 75.0) ** (1.0 / 3.0))
        ahead = ahead_of(skeleton)
        rest = down_chain(skeleton.parents, skeleton.rest)
        chest = max((b for b in self._bones[1:].tolist() if self._in_trunk(plan, b)), default=self._pelvis)
        self._facing = [
            (b, quat.rotate(quat.conjugate(rest.rotation[b]), ahead)) for b in (self._pelvis, chest)
        ]
        self._rising = [self._sampled(clip) for clip in clips]
        # who lies on a side has another side; back and front are left as they are, since they end as they should
        sided = [rising.clip for rising in self._rising if abs(rising.up[0, 0]) < UNSURE]
        self._rising += [self._sampled(clip) for clip in _mirrored(rig, sided)]

    def _in_trunk(self, plan: BodyPlan, bone: int) -> bool:
        """Whether a body's bone carries at least two others with bodies: both arms hang on the chest."""
        below = [b for b in self._bones.tolist() if b != bone and bone in self.rig.skeleton.above(b)]
        return len(below) >= 2 + len(plan) // 4

    def _sampled(self, clip: Clip) -> _Rising:
        evaluator = ClipEvaluator(self.rig.skeleton, clip)
        times = np.arange(int(np.floor(clip.length / STEP + 1e-6)) + 1) * STEP
        poses = evaluator.sample_many(times)
        local = without_root(evaluator, poses.local)
        searched = slice(0, int(SEARCHED / STEP) + 1)
        first = Transform(*(part[searched] for part in local))
        model = down_chain(self.rig.skeleton.parents, first)
        up = np.stack(
            [self._up(Transform(*(part[k] for part in model))) for k in range(len(model.translation))]
        )
        return _Rising(clip, local, character_at(evaluator, times), model.translation[:, self._bones], up)

    def _up(self, world: Transform) -> FloatArray:
        """Upward parts ``(2,)`` of where pelvis and chest face."""
        return np.array([quat.rotate(world.rotation[bone], ahead)[1] for bone, ahead in self._facing])

    @property
    def clips(self) -> tuple[Clip, ...]:
        """What it gets up by: the clips, then mirror images of those that lie on a side."""
        return tuple(rising.clip for rising in self._rising)

    def begin(self, posture: Posture, ground: float) -> Rise:
        """Get up from a posture.

        Parameters
        ----------
        posture : how the body lies
        ground : height in metres of the ground below the pelvis
        """
        world = world_of(self.rig.skeleton, posture)
        clip, frame, yaw = self._nearest(world)
        rising = self._rising[clip]
        turn = quat.from_axis_angle([0.0, 1.0, 0.0], yaw)
        pelvis = quat.rotate(turn, rising.places[frame, 0])
        at = world.translation[self._pelvis] - pelvis
        placement = Transform(np.array([at[0], ground, at[2]]), turn, np.ones(3))
        lying = self._lying(
            world, posture.local, placement, Transform(*(part[frame] for part in rising.local))
        )
        return self._slowest(
            Rise(clip, frame * STEP, 0.0, placement, self._offset(clip, frame, lying, 1.0), 1.0), lying
        )

    def _nearest(self, world: Transform) -> tuple[int, int, float]:
        """Clip, frame and yaw (radians) of the pose that is nearest to a world pose."""
        points = world.translation[self._bones] - world.translation[self._pelvis]
        up = self._up(world)
        lies = up[0] if abs(up[0]) >= UNSURE else np.clip(up.sum(), -1.0, 1.0)
        best = (np.inf, 0, 0, 0.0)
        for strict in (True, False):
            for number, rising in enumerate(self._rising):
                for frame, places in enumerate(rising.places):
                    if strict and abs(rising.up[frame, 0] - lies) > SAME_SIDE:
                        continue
                    relative = places - places[0]
                    cost, yaw = _fitted(points, relative, self._weights)
                    if cost < best[0]:
                        best = (cost, number, frame, yaw)
            if best[0] < np.inf:
                break
        return best[1], best[2], best[3]

    def _lying(self, world: Transform, local: Transform, placement: Transform, clip: Transform) -> Transform:
        """The lying pose told from a placement: what is above the pelvis as in the clip, the pelvis where it is."""
        skeleton = self.rig.skeleton
        parts = [np.array(part) for part in local]
        above = placement
        for bone in reversed(list(skeleton.above(self._pelvis))):
            for part, given in zip(parts, clip, strict=True):
                part[bone] = given[bone]
            above = compose(above, Transform(*(np.asarray(part)[bone] for part in clip)))
        own = compose(inverse(above), Transform(*(np.asarray(part)[self._pelvis] for part in world)))
        parts[0][self._pelvis], parts[1][self._pelvis] = own.translation, quat.normalise(own.rotation)
        return Transform(*parts)

    def _offset(self, clip: int, frame: int, lying: Transform, seconds: float) -> Inertia:
        target = Transform(*(part[frame] for part in self._rising[clip].local))
        return inertialise(target, lying, None, 0.0, seconds)

    def _slowest(self, rise: Rise, lying: Transform) -> Rise:
        """The rise with the shortest fading that moves no bone farther than `FARTHEST` in a step by what fades."""
        frame = round(rise.time / STEP)
        target = Transform(*(part[frame] for part in self._rising[rise.clip].local))
        model = down_chain(
            self.rig.skeleton.parents, Transform(*(np.stack(p) for p in zip(lying, target, strict=True)))
        )
        away = float(np.linalg.norm(model.translation[1] - model.translation[0], axis=-1).max())
        # a quintic is fastest in its middle: 15/8 of the mean
        seconds = min(max(1.875 * away * STEP / (FARTHEST * self._size), SHORTEST), LONGEST)
        while True:
            rise = replace(rise, inertia=self._offset(rise.clip, frame, lying, seconds), fading=seconds)
            if seconds >= LONGEST or self._farthest(rise) <= FARTHEST * self._size:
                return rise
            seconds *= 1.3

    def _farthest(self, rise: Rise) -> float:
        """Metres that a bone moves in a step at most while a rise fades, beyond the clip's own."""
        shown, own = [], []
        for _ in range(int(rise.fading / STEP) + 2):
            shown.append(self.posture(rise).local)
            own.append(_at(self._rising[rise.clip].local, rise.time))
            rise = self.step(rise)
        places = [
            down_chain(
                self.rig.skeleton.parents, Transform(*(np.stack(p) for p in zip(*rows, strict=True)))
            ).translation
            for rows in (shown, own)
        ]
        moved, clip = (np.linalg.norm(np.diff(rows, axis=0), axis=-1).max(axis=-1) for rows in places)
        return float(np.maximum(moved - np.maximum(clip - FARTHEST * self._size, 0.0), 0.0).max())

    def step(self, rise: Rise, ground: float | None = None) -> Rise:
        """The rise 1/60 s later.

        Parameters
        ----------
        ground : height under the character, which it comes to; None keeps its own
        """
        length = self._rising[rise.clip].clip.length
        u = min((rise.elapsed + 0.5 * STEP) / EASED, 1.0)
        time = min(rise.time + u * u * (3.0 - 2.0 * u) * STEP, length)
        before, after = self._path(rise.clip, rise.time), self._path(rise.clip, time)
        placement = compose(rise.placement, compose(inverse(before), after))
        if ground is not None:
            share = (
                u * u * (3.0 - 2.0 * u) * min(rise.elapsed / EASED, 1.0) * (1.0 - 2.0 ** (-STEP / LEVELLED))
            )
            placement.translation[1] += (ground - placement.translation[1]) * share
        return replace(rise, time=time, elapsed=rise.elapsed + STEP, placement=placement)

    def progress(self, rise: Rise) -> float:
        """Part of the clip that was played, 0 to 1."""
        return rise.time / max(self._rising[rise.clip].clip.length, STEP)

    def over(self, rise: Rise) -> bool:
        """Whether it stands."""
        return rise.time >= self._rising[rise.clip].clip.length - 1e-9 and rise.elapsed >= rise.fading

    def posture(self, rise: Rise) -> Posture:
        """The pose and where the character stands."""
        target = _at(self._rising[rise.clip].local, rise.time)
        return Posture(rise.inertia.put_on(target, rise.elapsed), rise.placement)

    def _path(self, clip: int, time: float) -> Transform:
        return _at(self._rising[clip].path, time)


def _mirrored(rig: Rig, clips: Sequence[Clip]) -> list[Clip]:
    """The clips for the other side."""
    if not rig.mirror.pairs:
        return []
    return [replace(mirrored_clip(rig, clip), name=f"{clip.name} mirrored") for clip in clips]


def _at(rows: Transform, time: float) -> Transform:
    """A row between those of every step."""
    last = len(rows.translation) - 1
    at = min(max(time / STEP, 0.0), float(last))
    k = min(int(at), max(last - 1, 0))
    share = at - k
    a, b = Transform(*(part[k] for part in rows)), Transform(*(part[min(k + 1, last)] for part in rows))
    turned = quat.normalise(a.rotation + (quat.aligned(b.rotation, a.rotation) - a.rotation) * share)
    return Transform(
        a.translation + (b.translation - a.translation) * share, turned, a.scale + (b.scale - a.scale) * share
    )


def _fitted(points: FloatArray, others: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Mean squared distance of points ``(n, 3)`` from others, turned about +Y as fits best; and that turn."""
    cross = float(np.sum(weights * (points[:, 0] * others[:, 2] - points[:, 2] * others[:, 0])))
    dot = float(np.sum(weights * (points[:, 0] * others[:, 0] + points[:, 2] * others[:, 2])))
    yaw = float(np.arctan2(cross, dot))
    s, c = np.sin(yaw), np.cos(yaw)
    turned = np.stack(
        (c * others[:, 0] + s * others[:, 2], others[:, 1], c * others[:, 2] - s * others[:, 0]), axis=1
    )
    return float(np.sum(weights * np.sum((points - turned) ** 2, axis=1)) / weights.sum()), yaw
