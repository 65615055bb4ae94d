"""Deeds of a hand in a panel, by the names of its controls: clicks, rows, keys, numbers, words, entries of menus.

What cannot be seen or used by a person fails at once, and says which control it is.
"""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QInputDialog,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from core.ids import AssetId
from editor.model.session import Session
from editor.qt.number_field import NumberField
from tests.editor.portraits import deeds, pointer
from tests.editor.portraits.pointer import LEFT, NONE, RIGHT
from tests.editor.portraits.told_states import Deed


def control(panel: QWidget, name: str) -> QWidget:
    """The control of a name that can be used now, in the panel or in its title bar."""
    tops = [panel, *getattr(panel, "portrait_titles", ())]
    named = [w for top in tops for w in (top, *top.findChildren(QWidget, name)) if w.objectName() == name]
    found = [w for w in named if w.isVisible() and w.isEnabled()]
    assert found, f"{name} cannot be used: {'out of sight or off' if named else 'there is none'}"
    return found[-1]


def view_of(panel: QWidget, name: str) -> QAbstractItemView:
    view = control(panel, name)
    assert isinstance(view, QAbstractItemView)
    return view


# ------------------------------------------------------------ the pointer
def focused(widget: QWidget) -> None:
    """The keyboard, as a real press gives it."""
    if widget.focusPolicy() & Qt.FocusPolicy.ClickFocus:
        widget.setFocus(Qt.FocusReason.MouseFocusReason)


