"""The playblast dialog: what will be recorded, progress and cancel, and the folder at the end."""

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QWidget

from core.clips.clip import Clip
from core.errors import AnimError
from core.io.movies import why_missing
from core.progress import Progress
from core.timing import TIME_EPSILON
from editor.model.blocking import Blocking
from editor.model.i18n import tr, trn
from editor.model.shot.characters import absolute_files
from editor.qt.panel import PanelContext
from editor.qt.widgets import label, set_role
from editor.shell.playblast.form import Look, PlayblastForm
from editor.shell.playblast.run import record
from editor.shell.playblast.settings import PICTURES, SEE_THROUGH, Playblast
from editor.shell.work_dialog import WorkDialog, open_folder

HIDDEN = {"axes": False, "limits": False, "alignment": False}
"""Switches of what only helps in posing."""


class PlayblastDialog(WorkDialog):
    """Shows what the view would show while the clip plays; what is not in the document is not in it."""

    def __init__(self, parent: QWidget, context: PanelContext, folder: Path, look: Look) -> None:
        super().__init__(parent, context, tr("Playblast"), "playblast", QSize(520, 528))
        session = context.session
        clip = session.evaluator.layered_clip
        assert clip is not None  # the action is disabled without one
        self._clip: Clip = clip
        self._look = look
        self._project = absolute_files(session.document.project, session.document.path)
        self._files: tuple[Path, ...] = ()
        self._task: Playblast | None = None
        self.form = PlayblastForm(session, context.theme, clip, look, folder)
        self._build()
        self.start = self.add_go(tr("Record"), self._start, "playblastStart")
        self.form.changed.connect(self.changed)
        self.changed()
        self.form.format.setFocus()

    def _build(self) -> None:
        self.show_folder = QPushButton(tr("Open folder"))
        self.show_folder.setObjectName("playblastFolder")
        self.show_folder.setAutoDefault(False)
        self.show_folder.setToolTip(tr("Show the folder in the system's file manager"))
        self.show_folder.clicked.connect(self._open_folder)
        self.show_folder.hide()
        self.outcome_row.addWidget(self.show_folder)
        self.content.addWidget(self.form)
        self.content.addStretch(1)
        self.summary = label("", "dim", wrap=True)
        self.summary.setObjectName("playblastSummary")
        self.content.addWidget(self.summary)

    def _chosen(self) -> Playblast:
        """What is chosen; raises `AnimError` where that cannot be."""
        session, clip, form = self._context.session, self._clip, self.form
        path = Path(form.path.text().strip() or ".")
        if not path.parent.is_dir():
            raise AnimError(tr("Folder not found: {folder}", folder=path.parent))
        start, end = (
            min(max(clip.rate.to_seconds(f.value or 0.0), 0.0), clip.length) for f in (form.first, form.last)
        )
        if end < start - TIME_EPSILON:
            raise AnimError(tr("The first frame is after the last"))
        kind = path.suffix.lower()
        whole = start <= TIME_EPSILON and end >= clip.length - TIME_EPSILON
        view = {name: session.switches[name] for name in ("silhouette", "clay", "unlit", "follow")}
        shown = {name: box.isChecked() and box.isEnabled() for name, box in form.shown.items()}
        blocking = session.feature(Blocking)
        return Playblast(
            path, clip.id, start, max(start, end), form.rate.value or clip.rate.fps,
            form.pixels(),
            self._look.camera, session.playback.time, self._look.ratio, self._look.light,
            form.transparent.isChecked() and kind in SEE_THROUGH,
            whole and clip.looping and kind != PICTURES,
            session.playback.in_place, session.evaluator.layers.shown, view | HIDDEN | shown,
            session.selection.bones if shown["trails"] else (),
            str(form.background.currentData() or ""), form.counter.isChecked(),
            form.sound.isEnabled() and form.sound.isChecked(),
            str(form.camera.currentData() or ""), blocking.frames if blocking.on else None,
        )  # fmt: skip

    def changed(self, *_: object) -> None:
        """Say what will be written, or why nothing can be."""
        self.form.follow_name()
        self.hide_outcome()
        self.show_folder.hide()
        text, role = "", "dim"
        try:
            self._task = self._chosen()
            missing = why_missing(self._task.kind) if self._task.kind != PICTURES else None
            if missing is not None:
                raise missing
            text = told(self._task)
            if self._context.session.keying.pending:
                text += " " + tr("Pending pose changes are not recorded.")
        except AnimError as error:
            self._task, text, role = None, str(error), "error"
        self.summary.setText(text)
        set_role(self.summary, role)
        self.start.setEnabled(self._task is not None and not self.working)

    # ------------------------------------------------------------ recording
    def _start(self) -> None:
        task, project = self._task, self._project
        if task is None or self.working:
            return
        self.form.keep()
        preferences = self._context.session.preferences.path

        def work(progress: Progress) -> tuple[Path, ...]:
            return record(project, task, preferences, progress)

        self.begin(tr("Playblast {name}", name=task.path.name), work, self._done)

    def _done(self, files: tuple[Path, ...]) -> None:
        self._files = files
        first = files[0].name
        text = first if len(files) == 1 else tr("{first} to {last}", first=first, last=files[-1].name)
        self.say(tr("Recorded {files}.", files=text), "ok")
        self._context.session.messages.info(tr("Recorded {files}", files=text))
        self.show_folder.show()
        if self.form.opens.isChecked():
            self._open_folder()

    def _open_folder(self) -> None:
        folder = self._files[0].parent
        if not open_folder(folder):
            self.say(tr("Recorded; no file manager could be opened for {folder}", folder=folder), "warning")


def told(task: Playblast) -> str:
    """What will be written, in a sentence or three."""
    names = task.files()
    words = [
        trn("{count} image, {seconds} s", "{count} images, {seconds} s", task.count,
            seconds=f"{task.count / task.rate:.3g}"),
        names[0] if len(names) == 1 else tr("{first} to {last}", first=names[0], last=names[-1]),
    ]  # fmt: skip
    text = ": ".join(words) + "."
    if task.blocking is not None:
        text += " " + tr("Recorded in steps: the Blocking view is on.")
    if task.open_end:
        text += " " + tr("The last frame is left out: it equals the first one of the loop.")
    if task.kind == ".mp4" and any(edge % 2 for edge in task.size):
        text += " " + tr("MP4 needs even sizes: {w} × {h}.", w=task.size[0] // 2 * 2, h=task.size[1] // 2 * 2)
    there = {path.name for path in task.path.parent.iterdir()}.intersection(names)
    if there:
        text += " " + trn("Replaces {count} file.", "Replaces {count} files.", len(there))
    return text
