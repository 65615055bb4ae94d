"""Finding journals that a crash left behind, and making projects of them again."""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import core.io
from core.arrays import same_value
from core.errors import AnimError, FormatError
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.project.project import Project
from core.project.references import mended
from editor.model.codec import decode, patched
from editor.model.commands import ViewState
from editor.model.file_state import digest, stat_of
from editor.model.journal import pinned_path
from editor.model.journal_file import Record, Torn, records, summaries
from editor.model.journal_lock import lock_path, owned, sweep, take

logger = logging.getLogger(__name__)

LATEST = 1e11
"""Seconds since 1970 beyond which a time in a journal is not believed."""
BACK = 20
"""States that are tried, from the last on, where the last is no document."""
LONGEST_LABEL = 200


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
    """A project brought back.

    Parameters
    ----------
    project, view : what was open, and what was shown
    document : the file it belongs to, or None
    steps : how many steps were replayed
    problem : what could not be read, or ""
    changed : the file holds something else than these steps started from: another's work, or a version put back
    """

    project: Project
    document: Path | None
    view: ViewState
    steps: int
    problem: str = ""
    changed: bool = False


def recoverable(folder: Path) -> list[Recoverable]:
    """Journals in a folder that hold steps and whose program no longer runs, newest first.

    Reads their heads only. Journals without anything to recover, and what else ended programs left, are removed.
    """
    found = []
    for journal in sorted(folder.glob("*.journal")):
        if owned(journal):
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
    for pinned in folder.glob("*.base"):
        journal = pinned.with_suffix(".journal")
        if not journal.exists() and not owned(journal):
            discard(journal)
    sweep(folder)
    return sorted(found, key=lambda item: -item.when)


def recover(journal: Path, elsewhere: Callable[[Path], Iterable[Path]] | None = None) -> Recovered:
    """Replay a journal onto what its steps start from; a step that cannot be read or applied is left out alone.

    Parameters
    ----------
    elsewhere : gives other copies of a document (backups) to look at where the journal's own copy is gone

    Raises
    ------
    FormatError
        What the steps start from cannot be read.
    """
    if owned(journal):
        raise FormatError(journal, "", "another window of the editor is using it")
    with suppress(OSError):
        take(journal)  # so that another process does not offer it, too
    replay: _Replay | None = None
    document: Path | None = None
    problems: list[str] = []
    changed = False
    for record in records(journal):
        if isinstance(record, Torn):
            problems.append(record.reason)
            continue
        if replay is None:
            document, base = _base(journal, record, elsewhere)
            changed = _changed(document, record.data.get("sha256"))
            replay = _Replay(base)
            continue
        try:
            replay.step(record)
        except AnimError as error:
            problems.append(f"step {replay.steps + 1}: {error}")
    if replay is None:
        raise FormatError(journal, "", "; ".join(problems) or "the journal is empty")
    project = replay.believable(problems)
    if project is None:
        raise FormatError(journal, "", "; ".join(problems))
    if changed and document is not None:
        changed = not _holds(document, project)
    return Recovered(project, document, replay.view, replay.steps, "; ".join(problems), changed)


