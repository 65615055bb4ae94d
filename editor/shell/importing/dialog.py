"""The import dialog: what the files hold, what had to be guessed, and where it all goes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError, Cancelled
from core.ids import AssetId
from core.io.common.options import ALLOW
from core.progress import Progress
from core.rig.mesh import Mesh
from editor.model.file_reports import said_of
from editor.model.i18n import tr, trn
from editor.model.importing import Imported, read_for_import
from editor.qt.panel import PanelContext
from editor.qt.widgets import label
from editor.shell.clip_ticks import ShortList
from editor.shell.form import tick
from editor.shell.importing.details import Details
from editor.shell.importing.entry import DOCUMENT, NEW, Entry, summary
from editor.shell.work_dialog import WorkDialog

PATIENCE = 250
"""Milliseconds after which the dialog shows itself though nothing has been read yet."""
LIST_WIDTH = 240

Read = list[Imported | str]
"""For each file what was read, or why it could not be."""


class ImportDialog(WorkDialog):
    """Import adds to the document, one undo step a file; closing the dialog takes nothing.

    Parameters
    ----------
    use : makes what was read of a file the document, once what is unsaved is safe
    """

    def __init__(
        self,
        parent: QWidget,
        context: PanelContext,
        entries: Sequence[Entry],
        use: Callable[[Imported], object],
    ) -> None:
        several = len(entries) > 1
        name = entries[0].path.name
        title = trn("Import {name}", "Import {count} files", len(entries), name=name)
        super().__init__(parent, context, title, "importDialog", QSize(820 if several else 560, 580))
        self._entries, self._use = list(entries), use
        self._waiting: list[Entry] = []
        self._details: Details | None = None
        self._held = ""  # what had the keyboard before the file was read again
        columns = QHBoxLayout()
        columns.setSpacing(16)
        self._build_list(columns)
        self._place = QVBoxLayout()
        columns.addLayout(self._place, 2)
        self.content.addLayout(columns, 1)
        self.same = tick(
            tr("One character for all files with the same bones"), "importSame", True,
            tr("Clips that fit the character of an earlier file are added to it"),
        )  # fmt: skip
        self.same.setVisible(several)
        self.content.addWidget(self.same)
        self.problem = label("", "error", wrap=True)
        self.problem.setObjectName("importProblem")
        self.problem.hide()
        self.content.addWidget(self.problem)
        self.accept_button = self.add_go(tr("Import"), self._import, "acceptImport")
        self._show_list()
        self._show_entry()

    def _build_list(self, columns: QHBoxLayout) -> None:
        self.files = ShortList()
        self.files.setObjectName("importFiles")
        self.files.setProperty("role", "framed")
        self.files.setAccessibleName(tr("Files"))
        self.files.setToolTip(tr("Ticked files are imported; the selected one is shown"))
        self.files.setMaximumWidth(LIST_WIDTH)
        self.files.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files.setVisible(len(self._entries) > 1)
        for entry in self._entries:
            item = QListWidgetItem(entry.path.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            self.files.addItem(item)
        self.files.setCurrentRow(0)
        self.files.currentRowChanged.connect(lambda _: self._show_entry())
        self.files.itemChanged.connect(self._on_tick)
        columns.addWidget(self.files, 1)

    # ------------------------------------------------------------ reading
    def read(self) -> None:
        """Read the files; the dialog shows itself once there is something to see, or it takes long."""
        self._read(self._entries)
        QTimer.singleShot(PATIENCE, self, self._show_up)

    def _show_up(self) -> None:
        if self.working and not self.isVisible():
            self.open()

    def _read(self, entries: Sequence[Entry]) -> None:
        if self.working:
            return
        self._waiting = list(entries)
        focus = self.focusWidget()
        self._held = focus.objectName() if focus is not None else ""
        mine = self._context.session.document.project
        wanted = [(entry.path, entry.options()) for entry in entries]

        def work(progress: Progress) -> Read:
            found: Read = []
            for number, (path, options) in enumerate(wanted):
                part = progress.part(number / len(wanted), (number + 1) / len(wanted))
                part.report(0.0, tr("reading {name}", name=path.name))
                try:
                    found.append(read_for_import(mine, path, options, part))
                except Cancelled:
                    raise
                except AnimError as error:
                    found.append(said_of(error))
            return found

        name = wanted[0][0].name
        self.begin(trn("Read {name}", "Read {count} files", len(wanted), name=name), work, self._have_read)

    def _have_read(self, found: Read) -> None:
        project = self._context.session.document.project
        alone = len(self._entries) == 1
        for entry, got in zip(self._waiting, found, strict=True):
            if isinstance(got, Imported):
                entry.read(got, project)
            elif alone and entry.found is None and ALLOW not in got:
                self._context.session.messages.error(got, action="file.import", button=tr("Choose another…"))
                self.close()
                self.deleteLater()
                return
            elif entry.found is None:
                entry.error, entry.taken = got, False
            else:
                self._complain(got)
        self._show_list()
        self._show_entry()
        if not self.isVisible():
            self.accept_button.setFocus()
            self.open()
        else:  # what had the keyboard was hidden or disabled while the file was read
            again = (
                self._details.findChild(QWidget, self._held)
                if self._details is not None and self._held
                else None
            )
            (again or self.accept_button).setFocus()

    def stopped(self) -> None:
        """Reading was cancelled."""
        if all(entry.found is None for entry in self._entries):
            self.close()
            self.deleteLater()
        else:
            self.say(tr("Cancelled; the file was not read again."), "warning")

    # ------------------------------------------------------------ showing
    def _show_list(self) -> None:
        self.files.blockSignals(True)
        for row, entry in enumerate(self._entries):
            item = self.files.item(row)
            item.setText(f"{entry.path.name}   {summary(entry)}")
            item.setToolTip(entry.error or str(entry.path))
            item.setCheckState(Qt.CheckState.Checked if entry.taken else Qt.CheckState.Unchecked)
            if entry.error:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsUserCheckable)
        self.files.blockSignals(False)
        self.changed()

    def _entry(self) -> Entry:
        return self._entries[max(0, self.files.currentRow())]

    def _show_entry(self) -> None:
        entry = self._entry()
        if self._details is not None:
            self._place.removeWidget(self._details)
            self._details.hide()
            self._details.deleteLater()
        project, alone = self._context.session.document.project, len(self._entries) == 1
        self._details = Details(self._context.theme, entry, project, alone)
        self._details.reread.connect(lambda: self._read([entry]))
        self._details.changed.connect(self.changed)
        self._place.addWidget(self._details, 1)

    def _on_tick(self, item: QListWidgetItem) -> None:
        entry = self._entries[self.files.row(item)]
        entry.taken = item.checkState() is Qt.CheckState.Checked
        self.changed()

    def changed(self, *_: object) -> None:
        """Something else was chosen: what was said no longer holds."""
        self.problem.hide()
        self.hide_outcome()
        self.accept_button.setEnabled(not self.working and any(entry.usable for entry in self._entries))
        if self._details is not None:
            self._details.setEnabled(not self.working)

    def _complain(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.show()

    # ------------------------------------------------------------ importing
    def _import(self) -> None:
        usable = [entry for entry in self._entries if entry.usable]
        empty = next(
            (entry for entry in usable if entry.onto not in (NEW, DOCUMENT) and not entry.clips()), None
        )
        if empty is not None:
            self._complain(tr("{name}: tick a clip to import", name=empty.path.name))
            return
        if usable[0].onto == DOCUMENT:
            self.close()
            self._use(replace(usable[0].chosen(), project=usable[0].project()))
            return
        made: set[AssetId] = set()
        try:
            while usable:
                self._accept(usable[0], made)
                usable.pop(0).taken = False
        except AnimError as error:
            self._show_list()
            self._complain(str(error))
            return
        self.close()

    def _accept(self, entry: Entry, made: set[AssetId]) -> None:
        """Import one file; `made` are the characters that earlier ones brought."""
        document = self._context.session.document
        before = {rig.id for rig in document.project.rigs}
        onto = entry.onto or None
        if onto is None and self.same.isChecked() and not entry.chosen().project.all(Mesh):
            onto = next((rig for rig in entry.fits(document.project) if rig in made), None)
        self._context.session.files.accept(entry.chosen(), onto, entry.clips())
        made |= {rig.id for rig in document.project.rigs} - before


def entries_of(paths: Sequence[Path]) -> list[Entry]:
    """Entries that are still to be read."""
    return [Entry(path) for path in dict.fromkeys(paths)]
