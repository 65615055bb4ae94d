"""Mirroring tracks (spec: editing, Mirroring).

Where a bone's parent is mirrored along with it, the formula of `core.pose.mirror` turns into two
constant rotations round the source's local rotation, ``r_d = A * M r_s M * C``, and a constant map
of its displacement. So whole tracks are mirrored key by key and keep their curves exactly: a
quaternion track always, Euler tracks where the map is a change of signs. The rest (a side copied
below a spine that stays, odd axes with Euler angles) is sampled and refitted within a bound.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from core.arrays import FloatArray
from core.clips import keying
from core.clips.bake import BakeStyle, bake
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator, rest_degrees
from core.math import euler, quat
from core.math.transform import Transform, down_chain
from core.pose.mirror import MirrorMap, mirrored, reflected_rotation, reflected_vector
from core.progress import counted
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import (
    PLAIN_WEIGHT,
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    quaternion_track,
    scalar_track,
)
from core.tracks.typed import types_from

TOLERANCE = 0.05, 1e-4
"""Degrees and metres that a refitted track may stray."""

REFINEMENTS = 8
"""How often gaps between keys are halved while a refitted track strays."""

SHORTEST = 4.0 * TIME_EPSILON
"""Seconds of a gap that is not halved any more: keys keep `TIME_EPSILON` apart."""

Changes = dict[Channel, Track | None]


class _Map(NamedTuple):
    """The constants of one bone: ``r = left * M r_s M * right`` and ``t = t_rest + shift·(t_s − t_s_rest)``."""

    left: FloatArray
    right: FloatArray
    shift: FloatArray


@dataclass(frozen=True, slots=True)
class _Work:
    """What mirroring one clip needs, worked out once."""

    rig: Rig
    clip: Clip
    mapping: MirrorMap
    rest_model: FloatArray

    @property
    def skeleton(self) -> Skeleton:
        return self.rig.skeleton

    def steady(self, bone: int) -> bool:
        """Whether the bone's parent is mirrored from its source's parent."""
        source = int(self.mapping.source[bone])
        above, beside = self.skeleton.parent(bone), self.skeleton.parent(source)
        if above < 0 or beside < 0:
            return above == beside
        return int(self.mapping.source[above]) == beside

    def constants(self, bone: int) -> _Map:
        """The bone's map; its parent must be mirrored along."""
        source, axis = int(self.mapping.source[bone]), self.mapping.axis
        above, beside = self.skeleton.parent(bone), self.skeleton.parent(source)
        here = self.rest_model[above] if above >= 0 else quat.IDENTITY
        there = self.rest_model[beside] if beside >= 0 else quat.IDENTITY
        left = quat.multiply(quat.conjugate(here), reflected_rotation(there, axis))
        right = quat.multiply(
            reflected_rotation(quat.conjugate(self.rest_model[source]), axis), self.rest_model[bone]
        )
        flipped = reflected_vector(np.eye(3), axis)
        shift = quat.to_matrix(quat.conjugate(here)) @ flipped @ quat.to_matrix(there)
        return _Map(left, right, shift)


# ---------------------------------------------------------------- tracks


def mirrored_tracks(rig: Rig, clip: Clip, mapping: MirrorMap) -> Changes:
    """Every channel of the bones that take part: its new track, or None where it needs none."""
    work = _Work(rig, clip, mapping, down_chain(rig.skeleton.parents, rig.skeleton.rest).rotation)
    changes: Changes = {}
    rough: dict[Property, list[int]] = {Property.TRANSLATE: [], Property.ROTATE: []}
    for bone in counted(np.flatnonzero(mapping.source >= 0).tolist(), "mirroring"):
        changes |= {c: None for c in clip.tracks if c.bone == rig.skeleton.names[bone]}
        changes |= _scales(work, bone)
        if not work.steady(bone):
            rough[Property.TRANSLATE].append(bone)
            rough[Property.ROTATE].append(bone)
            continue
        constants = work.constants(bone)
        for prop, made in (
            (Property.TRANSLATE, _translations(work, bone, constants)),
            (Property.ROTATE, _rotations(work, bone, constants)),
        ):
            if made is None:
                rough[prop].append(bone)
            else:
                changes |= made
    return changes | _with_types(work, _refitted(work, rough))


