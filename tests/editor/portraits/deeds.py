"""Does with every control of a panel what a person can do with it, and tells what came of each.

Buttons are pressed, entries chosen, numbers and names typed, rows clicked; on what is painted the pointer looks for
every place that has another cursor, tip or hint, and clicks, drags, drops, gives up and turns the wheel there.
"""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QSlider,
    QToolButton,
    QWidget,
)
from shiboken6 import Shiboken

from editor.qt.number_field import NumberField
from tests.editor.portraits import happenings, words
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.pointer import (
    KEPT,
    ask_menu,
    gestures,
    hover,
    key,
    tap,
    tip_of,
    twice,
)

PLACES = 7
"""Places of one painted widget at which things are done."""
CHOICES = 10


def everything(hands: Hands) -> list[str]:
    """All that can be done in the panel; what a row that is clicked brings into sight comes after it."""
    done: set[str] = set()
    for views in (False, True, False, True):
        for name, find in list(hands.controls()):
            widget = find() if Shiboken.isValid(hands.panel) else None
            if widget is None or name in done or isinstance(widget, QAbstractItemView) is not views:
                continue
            done.add(name)
            if not any(part in name for part in hands.left):
                use(hands, name, find, widget)
    return hands.lines


def use(hands: Hands, name: str, find: Callable[[], QWidget | None], widget: QWidget) -> None:
    """All that can be done with a control."""
    match widget:
        case QAbstractButton():
            use_button(hands, name, find)
        case NumberField():
            use_number(hands, name, find)
        case QComboBox():
            use_choice(hands, name, find)
        case QLineEdit():
            use_text(hands, name, find)
        case QSlider():
            use_slider(hands, name, find)
        case QAbstractItemView():
            use_rows(hands, name, find)
        case _ if is_painted(widget):
            use_canvas(hands, name, find)


