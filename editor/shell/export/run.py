"""Does what an export's plan says, all files or none, and tells how it went. Free of Qt."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.clips.clip import Clip
from core.errors import FormatError
from core.io.compare import ClipCheck
from core.io.presets import Exported, export
from core.progress import Progress
from core.project.project import Project
from editor.model.i18n import tr
from editor.shell.export.plan import Plan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an export did: for each of its files the report and what reading it back found."""

    plan: Plan
    results: tuple[Exported, ...]

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
        lines = [tr("Left out: {text}", text=text) for report in reports for text in report.left_out]
        sampled = dict.fromkeys(text for report in reports for text in report.sampled)
        if len(sampled) > 2:
            lines.append(
                tr("Sampled: {count} clips with curves that the format does not have", count=len(sampled))
            )
        else:
            lines += [tr("Sampled: {text}", text=text) for text in sampled]
        lines += [text[:1].upper() + text[1:] for report in reports for text in report.warnings]
        return list(dict.fromkeys(lines))


def carry_out(plan: Plan, progress: Progress) -> Outcome:
    """Write every file of a plan; on an error or a cancel none of them is there.

    Raises
    ------
    AnimError
        What cannot be written, and why.
    Cancelled
        From `progress`.
    """
    project = plan.narrowed(progress.part(0.0, 0.1))
    folder = plan.targets[0].path.parent
    several = sum(len(target.names) for target in plan.targets) > 1
    if not several:
        return Outcome(plan, (_one(plan, project, 0, plan.targets[0].path, progress),))
    try:
        with tempfile.TemporaryDirectory(prefix=".export.", suffix=".part", dir=folder) as name:
            done = tuple(
                _one(plan, project, number, Path(name) / target.path.name, progress)
                for number, target in enumerate(plan.targets)
            )
            for written in sorted(Path(name).iterdir()):
                written.replace(folder / written.name)
    except OSError as error:
        raise FormatError(folder, "", f"cannot be written: {error.strerror or error}") from error
    return Outcome(plan, done)


def _one(plan: Plan, project: Project, number: int, path: Path, progress: Progress) -> Exported:
    count, target = len(plan.targets), plan.targets[number]
    part = progress.part(0.1 + 0.9 * number / count, 0.1 + 0.9 * (number + 1) / count)
    return export(
        project, path, plan.prepare(target), plan.options(), self_check=plan.choice.check, progress=part
    )
