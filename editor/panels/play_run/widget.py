"""The played run: transport and speed above, the scrub bar below; clips and files leave it here."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from core.errors import AnimError
from editor.model.i18n import tr
from editor.model.play.baking import PlayBaking
from editor.model.play.clock import SPEEDS
from editor.model.play.inputs import PlayInputs
from editor.model.play.state import Play
from editor.panels.play_run.bar import ScrubBar
from editor.panels.play_run.view_model import ScrubModel
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Files, choose_files
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import Dress, icon_button, label, line, tell

CLIP_FILES = ("glTF (*.glb)", "FBX (*.fbx)", "BVH (*.bvh)", "Posewright (*.posewright)")
INPUT_FILES = (tr("Played inputs (*.json)"),)


class PlayRunPanel(Panel):
    """Transport, scrub bar."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("playRunPanel")
        self._context = context
        self._play = context.session.feature(Play)
        self._baking = context.session.feature(PlayBaking)
        self._inputs = context.session.feature(PlayInputs)
        self.model = ScrubModel(self._play)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._transport())
        column.addWidget(line())
        self.bar = ScrubBar(context, self.model)
        column.addWidget(self.bar, 1)
        play = self._play
        bindings = Bindings(self)
        bindings.refresh(self.refresh, play.state_changed)
        bindings.refresh(self._stepped, play.stepped, play.state_changed)
        self.refresh()
        self._stepped()

    def focus_widget(self) -> QWidget:
        """The scrub bar."""
        return self.bar

    # ------------------------------------------------------------ building
    def _transport(self) -> QHBoxLayout:
        play = self._play
        row = QHBoxLayout()
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(4)
        self.restart = self._button(
            row, "start", tr("Restart where the terrain begins (R)"), "playRestart", play.restart
        )
        self.back = self._button(
            row, "back", tr("One recorded step back (,)"), "playBack", lambda: self._go(-1)
        )
        self.toggle = self._button(row, "play", tr("Run"), "playToggle", self._toggle)
        self._dress = Dress(self.toggle, self._context.theme, "play", "text")
        self.ahead = self._button(row, "forward", tr("One step, 1/60 s (.)"), "playStep", play.step_once)
        self.speed = ChoiceBox()
        self.speed.setObjectName("playSpeed")
        self.speed.setToolTip(tr("Speed: slow motion shows the way between two steps"))
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.speed.setFixedWidth(76)
        self.speed.activated.connect(self._choose_speed)
        row.addWidget(self.speed)
        self.time = label("", "dim")
        self.time.setObjectName("playTime")
        self.time.setFont(self._context.theme.font(tokens.BODY, tabular=True))
        row.addSpacing(8)
        row.addWidget(self.time)
        row.addStretch(1)
        self.here = self._push(
            row, tr("Go on from here"), tr("Drop what is recorded after this step; steering does the same"),
            "playHere", self._go_on,
        )  # fmt: skip
        self.bake = self._push(
            row, tr("Bake to clip"), tr("The chosen span, or all, as a new clip with root motion: one undo step"),
            "playBake", self._baking.new_clip,
        )  # fmt: skip
        self.out = self._push(
            row, tr("Export…"), tr("The chosen span, or all, as a file; the document stays as it is"), "playExport",
            self.export,
        )  # fmt: skip
        return row

    def _button(
        self, row: QHBoxLayout, icon: str, tip: str, name: str, act: Callable[[], object]
    ) -> QToolButton:
        button = icon_button(self._context.theme, icon, tip, name=name)
        button.clicked.connect(lambda: act())
        row.addWidget(button)
        return button

    def _push(
        self, row: QHBoxLayout, text: str, tip: str, name: str, act: Callable[[], object]
    ) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: act())
        row.addWidget(button)
        return button

    # ------------------------------------------------------------ doing
    def _toggle(self) -> None:
        if self._play.on:
            self._play.toggle()
        else:
            self._context.actions.run("play.enter")

    def _go(self, by: int) -> None:
        if self._play.run is not None:
            self._play.goto(self._play.run.at + by)

    def _go_on(self) -> None:
        self._play.go_on_from_here()
        self._play.start()

    def _choose_speed(self, index: int) -> None:
        self._play.clock.speed = SPEEDS[index]
        self._play.state_changed.emit(None)

    def export(self) -> None:
        """Ask for a file, and write the run to it."""
        self._choose(
            tr("Export the played run"),
            CLIP_FILES,
            "glb",
            f"{self._baking.free_name()}.glb",
            self._baking.export,
        )

    def save_inputs(self) -> None:
        """Ask for a file, and write the inputs to it."""
        self._choose(
            tr("Save the played inputs"), INPUT_FILES, "json", "played inputs.json", self._inputs.save
        )

    def open_inputs(self) -> None:
        """Ask for a file with inputs, and play them."""
        self._choose(tr("Play recorded inputs"), INPUT_FILES, "", "", self._inputs.open)

    def _choose(
        self, title: str, filters: tuple[str, ...], suffix: str, name: str, act: Callable[[Path], object]
    ) -> None:
        def chosen(paths: list[Path]) -> None:
            try:
                act(paths[0])
            except (AnimError, OSError) as error:
                self._context.session.messages.error(str(error))

        self._play.pause()
        folder = Path(str(self._context.session.preferences.get("last_folder") or Path.home()))
        mode = Files.SAVE if suffix else Files.ONE
        choose_files(self, title, filters, chosen, mode, folder / name if name else folder, suffix)

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What needs a dialog."""
        return {
            "play.export": self.export,
            "play.save_inputs": self.save_inputs,
            "play.open_inputs": self.open_inputs,
        }

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show what can be done."""
        play, run = self._play, self._play.run
        running = play.running
        self._dress.change("pause" if running else "play")
        tell(self.toggle, tr("Pause (P)") if running else tr("Run (P)"))
        with QSignalBlocker(self.speed):
            nearest = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - play.clock.speed))
            self.speed.setCurrentIndex(nearest)
        some = run is not None and len(run) > 0
        self.bake.setText(tr("Bake span to clip") if play.span is not None else tr("Bake to clip"))
        for button in (self.bake, self.out, self.back):
            button.setEnabled(some)
        self.restart.setEnabled(run is not None)

    def _stepped(self, *_: object) -> None:
        run = self._play.run
        self.here.setEnabled(run is not None and not run.at_end)
        some = run is not None and len(run) > 0
        if self.bake.isEnabled() != some:
            self.refresh()
        text = ""
        if run is not None:
            text = tr("{time} of {whole} s", time=f"{run.time:.2f}", whole=f"{self.model.time(len(run)):.2f}")
        if self.time.text() != text:
            self.time.setText(text)
        if self.isVisible():
            self.bar.update()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return PlayRunPanel(context)
