"""Planted feet: soles that stand still in two poses one after the other stay where they are between them.

After a spline pass hips and legs take their own ways from pose to pose, so that feet sink, float and slide on the way.
Here the legs are solved for them instead, a key a frame; poses stay as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.clips.channels import with_tracks
from core.clips.clip import Channel, Clip, Property
from core.clips.keying import loop_length
from core.clips.laid_keys import keyed_turns
from core.clips.proportions import to_hold
from core.ik import keyed
from core.ik.chain import take_chain
from core.ik.ground import find_feet
from core.ik.rigged import sample_many
from core.ik.solve import IkGoal, present_pole, solve
from core.math import quat
from core.math.transform import Transform, down_chain
from core.progress import counted
from core.rig.ik_setup import EndRotation, IkSetup, IkSolver
from core.rig.rig import Rig
from core.rig.roles import Limb, rig_roles
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, Track

STILL = 0.15
"""Share of a sole's length, heel to ball, that a point of it may go from pose to pose and count as still."""
LOW = 0.2
"""Share of a sole's length over the ground up to which it stands."""
SUNK = 5e-4
"""Metres below the ground from which on a sole is put back onto it."""
PARTS = 4
"""Parts of a frame at which soles are looked at for that: keys stand on frames, and curves dip between them."""
TRIES = 6
"""How often keys beside a dip are lifted at most."""


class Stance(NamedTuple):
    """A foot that is held from one pose to the next.

    Parameters
    ----------
    foot : name of its bone
    start, end : seconds of the poses
    points : which points of the sole stand: heel, ball; none where the foot is only kept out of the ground
    """

    foot: str
    start: float
    end: float
    points: tuple[bool, bool]


class PlantedFeet(NamedTuple):
    """A clip with planted feet.

    Parameters
    ----------
    stances : what was held; without any the clip is the very one given
    residual : metres that a foot could not reach at most
    """

    clip: Clip
    stances: tuple[Stance, ...]
    residual: float


class _Leg(NamedTuple):
    """A leg by bone numbers, and its sole: heel and ball ``(2, 3)`` in the foot's own frame."""

    limb: Limb
    upper: int
    foot: int
    toe: int
    bones: tuple[int, ...]
    sole: FloatArray


def with_planted_feet(
    rig: Rig, clip: Clip, span: tuple[float, float] | None = None, still: Collection[str] = ()
) -> PlantedFeet:
    """Hold feet on the ground between the poses that have them there.

    Heel and ball are looked at on their own: a foot whose heel rises between two poses turns about its ball. Where no
    point stands, the sole is kept out of the ground. Poses are the keys of a leg that are no in-betweens; in-betweens
    between two poses that hold a foot are worked out anew.

    Parameters
    ----------
    clip : with its poses as they are to be; stepped segments are left alone
    span : first and last second; None is the whole clip
    still : bones that keep their keys (locked ones): a leg with such a bone is left alone
    """
    legs = _legs(rig, clip, still)
    stances: list[Stance] = []
    residual = 0.0
    for leg in counted(legs):
        clip, found, off = _held(rig, clip, leg, span or (0.0, clip.length))
        stances += found
        residual = max(residual, off)
    return PlantedFeet(clip, tuple(stances), residual)


def _legs(rig: Rig, clip: Clip, still: Collection[str]) -> list[_Leg]:
    """Legs that the clip keys, but for those that follow keyed goals."""
    skeleton = rig.skeleton
    rest = down_chain(skeleton.parents, skeleton.rest)
    driven = {bone for setup in keyed.driving(rig, clip.curves) for bone in keyed.chain_bones(rig, setup)}
    found = []
    for place in find_feet(rig, rig_roles(rig)):
        limb = place.leg
        foot, upper = skeleton.index(limb.end or ""), skeleton.index(limb.upper)
        toe = (
            -1
            if limb.toe is None or skeleton.parent(skeleton.index(limb.toe)) != foot
            else skeleton.index(limb.toe)
        )
        ball = rest.scale[foot] * place.toe
        if toe >= 0:  # toes bend: the foot itself ends under the ball
            below = np.array(rest.translation[toe])
            below[1] = (
                rest.translation[foot] + quat.rotate(rest.rotation[foot], rest.scale[foot] * place.heel)
            )[1]
            ball = quat.rotate(quat.conjugate(rest.rotation[foot]), below - rest.translation[foot])
        bones = (*skeleton.chain(foot, upper), *((toe,) if toe >= 0 else ()))
        names = {skeleton.names[bone] for bone in bones}
        if not driven & set(bones) and not names & set(still) and names & set(clip.bones()):
            found.append(_Leg(limb, upper, foot, toe, bones, np.stack([rest.scale[foot] * place.heel, ball])))
    return found


