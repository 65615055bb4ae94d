"""Does what an export's plan says, all files or none, and tells how it went. Free of Qt."""

import json
import os
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import core.io
from core.clips.clip import Clip
from core.errors import AnimError, Cancelled, FormatError
from core.io.backups import Backups
from core.io.common.compare import ClipCheck
from core.io.common.contents import holds
from core.io.presets import Exported, export
from core.io.report import ExportReport
from core.io.selfcheck import SelfCheck
from core.pose.library import PoseAsset
from core.progress import Progress
from core.project.project import Project
from core.project.references import part_of
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.model.i18n import sentence, tr, trn
from editor.shell import helper
from editor.shell.export.plan import Plan

SMALL = 300_000
"""Bytes up to which other files are written sooner here than another process starts."""
WORKER = "editor.shell.export.worker"
DOCUMENT, TASK, RESULT = "document.posewright", "task.json", "result"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an export did: for each of its files the report and what reading it back found.

    Parameters
    ----------
    kept : copies of the files that were replaced
    """

    plan: Plan
    results: tuple[Exported, ...]
    kept: tuple[Path, ...] = ()

    @property
    def good(self) -> bool:
        """Whether everything that was read back is what it should be."""
        return all(done.check is None or done.check.good for done in self.results)

    @property
    def checked(self) -> bool:
        """Whether anything was read back."""
        return any(done.check is not None for done in self.results)

    @property
    def problems(self) -> list[str]:
        """What is missing, or cannot be read."""
        many = len(self.results) > 1
        return [
            f"{target.path.name}: {text}" if many else text
            for target, done in zip(self.plan.targets, self.results, strict=True)
            for text in (done.check.problems if done.check is not None else ())
        ]

    @property
    def worst(self) -> ClipCheck | None:
        """The clip whose motion is farthest off, measured against what is allowed."""
        found = self._shares()
        return max(found, key=lambda pair: max(pair[0]))[1] if found else None

    @property
    def worst_place(self) -> tuple[Clip, float, str] | None:
        """Where to look: the document's clip, seconds in it, and the bone; None for the rest pose."""
        found = self._shares()
        if not found:
            return None
        (moved, turned), check = max(found, key=lambda pair: max(pair[0]))
        clip = next((clip for clip in self.plan.clips if clip.name == check.clip), None)
        if clip is None:
            return None
        frame, bone = (
            (check.frame, check.bone) if moved >= turned else (check.turned_frame, check.turned_bone)
        )
        start = self.plan.span[0] if self.plan.span is not None else 0.0
        return clip, start + frame / (self.plan.choice.rate or clip.rate.fps), bone

    def _shares(self) -> list[tuple[tuple[float, float], ClipCheck]]:
        """Each check with its distance and its angle, as parts of what is allowed."""
        return [
            ((c.millimetres / done.check.allowed_mm, c.degrees / done.check.allowed_degrees), c)
            for done in self.results
            if done.check is not None
            for c in done.check.checks
        ]

    @property
    def notes(self) -> list[str]:
        """What the files do not hold, or hold otherwise; each once, and what many clips have in common in one."""
        reports = [done.report for done in self.results]
        lines = [tr("The old file was moved to {path}", path=path) for path in self.kept]
        lines += [tr("Left out: {text}", text=text) for report in reports for text in report.left_out]
        sampled = dict.fromkeys(text for report in reports for text in report.sampled)
        if len(sampled) > 2:
            lines.append(
                trn(
                    "Sampled: {count} clip with curves that the format does not have",
                    "Sampled: {count} clips with curves that the format does not have",
                    len(sampled),
                )
            )
        else:
            lines += [tr("Sampled: {text}", text=text) for text in sampled]
        lines += [sentence(text) for report in reports for text in report.warnings]
        return list(dict.fromkeys(lines))


