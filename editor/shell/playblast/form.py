"""The fields of the playblast dialog, and what is remembered of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.clips.clip import Clip
from core.media.soundtrack import audible
from editor.gl.camera import Camera, Size
from editor.model.i18n import tr
from editor.model.media.state import Media
from editor.model.session import Session
from editor.model.shot.state import Shot
from editor.qt.dialogs import Files, choose_files
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.tokens import BACKDROPS
from editor.qt.widgets import label, line
from editor.shell.form import Form, choice, take, tick
from editor.shell.playblast.settings import MAX_EDGE, PICTURES, SEE_THROUGH, clip_frames

KEPT = "playblast"
SHOWN = (
    ("mesh", "Mesh"), ("bones", "Bones"), ("grid", "Grid"), ("shadow", "Shadow"), ("ghosts", "Ghosts"),
    ("trails", "Trails"),
)  # fmt: skip
FORMATS = (
    (PICTURES, "PNG images", "One numbered image per frame, lossless"),
    (".gif", "Animated GIF", "128 colours, plays everywhere. Needs the extra 'pictures'"),
    (".webp", "Animated WebP", "Small, may be transparent. Needs the extra 'pictures'"),
    (".mp4", "MP4 video", "H.264; needs the extra 'pictures'"),
)
SIZES = ((1280, 720), (1920, 1080), (1080, 1080), (640, 360))
VIEW, OWN = "view", "own"
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


class PlayblastForm(QWidget):
    """What a person chooses; `changed` tells that it did.

    Parameters
    ----------
    folder : where to write to where nothing is remembered
    """

    changed = Signal()

    def __init__(self, session: Session, theme: Theme, clip: Clip, look: Look, folder: Path) -> None:
        super().__init__()
        self._session, self._theme, self._clip, self._look = session, theme, clip, look
        kept = session.preferences.get(KEPT, {})
        self._kept: dict[str, Any] = kept if isinstance(kept, dict) else {}
        last = Path(str(self._kept.get("folder") or ""))
        self._folder = last if self._kept.get("folder") and last.is_dir() else folder
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        form = Form()
        self._build_target(form)
        self._build_time(form)
        self._build_size(form)
        column.addLayout(form)
        column.addWidget(line())
        shown = Form()
        self._build_shown(shown)
        column.addLayout(shown)
        self._suggest()

    def _build_target(self, form: Form) -> None:
        entries = [(tr(title), suffix, tr(note)) for suffix, title, note in FORMATS]
        self.format = choice("playblastFormat", entries, tr("What is written"))
        take(self.format, self._kept.get("format", PICTURES))
        self.format.activated.connect(self._suggest)
        self.path = QLineEdit()
        self.path.setObjectName("playblastPath")
        self.path.setToolTip(tr("Images get this name and a number"))
        self.path.textChanged.connect(self._changed)
        self.browse = QPushButton(tr("Browse…"))
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        form.row(tr("Format"), self.format)
        form.row(tr("File"), self.path, self.browse, wide=True)

    def _build_time(self, form: Form) -> None:
        playback, last = self._session.playback, clip_frames(self._clip)
        entries = [(tr("Whole clip"), WHOLE, "")]
        if playback.range is not None:
            entries.append((tr("Preview range"), RANGE, ""))
        entries.append((tr("Frames"), FRAMES, ""))
        self.span = choice("playblastSpan", entries, tr("Which part of the clip"))
        take(self.span, RANGE if playback.range is not None else WHOLE)
        self.span.activated.connect(self._show_span)
        self.first = self._number("playblastFirst", tr("First frame"), "f", 0, last)
        self.last = self._number("playblastLast", tr("Last frame"), "f", 0, last)
        self.rate = self._number("playblastRate", tr("Frames per second"), "fps", 0.1, 240, 2)
        self.rate.set_value(float(self._clip.rate.fps))
        form.row(tr("Time"), self.span, self.first, label(tr("to"), "dim"), self.last, wide=True)
        form.row(tr("Rate"), self.rate)

    def _build_size(self, form: Form) -> None:
        pixels = self._view_pixels()
        entries: list[tuple[str, object, str]] = [(tr("As the viewport"), VIEW, f"{pixels[0]} × {pixels[1]}")]
        entries += [(f"{w} × {h}", f"{w}x{h}", "") for w, h in SIZES]
        entries.append((tr("Other"), OWN, ""))
        self.size_choice = choice(
            "playblastSize", entries, tr("The height shows as much as the viewport does")
        )
        take(self.size_choice, self._kept.get("size", VIEW))
        self.size_choice.activated.connect(self._show_size)
        self.wide = self._number("playblastWidth", tr("Width"), "px", 1, MAX_EDGE)
        self.high = self._number("playblastHeight", tr("Height"), "px", 1, MAX_EDGE)
        shot = self._session.feature(Shot)
        cameras: list[tuple[str, object, str]] = [(tr("As the viewport"), "", "")]
        cameras += [(camera.name, str(camera.id), "") for camera in shot.cameras]
        self.camera = choice("playblastCamera", cameras, tr("Which camera of the shot is recorded"))
        take(self.camera, str(shot.camera.id) if shot.through and shot.camera is not None else "")
        self.camera.activated.connect(self._changed)
        if shot.cameras:
            form.row(tr("Camera"), self.camera)
        form.row(tr("Size"), self.size_choice, self.wide, label("×", "dim"), self.high, wide=True)
        own = self._kept.get("own")
        usable = isinstance(own, list) and len(own) == 2 and all(isinstance(edge, int) for edge in own)
        self._own: tuple[int, int] = (own[0], own[1]) if usable and own is not None else SIZES[0]

    def _build_shown(self, form: Form) -> None:
        switches = self._session.switches
        kept = self._kept.get("shown")
        kept = kept if isinstance(kept, dict) else {}
        self.shown = {
            name: tick(tr(title), f"playblastShow_{name}", bool(kept.get(name, switches[name])))
            for name, title in SHOWN
        }
        boxes = list(self.shown.values())
        form.block(tr("Show"), *boxes)
        if not self._session.selection.bones:
            self.shown["trails"].setEnabled(False)
            self.shown["trails"].setToolTip(tr("Trails need selected bones; none is selected"))
        self.transparent = tick(
            tr("Transparent background"), "playblastTransparent", bool(self._kept.get("transparent", False))
        )
        self.opens = tick(
            tr("Open the folder when done"), "playblastOpen", bool(self._kept.get("open", False)),
            tr("Show the folder in the system's file manager"),
        )  # fmt: skip
        self.counter = tick(
            tr("Frame counter"), "playblastCounter", bool(self._kept.get("counter", False)),
            tr("Write the number of the frame into the lower left corner"),
        )  # fmt: skip
        self.sound = tick(
            tr("Sound"), "playblastSound", bool(self._kept.get("sound", True)),
            tr("With the sound of the clip"),
        )  # fmt: skip
        entries = [(tr(title), value, "") for title, value in (("As the viewport", ""), *BACKDROPS)]
        self.background = choice("playblastBackground", entries, tr("What is behind the character"))
        take(self.background, self._kept.get("background", ""))
        self.background.activated.connect(self._changed)
        form.row(tr("Background"), self.background)
        form.row("", self.transparent, self.counter, self.sound)
        form.row("", self.opens)
        for box in (*boxes, self.transparent, self.counter, self.sound):
            box.toggled.connect(self._changed)

    def _number(
        self, name: str, title: str, unit: str, low: float, high: float, decimals: int = 0
    ) -> NumberField:
        field = NumberField(self._theme, unit, decimals=decimals, step=1.0, bounds=(low, high))
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setToolTip(title)
        field.setMinimumWidth(84)
        field.committed.connect(self._changed)
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
            self,
            tr("Record to"),
            [f"{self.format.currentText()} (*{suffix})"],
            lambda paths: self.path.setText(str(paths[0])),
            start=Path(self.path.text()),
            suffix=suffix[1:],
            mode=Files.SAVE,
        )

    def _show_span(self) -> None:
        span, rate = self.span.currentData(), self._clip.rate
        chosen = self._session.playback.range if span == RANGE else (0.0, self._clip.length)
        if span != FRAMES and chosen is not None:
            self.first.set_value(round(rate.to_frame(chosen[0]), 3))
            self.last.set_value(round(rate.to_frame(chosen[1]), 3))
        for field in (self.first, self.last):
            field.setEnabled(span == FRAMES)
        self._changed()

    def _show_size(self) -> None:
        chosen = self.size_choice.currentData()
        named = {f"{w}x{h}": (w, h) for w, h in SIZES}
        size = self._own if chosen == OWN else named.get(chosen, self._view_pixels())
        self.wide.set_value(size[0])
        self.high.set_value(size[1])
        for field in (self.wide, self.high):
            field.setEnabled(chosen == OWN)
        self._changed()

    def _changed(self, *_: object) -> None:
        self.changed.emit()

    def pixels(self) -> tuple[int, int]:
        """The size chosen."""
        return round(self.wide.value or 1), round(self.high.value or 1)

    def follow_name(self) -> None:
        """The name's ending tells the format; what it cannot hold is greyed out."""
        take(self.format, Path(self.path.text().strip()).suffix.lower())
        can = self.format.currentData() in SEE_THROUGH
        self.transparent.setEnabled(can)
        self.background.setEnabled(not (can and self.transparent.isChecked()))
        self.transparent.setToolTip("" if can else tr("Only PNG and WebP can be transparent"))
        heard = bool(audible(self._session.feature(Media).tracks))
        self.sound.setEnabled(heard and self.format.currentData() == ".mp4")
        self.sound.setToolTip(
            tr("The clip has no audio that is not muted") if not heard
            else tr("With the sound of the clip") if self.sound.isEnabled() else tr("Only MP4 has sound")
        )  # fmt: skip
        if self.size_choice.currentData() == OWN:
            self._own = self.pixels()

    def keep(self) -> None:
        """Remember what was chosen for the next time."""
        path = Path(self.path.text())
        self._session.preferences.set(
            KEPT,
            {
                "format": path.suffix.lower(),
                "folder": str(path.parent),
                "size": self.size_choice.currentData(),
                "own": list(self._own),
                "shown": {name: box.isChecked() for name, box in self.shown.items()},
                "transparent": self.transparent.isChecked(),
                "counter": self.counter.isChecked(),
                "sound": self.sound.isChecked(),
                "background": self.background.currentData(),
                "open": self.opens.isChecked(),
            },
        )
