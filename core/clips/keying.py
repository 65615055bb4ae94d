"""Setting keys from poses: which channels changed, and which values they get (spec: editing, Keying)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.errors import ValidationError
from core.math import euler, quat
from core.math.transform import Transform
from core.pose.pose import Pose
from core.progress import counted
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, Track, quaternion_track
from core.tracks.together import evaluate_scalars, set_together

ROUNDING = 1e-10
"""A channel nearer than this to the clip's own value is keyed with that very value."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Differences up to these count as none: metres, degrees, factors."""

    translate: float = 1e-4
    rotate: float = 0.01
    scale: float = 1e-4

    def of(self, part: Property) -> float:
        """The tolerance of a property."""
        return (self.translate, self.rotate, self.scale)[part]


class KeyWhich(StrEnum):
    """Which channels of the bones asked for get keys.

    CHANGED: those that differ from the clip by more than the tolerance. ALL: every one. EXISTING: those that
    have a track. USED: those that have a track and those that differ; every one of a bone without any track.
    POSED: every axis of the rotation, and every axis of a translation or scale that differs or has a track, so that
    no later key moves the bones at this time. PLACED: these, and every axis of the translation.
    """

    CHANGED = "changed"
    ALL = "all"
    EXISTING = "existing"
    USED = "used"
    POSED = "posed"
    PLACED = "placed"

    @property
    def posed(self) -> bool:
        """Whether properties are keyed with all of their axes."""
        return self in (KeyWhich.POSED, KeyWhich.PLACED)


def loop_length(clip: Clip) -> float | None:
    """The clip's length where it loops, else None."""
    return clip.length if clip.looping and clip.length > 0.0 else None


def channels_of(bone: str, whole: bool) -> tuple[Channel, ...]:
    """Every channel of a bone: with one quaternion channel (`whole`), or three angles."""
    turn = [WHOLE] if whole else [0, 1, 2]
    return (
        *(Channel(bone, Property.TRANSLATE, axis) for axis in range(3)),
        *(Channel(bone, Property.ROTATE, axis) for axis in turn),
        *(Channel(bone, Property.SCALE, axis) for axis in range(3)),
    )


def uses_quaternion(clip: Clip, bone: str) -> bool:
    """Whether a bone's rotation is, or would be, keyed as a quaternion.

    A bone without a rotation track follows the others: quaternion where the clip has quaternion
    tracks and no Euler ones.
    """
    return _is_whole(clip, bone, None)


def _is_whole(clip: Clip, bone: str, new_is_whole: bool | None) -> bool:
    if Channel(bone, Property.ROTATE, WHOLE) in clip.tracks:
        return True
    if any(Channel(bone, Property.ROTATE, axis) in clip.tracks for axis in range(3)):
        return False
    return _new_turns_are_whole(clip) if new_is_whole is None else new_is_whole


def _new_turns_are_whole(clip: Clip) -> bool:
    turns = [channel.axis for channel in clip.tracks if channel.property is Property.ROTATE]
    return bool(turns) and all(axis == WHOLE for axis in turns)


def sampled_channels_of(clip: Clip, skeleton: Skeleton, bones: Sequence[str], time: float) -> Transform:
    """Bones' own channels at a time: translations, *Euler degrees* and scales, each ``(N, 3)``.

    Angles come from the tracks as they stand, not through a quaternion, so that they count turns.
    """
    chosen = [skeleton.index(bone) for bone in bones]
    values = Transform(
        np.array(skeleton.rest.translation[chosen]),
        _rest_degrees(skeleton, chosen),
        np.array(skeleton.rest.scale[chosen]),
    )
    tracks: list[ScalarTrack] = []
    places: list[tuple[Property, int, int]] = []
    for n, bone in enumerate(bones):
        for part in Property:
            for axis in range(3):
                track = clip.scalar(Channel(bone, part, axis))
                if track is not None:
                    tracks.append(track)
                    places.append((part, n, axis))
    found = evaluate_scalars(tracks, time, loop_length(clip)).tolist()
    for (part, n, axis), value in zip(places, found, strict=True):
        values[part][n, axis] = value
    return values


def sampled_channels(clip: Clip, skeleton: Skeleton, bone: str, time: float) -> Transform:
    """One bone's own channels at a time, each ``(3,)``; see `sampled_channels_of`."""
    return Transform(*(part[0] for part in sampled_channels_of(clip, skeleton, [bone], time)))