def _with_types(work: _Work, changes: Changes) -> Changes:
    """Tracks that were worked out anew, with the key types of the bones that they are mirrored from."""
    by_part: dict[tuple[str, Property], list[Track]] = {}
    for channel, track in work.clip.tracks.items():
        if track.types.any():
            by_part.setdefault((channel.bone, channel.property), []).append(track)
    if not by_part:
        return changes
    skeleton, source = work.skeleton, work.mapping.source
    found: Changes = {}
    for channel, new in changes.items():
        other = skeleton.names[int(source[skeleton.index(channel.bone)])]
        sources = by_part.get((other, channel.property), [])
        found[channel] = new if new is None else types_from(cast(Any, new), sources)
    return found


def _scales(work: _Work, bone: int) -> Changes:
    skeleton, source = work.skeleton, int(work.mapping.source[bone])
    made: Changes = {}
    for axis in range(3):
        track = work.clip.scalar(Channel(skeleton.names[source], Property.SCALE, axis))
        value = float(skeleton.rest.scale[source, axis])
        if track is None and abs(value - float(skeleton.rest.scale[bone, axis])) > 1e-12:
            track = scalar_track([0.0], [value])
        if track is not None:
            made[Channel(skeleton.names[bone], Property.SCALE, axis)] = track
    return made


def _translations(work: _Work, bone: int, constants: _Map) -> Changes | None:
    """Translation tracks; None where they cannot be made of the source's keys."""
    skeleton, source = work.skeleton, int(work.mapping.source[bone])
    own = [work.clip.scalar(Channel(skeleton.names[source], Property.TRANSLATE, a)) for a in range(3)]
    if not any(track is not None for track in own):
        return {}
    made: Changes = {}
    for axis in range(3):
        row = constants.shift[axis]
        parts = [(a, float(row[a])) for a in range(3) if abs(row[a]) > 1e-12 and own[a] is not None]
        if not parts:
            continue
        base = float(skeleton.rest.translation[bone, axis])
        base -= sum(f * float(skeleton.rest.translation[source, a]) for a, f in parts)
        track = _combined([(cast(ScalarTrack, own[a]), f) for a, f in parts], base, work.clip)
        if track is None:
            return None
        if len(parts) > 1:  # of one alone it has the types already
            track = types_from(track, [cast(ScalarTrack, own[a]) for a, _ in parts])
        made[Channel(skeleton.names[bone], Property.TRANSLATE, axis)] = track
    return made


def _combined(parts: list[tuple[ScalarTrack, float]], base: float, clip: Clip) -> ScalarTrack | None:
    """``base + Σ factor·track``, exactly; None where the tracks' shapes do not add."""
    if len(parts) == 1:
        return _signed(*parts[0], base)
    loop = keying.loop_length(clip)
    times = np.unique(np.concatenate([track.times for track, _ in parts]))
    times = times[np.concatenate(([True], np.diff(times) > TIME_EPSILON))]
    whole = []
    for track, factor in parts:
        inside = (times >= track.times[0]) & (times <= track.times[-1])
        if not inside.all() or (track.in_weights != PLAIN_WEIGHT).any():
            return None
        for time in times:
            track = edits.insert_key(track, float(time), loop)
        whole.append((track, factor))
    first = whole[0][0]
    if any(not np.array_equal(t.interpolations, first.interpolations) for t, _ in whole):
        return None
    alike = all(np.array_equal(t.modes, first.modes) for t, _ in whole)

    def total(name: str) -> FloatArray:
        return cast(FloatArray, sum(f * getattr(t, name) for t, f in whole))

    modes = first.modes if alike else np.full(len(times), TangentMode.BROKEN, np.uint8)
    return scalar_track(
        times,
        base + total("values"),
        total("in_slopes"),
        total("out_slopes"),
        first.interpolations,
        modes,
        beyond=(first.before, first.after),
    )


