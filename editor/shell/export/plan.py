"""What an export will write, worked out before anything is written. Free of Qt."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.clips.clip import Clip
from core.clips.edits import trimmed, with_rate
from core.errors import AnimError
from core.ids import AssetId
from core.io.common.contents import is_unchanged
from core.io.common.naming import cut_at
from core.io.common.options import Curves
from core.io.format import Format, settings_in, writes_frames
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.prepare.settings import Keys, Prepare
from core.io.registry import files_beside
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from core.timing import TIME_EPSILON, FrameRate
from editor.model.i18n import tr
from editor.shell.export.choice import Choice, default_scale, writable

LONGEST = 200
"""Bytes of a name before its suffix: most file systems take 255 of the whole."""
FORBIDDEN = '<>:"/\\|?*'


@dataclass(frozen=True, slots=True)
class Target:
    """One file.

    Parameters
    ----------
    clips : those it holds
    beside : names of further files that are written with it
    """

    path: Path
    clips: tuple[Clip, ...]
    beside: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every file's name."""
        return (self.path.name, *self.beside)

    @property
    def replaces(self) -> tuple[Path, ...]:
        """Those of the files that exist and will have another content."""
        paths = [self.path.parent / name for name in self.names]
        return tuple(path for path in paths if os.path.lexists(path) and not is_unchanged(path))


@dataclass(frozen=True, slots=True)
class Plan:
    """An export.

    Parameters
    ----------
    project : where everything comes from
    span : seconds of the clips that are written; None is all of each
    targets : the files, in order
    problem : why it cannot be written, or ""
    """

    project: Project
    rig: Rig
    choice: Choice
    span: tuple[float, float] | None = None
    targets: tuple[Target, ...] = ()
    problem: str = ""

    @property
    def format(self) -> Format:
        """What the files are."""
        return self.choice.format

    @property
    def clips(self) -> tuple[Clip, ...]:
        """Every clip that is written."""
        return tuple(clip for target in self.targets for clip in target.clips)

    @property
    def replaces(self) -> tuple[Path, ...]:
        """Every file that exists and will be replaced, each once."""
        return tuple(dict.fromkeys(path for target in self.targets for path in target.replaces))

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The meshes that are written."""
        if not self.format.scene or not self.choice.meshes:
            return ()
        return tuple(mesh for rig in self.rigs for mesh in self.project.meshes_of(rig.id))

    def held(self, target: Target) -> Project:
        """What a file will hold, as far as names and numbers tell: nothing is baked or cut."""
        clips = [self._narrowed(clip, cut=False) for clip in target.clips]
        return Project().with_assets(*self.rigs, *self.meshes, *clips)

    @property
    def rigs(self) -> tuple[Rig, ...]:
        """The characters that are written."""
        several = self.choice.together and self.format.scene and not self.choice.each
        return self.project.rigs if several else (self.rig,)

    def prepare(self, target: Target) -> Prepare:
        """What is done before a file is written."""
        choice = self.choice
        framed = choice.keys is Keys.FRAMES and writes_frames(self.options())  # the writer does it
        own = Keys.OWN if framed else choice.keys
        return Prepare(
            rig=self.rig.id, clips=tuple(clip.id for clip in target.clips), keys=own,
            millimetres=choice.millimetres, root=choice.root, rest=choice.rest, scale=choice.scale,
            one_root=choice.one_root, rigs=tuple(rig.id for rig in self.rigs) if len(self.rigs) > 1 else (),
        )  # fmt: skip

    def options(self) -> Any:
        """What the format's writer is given."""
        options, choice = self.format.default_options(), self.choice
        wanted: dict[str, Any] = {"rig": self.rig.id, "meshes": choice.meshes, "embed": choice.embed}
        wanted |= {"space": choice.space, "together": len(self.rigs) > 1}
        wanted["curves"] = Curves.FRAMES if choice.keys is Keys.FRAMES else Curves.KEYS
        wanted |= {"metres_per_unit": choice.unit} if choice.unit is not None else {}
        wanted |= {"up_axis": choice.up} if choice.up is not None else {}
        held = settings_in(options)
        return (
            replace(options, **{name: value for name, value in wanted.items() if name in held})
            if held
            else options
        )

    def narrowed(self, progress: Progress | None = None, notes: list[str] | None = None) -> Project:
        """The project as it is written: all that is seen baked, clips cut to the span, without unwanted extras.

        Parameters
        ----------
        notes : told which clips have been given keys
        """
        project = bake_evaluated(self.project, {clip.id for clip in self.clips}, progress, notes)
        return project.with_assets(*(self._narrowed(clip) for clip in project.clips))

    def _narrowed(self, clip: Clip, cut: bool = True) -> Clip:
        if self.span is not None and cut:
            clip = trimmed(clip, *within(clip, self.span))
        if self.choice.rate is not None and cut:
            clip = with_rate(clip, FrameRate.of(self.choice.rate))
        if not self.choice.extras:
            clip = replace(clip, curves={}, notifies=(), markers=(), sync_markers=(), event_colors={})
        return clip


