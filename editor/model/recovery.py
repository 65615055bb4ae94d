"""Finding journals that a crash left behind, and making projects of them again."""

import json
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import core.io
from core.errors import AnimError, FormatError
from core.project.project import Project
from core.project.references import check
from editor.model import process
from editor.model.codec import decode, patched
from editor.model.commands import ViewState
from editor.model.journal import digest, lock_path
from editor.model.journal_file import Record, Torn, records

logger = logging.getLogger(__name__)

FRESH = 10.0
"""Seconds for which a journal without a lock may be one that is just being started."""


@dataclass(frozen=True, slots=True)
class Recoverable:
    """A journal whose program is gone.

    Parameters
    ----------
    journal : the file
    document : the file that was being edited, or None for one never saved
    steps : how many steps it holds
    last : label of the last one
    when : when that was written, in seconds since 1970
    """

    journal: Path
    document: Path | None
    steps: int
    last: str
    when: float

    @property
    def title(self) -> str:
        """What to call it."""
        return self.document.stem if self.document else ""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A project brought back, where it belongs, what was shown, and what could not be read."""

    project: Project
    document: Path | None
    view: ViewState
    steps: int
    problem: str = ""


def recoverable(folder: Path) -> list[Recoverable]:
    """Journals in a folder that hold steps and whose program no longer runs, newest first.

    Journals without anything to recover are removed.
    """
    found = []
    for journal in sorted(folder.glob("*.journal")):
        if _owned(journal):
            continue
        try:
            summary = _summary(journal)
        except AnimError as error:
            logger.warning("%s", error)
            continue
        if summary is None:
            discard(journal)
        else:
            found.append(summary)
    return sorted(found, key=lambda item: -item.when)


def recover(journal: Path, elsewhere: Callable[[Path], Iterable[Path]] | None = None) -> Recovered:
    """Replay a journal onto what its steps start from, up to the first record that is torn.

    Parameters
    ----------
    elsewhere : gives other copies of a document (backups) to look at where the file has changed since

    Raises
    ------
    FormatError
        The start cannot be read, or the file it names has changed since.
    """
    if _owned(journal):
        raise FormatError(journal, "", "another window of the editor is using it")
    claim(journal)
    states: list[Project] = []
    position, steps, problem = 0, 0, ""
    document: Path | None = None
    view = ViewState()
    for record in records(journal):
        if isinstance(record, Torn):
            problem = record.reason
            break
        if not states:
            document, base = _base(journal, record, elsewhere)
            states.append(base)
            continue
        try:
            position = _replay(record, states, position)
            view = _view(record.data, view)
            steps += 1
        except AnimError as error:
            problem = f"step {steps + 1}: {error}"
            break
    if not states:
        raise FormatError(journal, "", problem or "the journal is empty")
    return Recovered(states[position], document, view, steps, problem)


def discard(journal: Path) -> None:
    """Remove a journal for good."""
    for path in (journal, lock_path(journal)):
        with suppress(OSError):
            path.unlink()


def claim(journal: Path) -> None:
    """Make a journal this process's, so that another one does not offer it too."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(prefix=".lock.", dir=journal.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(process.own(), file)
        Path(name).replace(lock_path(journal))


def release(journal: Path) -> None:
    """Give a claimed journal back, to be offered again."""
    with suppress(OSError):
        lock_path(journal).unlink()


def _owned(journal: Path) -> bool:
    try:
        owner = json.loads(lock_path(journal).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        with suppress(OSError):
            return time.time() - journal.stat().st_mtime < FRESH
        return False
    return process.runs(owner)


def _summary(journal: Path) -> Recoverable | None:
    document: Path | None = None
    steps, last, when, first = 0, "", 0.0, True
    for record in records(journal):
        if isinstance(record, Torn):
            break
        if first:
            first = False
            path = record.data.get("path")
            document = Path(path) if isinstance(path, str) and path else None
            continue
        steps += 1
        label, stamp = record.data.get("label"), record.data.get("time")
        last = label if isinstance(label, str) and label else last
        when = float(stamp) if isinstance(stamp, int | float) else when
    return Recoverable(journal, document, steps, last, when) if steps else None


def _base(
    journal: Path, record: Record, elsewhere: Callable[[Path], Iterable[Path]] | None
) -> tuple[Path | None, Project]:
    data = record.data
    path = data.get("path")
    document = Path(path) if isinstance(path, str) and path else None
    if data.get("kind") != "base":
        raise FormatError(journal, "", "the journal does not begin with its base")
    if "project" in data:
        try:
            project = decode(data["project"], record.arrays)
            if not isinstance(project, Project):
                raise FormatError(journal, "", "the base is no project")
            check(project)
        except AnimError as error:
            raise FormatError(journal, "base", str(error)) from error
        return document, project
    if document is None:
        raise FormatError(journal, "", "the base names no file")
    wanted = data.get("sha256")
    for candidate in (document, *(elsewhere(document) if elsewhere else ())):
        if digest(candidate) == wanted:
            return document, core.io.load(candidate, format="posewright").project
    raise FormatError(
        journal,
        "",
        f"{document} has changed since these steps were made",
        "restore that version to recover them",
    )


def _replay(record: Record, states: list[Project], position: int) -> int:
    kind = record.data.get("kind")
    if kind == "do":
        project = patched(states[position], record.data.get("change"), record.arrays)
        if not isinstance(project, Project):
            raise FormatError("journal", "", "a step made no project")
        check(project)
        del states[position + 1 :]
        states.append(project)
        return position + 1
    if kind == "undo" and position > 0:
        return position - 1
    if kind == "redo" and position + 1 < len(states):
        return position + 1
    raise FormatError("journal", "", f"a step of kind {kind!r} is not possible here")


def _view(data: dict[str, Any], before: ViewState) -> ViewState:
    match data.get("view"):
        case [rig, clip, (int() | float()) as at, list() as bones] if all(isinstance(b, str) for b in bones):
            known = all(item is None or isinstance(item, str) for item in (rig, clip))
            return ViewState(rig, clip, float(at), tuple(bones)) if known else before
    return before
