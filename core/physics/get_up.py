"""Getting up from where a ragdoll lies: which clip, from which of its times, standing where (spec: ragdoll, *Get up*).

The clip and its time are those whose pose is nearest to the body as it lies, turned about the vertical as it fits
best, among the clips that lie on the same side. Nothing moves at the switch: what differs dies out, so slowly
that no bone goes farther than `FARTHEST` in a step.

Clips are sampled at first use; `GetUp.prepare` does one at a time beforehand, while the body still falls.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.blending.inertia import Inertia, inertialise
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.mirror import mirrored_clip
from core.clips.nearest_pose import PlaceIndex
from core.clips.root_motion import character_at, without_root
from core.errors import ValidationError
from core.math import quat
from core.math.transform import IDENTITY, Transform, compose, down_chain, inverse
from core.physics.bearing import UNSURE, Bearing
from core.physics.contacts import Contacts, Heights
from core.physics.start import Posture, world_of
from core.pose.mirror import mirror_map, mirrored, reflected_rotation, reflected_vector
from core.rig.body_plan import BodyPlan
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
SAME_SIDE = 0.6
"""Difference of the upward parts up to which a clip lies as the body does."""
COMMITTED = 0.6
"""Part of the clip that nothing interrupts."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rising:
    """A clip at every step: local transforms ``(T, B, k)`` without root motion, and the character's path.

    Parameters
    ----------
    places : ``(F, n, 3)`` of the bodies' bones in the frames that are searched
    up : ``(F, 2)`` upward parts of where pelvis and chest face there
    """

    clip: Clip
    local: Transform
    path: Transform
    places: FloatArray
    up: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The frames of all clips that may be started from: clip and frame of each ``(F,)``, and which way it lies."""

    index: PlaceIndex
    clip: IntArray
    frame: IntArray
    lies: FloatArray


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
    start : seconds of the clip at which it began
    lying : local transforms ``(B, k)`` then
    lifts : metres that each hand and foot is raised out of the ground
    """

    clip: int
    time: float
    elapsed: float
    placement: Transform
    inertia: Inertia
    fading: float
    start: float
    lying: Transform
    lifts: FloatArray

    def to_bytes(self) -> bytes:
        """Every number in order."""
        told = np.array([self.clip, self.time, self.elapsed, self.fading])
        parts = [np.ascontiguousarray(part).tobytes() for part in (*self.placement, self.lifts)]
        return told.tobytes() + b"".join(parts) + self.inertia.to_bytes()


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
        self._bearing = Bearing(rig, plan)
        self._contacts = Contacts(rig, plan, self._size)
        self._waiting = list(clips)
        self._mirrored: list[int] = []
        """Clips whose other side is wanted too."""
        self._rising: list[_Rising] = []
        self._search: _Search | None = None

    # ------------------------------------------------------------ beforehand
    def prepare(self) -> bool:
        """Sample one more clip; whether all are."""
        if self._waiting:
            clip = self._waiting.pop(0)
            self._rising.append(self._sampled(clip))
            # who lies on a side has another side; back and front are left as they are, since they end as they should
            if self.rig.mirror.pairs and abs(self._rising[-1].up[0, 0]) < UNSURE:
                self._mirrored.append(len(self._rising) - 1)
        elif self._mirrored:
            self._rising.append(self._other_side(self._rising[self._mirrored.pop(0)]))
        elif self._search is None:
            self._search = self._searched()
        return self._search is not None

    @property
    def prepared(self) -> bool:
        """Whether all clips are sampled; from then on nothing of it changes."""
        return self._search is not None

    def _ready(self) -> _Search:
        while self._search is None:
            self.prepare()
        return self._search

    def _searched(self) -> _Search:
        frames = [np.arange(len(rising.places)) for rising in self._rising]
        clips = [np.full(len(own), number) for number, own in enumerate(frames)]
        return _Search(
            PlaceIndex(np.concatenate([rising.places for rising in self._rising]), self._weights),
            np.concatenate(clips).astype(np.int32),
            np.concatenate(frames).astype(np.int32),
            np.concatenate([rising.up[:, 0] for rising in self._rising]),
        )

    def _sampled(self, clip: Clip) -> _Rising:
        evaluator = ClipEvaluator(self.rig.skeleton, clip)
        times = np.arange(int(np.floor(clip.length / STEP + 1e-6)) + 1) * STEP
        poses = evaluator.sample_many(times)
        local = without_root(evaluator, poses.local)
        return self._made(clip, local, character_at(evaluator, times))

    def _other_side(self, rising: _Rising) -> _Rising:
        """The mirror image: the poses are mirrored, not the tracks, which takes a tenth of the time."""
        axis = self.rig.mirror.axis
        clip = mirrored_clip(self.rig, replace(rising.clip, tracks={}, name=f"{rising.clip.name} mirrored"))
        path = Transform(
            reflected_vector(rising.path.translation, axis), reflected_rotation(rising.path.rotation, axis),
            rising.path.scale,
        )  # fmt: skip
        return self._made(clip, mirrored(self.rig, rising.local, mirror_map(self.rig)), path)

    def _made(self, clip: Clip, local: Transform, path: Transform) -> _Rising:
        searched = slice(0, int(SEARCHED / STEP) + 1)
        model = down_chain(self.rig.skeleton.parents, Transform(*(part[searched] for part in local)))
        return _Rising(clip, local, path, model.translation[:, self._bones], self._bearing.up(model))

    @property
    def clips(self) -> tuple[Clip, ...]:
        """What it gets up by: the clips, then mirror images of those that lie on a side, which have no tracks."""
        self._ready()
        return tuple(rising.clip for rising in self._rising)

    # ------------------------------------------------------------ the beginning
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
        target = Transform(*(part[frame] for part in rising.local))
        lying = self._lying(world, posture.local, placement, target)
        start = frame * STEP
        seconds = self._fading(clip, frame, lying)
        inertia = self._offset(clip, frame, lying, seconds)
        return Rise(clip, start, 0.0, placement, inertia, seconds, start, lying, np.zeros(self.limbs))

    @property
    def limbs(self) -> int:
        """How many hands and feet come to the height of the ground."""
        return len(self._contacts)

    def again(self, clip: int, lying: Transform, start: float, fading: float, lifts: FloatArray) -> Rise:
        """The first step of a rise by the numbers that it was, with lifts; where it stands is not told."""
        self._ready()
        inertia = self._offset(clip, round(start / STEP), lying, fading)
        return Rise(clip, start, 0.0, IDENTITY, inertia, fading, start, lying, lifts)

    def _nearest(self, world: Transform) -> tuple[int, int, float]:
        """Clip, frame and yaw (radians) of the pose that is nearest to a world pose, of those that lie as it does."""
        search = self._ready()
        alike = np.abs(search.lies - self._bearing.lies(world)) <= SAME_SIDE
        found = search.index.nearest(world.translation[self._bones], alike if alike.any() else None)
        return int(search.clip[found.frame]), int(search.frame[found.frame]), found.yaw

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

    def _fading(self, clip: int, frame: int, lying: Transform) -> float:
        """The shortest time in which what differs dies out without moving a bone farther than `FARTHEST` in a step."""
        target = Transform(*(part[frame] for part in self._rising[clip].local))
        model = down_chain(
            self.rig.skeleton.parents, Transform(*(np.stack(p) for p in zip(lying, target, strict=True)))
        )
        away = float(np.linalg.norm(model.translation[1] - model.translation[0], axis=-1).max())
        # a quintic is fastest in its middle: 15/8 of the mean
        limit = FARTHEST * self._size
        seconds = min(max(1.875 * away * STEP / limit, SHORTEST), LONGEST)
        if seconds >= LONGEST:
            return seconds
        times = [frame * STEP]
        for step in range(int(LONGEST / STEP) + 1):
            times.append(self._later(clip, times[-1], step * STEP, STEP))
        own = _at_all(self._rising[clip].local, np.array(times))
        places = down_chain(self.rig.skeleton.parents, own).translation
        alone = np.maximum(np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=-1) - limit, 0.0)
        while seconds < LONGEST:
            count = int(seconds / STEP) + 2
            inertia = self._offset(clip, frame, lying, seconds)
            shown = _put_on_all(
                inertia, Transform(*(part[:count] for part in own)), STEP * np.arange(count, dtype=np.float64)
            )
            places = down_chain(self.rig.skeleton.parents, shown).translation
            moved = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=-1)
            if (
                float((moved - alone[: count - 1]).max()) <= limit
            ):  # beyond what the clip's own speed asks for
                break
            seconds *= 1.3
        return seconds

    def _later(self, clip: int, time: float, elapsed: float, seconds: float) -> float:
        """Time of a clip some seconds later: it comes to its speed over `EASED`."""
        u = min((elapsed + 0.5 * seconds) / EASED, 1.0)
        return min(time + u * u * (3.0 - 2.0 * u) * seconds, self._rising[clip].clip.length)

    # ------------------------------------------------------------ stepping
    def step(
        self,
        rise: Rise,
        ground: float | None = None,
        seconds: float = STEP,
        heights: Heights | None = None,
    ) -> Rise:
        """The rise some seconds later.

        Parameters
        ----------
        ground : height under the character, which it comes to; None keeps its own
        heights : of the ground below places, which hands and feet stay out of; None leaves them as in the clip
        """
        time = self._later(rise.clip, rise.time, rise.elapsed, seconds)
        before, after = self._path(rise.clip, rise.time), self._path(rise.clip, time)
        placement = compose(rise.placement, compose(inverse(before), after))
        if ground is not None:
            u = min((rise.elapsed + 0.5 * seconds) / EASED, 1.0)
            share = u * u * (3.0 - 2.0 * u) * min(rise.elapsed / EASED, 1.0)
            share *= 1.0 - 2.0 ** (-seconds / LEVELLED)
            placement.translation[1] += (ground - placement.translation[1]) * share
        elapsed, lifts = rise.elapsed + seconds, rise.lifts
        if heights is not None:
            local = rise.inertia.put_on(_at(self._rising[rise.clip].local, time), elapsed)
            goals = min(elapsed / EASED, 1.0) * self._contacts.wanted(local, placement, heights)
            lifts = self._contacts.followed(lifts, goals, seconds)
        return replace(rise, time=time, elapsed=elapsed, placement=placement, lifts=lifts)

    def progress(self, rise: Rise) -> float:
        """Part of the clip that was played, 0 to 1."""
        return rise.time / max(self._rising[rise.clip].clip.length, STEP)

    def over(self, rise: Rise) -> bool:
        """Whether it stands."""
        return rise.time >= self._rising[rise.clip].clip.length - 1e-9 and rise.elapsed >= rise.fading

    def posture(self, rise: Rise) -> Posture:
        """The pose and where the character stands."""
        target = _at(self._rising[rise.clip].local, rise.time)
        local = rise.inertia.put_on(target, rise.elapsed)
        return Posture(self._contacts.put(local, rise.lifts), rise.placement)

    def _path(self, clip: int, time: float) -> Transform:
        return _at(self._rising[clip].path, time)