def click(name: str, held: Qt.KeyboardModifier = NONE) -> Deed:
    """A click on a control."""

    def deed(session: Session, panel: QWidget) -> None:
        widget = control(panel, name)
        focused(widget)
        pointer.tap(widget, QPoint(min(10, widget.width() // 2), widget.height() // 2), held)

    return deed


def drag(name: str, by: int, end: str = "release", held: Qt.KeyboardModifier = NONE) -> Deed:
    """A drag to the right (to the left below 0) from a control's middle.

    Parameters
    ----------
    end : "release", "escape" or "right" (button)
    """

    def deed(session: Session, panel: QWidget) -> None:
        widget = control(panel, name)
        moved(widget, widget.rect().center(), QPoint(by, 0), end, held)

    return deed


def moved(
    widget: QWidget, at: QPoint, by: QPoint, end: str = "release", held: Qt.KeyboardModifier = NONE
) -> None:
    """A drag of a widget from a place, in two moves."""
    focused(widget)
    pointer.press(widget, at, LEFT, held)
    for share in (0.5, 1.0):
        to = at + QPoint(round(by.x() * share), round(by.y() * share))
        pointer.mouse(widget, QEvent.Type.MouseMove, to, Qt.MouseButton.NoButton, LEFT, held)
        QApplication.processEvents()
    if end == "escape":
        pointer.key(widget, Qt.Key.Key_Escape)
    elif end == "right":
        pointer.mouse(widget, QEvent.Type.MouseButtonPress, at + by, RIGHT, LEFT | RIGHT)
        pointer.mouse(widget, QEvent.Type.MouseButtonRelease, at + by, RIGHT, LEFT)
    pointer.let_go(widget, at + by, LEFT, held)


# ------------------------------------------------------------ rows
def index_of(view: QAbstractItemView, path: tuple[int, ...], column: int = 0) -> QModelIndex:
    """The cell of a row, by the numbers of the rows above it; below 0 they count from the last."""
    model, parent = view.model(), QModelIndex()
    for row in path:
        count = model.rowCount(parent)
        assert -count <= row < count, f"{view.objectName()} has no row {row}"
        parent = model.index(row % count, 0, parent)
    return parent.siblingAtColumn(column)


def row(
    name: str, *path: int, column: int = 0, held: Qt.KeyboardModifier = NONE, double: bool = False
) -> Deed:
    """A click, or a double click, on a cell of a list."""

    def deed(session: Session, panel: QWidget) -> None:
        view = view_of(panel, name)
        index = index_of(view, path, column)
        view.scrollTo(index)
        focused(view)
        (pointer.twice if double else pointer.tap)(
            view.viewport(), view.visualRect(index).center(), held=held
        )

    return deed


def renamed(name: str, words: str, *path: int, column: int = 0, end: Qt.Key = Qt.Key.Key_Return) -> Deed:
    """Words typed into a cell that a double click opens."""

    def deed(session: Session, panel: QWidget) -> None:
        row(name, *path, column=column, double=True)(session, panel)
        QApplication.processEvents()
        typed_into_focus(words, end)

    return deed


def typed_into_focus(words: str, end: Qt.Key | None) -> None:
    """Words into the field that has the keyboard."""
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit), f"no field has the keyboard but {type(field).__name__}"
    field.selectAll()
    QTest.keyClicks(field, words) if words else QTest.keyClick(field, Qt.Key.Key_Backspace)
    if end is not None:
        QTest.keyClick(QApplication.activePopupWidget() or field, end)


# ------------------------------------------------------------ keys and words
def key(name: str, code: Qt.Key) -> Deed:
    """A key pressed over a control that has the keyboard."""

    def deed(session: Session, panel: QWidget) -> None:
        widget = control(panel, name)
        widget.setFocus()
        pointer.key(widget, code)

    return deed


def typed(name: str, words: str, end: Qt.Key | None = Qt.Key.Key_Return) -> Deed:
    """Words instead of those of a field."""

    def deed(session: Session, panel: QWidget) -> None:
        field = control(panel, name)
        field.setFocus()
        typed_into_focus(words, end)

    return deed


def number(name: str, words: str, end: Qt.Key = Qt.Key.Key_Return) -> Deed:
    """A number typed into a field that a click opens."""

    def deed(session: Session, panel: QWidget) -> None:
        field = control(panel, name)
        assert isinstance(field, NumberField)
        pointer.tap(field, field.rect().center())
        typed_into_focus(words, end)

    return deed


def chosen(name: str, text: str) -> Deed:
    """Another entry of a choice."""

    def deed(session: Session, panel: QWidget) -> None:
        box = control(panel, name)
        assert isinstance(box, QComboBox)
        at = box.findText(text)
        assert at >= 0, f"{name} offers no {text}"
        box.setCurrentIndex(at)
        box.activated.emit(at)

    return deed


# ------------------------------------------------------------ menus
def entry(name: str, text: str) -> Deed:
    """An entry of a button's menu."""
    return lambda session, panel: picked(menu_of(panel, name), text)


def menu_of(panel: QWidget, name: str) -> QMenu:
    button = control(panel, name)
    assert isinstance(button, QPushButton | QToolButton)
    return button.menu()


def picked(found: QMenu, text: str) -> None:
    """An entry is chosen that a person can choose."""
    found.aboutToShow.emit()
    entries = [a for path, a in deeds.leaves(found) if a.text() == text]
    assert entries and entries[0].isEnabled(), f"{text} cannot be chosen"
    deeds.chosen(entries[0], found)


def asked(widget: QWidget, at: QPoint) -> QMenu:
    """The menu that the right button opens at a place."""
    pointer.ask_menu(widget, at)
    QApplication.processEvents()
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu), "no menu came up"
    return found


def right_row(name: str, *path: int, pick: str = "") -> Deed:
    """The right button on a row, and the entry of a name."""

    def deed(session: Session, panel: QWidget) -> None:
        view = view_of(panel, name)
        found = asked(view.viewport(), view.visualRect(index_of(view, path)).center())
        if pick:
            picked(found, pick)

    return deed


def answered(act: Deed, words: str, end: str = "accept") -> Deed:
    """A deed that asks for words in a dialog, and the answer; "reject" gives none."""

    def deed(session: Session, panel: QWidget) -> None:
        act(session, panel)
        QApplication.processEvents()
        boxes = [w for w in QApplication.topLevelWidgets() if isinstance(w, QInputDialog) and w.isVisible()]
        assert len(boxes) == 1, "nothing is asked"
        boxes[0].setTextValue(words)
        getattr(boxes[0], end)()

    return deed


def then(*acts: Deed) -> Deed:
    """One deed after the other."""

    def deed(session: Session, panel: QWidget) -> None:
        for act in acts:
            act(session, panel)
            QApplication.processEvents()

    return deed


def undo(session: Session, panel: QWidget) -> None:
    session.undo()


def bones(*names: str) -> Deed:
    """Bones selected elsewhere."""
    return lambda session, panel: session.selection.select(list(names))


def seek(time: float) -> Deed:
    return lambda session, panel: session.playback.seek(time)


def wide(width: int, height: int) -> Deed:
    """A window of another size."""
    return lambda session, panel: panel.window().resize(width, height)


def clip_shown(id: str | None) -> Deed:
    """Another clip comes into view."""
    return lambda session, panel: session.playback.set_clip(None if id is None else AssetId(id))
