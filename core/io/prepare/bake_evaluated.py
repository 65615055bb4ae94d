"""Clips as the editor shows them, for formats that know no layers, goals, or pose assets that curves drive."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.layer_stack import LayerStack
from core.clips.bake import bake
from core.clips.clip import WHOLE, Channel, Clip
from core.clips.evaluator import ClipEvaluator
from core.evaluation.clip_pipeline import ClipPipeline, driving_curves, layers_over
from core.evaluation.flatten import changed_bones, changed_curves
from core.ids import AssetId
from core.ik.bake import frame_times, without_goal
from core.ik.keyed import driving
from core.io.prepare.bake_goals import bake_goals
from core.io.prepare.bake_layers import bake_layers
from core.math import quat
from core.math.transform import Transform
from core.pose.library import PoseAsset
from core.progress import Progress, nothing
from core.project.project import Project
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation

STRAY = (1e-4, np.radians(0.01), 1e-4)
"""How far a bone's motion may deviate between keys: metres, radians, scale."""
ROUNDS = 5
"""How often a frame's time is halved where linear motion between its keys would deviate more."""
JUMP = 10.0 * TIME_EPSILON
"""Seconds that a jump takes: few enough for no one to see, enough for single precision and key reduction."""


def bake_evaluated(
    project: Project,
    clips: Collection[AssetId] | None = None,
    progress: Progress | None = None,
    notes: list[str] | None = None,
) -> Project:
    """The project with layers, goals and driven poses baked into its clips, and without what was baked.

    The same object where there is nothing of that.

    Parameters
    ----------
    clips : which clips; the others, and layers over them, are removed. None is all
    notes : receives which clips were given keys for goals, layers and pose assets
    """
    tell = progress or nothing()
    rigs = {rig.id for rig in project.rigs}
    chosen = [c for c in project.clips if c.rig in rigs and (clips is None or c.id in clips)]
    posed = [clip for clip in chosen if driving_curves(project, clip)]
    made = []
    for number, clip in enumerate(posed):
        part = tell.part(number / len(posed), (number + 1) / len(posed))
        part.report(0.0, f"baking the driven poses of {clip.name}")
        made.append(baked(project, clip))
        if notes is not None:
            notes.append(f"clip {clip.name!r}: the poses that its curves drive have become keys of bones")
    left = {clip.id for clip in chosen} - {clip.id for clip in posed}
    gone = [s.id for s in project.all(LayerStack) if s.clip not in left] if posed or clips is not None else []
    gone += [asset.id for asset in project.all(PoseAsset)] if posed else []
    below = bake_layers(project.without(*gone) if gone else project, tell)
    if posed:
        below = below.with_assets(*made)
    if clips is not None:
        below = below.without(*(clip.id for clip in project.clips if clip.id not in clips))
    return bake_goals(below, tell)


def baked(project: Project, clip: Clip) -> Clip:
    """A clip whose own tracks give the poses that are seen: for the rig's own rest pose, without goals.

    Bones that layers, goals and poses leave alone keep their tracks. Keys of the others are on every frame,
    on their own keys and those of curves, at both sides of jumps, and bone by bone as near each other as
    `STRAY` asks for.
    """
    shown = ClipPipeline.of(project, clip)
    rig, own = shown.rig, replace(clip, retarget_source=None)
    plain = ClipEvaluator(rig, own, project.meshes_of(rig.id))
    frames = frame_times(clip)
    moved = changed_bones(plain.sample_many(frames, wrap=False).local, shown.sample_many(frames).local)
    bones = sorted({bone for rows in moved.values() for bone in rows})
    times, keyed = _refined(shown, _times(project, clip, {rig.skeleton.names[bone] for bone in bones}), bones)
    before, after = plain.sample_many(times, wrap=False), shown.sample_many(times)
    tracks = dict(clip.tracks)
    for prop, changed in changed_bones(before.local, after.local).items():
        for bone in changed:
            rows = keyed.get(bone, np.ones(len(times), dtype=bool))
            name = rig.skeleton.names[bone]
            for axis in (0, 1, 2, WHOLE):
                tracks.pop(Channel(name, prop, axis), None)
            one = Transform(*(part[rows, bone : bone + 1] for part in after.local))
            tracks |= bake(
                _alone(rig.skeleton, bone), times[rows], one, properties=(prop,), rest_tolerance=None
            )
    made = replace(
        own,
        tracks=tracks,
        curves={**clip.curves, **changed_curves(times, before.curves, after.curves)},
        morphs={**clip.morphs, **changed_curves(times, before.morphs, after.morphs)},
    )
    for setup in driving(rig, clip.curves):
        made = without_goal(made, setup.name)
    return made


