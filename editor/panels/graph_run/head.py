"""The head of the Run panel: what the character plays, what runs after it, and the transport."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from core.terrain.ground import Ground
from editor.model.graph_run.animation_mode import Choice
from editor.model.graph_run.clock import SPEEDS
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu
from editor.qt.panel import PanelContext
from editor.qt.widgets import Dress, icon_button, label, tell

GROUNDS: tuple[tuple[str, Ground | None], ...] = (
    (tr("Level ground"), None),
    (tr("Slope up 10°"), Ground(tilt_z=10.0)),
    (tr("Slope down 10°"), Ground(tilt_z=-10.0)),
    (tr("Slope to the side 10°"), Ground(tilt_x=10.0)),
    (tr("Stairs up"), Ground(rise=0.15, run=0.3, start=0.6, count=20)),
    (tr("Stairs down"), Ground(rise=-0.15, run=0.3, start=0.6, count=20)),
    (tr("5 cm lower"), Ground(height=-0.05)),
)
"""What the character can walk on, by name."""


class RunHead(QWidget):
    """One row of choices and buttons."""

    def __init__(self, context: PanelContext, run: GraphRun, fill_menu: Callable[[QMenu], object]) -> None:
        super().__init__()
        self.run, self._context = run, context
        theme = context.theme
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(4)
        self.plays = self._box("runPlays", tr("Animation mode: what the character plays"))
        self.plays.activated.connect(self._choose)
        self.after = self._box("runAfter", tr("Post-process graph: runs after whatever the character plays"))
        self.after.activated.connect(self._choose_after)
        self.ground = self._box("runGround", tr("The ground that the character walks on"))
        self.ground.addItems([name for name, _ in GROUNDS])
        self.ground.activated.connect(lambda index: run.set_ground(GROUNDS[index][1]))
        row.addWidget(label(tr("Plays"), "caption"))
        row.addWidget(self.plays, 3)
        row.addWidget(label(tr("then"), "caption"))
        row.addWidget(self.after, 2)
        row.addSpacing(8)
        self.restart = self._button(row, "start", tr("Restart the recording"), "runRestart", run.restart)
        self._button(row, "back", tr("One step back (←)"), "runBack", run.step_back)
        self.play = self._button(row, "play", tr("Run"), "runPlay", run.toggle)
        self.play_dress = Dress(self.play, theme, "play", "text")
        self._button(row, "forward", tr("One step, 1/60 s (→)"), "runStep", run.step_once)
        self.leave = self._button(row, "stop", tr("Stop: show the clip again"), "runStop", run.stop)
        self.speed = ChoiceBox()
        self.speed.setObjectName("runSpeed")
        self.speed.setToolTip(tr("Speed: slow motion takes shorter steps"))
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.speed.setFixedWidth(68)
        self.speed.activated.connect(lambda index: setattr(run.clock, "speed", SPEEDS[index]))
        row.addWidget(self.speed)
        self.mark = self._button(
            row, "marker", tr("Mark this moment (M)"), "runMark", lambda: run.replay.mark(run.time)
        )
        self.here = self._button(
            row, "auto_key", tr("Go on from here: drop what is recorded after it"), "runHere",
            lambda: run.go_on_from_here(),
        )  # fmt: skip
        row.addWidget(self.ground, 2)
        self.why = self._button(row, "help", tr("Why: transitions and bones at this step"), "runWhy", None)
        self.why.setCheckable(True)
        more = icon_button(
            theme, "more", tr("More: export, tests, recorded inputs"), name="runMore", menu=True
        )
        found = Menu(more)

        def fill() -> None:
            found.clear()
            fill_menu(found)

        found.aboutToShow.connect(fill)
        more.setMenu(found)
        row.addWidget(more)

    def _box(self, name: str, tip: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setToolTip(tip)
        box.setAccessibleName(tip)
        box.setMinimumContentsLength(6)
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def _button(
        self, row: QHBoxLayout, icon: str, tip: str, name: str, act: Callable[[], object] | None
    ) -> QToolButton:
        button = icon_button(self._context.theme, icon, tip, name=name)
        if act is not None:
            button.clicked.connect(lambda: act())
        row.addWidget(button)
        return button

    # ------------------------------------------------------------ choosing
    def _choose(self, index: int) -> None:
        self.run.play_as(self.plays.itemData(index))

    def _choose_after(self, index: int) -> None:
        self.run.mode.choose_post(self.after.itemData(index))

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show what is chosen, and what can be done."""
        run = self.run
        first = run.mode.first()
        automatic = (
            tr("first graph ({name})", name=getattr(first, "name", ""))
            if first is not None
            else tr("nothing")
        )
        played = run.played.asset if run.played.tried is not None else run.mode.chosen
        self._fill(self.plays, run.mode.choices, automatic, getattr(played, "id", None))
        post = run.mode.post
        self._fill(self.after, run.mode.post_choices, tr("no graph"), None if post is None else post.id)
        with QSignalBlocker(self.ground):
            grounds = [ground for _, ground in GROUNDS]
            self.ground.setCurrentIndex(grounds.index(run.deck.ground) if run.deck.ground in grounds else -1)
        with QSignalBlocker(self.speed):
            self.speed.setCurrentIndex(SPEEDS.index(run.clock.speed))
        running = run.running
        self.play_dress.change("pause" if running else "play")
        tell(self.play, tr("Pause") if running else tr("Run"))
        self.leave.setEnabled(run.on)
        self.here.setEnabled(run.take is not None and not run.at_end)
        self.mark.setEnabled(run.take is not None)

    def _fill(self, box: ChoiceBox, choices: tuple[Choice, ...], none: str, chosen: object) -> None:
        names = [choice.name for choice in choices]
        rows: list[tuple[str, object, str]] = [(none, None, "rest")]
        for choice in choices:
            twice = names.count(choice.name) > 1
            rows.append((f"{choice.name} ({choice.kind})" if twice else choice.name, choice.id, choice.icon))
        have = [(box.itemText(k), box.itemData(k)) for k in range(box.count())]
        with QSignalBlocker(box):
            if have != [(text, id_) for text, id_, _ in rows]:
                box.clear()
                for text, id_, icon in rows:
                    box.addItem(self._context.theme.icon(icon, "dim"), text, id_)
                    kind = next((choice.kind for choice in choices if choice.id == id_), "")
                    box.setItemData(box.count() - 1, kind, Qt.ItemDataRole.ToolTipRole)
            box.setCurrentIndex(next((k for k, row in enumerate(rows) if row[1] == chosen), 0))
