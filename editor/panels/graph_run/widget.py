"""Runs what the character plays, records every step, and shows what happened as lanes over time."""

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.panels.graph_run.commands import RunCommands
from editor.panels.graph_run.head import RunHead
from editor.panels.graph_run.timeline import RunTimeline
from editor.panels.graph_run.view_model import Found, RunModel
from editor.panels.graph_run.why_view import WhyView
from editor.qt.binding import Bindings
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, line

TICK = 15
"""Milliseconds between two looks at the clock while the run goes on."""


class Band(QWidget):
    """A quiet bar that says what is odd about the run shown, and what can be done."""

    def __init__(self, context: PanelContext, run: GraphRun) -> None:
        super().__init__()
        self.setObjectName("runBand")
        self._run, self._theme = run, context.theme
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(8)
        self.text = ElidedLabel("")
        self.text.setObjectName("runBandText")
        row.addWidget(self.text, 1)
        self.go = self._button(row, tr("Go there"), "runDifference", self._go)
        self.swap = self._button(row, tr("Swap"), "runSwap", run.deck.compare)
        self.hide_old = self._button(row, tr("Hide"), "runHideOld", run.deck.drop_comparison)

    def _button(self, row: QHBoxLayout, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.clicked.connect(lambda: act())
        row.addWidget(button)
        return button

    def _go(self) -> None:
        comparison = self._run.deck.comparison
        if comparison is not None and comparison.first is not None:
            self._run.goto(comparison.first[0] + 1)

    def refresh(self) -> None:
        """Show the most important thing, or nothing."""
        run, comparison = self._run, self._run.deck.comparison
        faults = run.deck.faults
        text = ""
        if faults and run.take is not None:
            text = tr("The last good graph runs on. The graph as it is: {problem}", problem=str(faults[0]))
        elif faults:
            text = tr("The graph cannot run: {problem}", problem=str(faults[0]))
        elif comparison is not None and comparison.first is None:
            text = tr("After {reason} the recording runs the same", reason=comparison.reason)
        elif comparison is not None and comparison.first is not None:
            number, what = comparison.first
            at = comparison.take.samples[number].end
            text = tr(
                "After {reason} it differs first at {time:.2f} s ({what})",
                reason=comparison.reason, time=at, what=what,
            )  # fmt: skip
        elif run.inputs.path is not None:
            text = tr("Recorded inputs play ({seconds:.1f} s, over and over)", seconds=run.inputs.path.length)
        self.text.set_text(text)
        self.setVisible(bool(text))
        differs = not faults and comparison is not None and comparison.first is not None
        self.go.setVisible(differs)
        self.swap.setVisible(differs)
        self.hide_old.setVisible(not faults and comparison is not None)


class GraphRunPanel(Panel):
    """Choices and transport above, lanes below, questions at the side."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("graphRunPanel")
        self.run = run = context.session.feature(GraphRun)
        self._on_canvas = context.session.feature(RunOnCanvas)
        self.model = RunModel(run)
        self.commands = RunCommands(context.session, run, self, self._ask)
        self._stack = QStackedLayout(self)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.head = RunHead(context, run, self.commands.fill_menu)
        column.addWidget(self.head)
        self.band = Band(context, run)
        column.addWidget(self.band)
        column.addWidget(line())
        row = QHBoxLayout()
        row.setSpacing(0)
        self.timeline = RunTimeline(context, self.model, self._open_menu)
        row.addWidget(self.timeline, 1)
        self.why = WhyView(context, run)
        self.why.hide()
        row.addWidget(self.why)
        column.addLayout(row, 1)
        self.head.why.toggled.connect(self._show_why)
        self._stack.addWidget(body)
        self.empty = EmptyState(
            context.theme, "graph",
            tr("Nothing to play yet. Make a clip, a blend space, a montage or a graph for this character."),
        )  # fmt: skip
        self._stack.addWidget(self.empty)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(lambda: run.tick(time.monotonic()))
        session = context.session
        bindings = Bindings(self)
        bindings.on(run.state_changed, lambda _: self._follow_clock())
        bindings.refresh(
            self.refresh, run.state_changed, session.document.changed, session.playback.clip_changed
        )
        self.refresh()
        self._follow_clock()

    def focus_widget(self) -> QWidget:
        """The lanes."""
        return self.timeline

    def close_panel(self) -> None:
        """The window closes: the clock stands."""
        self._timer.stop()

    def panel_actions(self) -> Mapping[str, Callable[[], object]]:
        """What needs the panel: questions, files."""
        return {
            "graph.why": lambda: self._ask(self._on_canvas.transition, ""),
            "graph.export_span": self.commands.export_clip,
            "graph.span_clip": self.commands.new_clip,
            "graph.save_test": self.commands.save_test,
            "graph.save_inputs": self.commands.save_inputs,
            "graph.load_inputs": self.commands.load_inputs,
        }

    def _follow_clock(self) -> None:
        """Also while the panel is out of sight, the run goes on."""
        running = self.run.running
        if running != self._timer.isActive():
            self._timer.start() if running else self._timer.stop()

    def refresh(self, *_: object) -> None:
        """Show what is chosen and what can be done."""
        some = bool(self.run.mode.choices)
        self._stack.setCurrentIndex(0 if some else 1)
        if some:
            self.head.refresh()
            self.band.refresh()

    def _show_why(self, on: bool) -> None:
        self.why.setVisible(on)
        if on:
            self.why.refresh()

    def _ask(self, transition: str, title: str) -> None:
        self.run.pause()
        self.head.why.setChecked(True)
        self.why.ask(transition, title)

    def _open_menu(self, found: Found, place: QPoint) -> None:
        menu = self.commands.lane_menu(found)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return GraphRunPanel(context)