def _rest_degrees(skeleton: Skeleton, chosen: Sequence[int]) -> FloatArray:
    """Euler angles ``(N, 3)`` of bones' rest rotations, each in its own order."""
    angles = np.empty((len(chosen), 3))
    orders = skeleton.euler_orders[chosen]
    for order in np.unique(orders):
        rows = np.flatnonzero(orders == order)
        angles[rows] = euler.from_quaternion(skeleton.rest.rotation[chosen][rows], int(order))
    return angles


def changed_channels_of(
    clip: Clip,
    skeleton: Skeleton,
    bones: Sequence[str],
    time: float,
    goal: Transform,
    tolerance: Tolerance | None = None,
    which: KeyWhich = KeyWhich.CHANGED,
    through: Transform | None = None,
) -> dict[Channel, FloatArray]:
    """Channels of bones to key at a time so that they get local transforms, and their values.

    Parameters
    ----------
    bones : N names, each once
    goal : wanted local transforms ``(N, k)``
    which : see `KeyWhich`
    through : local transforms ``(N, k)`` that channels without keys show in place of the rest pose, as those of a
        layer do. A property of which one axis has changed is then keyed so that it is met to rounding

    Returns
    -------
    dict
        Channel → ``()`` value, or ``(4,)`` quaternion. Euler angles are the equivalent nearest to
        the tracks' own values, and a near gimbal lock follows them.
    """
    limit = tolerance or Tolerance()
    now = sampled_channels_of(clip, skeleton, bones, time)
    new_is_whole = _new_turns_are_whole(clip)
    wholes = [_is_whole(clip, bone, new_is_whole) for bone in bones]
    if through is not None:
        _show_through(clip, skeleton, bones, through, now)
    turns = _nearest_angles(skeleton, bones, wholes, goal.rotation, now.rotation)
    aims = Transform(goal.translation, turns, goal.scale)
    differences = Transform(*(np.abs(aim - own) for aim, own in zip(aims, now, strict=True)))
    exact = [np.where(gap < ROUNDING, own, aim) for aim, own, gap in zip(aims, now, differences, strict=True)]
    gaps = [gap.tolist() for gap in differences]
    entire = {Property.ROTATE} if which.posed else set()
    if which is KeyWhich.PLACED:
        entire.add(Property.TRANSLATE)
    found: dict[Channel, FloatArray] = {}
    for n, bone in enumerate(bones):
        whole = wholes[n]
        fresh = which is KeyWhich.USED and not any(
            channel in clip.tracks for channel in channels_of(bone, whole)
        )

        def wanted(channel: Channel, difference: float, fresh: bool = fresh) -> bool:
            if which is KeyWhich.ALL or fresh or channel.property in entire:
                return True
            if which is not KeyWhich.CHANGED and channel in clip.tracks:
                return True
            return which is not KeyWhich.EXISTING and difference > limit.of(channel.property)

        for part in (Property.TRANSLATE, Property.SCALE, Property.ROTATE):
            if part is Property.ROTATE and whole:
                continue
            channels = [Channel(bone, part, axis) for axis in range(3)]
            keyed = [wanted(channel, gap) for channel, gap in zip(channels, gaps[part][n], strict=True)]
            if which.posed and any(keyed):
                keyed = [True] * 3
            elif through is not None and any(keyed):
                fresh_turn = part is Property.ROTATE and not any(c in clip.tracks for c in channels)
                keyed = [
                    k or fresh_turn or gap > ROUNDING for k, gap in zip(keyed, gaps[part][n], strict=True)
                ]
            for axis, channel in enumerate(channels):
                if keyed[axis]:
                    found[channel] = np.asarray(exact[part][n, axis], dtype=np.float64)
        if whole:
            channel = Channel(bone, Property.ROTATE, WHOLE)
            reference = _turn_at(clip, skeleton, bone, time)
            if through is not None and channel not in clip.tracks:
                reference = through.rotation[n]
            goal_turn = quat.aligned(goal.rotation[n], reference)
            difference = float(np.degrees(quat.angle_between(reference, goal_turn)))
            if wanted(channel, difference):
                found[channel] = reference if difference < ROUNDING else goal_turn
    return found


