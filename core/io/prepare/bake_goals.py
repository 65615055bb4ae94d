"""Clips that keyed IK goals drive, or of another rest pose, for formats that know neither."""

from core.clips.proportions import baked_proportions
from core.ik import bake, keyed
from core.progress import Progress
from core.project.project import Project


def bake_goals(project: Project, progress: Progress | None = None) -> Project:
    """The project with every clip that goals drive baked to keys on its bones; else the same object.

    Keys are on every frame, so that nothing is lost before a format's own fitting. Clips of a
    retarget source become clips of the rig's own rest pose before.
    """
    rigs = {rig.id: rig for rig in project.rigs}
    foreign = [clip for clip in project.clips if clip.retarget_source is not None and clip.rig in rigs]
    if foreign:
        project = project.with_assets(*(baked_proportions(rigs[clip.rig], clip) for clip in foreign))
    changed = [
        bake.baked(rigs[clip.rig], clip, metres=None, progress=progress).clip
        for clip in project.clips
        if clip.rig in rigs and keyed.driving(rigs[clip.rig], clip.curves)
    ]
    return project.with_assets(*changed) if changed else project
