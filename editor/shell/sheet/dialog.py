"""The contact sheet dialog: which frames and views, how large, and where the picture goes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from core.clips.clip import Clip
from core.errors import AnimError
from core.progress import Progress
from core.shot.camera import ShotCamera
from editor.contact_sheet import SheetStyle, size_of_sheet, spread
from editor.model.i18n import tr, trn
from editor.model.shot.characters import absolute_files
from editor.qt.dialogs import Files, choose_files
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label, line, set_role
from editor.render_shot import CAMERA
from editor.shell.form import Form, choice, take, tick
from editor.shell.sheet.run import draw_sheet
from editor.shell.sheet.settings import MOST_FRAMES, SUFFIX, SheetTask
from editor.shell.work_dialog import WorkDialog, open_folder

KEPT = "contact_sheet"
SHOWN, EVERY = "shown", "every"
VIEWS = (
    ("front", "Front"), ("left", "Left"), ("back", "Back"), ("right", "Right"), ("top", "Top"),
    ("three-quarter", "Three-quarter"),
)  # fmt: skip
OPTIONS = (
    ("follow", "Follow the character", "The character stays in the middle of each picture", True),
    ("turn", "Turn with it", "Front is then always the character's front", False),
    ("bones", "Bones", "Draw the bones, too", False),
    ("clay", "Clay", "One plain colour in place of textures and materials", False),
    ("grid", "Grid", "Draw the ground's grid", True),
    ("labels", "Frame numbers", "Frame numbers, names of views and clips", True),
)
LEAST, MOST = 16, 2048


class SheetDialog(WorkDialog):
    """Frames of the clip shown, or of every clip, in one picture."""

    def __init__(self, parent: QWidget, context: PanelContext, folder: Path) -> None:
        super().__init__(parent, context, tr("Contact sheet"), "sheet", QSize(500, 470))
        session = context.session
        clip = session.evaluator.layered_clip
        assert clip is not None  # the action is disabled without one
        self._clip: Clip = clip
        self._project = absolute_files(session.document.project, session.document.path)
        self._task: SheetTask | None = None
        kept = session.preferences.get(KEPT, {})
        self._kept: dict[str, Any] = kept if isinstance(kept, dict) else {}
        last = Path(str(self._kept.get("folder") or ""))
        self._folder = last if self._kept.get("folder") and last.is_dir() else folder
        self._build()
        self.start = self.add_go(tr("Save"), self._start, "sheetStart")
        self._named()
        self.clips.setFocus()

    def _build(self) -> None:
        form, look = Form(), Form()
        self.path = QLineEdit()
        self.path.setObjectName("sheetPath")
        self.path.textChanged.connect(self.changed)
        browse = QPushButton(tr("Browse…"))
        browse.setObjectName("sheetBrowse")
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        form.row(tr("File"), self.path, browse, wide=True)
        entries = [(tr("The clip shown"), SHOWN, ""), (tr("Every clip"), EVERY, tr("One below the other"))]
        self.clips = choice("sheetClips", entries, tr("Which clips are shown"))
        take(self.clips, self._kept.get("clips", SHOWN))
        self.clips.activated.connect(self._named)
        form.row(tr("Clips"), self.clips)
        self.frames = self._number("sheetFrames", tr("Frames"), "", 1, MOST_FRAMES, "frames", 12)
        self.frames.setToolTip(tr("How many, spread from the first to the last frame"))
        self.columns = self._number("sheetColumns", tr("Columns"), "", 1, 100, "columns", 12)
        self.columns.setToolTip(tr("Maximum number of images side by side"))
        form.row(tr("Frames"), self.frames, label(tr("columns"), "dim"), self.columns)
        self.wide = self._number("sheetWidth", tr("Width"), "px", LEAST, MOST, "width", 200)
        self.high = self._number("sheetHeight", tr("Height"), "px", LEAST, MOST, "height", 280)
        form.row(tr("Image"), self.wide, label("×", "dim"), self.high)
        chosen = self._kept.get("views")
        chosen = chosen if isinstance(chosen, list) else ["front", "left"]
        self.views = {name: tick(tr(title), f"sheetView_{name}", name in chosen) for name, title in VIEWS}
        for camera in self._project.all(ShotCamera):
            view = f"{CAMERA}{camera.name}"
            self.views[view] = tick(camera.name, f"sheetView_{view}", view in chosen)
        look.block(tr("Views"), *self.views.values())
        self.options = {
            name: tick(tr(title), f"sheet_{name}", bool(self._kept.get(name, on)), tr(tip))
            for name, title, tip, on in OPTIONS
        }
        look.block(tr("Show"), *self.options.values())
        for box in (*self.views.values(), *self.options.values()):
            box.toggled.connect(self.changed)
        self.summary = label("", "dim", wrap=True)
        self.summary.setObjectName("sheetSummary")
        self.show_folder = QPushButton(tr("Open folder"))
        self.show_folder.setObjectName("sheetFolder")
        self.show_folder.setAutoDefault(False)
        self.show_folder.clicked.connect(self._open_folder)
        self.show_folder.hide()
        self.outcome_row.addWidget(self.show_folder)
        self.content.addLayout(form)
        self.content.addWidget(line())
        self.content.addLayout(look)
        self.content.addStretch(1)
        self.content.addWidget(self.summary)

    def _number(
        self, name: str, title: str, unit: str, low: int, high: int, key: str, value: int
    ) -> NumberField:
        kept = self._kept.get(key, value)
        field = NumberField(self._context.theme, unit, decimals=0, step=1.0, bounds=(low, high))
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setMinimumWidth(84)
        field.set_value(kept if isinstance(kept, int) and low <= kept <= high else value)
        field.committed.connect(self.changed)
        return field

    def _named(self, *_: object) -> None:
        """Propose a name after what is shown."""
        title = self._context.session.document.title if self.clips.currentData() == EVERY else self._clip.name
        stem = "".join(c if c.isalnum() or c in "-_. " else "_" for c in title).strip() or "sheet"
        typed = self.path.text().strip()
        folder = Path(typed).parent if typed else self._folder
        self.path.setText(str(folder / f"{stem}{SUFFIX}"))
        self.changed()

    def _browse(self) -> None:
        choose_files(
            self, tr("Contact sheet"), [f"PNG (*{SUFFIX})"], lambda paths: self.path.setText(str(paths[0])),
            start=Path(self.path.text()), suffix=SUFFIX[1:], mode=Files.SAVE,
        )  # fmt: skip

    # ------------------------------------------------------------ what is chosen
    def _shown_clips(self) -> tuple[Clip, ...]:
        if self.clips.currentData() != EVERY:
            return (self._clip,)
        return tuple(self._project.clips_of(self._clip.rig))

    def _chosen(self) -> SheetTask:
        """What is chosen; raises `AnimError` where that cannot be."""
        path = Path(self.path.text().strip() or ".")
        if not path.parent.is_dir():
            raise AnimError(tr("Folder not found: {folder}", folder=path.parent))
        views = tuple(name for name, box in self.views.items() if box.isChecked())
        if not views:
            raise AnimError(tr("Choose at least one view"))
        style = SheetStyle(
            views=views,
            cell=(round(self.wide.value or LEAST), round(self.high.value or LEAST)),
            columns=round(self.columns.value or 1),
            light=not self._context.theme.tokens.dark,
        )
        style = replace(style, **{name: box.isChecked() for name, box in self.options.items()})  # type: ignore[arg-type]
        clips = self._shown_clips()
        return SheetTask(path, tuple(clip.id for clip in clips), round(self.frames.value or 1), style)

    def changed(self, *_: object) -> None:
        """Say what will be written, or why nothing can be."""
        self.hide_outcome()
        self.show_folder.hide()
        text, role = "", "dim"
        try:
            self._task = self._chosen()
            text = self._told(self._task)
        except AnimError as error:
            self._task, text, role = None, str(error), "error"
        self.summary.setText(text)
        set_role(self.summary, role)
        self.start.setEnabled(self._task is not None and not self.working)

    def _told(self, task: SheetTask) -> str:
        """What will be written; raises `ValidationError` where it is too large."""
        counts = [len(spread(clip, task.frames)) for clip in self._shown_clips()]
        width, height = size_of_sheet(counts, task.style)
        total = sum(counts) * len(task.style.views)
        text = trn("{count} image", "{count} images", total) + f": {width} × {height} px."
        return text + (" " + tr("Replaces the file.") if task.path.exists() else "")

    # ------------------------------------------------------------ drawing
    def _start(self) -> None:
        task, project = self._task, self._project
        if task is None or self.working:
            return
        self._keep(task)

        def work(progress: Progress) -> tuple[int, int]:
            return draw_sheet(project, task, progress)

        def done(size: tuple[int, int]) -> None:
            text = tr("Saved {name}, {w} × {h} px", name=task.path.name, w=size[0], h=size[1])
            self.say(text + ".", "ok")
            self._context.session.messages.info(text)
            self.show_folder.show()

        self.begin(tr("Contact sheet {name}", name=task.path.name), work, done)

    def _keep(self, task: SheetTask) -> None:
        """Remember what was chosen for the next time."""
        self._context.session.preferences.set(
            KEPT,
            {
                "folder": str(task.path.parent), "clips": self.clips.currentData(), "frames": task.frames,
                "columns": task.style.columns, "width": task.style.cell[0], "height": task.style.cell[1],
                "views": list(task.style.views),
                **{name: box.isChecked() for name, box in self.options.items()},
            },
        )  # fmt: skip

    def _open_folder(self) -> None:
        folder = Path(self.path.text()).parent
        if not open_folder(folder):
            self.say(tr("Saved; no file manager could be opened for {folder}", folder=folder), "warning")
