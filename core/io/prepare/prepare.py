"""What is done to a project before a format writes it: choosing clips, root motion, fewer keys, units."""

from dataclasses import replace

from core.clips.bake import bake
from core.clips.clip import Clip
from core.clips.evaluator import ClipEvaluator
from core.clips.proportions import baked_proportions
from core.clips.reduce import reduce_clip
from core.io.common.compare import frames_of
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.prepare.cubic import cubic_clip
from core.io.prepare.one_root import with_one_root
from core.io.prepare.rest_keys import keyed_alike
from core.io.prepare.rest_pose import bound_rest, pinned
from core.io.prepare.rest_scale import folded_scale
from core.io.prepare.root_motion import moved_root
from core.io.prepare.selection import chosen_clips, chosen_rig
from core.io.prepare.settings import Keys, Prepare, Rest, RestScale, Root
from core.io.prepare.with_props import with_props
from core.progress import Progress, nothing
from core.project.project import Asset, Project
from core.project.references import mended
from core.rig.rig import Rig
from core.shot.camera import ShotCamera
from core.shot.prop import Prop


def prepared(
    project: Project,
    settings: Prepare,
    progress: Progress | None = None,
    notes: list[str] | None = None,
    angles: bool = False,
    evaluated: bool = False,
    props: bool = False,
) -> Project:
    """The project with the chosen rigs and clips alone, ready to be written.

    Parameters
    ----------
    notes : receives the error of fitting and reducing
    angles : whether the format has Euler angles, so that cubic keys of them need no fitting
    evaluated : whether the clips hold all that is shown already (`bake_evaluated`)
    props : whether props become bones with meshes (`with_props`), so that what is done to bones is done to them

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
        # What follows knows neither layers nor goals nor pose assets.
        shown = project if evaluated else bake_evaluated(project, clips, part, told)
        shown = with_props(shown) if props else shown
        ready = ready.with_assets(*_character(shown, one, part, told, angles))
    ready = ready.with_assets(*project.all(ShotCamera))
    return mended(ready if props else ready.with_assets(*project.all(Prop))).project


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
        clips, rig = moved_root(clips, rig, settings)
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