def use_button(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    button = find()
    if isinstance(button, QPushButton | QToolButton) and button.menu() is not None:
        use_entries(hands, name, lambda: button.menu() if (button := find()) is not None else None)
        return
    came = hands.do(f"press {name}", lambda: button.click())
    again = find()
    if came and again is not None and again.isCheckable():
        hands.do(f"press {name} again", lambda: again.click())


def use_entries(hands: Hands, name: str, menu_of: Callable[[], QMenu | None]) -> None:
    """Every entry of a menu, once for each text."""
    menu = menu_of()
    if menu is None:
        return
    menu.aboutToShow.emit()
    listed = [(path, a.text()) for path, a in leaves(menu) if a.isEnabled()]
    menu.close()
    hands.settle()
    for path, text in listed[:24]:
        if (key := f"{path}/{text}") in hands.menus:
            continue
        hands.menus.add(key)
        menu = menu_of()
        if menu is None:
            return
        menu.aboutToShow.emit()
        action = next((a for p, a in leaves(menu) if (p, a.text()) == (path, text)), None)
        if action is not None:
            hands.do(f"choose {name} › {path}{text!r}", lambda a=action, m=menu: chosen(a, m))
        elif Shiboken.isValid(menu):
            menu.close()


def use_number(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    field = find()
    if field.value is None:
        return
    step = max(10.0**-field.decimals, field.step * 10)
    for value in (field.value + step, field.value - step):
        held = round(value, field.decimals)
        if field.minimum <= held <= field.maximum:

            def typed(held=held) -> None:
                if hands.dialog:  # which reads its fields, and shows nothing anew
                    field.set_value(held)
                field.committed.emit(held)

            hands.do(f"type {held:g} into {name}", typed)
            return


def use_choice(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
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

        hands.do(f"choose {box.itemText(k)!r} in {name}", choose)
    box = find()
    if box is not None and box.currentIndex() != first and first >= 0:
        box.setCurrentIndex(first)
        box.activated.emit(first)
        hands.settle()


def use_text(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
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

    hands.do(f"type 'ar' into {name}", lambda: typed("ar", None), back=False)
    if not hands.dialog:
        hands.do("then Escape", lambda: key(find(), Qt.Key.Key_Escape))
        hands.do(f"type 'arm' and Enter into {name}", lambda: typed("arm", Qt.Key.Key_Return))
    again = find()
    if again is not None and again.text() != first:
        again.setText(first)
        hands.settle()


def use_slider(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    slider = find()

    def slide() -> None:
        slider.setSliderDown(True)
        more = slider.value() + 7 if slider.value() + 7 <= slider.maximum() else slider.value() - 7
        slider.setSliderPosition(more)
        slider.setSliderDown(False)

    hands.do(f"slide {name}", slide)


def use_rows(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    view = find()
    model = view.model()
    if model is None or not model.rowCount():
        return
    columns = words.columns_of(view, QModelIndex())
    for row in range(min(model.rowCount(), 3)):
        hands.do(f"click row {row} of {name}", lambda row=row: tap_cell(find(), row, 0))
    # by row and column each time: an index of before may point at what is gone
    for column in columns:
        if column:
            hands.do(f"click column {column} of {name}", lambda c=column: tap_cell(find(), -1, c))
        hands.do(
            f"double click column {column} of {name}",
            lambda c=column: tap_cell(find(), -1, c, True),
            back=False,
        )
        if not hands.dialog:
            hands.do("then Escape", lambda: key(QApplication.focusWidget() or find(), Qt.Key.Key_Escape))
    for code in (Qt.Key.Key_Delete, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Space):
        if hands.dialog and code is Qt.Key.Key_Return:
            continue
        view = find()
        if view is not None and view.model().rowCount():
            view.setCurrentIndex(first_of(view))
            hands.settle()
            hands.do(f"{code.name} in {name}", lambda code=code: key(find(), code))
    rename(hands, name, find)
    view = find()
    if view is not None and view.model().rowCount():
        use_menu(hands, f"{name} row", lambda: port(find()), cell_of(view, -1, 0))
        use_menu(hands, f"{name} below", lambda: port(find()), QPoint(20, view.viewport().height() - 6))


def rename(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    """Another name by F2 for a row that the keyboard alone has gone to."""
    view = find()
    if view is None or view.focusPolicy() is Qt.FocusPolicy.NoFocus:
        return
    if not view.editTriggers() & QAbstractItemView.EditTrigger.EditKeyPressed:
        return
    row = view.model().rowCount() - 1
    index = view.model().index(row, 0)
    if row < 0 or not index.flags() & Qt.ItemFlag.ItemIsEditable or hands.dialog:
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

    hands.do(f"F2, 'arm' and Enter in row {row} of {name}", typed)


def use_menu(hands: Hands, name: str, find: Callable[[], QWidget | None], at: QPoint) -> None:
    """What the right button opens, and each of its entries."""

    def ask() -> None:
        widget = find()
        if widget is not None:
            there = widget.mapToGlobal(at)
            ask_menu(widget, at)
            menu = QApplication.activePopupWidget()
            if isinstance(menu, QMenu) and not menu.geometry().adjusted(-5, -5, 5, 5).contains(there):
                KEPT.append("menu away from the pointer")

    came = hands.do(f"right button on {name}", ask)
    if "menu" not in came:
        return

    def menu_of() -> QMenu | None:
        known = {id(w) for w in happenings.windows()}
        ask()
        hands.settle()
        found = [w for w in happenings.windows() if id(w) not in known and isinstance(w, QMenu)]
        return found[0] if found else None

    use_entries(hands, name, menu_of)


def use_canvas(hands: Hands, name: str, find: Callable[[], QWidget | None]) -> None:
    places = places_of(hands, find())
    for at, told in places:
        hands.lines.append(f"--- {name} {told}")
        here = name
        small = find() is not None and find().height() < 28 and find().width() < 160
        for what, deed in gestures(find, at):
            if small and "drag" in what:
                continue
            if find() is None:
                return
            hands.do(f"{what} on {here}", deed)
        if find() is not None:
            use_menu(hands, f"{here} {told}", find, at)


def places_of(hands: Hands, widget: QWidget) -> list[tuple[QPoint, str]]:
    """A place for each cursor, tip and hint that it has; its middle if it has but one."""
    found: dict[tuple[str, str, str], QPoint] = {}
    wide, high = widget.width(), widget.height()
    across, down = max(6, wide // 60), max(5, high // 40)
    for y in range(2, high, down):
        for x in range(2, wide, across):
            at = QPoint(x, y)
            hover(widget, at)
            tip = tip_of(widget, at) if widget.toolTip() == "" else ""
            mark = widget.cursor().shape().name.removesuffix("Cursor"), tip, hands.stage.notes.hint
            found.setdefault(mark, at)
    hands.settle()
    hover(widget, QPoint(wide // 2, high // 2))
    mark = widget.cursor().shape().name.removesuffix("Cursor"), "", "middle"
    listed = [(at, f"{cursor} {tip!r} {hint!r}") for (cursor, tip, hint), at in found.items()]
    hands.lines += [f"over {name_of(widget)} @{at.x()},{at.y()}: {told}" for at, told in listed]
    return [*listed[:PLACES], (QPoint(wide // 2, high // 2), f"{mark[0]} in the middle")]


def name_of(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


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


def is_painted(widget: QWidget) -> bool:
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
