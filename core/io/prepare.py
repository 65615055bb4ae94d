"""What is done to a project before a format writes it: choosing clips, root motion, fewer keys, units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.clips import root_motion
from core.clips.bake import bake
from core.clips.clip import WHOLE, Channel, Clip, Property, RootMotion
from core.clips.evaluator import ClipEvaluator, rest_degrees
from core.clips.reduce import reduce_clip
from core.errors import ValidationError
from core.ids import AssetId
from core.io.chosen import chosen_clips, chosen_rig
from core.io.driven import without_goals
from core.io.folded import folded_scale
from core.io.layered import without_layers
from core.io.naming import unique_names
from core.math import quat, transform
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import chain_matrices
from core.progress import Progress, nothing
from core.project.project import Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import scalar_track


class Keys(StrEnum):
    """Which keys are written: the clip's own, one on each frame, as few as a distance allows, or cubic ones.

    Cubic keys are exact where tracks are; Euler angles and weighted tangents are fitted by them.
    """

    OWN = "own"
    FRAMES = "frames"
    REDUCED = "reduced"
    CUBIC = "cubic"


class Root(StrEnum):
    """Where root motion goes: it stays in the pose, is dropped, or moves a bone of its own above all."""

    KEEP = "keep"
    IN_PLACE = "in place"
    EXTRACTED = "extracted"


class Rest(StrEnum):
    """Which pose the skeleton rests in: its own, or the one in which the meshes were bound."""

    NODES = "nodes"
    SKIN = "skin"


class RestScale(StrEnum):
    """What becomes of scale in the rest pose: it stays, or goes into offsets and meshes (`core.io.folded`)."""

    KEEP = "keep"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Prepare:
    """What to do.

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which of its clips; None is all
    keys : own keys, one on each frame, or reduced by up to `millimetres`
    root : what becomes of root motion; the clip's own settings tell which parts of it
    rest, scale : see `Rest`, `RestScale`
    root_name : of the bone that `Root.EXTRACTED` makes
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    keys: Keys = Keys.OWN
    millimetres: float = 1.0
    root: Root = Root.KEEP
    rest: Rest = Rest.NODES
    root_name: str = "root_motion"
    scale: RestScale = RestScale.KEEP

    def __post_init__(self) -> None:
        if not 0.0 < self.millimetres < 1e4:
            raise ValidationError(f"reduction: expected a distance above 0 mm, got {self.millimetres}")


def prepared(project: Project, settings: Prepare, progress: Progress | None = None) -> Project:
    """The project with one rig and the chosen clips, ready to be written.

    Raises
    ------
    ValidationError
        The project holds no rig, or the meshes were bound in poses that disagree.
    """
    tell = progress or nothing()
    project = _as_seen(project, settings, tell)
    rig = chosen_rig(project, settings.rig)
    clips = chosen_clips(project, rig, settings.clips)
    meshes = project.meshes_of(rig.id)
    if settings.rest is Rest.SKIN:
        bound = _bound_rest(rig, project)
        clips = tuple(_pinned(clip, rig.skeleton, bound.skeleton) for clip in clips)
        rig = bound
    if settings.scale is RestScale.FOLDED:
        rig, clips, meshes = folded_scale(rig, clips, meshes)
    if settings.root is not Root.KEEP:
        clips, rig = _root(clips, rig, settings)
    done = []
    for number, clip in enumerate(clips):
        part = tell.part(number / len(clips), (number + 1) / len(clips))
        part.report(0.0, f"preparing {clip.name}")
        if settings.keys is Keys.FRAMES:
            clip = _framed(rig, clip)
        elif settings.keys is Keys.REDUCED:
            clip = reduce_clip(rig, clip, settings.millimetres / 1000.0, meshes, progress=part).clip
        done.append(clip)
    return Project(settings=project.settings).with_assets(rig, *meshes, *done)


def _as_seen(project: Project, settings: Prepare, progress: Progress) -> Project:
    """The project with layers and IK goals baked into the chosen clips: what follows knows neither."""
    project = without_layers(project, progress)
    rig = chosen_rig(project, settings.rig)
    wanted = {clip.id for clip in chosen_clips(project, rig, settings.clips)}
    return without_goals(project.without(*(c.id for c in project.clips if c.id not in wanted)), progress)


def frames_of(clip: Clip) -> FloatArray:
    """Times of the frames, the last one at the clip's end."""
    frames = np.arange(int(np.ceil(clip.length * clip.rate.fps))) / clip.rate.fps
    return np.append(frames[frames < clip.length - 1e-4], clip.length)


def _framed(rig: Rig, clip: Clip) -> Clip:
    times = frames_of(clip)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    kept = {c: t for c, t in clip.tracks.items() if rig.skeleton.find(c.bone) is None}
    return replace(clip, tracks={**kept, **bake(rig.skeleton, times, local)})


# ---------------------------------------------------------------- root motion