def _held(rig: Rig, clip: Clip, leg: _Leg, span: tuple[float, float]) -> tuple[Clip, list[Stance], float]:
    """The clip with one foot held, where, and metres that it is off at most."""
    channels = [
        channel
        for channel in clip.tracks
        if channel.property is Property.ROTATE and rig.skeleton.find(channel.bone) in leg.bones
    ]
    poses = _pose_times(clip, channels, span)
    if len(poses) < 2:
        return clip, [], 0.0
    places = _soles(rig, sample_many(rig, clip, poses, wrap=False).local, leg)[2]
    length = float(np.linalg.norm(leg.sole[1] - leg.sole[0]))
    near = np.linalg.norm(np.diff(places, axis=0), axis=-1) < STILL * length
    low = places[..., 1] < LOW * length
    standing = near & low[1:] & low[:-1]
    bare = _without_inbetweens(clip, channels, poses, standing.any(axis=1))
    stances: list[Stance] = []
    made: list[_Stretch] = []
    residual = 0.0
    for row in range(len(poses) - 1):
        start, end = float(poses[row]), float(poses[row + 1])
        times = _frames(clip, start, end)
        if len(times) < 3 or _steps(bare, channels, start):
            continue
        if not standing[row].any() and _dips(rig, bare, leg, times).max() < SUNK:
            continue
        stretch, off = _over_ground(rig, bare, leg, times, standing[row])
        stances.append(Stance(rig.skeleton.names[leg.foot], start, end, tuple(standing[row].tolist())))
        made.append(stretch)
        residual = max(residual, off)
    for stretch in _joined(made):
        bare = _laid(rig, bare, leg, stretch)
    return (bare if made else clip), stances, residual


def _laid(rig: Rig, clip: Clip, leg: _Leg, stretch: "_Stretch") -> Clip:
    """The clip with a leg's solved poses in it."""
    changes: dict[Channel, Track | None] = {}
    for bone in leg.bones:
        turns = quat.continuous(stretch.turns[:, bone])
        thirds = np.stack((turns[1::3], turns[2::3]), axis=1)
        changes |= keyed_turns(
            rig.skeleton, clip, rig.skeleton.names[bone], stretch.times[::3], turns[::3], thirds
        )
    return with_tracks(clip, changes)


def _pose_times(clip: Clip, channels: Sequence[Channel], span: tuple[float, float]) -> FloatArray:
    """Times within a range at which one of some tracks has a key that is no in-between."""
    times: list[FloatArray] = []
    for channel in channels:
        track = clip.tracks[channel]
        times.append(track.times[track.types != KeyType.INBETWEEN])
    found = np.sort(np.concatenate(times)) if times else np.zeros(0)
    found = found[(found > span[0] - TIME_EPSILON) & (found < span[1] + TIME_EPSILON)]
    first = np.ones(len(found), dtype=bool)
    first[1:] = np.diff(found) > TIME_EPSILON
    return np.asarray(found[first])