def within(clip: Clip, span: tuple[float, float]) -> tuple[float, float]:
    """The part of a span that a clip has.

    Raises
    ------
    AnimError
        None of it.
    """
    start, end = max(0.0, span[0]), min(clip.length, span[1])
    if end - start <= TIME_EPSILON:
        raise AnimError(tr("Clip {name} has nothing in that range: it ends before", name=clip.name))
    return start, end


def missing(format: Format) -> str:
    """Why a format cannot be written here, or ""."""
    if format.requires is None or format.requires.met:
        return ""
    return tr("{format} needs the extra '{extra}', which is not installed: pip install 'posewright[{extra}]'",
              format=format.short, extra=format.requires.extra)  # fmt: skip


def plan(
    project: Project,
    rig: AssetId,
    clips: Collection[AssetId],
    path: Path,
    choice: Choice | None = None,
    span: tuple[float, float] | None = None,
) -> Plan:
    """Work out what exporting to a path writes; the path's suffix tells the format, whatever was chosen."""
    suffix = path.suffix.lower()
    choice = replace(choice or Choice(scale=default_scale(suffix)), suffix=suffix)
    made = Plan(project, project.get(Rig, rig), choice, span)
    chosen = [clip for clip in project.clips_of(rig) if clip.id in clips]
    chosen += [clip for other in made.rigs if other.id != rig for clip in project.clips_of(other.id)]
    known = [suffix for found in writable() for suffix in found.write_suffixes]
    if choice.suffix not in known:
        return replace(made, problem=tr("The name must end in one of {known}", known=", ".join(known)))
    if missing(made.format):
        return replace(made, problem=missing(made.format))
    if not path.parent.is_dir():
        return replace(made, problem=tr("Folder not found: {folder}", folder=path.parent))
    if not chosen and (not made.format.scene or choice.each):
        return replace(made, problem=tr("Choose a clip: the file would be empty"))
    try:
        for clip in chosen:
            if span is not None:
                within(clip, span)
        targets = _targets(made, chosen, path)
        made.options()
    except AnimError as error:
        return replace(made, problem=str(error))
    return replace(made, targets=targets)


def _targets(made: Plan, clips: Sequence[Clip], path: Path) -> tuple[Target, ...]:
    single = made.format.one_clip and len(clips) > 1
    if not (made.choice.each or single):
        return (_target(made, path, clips),)
    pattern = made.choice.pattern.strip()
    if len(clips) > 1 and not ("{clip}" in pattern or "{number}" in pattern):
        raise AnimError(tr("The file names need {clip} or {number}, so that each file has its own name",
                           clip="{clip}", number="{number}"))  # fmt: skip
    taken: set[str] = set()
    made_targets = []
    for number, clip in enumerate(clips, 1):
        stem = _name(pattern, path.stem, clip, number, made.rig)
        unique, again = stem, 2
        while unique.lower() in taken:
            unique, again = f"{stem}_{again}", again + 1
        taken.add(unique.lower())
        made_targets.append(_target(made, path.with_name(unique + path.suffix), [clip]))
    return tuple(made_targets)


def _target(made: Plan, path: Path, clips: Sequence[Clip]) -> Target:
    held = Project({mesh.id: mesh for mesh in made.meshes})
    beside = files_beside(path, held, made.options())
    return Target(path, tuple(clips), tuple(file.name for file in beside))


def _name(pattern: str, file: str, clip: Clip, number: int, rig: Rig) -> str:
    """A pattern filled in, with only what every file system allows."""
    words = {"file": file, "clip": clip.name, "number": f"{number:03d}", "character": rig.name}
    for word, value in words.items():
        pattern = pattern.replace("{" + word + "}", value)
    clean = "".join("_" if c in FORBIDDEN or ord(c) < 32 else c for c in pattern).strip(". ")
    return cut_at(clean, LONGEST) or "clip"