def _root(clips: Sequence[Clip], rig: Rig, settings: Prepare) -> tuple[tuple[Clip, ...], Rig]:
    made = [_taken_out(rig, clip) for clip in clips]
    if settings.root is Root.IN_PLACE:
        return tuple(clip for clip, _ in made), rig
    above = unique_names([*rig.skeleton.names, settings.root_name])[-1]
    skeleton = rig.skeleton
    parents = np.concatenate(([-1], np.where(skeleton.parents < 0, 0, skeleton.parents + 1)))
    rest = Transform(
        np.concatenate((np.zeros((1, 3)), skeleton.rest.translation)),
        np.concatenate((quat.IDENTITY[None], skeleton.rest.rotation)),
        np.concatenate((np.ones((1, 3)), skeleton.rest.scale)),
    )
    orders = np.concatenate(([0], skeleton.euler_orders)).astype(np.uint8)
    higher = replace(rig, skeleton=Skeleton((above, *skeleton.names), parents, rest, orders))
    moved = []
    for clip, path in made:
        one = Transform(*(part[:, None] for part in path.motion))
        tracks = bake(Skeleton((above,), np.array([-1]), Transform(*(p[:1] for p in rest))), path.times, one)
        moved.append(replace(clip, tracks={**tracks, **clip.tracks}, root_motion=RootMotion(True, above)))
    return tuple(moved), higher


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    times: FloatArray
    motion: Transform


def _taken_out(rig: Rig, clip: Clip) -> tuple[Clip, _Path]:
    """The clip with its root standing, and the way the character went."""
    enabled = replace(clip, root_motion=replace(clip.root_motion, enabled=True))
    evaluator = ClipEvaluator(rig, enabled)
    keys = [track.times for track in clip.tracks.values()]
    times = np.unique(np.clip(np.concatenate((frames_of(clip), *keys)), 0.0, clip.length))
    times = times[np.concatenate((np.diff(times) > 1e-5, [True]))]
    local = evaluator.sample_many(times, wrap=False).local
    stays = root_motion.without_root(evaluator, local)
    anchor = root_motion.pose_anchor(evaluator)
    part = root_motion.root_at(evaluator, times)
    motion = transform.compose(part, transform.inverse(anchor))
    bone = root_motion.root_bone(rig.skeleton, enabled.root_motion)
    if bone is None:
        return clip, _Path(times, motion)
    name = rig.skeleton.names[bone]
    tracks = {c: t for c, t in clip.tracks.items() if c.bone != name or c.property is Property.SCALE}
    tracks |= bake(
        rig.skeleton, times, stays, bones=[bone], properties=(Property.TRANSLATE, Property.ROTATE),
        rest_tolerance=0.0,
    )  # fmt: skip
    return replace(clip, tracks=tracks, root_motion=replace(clip.root_motion, enabled=False)), _Path(
        times, motion
    )


# ---------------------------------------------------------------- rest pose


def _bound_rest(rig: Rig, project: Project) -> Rig:
    """The rig resting as its meshes were bound; bones that no mesh uses keep their local transforms."""
    skeleton = rig.skeleton
    bound: dict[int, FloatArray] = {}
    for mesh in project.meshes_of(rig.id):
        if len(mesh.joints) < 2:
            continue  # hangs on one bone: it tells nothing
        for joint in np.unique(mesh.influences[mesh.weights > 0.0]):
            bone = skeleton.index(mesh.joints[joint])
            matrix = np.linalg.pinv(mesh.inverse_bind[joint])
            if bone in bound and np.abs(bound[bone] - matrix).max() > 1e-3 * max(
                1.0, float(np.abs(matrix).max())
            ):
                raise ValidationError(
                    f"bone {skeleton.names[bone]!r}: meshes were bound to it in different poses"
                )
            bound.setdefault(bone, matrix)
    local = transform.to_matrix(skeleton.rest)
    model = chain_matrices(skeleton.parents, local)
    made = np.array(model)
    for bone, parent in enumerate(skeleton.parents):
        above = made[parent] if parent >= 0 else np.eye(4)
        made[bone] = bound.get(bone, above @ local[bone])
        local[bone] = np.linalg.solve(above, made[bone])
    split = from_matrix(local)
    return replace(
        rig,
        skeleton=Skeleton(skeleton.names, skeleton.parents, split, skeleton.euler_orders, skeleton.sources),
    )


def _pinned(clip: Clip, old: Skeleton, new: Skeleton) -> Clip:
    """The clip with a key wherever it relied on a rest pose that has changed."""
    local = Transform(*(np.array(part)[None] for part in old.rest))
    still = bake(new, np.zeros(1), local, rest_tolerance=1e-9)
    tracks = dict(clip.tracks)
    for channel, track in still.items():
        axes = range(3) if channel.property is Property.ROTATE else (channel.axis,)
        driven = any(Channel(channel.bone, channel.property, axis) in clip.tracks for axis in (*axes, WHOLE))
        if not driven:
            tracks[channel] = track
        elif channel.property is Property.ROTATE and clip.rotation(channel.bone) is None:
            degrees = rest_degrees(old, old.index(channel.bone))
            for axis in range(3):  # Euler axes without a track relied on it, too
                own = Channel(channel.bone, Property.ROTATE, axis)
                tracks.setdefault(own, scalar_track([0.0], [float(degrees[axis])]))
    return replace(clip, tracks=tracks)
