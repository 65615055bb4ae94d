"""Clips that keyed IK goals drive, for formats that know no goals."""

from core.ik import bake, keyed
from core.progress import Progress
from core.project.project import Project


def without_goals(project: Project, progress: Progress | None = None) -> Project:
    """The project with every clip that goals drive baked to keys on its bones; else the same object.

    Keys stand on every frame, so that nothing is lost before a format's own fitting.
    """
    rigs = {rig.id: rig for rig in project.rigs}
    changed = [
        bake.baked(rigs[clip.rig], clip, metres=None, progress=progress).clip
        for clip in project.clips
        if clip.rig in rigs and keyed.driving(rigs[clip.rig], clip.curves)
    ]
    return project.with_assets(*changed) if changed else project
