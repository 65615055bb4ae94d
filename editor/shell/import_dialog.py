"""The import dialog: what the file holds, what had to be guessed, and where it goes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from core.errors import AnimError
from core.ids import AssetId
from core.io import ImportReport
from core.io.bvh.options import BvhReadOptions
from core.rig.rig import Rig
from editor.model.files import Imported
from editor.model.i18n import tr, trn
from editor.qt.dialogs import Dialog
from editor.qt.panel import PanelContext
from editor.qt.widgets import label

UNITS = (("millimetre", 0.001), ("centimetre", 0.01), ("inch", 0.0254), ("foot", 0.3048), ("metre", 1.0))
AXES = ("+Y", "+Z", "-Y", "-Z", "+X", "-X")


def facts(found: Imported) -> list[tuple[str, str]]:
    """What the dialog lists: caption and value."""
    project, report = found.project, found.report
    bones = sum(len(rig.skeleton) for rig in project.rigs)
    meshes = project.all(_mesh_type())
    rows = [
        (tr("Format"), report.format + (f" ({report.producer})" if report.producer else "")),
        (tr("Skeleton"), trn("{count} bone", "{count} bones", bones)),
        (
            tr("Meshes"),
            tr("{count}, {vertices} vertices", count=len(meshes), vertices=f"{sum(len(m.positions) for m in meshes):,}")
            if meshes
            else tr("none"),
        ),
    ]
    if report.frames:
        text = tr(
            "{frames} at {rate} a second, {seconds} s",
            frames=report.frames,
            rate=f"{report.rate:g}",
            seconds=f"{report.duration:.4g}",
        )
        rows.append((tr("Frames"), text + (f" ({tr('rate guessed')})" if report.rate_guessed else "")))
    rows.append((tr("Unit"), report.unit + (f" ({tr('guessed from the size')})" if report.unit_guessed else "")))
    rows.append((tr("Up"), report.up_axis + (f" ({tr('guessed from the pose')})" if report.up_axis_guessed else "")))
    return rows


def notes(report: ImportReport) -> str:
    """Everything that had to change or stay away, one line each."""
    lines = [tr("Renamed: {old} is now {new}", old=old, new=new) for old, new in report.renamed]
    lines += [tr("Left out: {text}", text=text) for text in report.left_out]
    lines += [tr("Note: {text}", text=text) for text in report.warnings]
    return "\n".join(lines)


def _mesh_type():
    from core.rig.mesh import Mesh

    return Mesh


class ImportDialog(Dialog):
    """Import adds to the document in one undo step; closing the dialog takes nothing."""

    def __init__(self, parent: QWidget, context: PanelContext, found: Imported) -> None:
        super().__init__(parent, tr("Import {name}", name=found.path.name), "importDialog")
        self._context, self._found = context, found
        self.resize(520, 480)
        self._build_facts()
        self._build_target()
        self._build_clips()
        self._build_notes()
        self.problem = label("", "error", wrap=True)
        self.problem.hide()
        self.body.addWidget(self.problem)
        self.add_button(tr("Cancel"), self.close, name="cancelImport")
        self.add_button(tr("Import"), self._import, default=True, name="acceptImport")

    def _build_facts(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for row, (caption, value) in enumerate(facts(self._found)):
            grid.addWidget(label(caption, "dim"), row, 0)
            grid.addWidget(label(value, wrap=True), row, 1)
        self._add_guesses(grid)
        self.body.addLayout(grid)

    def _add_guesses(self, grid: QGridLayout) -> None:
        """What the file does not say can be said here; it is then read again."""
        self.unit, self.axis = QComboBox(), QComboBox()
        if self._found.path.suffix.lower() != ".bvh":
            return
        self.unit.setObjectName("importUnit")
        self.axis.setObjectName("importAxis")
        self.unit.addItem(tr("as guessed"), None)
        for name, metres in UNITS:
            self.unit.addItem(tr(name), metres)
        self.axis.addItem(tr("as guessed"), None)
        for axis in AXES:
            self.axis.addItem(axis, axis)
        row = grid.rowCount()
        grid.addWidget(label(tr("Read as"), "dim"), row, 0)
        choices = QHBoxLayout()
        choices.setSpacing(8)
        for caption, box in ((tr("unit"), self.unit), (tr("up"), self.axis)):
            choices.addWidget(label(caption, "caption"))
            choices.addWidget(box)
        choices.addStretch(1)
        grid.addLayout(choices, row, 1)
        self.unit.activated.connect(self._read_again)
        self.axis.activated.connect(self._read_again)

    def _build_target(self) -> None:
        self.target = QComboBox()
        self.target.setObjectName("importTarget")
        if self._found.project.rigs:
            self.target.addItem(tr("As a new character"), "")
        project = self._context.session.document.project
        for rig in self._found.fits:
            name = project.get(Rig, rig).name
            self.target.addItem(tr("Clips only, onto {name}", name=name), rig)
        if self._found.fits and self._found.project.clips and not self._has_meshes():
            self.target.setCurrentIndex(self.target.count() - 1)
        self.body.addWidget(self.target)

    def _has_meshes(self) -> bool:
        return bool(self._found.project.all(_mesh_type()))

    def _build_clips(self) -> None:
        self.clips = QListWidget()
        self.clips.setObjectName("importClips")
        self.clips.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        for clip in self._found.project.clips:
            item = QListWidgetItem(f"{clip.name}   {clip.frames:.4g} f · {clip.length:.3g} s")
            item.setData(Qt.ItemDataRole.UserRole, clip.id)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.clips.addItem(item)
        self.clips.setVisible(bool(self._found.project.clips))
        self.body.addWidget(self.clips, 1)

    def _build_notes(self) -> None:
        text = notes(self._found.report)
        if not text:
            return
        self.notes = QPlainTextEdit(text)
        self.notes.setObjectName("importNotes")
        self.notes.setReadOnly(True)
        self.notes.setMaximumHeight(96)
        self.body.addWidget(self.notes)

    def _read_again(self) -> None:
        options = BvhReadOptions(self.unit.currentData(), self.axis.currentData())
        files = self._context.session.files
        self.close()
        files.inspect(self._found.path, options)

    def _chosen(self) -> set[AssetId]:
        items = [self.clips.item(row) for row in range(self.clips.count())]
        return {i.data(Qt.ItemDataRole.UserRole) for i in items if i.checkState() is Qt.CheckState.Checked}

    def _import(self) -> None:
        try:
            self._context.session.files.accept(self._found, self.target.currentData() or None, self._chosen())
        except AnimError as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.close()