def _show_through(
    clip: Clip, skeleton: Skeleton, bones: Sequence[str], through: Transform, now: Transform
) -> None:
    """Put what shows through into the values ``(N, 3)`` of channels that have no keys."""
    for n, bone in enumerate(bones):
        for part in (Property.TRANSLATE, Property.SCALE):
            for axis in range(3):
                if Channel(bone, part, axis) not in clip.tracks:
                    now[part][n, axis] = through[part][n, axis]
        if not any(Channel(bone, Property.ROTATE, axis) in clip.tracks for axis in (0, 1, 2, WHOLE)):
            order = int(skeleton.euler_orders[skeleton.index(bone)])
            now.rotation[n] = euler.nearest(through.rotation[n][None], order, now.rotation[n][None])[0]


def changed_channels(
    clip: Clip,
    skeleton: Skeleton,
    bone: str,
    time: float,
    goal: Transform,
    tolerance: Tolerance | None = None,
    which: KeyWhich = KeyWhich.CHANGED,
) -> dict[Channel, FloatArray]:
    """Channels of one bone to key, for a goal ``(k,)``; see `changed_channels_of`."""
    goals = Transform(*(np.asarray(part)[None] for part in goal))
    return changed_channels_of(clip, skeleton, [bone], time, goals, tolerance, which)


def _turn_at(clip: Clip, skeleton: Skeleton, bone: str, time: float) -> FloatArray:
    """Quaternion of a bone's own rotation track at a time; at rest without one."""
    track = clip.rotation(bone)
    if track is None:
        rest: FloatArray = skeleton.rest.rotation[skeleton.index(bone)]
        return rest
    turn: FloatArray = evaluate_quaternion(track, np.array([time]), loop_length(clip))[0]
    return turn


def _nearest_angles(
    skeleton: Skeleton, bones: Sequence[str], wholes: Sequence[bool], rotations: FloatArray, now: FloatArray
) -> FloatArray:
    """Euler angles ``(N, 3)`` of rotations nearest to those of now; these for bones keyed as quaternions."""
    angles = np.array(now)
    orders = skeleton.euler_orders[[skeleton.index(bone) for bone in bones]]
    turned = ~np.array(wholes, dtype=bool)
    for order in np.unique(orders[turned]):
        rows = np.flatnonzero(turned & (orders == order))
        angles[rows] = euler.nearest(rotations[rows], int(order), now[rows])
    return angles


def with_keys(clip: Clip, time: float, values: Mapping[Channel, FloatArray]) -> Clip:
    """The clip with keys of these values at a time; tracks that do not exist are started.

    Raises
    ------
    ValidationError
        A value does not fit its channel, or a bone would get Euler and quaternion tracks at once.
    """
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    old: list[ScalarTrack] = []
    scalars: list[Channel] = []
    for channel, value in counted(values.items()):
        track = clip.tracks.get(channel)
        if channel.axis == WHOLE:
            if track is None:
                changes[channel] = quaternion_track([time], [value], interpolations=int(new_turns(clip)))
            else:
                changes[channel] = edits.set_rotation(track, time, value, loop)
        elif track is None:
            changes[channel] = edits.set_value(track, time, float(value), loop)
        elif isinstance(track, ScalarTrack):
            changes[channel] = None  # its place in the order
            scalars.append(channel)
            old.append(track)
        else:
            raise ValidationError(f"{channel} holds quaternion keys")
    made = set_together(old, time, [float(values[channel]) for channel in scalars], loop)
    changes |= dict(zip(scalars, made, strict=True))
    changes = {channel: track for channel, track in changes.items() if clip.tracks.get(channel) is not track}
    return clip.with_tracks(changes) if changes else clip


def key_pose(
    clip: Clip,
    rig: Rig,
    time: float,
    pose: Pose,
    bones: Iterable[str],
    tolerance: Tolerance | None = None,
    which: KeyWhich = KeyWhich.CHANGED,
    sampled: Pose | None = None,
) -> Clip:
    """The clip with keys at a time where a pose's bones differ from it (or as `which` says).

    Parameters
    ----------
    sampled : the clip's own pose at that time, where it is known: bones that are equal in both
        are not looked at closer

    Returns
    -------
    Clip
        The same object where there is nothing to key.

    Raises
    ------
    ValidationError
        The pose belongs to another rig than the one given.
    """
    if pose.rig != rig.id or len(pose) != len(rig.skeleton):
        raise ValidationError(f"the pose belongs to {pose.rig}, not to {rig.id}")
    if sampled is not None and which is KeyWhich.CHANGED:
        bones = other_than(rig.skeleton, pose, sampled, bones)
    names = list(dict.fromkeys(bones))
    chosen = [rig.skeleton.index(bone) for bone in names]
    goal = Transform(pose.translations[chosen], pose.rotations[chosen], pose.scales[chosen])
    values = changed_channels_of(clip, rig.skeleton, names, time, goal, tolerance, which)
    return with_keys(clip, time, values)


