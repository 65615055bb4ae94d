"""Does with every control of a panel what a person can do with it, and tells what came of each.

Buttons are pressed, entries chosen, numbers and names typed, rows clicked; on what is painted the pointer looks for
every place that has another cursor, tip or hint, and clicks, drags, drops, gives up and turns the wheel there.
"""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QToolButton,
    QToolTip,
    QWidget,
)
from shiboken6 import Shiboken

from editor.qt.number_field import NumberField
from tests.editor.panel_stage import Stage
from tests.editor.portraits import happenings, words

LEFT, RIGHT, MIDDLE, NONE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
    Qt.KeyboardModifier.NoModifier,
)
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
SOON = 600
"""Milliseconds: what comes later than that is not waited for."""
PLACES = 7
"""Places of one painted widget at which things are done."""
CHOICES = 10


class Hands:
    """Does things in a panel, one after the other, and takes back what they did."""

    def __init__(
        self,
        qapp: QApplication,
        stage: Stage,
        panel: QWidget,
        left: tuple[str, ...] = (),
        patient: bool = False,
        still: bool = False,
    ) -> None:
        self.qapp, self.stage, self.panel, self.left = qapp, stage, panel, left
        self.lines: list[str] = []
        self._titles: list[QWidget] = list(getattr(panel, "portrait_titles", ()))
        self._menus: set[str] = set()
        self._told: set[str] = set()
        session = stage.session
        self._time, self._range = session.playback.time, session.playback.range
        self._patient = patient
        self._still = still  # what plays stands where it is: how far it comes depends on the machine
        self._dialog = isinstance(panel, QDialog)  # Escape and Enter would close it
        self._ran: list[str] = []
        self._note_actions()
        self._bones, self._keys = session.selection.bones, dict(session.selection.keys)

    def _note_actions(self) -> None:
        """Which actions are asked for, those too that nobody does here."""
        run = self.stage.actions.run

        def noted(id: str) -> bool:
            self._ran.append(id)
            return run(id)

        self.stage.actions.run = noted

    # ------------------------------------------------------------ one deed
    def settle(self) -> None:
        for timer in self.panel.findChildren(QTimer) if self._still and Shiboken.isValid(self.panel) else ():
            if not timer.isSingleShot():
                timer.stop()
        for _ in range(3):
            self.qapp.processEvents()
        session = self.stage.session
        for _ in range(2000):
            if not (session.jobs.running or session.edit_jobs.busy or self._soon()):
                break
            QTest.qWait(2)
        self.qapp.processEvents()

    def _soon(self) -> bool:
        """Whether a part of the panel waits a moment before it does something."""
        if not self._patient or not Shiboken.isValid(self.panel):
            return False
        timers = self.panel.findChildren(QTimer)
        return any(t.isActive() and t.isSingleShot() and t.interval() < SOON for t in timers)

    def do(self, what: str, deed: Callable[[], object], back: bool = True) -> list[str]:
        """Do something and note what came of it."""
        before = happenings.moment(self.stage, self.panel)
        self._ran.clear()
        KEPT.clear()
        deed()
        self.settle()
        came = KEPT + [f"does {id}" for id in self._ran] + happenings.came(self.stage, self.panel, before)
        told = self._menus_once(came)
        self.lines += [f"{what}: {'nothing' if not came else ''}".rstrip(), *(f"    {line}" for line in told)]
        if back:
            self.back(before)
        return came

    def _menus_once(self, came: list[str]) -> list[str]:
        """A menu that was told before is told by its first entry."""
        told: list[str] = []
        rest = list(came)
        while rest:
            line = rest.pop(0)
            if line != "menu":
                told.append(line)
                continue
            entries = []
            while rest and rest[0].startswith("  "):
                entries.append(rest.pop(0))
            if (whole := "\n".join(entries)) in self._told:
                told.append(f"menu as above: {entries[0].strip() if entries else ''}")
            else:
                self._told.add(whole)
                told += [line, *entries]
        return told

    def back(self, before: happenings.Moment) -> None:
        """As it was before, as far as a person's Undo goes."""
        session = self.stage.session
        while session.history.position > before.position and session.undo():
            pass
        if session.playback.playing:
            session.playback.pause()
        if session.playback.clip is not None:
            session.playback.set_range(*(self._range or (None,)))
            session.playback.seek(self._time)
        session.selection.select(self._bones)
        session.selection.select_keys(self._keys)
        self.settle()

    # ------------------------------------------------------------ finding
    def controls(self) -> Iterator[tuple[str, Callable[[], QWidget | None]]]:
        """Every control in sight with its name, and what finds it again: some are made anew all the time."""
        if not Shiboken.isValid(self.panel):
            return
        tops = [self.panel, *self._titles]
        seen: dict[str, int] = {}
        for top in tops:
            for widget in [top, *walk(top)]:
                key = f"{type(widget).__name__} {widget.objectName() or word_of(widget)}".strip()
                seen[key] = seen.get(key, 0) + 1
                yield (key if seen[key] == 1 else f"{key} #{seen[key]}"), self._finder(tops, key, seen[key])

    def _finder(self, tops: list[QWidget], key: str, nth: int) -> Callable[[], QWidget | None]:
        def find() -> QWidget | None:
            count = 0
            for top in [t for t in tops if Shiboken.isValid(t)]:
                for widget in [top, *walk(top)]:
                    if f"{type(widget).__name__} {widget.objectName() or word_of(widget)}".strip() == key:
                        count += 1
                        if count == nth:
                            return widget if widget.isVisible() and widget.isEnabled() else None
            return None

        return find

    # ------------------------------------------------------------ kinds
    def everything(self) -> list[str]:
        """All that can be done in the panel; what a row that is clicked brings into sight comes after it."""
        done: set[str] = set()
        for views in (False, True, False, True):
            for name, find in list(self.controls()):
                widget = find() if Shiboken.isValid(self.panel) else None
                if widget is None or name in done or isinstance(widget, QAbstractItemView) is not views:
                    continue
                done.add(name)
                if not any(part in name for part in self.left):
                    self.use(name, find, widget)
        return self.lines

    def use(self, name: str, find: Callable[[], QWidget | None], widget: QWidget) -> None:
        """All that can be done with a control."""
        match widget:
            case QAbstractButton():
                self.button(name, find)
            case NumberField():
                self.number(name, find)
            case QComboBox():
                self.choice(name, find)
            case QLineEdit():
                self.text(name, find)
            case QSlider():
                self.slider(name, find)
            case QAbstractItemView():
                self.rows(name, find)
            case _ if painted(widget):
                self.painted(name, find)

    def button(self, name: str, find: Callable[[], QWidget | None]) -> None:
        button = find()
        if isinstance(button, QPushButton | QToolButton) and button.menu() is not None:
            self.entries(name, lambda: button.menu() if (button := find()) is not None else None)
            return
        came = self.do(f"press {name}", lambda: button.click())
        again = find()
        if came and again is not None and again.isCheckable():
            self.do(f"press {name} again", lambda: again.click())

    def entries(self, name: str, menu_of: Callable[[], QMenu | None]) -> None:
        """Every entry of a menu, once for each text."""
        menu = menu_of()
        if menu is None:
            return
        menu.aboutToShow.emit()
        listed = [(path, a.text()) for path, a in leaves(menu) if a.isEnabled()]
        menu.close()
        self.settle()
        for path, text in listed[:24]:
            if (key := f"{path}/{text}") in self._menus:
                continue
            self._menus.add(key)
            menu = menu_of()
            if menu is None:
                return
            menu.aboutToShow.emit()
            action = next((a for p, a in leaves(menu) if (p, a.text()) == (path, text)), None)
            if action is not None:
                self.do(f"choose {name} › {path}{text!r}", lambda a=action, m=menu: chosen(a, m))
            elif Shiboken.isValid(menu):
                menu.close()

    def number(self, name: str, find: Callable[[], QWidget | None]) -> None:
        field = find()
        if field.value is None:
            return
        step = max(10.0**-field.decimals, field.step * 10)
        for value in (field.value + step, field.value - step):
            held = round(value, field.decimals)
            if field.minimum <= held <= field.maximum:

                def typed(held=held) -> None:
                    if self._dialog:  # which reads its fields, and shows nothing anew
                        field.set_value(held)
                    field.committed.emit(held)

                self.do(f"type {held:g} into {name}", typed)
                return

    def choice(self, name: str, find: Callable[[], QWidget | None]) -> None:
        box = find()
        first, count = box.currentIndex(), box.count()
        for k in range(min(count, CHOICES)):
            box = find()
            if box is None or box.count() <= k:
                return
            if k == first:
                continue

            def choose(box=box, k=k) -> None:
                box.setCurrentIndex(k)
                box.activated.emit(k)

            self.do(f"choose {box.itemText(k)!r} in {name}", choose)
        box = find()
        if box is not None and box.currentIndex() != first and first >= 0:
            box.setCurrentIndex(first)
            box.activated.emit(first)
            self.settle()

    def text(self, name: str, find: Callable[[], QWidget | None]) -> None:
        field = find()
        first = field.text()

        def typed(text: str, end: Qt.Key | None) -> None:
            line = find()
            if line is not None:
                line.setFocus()
                line.selectAll()
                QTest.keyClicks(line, text)
                if end is not None and Shiboken.isValid(line):
                    QTest.keyClick(line, end)

        self.do(f"type 'ar' into {name}", lambda: typed("ar", None), back=False)
        if not self._dialog:
            self.do("then Escape", lambda: key(find(), Qt.Key.Key_Escape))
            self.do(f"type 'arm' and Enter into {name}", lambda: typed("arm", Qt.Key.Key_Return))
        again = find()
        if again is not None and again.text() != first:
            again.setText(first)
            self.settle()

    def slider(self, name: str, find: Callable[[], QWidget | None]) -> None:
        slider = find()

        def slide() -> None:
            slider.setSliderDown(True)
            more = slider.value() + 7 if slider.value() + 7 <= slider.maximum() else slider.value() - 7
            slider.setSliderPosition(more)
            slider.setSliderDown(False)

        self.do(f"slide {name}", slide)

    def rows(self, name: str, find: Callable[[], QWidget | None]) -> None:
        view = find()
        model = view.model()
        if model is None or not model.rowCount():
            return
        columns = words.columns_of(view, QModelIndex())
        for row in range(min(model.rowCount(), 3)):
            self.do(f"click row {row} of {name}", lambda row=row: tap_cell(find(), row, 0))
        # by row and column each time: an index of before may point at what is gone
        for column in columns:
            if column:
                self.do(f"click column {column} of {name}", lambda c=column: tap_cell(find(), -1, c))
            self.do(
                f"double click column {column} of {name}",
                lambda c=column: tap_cell(find(), -1, c, True),
                back=False,
            )
            if not self._dialog:
                self.do("then Escape", lambda: key(QApplication.focusWidget() or find(), Qt.Key.Key_Escape))
        for code in (Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Space):
            if self._dialog and code is Qt.Key.Key_Return:
                continue
            view = find()
            if view is not None and view.model().rowCount():
                view.setCurrentIndex(first_of(view))
                self.settle()
                self.do(f"{code.name} in {name}", lambda code=code: key(find(), code))
        self.rename(name, find)
        view = find()
        if view is not None and view.model().rowCount():
            self.menu(f"{name} row", lambda: port(find()), cell_of(view, -1, 0))
            self.menu(f"{name} below", lambda: port(find()), QPoint(20, view.viewport().height() - 6))

    def rename(self, name: str, find: Callable[[], QWidget | None]) -> None:
        """Another name by F2 for a row that the keyboard alone has gone to."""
        view = find()
        if view is None or view.focusPolicy() is Qt.FocusPolicy.NoFocus:
            return
        if not view.editTriggers() & QAbstractItemView.EditTrigger.EditKeyPressed:
            return
        row = view.model().rowCount() - 1
        index = view.model().index(row, 0)
        if row < 0 or not index.flags() & Qt.ItemFlag.ItemIsEditable or self._dialog:
            return

        def typed() -> None:
            view.setFocus()
            view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            key(view, Qt.Key.Key_F2)
            line = view.indexWidget(index)
            if isinstance(line, QLineEdit):
                line.selectAll()
                QTest.keyClicks(line, "arm")
                QTest.keyClick(line, Qt.Key.Key_Return)

        self.do(f"F2, 'arm' and Enter in row {row} of {name}", typed)

    def menu(self, name: str, find: Callable[[], QWidget | None], at: QPoint) -> None:
        """What the right button opens, and each of its entries."""

        def ask() -> None:
            widget = find()
            if widget is not None:
                press(widget, at, RIGHT)
                let_go(widget, at, RIGHT)
                event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
                QApplication.sendEvent(widget, event)

        came = self.do(f"right button on {name}", ask)
        if "menu" not in came:
            return

        def menu_of() -> QMenu | None:
            known = {id(w) for w in happenings.windows()}
            ask()
            self.settle()
            found = [w for w in happenings.windows() if id(w) not in known and isinstance(w, QMenu)]
            return found[0] if found else None

        self.entries(name, menu_of)

    # ------------------------------------------------------------ what is painted
    def painted(self, name: str, find: Callable[[], QWidget | None]) -> None:
        places = self.places(find())
        for at, told in places:
            self.lines.append(f"--- {name} {told}")
            here = name
            small = find() is not None and find().height() < 28 and find().width() < 160
            for what, deed in gestures(find, at):
                if small and "drag" in what:
                    continue
                if find() is None:
                    return
                self.do(f"{what} on {here}", deed)
            if find() is not None:
                self.menu(f"{here} {told}", find, at)

    def places(self, widget: QWidget) -> list[tuple[QPoint, str]]:
        """A place for each cursor, tip and hint that it has; its middle if it has but one."""
        found: dict[tuple[str, str, str], QPoint] = {}
        wide, high = widget.width(), widget.height()
        across, down = max(6, wide // 60), max(5, high // 40)
        for y in range(2, high, down):
            for x in range(2, wide, across):
                at = QPoint(x, y)
                hover(widget, at)
                tip = tip_of(widget, at) if widget.toolTip() == "" else ""
                mark = widget.cursor().shape().name.removesuffix("Cursor"), tip, self.stage.notes.hint
                found.setdefault(mark, at)
        self.settle()
        hover(widget, QPoint(wide // 2, high // 2))
        mark = widget.cursor().shape().name.removesuffix("Cursor"), "", "middle"
        listed = [(at, f"{cursor} {tip!r} {hint!r}") for (cursor, tip, hint), at in found.items()]
        self.lines += [f"over {name_of(widget)} @{at.x()},{at.y()}: {told}" for at, told in listed]
        return [*listed[:PLACES], (QPoint(wide // 2, high // 2), f"{mark[0]} in the middle")]


def name_of(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def word_of(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def walk(top: QWidget) -> Iterator[QWidget]:
    """Widgets in sight below another, as they are read, without Qt's own parts."""
    for part in words.parts(top):
        viewport = part.objectName() == "qt_scrollarea_viewport"
        if isinstance(top, QAbstractItemView | NumberField | QComboBox) or (
            words.inner(part) and not viewport
        ):
            continue
        if not viewport:
            yield part
        yield from walk(part)


def chosen(action: QAction, menu: QMenu) -> None:
    """Do an entry and close its menu, as a click on it does."""
    menu.close()
    if Shiboken.isValid(action):
        action.trigger()


def leaves(menu: QMenu, path: str = "") -> Iterator[tuple[str, QAction]]:
    """Entries that do something, with the menus above them."""
    for action in menu.actions():
        if action.isSeparator() or not action.isVisible():
            continue
        below = action.menu()
        if isinstance(below, QMenu):
            below.aboutToShow.emit()
            yield from leaves(below, f"{path}{action.text()!r} › ")
        else:
            yield path, action


def painted(widget: QWidget) -> bool:
    """Whether it takes the mouse by itself."""
    kind = type(widget)
    own = [c for c in kind.__mro__ if c.__module__.startswith("editor.")]
    return any(
        "mousePressEvent" in c.__dict__ or "mouseMoveEvent" in c.__dict__ or "wheelEvent" in c.__dict__
        for c in own
    )


def first_of(view: QAbstractItemView) -> QModelIndex:
    """The first row that can be chosen."""
    index = view.model().index(0, 0)
    return index if index.flags() & Qt.ItemFlag.ItemIsSelectable else view.model().index(0, 0, index)


def cell_of(view: QAbstractItemView, row: int, column: int) -> QPoint:
    """The middle of a cell; row -1 is the first that can be chosen."""
    index = first_of(view) if row < 0 else view.model().index(row, 0)
    return view.visualRect(index.siblingAtColumn(column)).center()


def tap_cell(view: QWidget | None, row: int, column: int, double: bool = False) -> None:
    if isinstance(view, QAbstractItemView) and view.model().rowCount():
        (twice if double else tap)(view.viewport(), cell_of(view, row, column))


def port(view: QWidget | None) -> QWidget | None:
    return view.viewport() if isinstance(view, QAbstractItemView) else None


def target(widget: QWidget) -> QWidget:
    return widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget


def mouse(widget: QWidget, kind: QEvent.Type, at: QPoint, button, buttons, held=NONE) -> None:
    if not Shiboken.isValid(widget):
        return
    place = QPointF(at)
    QApplication.sendEvent(
        target(widget), QMouseEvent(kind, place, QPointF(widget.mapToGlobal(at)), button, buttons, held)
    )


def hover(widget: QWidget, at: QPoint) -> None:
    mouse(widget, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton)


def press(widget: QWidget, at: QPoint, button=LEFT, held=NONE) -> None:
    mouse(widget, QEvent.Type.MouseButtonPress, at, button, button, held)


def let_go(widget: QWidget, at: QPoint, button=LEFT, held=NONE) -> None:
    mouse(widget, QEvent.Type.MouseButtonRelease, at, button, Qt.MouseButton.NoButton, held)


def tap(widget: QWidget, at: QPoint, held=NONE) -> None:
    press(widget, at, LEFT, held)
    let_go(widget, at, LEFT, held)


def twice(widget: QWidget, at: QPoint) -> None:
    tap(widget, at)
    mouse(widget, QEvent.Type.MouseButtonDblClick, at, LEFT, LEFT)
    let_go(widget, at)


KEPT: list[str] = []
"""Keys that a widget has kept for itself in the deed under way: they are no shortcuts of the window."""


def key(widget: QWidget | None, code: Qt.Key) -> None:
    """A press of a key; what the widget does not keep for itself would be a shortcut of the window."""
    if widget is None or not Shiboken.isValid(widget):
        return
    override = QKeyEvent(QEvent.Type.ShortcutOverride, code, NONE)
    override.ignore()
    QApplication.sendEvent(widget, override)
    if override.isAccepted():
        KEPT.append(f"keeps {code.name}")
    if Shiboken.isValid(widget):
        QTest.keyClick(widget, code)


def tip_of(widget: QWidget, at: QPoint) -> str:
    """The tip that a painted thing has by itself."""
    QToolTip.hideText()
    there = widget.mapToGlobal(at)
    QApplication.sendEvent(target(widget), QHelpEvent(QEvent.Type.ToolTip, at, there))
    text = QToolTip.text() if QToolTip.isVisible() else ""
    QToolTip.hideText()
    return text


def wheel(widget: QWidget, at: QPoint, notches: float, held=NONE) -> None:
    place = QPointF(at)
    event = QWheelEvent(
        place, QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton, held, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(target(widget), event)


def gestures(find: Callable[[], QWidget | None], at: QPoint) -> Iterator[tuple[str, Callable[[], None]]]:
    """What a person can do at a place."""

    def drag(by: QPoint, held=NONE, end: str = "release", button=LEFT) -> Callable[[], None]:
        def deed() -> None:
            widget = find()
            if widget is None:
                return
            press(widget, at, button, held)
            for share in (0.4, 0.8, 1.0):
                mouse(widget, QEvent.Type.MouseMove, at + QPoint(round(by.x() * share), round(by.y() * share)),
                      Qt.MouseButton.NoButton, button, held)  # fmt: skip
                QApplication.processEvents()
            if end == "escape":
                key(widget, Qt.Key.Key_Escape)
            elif end == "right":
                mouse(widget, QEvent.Type.MouseButtonPress, at + by, RIGHT, LEFT | RIGHT)
                mouse(widget, QEvent.Type.MouseButtonRelease, at + by, RIGHT, LEFT)
            if Shiboken.isValid(widget):
                let_go(widget, at + by, button, held)

        return deed

    yield "click", lambda: tap(find(), at)
    yield "Shift click", lambda: tap(find(), at, SHIFT)
    yield "Ctrl click", lambda: tap(find(), at, CTRL)
    yield "double click", lambda: twice(find(), at)
    yield "wheel up", lambda: wheel(find(), at, 1)
    yield "Ctrl wheel down", lambda: wheel(find(), at, -1, CTRL)
    yield "drag right", drag(QPoint(24, 0))
    yield "drag up", drag(QPoint(0, -14))
    yield "drag right, Escape", drag(QPoint(24, 0), end="escape")
    yield "drag right, right button", drag(QPoint(24, 0), end="right")
    yield "Ctrl drag right", drag(QPoint(24, 0), CTRL)
    yield "Shift drag right", drag(QPoint(24, 0), SHIFT)
    yield "Alt drag right", drag(QPoint(24, 0), ALT)
    yield "Alt click", lambda: tap(find(), at, ALT)
    yield "Shift wheel up", lambda: wheel(find(), at, 1, SHIFT)
    yield "Shift wheel down", lambda: wheel(find(), at, -1, SHIFT)
    yield "middle drag", drag(QPoint(24, 9), button=MIDDLE)