def _without_inbetweens(
    clip: Clip, channels: Sequence[Channel], poses: FloatArray, chosen: BoolArray
) -> Clip:
    """The clip without a leg's in-betweens between the poses that are chosen, by the first of each two."""
    changes: dict[Channel, Track | None] = {}
    for channel in channels:
        track: Any = clip.tracks[channel]
        row = np.searchsorted(poses, track.times - TIME_EPSILON, side="right") - 1
        inside = (row >= 0) & (row < len(chosen))
        gone = (track.types == KeyType.INBETWEEN) & inside & chosen[np.clip(row, 0, len(chosen) - 1)]
        if gone.any() and not gone.all():
            changes[channel] = edits.delete_keys(track, np.flatnonzero(gone), loop_length(clip))
    return with_tracks(clip, changes)


def _frames(clip: Clip, start: float, end: float) -> FloatArray:
    """A range's ends and the frames between them."""
    first, last = clip.rate.to_frame(start), clip.rate.to_frame(end)
    whole = np.arange(np.floor(first + 1e-3) + 1.0, np.ceil(last - 1e-3))
    return np.array([start, *(clip.rate.to_seconds(frame) for frame in whole), end])


def _steps(clip: Clip, channels: Sequence[Channel], time: float) -> bool:
    """Whether a leg is held in steps from a time on."""
    found = []
    for channel in channels:
        track = clip.tracks[channel]
        row = int(np.searchsorted(track.times, time + TIME_EPSILON)) - 1
        found.append(row >= 0 and int(track.interpolations[row]) == Interpolation.CONSTANT)
    return all(found)


# ---------------------------------------------------------------- solving
def _soles(rig: Rig, local: Transform, leg: _Leg) -> tuple[Transform, FloatArray, FloatArray]:
    """Model transforms ``(T, B, k)``, rotations of the foot ``(T, 4)``, and heel and ball ``(T, 2, 3)``."""
    model = down_chain(rig.skeleton.parents, local)
    turn = model.rotation[:, leg.foot]
    places = model.translation[:, leg.foot, None] + quat.rotate(turn[:, None], leg.sole[None])
    return model, turn, places


def _least(places: FloatArray) -> FloatArray:
    """Heights ``(T, 2)`` that heel and ball do not go below: the ground, or where a pose has them below it."""
    ends = np.minimum(0.0, places[[0, -1], :, 1])
    way = np.linspace(0.0, 1.0, len(places))[:, None]
    return np.asarray((1.0 - way) * ends[0] + way * ends[1])


def _dips(rig: Rig, clip: Clip, leg: _Leg, times: FloatArray) -> FloatArray:
    """Metres ``(T - 1,)`` that a sole sinks at most from each time to the next one."""
    parts = np.arange(PARTS) / PARTS
    fine = np.append((times[:-1, None] + np.diff(times)[:, None] * parts).ravel(), times[-1])
    places = _soles(rig, sample_many(rig, clip, fine, wrap=False).local, leg)[2]
    sunk = (_least(places) - places[..., 1]).max(axis=1)
    found = np.maximum(sunk[:-1], sunk[1:]).reshape(-1, PARTS).max(axis=1)
    return np.asarray(np.maximum(found, 0.0))


def _over_ground(
    rig: Rig, clip: Clip, leg: _Leg, times: FloatArray, stands: BoolArray
) -> tuple["_Stretch", float]:
    """A foot from one pose to the next with keys at times, and metres that it is off at most.

    Curves dip between keys where a foot meets the ground: the keys beside are lifted by as much.
    """
    fine = _with_thirds(times)
    lift = np.zeros(len(times))
    for _ in range(TRIES):
        local, off = _solved(rig, clip, leg, fine, stands, np.interp(fine, times, lift))
        stretch = _Stretch(fine, to_hold(rig, clip, fine, local).rotation)
        deep = _dips(rig, _laid(rig, clip, leg, stretch), leg, times)
        if deep.max() < SUNK:
            break
        lift[1:-1] += np.maximum(deep[:-1], deep[1:])
    return stretch, off