def _at_all(rows: Transform, times: FloatArray) -> Transform:
    """Rows ``(T, B, k)`` between those of every step; see `_at`."""
    last = len(rows.translation) - 1
    at = np.clip(times / STEP, 0.0, float(last))
    k = np.minimum(at.astype(int), max(last - 1, 0))
    share = (at - k)[:, None, None]
    a, b = (
        Transform(*(part[k] for part in rows)),
        Transform(*(part[np.minimum(k + 1, last)] for part in rows)),
    )
    turned = quat.normalise(a.rotation + (quat.aligned(b.rotation, a.rotation) - a.rotation) * share)
    return Transform(
        a.translation + (b.translation - a.translation) * share, turned, a.scale + (b.scale - a.scale) * share
    )


def _put_on_all(inertia: Inertia, targets: Transform, elapsed: FloatArray) -> Transform:
    """`Inertia.put_on` for targets ``(T, B, k)`` at as many times."""
    left = np.stack([inertia.sizes.at(t) for t in elapsed.tolist()])
    move, turn, grow = (inertia.directions[k] * left[:, k, :, None] for k in range(3))
    rotation = quat.normalise(quat.multiply(quat.from_rotation_vector(turn), targets.rotation))
    return Transform(targets.translation + move, rotation, targets.scale + grow)


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