def carry_out(
    plan: Plan, progress: Progress, replaces: Collection[Path] = (), backups: Backups | None = None
) -> Outcome:
    """Write every file of a plan; on an error or a cancel none of them is there.

    Parameters
    ----------
    replaces : files that may be replaced, as a person said; any other that exists stops the export
    backups : where a copy of each of them goes first

    Raises
    ------
    AnimError
        What cannot be written, and why.
    Cancelled
        From `progress`.
    """
    notes: list[str] = []
    project = plan.narrowed(progress.part(0.0, 0.1), notes)
    folder, rest = plan.targets[0].path.parent, progress.part(0.1, 1.0)
    try:
        # Beside the targets, so that the finished files need only another name.
        with tempfile.TemporaryDirectory(
            prefix=".export.", suffix=".part", dir=folder, ignore_cleanup_errors=True
        ) as name:
            result = Path(name) / RESULT
            result.mkdir()
            moved = replace(plan, targets=tuple(replace(t, path=result / t.path.name) for t in plan.targets))
            try:
                apart = plan.format.out_of_process
                done = _apart(moved, project, Path(name), rest) if apart else write(moved, project, rest)
            except AnimError as error:
                if isinstance(error, Cancelled):
                    raise
                raise AnimError(str(error).replace(str(result), str(folder))) from error
            kept = _put(sorted(result.iterdir()), folder, replaces, backups)
    except OSError as error:
        raise FormatError(folder, "", f"cannot be written: {error.strerror or error}") from error
    done[0].report.sampled += notes
    return Outcome(plan, done, kept)


def _put(
    files: Sequence[Path], folder: Path, replaces: Collection[Path], backups: Backups | None
) -> tuple[Path, ...]:
    """Move files to where they belong; copies of those they replace."""
    moves = [(file, folder / file.name) for file in files]
    moves = [(file, path) for file, path in moves if not holds(path, file.read_bytes())]
    for _, path in moves:
        if os.path.lexists(path) and path not in replaces:
            raise FormatError(path, "", "a file of this name exists already", "nothing was written")
    kept = [backups.before_replacing(path) for _, path in moves] if backups is not None else []
    for file, path in moves:
        file.replace(path)
    return tuple(copy for copy in kept if copy is not None)


def write(plan: Plan, project: Project, progress: Progress) -> tuple[Exported, ...]:
    """Write the files of a plan from a project that was narrowed for it."""
    count, done = len(plan.targets), []
    for number, target in enumerate(plan.targets):
        part = progress.part(number / count, (number + 1) / count)
        done.append(
            export(
                project, target.path, plan.prepare(target), plan.options(), self_check=plan.choice.check,
                progress=part, evaluated=True,
            )
        )  # fmt: skip
    return tuple(done)


def _apart(plan: Plan, project: Project, folder: Path, progress: Progress) -> tuple[Exported, ...]:
    """The same in another process."""
    core.io.save(_lean(plan, project), folder / DOCUMENT, progress=progress.part(0.0, 0.1))
    task = {
        "rig": plan.rig.id,
        "choice": plan.choice.to_json(),
        "targets": [[str(t.path), [clip.id for clip in t.clips], list(t.beside)] for t in plan.targets],
    }
    (folder / TASK).write_text(json.dumps(task), encoding="utf-8")
    told = helper.run(WORKER, folder, "the file could not be written", progress.part(0.1, 1.0))
    return tuple(Exported(ExportReport(**report), _check(check)) for report, check in told)


def _lean(plan: Plan, project: Project) -> Project:
    """What is written, and what that refers to: clips that additive ones were made from."""
    kept = [a for a in project.assets.values() if isinstance(a, Rig | Mesh | Clip | PoseAsset)]
    bases = [clip.additive.base_clip for clip in project.clips if clip.additive is not None]
    kept += [plan.project.get(Clip, key) for key in bases if key is not None and key not in project.assets]
    return part_of(project, kept)


def _check(values: dict[str, Any] | None) -> SelfCheck | None:
    if values is None:
        return None
    return SelfCheck(
        **{
            **values,
            "checks": tuple(ClipCheck(**check) for check in values["checks"]),
            "problems": tuple(values["problems"]),
        }
    )
