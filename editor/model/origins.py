"""Where what is in the document came from: files that exports must not take the name of. Free of Qt."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.clips.clip import Clip
from core.ids import AssetId
from core.io import ImportReport
from editor.model.document import Document


@dataclass(frozen=True, slots=True)
class Origin:
    """A file of a foreign format that was opened or imported.

    Parameters
    ----------
    left_out : what the file holds and the document does not
    """

    path: Path
    left_out: tuple[str, ...] = ()


class Origins:
    """The files that the document was made from since it was opened; another document has none yet."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: list[Origin] = []
        self._clips: set[AssetId] = set()
        document.replaced.connect(lambda _: self._begin())
        self._begin()

    def _begin(self) -> None:
        self._found = []
        self._clips = {clip.id for clip in self._document.project.clips}

    def add(self, path: Path, report: ImportReport, clips: Iterable[AssetId] = ()) -> None:
        """Take note of a file that was read, and of the clips in the document that came from it."""
        self._found = [one for one in self._found if one.path != path.absolute()]
        self._found.append(Origin(path.absolute(), tuple(report.left_out)))
        self._clips |= set(clips)

    @property
    def all(self) -> tuple[Origin, ...]:
        """The files, the one read last at the end."""
        return tuple(self._found)

    @property
    def first(self) -> Path | None:
        """The file that the document began with, or None."""
        return self._found[0].path if self._found else None

    def includes(self, path: Path) -> bool:
        """Whether a path is one of these files, by another name too."""
        return any(_same(path, origin.path) for origin in self._found)

    def made_here(self, clips: Iterable[Clip]) -> tuple[Clip, ...]:
        """Those of the clips that came with no file; none where the document itself came from no file."""
        return tuple(clip for clip in clips if clip.id not in self._clips) if self._found else ()


def _same(path: Path, other: Path) -> bool:
    if path.absolute() == other:
        return True
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False