def _signed(track: ScalarTrack, factor: float, offset: float = 0.0) -> ScalarTrack:
    """``offset + factor·track``; the very track where that changes nothing."""
    if factor == 1.0 and offset == 0.0:
        return track
    return replace(
        track,
        values=track.values * factor + offset,
        in_slopes=track.in_slopes * factor,
        out_slopes=track.out_slopes * factor,
    )


def _rotations(work: _Work, bone: int, constants: _Map) -> Changes | None:
    """Rotation tracks; None where Euler angles do not merely change signs."""
    skeleton, clip, source = work.skeleton, work.clip, int(work.mapping.source[bone])
    name, other = skeleton.names[bone], skeleton.names[source]
    whole = clip.rotation(other)
    if whole is not None:
        turned: dict[str, Any] = {
            part: _turned(getattr(whole, part), constants, work.mapping.axis)
            for part in ("values", "in_tangents", "out_tangents")
        }
        return {Channel(name, Property.ROTATE, WHOLE): replace(whole, **turned)}
    own = [clip.scalar(Channel(other, Property.ROTATE, axis)) for axis in range(3)]
    if not any(track is not None for track in own):
        still = _turned(skeleton.rest.rotation[source], constants, work.mapping.axis)
        if quat.angle_between(still, skeleton.rest.rotation[bone]) < 1e-9:
            return {}
        return _constant_turn(work, bone, still)
    signs = _signs(skeleton, bone, source, constants, work.mapping.axis)
    if signs is None:
        return None
    made: Changes = {}
    here, there = rest_degrees(skeleton, bone), rest_degrees(skeleton, source)
    for axis, sign in enumerate(signs):
        track, channel = own[axis], Channel(name, Property.ROTATE, axis)
        if track is not None:
            made[channel] = _signed(track, sign)
        elif abs(sign * there[axis] - here[axis]) > 1e-9:
            made[channel] = scalar_track([0.0], [sign * there[axis]])
    return made


def _turned(q: FloatArray, constants: _Map, axis: int) -> FloatArray:
    """``left * M q M * right``, linear in `q`, so that tangents go the same way as values."""
    inner = reflected_rotation(np.asarray(q), axis)
    return quat.multiply(quat.multiply(constants.left, inner), constants.right)


_PROBES = np.array([[13.0, -37.0, 71.0], [-64.0, 22.0, 9.0], [41.0, 58.0, -33.0], [120.0, -75.0, 160.0]])


def _signs(
    skeleton: Skeleton, bone: int, source: int, constants: _Map, axis: int
) -> tuple[float, float, float] | None:
    """Signs by which the source's angles become the bone's; None where no signs do."""
    here, there = int(skeleton.euler_orders[bone]), int(skeleton.euler_orders[source])
    goal = _turned(euler.to_quaternion(_PROBES, there), constants, axis)
    for number in range(8):
        signs = np.where([number & 1, number & 2, number & 4], -1.0, 1.0)
        if float(quat.angle_between(euler.to_quaternion(_PROBES * signs, here), goal).max()) < 1e-7:
            return float(signs[0]), float(signs[1]), float(signs[2])
    return None


def _constant_turn(work: _Work, bone: int, rotation: FloatArray) -> Changes:
    """One key that holds a bone in a rotation, of the kind the clip uses."""
    name = work.skeleton.names[bone]
    if keying.uses_quaternion(work.clip, name):
        return {Channel(name, Property.ROTATE, WHOLE): quaternion_track([0.0], [rotation])}
    reference = rest_degrees(work.skeleton, bone)
    angles = euler.nearest(rotation, int(work.skeleton.euler_orders[bone]), reference)
    return {Channel(name, Property.ROTATE, a): scalar_track([0.0], [angles[a]]) for a in range(3)}


# ---------------------------------------------------------------- sampled and refitted


def _refitted(work: _Work, rough: Mapping[Property, list[int]]) -> Changes:
    """Tracks through the mirrored poses, with keys added until they stray less than `TOLERANCE`."""
    bones = sorted({b for some in rough.values() for b in some})
    if not bones:
        return {}
    evaluator = ClipEvaluator(work.rig, work.clip)
    made: Changes = {}
    for bone in bones:
        times = _key_times(work, bone)
        if not len(times):
            continue
        props = tuple(prop for prop, some in rough.items() if bone in some)
        made |= _fitted(work, evaluator, bone, props, times)
    return made