def other_than(skeleton: Skeleton, a: Pose, b: Pose, bones: Iterable[str]) -> list[str]:
    """Bones whose local transforms differ between two poses by more than rounding."""
    same = (
        np.isclose(a.translations, b.translations, rtol=0.0, atol=1e-12).all(axis=1)
        & np.isclose(a.scales, b.scales, rtol=0.0, atol=1e-12).all(axis=1)
        & (quat.angle_between(a.rotations, b.rotations) < 1e-12)
    )
    return [bone for bone in bones if not same[skeleton.index(bone)]]


def insert_keys(clip: Clip, time: float, channels: Iterable[Channel]) -> Clip:
    """The clip with keys on existing tracks at a time, their shapes kept."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel in channels:
        track = clip.tracks.get(channel)
        if track is not None:
            changed: Track = edits.insert_key(track, time, loop)
            if changed is not track:
                changes[channel] = changed
    return clip.with_tracks(changes) if changes else clip


def without_keys(clip: Clip, time: float, channels: Iterable[Channel]) -> Clip:
    """The clip without the keys of channels at a time; a track whose last key goes, goes too."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel in channels:
        track = clip.tracks.get(channel)
        place = edits.key_at(track, time) if track is not None else None
        if track is not None and place is not None:
            changes[channel] = edits.delete_keys(track, [place], loop)
    return clip.with_tracks(changes) if changes else clip


def with_weight_keys(
    clip: Clip, time: float, curves: Mapping[str, float], morphs: Mapping[str, float]
) -> Clip:
    """The clip with keys of named float curves and morph weights at a time; missing tracks are started.

    Returns
    -------
    Clip
        The same object where every key is there already.

    Raises
    ------
    ValidationError
        A value is not finite.
    """
    loop = loop_length(clip)

    def keyed(tracks: Mapping[str, ScalarTrack], values: Mapping[str, float]) -> Mapping[str, ScalarTrack]:
        found = {n: edits.set_value(tracks.get(n), time, float(v), loop) for n, v in values.items()}
        found = {name: track for name, track in found.items() if tracks.get(name) is not track}
        return {**tracks, **found} if found else tracks

    new_curves, new_morphs = keyed(clip.curves, curves), keyed(clip.morphs, morphs)
    if new_curves is clip.curves and new_morphs is clip.morphs:
        return clip
    return replace(clip, curves=new_curves, morphs=new_morphs)


def without_weight_keys(clip: Clip, time: float, curves: Iterable[str], morphs: Iterable[str]) -> Clip:
    """The clip without the keys of named curves and morphs at a time; a track whose last key goes, goes too."""
    loop = loop_length(clip)

    def shorter(tracks: Mapping[str, ScalarTrack], names: Iterable[str]) -> Mapping[str, ScalarTrack]:
        kept = dict(tracks)
        for name in names:
            track = kept.get(name)
            place = edits.key_at(track, time) if track is not None else None
            if track is None or place is None:
                continue
            left = edits.delete_keys(track, [place], loop)
            if left is None:
                del kept[name]
            else:
                kept[name] = left
        return kept if any(kept.get(name) is not track for name, track in tracks.items()) else tracks

    new_curves, new_morphs = shorter(clip.curves, curves), shorter(clip.morphs, morphs)
    if new_curves is clip.curves and new_morphs is clip.morphs:
        return clip
    return replace(clip, curves=new_curves, morphs=new_morphs)


def new_turns(clip: Clip) -> Interpolation:
    """Interpolation of a first quaternion key: what the clip's other quaternion tracks use, else linear."""
    for track in clip.tracks.values():
        if isinstance(track, QuaternionTrack):
            return Interpolation(int(track.interpolations[0]))
    return Interpolation.LINEAR
