"""The picture of the montage, with mouse and keys."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from core.graph.montage_problems import Part
from core.ids import AssetId
from core.timing import frame_text
from editor.model.drag_kinds import CLIP
from editor.model.i18n import tr
from editor.model.montage.montages import Item
from editor.model.montage.rows import LABELS, RULER, SECTIONS, RowKind
from editor.model.montage.shown import Grip, Hit
from editor.panels.montage.painting import MontagePainter
from editor.panels.montage.view_model import MontageModel
from editor.qt.binding import Bindings
from editor.qt.menu import Menu
from editor.qt.name_field import NameField
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS, modifiers_of, pointer_at
from editor.qt.widgets import icon_button
from editor.tools.pointer import Button

SIDEWAYS = (
    Grip.SEGMENT_START, Grip.SEGMENT_END, Grip.NOTIFY_START, Grip.NOTIFY_END, Grip.BLEND_IN, Grip.BLEND_OUT,
    Grip.TRIGGER, Grip.RAMP,
)  # fmt: skip
TIPS = {
    Grip.BLEND_IN: "Drag: how long it blends in",
    Grip.BLEND_OUT: "Drag: how long it blends out",
    Grip.RAMP: "Drag: blends out from here to the end",
    Grip.TRIGGER: "Drag: from here on it blends out; double-click: so that it ends with the montage",
    Grip.SECTION: "Click goes there; drag moves it; double-click renames",
    Grip.LINK: "What follows. Drag it to another section, or below for the end; click for a list",
    Grip.SEGMENT: "Drag it along or to another track; drag its ends to trim",
    Grip.RULER: "Drag to scrub",
}


class MontageCanvas(QWidget):
    """Draws the view model and gives it what the hand does."""

    def __init__(self, context: PanelContext, model: MontageModel) -> None:
        super().__init__()
        self.setObjectName("montageCanvas")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Montage"))
        self._context, self.model, self.theme = context, model, context.theme
        self._places: list[QToolButton] = []
        bindings = Bindings(self)
        bindings.refresh(self._refresh, model.changed)
        context.theme.changed.connect(self.update)
        self._refresh()

    def sizeHint(self) -> QSize:
        return QSize(700, 240)

    # ------------------------------------------------------------ showing
    def _refresh(self) -> None:
        self._put_places()
        self.update()

    def _put_places(self) -> None:
        """A button at each track that goes to its slot in the graph."""
        rows = [row for row in self.model.shown.rows() if row.kind is RowKind.TRACK]
        while len(self._places) < len(rows):
            number = len(self._places)
            button = icon_button(
                self.theme,
                "graph",
                tr("Show the slot in the graph"),
                name=f"slotPlace.{number}",
                token="dim",
                size=22,
            )
            button.setParent(self)
            button.clicked.connect(lambda _=False, number=number: self.go_to_slot(number))
            self._places.append(button)
        for number, button in enumerate(self._places):
            there = number < len(rows)
            top = self.model.shown.top(rows[number]) + 7.0 if there else 0.0
            button.setVisible(there and top > 60.0)
            button.move(round(LABELS - 27), round(top))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        MontagePainter(painter, self.model, self.theme, self.width(), self.height()).paint()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        fresh = event.oldSize().width() <= 0
        self.model.shown.set_size(self.width(), self.height())
        if fresh:
            self.model.shown.fit_all()
        super().resizeEvent(event)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        button = BUTTONS.get(event.button(), Button.NONE)
        if self.model.gestures.current is not None:
            if button is Button.RIGHT:
                self._end_hint(self.model.cancel())
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if button is Button.RIGHT:
            self._open_menu(event)
            return
        gesture = self.model.press(pointer_at(event.position(), button, event.modifiers()))
        if gesture is not None and gesture.hint:
            self._context.window.set_hint(gesture.hint)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self.model.gestures.current is not None:
            self.model.move(pointer_at(place, Button.LEFT, event.modifiers()))
            return
        hit = self.model.shown.hit(place.x(), place.y())
        if hit != self.model.hovered:
            self.model.hovered = hit
            self.update()
        shape = Qt.CursorShape.SizeHorCursor if hit.grip in SIDEWAYS else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.PointingHandCursor if hit.grip is Grip.LINK else shape)
        self.setToolTip(self._tip(hit))

    def _tip(self, hit: Hit) -> str:
        montage = self.model.montage
        problem = self.model.problem_of(hit.item) if hit.item is not None else None
        if hit.grip is Grip.LABEL and hit.row is not None and hit.row.track >= 0:
            problem = self.model.track_problem(hit.row.track)
        lines = [problem.message] if problem is not None else []
        if montage is not None and hit.item is not None and hit.item.part is Part.NOTIFY:
            notify, rate = montage.notifies[hit.item.number], self.model.shown.rate
            lines.append(
                f"{notify.name} · " + tr("frame {first}", first=frame_text(rate.to_frame(notify.time)))
            )
            lines += [tr("branching")] if notify.rule.branching else []
            lines += [f"while {notify.rule.condition}"] if notify.rule.condition else []
        if hit.grip in TIPS:
            lines.append(tr(TIPS[hit.grip]))
        return "\n".join(lines)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.model.gestures.current is not None:
            button = BUTTONS.get(event.button(), Button.NONE)
            self.model.release(pointer_at(event.position(), button, event.modifiers()))
            self._end_hint(True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        hit = self.model.shown.hit(place.x(), place.y())
        montage = self.model.montage
        if montage is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        if hit.grip is Grip.TRIGGER:
            self.model.verbs.change(tr("Blend-out trigger"), replace(montage, blend_out_trigger=-1.0))
        elif hit.grip is Grip.SECTION and hit.item is not None:
            self.name_section(hit.item)
        elif hit.grip in (Grip.NOTIFY, Grip.NOTIFY_START, Grip.NOTIFY_END) and hit.item is not None:
            self.name_notify(hit.item)
        elif hit.row is not None and hit.row.kind is RowKind.NOTIFIES and place.x() >= LABELS:
            time = self.model.shown.rate.snap(max(self.model.shown.time(place.x()), 0.0))
            self.name_notify(self.model.verbs.add_notify(time=time, lane=hit.row.name))
        elif hit.grip is Grip.NOTHING and place.y() < RULER + SECTIONS and place.x() >= LABELS:
            self._add_section(self.model.shown.rate.snap(max(self.model.shown.time(place.x()), 0.0)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, place = event.angleDelta(), event.position()
        steps = (turned.y() or turned.x()) / 120.0
        if steps and self.model.gestures.current is None:
            self.model.wheel(place.x(), place.y(), steps, modifiers_of(event.modifiers()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.model.hovered = Hit(Grip.NOTHING)
        self.update()
        super().leaveEvent(event)

    def _end_hint(self, ended: bool) -> None:
        if ended:
            self._context.window.set_hint("")
        self.update()

    # ------------------------------------------------------------ clips dragged in
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(CLIP):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.model.drag_over(event.position().x(), event.position().y())
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.model.leave_drag()

    def dropEvent(self, event: QDropEvent) -> None:
        self.model.drag_over(event.position().x(), event.position().y())
        clip = bytes(event.mimeData().data(CLIP).data()).decode("utf-8", "replace")
        event.acceptProposedAction()
        self.model.drop_clip(AssetId(clip))

    def go_to_slot(self, track: int) -> None:
        """Show the node of a track's slot on the canvas of the graph."""
        if self.model.go_to_slot(track):
            self._context.window.show_panel("graph")

    # ------------------------------------------------------------ names
    def _add_section(self, time: float | None = None) -> None:
        item = self.model.verbs.add_section(time=time)
        if item is not None:
            self.name_section(item)

    def add_section(self) -> None:
        """A section at the playhead; its name is typed in its place."""
        self._add_section()

    def add_notify(self, branching: bool = False, duration: float = 0.0) -> None:
        """A notify at the playhead; its name is typed in its place."""
        self.name_notify(self.model.verbs.add_notify(branching=branching, duration=duration))

    def name_section(self, item: Item) -> None:
        """Type a section's name."""
        montage = self.model.montage
        if montage is not None and self.isVisible():
            self._name(
                item, montage.sections[item.number].name,
                lambda name: self.model.verbs.rename_section(item.number, name),
            )  # fmt: skip

    def name_notify(self, item: Item) -> None:
        """Type a notify's name."""
        montage = self.model.montage
        if montage is not None and self.isVisible():
            self._name(
                item, montage.notifies[item.number].name,
                lambda name: self.model.verbs.rename_notify(item.number, name),
            )  # fmt: skip

    def _name(self, item: Item, name: str, done: Callable[[str], None]) -> None:
        left, top, _, _ = self.model.shown.box_of(item)
        field = NameField(name, done, self)
        field.setObjectName("montageName")
        left = min(max(left, LABELS), self.width() - 134.0)
        field.setGeometry(round(left), round(max(top, 0.0)), 130, 20)
        field.open()

    # ------------------------------------------------------------ menu
    def _open_menu(self, event: QMouseEvent) -> None:
        place, model = event.position(), self.model
        hit = model.shown.hit(place.x(), place.y())
        if hit.item is not None and hit.item not in model.montages.picked:
            model.montages.pick(hit.item)
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, work in self._entries(hit):
            if not text:
                menu.addSeparator()
                continue
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, work=work: work())
            menu.addAction(action)
        menu.popup(event.globalPosition().toPoint())

    def _entries(self, hit: Hit) -> Sequence[tuple[str, Callable[[], object]]]:
        verbs, model = self.model.verbs, self.model
        found: list[tuple[str, Callable[[], object]]] = []
        if hit.item is not None and hit.item.part is Part.SECTION:
            item = hit.item
            found += [
                (tr("Play from here"), lambda: verbs.play_section()),
                (tr("Loop this section"), lambda: verbs.play_section(loop=True)),
                (tr("Rename…"), lambda: self.name_section(item)),
                (tr("Follows itself"), verbs.loop_section),
                ("", lambda: None),
            ]
        elif hit.item is not None and hit.item.part is Part.NOTIFY:
            item = hit.item
            found += [
                (tr("Rename…"), lambda: self.name_notify(item)),
                (tr("Branching or not"), lambda: verbs.toggle_branching(item.number)),
                (tr("A span or a moment"), lambda: verbs.toggle_span(item.number)),
                ("", lambda: None),
            ]
        elif hit.row is not None and hit.row.kind is RowKind.TRACK:
            track = hit.row.track
            found += [
                (tr("Show the slot in the graph"), lambda: self.go_to_slot(track)),
                (tr("Split at the playhead"), verbs.split),
                (tr("Close gaps"), verbs.close_gaps),
                (tr("Delete track"), lambda: verbs.delete_track(track)),
                ("", lambda: None),
            ]
        found += [
            (tr("Add section at the playhead"), self.add_section),
            (tr("Add notify at the playhead"), self.add_notify),
            (tr("Add branching notify at the playhead"), lambda: self.add_notify(branching=True)),
        ]
        if model.montages.picked:
            found += [
                ("", lambda: None),
                (tr("Copy"), verbs.copy),
                (tr("Duplicate"), verbs.duplicate),
                (tr("Delete"), verbs.delete),
            ]
        if verbs.can_paste:
            found.append((tr("Paste at the playhead"), verbs.paste))
        return found

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Keys that mean something here are not shortcuts of the window."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._walks(event) or self._work(event) is not None:
                event.accept()
                return True
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._walks(event):
            self.model.verbs.pick_next(1 if event.key() == Qt.Key.Key_Tab else -1)
            return True
        return super().event(event)

    def _walks(self, event: QKeyEvent) -> bool:
        """Whether a key selects the next or previous item."""
        return self.model.montage is not None and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        work = self._work(event)
        if work is not None:
            work()
            self.update()
        else:
            super().keyPressEvent(event)

    def _work(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does here, or None."""
        key, model, verbs = event.key(), self.model, self.model.verbs
        if model.gestures.current is not None:
            return (lambda: self._end_hint(model.cancel())) if key == Qt.Key.Key_Escape else None
        if model.montage is None:
            return None
        standard = QKeySequence.StandardKey
        if event.matches(standard.Copy):
            return verbs.copy
        if event.matches(standard.Paste):
            return verbs.paste
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_D and held == Qt.KeyboardModifier.ControlModifier:
            return verbs.duplicate
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return self._arrow(1 if key == Qt.Key.Key_Right else -1, held)
        if held:
            return None
        return {
            Qt.Key.Key_Delete: verbs.delete,
            Qt.Key.Key_Backspace: verbs.delete,
            Qt.Key.Key_Space: model.preview.toggle,
            Qt.Key.Key_Escape: model.preview.stop if model.preview.on else None,
            Qt.Key.Key_Home: model.shown.fit_all,
            Qt.Key.Key_A: model.shown.fit_all,
            Qt.Key.Key_F: model.shown.fit_picked,
            Qt.Key.Key_S: verbs.split,
            Qt.Key.Key_M: self.add_section,
            Qt.Key.Key_N: self.add_notify,
            Qt.Key.Key_L: verbs.loop_section,
            Qt.Key.Key_P: verbs.play_section,
            Qt.Key.Key_F2: self._rename_picked,
            Qt.Key.Key_Return: self._rename_picked,
        }.get(Qt.Key(key))

    def _arrow(self, way: int, held: Qt.KeyboardModifier) -> Callable[[], object] | None:
        """Scrub by a frame; with Alt (ten frames with Shift, too) move what is selected."""
        frame = self.model.shown.rate.frame * way
        shift, alt = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
        steps = 10.0 if held & shift else 1.0
        if held & alt:
            return lambda: self.model.verbs.nudge(frame * steps)
        if held & ~shift:
            return None
        return lambda: self.model.preview.seek(
            self.model.shown.rate.snap(self.model.preview.position + frame * steps)
        )

    def _rename_picked(self) -> None:
        picked = self.model.montages.picked
        if picked and picked[0].part is Part.SECTION:
            self.name_section(picked[0])
        elif picked and picked[0].part is Part.NOTIFY:
            self.name_notify(picked[0])
