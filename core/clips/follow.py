"""Follow-through: the bones of a chain trail behind the motion above them and settle, as if on springs.

A filter of the clip's own motion, frame by frame: no gravity, no collisions. The direction that the keys give a bone is
gone after on a damped spring. Every bone is measured against its own keys, not against the bone above it as that
trails: so lag grows along a chain up to the one that was asked for, and nothing adds up over branches.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.cascade import chain_depths
from core.clips.channels import with_tracks
from core.clips.clip import Channel, Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.keying import loop_length
from core.clips.laid_keys import keyed_turns
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.progress import counted
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Track

DAMPING = 0.45
"""Share of the critical damping: it swings past its goal about once, and settles."""
STEPS = 4
"""Steps of the spring a frame."""
ROUNDS = 3
"""Times that a looping clip is gone through, so that its end leads into its start."""
LEAST = 0.05
"""Frames of lag below which nothing trails."""
WIDEST = np.radians(80.0)
"""Angle by which a bone swings away from its own direction at most."""
SHARPNESS = 4.0
"""How closely a swing comes to its bound before it is held back."""


def followed(
    rig: Rig,
    clip: Clip,
    bones: Iterable[str],
    lag: float,
    span: tuple[float, float] | None = None,
    still: Collection[str] = (),
    strength: float = 1.0,
) -> Clip:
    """Let the bones of a chain follow the motion above them.

    The top of each chain leads and keeps its keys. The others get a key on every frame of the range, of type in-between
    where they had none; at its ends they are where their own keys have them. A chain without keys of its own swings
    when the body turns, stops or drops; where the character goes over the ground makes no difference.

    No bone swings further from its own direction than the motion that it trails goes: that of its direction, and that
    of the chain's top over the length of the chain.

    Parameters
    ----------
    bones : of one chain or several (`core.clips.cascade.chain_depths`)
    lag : frames by which the end of a chain trails a steady motion; the bones before it trail by their share of the
        way down the longest branch below them; 0 changes nothing
    span : first and last second; None is the whole clip, round the seam of a loop
    still : bones that keep their keys (locked ones); they count in the chain
    strength : share of the swing, 0 to 1

    Returns
    -------
    Clip
        The very clip where no bone follows.

    Raises
    ------
    ValidationError
        The lag is below 0 or not finite, the strength is not within 0 to 1, or the range is empty.
    """
    if not 0.0 <= strength <= 1.0:
        raise ValidationError(f"follow-through: expected a strength of 0 to 1, got {strength}")
    if not (np.isfinite(lag) and lag >= 0.0):
        raise ValidationError(f"follow-through: expected 0 frames of lag or more, got {lag}")
    start, end = span or (0.0, clip.length)
    if not (np.isfinite(start) and np.isfinite(end) and end > start):
        raise ValidationError(f"follow-through: expected a range of time, got {start:.6g} to {end:.6g} s")
    depths = chain_depths(rig.skeleton, bones)
    moving = [bone for bone, depth in depths.items() if depth and bone not in still]
    if lag < LEAST or strength == 0.0 or not moving:
        return clip
    first, last = clip.rate.to_frame(start), clip.rate.to_frame(end)
    inner = [clip.rate.to_seconds(frame) for frame in np.arange(first + 1.0, last - 0.5)]
    times = np.array([start, *inner, end])  # files round, so that a clip may end just past a frame
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    closed = span is None and loop_length(clip) is not None
    chains = _chains(rig.skeleton, depths)
    turns = _Trailing(
        rig.skeleton, local, moving, chains, lag * clip.rate.frame, clip.rate.frame, strength, closed
    ).turns()
    if not closed:
        turns = {bone: _eased(local.rotation[:, rig.skeleton.index(bone)], turns[bone]) for bone in moving}
    changes: dict[Channel, Track | None] = {}
    for bone in counted(moving):
        changes |= keyed_turns(rig.skeleton, clip, bone, times, turns[bone])
    return with_tracks(clip, changes)


class _Place(NamedTuple):
    """Where a bone is in its chain.

    Parameters
    ----------
    top : bone that leads
    share : way down the longest branch through the bone, 0 at the top to 1 at its end
    length : metres from the top's head to that end, at rest
    """

    top: int
    share: float
    length: float


def _chains(skeleton: Skeleton, depths: Mapping[str, int]) -> dict[int, _Place]:
    """Places of bones in their chains, by bone.

    Parameters
    ----------
    depths : of `core.clips.cascade.chain_depths`
    """
    given = {skeleton.index(name): depth for name, depth in depths.items()}
    tops: dict[int, int] = {}
    ways: dict[int, float] = {}
    for bone in range(len(skeleton.names)):  # parents come first
        above = skeleton.parent(bone)
        if above in tops:
            tops[bone] = tops[above]
            ways[bone] = ways[above] + float(np.linalg.norm(skeleton.rest.translation[bone]))
        elif bone in given:
            tops[bone], ways[bone] = bone, 0.0
    deepest = dict(given)
    reach = {bone: ways[bone] + float(np.linalg.norm(tip_of(skeleton, bone))) for bone in given}
    for bone in sorted(given, reverse=True):
        above = skeleton.parent(bone)
        while above >= 0 and above not in given:
            above = skeleton.parent(above)
        if above >= 0:
            deepest[above] = max(deepest[above], deepest[bone])
            reach[above] = max(reach[above], reach[bone])
    return {
        bone: _Place(tops[bone], depth / max(deepest[bone], 1), reach[bone]) for bone, depth in given.items()
    }


class _Trailing:
    """Works out where the bones of a chain are when their directions go after those of the keys."""

    def __init__(
        self, skeleton: Skeleton, local: Transform, moving: list[str], chains: Mapping[int, _Place], lag: float,
        frame: float, strength: float, closed: bool,
    ) -> None:  # fmt: skip
        self._skeleton, self._local, self._closed = skeleton, local, closed
        self._lag, self._frame, self._strength = lag, frame, strength
        self._chains, self._moving = chains, {skeleton.index(bone) for bone in moving}
        self._keyed = kinematics.to_model(skeleton, local)
        self._ground = np.array(self._keyed.translation[:, 0]) * (1.0, 0.0, 1.0)
        self._known: dict[int, FloatArray] = {}

    def turns(self) -> dict[str, FloatArray]:
        """Local rotations ``(T, 4)`` by bone."""
        found = {}
        for bone in sorted(self._moving):
            above = self._skeleton.parent(bone)
            own = self._model(bone)
            mine = own if above < 0 else quat.multiply(quat.conjugate(self._model(above)), own)
            found[self._skeleton.names[bone]] = quat.continuous(mine)
        return found

    def _model(self, bone: int) -> FloatArray:
        """Rotations ``(T, 4)`` of a bone in the character's space, as it follows."""
        if bone not in self._known:
            self._known[bone] = self._found(bone)
        return self._known[bone]

    def _found(self, bone: int) -> FloatArray:
        if bone in self._moving:
            return self._swung(bone)
        above = self._skeleton.parent(bone)
        if above < 0 or not self._follows(above):
            return np.asarray(self._keyed.rotation[:, bone])
        return quat.multiply(self._model(above), self._local.rotation[:, bone])

    def _follows(self, bone: int) -> bool:
        """Whether a bone, or one above it, follows."""
        while bone >= 0:
            if bone in self._moving:
                return True
            bone = self._skeleton.parent(bone)
        return False

    def _swung(self, bone: int) -> FloatArray:
        """Rotations ``(T, 4)`` of a bone that trails what its keys do."""
        keyed = np.asarray(self._keyed.rotation[:, bone])
        place = self._chains[bone]
        tip = tip_of(self._skeleton, bone)
        aim = quat.rotate(keyed, np.broadcast_to(tip / np.linalg.norm(tip), (len(keyed), 3)))
        carried = np.asarray(self._keyed.translation[:, place.top]) - self._ground
        carried = carried / place.length if place.length > 1e-6 else np.zeros_like(carried)
        goal = aim + carried
        lag = self._lag * place.share
        trailing = np.stack([self._trailed(column, lag) for column in goal.T], axis=1)
        swing = quat.shortest_arc(aim, trailing - carried)
        return quat.multiply(_limited(swing, _extent(aim) + _extent(carried), self._strength), keyed)

    def _trailed(self, goal: FloatArray, lag: float) -> FloatArray:
        """One coordinate ``(T,)`` of a point that goes after a goal on the spring, `lag` seconds behind.

        Implicit Euler steps, which never blow up however stiff the spring is.
        """
        omega, h = 2.0 * DAMPING / lag, self._frame / STEPS
        share = 1.0 / (1.0 + 2.0 * DAMPING * omega * h + (omega * h) ** 2)
        values = goal.tolist()
        order = list(range(len(values)))
        if self._closed and len(values) > 2:  # the last frame is the first again
            order = order[:-1] * (ROUNDS - 1) + order
        place, before = values[0], values[0]
        speed = (values[1] - values[0]) / self._frame if len(values) > 1 else 0.0
        found = list(values)
        for moment, index in enumerate(order):
            aim = values[index]
            step = (aim - before) / STEPS
            for number in range(1, STEPS + 1) if moment else ():
                speed = (speed + omega * omega * h * (before + step * number - place)) * share
                place += h * speed
            before, found[index] = aim, place
        if not self._closed:
            found[0] = values[0]
        elif len(found) > 1:
            found[0] = found[-1]
        return np.array(found)


