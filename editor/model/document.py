"""The document: the frozen project that is open, where it is saved, and whether it changed since."""

from pathlib import Path

from core.arrays import same_value
from core.ids import AssetId
from core.project.project import Project
from editor.model.commands import Command
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.paths import printable


class Document:
    """One open project. Only the history applies and reverts commands; everything else reads.

    Attributes
    ----------
    changed : ids of the assets that differ; empty where only settings or the order do
    file_changed : the path or the state of being saved may differ
    """

    def __init__(self, project: Project | None = None, path: Path | None = None) -> None:
        self._project = project or Project()
        self._saved: Project | None = self._project
        self._path = path
        self._name = ""
        self._read_only = False
        self.changed: Event[frozenset[AssetId]] = Event()
        self.replaced: Event[None] = Event()
        self.file_changed: Event[None] = Event()

    @property
    def project(self) -> Project:
        """The project as it is now."""
        return self._project

    @property
    def path(self) -> Path | None:
        """The native file it is saved in, or None."""
        return self._path

    @property
    def title(self) -> str:
        """What the window calls it."""
        return printable(self._path.stem) if self._path else self._name or tr("Untitled")

    @property
    def read_only(self) -> bool:
        """Whether it was opened without the right to save over its file."""
        return self._read_only

    @property
    def dirty(self) -> bool:
        """Whether it differs from what was last opened or saved (undoing back to that is clean)."""
        return self._saved is None or not _identical(self._project, self._saved)

    def apply(self, command: Command) -> None:
        """Go one step forward (the history's business)."""
        self._set(command.applied(self._project), command)

    def revert(self, command: Command) -> None:
        """Go one step back (the history's business)."""
        self._set(command.reverted(self._project), command)

    def replace(
        self,
        project: Project,
        path: Path | None,
        saved: bool = True,
        *,
        read_only: bool = False,
        name: str = "",
    ) -> None:
        """Open another project instead.

        Parameters
        ----------
        saved : False for one that is not on disk like this
        read_only : saving asks for another place
        name : what to call it as long as it has no path
        """
        self._read_only, self._name = read_only, name
        ids = frozenset(self._project.assets) | frozenset(project.assets)
        self._project, self._path = project, path
        self._saved = project if saved else None
        self.replaced.emit(None)
        self.changed.emit(ids)
        self.file_changed.emit(None)

    def mark_saved(self, path: Path, project: Project | None = None) -> None:
        """Take note that a version (the present one by default) is in the file."""
        self._saved, self._path = project or self._project, path
        self._read_only = False
        self.file_changed.emit(None)

    def mark_unsaved(self) -> None:
        """Take note that its file does not hold it any more: another program changed or removed that.

        One that is read-only stays as it is: it was never to be saved there.
        """
        if not self._read_only:
            self._saved = None
            self.file_changed.emit(None)

    def _set(self, project: Project, command: Command) -> None:
        self._project = project
        self.changed.emit(command.ids)
        self.file_changed.emit(None)


def _identical(a: Project, b: Project) -> bool:
    """Whether two projects hold the very same assets in the same order, and equal settings."""
    if a is b:
        return True
    if len(a.assets) != len(b.assets) or not same_value(a.settings, b.settings):
        return False
    pairs = zip(a.assets.items(), b.assets.items(), strict=True)
    return all(x is y and key == other for (key, x), (other, y) in pairs)
