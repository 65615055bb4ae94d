"""A person at the keyboard: mouse and key events at what is visible on the screen.

Events enter where the window system's would (`QTest` on the `QWindow`), so that what lies on top, grabs, popups,
focus, shortcuts and enter/leave work as they do for real. Every call ends with the queue run dry.

    user = User(window)
    user.click(button)                    # a widget, or its object name, or a QAction's button by action id
    user.drag(view, (10, 10), (90, 40))   # positions inside the widget, logical pixels
    user.press("Ctrl+Z")
    user.type_into(field, "+3")
    user.click_row(tree, "hand_l")
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QCursor,
    QImage,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
    QWindow,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTreeView,
    QWidget,
)
from shiboken6 import Shiboken

from tests.editor.turning import turn_until_shown

Place = tuple[float, float] | QPoint | QPointF | None
Target = QWidget | str

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier

SUBMENU = 3.0
"""Seconds in which a clicked entry opens its submenu, unless the click got lost."""
SUBMENU_TRIES = 4
MENU_TRIES = 3
"""Times that the whole way through the menus is gone; a submenu that stays away stays away until they are closed."""
ACTIVATION = 0.3
"""Seconds in which a window that was opened or is left becomes the active one by itself."""


class SubmenuError(AssertionError):
    """A submenu did not open, whatever was clicked or pressed."""


class User:
    """Drives one top-level window (and the popups and dialogs it opens).

    Parameters
    ----------
    window : a shown top-level widget; it is activated
    patience : seconds `wait_until` tries before it gives up: many, since processes that start, import and draw beside
        a busy machine's other work take a minute and more, and only what fails waits as long
    """

    def __init__(self, window: QWidget, patience: float = 400.0) -> None:
        self.window = window
        self.patience = patience
        self._held = NONE
        self._submenu: tuple[QMenu, QAction] | None = None
        # Back to where every screen begins: a menu that opens below a pointer that a game warped would hear of it.
        screen = window.screen().geometry()
        QCursor.setPos(screen.center())
        if not window.isVisible():
            window.show()
        assert QTest.qWaitForWindowExposed(window, 60_000), "the window did not appear"
        window.activateWindow()
        self.wait_until(lambda: QApplication.activeWindow() is not None, "no window became active")
        self.settle()

    # ------------------------------------------------------------ finding
    def find(self, target: Target) -> QWidget:
        """The visible widget itself, or the one visible widget of that object name or text.

        What comes a moment after the input that asked for it (a dialog, a menu) is waited for.
        """
        if isinstance(target, QWidget):
            assert target.isVisible(), (
                f"not visible: {target.metaObject().className()} {target.objectName()!r}"
            )
            return target
        self.until(lambda: bool(self._called(target)))
        found = self._called(target)
        assert found, f"nothing visible is called or says {target!r}"
        assert len(found) == 1, f"{len(found)} visible widgets are called or say {target!r}"
        return found[0]

    def _called(self, target: str) -> list[QWidget]:
        """Visible widgets of that object name, else those that say so."""
        tops = [w for w in QApplication.topLevelWidgets() if w.isVisible()]
        pool = {id(w): w for top in tops for w in (top, *top.findChildren(QWidget)) if w.isVisible()}
        by_name = [w for w in pool.values() if w.objectName() == target]
        return by_name or [w for w in pool.values() if text_of(w) == target]

    def visible(self, target: str) -> bool:
        """Whether exactly one thing visible now has this object name or text."""
        return len(self._called(target)) == 1

    def point(self, widget: QWidget, at: Place = None) -> tuple[QWindow, QPoint]:
        """Where a place of a widget is in its native window; the widget must really be there to be hit."""
        place = widget.rect().center() if at is None else as_point(at)
        top = widget.window()
        inside = widget.mapTo(top, place)
        assert top.rect().contains(inside), f"{place.toTuple()} of {describe(widget)} lies outside its window"
        hit = top.childAt(inside) or top
        assert hit is widget or widget.isAncestorOf(hit) or hit.isAncestorOf(widget), (
            f"{describe(hit)} covers {describe(widget)} at {place.toTuple()}"
        )
        handle = top.windowHandle()
        assert handle is not None
        return handle, inside

    # ------------------------------------------------------------ mouse
    def click(
        self,
        target: Target,
        at: Place = None,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
        double: bool = False,
    ) -> None:
        """Press and release; `double` makes it a double click."""
        _, window, place = self._go_to(target, at)
        modifiers = modifiers | self._held
        QTest.mouseClick(window, button, modifiers, place)
        if double:
            QTest.mouseDClick(window, button, modifiers, place)
        self.settle()

    def ask_menu(self, target: Target, at: Place = None) -> None:
        """Click with the right button, and send the event that Qt makes of a real click: a test's click makes none."""
        widget = self.find(target)
        self.click(widget, at, RIGHT)
        place = widget.rect().center() if at is None else as_point(at)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
        QApplication.sendEvent(widget, event)
        self.settle()

    def _go_to(self, target: Target, at: Place) -> tuple[QWidget, QWindow, QPoint]:
        """Move the pointer to a place of a widget, and give back where that is now.

        What was computed elsewhere comes in meanwhile and may move the widget, or make it anew: a person would follow.
        """
        widget = self.find(target)
        window, place = self.point(widget, at)
        QTest.mouseMove(window, place)
        if not Shiboken.isValid(widget):
            widget = self.find(target)
        now = self.point(widget, at)
        if now != (window, place):
            QTest.mouseMove(*now)
        return widget, *now

    def move(self, target: Target, at: Place = None) -> None:
        """Move the pointer there, no button held."""
        self._go_to(target, at)
        self.settle()

    def drag(
        self,
        target: Target,
        start: Place,
        end: Place,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
        steps: int = 8,
        during: Callable[[], None] | None = None,
        release: bool = True,
    ) -> None:
        """Press at `start`, move to `end` in `steps`, call `during` while held, release."""
        self.press_mouse(target, start, button, modifiers)
        first, last = QPointF(as_point(start, self._pressed)), QPointF(as_point(end, self._pressed))
        for step in range(1, steps + 1):
            self.move_held((first + (last - first) * (step / steps)).toPoint(), button, modifiers)
        if during is not None:
            during()
        if release:
            self.release_mouse(end, button, modifiers)

    def press_mouse(
        self,
        target: Target,
        at: Place = None,
        button: Qt.MouseButton = LEFT,
        modifiers: Qt.KeyboardModifier = NONE,
    ) -> None:
        """Press a button and keep it; go on with `move_held` and `release_mouse`."""
        self._pressed, window, place = self._go_to(target, at)
        QTest.mousePress(window, button, modifiers | self._held, place)
        self.settle()

    def move_held(
        self, at: Place, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = NONE
    ) -> None:
        """Move with the button of `press_mouse` down; `at` may lie outside the widget."""
        top = self._pressed.window()
        place = self._pressed.mapTo(top, as_point(at, self._pressed))
        window = top.windowHandle()
        position, globally = QPointF(place), QPointF(window.mapToGlobal(place))
        # QTest.mouseMove takes no modifiers, so the event goes to the native window as Qt would send it on.
        event = QMouseEvent(
            QEvent.Type.MouseMove, position, globally, Qt.MouseButton.NoButton, button, modifiers | self._held
        )
        QApplication.sendEvent(window, event)
        self.settle()

    def release_mouse(
        self, at: Place = None, button: Qt.MouseButton = LEFT, modifiers: Qt.KeyboardModifier = NONE
    ) -> None:
        """Let go of what `press_mouse` pressed."""
        top = self._pressed.window()
        place = self._pressed.mapTo(top, as_point(at, self._pressed))
        QTest.mouseRelease(top.windowHandle(), button, modifiers | self._held, place)
        self.settle()

    def wheel(
        self, target: Target, notches: float, at: Place = None, modifiers: Qt.KeyboardModifier = NONE
    ) -> None:
        """Turn the wheel over a widget; positive is away from the person (up).

        What a widget does not want goes to the one that holds it, which Qt does with real events alone.
        """
        widget = self.find(target)
        _, place = self.point(widget, at)
        top = widget.window()
        hit, wanted = top.childAt(place) or widget, False
        while not wanted:
            local = QPointF(hit.mapFrom(top, place))
            event = QWheelEvent(
                local,
                QPointF(hit.mapToGlobal(local.toPoint())),
                QPoint(),
                turned(notches, modifiers | self._held),
                Qt.MouseButton.NoButton,
                modifiers | self._held,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(hit, event)
            wanted = event.isAccepted() or hit is top
            hit = hit.parentWidget()
        self.settle()

    # ------------------------------------------------------------ keys
    def press(self, keys: str, target: Target | None = None) -> None:
        """Press a key with its modifiers, written as in menus ("Ctrl+Shift+Z", "Esc", "F3").

        It goes to whatever has the focus, shortcuts first, as on a real keyboard.
        """
        if target is not None:
            self.find(target).setFocus()
        combination = QKeySequence(keys)[0]
        modifiers = combination.keyboardModifiers() | self._held
        window = self._key_window()
        QTest.keyPress(window, combination.key(), modifiers)
        if Shiboken.isValid(window):  # the key may have closed it
            QTest.keyRelease(window, combination.key(), modifiers)
        self.settle()

    @contextmanager
    def holding(self, keys: str) -> Iterator[None]:
        """Hold a key (or a modifier: "Shift") while mouse and other keys go on."""
        held = {
            "Shift": (Qt.Key.Key_Shift, SHIFT),
            "Ctrl": (Qt.Key.Key_Control, CTRL),
            "Alt": (Qt.Key.Key_Alt, ALT),
        }
        key, flag = held[keys] if keys in held else (QKeySequence(keys)[0].key(), NONE)
        before = self._held
        QTest.keyPress(self._key_window(), key, before | flag)
        self._held = before | flag
        self.settle()
        try:
            yield
        finally:
            self._held = before
            QTest.keyRelease(self._key_window(), key, before)
            self.settle()

    def type(self, text: str) -> None:
        """Type letters into whatever has the focus."""
        window = self._key_window()
        for letter in text:
            keys = QKeySequence(letter)
            code = keys[0].key() if keys.count() == 1 and letter.isascii() else Qt.Key.Key_unknown
            QTest.sendKeyEvent(QTest.KeyAction.Click, window, code, letter, self._held)
        self.settle()

    def type_into(self, target: Target, text: str, enter: bool = True, clear: bool = True) -> None:
        """Click a field, replace what it holds, and press Enter."""
        widget = self.find(target)
        self._key_window()  # a click makes the window active, where a window manager runs
        self.click(widget)

        def ready() -> bool:
            focused = self._focused()
            return widget is focused or widget.isAncestorOf(focused) or isinstance(focused, QLineEdit)

        assert self.until(ready), (
            f"{describe(widget)} did not take the focus; {describe(self._focused())} has it"
        )
        if clear:
            self.press("Ctrl+A")
        self.type(text)
        if enter:
            self.press("Return")

    def _focused(self) -> QWidget:
        popup = QApplication.activePopupWidget()
        focused = QApplication.focusWidget() or QApplication.activeWindow() or self.window
        return popup.focusWidget() or popup if popup is not None else focused

    def _key_window(self) -> QWindow:
        if QApplication.activePopupWidget() is None and not self.until(ready_for_keys, ACTIVATION):
            # a window manager would, after a dialog closed
            (QApplication.activeModalWidget() or self.window).activateWindow()
            self.wait_until(ready_for_keys, "no window became active")
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QAbstractItemView):  # a completer's list leaves the keys to its field
            popup = None
        handle = (popup or QApplication.activeWindow() or self.window).window().windowHandle()
        assert handle is not None
        return handle

    # ------------------------------------------------------------ views and menus
    def row(self, view: QAbstractItemView, *path: str, column: int = 0) -> QModelIndex:
        """Index of the row whose text is given; several texts are a path; expands trees on the way."""
        model, parent = view.model(), QModelIndex()
        if len(path) == 1:
            found = search(view, path[0], QModelIndex(), column)
            assert found is not None, f"no row says {path[0]!r}"
            return found
        for text in path:
            rows = [model.index(r, 0, parent) for r in range(model.rowCount(parent))]
            match = [i for i in rows if str(i.data()) == text]
            assert match, f"no row says {text!r}; there are {[str(i.data()) for i in rows]}"
            parent = match[0]
            if isinstance(view, QTreeView):
                view.expand(parent)
        return parent

    def click_row(
        self,
        target: Target,
        *path: str,
        at: Place = None,
        column: int = 0,
        modifiers: Qt.KeyboardModifier = NONE,
        button: Qt.MouseButton = LEFT,
        double: bool = False,
    ) -> None:
        """Scroll to a row by its text and click it; `at` is a place inside the row's cell."""
        view = self.find(target)
        assert isinstance(view, QAbstractItemView)
        index = self.row(view, *path)
        index = index.siblingAtColumn(column)
        view.scrollTo(index)
        self.settle()
        cell = view.visualRect(index)
        assert not cell.isEmpty(), f"the row {path} is not shown"
        place = cell.center() if at is None else cell.topLeft() + as_point(at)
        place = QPoint(min(place.x(), view.viewport().width() - 2), place.y())
        self.click(view.viewport(), place, button, modifiers, double)

    def rows(self, target: Target, column: int = 0) -> list[str]:
        """Texts of every row a person could scroll to (collapsed ones left out)."""
        view = self.find(target)
        assert isinstance(view, QAbstractItemView)
        return [str(i.data() or "") for i in shown_rows(view, QModelIndex(), column)]

    def choose(self, *path: str) -> None:
        """Open the menu bar's menu and its submenus, and click the last entry."""
        bar = self.window.findChild(QMenuBar)
        assert bar is not None
        entry = next((a for a in bar.actions() if plain(a.text()) == path[0]), None)
        assert entry is not None, f"no menu {path[0]!r} among {[plain(a.text()) for a in bar.actions()]}"
        for again in range(MENU_TRIES):
            self.click(bar, bar.actionGeometry(entry).center())
            if len(path) > 1 and not self.until(
                lambda: isinstance(QApplication.activePopupWidget(), QMenu), 2.0
            ):
                # the focus that a closed dialog lost was told after the click, and closed the menu
                self.click(bar, bar.actionGeometry(entry).center())
            try:
                for text in path[1:]:
                    self.choose_in_popup(text)
                return
            except SubmenuError:
                if again + 1 == MENU_TRIES:
                    raise
                self.close_popups()

    def close_popups(self) -> None:
        """Escape until no menu and no list is open."""
        while (popup := QApplication.activePopupWidget()) is not None:
            QTest.keyClick(popup, Qt.Key.Key_Escape)
            if QApplication.activePopupWidget() is popup:
                popup.close()
            self.settle()

    def choose_in_popup(self, text: str) -> None:
        """Click an entry of the menu that is open."""

        def entry_of(menu: QWidget | None) -> QAction | None:
            actions = menu.actions() if isinstance(menu, QMenu) else []
            return next((a for a in actions if plain(a.text()) == text), None)

        # A submenu opens a moment after its entry is pressed; on a busy machine it may be closed again by what the
        # click left behind. The arrow key opens it, as it does for a person, or a second click.
        above, self._submenu = self._submenu, None
        for attempt in range(1 if above is None else SUBMENU_TRIES):
            wait = None if above is None else SUBMENU
            if self.until(lambda: entry_of(QApplication.activePopupWidget()) is not None, wait):
                break
            if above is not None and Shiboken.isValid(above[0]) and above[0].isVisible():
                # the screen's own pointer, where an earlier test left it, may lie on another entry and point at it
                QCursor.setPos(self.window.screen().geometry().bottomRight())
                self.settle()
                if attempt % 2:
                    self.click(above[0], above[0].actionGeometry(above[1]).center())
                    continue
                above[0].setActiveAction(above[1])
                QTest.keyClick(above[0], Qt.Key.Key_Right)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu), "no menu is open"
        entry = entry_of(menu)
        if entry is None and above is not None and menu is above[0]:
            raise SubmenuError(f"the submenu {plain(above[1].text())!r} did not open")
        assert entry is not None, f"no entry {text!r} among {[plain(a.text()) for a in menu.actions()]}"
        assert entry.isEnabled(), f"the entry {text!r} is disabled"
        place = menu.actionGeometry(entry).center()
        below = entry.menu()  # asked before the click: an entry without a submenu may be gone after it
        self.click(menu, place)
        if isinstance(below, QMenu):
            self._submenu = (menu, entry)

    # ------------------------------------------------------------ seeing
    def screenshot(self, path: Path | str | None = None, target: Target | None = None) -> QImage:
        """What the window (or a widget) shows, as an image; saved when a path is given."""
        self.settle()
        image = (self.window if target is None else self.find(target)).grab().toImage()
        if path is not None:
            image.save(str(path))
        return image

    def picture(self, target: Target | None = None) -> npt.NDArray[np.uint8]:
        """What is shown as ``(H, W, 4)`` RGBA bytes."""
        image = self.screenshot(target=target).convertToFormat(QImage.Format.Format_RGBA8888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        return rows[:, : image.width() * 4].reshape(image.height(), image.width(), 4).copy()

    # ------------------------------------------------------------ time
    def settle(self) -> None:
        """Run the queue until what this input caused has been done and painted, and forget what was closed."""
        turn_until_shown()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def wait_until(self, condition: Callable[[], bool], what: str = "it did not happen") -> None:
        """Run the queue until a condition holds, for work that goes on elsewhere (jobs, journal)."""
        assert self.until(condition), what

    def until(self, condition: Callable[[], bool], seconds: float | None = None) -> bool:
        """Run the queue until a condition holds; whether it came to hold within the patience, or so many seconds.

        The patience is counted in turns as well: on a busy machine there are few in a second, and work that goes on
        elsewhere gets as little of the processor.
        """
        end = time.monotonic() + (self.patience if seconds is None else seconds)
        turns = round(25 * self.patience) if seconds is None else 0
        while not condition() and (turns > 0 or time.monotonic() < end):
            turns -= 1
            QApplication.processEvents()
            time.sleep(0.002)
        QApplication.processEvents()
        return condition()


def turned(notches: float, held: Qt.KeyboardModifier) -> QPoint:
    """What an event of the wheel says: with Alt Qt tells the wheel's turning as one to the side."""
    steps = round(120 * notches)
    return QPoint(steps, 0) if held & ALT else QPoint(0, steps)


def ready_for_keys() -> bool:
    """Whether the window that may have keys has them: not one that was closed just now, nor one behind a dialog."""
    active, modal = QApplication.activeWindow(), QApplication.activeModalWidget()
    if active is None or not active.isVisible():
        return False
    return modal is None or active is modal or modal.isAncestorOf(active)


def as_point(at: Place, widget: QWidget | None = None) -> QPoint:
    if at is None:
        assert widget is not None
        return widget.rect().center()
    if isinstance(at, QPointF):
        return at.toPoint()
    return at if isinstance(at, QPoint) else QPoint(round(at[0]), round(at[1]))


def plain(text: str) -> str:
    """A menu's text without its mnemonic and shortcut."""
    return text.split("\t")[0].replace("&", "")


def text_of(widget: QWidget) -> str | None:
    if isinstance(widget, QAbstractButton):
        return plain(widget.text())
    getter = getattr(widget, "text", None)
    return getter() if callable(getter) and not isinstance(widget, QLineEdit) else None


def describe(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r}"


def search(view: QAbstractItemView, text: str, parent: QModelIndex, column: int) -> QModelIndex | None:
    model = view.model()
    for row in range(model.rowCount(parent)):
        index = model.index(row, column, parent)
        if str(index.data()) == text:
            return index.siblingAtColumn(0)
        below = search(view, text, model.index(row, 0, parent), column)
        if below is not None:
            if isinstance(view, QTreeView):
                view.expand(model.index(row, 0, parent))
            return below
    return None


def shown_rows(view: QAbstractItemView, parent: QModelIndex, column: int) -> list[QModelIndex]:
    model = view.model()
    found = []
    for row in range(model.rowCount(parent)):
        if isinstance(view, QTreeView) and view.isRowHidden(row, parent):
            continue
        first = model.index(row, 0, parent)
        found.append(first.siblingAtColumn(column))
        if not isinstance(view, QTreeView) or view.isExpanded(first):
            found += shown_rows(view, first, column)
    return found