def _key_times(work: _Work, bone: int) -> FloatArray:
    """Times of the keys that move a bone's mirror image: its source's, and those of what stands above both."""
    skeleton, source = work.skeleton, int(work.mapping.source[bone])
    names = {skeleton.names[source]}
    for start in (bone, source):
        above = skeleton.parent(start)
        while above >= 0:
            names.add(skeleton.names[above])
            above = skeleton.parent(above)
    turning = [
        track.times
        for channel, track in work.clip.tracks.items()
        if channel.bone in names
        and (channel.property is Property.ROTATE or channel.bone == skeleton.names[source])
    ]
    if not turning:
        return np.zeros(0)
    times = np.unique(np.concatenate(turning))
    apart: FloatArray = times[np.concatenate(([True], np.diff(times) > TIME_EPSILON))]
    return apart


def _fitted(
    work: _Work, evaluator: ClipEvaluator, bone: int, props: tuple[Property, ...], times: FloatArray
) -> Changes:
    skeleton = work.skeleton
    source = skeleton.names[int(work.mapping.source[bone])]
    angles = not keying.uses_quaternion(work.clip, source)
    first = next((t for c, t in work.clip.tracks.items() if c.bone == source), None)
    code = Interpolation.CUBIC if first is None else Interpolation(int(first.interpolations[0]))

    def truth(at: FloatArray) -> Transform:
        local = evaluator.sample_many(at, wrap=False).local
        return mirrored(work.rig, local, work.mapping)

    tracks: dict[Channel, Track] = {}
    for _ in range(REFINEMENTS):
        tracks = bake(
            skeleton,
            times,
            truth(times),
            bones=[bone],
            properties=props,
            rest_tolerance=1e-9,
            style=BakeStyle(
                euler_angles=angles, interpolation=code, looping_length=keying.loop_length(work.clip)
            ),
        )
        gaps = np.diff(times)
        if code is Interpolation.CONSTANT or not len(gaps):
            break
        probes = (times[:-1, None] + gaps[:, None] * np.array([0.25, 0.5, 0.75])).ravel()
        astray = _astray(work, tracks, bone, props, truth(probes), probes).reshape(-1, 3).any(axis=1)
        astray &= gaps > SHORTEST  # both sides of a jump have nothing between them
        if not astray.any():
            break
        times = np.sort(np.concatenate((times, (times[:-1] + gaps / 2.0)[astray])))
    return dict(tracks)


def _astray(
    work: _Work,
    tracks: Mapping[Channel, Track],
    bone: int,
    props: tuple[Property, ...],
    goal: Transform,
    times: FloatArray,
) -> Any:
    """Whether tracks are further from the goal than the tolerance, time by time."""
    skeleton, name = work.skeleton, work.skeleton.names[bone]
    loop = keying.loop_length(work.clip)
    bad = np.zeros(len(times), dtype=bool)
    if Property.ROTATE in props:
        whole = tracks.get(Channel(name, Property.ROTATE, WHOLE))
        if isinstance(whole, QuaternionTrack):
            turn = evaluate_quaternion(whole, times, loop)
        else:
            degrees = np.tile(rest_degrees(skeleton, bone), (len(times), 1))
            for axis in range(3):
                track = tracks.get(Channel(name, Property.ROTATE, axis))
                if isinstance(track, ScalarTrack):
                    degrees[:, axis] = evaluate_scalar(track, times, loop)
            turn = euler.to_quaternion(degrees, int(skeleton.euler_orders[bone]))
        bad |= np.degrees(quat.angle_between(turn, goal.rotation[:, bone])) > TOLERANCE[0]
    if Property.TRANSLATE in props:
        for axis in range(3):
            track = tracks.get(Channel(name, Property.TRANSLATE, axis))
            if isinstance(track, ScalarTrack):
                error = evaluate_scalar(track, times, loop) - goal.translation[:, bone, axis]
                bad |= np.abs(error) > TOLERANCE[1]
    return bad
