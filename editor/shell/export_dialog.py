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

from core.ids import AssetId
from core.io.prepare import Keys, Prepare, RestScale, Root
from core.io.presets import PRESETS, Exported, export
from core.progress import Progress
from editor.model.i18n import tr
from editor.model.jobs import Job
from editor.qt.dialogs import Dialog, choose_files
from editor.qt.number_field import NumberField
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
        self._job: Job[Exported] | None = None
        self._plan: Plan | None = None
        self._name = session.document.path.stem if session.document.path else rig.name
        self.resize(620, 680)
        self._build_choices(folder)
        self._build_preview()
        self._build_progress()
        self.cancel = self.add_button(tr("Cancel"), self._cancel, name="cancelExport")
        self.export = self.add_button(tr("Export"), self._export, default=True, name="startExport")
        self._suggest()

    # ------------------------------------------------------------ building
    def _build_settings(self) -> QGridLayout:
        """What is done before writing, and whether the file is read back."""
        self.preset = QComboBox()
        self.preset.setObjectName("exportPreset")
        self.preset.addItem(tr("None"), "")
        for preset in PRESETS.values():
            self.preset.addItem(preset.title, preset.id)
            self.preset.setItemData(self.preset.count() - 1, preset.note, Qt.ItemDataRole.ToolTipRole)
        self.preset.activated.connect(self._choose_preset)
        self.keys = QComboBox()
        self.keys.setObjectName("exportKeys")
        for text, keys in (
            (tr("As they are"), Keys.OWN),
            (tr("On every frame"), Keys.FRAMES),
            (tr("Reduced"), Keys.REDUCED),
        ):
            self.keys.addItem(text, keys)
        self.keys.activated.connect(self._preview)
        self.millimetres = NumberField(self._context.theme, "mm", decimals=2, minimum=0.01, maximum=100.0)
        self.millimetres.set_value(1.0)
        self.millimetres.setObjectName("exportMillimetres")
        self.millimetres.setAccessibleName(tr("Allowed distance"))
        self.millimetres.committed.connect(self._preview)
        self.root = QComboBox()
        self.root.setObjectName("exportRoot")
        for text, root in (
            (tr("Stays in the pose"), Root.KEEP),
            (tr("In place"), Root.IN_PLACE),
            (tr("On a bone of its own"), Root.EXTRACTED),
        ):
            self.root.addItem(text, root)
        self.root.activated.connect(self._preview)
        self.check = QCheckBox(tr("Read the file back and compare"))
        self.check.setObjectName("exportCheck")
        self.check.setChecked(True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        return grid

    def _choose_preset(self) -> None:
        """A program's settings: its format, and what it expects of the rest."""
        chosen = PRESETS.get(str(self.preset.currentData()))
        if chosen is not None:
            self.format.setCurrentIndex(max(0, self.format.findData(chosen.suffix)))
            self.keys.setCurrentIndex(self.keys.findData(chosen.keys))
            self._suggest()
        else:
            self._preview()

    def _prepare(self) -> Prepare:
        preset = PRESETS.get(str(self.preset.currentData()))
        return Prepare(
            scale=preset.scale if preset is not None else RestScale.KEEP,
            one_root=preset is not None and preset.one_root,
            keys=Keys(self.keys.currentData()),
            millimetres=self.millimetres.value or 1.0,
            root=Root(self.root.currentData()),
        )

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
        settings = self._build_settings()
        for place, (text, field) in enumerate(
            (
                (tr("For"), self.preset),
                (tr("Keys"), self.keys),
                (tr("Root motion"), self.root),
                (tr("At most"), self.millimetres),
            )
        ):
            settings.addWidget(label(text, "dim"), place // 2, 2 * (place % 2))
            settings.addWidget(field, place // 2, 2 * (place % 2) + 1)
        self.body.addLayout(settings)
        grid.addWidget(label(tr("Format"), "dim"), 0, 0)
        grid.addWidget(self.format, 0, 1, 1, 2)
        grid.addWidget(label(tr("File"), "dim"), 1, 0)
        grid.addWidget(self.path, 1, 1)
        grid.addWidget(browse, 1, 2)
        options = QHBoxLayout()
        options.setSpacing(16)
        options.addWidget(self.meshes)
        options.addWidget(self.embed)
        options.addWidget(self.check)
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
        self.millimetres.setEnabled(Keys(self.keys.currentData()) is Keys.REDUCED)
        self._plan = plan(
            self._project,
            self._rig.id,
            self._chosen(),
            path,
            self.meshes.isChecked(),
            self.embed.isChecked(),
            str(self.preset.currentData()),
            self._prepare(),
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

        check = self.check.isChecked()

        def work(progress: Progress) -> Exported:
            return export(
                project, chosen.path, chosen.prepare, chosen.options, self_check=check, progress=progress
            )

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

    def _done(self, done: Exported) -> None:
        assert self._plan is not None
        name = self._plan.path.name
        lines = [tr("Exported {name}.", name=name)]
        role = "ok"
        if done.check is not None:
            worst = done.check.worst
            if done.check.good and worst is not None:
                lines.append(tr("Read back, the largest error is {error}.", error=worst.to_text()))
            else:
                lines.append(tr("Read back, the file is not what it should be:"))
                lines += [*done.check.problems[:3], *([worst.to_text()] if worst is not None else [])]
                role = "error"
        text = done.report.to_text()
        lines += [text] if text else []
        self._end("\n".join(lines), role)
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
