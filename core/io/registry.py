"""The registry of formats, and the two doors of this package: `load` and `save`."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from core.errors import AnimError, Cancelled, FormatError
from core.io.builtin import FORMATS
from core.io.common.opening import NotAFileError, open_regular
from core.io.format import Format
from core.io.loaded import Loaded
from core.io.prepare import odd_names
from core.io.prepare.bake_evaluated import bake_evaluated
from core.io.prepare.selection import of_rig
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project

log = logging.getLogger(__name__)
T = TypeVar("T")

HEAD = 4096
"""Bytes of a file's start that `Format.sniff` gets to see."""

_formats: dict[str, Format] = {entry.id: entry for entry in FORMATS}


def register(format: Format) -> None:
    """Add a format; one of the same id is replaced."""
    _formats[format.id] = format


def unregister(id: str) -> None:
    """Take a format away again."""
    _formats.pop(id, None)


def formats() -> tuple[Format, ...]:
    """Every format known, in the order registered."""
    return tuple(_formats.values())


def readable() -> str:
    """The suffixes that can be read, for messages."""
    return ", ".join(s for f in formats() if f.can_read for s in f.suffixes)


def writable() -> str:
    """The suffixes that can be written, for messages."""
    return ", ".join(s for f in formats() for s in f.write_suffixes)


def format_of(path: str | Path, head: bytes | None = None) -> Format | None:
    """The format of a file by its first bytes where given, else by its name; None if unknown."""
    name = Path(path).name.lower()
    if head is not None:
        named = [f for f in formats() if name.endswith(f.suffixes) and f.sniff(head)]
        for candidate in (*named, *formats()):
            if candidate.sniff(head):
                return candidate
    return next((f for f in formats() if name.endswith(f.suffixes)), None)


def files_beside(path: Path, project: Project | None = None, options: Any = None) -> tuple[Path, ...]:
    """Further files that are written with a file: a glTF's buffer, a USD stage's textures.

    Parameters
    ----------
    project : what is written; None leaves out what depends on it
    options : the format's ``write_options``; None is the defaults
    """
    found = format_of(path)
    return found.beside(path, project, options) if found is not None and found.beside is not None else ()


def _named(id: str, path: Path) -> Format:
    for candidate in formats():
        if candidate.id == id:
            return candidate
    known = ", ".join(f.id for f in formats())
    raise FormatError(path, "", f"no format is called {id!r}", f"known: {known}")


def load(
    path: str | Path,
    progress: Progress | None = None,
    format: str | None = None,
    options: Any = None,
    character: str | None = None,
) -> Loaded:
    """Read a file of any format.

    Parameters
    ----------
    path : the file
    progress : receives the progress; may cancel
    format : id of the format; None finds it by content, then by name
    options : the format's ``read_options``; None is the defaults
    character : name of the one rig to take of several; None takes all. ``report.characters`` lists all
        the same

    Raises
    ------
    FormatError
        Naming file, place and reason, for whatever is wrong with the file; also where there is no such
        character.
    Cancelled
        When `progress` was cancelled.
    """
    path = Path(path)
    head = _head(path)
    if not head:
        raise FormatError(path, "", "the file is empty", "copy or download it again")
    chosen = _named(format, path) if format else format_of(path, head)
    if chosen is None:
        raise FormatError(path, "", "not a file of a known format", f"known: {readable()}")
    if chosen.read is None:
        reason = f"{chosen.title} files can be written but not read"
        raise FormatError(path, "", reason, f"those that can be read: {readable()}")
    if options is None:
        options = chosen.default_read_options()
    reader = chosen.read
    loaded = _guarded(path, "read", lambda: reader(path, options, progress or Progress()))
    rigs, report = loaded.project.rigs, loaded.report
    report.characters = [rig.name for rig in rigs]
    if len(rigs) > 1:  # told apart, bones may have got back the names that they share
        names = {name for rig in rigs for name in rig.skeleton.names}
        report.renamed = [(old, new) for old, new in report.renamed if new in names]
    return loaded if character is None else Loaded(_only(path, loaded.project, character), loaded.report)


def _only(path: Path, project: Project, name: str) -> Project:
    """The project with no other rig than the one of that name, nor what belongs to others."""
    for rig in project.rigs:
        if rig.name == name:
            return of_rig(project, rig.id)
    known = ", ".join(rig.name for rig in project.rigs) or "none"
    raise FormatError(path, "", f"no character is called {name!r}", f"there are: {known}")


def save(
    project: Project,
    path: str | Path,
    options: Any = None,
    progress: Progress | None = None,
    format: str | None = None,
) -> ExportReport:
    """Write a project to a file, whole or not at all.

    Parameters
    ----------
    path : the file; its suffix chooses the format unless `format` (an id) does
    options : the format's ``write_options``; None is the defaults

    Raises
    ------
    FormatError
        Unknown suffix, or the file could not be written; an existing file stays as it was.
    AnimError
        What the project holds cannot be expressed.
    """
    chosen, tell, notes = _writing(Path(path), format), progress or Progress(), list[str]()

    def work() -> ExportReport:
        whole = project if chosen.document else bake_evaluated(project, None, tell, notes)
        report = write_evaluated(whole, path, options, tell, chosen.id)
        report.sampled += notes
        return report

    return _guarded(Path(path), "written", work)


def write_evaluated(
    project: Project,
    path: str | Path,
    options: Any = None,
    progress: Progress | None = None,
    format: str | None = None,
) -> ExportReport:
    """`save` for a project whose clips hold in their own tracks all that is shown (`bake_evaluated`)."""
    path = Path(path)
    chosen, tell = _writing(path, format), progress or Progress()
    wanted = chosen.default_options() if options is None else options
    writer = chosen.write
    assert writer is not None

    def work() -> ExportReport:
        report = writer(project, path, wanted, tell)
        if not chosen.document:
            report.warnings += odd_names.said(project)
        return report

    return _guarded(path, "written", work)


def _writing(path: Path, format: str | None) -> Format:
    """The format that writes a file; raises `FormatError` where none does."""
    chosen = _named(format, path) if format else format_of(path)
    unfit = chosen is not None and path.name.lower().endswith(chosen.read_only or ("\0",))
    if chosen is None or chosen.write is None or unfit:
        raise FormatError(path, "", f"cannot write files named *{path.suffix}", f"known: {writable()}")
    return chosen


def _head(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read(HEAD)
    except NotAFileError as error:
        raise FormatError(path, "", str(error.strerror)) from error
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte in the name
        raise FormatError(path, "", f"cannot be read: {error}") from error


def _guarded(path: Path, verb: str, work: Callable[[], T]) -> T:
    """Run a reader or writer; the last fence: whatever escapes becomes a `FormatError`."""
    try:
        with np.errstate(all="ignore"):  # readers look for what is not finite themselves
            return work()
    except FormatError:
        raise
    except AnimError as error:
        if verb == "written" or isinstance(error, Cancelled):
            raise
        raise FormatError(path, "", str(error)) from error
    except OSError as error:
        raise FormatError(path, "", f"cannot be {verb}: {error.strerror or error}") from error
    except MemoryError as error:
        raise FormatError(path, "", f"cannot be {verb}: it needs more memory than there is") from error
    except RecursionError as error:
        raise FormatError(path, "", "its parts are nested too deeply") from error
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        log.exception("unforeseen trouble with %s", path)
        reason = f"cannot be {verb}: {type(error).__name__}: {error}"
        raise FormatError(path, "", reason, "please report this file") from error
