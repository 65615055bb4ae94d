"""The playblast dialog: what to show, in which size and format, and where; progress, and the folder at the end."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.clips.clip import Clip
from core.errors import AnimError
from core.io.movies import why_missing
from core.progress import Progress
from core.timing import TIME_EPSILON
from editor.gl.camera import Camera, Size
from editor.model.i18n import tr, trn
from editor.qt.dialogs import choose_files
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label, line, set_role
from editor.shell.form import Form, choice, take, tick
from editor.shell.playblast.run import record
from editor.shell.playblast.settings import MAX_EDGE, PICTURES, SEE_THROUGH, Playblast, clip_frames
from editor.shell.work_dialog import WorkDialog, open_folder

KEPT = "playblast"
SHOWN = (
    ("mesh", "Mesh"), ("bones", "Bones"), ("grid", "Grid"), ("shadow", "Shadow"), ("ghosts", "Ghosts"),
    ("trails", "Trails"),
)  # fmt: skip
FORMATS = (
    (PICTURES, "PNG pictures", "One numbered picture for each frame, without loss"),
    (".gif", "Animated GIF", "128 colours; plays everywhere; needs the extra 'pictures'"),
    (".webp", "Animated WebP", "Small, may be transparent; needs the extra 'pictures'"),
    (".mp4", "MP4 film", "H.264; needs the extra 'pictures'"),
)
SIZES = ((1280, 720), (1920, 1080), (1080, 1080), (640, 360))
VIEW, OWN = "view", "own"
HIDDEN = {"axes": False, "limits": False}
"""Switches of what only helps in posing."""
WHOLE, RANGE, FRAMES = "whole", "range", "frames"


@dataclass(frozen=True, slots=True)
class Look:
    """How the view shows the character now.

    Parameters
    ----------
    size : logical pixels of the view
    ratio : pixels for each of them
    """

    camera: Camera
    size: Size
    ratio: float = 1.0
    light: bool = False


class PlayblastDialog(WorkDialog):
    """Shows what the view would show while the clip plays; what is not in the document is not in it."""

    def __init__(self, parent: QWidget, context: PanelContext, folder: Path, look: Look) -> None:
        super().__init__(parent, context, tr("Playblast"), "playblast", QSize(520, 488))
        session = context.session
        clip = session.clip
        assert clip is not None  # the action is disabled without one
        self._clip: Clip = clip
        self._look = look
        self._project = session.document.project
        kept = session.preferences.get(KEPT, {})
        self._kept = kept if isinstance(kept, dict) else {}
        kept_folder = Path(str(self._kept.get("folder", "")))
        self._folder = kept_folder if self._kept.get("folder") and kept_folder.is_dir() else folder
        self._files: tuple[Path, ...] = ()
        self._task: Playblast | None = None
        self._build()
        self.start = self.add_go(tr("Record"), self._start, "playblastStart")
        self._suggest()
        self.format.setFocus()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self.show_folder = QPushButton(tr("Open folder"))
        self.show_folder.setObjectName("playblastFolder")
        self.show_folder.setAutoDefault(False)
        self.show_folder.setToolTip(tr("Show the folder in the system's file manager"))
        self.show_folder.clicked.connect(self._open_folder)
        self.show_folder.hide()
        self.outcome_row.addWidget(self.show_folder)
        form = Form()
        self._build_target(form)
        self._build_time(form)
        self._build_size(form)
        self.content.addLayout(form)
        self.content.addWidget(line())
        shown = Form()
        self._build_shown(shown)
        self.content.addLayout(shown)
        self.content.addStretch(1)
        self.summary = label("", "dim", wrap=True)
        self.summary.setObjectName("playblastSummary")
        self.content.addWidget(self.summary)

    def _build_target(self, form: Form) -> None:
        entries = [(tr(title), suffix, tr(note)) for suffix, title, note in FORMATS]
        self.format = choice("playblastFormat", entries, tr("What is written"))
        take(self.format, self._kept.get("format", PICTURES))
        self.format.activated.connect(self._suggest)
        self.path = QLineEdit()
        self.path.setObjectName("playblastPath")
        self.path.setToolTip(tr("Pictures get this name and a number each"))
        self.path.textChanged.connect(self.changed)
        self.browse = QPushButton(tr("Browse…"))
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        form.row(tr("Format"), self.format)
        form.row(tr("File"), self.path, self.browse, wide=True)

    def _build_time(self, form: Form) -> None:
        playback, last = self._context.session.playback, clip_frames(self._clip)
        entries = [(tr("Whole clip"), WHOLE, "")]
        if playback.range is not None:
            entries.append((tr("Preview range"), RANGE, ""))
        entries.append((tr("Frames"), FRAMES, ""))
        self.span = choice("playblastSpan", entries, tr("Which part of the clip"))
        take(self.span, RANGE if playback.range is not None else WHOLE)
        self.span.activated.connect(self._show_span)
        self.first = self._number("playblastFirst", tr("First frame"), "f", 0, last)
        self.last = self._number("playblastLast", tr("Last frame"), "f", 0, last)
        self.rate = self._number("playblastRate", tr("Pictures a second"), "fps", 0.1, 240, 2)
        self.rate.set_value(float(self._clip.rate.fps))
        form.row(tr("Time"), self.span, self.first, label(tr("to"), "dim"), self.last, wide=True)
        form.row(tr("Rate"), self.rate)

    def _build_size(self, form: Form) -> None:
        pixels = self._view_pixels()
        entries: list[tuple[str, object, str]] = [(tr("As the view"), VIEW, f"{pixels[0]} × {pixels[1]}")]
        entries += [(f"{w} × {h}", f"{w}x{h}", "") for w, h in SIZES]
        entries.append((tr("Other"), OWN, ""))
        self.size_choice = choice("playblastSize", entries, tr("Height shows as much as the view does"))
        take(self.size_choice, self._kept.get("size", VIEW))
        self.size_choice.activated.connect(self._show_size)
        self.wide = self._number("playblastWidth", tr("Width"), "px", 1, MAX_EDGE)
        self.high = self._number("playblastHeight", tr("Height"), "px", 1, MAX_EDGE)
        form.row(tr("Size"), self.size_choice, self.wide, label("×", "dim"), self.high, wide=True)
        own = self._kept.get("own", [1280, 720])
        self._own = (int(own[0]), int(own[1])) if isinstance(own, list) and len(own) == 2 else (1280, 720)

    def _build_shown(self, form: Form) -> None:
        switches = self._context.session.switches
        kept = self._kept.get("shown", {})
        self.shown = {
            name: tick(tr(title), f"playblastShow_{name}", bool(kept.get(name, switches[name])))
            for name, title in SHOWN
        }
        boxes = list(self.shown.values())
        form.block(tr("Show"), *boxes)
        if not self._context.session.selection.bones:
            self.shown["trails"].setEnabled(False)
            self.shown["trails"].setToolTip(tr("Trails are those of selected bones; none is selected"))
        self.transparent = tick(
            tr("Transparent background"), "playblastTransparent", bool(self._kept.get("transparent", False))
        )
        self.opens = tick(
            tr("Open the folder when done"), "playblastOpen", bool(self._kept.get("open", False)),
            tr("Show the folder in the system's file manager"),
        )  # fmt: skip
        form.row("", self.transparent)
        form.row("", self.opens)
        for box in (*boxes, self.transparent):
            box.toggled.connect(self.changed)

    def _number(
        self, name: str, title: str, unit: str, low: float, high: float, decimals: int = 0
    ) -> NumberField:
        field = NumberField(self._context.theme, unit, decimals=decimals, step=1.0, minimum=low, maximum=high)
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setToolTip(title)
        field.setMinimumWidth(84)
        field.committed.connect(self.changed)
        return field

    # ------------------------------------------------------------ choosing
    def _view_pixels(self) -> tuple[int, int]:
        width, height = (max(1, round(edge * self._look.ratio)) for edge in self._look.size)
        return min(width, MAX_EDGE), min(height, MAX_EDGE)

    def _suggest(self) -> None:
        """Another format: the same name with its suffix."""
        typed = self.path.text().strip()
        place = Path(typed) if typed else self._folder / self._clip.name.replace("/", "_")
        known = {suffix for suffix, _, _ in FORMATS}
        stem = place.stem if place.suffix.lower() in known else place.name
        self.path.setText(str(place.with_name(f"{stem}{self.format.currentData()}")))
        self._show_span()
        self._show_size()

    def _browse(self) -> None:
        suffix = str(self.format.currentData())
        choose_files(
            self, tr("Record to"), [f"{self.format.currentText()} (*{suffix})"],
            lambda paths: self.path.setText(str(paths[0])),
            save=True, start=Path(self.path.text()), suffix=suffix[1:],
        )  # fmt: skip

    def _show_span(self) -> None:
        span, rate = self.span.currentData(), self._clip.rate
        chosen = self._context.session.playback.range if span == RANGE else (0.0, self._clip.length)
        if span != FRAMES and chosen is not None:
            self.first.set_value(round(rate.to_frame(chosen[0]), 3))
            self.last.set_value(round(rate.to_frame(chosen[1]), 3))
        for field in (self.first, self.last):
            field.setEnabled(span == FRAMES)
        self.changed()

    def _show_size(self) -> None:
        chosen = self.size_choice.currentData()
        named = {f"{w}x{h}": (w, h) for w, h in SIZES}
        size = self._own if chosen == OWN else named.get(chosen, self._view_pixels())
        self.wide.set_value(size[0])
        self.high.set_value(size[1])
        for field in (self.wide, self.high):
            field.setEnabled(chosen == OWN)
        self.changed()

    def _chosen(self) -> Playblast:
        """What is chosen; raises `AnimError` where that cannot be."""
        session, clip = self._context.session, self._clip
        path = Path(self.path.text().strip() or ".")
        if not path.parent.is_dir():
            raise AnimError(tr("There is no folder {folder}", folder=path.parent))
        start, end = (
            min(max(clip.rate.to_seconds(f.value or 0.0), 0.0), clip.length) for f in (self.first, self.last)
        )
        if end < start - TIME_EPSILON:
            raise AnimError(tr("The first frame comes after the last"))
        kind = path.suffix.lower()
        whole = start <= TIME_EPSILON and end >= clip.length - TIME_EPSILON
        view = {name: session.switches[name] for name in ("silhouette", "follow")}
        shown = {name: box.isChecked() and box.isEnabled() for name, box in self.shown.items()}
        return Playblast(
            path, clip.id, start, max(start, end), self.rate.value or clip.rate.fps,
            (round(self.wide.value or 1), round(self.high.value or 1)),
            self._look.camera, session.playback.time, self._look.ratio, self._look.light,
            self.transparent.isChecked() and kind in SEE_THROUGH,
            whole and clip.looping and kind != PICTURES,
            session.playback.in_place, session.evaluator.layers.shown, view | HIDDEN | shown,
            session.selection.bones if shown["trails"] else (),
        )  # fmt: skip

    def changed(self, *_: object) -> None:
        """Say what will be written, or why nothing can be."""
        take(self.format, Path(self.path.text().strip()).suffix.lower())
        can = self.format.currentData() in SEE_THROUGH
        self.transparent.setEnabled(can)
        self.transparent.setToolTip("" if can else tr("Only PNG and WebP can be transparent"))
        if self.size_choice.currentData() == OWN:
            self._own = round(self.wide.value or 1), round(self.high.value or 1)
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
                text += " " + tr("The pose that is not keyed yet is not in it.")
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
        self._keep(task)
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
        if self.opens.isChecked():
            self._open_folder()

    def _open_folder(self) -> None:
        folder = self._files[0].parent
        if not open_folder(folder):
            self.say(tr("Recorded; no file manager could be opened for {folder}", folder=folder), "warning")

    def _keep(self, task: Playblast) -> None:
        """Remember what was chosen for the next time."""
        self._context.session.preferences.set(
            KEPT,
            {
                "format": task.kind,
                "folder": str(task.path.parent),
                "size": self.size_choice.currentData(),
                "own": list(self._own),
                "shown": {name: box.isChecked() for name, box in self.shown.items()},
                "transparent": self.transparent.isChecked(),
                "open": self.opens.isChecked(),
            },
        )


def told(task: Playblast) -> str:
    """What will be written, in a sentence or three."""
    names = task.files()
    words = [
        trn("{count} picture, {seconds} s", "{count} pictures, {seconds} s", task.count,
            seconds=f"{task.count / task.rate:.3g}"),
        names[0] if len(names) == 1 else tr("{first} to {last}", first=names[0], last=names[-1]),
    ]  # fmt: skip
    text = ": ".join(words) + "."
    if task.open_end:
        text += " " + tr("The last frame is left out: it is the first of the next round.")
    if task.kind == ".mp4" and any(edge % 2 for edge in task.size):
        text += " " + tr("MP4 needs even sizes: {w} × {h}.", w=task.size[0] // 2 * 2, h=task.size[1] // 2 * 2)
    there = [name for name in names if (task.path.parent / name).exists()]
    if there:
        text += " " + trn("Replaces {count} file.", "Replaces {count} files.", len(there))
    return text
