"""What a simulation made of some bones, as a layer over the clip: override or additive, with weights that blend in."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack
from core.clips.bake import bake
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.edits import new_clip, unique_name
from core.clips.reduce import reduce_clip
from core.errors import ValidationError
from core.evaluation.clip_pipeline import ClipPipeline, stack_of
from core.ids import new_id
from core.math import quat
from core.math.transform import Transform
from core.physics.parts import plan_of, scene_of
from core.physics.simulated import Simulated, SimulationSetup, simulate
from core.progress import Progress, nothing
from core.project.project import Asset, Project
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks.keys import Interpolation, ScalarTrack, Track, scalar_track


@dataclass(frozen=True, slots=True)
class LayerSetup:
    """How a simulation becomes a layer.

    Parameters
    ----------
    name : of the layer, its clip and its mask
    mode : override replaces the bones' motion, additive adds the difference, so that later edits of the clip below
        show through
    blend_in, blend_out : seconds at the ends of the range over which the layer comes and goes
    tolerance : metres that reducing its keys may move any point of the body; 0 keeps a key a frame
    """

    name: str
    mode: LayerMode = LayerMode.OVERRIDE
    blend_in: float = 0.0
    blend_out: float = 0.0
    tolerance: float = 0.0005

    def __post_init__(self) -> None:
        if not self.name:
            raise ValidationError("simulated layer: expected a name")
        values = (self.blend_in, self.blend_out, self.tolerance)
        if not np.isfinite(values).all() or min(values) < 0.0:
            raise ValidationError("simulated layer: blend times and tolerance are 0 or more")


class MadeLayer(NamedTuple):
    """The assets of a layer, to be put into the project together, the keys it has after reducing, every frame."""

    assets: tuple[Asset, ...]
    clip: Clip
    stack: LayerStack
    keys: int
    simulated: Simulated


def weight_curve(clip: Clip, simulated: Simulated, setup: LayerSetup) -> ScalarTrack | None:
    """The layer's weight over the clip: 0 outside the range, 1 inside; None where it is 1 everywhere."""
    start, end = float(simulated.times[0]), float(simulated.times[-1])
    frame = clip.rate.to_seconds(1)
    room = end - start
    into, out = min(setup.blend_in, room), min(setup.blend_out, room)
    if into + out > room:
        into, out = (room * part / (into + out) for part in (into, out))
    keys: list[tuple[float, float]] = []
    if into > TIME_EPSILON:
        keys += [(start, 0.0), (start + into, 1.0)]
    elif start > TIME_EPSILON:
        keys += [(max(start - frame, 0.0), 0.0), (start, 1.0)]
    if out > TIME_EPSILON:
        keys += [(end - out, 1.0), (end, 0.0)]
    elif end < clip.length - TIME_EPSILON:
        keys += [(end, 1.0), (min(end + frame, clip.length), 0.0)]
    if not keys:
        return None
    times, values = [keys[0][0]], [keys[0][1]]
    for time, value in keys[1:]:
        if time - times[-1] > TIME_EPSILON:
            times.append(time)
            values.append(value)
    return scalar_track(np.array(times), np.array(values), interpolations=Interpolation.LINEAR)


def simulated_layer(
    project: Project,
    clip: Clip,
    below: Transform,
    simulated: Simulated,
    setup: LayerSetup,
    progress: Progress | None = None,
) -> MadeLayer:
    """A new layer over a clip with what a simulation made.

    Parameters
    ----------
    below : local transforms ``(F, B, k)`` of the clip with its layers at the simulation's times
    project : what the clip belongs to: its rig, meshes and layers

    Raises
    ------
    Cancelled
        From `progress`.
    """
    rig, stack = project.get(Rig, clip.rig), stack_of(project, clip.id)
    # an override layer of a few bones has no model rotations of its own
    additive = setup.mode is LayerMode.ADDITIVE or (stack is not None and stack.model_rotations)
    rest = rig.skeleton.rest
    local = simulated.local
    if additive:
        turned = quat.multiply(local.rotation, quat.conjugate(below.rotation))
        local = Transform(
            rest.translation + local.translation - below.translation,
            quat.normalise(quat.multiply(turned, rest.rotation)),
            np.broadcast_to(rest.scale, local.scale.shape),
        )
    tracks: dict[Channel, Track] = dict(
        bake(
            rig.skeleton, simulated.times, local, bones=simulated.bones, properties=(Property.ROTATE,),
            rest_tolerance=None,
        )
    )  # fmt: skip
    if simulated.free:
        tracks |= bake(
            rig.skeleton, simulated.times, local, bones=simulated.free, properties=(Property.TRANSLATE,),
            rest_tolerance=None,
        )  # fmt: skip
    name = unique_name(setup.name, [other.name for other in project.clips_of(rig.id)])
    made = replace(new_clip(rig, name, clip.length, clip.rate), looping=clip.looping, tracks=tracks)
    if additive:
        made = replace(made, additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.REST))
    if setup.tolerance > 0.0:
        made = reduce_clip(
            rig, made, setup.tolerance, project.meshes_of(rig.id), progress=progress or nothing()
        ).clip
    assets: list[Asset] = []
    mask = None
    if not additive:
        mask = unique_name(setup.name, list(rig.masks))
        bones = dict.fromkeys((rig.skeleton.names[bone] for bone in simulated.bones), 1.0)
        assets.append(replace(rig, masks={**rig.masks, mask: bones}))
    if stack is None:
        stack = LayerStack(new_id("layers"), f"Layers of {clip.name}", rig.id, clip.id)
    layer = ClipLayer(
        unique_name(setup.name, [layer.name for layer in stack.layers]), made.id,
        LayerMode.ADDITIVE if additive else LayerMode.OVERRIDE,
        curve=weight_curve(clip, simulated, setup), mask=mask,
    )  # fmt: skip
    grown = replace(stack, layers=(*stack.layers, layer))
    keys = sum(len(track) for track in made.tracks.values())
    return MadeLayer((*assets, made, grown), made, grown, keys, simulated)


def blended(below: Transform, simulated: Simulated, weights: FloatArray) -> Transform:
    """The simulated pose over the clip's by weights ``(F,)``, as the layer will show it."""
    rows = np.broadcast_to(weights[:, None], simulated.local.rotation.shape[:-1])
    rotation = quat.slerp(below.rotation, simulated.local.rotation, rows)
    column = weights[:, None, None]
    translation = below.translation + column * (simulated.local.translation - below.translation)
    return Transform(translation, rotation, below.scale)


def simulate_to_layer(
    project: Project,
    clip: Clip,
    bones: Collection[str],
    simulation: SimulationSetup,
    layer: LayerSetup,
    progress: Progress | None = None,
) -> MadeLayer:
    """Simulate bones of a clip, with all below them, and make a layer of it.

    Raises
    ------
    UnsupportedError, ValidationError, MissingReferenceError, AnimError, Cancelled
        As `core.physics.simulated.simulate` and `core.physics.parts.scene_of`.
    """
    rig, tell = project.get(Rig, clip.rig), progress or nothing()
    meshes = project.meshes_of(rig.id)
    scene = scene_of(rig, plan_of(rig, meshes), bones, meshes)
    pipeline = ClipPipeline.of(project, clip)
    loop = clip.length if clip.looping else None
    found = simulate(
        rig,
        scene,
        simulation,
        lambda times: pipeline.sample_many(times).local,
        clip.rate,
        loop,
        tell.part(0.0, 0.6),
    )
    below = pipeline.sample_many(found.times).local
    return simulated_layer(project, clip, below, found, layer, tell.part(0.6, 1.0))
