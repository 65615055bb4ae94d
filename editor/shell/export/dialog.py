"""The export dialog: what to write, where, a preview of the result, progress and outcome."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.evaluation.clip_pipeline import alone
from core.ids import AssetId
from core.progress import Progress
from core.timing import frame_text
from editor.model.i18n import tr, trn
from editor.qt.dialogs import Files, ask, choose_files
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label
from editor.shell.clip_ticks import ClipTicks
from editor.shell.export.choice import Choice, default_scale, writable
from editor.shell.export.form import ChoiceForm
from editor.shell.export.plan import Plan, plan
from editor.shell.export.presets import Presets
from editor.shell.export.proposal import proposed
from editor.shell.export.replacing import Warned, question, warnings_of
from editor.shell.export.run import Outcome, carry_out
from editor.shell.export.written import Written
from editor.shell.form import Form, choice, take
from editor.shell.work_dialog import WorkDialog

KEPT, MOST_KEPT = "export", 30
LEFT, NARROW, WIDEST = 372, 780, 16_777_215
WHOLE, RANGE, FRAMES = "whole", "range", "frames"


class ExportDialog(WorkDialog):
    """The bytes depend on the document and on what is chosen here, on nothing else."""

    def __init__(self, parent: QWidget, context: PanelContext, folder: Path) -> None:
        super().__init__(parent, context, tr("Export"), "export", QSize(920, 660))
        session = context.session
        rig = session.rig
        assert rig is not None  # the action is disabled without one
        self._project, self._rig, self._folder = session.document.project, rig, folder
        self._origins = session.files.origins
        began = session.document.path or self._origins.first
        self._key = str(began or "")
        self._name = began.stem if began else rig.name
        self._own: list[str] = []  # what earlier exports of this document wrote
        self._plan: Plan | None = None
        self._outcome: Outcome | None = None
        self.form = ChoiceForm(context.theme, len(self._project.rigs) > 1)
        self.presets = Presets(self, context.theme, session.preferences, self.form.choice)
        self._build()
        self.export = self.add_go(tr("Export"), self._export, "exportStart")
        self._recall()
        self.path.setFocus()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        columns = self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        columns.setSpacing(24)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addLayout(self._target_form())
        left.addWidget(self.form, 1)
        holder = QWidget()
        left.setContentsMargins(0, 0, 4, 0)
        holder.setLayout(left)
        self._left = holder
        columns.addWidget(holder)
        columns.addLayout(self._right(), 1)
        self.content.addLayout(columns, 1)
        self.form.changed.connect(self._on_choice)
        self.presets.chosen.connect(self._take_choice)
        self.jump = QPushButton()
        self.jump.setObjectName("exportJump")
        self.jump.setAutoDefault(False)
        self.jump.setToolTip(tr("Close and show the bone at that frame"))
        self.jump.clicked.connect(self._jump)
        self.jump.hide()
        self.outcome_row.addWidget(self.jump, 0, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event) -> None:
        """Where there is no room for both halves side by side, one stands below the other."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._columns.direction() is not way or self._left.maximumWidth() != LEFT:
            self._columns.setDirection(way)
            self._left.setMinimumWidth(0 if narrow else LEFT)
            self._left.setMaximumWidth(WIDEST if narrow else LEFT)

    def _target_form(self) -> Form:
        form = Form()
        entries = [(f"{f.title} ({suffix})", suffix, "") for f in writable() for suffix in f.write_suffixes]
        self.format = choice("exportFormat", entries, tr("What is written"))
        self.format.activated.connect(self._suggest)
        self.path = QLineEdit()
        self.path.setObjectName("exportPath")
        self.path.setToolTip(tr("The extension sets the format"))
        self.path.textChanged.connect(self._on_path)
        browse = QPushButton(tr("Browse…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        form.row(tr("Preset"), self.presets.box, self.presets.button, wide=True)
        form.row(tr("Format"), self.format)
        form.row(tr("File"), self.path, browse, wide=True)
        return form

    def _right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        self.clips = ClipTicks("exportClips", alone(self._project, self._project.clips_of(self._rig.id)))
        self.clips.changed.connect(self.changed)
        column.addLayout(self.clips.heading(tr("Clips")))
        column.addWidget(self.clips, 2)
        column.addLayout(self._time_row())
        column.addSpacing(4)
        column.addWidget(label(tr("What will be written"), "title"))
        self.written = Written()
        column.addWidget(self.written.losses)
        column.addWidget(self.written.tree, 3)
        column.addWidget(self.written.notes)
        return column

    def _time_row(self) -> QHBoxLayout:
        entries: list[tuple[str, object, str]] = [(tr("Whole clips"), WHOLE, "")]
        playback = self._context.session.playback
        if playback.range is not None:
            entries.append((tr("Preview range"), RANGE, ""))
        entries.append((tr("Frames"), FRAMES, ""))
        self.span = choice("exportSpan", entries, tr("Which part of each clip"))
        self.span.activated.connect(self._show_span)
        rate = playback.rate
        self.first, self.last = (self._frame_field(name) for name in ("exportFirst", "exportLast"))
        self.first.set_value(0.0)
        self.last.set_value(round(rate.to_frame(playback.length), 3))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label(tr("Time"), "dim"))
        row.addWidget(self.span, 1)
        for widget in (self.first, label(tr("to"), "dim"), self.last):
            row.addWidget(widget)
        return row

    def _frame_field(self, name: str) -> NumberField:
        field = NumberField(self._context.theme, "f", decimals=0, step=1.0, bounds=(0.0, 1e6))
        field.setObjectName(name)
        title = tr("First frame") if name == "exportFirst" else tr("Last frame")
        field.setAccessibleName(title)
        field.setToolTip(title)
        field.setMinimumWidth(72)
        field.committed.connect(self.changed)
        return field

    # ------------------------------------------------------------ what was chosen before
    def _recall(self) -> None:
        kept = self._context.session.preferences.get(KEPT, {})
        mine = kept.get(self._key, {}) if isinstance(kept, dict) else {}
        before = Choice.from_json(mine.get("choice"))
        folder = Path(str(mine.get("folder", "")))
        if mine.get("folder") and folder.is_dir():
            self._folder = folder
        stem = str(mine.get("stem") or self._name)
        own = mine.get("own", [])
        self._own = [str(path) for path in own] if isinstance(own, list) else []
        self.path.setText(self._proposal(self._folder / f"{stem}{before.suffix}"))
        self._take_choice(before)
        self.presets.refill(str(mine.get("preset", "")))
        self.presets.follow(before)
        left_out = {str(name) for name in mine.get("without", [])}
        self.clips.untick(left_out)
        self._show_span()

    def _keep(self, made: Plan) -> None:
        preferences = self._context.session.preferences
        kept = preferences.get(KEPT, {})
        others = (
            {key: value for key, value in kept.items() if key != self._key} if isinstance(kept, dict) else {}
        )
        others = dict(list(others.items())[-MOST_KEPT:])
        path = Path(self.path.text())
        others[self._key] = {
            "choice": made.choice.to_json(),
            "preset": str(self.presets.box.currentData()),
            "folder": str(path.parent),
            "stem": path.stem,
            "own": self._own[-MOST_KEPT:],
            "without": self.clips.unticked_names(),
        }
        preferences.set(KEPT, others)

    # ------------------------------------------------------------ choosing
    def _take_choice(self, choice: Choice) -> None:
        """Show a preset's or remembered settings; the file keeps its name."""
        self.form.show_choice(choice)
        take(self.format, choice.suffix)
        self._suggest()

    def _suggest(self) -> None:
        """Another format: the same name with its suffix."""
        typed = Path(self.path.text()) if self.path.text().strip() else self._folder / self._name
        suffix = str(self.format.currentData())
        known = {s for found in writable() for s in found.suffixes}
        stem = typed.stem if typed.suffix.lower() in known else typed.name
        wanted = self._proposal(typed.with_name(stem + suffix))
        if wanted != self.path.text():
            self.path.setText(wanted)
        else:
            self._on_path()

    def _proposal(self, wanted: Path) -> str:
        """The path, or one beside it where that is the imported file or somebody else's."""
        return str(proposed(wanted, self._origins, self._own))

    def _on_path(self, *_: object) -> None:
        """The name's ending tells the format, wherever it came from."""
        suffix, now = Path(self.path.text().strip()).suffix.lower(), self.form.choice()
        if suffix != now.suffix and self.format.findData(suffix) >= 0:
            take(self.format, suffix)
            own = {"suffix": suffix, "unit": None, "up": None, "scale": default_scale(suffix)}
            self.form.show_choice(Choice.from_json({**now.to_json(), **own}))
        self._on_choice()

    def _on_choice(self) -> None:
        self.presets.follow(self.form.choice())
        self.changed()

    def _browse(self) -> None:
        suffix = str(self.format.currentData())
        choose_files(
            self,
            tr("Export to"),
            [f"{self.format.currentText().rsplit(' (', 1)[0]} (*{suffix})"],
            lambda paths: self.path.setText(str(paths[0])),
            start=Path(self.path.text()),
            suffix=suffix[1:],
            mode=Files.SAVE,
        )

    def _show_span(self) -> None:
        playback = self._context.session.playback
        if self.span.currentData() == RANGE and playback.range is not None:
            for field, seconds in zip((self.first, self.last), playback.range, strict=True):
                field.set_value(round(playback.rate.to_frame(seconds), 3))
        for field in (self.first, self.last):
            field.setEnabled(self.span.currentData() == FRAMES)
        self.changed()

    def _seconds(self) -> tuple[float, float] | None:
        if self.span.currentData() == WHOLE:
            return None
        rate = self._context.session.playback.rate
        return rate.to_seconds(self.first.value or 0.0), rate.to_seconds(self.last.value or 0.0)

    def changed(self, *_: object) -> None:
        """Work out again what will be written, and show it."""
        self._plan = self._plan_for(Path(self.path.text().strip() or "."))
        self.written.show_plan(self._plan, self._origins)
        self.jump.hide()
        self.hide_outcome()
        self.export.setEnabled(not self._plan.problem and not self.working)

    def _plan_for(self, path: Path) -> Plan:
        chosen, choice = self.clips.chosen(), self.form.choice()
        return plan(self._project, self._rig.id, chosen, path, choice, self._seconds())

    # ------------------------------------------------------------ writing
    def _export(self) -> None:
        made = self._plan
        if made is None or made.problem or self.working:
            return
        if not made.replaces:
            self._write(made)
            return

        def look(progress: Progress) -> list[Warned]:
            return warnings_of(made, self._origins, progress)

        def told(found: list[Warned]) -> None:
            beside = self._beside()
            text = question(found, beside.name)
            choices = (("cancel", tr("Cancel")), ("replace", tr("Replace")),
                       ("beside", tr("Keep both")))  # fmt: skip

            def answered(choice: str) -> None:
                if choice == "replace":
                    self._write(made)
                elif choice == "beside":
                    self.path.setText(str(beside))
                    self._export()

            ask(self, self._context.theme, tr("Replace this file?"), text, choices, answered, "beside")

        self.begin(tr("Check {name}", name=made.replaces[0].name), look, told)

    def _beside(self) -> Path:
        """A name that is free, for all files of the export."""
        path, number = Path(self.path.text().strip()), 1
        free = path
        while self._plan_for(free).replaces:
            number += 1
            free = path.with_name(f"{path.stem}_{number}{path.suffix}")
        return free

    def _write(self, made: Plan) -> None:
        files, replaces = self._context.session.files, made.replaces
        files.backups.keep = int(self._context.session.preferences.get("backups"))

        def work(progress: Progress) -> Outcome:
            return carry_out(made, progress, replaces, files.backups)

        self.begin(tr("Export {name}", name=made.targets[0].path.name), work, self._done)

    def _done(self, outcome: Outcome) -> None:
        self._outcome = outcome
        wrote = [
            str(target.path) for target in outcome.plan.targets if not self._origins.includes(target.path)
        ]
        self._own = list(dict.fromkeys([*self._own, *wrote]))
        self._keep(outcome.plan)
        targets, worst = outcome.plan.targets, outcome.worst
        name = targets[0].path.name
        done = trn("Exported {name}.", "Exported {count} files.", len(targets), name=name)
        messages = self._context.session.messages
        if outcome.good:
            messages.info(done.rstrip("."))
        else:
            messages.warn(tr("{name}: verification failed", name=name), done)
        lines = [done]
        if outcome.checked and outcome.good and worst is not None:
            lines = [done + " " + tr("Verified: the largest error is {error}.", error=worst.to_text())]
        elif outcome.checked:
            lines.append(tr("Verification failed:"))
            lines += outcome.problems[:4]
            lines += [worst.to_text()] if worst is not None else []
        self.say("\n".join(lines), "ok" if outcome.good else "error", outcome.notes)
        if outcome.worst_place is not None:
            clip, seconds, _ = outcome.worst_place
            self.jump.setText(tr("Show frame {frame}", frame=frame_text(clip.rate.to_frame(seconds))))
            self.jump.show()

    def _jump(self) -> None:
        """Close, and show where the written motion is farthest off."""
        place = self._outcome.worst_place if self._outcome is not None else None
        if place is not None:
            clip, seconds, bone = place
            self.finished.connect(partial(_show, self._context.session, clip.id, seconds, bone))
            self.close()


def _show(session, clip: AssetId, seconds: float, bone: str, *_: object) -> None:
    if clip in session.document.project.assets:
        session.playback.set_clip(clip)
        session.playback.seek(seconds)
        session.selection.select([bone])
