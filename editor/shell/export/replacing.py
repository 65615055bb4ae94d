"""What a person is asked before an export replaces files. Free of Qt."""

from dataclasses import dataclass
from pathlib import Path

from core.io.replacing import Replacement, replacement
from core.progress import Progress
from editor.model.i18n import tr, trn
from editor.model.origins import Origins
from editor.shell.export.plan import Plan
from editor.shell.export.preview import short_list

MOST_FILES = 3


@dataclass(frozen=True, slots=True)
class Warned:
    """A file that would be replaced.

    Parameters
    ----------
    source : whether the character came from it
    change : what replacing it changes; None for a buffer or an image, which is not looked into
    """

    path: Path
    source: bool
    change: Replacement | None


def warnings_of(plan: Plan, origins: Origins, progress: Progress) -> list[Warned]:
    """Read every file that a plan replaces and compare it with what is written; for a worker."""
    found = []
    for number, target in enumerate(plan.targets):
        part = progress.part(number / len(plan.targets), (number + 1) / len(plan.targets))
        for path in target.replaces:
            part.report(0.0, tr("reading {name}", name=path.name))
            change = replacement(path, plan.held(target), part) if path == target.path else None
            found.append(Warned(path, origins.includes(path), change))
    return found


def question(files: list[Warned], beside: str) -> str:
    """The words of the question: for each file what is lost with it, and what comes into it.

    Parameters
    ----------
    beside : the name that is taken where both are to stay
    """
    lines = []
    for file in files[:MOST_FILES]:
        line = tr("{name} exists already.", name=file.path.name)
        if file.source:
            line = tr("{name} is the file that the character was imported from.", name=file.path.name)
        if file.change is not None:
            line += _changes(file.change)
        lines.append(line)
    if len(files) > MOST_FILES:
        lines.append(
            trn(
                "And {count} more file exists already.",
                "And {count} more files exist already.",
                len(files) - MOST_FILES,
            )
        )
    lines.append(tr("Replace moves the old file to the backups. Keep both writes {name}.", name=beside))
    return "\n\n".join(lines)


def _changes(change: Replacement) -> str:
    if change.lost:
        text = "\n" + tr("Replacing it loses: {what}.", what=short_list(change.lost))
    else:
        text = " " + tr("The new file contains everything that is in it.")
    if change.clips:
        text += "\n" + tr("New clips: {names}.", names=short_list(change.clips))
    return text