def _times(project: Project, clip: Clip, bones: Collection[str]) -> FloatArray:
    """Times of frames and both sides of jumps of a clip; of keys of its curves, of bones, and of layers' weights."""
    stack = layers_over(project, clip.id)
    weights = [layer.curve for layer in stack.active() if layer.curve is not None] if stack else []
    jumping = [*clip.every_track(), *weights]
    keyed = [*(t for c, t in clip.tracks.items() if c.bone in bones), *clip.curves.values(), *weights]
    jumps = [t.times[1:][t.interpolations[:-1] == Interpolation.CONSTANT] for t in jumping]
    after = _apart(np.concatenate([*jumps, np.zeros(0)]), clip.length)
    after = after[after > 2.0 * JUMP]
    times = np.sort(np.concatenate((after - JUMP, after)))
    keys = _apart(np.concatenate([*(track.times for track in keyed), np.zeros(0)]), clip.length)
    return _joined(_joined(times, frame_times(clip)), keys)


def _apart(times: FloatArray, length: float) -> FloatArray:
    """Times within a clip, rising by more than two jumps take."""
    rising = np.unique(np.clip(times, 0.0, length))
    kept: FloatArray = rising[np.diff(rising, prepend=-1.0) > 2.0 * JUMP]
    return kept


def _joined(times: FloatArray, more: FloatArray) -> FloatArray:
    """Times and more of them; not those so near that they would make a slope of a jump."""
    if not len(times):
        return more
    place = np.searchsorted(times, more)
    before, after = times[np.maximum(place - 1, 0)], times[np.minimum(place, len(times) - 1)]
    near = np.minimum(np.abs(more - before), np.abs(more - after)) <= JUMP
    return np.union1d(times, more[~near])


def _alone(skeleton: Skeleton, bone: int) -> Skeleton:
    """A skeleton of one bone."""
    rest = Transform(*(part[bone : bone + 1] for part in skeleton.rest))
    return Skeleton(skeleton.names[bone : bone + 1], np.array([-1]), rest)


def _refined(
    shown: ClipPipeline, times: FloatArray, bones: list[int]
) -> tuple[FloatArray, dict[int, BoolArray]]:
    """The times ``(T,)``, and halves between them where linear motion of a bone deviates by more than `STRAY`.

    Also which of them ``(T,)`` each of the bones needs.
    """
    starts, ends = times[:-1], times[1:]
    live = np.ones((len(starts), len(bones)), dtype=bool)
    added: list[tuple[FloatArray, BoolArray]] = []
    for _ in range(ROUNDS if bones else 0):
        wide = (ends - starts > 1.5 * JUMP) & live.any(axis=1)
        starts, ends, live = starts[wide], ends[wide], live[wide]
        middles = 0.5 * (starts + ends)
        first, middle, last = (_of(shown, at, bones) for at in (starts, middles, ends))
        live = live & _stray(first, middle, last)
        added.append((middles, live))
        starts, ends = np.concatenate((starts, middles)), np.concatenate((middles, ends))
        live = np.concatenate((live, live))
    halves = np.concatenate([times, *(at[need.any(axis=1)] for at, need in added)])
    needs = np.concatenate(
        [np.ones((len(times), len(bones)), dtype=bool), *(need[need.any(axis=1)] for _, need in added)]
    )
    order = np.argsort(halves)
    return halves[order], {bone: needs[order, column] for column, bone in enumerate(bones)}


def _of(shown: ClipPipeline, times: FloatArray, bones: list[int]) -> Transform:
    return Transform(*(part[:, bones] for part in shown.sample_many(times).local))


def _stray(first: Transform, middle: Transform, last: Transform) -> BoolArray:
    """Which bones are not half-way between two poses ``(T, N, k)``: ``(T, N)``."""
    moved = np.abs(0.5 * (first.translation + last.translation) - middle.translation).max(axis=-1)
    grown = np.abs(0.5 * (first.scale + last.scale) - middle.scale).max(axis=-1)
    half = quat.slerp(first.rotation, last.rotation, np.full(moved.shape, 0.5))
    turned = quat.angle_between(half, middle.rotation)
    far: BoolArray = (moved > STRAY[0]) | (turned > STRAY[1]) | (grown > STRAY[2])
    return far