class _Replay:
    """Applies records; states are known by their numbers, so that one that is lost takes no other with it."""

    def __init__(self, base: Project) -> None:
        self.project = base
        self.view = ViewState()
        self.steps = 0
        self._states = {0: base}
        self._numbers, self._at = [0], 0  # journals of version 1 say only which way a step went

    def step(self, record: Record) -> None:
        """Apply one record; raises `AnimError` where it does not fit, and changes nothing then."""
        data = record.data
        kind = data.get("kind")
        start, end = data.get("from"), data.get("to")
        if not (isinstance(start, int) and isinstance(end, int)):
            start, end = self._numbered(kind)
        if kind == "do":
            project = patched(self._states.get(start, self.project), data.get("change"), record.arrays)
            if not isinstance(project, Project):
                raise FormatError("journal", "", "a step made no project")
            self._states[end] = project
        elif kind not in ("undo", "redo"):
            raise FormatError("journal", "", f"a step of kind {kind!r} is not possible here")
        elif end not in self._states:
            raise FormatError("journal", "", "the step that it takes back or does again could not be read")
        self.project = self._states[end]
        self.view = _view(data, self.view)
        self.steps += 1

    def believable(self, problems: list[str]) -> Project | None:
        """The newest state that is a document by the rules of files; what is wrong with later ones is told.

        Anyone may have written the journal: values of a wrong type or range are found by writing the state as a
        document and reading it again, as it will be when it is saved.
        """
        tried = [self.project, *(self._states[n] for n in sorted(self._states, reverse=True)[:BACK])]
        for number, state in enumerate(tried):
            if number and state is self.project:
                continue
            try:
                found = mended(state)
                from_bytes(to_bytes(found.project))
            except AnimError as error:
                problems.append(str(error))
            except Exception as error:  # whatever a forged value does to code that trusts the types
                problems.append(f"a step made no document: {type(error).__name__}: {error}"[:200])
            else:
                problems += found.notes
                return found.project
        return None

    def _numbered(self, kind: object) -> tuple[int, int]:
        start = self._numbers[self._at]
        if kind == "undo" and self._at > 0:
            self._at -= 1
        elif kind == "redo" and self._at + 1 < len(self._numbers):
            self._at += 1
        elif kind == "do":
            del self._numbers[self._at + 1 :]
            self._numbers.append(max(self._states) + 1)
            self._at += 1
        else:
            raise FormatError("journal", "", f"a step of kind {kind!r} is not possible here")
        return start, self._numbers[self._at]


def discard(journal: Path) -> None:
    """Remove a journal for good."""
    for path in (journal, pinned_path(journal), lock_path(journal)):
        with suppress(OSError):
            path.unlink()


def _summary(journal: Path) -> Recoverable | None:
    document: Path | None = None
    steps, last, when, first = 0, "", 0.0, True
    for meta in summaries(journal):
        if isinstance(meta, Torn):
            continue
        if first:
            first = False
            path = meta.get("path")
            document = Path(path) if isinstance(path, str) and path else None
            continue
        steps += 1
        label, stamp = meta.get("label"), meta.get("time")
        last = label[:LONGEST_LABEL] if isinstance(label, str) and label else last
        when = float(stamp) if isinstance(stamp, int | float) and 0 < stamp < LATEST else when
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
        except AnimError as error:
            raise FormatError(journal, "base", str(error)) from error
        return document, project
    if document is None:
        raise FormatError(journal, "", "the base names no file")
    wanted = data.get("sha256")
    for candidate in (pinned_path(journal), document, *(elsewhere(document) if elsewhere else ())):
        if wanted and digest(candidate) == wanted:
            return document, core.io.load(candidate, format="posewright").project
    raise FormatError(
        journal,
        "",
        f"its copy of {document} is missing or damaged, and the file has changed since these steps were made",
        "restore that version to recover them",
    )


def _changed(document: Path | None, checksum: object) -> bool:
    """Whether a document's file is there and holds something else than when the journal began."""
    if document is None or stat_of(document) is None:
        return False
    return digest(document) != checksum


def _holds(document: Path, project: Project) -> bool:
    """Whether a document's file holds the same: a save whose program ended before the journal heard of it."""
    try:
        found = core.io.load(document, format="posewright").project
    except AnimError:
        return False
    return list(found.assets) == list(project.assets) and same_value(found, project)


def _view(data: dict[str, Any], before: ViewState) -> ViewState:
    match data.get("view"):
        case [rig, clip, (int() | float()) as at, list() as bones] if all(isinstance(b, str) for b in bones):
            below = data.get("below")
            known = all(item is None or isinstance(item, str) for item in (rig, clip, below))
            return ViewState(rig, clip, float(at), tuple(bones), below) if known else before
    return before
