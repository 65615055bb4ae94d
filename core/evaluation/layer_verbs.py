"""Verbs of animation layers: merge one down, extract keys into one, split a clip into base and delta.

None of them changes what is shown. Merging and splitting bake: the result is the same at every frame and at every time
where the clip, the layers or their weights have a key (to rounding); between these a key a frame is interpolated. What
is extracted keeps its curves and is the same at every time. Each result is checked against what was shown before it is
given.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack, StackPlayer
from core.clips.bake import BakeStyle, bake
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.edits import new_clip, unique_name
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.evaluation.flatten import bake_times, changed_bones, changed_curves, flattened
from core.ids import AssetId, new_id
from core.math import quat
from core.math.transform import Transform
from core.progress import checkpoint, counted
from core.project.project import Asset, Project
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track, scalar_track, taken

SAME = 1e-6
"""Metres, radians and curve values up to which a result counts as what was shown."""


class Verb(NamedTuple):
    """What a verb makes: assets to add or replace, ids that go, and the largest change of what is shown.

    Parameters
    ----------
    stack : the clip's layers afterwards, None where there are none left
    """

    assets: tuple[Asset, ...]
    gone: tuple[AssetId, ...]
    stack: LayerStack | None
    change: float = 0.0

    def put_into(self, project: Project) -> Project:
        """The project with it."""
        return project.with_assets(*self.assets).without(*self.gone)


def merged_down(project: Project, clip: Clip, number: int) -> Verb:
    """A layer merged with what is right below it: the lowest into the clip, another into the layer below.

    Two additive layers in local space become one; any others become an override layer of the channels they change.

    Raises
    ------
    ValidationError
        The layer, or the one below it, does not count now; or the result would not be what is shown.
    """
    stack = _stack(project, clip)
    for layer in stack.layers[max(number - 1, 0) : number + 1]:
        if not any(layer is active for active in stack.active()):
            raise ValidationError(
                f"layer {layer.name!r} does not count now: unmute it, or end the solo of another, and merge then"
            )
    if number == 0:
        return merged_all(project, clip, 0)
    rig, clips = project.get(Rig, clip.rig), {other.id: other for other in project.clips}
    lower, upper = stack.layers[number - 1 : number + 1]
    times = bake_times(clip, stack, clips)
    below, _, above = (
        _poses(project, clip, stack, clips, count, times) for count in (number - 1, number, number + 1)
    )
    additive = all(_is_local_additive(clips[layer.clip], layer) for layer in (lower, upper))
    name = unique_name(f"{lower.name} merged", [other.name for other in project.clips_of(rig.id)])
    made = replace(new_clip(rig, name, clip.length, clip.rate), looping=clip.looping)
    changed = changed_bones(below.local, above.local)
    held = _as_difference(rig, above.local, below.local) if additive else above.local
    made = replace(made, tracks=_baked(rig, clip, times, held, changed))
    if additive:
        curves = {name: above.curves[name] - below.curves.get(name, 0.0) for name in above.curves}
        morphs = {name: above.morphs[name] - below.morphs.get(name, 0.0) for name in above.morphs}
        made = replace(
            made, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST),
            curves=_nonzero(times, curves), morphs=_nonzero(times, morphs),
        )  # fmt: skip
    else:
        made = replace(
            made, curves=changed_curves(times, below.curves, above.curves),
            morphs=changed_curves(times, below.morphs, above.morphs),
        )  # fmt: skip
    mode = LayerMode.ADDITIVE if additive else LayerMode.OVERRIDE
    layer = ClipLayer(lower.name, made.id, mode, solo=lower.solo or upper.solo, keyed=not additive, own=True)
    grown = replace(stack, layers=(*stack.layers[: number - 1], layer, *stack.layers[number + 1 :]))
    return _checked(project, clip, Verb((made, grown), (), grown), times, "merge")


def merged_all(project: Project, clip: Clip, number: int | None = None) -> Verb:
    """The layers up to and with one (all by default) baked into the clip; those above stay.

    Bones that the layers do not change keep their keys.
    """
    stack = _stack(project, clip)
    count = len(stack.layers) if number is None else number + 1
    below, rest = replace(stack, layers=stack.layers[:count]), stack.layers[count:]
    rig, clips = project.get(Rig, clip.rig), {other.id: other for other in project.clips}
    baked = flattened(rig, clip, below, clips) if below.active() else clip
    left = replace(stack, layers=rest) if rest else None
    times = bake_times(clip, stack, clips)
    if left is None:
        return _checked(project, clip, Verb((baked,), (stack.id,), None), times, "merge")
    return _checked(project, clip, Verb((baked, left), (), left), times, "merge")


def extracted(
    project: Project,
    clip: Clip,
    channels: Collection[Channel],
    span: tuple[float, float],
    keys: Mapping[Channel, Collection[float]] | None = None,
) -> Verb:
    """Keys of a clip moved into an override layer above it, their curves kept; what is shown is the same at all times.

    Parameters
    ----------
    channels : whose keys; a rotation goes as a whole
    span : seconds; the layer counts in it alone
    keys : times of the keys that leave the clip, by channel; all between the ends of `span` where left out
    """
    rig = project.get(Rig, clip.rig)
    wanted = _whole_turns(clip, channels)
    start, end = max(span[0], 0.0), min(span[1], clip.length)
    if not wanted or end - start < TIME_EPSILON:
        raise ValidationError("extract: expected channels with keys, and a range within the clip")
    _refuse_source(clip)
    loop = clip.length if clip.looping and clip.length > 0.0 else None
    all_of_it = start < TIME_EPSILON and end > clip.length - TIME_EPSILON
    lifted: dict[Channel, Track] = {}
    left: dict[Channel, Track | None] = {}
    for channel in counted(wanted):
        cut = _with_keys_at(clip.tracks[channel], (start, end), loop)
        lifted[channel] = clip.tracks[channel] if all_of_it else _between(cut, start, end)
        chosen = None if keys is None else keys.get(channel, ())
        left[channel] = _emptied(_frozen(cut, (start, end)), start, end, chosen)
    made = replace(_layer_clip(project, rig, clip, "extracted"), tracks=lifted)
    curve = None if all_of_it else _window(start, end, clip.length)
    layer = ClipLayer(made.name, made.id, LayerMode.OVERRIDE, curve=curve, keyed=True, own=True)
    stack = _with_lowest(project, clip, layer)
    result = Verb((clip.with_tracks(left), made, stack), (), stack)
    return _checked(project, clip, result, _dense(clip), "extract")


def split(
    project: Project,
    clip: Clip,
    channels: Collection[Channel],
    span: tuple[float, float],
    kept: Iterable[float] = (),
) -> Verb:
    """A clip split into a base with few keys and an additive layer with the rest of the motion.

    Parameters
    ----------
    channels : which are split; a rotation goes as a whole
    span : seconds in which they are
    kept : times of the keys that the base keeps, beside the ends of `span`
    """
    rig = project.get(Rig, clip.rig)
    wanted = _whole_turns(clip, channels)
    start, end = max(span[0], 0.0), min(span[1], clip.length)
    if not wanted or end - start < TIME_EPSILON:
        raise ValidationError("split: expected channels with keys, and a range within the clip")
    _refuse_source(clip)
    loop = clip.length if clip.looping and clip.length > 0.0 else None
    inside = sorted({start, end, *(time for time in kept if start < time < end)})
    left: dict[Channel, Track | None] = {}
    for channel in counted(wanted):
        cut = _with_keys_at(clip.tracks[channel], inside, loop)
        edges = [time for time in (start, end) if TIME_EPSILON < time < clip.length - TIME_EPSILON]
        cut = _frozen(cut, edges)
        gone = [
            key for key, time in enumerate(cut.times)
            if start + TIME_EPSILON < time < end - TIME_EPSILON
            and min(abs(time - other) for other in inside) > TIME_EPSILON
        ]  # fmt: skip
        left[channel] = edits.delete_keys(cast(Any, cut), gone, loop)
    base = clip.with_tracks(left)
    times = bake_times(clip, None, {})
    times = times[(times > start - TIME_EPSILON) & (times < end + TIME_EPSILON)]
    times = np.unique(np.concatenate(([start, end], times)))
    times = times[np.concatenate(([True], np.diff(times) > TIME_EPSILON))]
    before, after = (ClipPipeline(rig, each).tracks.sample_many(times, wrap=False) for each in (clip, base))
    held = _as_difference(rig, before.local, after.local)
    made = replace(
        _layer_clip(project, rig, clip, "delta"),
        tracks=_baked(rig, clip, times, held, changed_bones(after.local, before.local)),
        additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST),
    )
    layer = ClipLayer(made.name, made.id, LayerMode.ADDITIVE, own=True)
    stack = _with_lowest(project, clip, layer)
    return _checked(project, clip, Verb((base, made, stack), (), stack), times, "split")


# ---------------------------------------------------------------- parts


def _stack(project: Project, clip: Clip) -> LayerStack:
    stack = stack_of(project, clip.id)
    if stack is None:
        raise ValidationError(f"clip {clip.name!r} has no layers")
    return stack


def _poses(
    project: Project,
    clip: Clip,
    stack: LayerStack,
    clips: Mapping[AssetId, Clip],
    count: int,
    times: FloatArray,
) -> Any:
    """Poses of a clip with the lowest so many of its layers, as far as these count in the whole stack."""
    checkpoint()
    heard = [layer for layer in stack.layers[:count] if any(layer is active for active in stack.active())]
    rig = project.get(Rig, clip.rig)
    part = replace(stack, layers=tuple(replace(layer, solo=False) for layer in heard))
    meshes = project.meshes_of(rig.id)
    below = ClipPipeline(rig, clip, meshes).tracks.sample_many(times, wrap=False)
    return StackPlayer(rig, part, clips, meshes).over(below, times, clip.length) if heard else below


def _checked(project: Project, clip: Clip, result: Verb, times: FloatArray, verb: str) -> Verb:
    """The result with its largest change of what is shown at times; raises where that is more than rounding.

    Raises
    ------
    ValidationError
        What is shown would change.
    """
    gone = unused_own(project, clip, result.stack)
    result = result._replace(gone=tuple(dict.fromkeys((*result.gone, *gone))))
    after = result.put_into(project)
    checkpoint()
    old = ClipPipeline.of(project, clip).sample_many(times)
    new = ClipPipeline.of(after, after.get(Clip, clip.id)).sample_many(times)
    moved = float(np.abs(old.translations - new.translations).max(initial=0.0))
    turned = float(quat.angle_between(old.rotations, new.rotations).max(initial=0.0))
    grown = float(np.abs(old.scales - new.scales).max(initial=0.0))
    curves = [
        float(np.abs(one.get(name, 0.0) - other.get(name, 0.0)).max())
        for one, other in ((old.curves, new.curves), (old.morphs, new.morphs))
        for name in {**one, **other}
    ]
    change = max(moved, turned, grown, *curves, 0.0)
    if change > SAME:
        raise ValidationError(
            f"{verb}: what is shown would change by {change:.3g}; merge all layers into the clip instead"
        )
    return result._replace(change=change)


def unused_own(project: Project, clip: Clip, left: LayerStack | None) -> tuple[AssetId, ...]:
    """Clips made for layers of a clip that are no longer there, as far as nothing else names them."""
    stack = stack_of(project, clip.id)
    if stack is None:
        return ()
    kept = {layer.clip for layer in left.layers} if left is not None else set()
    own = dict.fromkeys(layer.clip for layer in stack.layers if layer.own and layer.clip not in kept)
    return tuple(
        id
        for id in own
        if id in project.assets and all(user.id == stack.id for user in project.references(id))
    )


def _is_local_additive(clip: Clip, layer: ClipLayer) -> bool:
    space = clip.additive.space if clip.additive is not None else AdditiveSpace.LOCAL
    return layer.mode is LayerMode.ADDITIVE and space is AdditiveSpace.LOCAL


def _as_difference(rig: Rig, own: Transform, base: Transform) -> Transform:
    """The local transforms of an additive clip over the rest pose that turn `base` into `own`."""
    rest = rig.skeleton.rest
    turned = quat.multiply(quat.multiply(own.rotation, quat.conjugate(base.rotation)), rest.rotation)
    still = base.scale == 0.0
    ratio = np.where(still, 1.0, own.scale / np.where(still, 1.0, base.scale))
    return Transform(
        rest.translation + own.translation - base.translation, quat.normalise(turned), rest.scale * ratio
    )


def _baked(
    rig: Rig, clip: Clip, times: FloatArray, local: Transform, changed: Mapping[Property, list[int]]
) -> dict[Channel, Track]:
    """A key at each time on the bones that change; angles where the clip has angles."""
    tracks: dict[Channel, Track] = {}
    whole = sum(channel.axis == WHOLE for channel in clip.tracks)
    angles = sum(c.property is Property.ROTATE and c.axis != WHOLE for c in clip.tracks)
    style = BakeStyle(euler_angles=angles >= whole)
    for prop, bones in changed.items():
        if bones:
            tracks |= bake(
                rig.skeleton, times, local, bones=bones, properties=(prop,), rest_tolerance=None, style=style
            )
    return tracks


def _nonzero(times: FloatArray, values: Mapping[str, FloatArray]) -> dict[str, ScalarTrack]:
    return {
        name: scalar_track(times, column, interpolations=Interpolation.LINEAR)
        for name, column in values.items()
        if np.abs(column).max(initial=0.0) > 1e-9
    }


def _whole_turns(clip: Clip, channels: Iterable[Channel]) -> list[Channel]:
    """The channels that have keys, each rotation with all its axes."""
    turned = {channel.bone for channel in channels if channel.property is Property.ROTATE}
    asked = set(channels)
    return [
        channel
        for channel in clip.tracks
        if channel in asked or (channel.property is Property.ROTATE and channel.bone in turned)
    ]


def _refuse_source(clip: Clip) -> None:
    if clip.retarget_source is not None:
        raise ValidationError(f"{clip.name!r} was made on other proportions: bake it to the rig's first")


def _with_keys_at(track: Track, times: Iterable[float], loop: float | None) -> Track:
    for time in times:
        track = edits.insert_key(cast(Any, track), time, loop)
    return track


def _between(track: Track, start: float, end: float) -> Track:
    """The keys of a track from one time to another, as they are."""
    inside = np.flatnonzero((track.times > start - TIME_EPSILON) & (track.times < end + TIME_EPSILON))
    return cast(Track, taken(cast(Any, track), inside))


def _frozen(track: Track, times: Iterable[float]) -> Track:
    """The track with the slopes of some keys kept as they are, whatever becomes of their neighbours."""
    if not isinstance(track, ScalarTrack):
        return track
    modes = np.array(track.modes)
    for time in times:
        key = edits.key_at(track, time)
        if key is not None and modes[key] != TangentMode.STEPPED:
            modes[key] = TangentMode.BROKEN
    return replace(track, modes=modes)


def _emptied(track: Track, start: float, end: float, chosen: Collection[float] | None) -> Track:
    """The track without keys between two times: all, or those at chosen times. No slope is computed again."""
    inside = (track.times > start + TIME_EPSILON) & (track.times < end - TIME_EPSILON)
    if chosen is not None:
        near = np.zeros(len(track), dtype=bool)
        for time in chosen:
            near |= np.abs(track.times - time) < TIME_EPSILON
        inside &= near
    return cast(Track, taken(cast(Any, track), np.flatnonzero(~inside))) if inside.any() else track


def _window(start: float, end: float, length: float) -> ScalarTrack:
    """A weight that is 1 from `start` until just before `end`, where the clip itself is the same, and 0 outside."""
    keys = [(0.0, 0.0)] if start > TIME_EPSILON else []
    keys.append((start if start > TIME_EPSILON else 0.0, 1.0))
    if end < length - TIME_EPSILON:
        keys.append((end, 0.0))
    times, values = (np.array(column) for column in zip(*keys, strict=True))
    return scalar_track(times, values, interpolations=Interpolation.CONSTANT, modes=TangentMode.STEPPED)


def _layer_clip(project: Project, rig: Rig, clip: Clip, what: str) -> Clip:
    name = unique_name(f"{clip.name} {what}", [other.name for other in project.clips_of(rig.id)])
    return replace(new_clip(rig, name, clip.length, clip.rate), looping=clip.looping)


def _with_lowest(project: Project, clip: Clip, layer: ClipLayer) -> LayerStack:
    """The clip's layers with a new one right above the clip, which counts even where others are solo."""
    stack = stack_of(project, clip.id)
    if stack is None:
        stack = LayerStack(new_id("layers"), f"Layers of {clip.name}", clip.rig, clip.id)
    name = unique_name(layer.name, [other.name for other in stack.layers])
    solo = any(other.solo for other in stack.layers)
    return replace(stack, layers=(replace(layer, name=name, solo=solo), *stack.layers))


def _dense(clip: Clip) -> FloatArray:
    """Times between frames as well: four a frame, and every key."""
    times = bake_times(clip, None, {})
    return np.unique(np.concatenate((times, np.linspace(0.0, clip.length, 4 * max(int(clip.frames), 1) + 1))))