def tip_of(skeleton: Skeleton, bone: int) -> FloatArray:
    """Where a bone ends, in its own space: in the middle of its children; a last bone goes on as it came."""
    children = np.flatnonzero(skeleton.parents == bone)
    offset: FloatArray = (
        skeleton.rest.translation[children].mean(axis=0)
        if len(children)
        else quat.rotate(quat.conjugate(skeleton.rest.rotation[bone]), skeleton.rest.translation[bone])
    )
    return offset if float(np.linalg.norm(offset)) > 1e-6 else np.array([0.0, 0.1, 0.0])


def _extent(points: FloatArray) -> float:
    """How far points ``(T, 3)`` are from each other at most, at the outside: the diagonal of the box around them."""
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _limited(swing: FloatArray, most: float, strength: float) -> FloatArray:
    """A share of swings, each of no more than `most` radians and `WIDEST`."""
    bound = min(most, float(WIDEST))
    if bound < 1e-9:
        return np.broadcast_to(quat.IDENTITY, swing.shape)
    vectors = quat.to_rotation_vector(swing)
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    return quat.from_rotation_vector(
        vectors * strength / (1.0 + (angle / bound) ** SHARPNESS) ** (1.0 / SHARPNESS)
    )


def _eased(own: FloatArray, turns: FloatArray) -> FloatArray:
    """Rotations that end on the bone's own motion: what comes after the range stays."""
    count = len(own)
    reach = max(1, min(count // 4, 6))
    share = np.clip(np.arange(count)[::-1] / reach, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    return quat.continuous(quat.slerp(quat.aligned(own, turns), turns, share))
