"""The montage panel: bar, picture, and the fields of what is selected."""

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QScrollBar,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.graph.montage_problems import MontageProblem
from core.ids import AssetId
from editor.model.drag_kinds import CLIP
from editor.model.i18n import tr, trn
from editor.panels.montage.canvas import MontageCanvas
from editor.panels.montage.details import Details
from editor.panels.montage.view_model import MontageModel
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.drags import DragGrip
from editor.qt.menu import Menu, pop_up
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import Dress, EmptyState, icon_button, label, line, set_role
from editor.tools.montage.verbs import new_from_clips

TICK = 15
"""Milliseconds between two looks at the clock while a montage plays."""
DETAILS = 248


class MontagePanel(Panel):
    """The open montage over time."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("montagePanel")
        self.setAcceptDrops(True)
        self.context, self.theme, self.session = context, context.theme, context.session
        self.model = MontageModel(context.session)
        self._build()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(lambda: self.model.preview.tick(time.monotonic()))
        bindings = Bindings(self)
        session, model = context.session, self.model
        bindings.refresh(
            self.refresh, model.montages.changed, model.montages.picked_changed, model.preview.state_changed,
            session.document.changed, session.playback.clip_changed,
        )  # fmt: skip
        bindings.refresh(self._show_scroll, model.changed)
        bindings.refresh(self._show_time, model.preview.moved)
        bindings.on(model.preview.state_changed, lambda _: self._on_state())
        actions = context.actions
        bound: dict[str, Callable[[], object]] = {
            "montage.add_section": self.canvas.add_section,
            "montage.add_notify": self.canvas.add_notify,
            "montage.add_branching": partial(self.canvas.add_notify, branching=True),
            "montage.add_state": partial(self.canvas.add_notify, duration=0.2),
            "montage.split": model.verbs.split,
            "montage.close_gaps": model.verbs.close_gaps,
            "montage.loop_section": model.verbs.loop_section,
            "montage.play_section": model.verbs.play_section,
            "montage.delete": model.verbs.delete,
            "montage.copy": model.verbs.copy,
            "montage.paste": model.verbs.paste,
            "montage.duplicate_items": model.verbs.duplicate,
            "montage.fit": model.shown.fit_all,
            "montage.rename": self._rename,
            "montage.go_to_slot": lambda: self.canvas.go_to_slot(0),
        }
        self._unbind = [actions.bind(id, handler) for id, handler in bound.items() if id in actions]
        self.destroyed.connect(lambda _=None, model=model: model.close())
        self.refresh()
        self._on_state()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        self._stack = QStackedLayout(self)
        self.empty = EmptyState(self.theme, "clip", "", tr("New montage"), self._new)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._bar())
        column.addWidget(line())
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.canvas = MontageCanvas(self.context, self.model)
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        self.bar.setObjectName("montageScroll")
        self.bar.valueChanged.connect(lambda value: self.model.shown.set_scroll(float(value)))
        self.details = Details(self.theme, self.model)
        self.details.setFixedWidth(DETAILS)
        row.addWidget(self.canvas, 1)
        row.addWidget(self.bar)
        row.addWidget(self.details)
        column.addLayout(row, 1)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(body)

    def _bar(self) -> QHBoxLayout:
        row, theme = QHBoxLayout(), self.theme
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        self.choice = ChoiceBox()
        self.choice.setObjectName("montageChoice")
        self.choice.setMinimumWidth(130)
        self.choice.activated.connect(self._choose)
        self.add = icon_button(theme, "add", tr("New montage"), name="newMontage")
        self.add.clicked.connect(self._new)
        self.more = icon_button(theme, "more", tr("More"), name="montageMore", menu=True)
        self.more.setMenu(self._menu())
        self.start = icon_button(
            theme, "start", tr("Play from the start of the section"), name="montagePlaySection"
        )
        self.start.clicked.connect(lambda: self.model.verbs.play_section())
        self.play = icon_button(theme, "play", tr("Play from here, or pause (Space)"), name="montagePlay")
        self._dress = self.play.findChild(Dress)
        self.play.clicked.connect(lambda: self.model.preview.toggle())
        self.loop = icon_button(theme, "loop", tr("Loop the section"), True, "montageLoop")
        self.loop.clicked.connect(self._loop)
        self.leave = icon_button(theme, "stop", tr("Stop: show the clip again"), name="montageStop")
        self.leave.clicked.connect(lambda: self.model.preview.stop())
        self.told = label("", "dim")
        self.told.setObjectName("montageTime")
        self.told.setMinimumWidth(190)
        self.rest = QCheckBox(tr("over the rest pose"))
        self.rest.setObjectName("montageOverRest")
        self.rest.setToolTip(tr("Preview over the rest pose instead of the clip shown"))
        self.rest.toggled.connect(self._set_rest)
        self.wrong = label("", "warning")
        self.wrong.setObjectName("montageWrong")
        section = icon_button(
            theme, "marker", tr("Add a section at the playhead (M)"), name="montageAddSection"
        )
        section.clicked.connect(lambda: self.canvas.add_section())
        notify = icon_button(theme, "events", tr("Add a notify at the playhead (N)"), name="montageAddNotify")
        notify.clicked.connect(lambda: self.canvas.add_notify())
        self.track = icon_button(theme, "layers", tr("Add a track for a slot"), name="montageAddTrack")
        self.track.clicked.connect(self._open_tracks)
        tip = tr("Drag this montage onto the graph canvas")
        self.grip = DragGrip(theme, "montage", tip, "montageGrip", self._open_id)
        for widget in (self.grip, self.choice, self.add, self.more):
            row.addWidget(widget)
        row.addSpacing(8)
        for widget in (self.start, self.play, self.loop, self.leave):
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.told)
        row.addStretch(1)
        row.addWidget(self.wrong)
        row.addWidget(self.rest)
        for button in (self.track, section, notify):
            row.addWidget(button)
        return row

    def _open_id(self) -> str | None:
        montage = self.model.montages.committed
        return None if montage is None else str(montage.id)

    def _menu(self) -> QMenu:
        menu, model = Menu(self), self.model
        for text, work in (
            (tr("Rename…"), self._rename),
            (tr("Duplicate"), lambda: model.verbs.attempt(model.montages.duplicate)),
            (tr("Delete"), lambda: model.verbs.attempt(model.montages.delete)),
        ):
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, work=work: work())
            menu.addAction(action)
        return menu

    def focus_widget(self) -> QWidget:
        """The picture gets the keyboard."""
        return self.canvas if self._stack.currentIndex() else self

    def sizeHint(self) -> QSize:
        """A third of a window."""
        return QSize(900, 300)

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the open montage as it is now."""
        montage = self.model.montage
        self._stack.setCurrentIndex(0 if montage is None else 1)
        if montage is None:
            ready = self.session.rig is not None
            text = tr(
                "A montage plays clips over a graph's pose on demand, in sections. Make one from the clip shown."
            )
            self.empty.set_text(text if ready else tr("Open or import a character first."))
            self.empty.findChild(QWidget, "emptyButton").setVisible(ready)
            return
        names = [(m.name, m.id) for m in self.model.montages.all()]
        self.choice.show_choices(names, montage.id)
        preview = self.model.preview
        self._dress.change("pause" if preview.running else "play", "preview_point" if preview.on else "text")
        self.loop.setChecked(bool(preview.looped) and preview.running)
        self.loop.setEnabled(bool(montage.sections))
        self.leave.setEnabled(preview.on)
        with QSignalBlocker(self.rest):
            self.rest.setChecked(preview.over_rest)
        self._show_problems(self.model.montages.problems)
        self._show_time()
        self._show_scroll()
        self.details.refresh()

    def _show_problems(self, problems: tuple[MontageProblem, ...]) -> None:
        faults = [problem for problem in problems if not problem.warning]
        self.wrong.setVisible(bool(problems))
        set_role(self.wrong, "error" if faults else "warning")
        count = len(faults) or len(problems)
        words = (
            trn("{count} error", "{count} errors", count)
            if faults
            else trn("{count} warning", "{count} warnings", count)
        )
        self.wrong.setText(words)
        self.wrong.setToolTip("\n".join(problem.message for problem in problems))

    def _show_time(self) -> None:
        model = self.model
        montage = model.montage
        if montage is None:
            return
        axis, unit = model.shown.axis, model.shown.unit
        where = tr(
            "frame {now} of {all}",
            now=axis.text(model.preview.position, unit),
            all=axis.text(montage.length, unit),
        )
        parts = [where, model.preview.detail] if model.preview.on else [where]
        self.told.setText("   ".join(part for part in parts if part))

    def _show_scroll(self) -> None:
        shown = self.model.shown
        most = round(shown.most_scroll)
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, most)
            self.bar.setPageStep(max(round(shown.height) - 62, 1))
            self.bar.setSingleStep(18)
            self.bar.setValue(round(shown.scroll))
        self.bar.setVisible(most > 0)

    def _on_state(self) -> None:
        running = self.model.preview.running
        if running and not self._timer.isActive():
            self._timer.start()
        elif not running:
            self._timer.stop()

    # ------------------------------------------------------------ doing
    def _choose(self, index: int) -> None:
        self.model.preview.stop()
        self.model.montages.open(AssetId(self.choice.itemData(index)))

    def _new(self) -> None:
        clip = self.session.clip
        new_from_clips(self.session, [clip.id] if clip is not None else [])

    def _rename(self) -> None:
        montage = self.model.montage
        if montage is None:
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Rename montage"))
        dialog.setLabelText(tr("Name. Graphs play it by this name:"))
        dialog.setTextValue(montage.name)
        dialog.textValueSelected.connect(
            lambda name: self.model.verbs.attempt(lambda: self.model.montages.rename(name))
        )
        dialog.open()

    def _loop(self, on: bool) -> None:
        preview = self.model.preview
        if on:
            self.model.verbs.play_section(loop=True)
        else:
            preview.play_from_here()

    def _set_rest(self, on: bool) -> None:
        self.model.preview.over_rest = on

    def _open_tracks(self) -> None:
        montage, verbs = self.model.montage, self.model.verbs
        if montage is None:
            return
        taken = {montage.slot_name(track) for track in montage.tracks}
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for slot in self.model.montages.slots():
            if slot not in taken and (slot.startswith(montage.group + ".") or not montage.tracks):
                action = QAction(slot, menu)
                action.triggered.connect(lambda _=False, slot=slot: verbs.add_track(slot))
                menu.addAction(action)
        other = QAction(tr("Another slot…"), menu)
        other.triggered.connect(lambda: self._ask_slot())
        menu.addAction(other)
        pop_up(menu, self.track)

    def _ask_slot(self) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Add a track"))
        dialog.setLabelText(tr("Name of the slot, such as UpperBody:"))
        dialog.textValueSelected.connect(lambda name: self.model.verbs.add_track(name))
        dialog.open()

    # ------------------------------------------------------------ a clip on the empty panel
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(CLIP) and self.model.montage is None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        clip = bytes(event.mimeData().data(CLIP).data()).decode("utf-8", "replace")
        event.acceptProposedAction()
        self.model.drop_clip(AssetId(clip))

    def close_panel(self) -> None:
        while self._unbind:
            self._unbind.pop()()
        self._timer.stop()
        self.model.close()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return MontagePanel(context)
