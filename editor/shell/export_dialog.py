"""The export dialog: what to write, where, a preview of the result, progress and outcome."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

import core.io
from core.ids import AssetId
from core.io import ExportReport
from core.progress import Progress
from editor.model.i18n import tr
from editor.model.jobs import Job
from editor.qt.dialogs import Dialog, choose_files
from editor.qt.panel import PanelContext
from editor.qt.widgets import label, set_role
from editor.shell.export_plan import Plan, plan, writable


class ExportDialog(Dialog):
    """The bytes depend on the document and on what is chosen here, on nothing else."""

    def __init__(self, parent: QWidget, context: PanelContext, folder: Path) -> None:
        super().__init__(parent, tr("Export"), "exportDialog")
        self._context = context
        session = context.session
        rig = session.rig
        assert rig is not None  # the action is disabled without one
        self._project, self._rig = session.document.project, rig
        self._job: Job[ExportReport] | None = None
        self._plan: Plan | None = None
        self._name = session.document.path.stem if session.document.path else rig.name
        self.resize(560, 560)
        self._build_choices(folder)
        self._build_preview()
        self._build_progress()
        self.cancel = self.add_button(tr("Cancel"), self._cancel, name="cancelExport")
        self.export = self.add_button(tr("Export"), self._export, default=True, name="startExport")
        self._suggest()

    # ------------------------------------------------------------ building
    def _build_choices(self, folder: Path) -> None:
        self.format = QComboBox()
        self.format.setObjectName("exportFormat")
        for found in writable():
            for suffix in found.write_suffixes:
                self.format.addItem(f"{found.title} ({suffix})", suffix)
        self.format.activated.connect(self._suggest)
        self._folder = folder
        self.path = QLineEdit()
        self.path.setObjectName("exportPath")
        self.path.textChanged.connect(self._preview)
        browse = QPushButton(tr("Browse…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        self.meshes = QCheckBox(tr("Meshes"))
        self.meshes.setObjectName("exportMeshes")
        self.meshes.setChecked(True)
        self.meshes.toggled.connect(self._preview)
        self.embed = QCheckBox(tr("Everything in one file"))
        self.embed.setObjectName("exportEmbed")
        self.embed.toggled.connect(self._preview)
        self.clips = QListWidget()
        self.clips.setObjectName("exportClips")
        self.clips.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        for clip in self._project.clips_of(self._rig.id):
            item = QListWidgetItem(clip.name)
            item.setData(Qt.ItemDataRole.UserRole, clip.id)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
            self.clips.addItem(item)
        self.clips.itemChanged.connect(self._preview)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label(tr("Format"), "dim"), 0, 0)
        grid.addWidget(self.format, 0, 1, 1, 2)
        grid.addWidget(label(tr("File"), "dim"), 1, 0)
        grid.addWidget(self.path, 1, 1)
        grid.addWidget(browse, 1, 2)
        options = QHBoxLayout()
        options.setSpacing(16)
        options.addWidget(self.meshes)
        options.addWidget(self.embed)
        options.addStretch(1)
        grid.addWidget(label(tr("With"), "dim"), 2, 0)
        grid.addLayout(options, 2, 1, 1, 2)
        grid.addWidget(label(tr("Clips"), "dim"), 3, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.clips, 3, 1, 1, 2)
        grid.setRowStretch(3, 1)
        self.body.addLayout(grid, 1)

    def _build_preview(self) -> None:
        self.body.addWidget(label(tr("What will be written"), "title"))
        self.preview = QPlainTextEdit()
        self.preview.setObjectName("exportPreview")
        self.preview.setReadOnly(True)
        self.preview.setMinimumHeight(120)
        self.body.addWidget(self.preview, 1)

    def _build_progress(self) -> None:
        self.bar = QProgressBar()
        self.bar.setObjectName("exportProgress")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.outcome = label("", "dim", wrap=True)
        self.outcome.setObjectName("exportOutcome")
        self.outcome.hide()
        self.body.addWidget(self.bar)
        self.body.addWidget(self.outcome)
        self._timer = QTimer(self)
        self._timer.setInterval(50)
        self._timer.timeout.connect(self._show_progress)

    # ------------------------------------------------------------ choosing
    def _suggest(self) -> None:
        """Another format: the same name with its suffix."""
        typed = Path(self.path.text()) if self.path.text().strip() else self._folder / self._name
        suffix = str(self.format.currentData())
        stem = typed.with_suffix("") if typed.suffix.lower() in self._suffixes() else typed
        self.path.setText(str(stem.with_name(stem.name + suffix)))
        self._preview()

    def _suffixes(self) -> set[str]:
        return {suffix for found in writable() for suffix in found.suffixes}

    def _browse(self) -> None:
        suffix = str(self.format.currentData())
        choose_files(
            self,
            tr("Export to"),
            [f"{self.format.currentText().rsplit(' (', 1)[0]} (*{suffix})"],
            lambda paths: self.path.setText(str(paths[0])),
            save=True,
            start=Path(self.path.text()),
            suffix=suffix[1:],
        )

    def _chosen(self) -> set[AssetId]:
        items = [self.clips.item(row) for row in range(self.clips.count())]
        return {i.data(Qt.ItemDataRole.UserRole) for i in items if i.checkState() is Qt.CheckState.Checked}

    def _preview(self, *_: object) -> None:
        path = Path(self.path.text().strip() or ".")
        self._plan = plan(
            self._project, self._rig.id, self._chosen(), path, self.meshes.isChecked(), self.embed.isChecked()
        )
        self.embed.setVisible(path.suffix.lower() == ".gltf")
        self.meshes.setEnabled(self._plan.format != "bvh")
        exists = [name for name in self._plan.files if (path.parent / name).exists()]
        lines = [self._plan.problem] if self._plan.problem else [", ".join(self._plan.files)]
        lines += [f"  {line}" for line in self._plan.lines]
        if exists:
            lines.append(tr("Replaces {names}, which is there already.", names=", ".join(exists)))
        self.preview.setPlainText("\n".join(lines))
        self.export.setEnabled(not self._plan.problem)

    # ------------------------------------------------------------ writing
    def _export(self) -> None:
        chosen, project = self._plan, self._project
        if chosen is None or chosen.problem or self._job is not None:
            return

        def work(progress: Progress) -> ExportReport:
            return core.io.save(project, chosen.path, chosen.options, progress, chosen.format)

        self.export.setEnabled(False)
        self.bar.setValue(0)
        self.bar.show()
        self.outcome.hide()
        self._timer.start()
        title = tr("Export {name}", name=chosen.path.name)
        self._job = Job(title, work, self._done, self._failed, self._stopped)
        self._context.session.jobs.start(self._job)

    def _show_progress(self) -> None:
        if self._job is not None:
            self.bar.setValue(round(self._job.fraction * 1000))

    def _end(self, text: str, role: str) -> None:
        self._job = None
        self._timer.stop()
        self.bar.hide()
        self.outcome.setText(text)
        set_role(self.outcome, role)
        self.outcome.show()
        self._preview()

    def _done(self, report: ExportReport) -> None:
        assert self._plan is not None
        name = self._plan.path.name
        text = report.to_text()
        self._end(tr("Exported {name}.", name=name) + (f"\n{text}" if text else ""), "ok")
        self._context.session.messages.info(tr("Exported {name}", name=name))
        self.cancel.setText(tr("Close"))

    def _failed(self, error: Exception) -> None:
        self._end(str(error), "error")

    def _stopped(self) -> None:
        self._end(tr("Cancelled; nothing was written."), "warning")

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
        else:
            self.close()

    def reject(self) -> None:
        """Escape: cancels the export first, then closes."""
        if self._job is not None:
            self._job.cancel()
        else:
            super().reject()
