"""What is done to a project before a format writes it: choosing clips, root motion, fewer keys, units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray
from core.clips import root_motion
from core.clips.bake import bake
from core.clips.clip import Clip, Property, RootMotion
from core.clips.evaluator import ClipEvaluator
from core.clips.proportions import baked_proportions
from core.clips.reduce import reduce_clip
from core.errors import ValidationError
from core.ids import AssetId
from core.io.chosen import chosen_clips, chosen_rig
from core.io.compare import frames_of
from core.io.cubic import cubic_clip
from core.io.folded import folded_scale
from core.io.one_root import bone_above, with_one_root
from core.io.rest_pose import bound_rest, pinned
from core.io.resting import keyed_alike
from core.io.seen import as_seen
from core.math import transform
from core.math.transform import Transform
from core.progress import Progress, nothing
from core.project.project import Asset, Project
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.places import KeyPlaces


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
    keys : see `Keys`
    millimetres : by how much `Keys.REDUCED` may move any point
    root : what becomes of root motion; the clip's own settings tell which parts of it
    rest : see `Rest`
    scale : see `RestScale`; None is what the format's programs need: folded in FBX and USD, kept elsewhere
    one_root : whether a skeleton of several roots gets a bone above them
    root_name : of the bone that `Root.EXTRACTED` makes
    degrees : by how much `Keys.CUBIC` may turn a bone where it has to fit
    metres_per_unit, up_axis : of the file; None is what the format's own settings say
    rigs : several rigs for one file, with all their clips, in place of `rig` and `clips`
    places : where `Keys.REDUCED` may put keys
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    keys: Keys = Keys.OWN
    millimetres: float = 1.0
    root: Root = Root.KEEP
    rest: Rest = Rest.NODES
    root_name: str = "root_motion"
    scale: RestScale | None = None
    one_root: bool = False
    degrees: float = 0.01
    metres_per_unit: float | None = None
    up_axis: str | None = None
    rigs: tuple[AssetId, ...] = ()
    places: KeyPlaces = KeyPlaces.OWN

    def __post_init__(self) -> None:
        if not 0.0 < self.millimetres < 1e4:
            raise ValidationError(f"reduction: expected a distance above 0 mm, got {self.millimetres}")
        if not 1e-5 <= self.degrees <= 90.0:
            raise ValidationError(f"cubic keys: expected an angle of 0.00001° to 90°, got {self.degrees}")


def prepared(
    project: Project,
    settings: Prepare,
    progress: Progress | None = None,
    notes: list[str] | None = None,
    angles: bool = False,
) -> Project:
    """The project with the chosen rigs and clips alone, ready to be written.

    Parameters
    ----------
    notes : told what fitting and reducing cost
    angles : whether the format has Euler angles, so that cubic keys of them need no fitting

    Raises
    ------
    ValidationError
        The project holds no rig, or the meshes were bound in poses that disagree.
    """
    tell = progress or nothing()
    told = [] if notes is None else notes
    rigs = settings.rigs or (chosen_rig(project, settings.rig).id,)
    ready = Project(settings=project.settings)
    for number, rig in enumerate(rigs):
        part = tell.part(number / len(rigs), (number + 1) / len(rigs))
        one = replace(settings, rig=rig, clips=None if settings.rigs else settings.clips)
        clips = {clip.id for clip in chosen_clips(project, chosen_rig(project, rig), one.clips)}
        seen = as_seen(project, clips, part, told)  # what follows knows neither layers nor goals nor poses
        ready = ready.with_assets(*_character(seen, one, part, told, angles))
    return ready


def _character(
    project: Project, settings: Prepare, tell: Progress, notes: list[str], angles: bool
) -> list[Asset]:
    """One rig with its meshes and chosen clips."""
    rig = chosen_rig(project, settings.rig)
    clips = tuple(baked_proportions(rig, clip) for clip in chosen_clips(project, rig, settings.clips))
    meshes = project.meshes_of(rig.id)
    if settings.rest is Rest.SKIN:
        bound = bound_rest(rig, project)
        clips = tuple(pinned(clip, rig.skeleton, bound.skeleton) for clip in clips)
        rig = bound
    if settings.scale is RestScale.FOLDED:
        rig, clips, meshes = folded_scale(rig, clips, meshes)
    if settings.root is not Root.KEEP:
        clips, rig = _root(clips, rig, settings)
    if settings.one_root:
        rig, clips = with_one_root(rig, clips)
    done = []
    for number, clip in enumerate(clips):
        part = tell.part(number / len(clips), (number + 1) / len(clips))
        part.report(0.0, f"preparing {clip.name}")
        if settings.keys is Keys.FRAMES:
            clip = _framed(rig, clip)
        elif settings.keys is Keys.REDUCED:
            metres = settings.millimetres / 1000.0
            found = reduce_clip(rig, clip, metres, meshes, progress=part, places=settings.places)
            clip = found.clip
            notes.append(
                f"clip {clip.name!r}: {found.after} of {found.before} keys, off by at most "
                f"{found.metres * 1000.0:.3g} mm ({found.bone}, {found.time:.3g} s)"
            )
        elif settings.keys is Keys.CUBIC:
            cubic = cubic_clip(rig, clip, settings.degrees, angles)
            clip = cubic.clip
            if cubic.fitted:
                notes.append(f"{cubic.fitted} channels fitted with cubic keys; {cubic.check.to_text()}")
        done.append(clip)
    if settings.keys is Keys.FRAMES:
        done = list(keyed_alike(rig.skeleton, done))
    return [rig, *meshes, *done]


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
    higher = bone_above(rig, settings.root_name)
    above = higher.skeleton.names[:1]
    still = Skeleton(above, np.array([-1]), Transform(*(part[:1] for part in higher.skeleton.rest)))
    moved = []
    for clip, path in made:
        one = Transform(*(part[:, None] for part in path.motion))
        tracks = bake(still, path.times, one)
        moved.append(replace(clip, tracks={**tracks, **clip.tracks}, root_motion=RootMotion(True, above[0])))
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