def _solved(
    rig: Rig, clip: Clip, leg: _Leg, times: FloatArray, stands: BoolArray, lift: FloatArray
) -> tuple[Transform, float]:
    """Poses at times from one pose to the next with the foot held, and metres that it is off at most.

    Parameters
    ----------
    lift : ``(T,)`` metres that the foot is over where it would be
    """
    local = sample_many(rig, clip, times, wrap=False).local
    model, turn, places = _soles(rig, local, leg)
    if stands.any():
        way = _way(turn)[:, None]
        turn = quat.normalise(quat.slerp(turn[:1], turn[-1:], way[:, 0]))
        offsets = quat.rotate(turn[:, None], leg.sole[None])[:, stands].mean(axis=1)
        ends = places[[0, -1]][:, stands].mean(axis=1)
        place = (1.0 - way) * ends[0] + way * ends[1] - offsets
    else:
        place = np.array(model.translation[:, leg.foot])
        place[:, 1] += np.maximum((_least(places) - places[..., 1]).max(axis=1), 0.0)
    place[:, 1] += lift
    place[0], place[-1] = model.translation[0, leg.foot], model.translation[-1, leg.foot]
    names = rig.skeleton.names
    setup = IkSetup(
        names[leg.foot], names[leg.upper], names[leg.foot],
        IkSolver.TWO_BONE if len(leg.bones) - (leg.toe >= 0) == 3 else IkSolver.CCD,
        end_rotation=EndRotation.GOAL, tolerance=1e-5,
    )  # fmt: skip
    pole = present_pole(take_chain(rig.skeleton, local, names[leg.upper], names[leg.foot]))
    done = solve(rig, local, setup, IkGoal(place, turn, pole))
    result = done.local
    if leg.toe >= 0 and stands[1]:  # toes stay on the ground as the heel rises
        toes = model.rotation[:, leg.toe]
        wanted = quat.slerp(toes[:1], toes[-1:], _way(toes))
        foot = down_chain(rig.skeleton.parents, result).rotation[:, leg.foot]
        rotation = np.array(result.rotation)
        rotation[:, leg.toe] = quat.normalise(quat.multiply(quat.conjugate(foot), wanted))
        result = result._replace(rotation=rotation)
    return result, float(np.max(done.residual, initial=0.0))


def _way(turns: FloatArray) -> FloatArray:
    """How far ``(T,)`` a rotation has come from the first to the last: 0 to 1, with the timing that it has."""
    gone, left = quat.angle_between(turns, turns[:1]), quat.angle_between(turns, turns[-1:])
    both = gone + left
    even = np.linspace(0.0, 1.0, len(turns))
    return np.where(both > 1e-3, gone / np.maximum(both, 1e-9), even)


class _Stretch(NamedTuple):
    """Solved poses from one pose to the next: times ``(3 T - 2,)``, keys and thirds, local rotations ``(…, B, 4)``."""

    times: FloatArray
    turns: FloatArray


def _with_thirds(times: FloatArray) -> FloatArray:
    """Times with two more between each and the next: ``(3 T - 2,)``."""
    way = np.array([0.0, 1.0, 2.0]) / 3.0
    return np.append((times[:-1, None] + np.diff(times)[:, None] * way).ravel(), times[-1])


def _joined(made: Sequence[_Stretch]) -> list[_Stretch]:
    """Stretches that follow one another as one."""
    found: list[_Stretch] = []
    for new in made:
        old = found[-1] if found else None
        if old is None or abs(old.times[-1] - new.times[0]) > TIME_EPSILON:
            found.append(new)
            continue
        found[-1] = _Stretch(
            np.concatenate((old.times, new.times[1:])), np.concatenate((old.turns, new.turns[1:]))
        )
    return found


def spans_of(stances: Sequence[Stance]) -> Mapping[str, int]:
    """How many stretches each foot stands: stances that follow one another are one."""
    counts: dict[str, int] = {}
    ends: dict[str, float] = {}
    for stance in stances:
        if any(stance.points):
            if abs(ends.get(stance.foot, -1.0) - stance.start) > TIME_EPSILON:
                counts[stance.foot] = counts.get(stance.foot, 0) + 1
            ends[stance.foot] = stance.end
    return counts
