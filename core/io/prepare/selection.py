"""Which rig and clips of a project a writer writes."""

from core.clips.clip import Clip
from core.errors import ValidationError
from core.ids import AssetId
from core.io.common.options import SceneWriteOptions
from core.io.report import ExportReport
from core.project.project import Project
from core.rig.rig import Rig


def chosen_rig(project: Project, wanted: AssetId | None) -> Rig:
    """The rig of that id, else the project's first.

    Raises
    ------
    ValidationError
        The project holds no rig.
    """
    if not project.rigs:
        raise ValidationError("there is no rig to write")
    return project.get(Rig, wanted) if wanted else project.rigs[0]


def chosen_clips(project: Project, rig: Rig, wanted: tuple[AssetId, ...] | None) -> tuple[Clip, ...]:
    """The clips of those ids, else all of the rig's."""
    if wanted is None:
        return project.clips_of(rig.id)
    return tuple(project.get(Clip, clip) for clip in wanted)


def only_rig(project: Project, wanted: AssetId | None, report: ExportReport) -> Rig:
    """The rig for a file that holds one; others are reported as left out.

    Raises
    ------
    ValidationError
        The project holds no rig, or the rig no bone.
    """
    rig = chosen_rig(project, wanted)
    for other in project.rigs:
        if other is not rig:
            report.leave_out(f"rig {other.name!r}: one file holds one")
    if not len(rig.skeleton):
        raise ValidationError(f"rig {rig.name!r} has no bone to write")
    return rig


def written_rigs(project: Project, options: SceneWriteOptions, report: ExportReport) -> tuple[Rig, ...]:
    """The rigs for a file that can hold several; one alone unless the options say otherwise.

    Raises
    ------
    ValidationError
        The project holds no rig, or a rig no bone.
    """
    if not (options.together and project.rigs):
        return (only_rig(project, options.rig, report),)
    return tuple(only_rig(of_rig(project, rig.id), rig.id, report) for rig in project.rigs)


def written_clips(project: Project, rig: Rig, options: SceneWriteOptions) -> tuple[Clip, ...]:
    """The clips of a rig that the options choose."""
    if options.together and options.clips is not None:
        return tuple(clip for clip in project.clips_of(rig.id) if clip.id in options.clips)
    return chosen_clips(project, rig, options.clips)


def of_rig(project: Project, rig: AssetId) -> Project:
    """The project with that rig and what belongs to it alone."""
    others = {other.id for other in project.rigs if other.id != rig}
    gone = (a.id for a in project.assets.values() if a.id in others or getattr(a, "rig", None) in others)
    return project.without(*gone)
