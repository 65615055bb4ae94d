"""The Play panel: terrain, controller, what is drawn, and every number of the step shown."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from core.locomotion.matching.setup import Drive
from core.locomotion.matching.setup_file import write_matching
from core.locomotion.setup import PRESETS
from editor.model.i18n import tr, trn
from editor.model.play.choices import FILE
from editor.model.play.grounds import TERRAINS
from editor.model.play.numbers import Row, rows
from editor.model.play.overlays import OVERLAYS
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Files, choose_files
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import add_heading, dress, label

PRESET_TITLES = {"normal": tr("Normal"), "responsive": tr("Responsive"), "sluggish": tr("Sluggish")}


class PlayPanel(Panel):
    """Choices above, switches, numbers below."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("playPanel")
        self._context = context
        self._play = context.session.feature(Play)
        self._setups = context.session.feature(PlaySetups)
        self._values: list[QLabel] = []
        self._titles: list[QLabel] = []
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        self._build_choices(column)
        self._build_overlays(column)
        add_heading(column, context.theme, tr("Numbers"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        play = self._play
        bindings = Bindings(self)
        bindings.refresh(self.refresh, play.state_changed, play.overlays.changed, self._setups.changed)
        bindings.refresh(self.show_numbers, play.state_changed, play.stepped)
        self.refresh()
        self.show_numbers()

    # ------------------------------------------------------------ building
    def _build_choices(self, column: QVBoxLayout) -> None:
        self.enter = QPushButton()
        self.enter.setObjectName("playEnter")
        self.enter.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.enter.clicked.connect(self._enter)
        column.addWidget(self.enter)
        self.note = label("", "caption", wrap=True)
        column.addWidget(self.note)
        self.terrain = self._box("playTerrain", tr("What the character is driven over"))
        for key, (title, _) in TERRAINS.items():
            self.terrain.addItem(title, key)
        self.terrain.addItem(tr("From a file…"), FILE)
        self.terrain.activated.connect(self._choose_terrain)
        self.preset = self._box("playPreset", tr("How quickly the controller responds"))
        for name in PRESETS:
            self.preset.addItem(PRESET_TITLES.get(name, name), name)
        self.preset.activated.connect(lambda _: self._play.choices.choose_preset(self.preset.currentData()))
        self.drive = self._box(
            "playDrive", tr("How poses are chosen: by the rules of a graph, or nearest frames")
        )
        for drive, title in ((Drive.RULES, tr("Rules")), (Drive.MATCHING, tr("Motion matching"))):
            self.drive.addItem(title, drive)
        self.drive.activated.connect(
            lambda _: self._play.choices.choose_drive(Drive(self.drive.currentData()))
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(1, 1)
        rows_ = (
            (tr("Terrain"), self.terrain),
            (tr("Controller"), self.preset),
            (tr("Driven by"), self.drive),
        )
        for row, (title, box) in enumerate(rows_):
            grid.addWidget(label(title, "dim"), row, 0)
            grid.addWidget(box, row, 1)
        column.addLayout(grid)
        self.lacks = QPushButton()
        self.lacks.setObjectName("playLacks")
        self.lacks.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lacks.clicked.connect(lambda: self._context.window.show_panel("play_setup"))
        dress(self.lacks, self._context.theme, "bones")
        column.addWidget(self.lacks)

    def _box(self, name: str, tip: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        return box

    def _build_overlays(self, column: QVBoxLayout) -> None:
        add_heading(column, self._context.theme, tr("Overlays"))
        grid = QGridLayout()
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(4)
        self.overlays: dict[str, QToolButton] = {}
        for number, (name, overlay) in enumerate(OVERLAYS.items()):
            button = QToolButton()
            button.setText(overlay.title)
            dress(button, self._context.theme, overlay.icon)
            button.setIconSize(QSize(tokens.ICON, tokens.ICON))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setCheckable(True)
            button.setObjectName(f"playShow_{name}")
            button.setToolTip(overlay.tip)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.toggled.connect(lambda on, name=name: self._play.overlays.set(name, on))
            self.overlays[name] = button
            grid.addWidget(button, number // 2, number % 2)
        column.addLayout(grid)

    # ------------------------------------------------------------ doing
    def _enter(self) -> None:
        if self._play.on:
            self._play.leave()
        else:
            self._context.actions.run("play.enter")

    def _choose_terrain(self, index: int) -> None:
        key = self.terrain.itemData(index)
        if key == FILE:
            self.open_terrain()
            self.refresh()
        else:
            self._play.choices.choose_terrain(key)

    def open_terrain(self) -> None:
        """Ask for a file with a terrain."""

        def chosen(paths: list[Path]) -> None:
            try:
                self._play.choices.open_terrain(paths[0])
            except AnimError as error:
                self._context.session.messages.error(str(error))

        folder = Path(str(self._context.session.preferences.get("last_folder") or Path.home()))
        choose_files(
            self, tr("Terrain from a file"), (tr("Terrain (*.json)"),), chosen, Files.ONE, folder, ""
        )

    def open_matching(self) -> None:
        """Ask for a file with numbers of motion matching."""
        setups = self._context.session.feature(PlaySetups)

        def chosen(paths: list[Path]) -> None:
            try:
                setups.read_matching(paths[0])
            except AnimError as error:
                self._context.session.messages.error(str(error))

        title, kinds = tr("Motion matching set-up from a file"), (tr("Motion matching (*.json)"),)
        choose_files(self, title, kinds, chosen, Files.ONE, self._folder(), "")

    def save_matching(self) -> None:
        """Ask for a file to write the numbers of motion matching to."""
        setups = self._context.session.feature(PlaySetups)

        def chosen(paths: list[Path]) -> None:
            try:
                write_matching(setups.matching, paths[0])
            except OSError as error:
                self._context.session.messages.error(f"{paths[0]}: {error.strerror}")

        title, kinds = tr("Save the motion matching set-up"), (tr("Motion matching (*.json)"),)
        choose_files(self, title, kinds, chosen, Files.SAVE, self._folder(), "matching.json")

    def _folder(self) -> Path:
        return Path(str(self._context.session.preferences.get("last_folder") or Path.home()))

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What needs a dialog."""
        return {
            "play.terrain_file": self.open_terrain,
            "play.matching_open": self.open_matching,
            "play.matching_save": self.save_matching,
        }

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show what is chosen."""
        play, choices = self._play, self._play.choices
        self.enter.setText(tr("Leave play mode (Esc)") if play.on else tr("Play the character"))
        reason = choices.why_not()
        self.enter.setEnabled(play.on or not reason)
        text = tr("Preparing the character…") if play.preparing else reason
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self._show_lacks()
        with QSignalBlocker(self.terrain):
            self.terrain.setItemText(
                self.terrain.count() - 1,
                choices.terrain_title if choices.terrain_id == FILE else tr("From a file…"),
            )
            self.terrain.setCurrentIndex(self.terrain.findData(choices.terrain_id))
        with QSignalBlocker(self.preset):
            self.preset.setCurrentIndex(self.preset.findData(choices.preset))
        with QSignalBlocker(self.drive):
            self.drive.setCurrentIndex(self.drive.findData(choices.drive))
        for name, box in self.overlays.items():
            with QSignalBlocker(box):
                box.setChecked(play.overlays[name])

    def _show_lacks(self) -> None:
        off = [one.name for one in self._setups.behaviours if not one.on]
        self.lacks.setVisible(not self._play.choices.why_not())
        self.lacks.setText(
            trn("Set-up: 1 behaviour is off", "Set-up: {count} behaviours are off", len(off))
            if off
            else tr("Set-up: every behaviour is on")
        )
        tip = tr("Which clips, blend spaces and bones drive the character, and what is missing")
        self.lacks.setToolTip("\n".join((tip, *(tr("off: {name}", name=name) for name in off))))

    def show_numbers(self, *_: object) -> None:
        """Show the numbers of the step shown."""
        if not self.isVisible() and self._values:
            return
        found = [*rows(self._play), *self._pace()]
        while len(self._values) < len(found):
            self._add_row(len(self._values))
        for number, (title, value) in enumerate(zip(self._titles, self._values, strict=True)):
            row = found[number] if number < len(found) else Row("", "")
            for widget, text in ((title, row.title), (value, row.text)):
                if widget.text() != text:
                    widget.setText(text)
                if widget.toolTip() != row.tip:
                    widget.setToolTip(row.tip)

    def _add_row(self, number: int) -> None:
        title, value = label("", "dim"), label("")
        value.setFont(self._context.theme.font(tokens.BODY, tabular=True))
        value.setObjectName(f"playNumber{number}")
        self._titles.append(title)
        self._values.append(value)
        self._grid.addWidget(title, number, 0)
        self._grid.addWidget(value, number, 1)

    def _pace(self) -> list[Row]:
        play = self._play
        if play.run is None:
            return []
        return [
            Row(tr("Step + pose"), f"{1000.0 * play.step_seconds:.2f} ms", tr("Mean of the last steps")),
            Row(
                tr("Steps dropped"),
                str(play.clock.dropped),
                tr("Left out where drawing took longer than 4 steps"),
            ),
        ]

    def showEvent(self, event) -> None:
        """Numbers are not kept while out of sight."""
        super().showEvent(event)
        self.show_numbers()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return PlayPanel(context)
