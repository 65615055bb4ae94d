"""What one file holds, and what is wanted of it: the main part of the import dialog."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.io.common.units_and_axes import UP_AXES
from core.project.project import Project
from editor.model.i18n import tr, trn
from editor.qt.dialogs import Files, choose_files
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import add_heading, label
from editor.shell.clip_ticks import ClipTicks
from editor.shell.form import CAPTION, Form, choice, take
from editor.shell.importing.entry import Entry, facts, notes, targets
from editor.shell.lengths import UNITS

RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0)
OTHER = -1.0


class Details(QWidget):
    """Shows an entry and writes into it what is chosen.

    Attributes
    ----------
    changed : something was chosen
    reread : the file is to be read again, otherwise
    """

    changed = Signal()
    reread = Signal()

    def __init__(self, theme: Theme, entry: Entry, project: Project, alone: bool) -> None:
        super().__init__()
        self._theme, self._entry, self._project, self._alone = theme, entry, project, alone
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        if entry.found is None:
            self._build_error()
            return
        self._build_facts()
        self._build_told()
        self._build_target()
        self._build_clips()
        self._build_notes()

    def _build_error(self) -> None:
        words = label(self._entry.error or tr("This file has not been read."), "error", wrap=True)
        words.setObjectName("importError")
        self._column.addWidget(words)
        self._build_allow()
        self._column.addStretch(1)

    def _build_allow(self) -> None:
        """Let the file read from a further folder, where it names files there."""
        if not self._entry.reaches_out:
            return
        self.allow = QPushButton(tr("Allow folder…"))
        self.allow.setObjectName("importAllow")
        self.allow.setAutoDefault(False)
        self.allow.setToolTip(tr("Read the file again, with referenced files from a folder that you trust"))
        self.allow.clicked.connect(self._choose_folder)
        row = QHBoxLayout()
        row.addWidget(self.allow)
        row.addStretch(1)
        self._column.addLayout(row)

    def _choose_folder(self) -> None:
        choose_files(
            self,
            tr("Allow folder"),
            [],
            lambda paths: self._allow(paths[0]),
            start=self._entry.path.parent.parent,
            mode=Files.FOLDER,
        )

    def _allow(self, folder: Path) -> None:
        told = self._entry.told
        told.folders = tuple(dict.fromkeys([*told.folders, str(folder)]))
        self.reread.emit()

    def _build_facts(self) -> None:
        assert self._entry.found is not None
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, CAPTION)
        grid.setColumnStretch(1, 1)
        for row, (caption, value) in enumerate(facts(self._entry.found)):
            grid.addWidget(label(caption, "dim"), row, 0)
            grid.addWidget(label(value, wrap=True), row, 1)
        self._column.addLayout(grid)

    # ------------------------------------------------------------ what the file is told to be
    def _build_told(self) -> None:
        options = self._entry.options()
        if options is None:
            return
        add_heading(self._column, self._theme, tr("Read as"))
        form, told = Form(), self._entry.told
        believed: tuple[str, object, str] = (
            tr("As found"),
            None,
            tr("What the file says, or what was guessed"),
        )
        units = [believed, *((tr(name).capitalize(), metres, "") for name, metres in UNITS)]
        self.unit = choice("importUnit", units, tr("Length of one unit in the file"))
        self.axis = choice(
            "importAxis", [believed, *((a, a, "") for a in UP_AXES)], tr("Up axis of the file")
        )
        take(self.unit, told.unit)
        take(self.axis, told.up)
        form.row(tr("Unit"), self.unit, label(tr("up"), "dim"), self.axis, wide=True)
        for box in (self.unit, self.axis):
            box.activated.connect(self._tell)
        if hasattr(options, "frame_time"):
            self._build_rate(form)
        self._column.addLayout(form)

    def _build_rate(self, form: Form) -> None:
        rate = self._entry.told.rate
        entries: list[tuple[str, object, str]] = [(tr("As found"), None, "")]
        entries += [(f"{known:g} fps", known, "") for known in RATES]
        self.rate: QComboBox = choice("importRate", [*entries, (tr("Other"), OTHER, "")],
                                      tr("Frames per second, if the file's own rate is wrong"))  # fmt: skip
        self.fps = NumberField(self._theme, "fps", decimals=3, step=0.1, bounds=(0.01, 10_000.0))
        self.fps.setObjectName("importFps")
        self.fps.setAccessibleName(tr("Frames per second"))
        self.fps.setToolTip(tr("Frames per second"))
        self.fps.setMinimumWidth(96)
        assert self._entry.found is not None
        self.fps.set_value(rate or self._entry.found.report.rate or 30.0)
        take(self.rate, rate if rate is None or rate in RATES else OTHER)
        self.fps.setEnabled(self.rate.currentData() == OTHER)
        self.rate.activated.connect(self._choose_rate)
        self.fps.committed.connect(self._tell)
        form.row(tr("Frame rate"), self.rate, self.fps, wide=True)

    def _choose_rate(self) -> None:
        """Another rate than those listed waits until it is typed."""
        if self.rate.currentData() == OTHER:
            self.fps.setEnabled(True)
        else:
            self._tell()

    def _tell(self, *_: object) -> None:
        told = self._entry.told
        told.unit, told.up = self.unit.currentData(), self.axis.currentData()
        if hasattr(self, "rate"):
            wanted = self.rate.currentData()
            told.rate = (self.fps.value or None) if wanted == OTHER else wanted
        self.reread.emit()

    # ------------------------------------------------------------ where it goes
    def _build_target(self) -> None:
        entry = self._entry
        assert entry.found is not None
        add_heading(self._column, self._theme, tr("Import"))
        form = Form()
        rigs = entry.found.project.rigs
        if len(rigs) > 1:
            every: list[tuple[str, object, str]] = [
                (trn("All {count} character", "All {count} characters", len(rigs)), None, "")
            ]
            self.character = choice("importCharacter", every + [(rig.name, rig.id, "") for rig in rigs],
                                    tr("Which of the file's characters"))  # fmt: skip
            take(self.character, entry.character)
            self.character.activated.connect(self._choose_character)
            form.row(tr("Character"), self.character)
        self.target = choice(
            "importTarget", [], tr("A new character, or only its clips onto an existing one")
        )
        self.target.activated.connect(self._choose_target)
        form.row(tr("Import"), self.target)
        self._column.addLayout(form)
        self._fill_targets()

    def _fill_targets(self) -> None:
        self.target.clear()
        for text, rig in targets(self._entry, self._project, self._alone):
            self.target.addItem(text, rig)
        take(self.target, self._entry.onto)
        self._entry.onto = self.target.currentData()

    def _choose_character(self) -> None:
        self._entry.character = self.character.currentData()
        self._fill_targets()
        self._show_clips()
        self.changed.emit()

    def _choose_target(self) -> None:
        self._entry.onto = self.target.currentData()
        self.changed.emit()

    # ------------------------------------------------------------ clips and notes
    def _build_clips(self) -> None:
        self._clip_place = QVBoxLayout()
        self._clip_place.setSpacing(8)
        self._column.addLayout(self._clip_place, 1)
        self.clips: ClipTicks | None = None
        self._show_clips()

    def _show_clips(self) -> None:
        while self._clip_place.count():
            item = self._clip_place.takeAt(0)
            (item.widget() or _emptied(item.layout())).deleteLater()
        clips = self._entry.chosen().project.clips
        if not clips:
            self._clip_place.addWidget(label(tr("No clips: only the character."), "dim"))
            self._clip_place.addStretch(1)
            return
        self.clips = ClipTicks("importClips", clips)
        self.clips.untick(self._entry.without)
        self.clips.changed.connect(self._tick)
        self._clip_place.addLayout(self.clips.heading(tr("Clips")))
        self._clip_place.addWidget(self.clips, 1)

    def _tick(self) -> None:
        assert self.clips is not None
        self._entry.without = set(self.clips.unticked_names())
        self.changed.emit()

    def _build_notes(self) -> None:
        assert self._entry.found is not None
        lines = notes(self._entry.found.report)
        if not lines:
            return
        self.notes = QPlainTextEdit("\n".join(lines))
        self.notes.setObjectName("importNotes")
        self.notes.setAccessibleName(tr("Notes"))
        self.notes.setReadOnly(True)
        self.notes.setTabChangesFocus(True)
        self.notes.setFixedHeight(min(4, len(lines)) * self.fontMetrics().lineSpacing() + 16)
        self._column.addWidget(self.notes)
        self._build_allow()


def _emptied(layout):
    """A layout without its widgets."""
    while layout.count():
        item = layout.takeAt(0)
        if item.widget() is not None:
            item.widget().deleteLater()
    return layout
