"""What a widget shows and says, as lines of text that a person can read, one for each widget in sight."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QColor, QFont, QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTableView,
    QToolButton,
    QTreeView,
    QWidget,
)

from editor.qt import icons
from editor.qt.number_field import NumberField
from editor.qt.widgets import SearchField
from tests.editor.portraits.approved import steady

ROWS = 40
"""Rows of a list that are told; of longer ones only how many there are."""
KEYS: dict[int, str] = {}
"""Key of each icon's picture, and how the icon is told."""


def icon_name(icon: QIcon) -> str:
    """Which of the one family it is, and its colour where that is not the usual one."""
    if icon.isNull():
        return ""
    if len(KEYS) != len(icons._CACHE):  # icons are kept for good, so a key of one stays its own
        KEYS.clear()
        for (_, name, token), known in reversed(icons._CACHE.items()):  # of two alike the first
            KEYS[known.cacheKey()] = name if token == "text" else f"{name}/{token}"
    return KEYS.get(icon.cacheKey(), "own")


def keys_of(action: QAction) -> str:
    return action.shortcut().toString()


def entry(action: QAction) -> str:
    """An entry of a menu."""
    if action.isSeparator():
        return "—" + (f" {action.text()}" if action.text() else "")
    words = [repr(action.text())]
    if keys := keys_of(action):
        words.append(f"keys={keys}")
    if action.isCheckable():
        words.append("[x]" if action.isChecked() else "[ ]")
    if not action.isEnabled():
        words.append("OFF")
    if name := icon_name(action.icon()):
        words.append(f"icon={name}")
    if action.toolTip() not in ("", action.text().split("\t")[0].replace("&", "").rstrip("…")):
        words.append(f"tip={action.toolTip()!r}")
    return " ".join(words)


def menu_lines(menu: QMenu, depth: int = 0) -> list[str]:
    """Entries of a menu and of those below it."""
    menu.aboutToShow.emit()
    found = []
    for action in menu.actions():
        if not action.isVisible():
            continue
        found.append(f"{'  ' * depth}- {entry(action)}")
        below = action.menu()
        if isinstance(below, QMenu) and depth < 2:
            found += menu_lines(below, depth + 1)
    return found


def cell(index: QModelIndex) -> str:
    """A cell of a list or table."""
    role = Qt.ItemDataRole
    words = [str(index.data()) if index.data() is not None else ""]
    state = index.data(role.CheckStateRole)
    if state is not None:
        words.append("[x]" if Qt.CheckState(state) is Qt.CheckState.Checked else "[ ]")
    tip = index.data(role.ToolTipRole)
    if tip and tip != words[0]:
        words.append(f"tip={tip!r}")
    ink = index.data(role.ForegroundRole)
    if ink is not None:
        shade = ink if isinstance(ink, QColor) else ink.color()
        words.append(shade.name())
    icon = index.data(role.DecorationRole)
    if isinstance(icon, QIcon):
        words.append(f"icon={icon_name(icon)}")
    elif icon is not None:
        words.append("picture")
    side = index.data(role.TextAlignmentRole)
    if side is not None:
        words.append("right" if Qt.AlignmentFlag(side) & Qt.AlignmentFlag.AlignRight else "left")
    font = index.data(role.FontRole)
    if isinstance(font, QFont) and (font.italic() or font.weight() > QFont.Weight.Normal):
        words.append("italic" if font.italic() else "bold")
    flags = index.flags()
    if not flags & Qt.ItemFlag.ItemIsEnabled:
        words.append("OFF")
    if flags & Qt.ItemFlag.ItemIsEditable:
        words.append("edit")
    if not flags & Qt.ItemFlag.ItemIsSelectable:
        words.append("unselectable")
    if flags & Qt.ItemFlag.ItemIsDragEnabled:
        words.append("drag")
    return " ".join(w for w in words if w)


def columns_of(view: QAbstractItemView, parent: QModelIndex) -> list[int]:
    """Columns in sight; a list has one."""
    if isinstance(view.model(), QAbstractListModel):
        return [0]
    shown = range(view.model().columnCount(parent))
    return [c for c in shown if not (isinstance(view, QTreeView) and view.isColumnHidden(c))]


def inside(view: QAbstractItemView, index: QModelIndex) -> str:
    """The widget that stands in a cell."""
    widget = view.indexWidget(index)
    return " ".join(["", *own_words(widget)]) if widget is not None else ""


def rows(view: QAbstractItemView, parent: QModelIndex, depth: int = 0) -> Iterator[str]:
    model = view.model()
    columns = columns_of(view, parent)
    for row in range(model.rowCount(parent)):
        if isinstance(view, QTreeView | QListView) and (
            view.isRowHidden(row, parent) if isinstance(view, QTreeView) else view.isRowHidden(row)
        ):
            continue
        first = model.index(row, 0, parent)
        chosen = view.selectionModel() is not None and view.selectionModel().isSelected(first)
        opened = ""
        if isinstance(view, QTreeView) and model.rowCount(first):
            opened = "▾" if view.isExpanded(first) else "▸"
        spans = isinstance(view, QTreeView) and len(columns) > 1 and view.isFirstColumnSpanned(row, parent)
        mark = f"{'>' if chosen else ' '}{opened}{'↔' if spans else ''}"
        cells = [
            cell(index) + inside(view, index) for index in (model.index(row, c, parent) for c in columns)
        ]
        yield f"{'  ' * depth}{mark}| " + " | ".join(cells)
        if opened == "▾":
            yield from rows(view, first, depth + 1)


def view_lines(view: QAbstractItemView) -> list[str]:
    """Headers and rows of a list, a tree or a table."""
    model = view.model()
    if model is None:
        return []
    found = []
    header: QHeaderView | None = None
    if isinstance(view, QTreeView) and not view.isHeaderHidden():
        header = view.header()
    elif isinstance(view, QTableView) and view.horizontalHeader().isVisible():
        header = view.horizontalHeader()
    if header is not None:
        role, across = Qt.ItemDataRole, Qt.Orientation.Horizontal
        order = [header.logicalIndex(k) for k in range(header.count())]
        titles = []
        for c in order:
            if header.isSectionHidden(c):
                continue
            tip = model.headerData(c, across, role.ToolTipRole)
            side = model.headerData(c, across, role.TextAlignmentRole)
            right = side is not None and Qt.AlignmentFlag(side) & Qt.AlignmentFlag.AlignRight
            title = (
                f"{model.headerData(c, across)!r}"
                + (f" tip={tip!r}" if tip else "")
                + (" right" if right else "")
            )
            mode = header.sectionResizeMode(c)
            wide = "" if mode == QHeaderView.ResizeMode.Stretch else f" {header.sectionSize(c)}"
            titles.append(f"{title} {mode.name}{wide}")
        sorting = (
            f" sorted by {header.sortIndicatorSection()} {header.sortIndicatorOrder().name}"
            if header.isSortIndicatorShown()
            else ""
        )
        found.append(
            f"header: {'; '.join(titles)}{sorting}{' clickable' if header.sectionsClickable() else ''}"
        )
    listed = list(rows(view, QModelIndex()))
    return found + listed[:ROWS] + ([f"… {len(listed)} rows"] if len(listed) > ROWS else [])


def number_words(field: NumberField) -> list[str]:
    value = "–" if field.value is None else f"{field.value:.{field.decimals + 1}f}"
    words = [f"{value}{field.unit}", f"step={field.step:g}", f"digits={field.decimals}"]
    words.append(f"from {field.minimum:g} to {field.maximum:g}")
    if field.letter:
        words.append(f"letter={field.letter}/{field.axis}")
    if field.keyed:
        words.append(f"diamond={field.key_state}")
    return words


def own_words(widget: QWidget) -> list[str]:
    """What is special to a kind of widget."""
    words: list[str] = []
    match widget:
        case NumberField():
            words += number_words(widget)
        case QAbstractButton():
            words.append(repr(widget.text()))
            if name := icon_name(widget.icon()):
                words.append(f"icon={name}")
            if widget.isCheckable():
                words.append("[x]" if widget.isChecked() else "[ ]")
            if widget.isDown():
                words.append("down")
            if not widget.shortcut().isEmpty():
                words.append(f"keys={widget.shortcut().toString()}")
            if widget.autoRepeat():
                words.append("repeats")
            if isinstance(widget, QPushButton):
                words += [w for w, on in (("default", widget.isDefault()), ("flat", widget.isFlat())) if on]
            if isinstance(widget, QToolButton):
                words.append(widget.popupMode().name if widget.menu() is not None else "")
        case QLabel():
            words.append(repr(widget.text()) if widget.pixmap().isNull() else "picture")
            if widget.buddy() is not None:
                words.append(f"of={widget.buddy().objectName()}")
            if widget.alignment() & (Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignHCenter):
                words.append("right" if widget.alignment() & Qt.AlignmentFlag.AlignRight else "centred")
            if widget.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
                words.append("selectable")
        case QLineEdit():
            words.append(repr(widget.text()))
            if widget.placeholderText():
                words.append(f"hint={widget.placeholderText()!r}")
            if widget.isReadOnly():
                words.append("read only")
            if widget.completer() is not None:
                words.append("completes")
            if isinstance(widget, SearchField):
                words.append("search")
            words += [f"icon={icon_name(a.icon())}" for a in widget.actions() if a.isVisible()]
        case QPlainTextEdit():
            words += [repr(steady(widget.toPlainText())[:200]), f"hint={widget.placeholderText()!r}"]
        case QComboBox():
            words.append(repr(widget.currentText()))
            if widget.isEditable():
                words.append("editable")
            if widget.placeholderText():
                words.append(f"hint={widget.placeholderText()!r}")
        case QAbstractSlider():
            words.append(f"{widget.value()} from {widget.minimum()} to {widget.maximum()}")
            words.append(f"step={widget.singleStep()} page={widget.pageStep()}")
            words.append(widget.orientation().name)
        case QProgressBar():
            text = repr(widget.format()) if widget.isTextVisible() else "without text"
            words.append(f"{widget.value()} of {widget.minimum()}–{widget.maximum()} {text}")
        case QTabBar():
            words.append(f"{[widget.tabText(k) for k in range(widget.count())]} at {widget.currentIndex()}")
        case QStackedWidget():
            words.append(f"page {widget.currentIndex()} of {widget.count()}")
        case QSplitter():
            words.append(widget.orientation().name)
        case QGroupBox():
            words.append(repr(widget.title()))
        case QAbstractItemView():
            words.append(f"{widget.selectionMode().name.removesuffix('Selection').lower()}")
            kinds = type(widget.editTriggers())
            known = (kinds.DoubleClicked, kinds.SelectedClicked, kinds.EditKeyPressed, kinds.AnyKeyPressed)
            words.append(
                f"edit={'+'.join(t.name or '' for t in known if t in widget.editTriggers()) or 'no'}"
            )
            words += [
                w for w, on in (
                    ("drags", widget.dragEnabled()), ("alternating", widget.alternatingRowColors()),
                    ("sorts", isinstance(widget, QTreeView) and widget.isSortingEnabled()),
                    ("root", isinstance(widget, QTreeView) and widget.rootIsDecorated()),
                ) if on
            ]  # fmt: skip
    return words


def entries(widget: QWidget) -> list[str]:
    """Lines below a widget: rows, choices, its menu."""
    if isinstance(widget, QAbstractItemView):
        return view_lines(widget)
    if isinstance(widget, QComboBox):
        model, role = widget.model(), Qt.ItemDataRole
        found = []
        for k in range(min(widget.count(), ROWS)):
            data = widget.itemData(k)
            known = (
                f" = {data!r}"
                if isinstance(data, str | int | float | bool) and data != widget.itemText(k)
                else ""
            )
            tip = widget.itemData(k, role.ToolTipRole)
            off = "" if model.flags(model.index(k, 0)) & Qt.ItemFlag.ItemIsEnabled else " OFF"
            found.append(f"- {widget.itemText(k)!r}{known}{f' tip={tip!r}' if tip else ''}{off}")
        return found
    if isinstance(widget, QPushButton | QToolButton) and widget.menu() is not None:
        return menu_lines(widget.menu())
    return []


def line_of(widget: QWidget, top: QWidget | None) -> str:
    """One widget in words; its place in another, or none where it is out of sight."""
    words = [type(widget).__name__, widget.objectName(), *own_words(widget)]
    tip = widget.toolTip()
    if tip:
        words.append(f"tip={tip!r}")
    said = widget.accessibleName()
    if said and said != tip:
        words.append(f"said={said!r}")
    if widget.statusTip():
        words.append(f"status={widget.statusTip()!r}")
    role = widget.property("role")
    if role:
        words.append(f"role={role}")
    if not widget.isEnabled() and (widget.parentWidget() is None or widget.parentWidget().isEnabled()):
        words.append("OFF")
    if widget.testAttribute(Qt.WidgetAttribute.WA_SetCursor):
        words.append(f"cursor={widget.cursor().shape().name.removesuffix('Cursor')}")
    focus = widget.focusPolicy()
    if focus is not Qt.FocusPolicy.NoFocus:
        words.append(f"focus={focus.name.removesuffix('Focus')}")
    if widget.acceptDrops():
        words.append("drops")
    if widget.font().weight() > QFont.Weight.Normal:
        words.append("bold")
    if top is not None and widget is not top:
        at = widget.mapTo(top, widget.rect().topLeft())
        words.append(f"@{at.x()},{at.y()},{widget.width()},{widget.height()}")
    return steady(" ".join(w for w in words if w))


def inner(widget: QWidget) -> bool:
    """Whether it is Qt's own part of another widget."""
    return isinstance(widget, QScrollBar | QHeaderView) or widget.objectName().startswith("qt_")


def parts(widget: QWidget) -> list[QWidget]:
    """Widgets in sight that lie in it, as they are read: from above, then from the left."""
    found = [w for w in widget.children() if isinstance(w, QWidget) and w.isVisible() and not w.isWindow()]
    return sorted(found, key=lambda w: (w.y(), w.x()))


def lines(widget: QWidget, top: QWidget | None = None, depth: int = 0) -> list[str]:
    """A widget and all in it that is in sight."""
    top = top or widget
    skipped = inner(widget) and depth
    found = [] if skipped else [f"{'  ' * depth}{line_of(widget, top)}"]
    if not skipped:
        found += [steady(f"{'  ' * depth}  {text}") for text in entries(widget)]
    below = depth if skipped else depth + 1
    if not isinstance(widget, QComboBox | QAbstractItemView | NumberField | QLineEdit | QMenu):
        for part in parts(widget):
            found += lines(part, top, below)
    elif isinstance(widget, QComboBox) and widget.lineEdit() is not None:
        found += lines(widget.lineEdit(), top, below)
    return found


def by_sight(top: QWidget) -> tuple[set[str], dict[str, str]]:
    """Names of what is in sight, and by name what is not, in words."""
    seen: set[str] = set()
    unseen: dict[str, str] = {}
    for widget in top.findChildren(QWidget):
        name = widget.objectName()
        if not name or inner(widget) or widget.isWindow():
            continue
        if widget.isVisible():
            seen.add(name)
        else:
            unseen[name] = line_of(widget, None)
    return seen, unseen


def focus_order(top: QWidget) -> list[str]:
    """Names of what Tab reaches, in turn."""
    found, widget = [], top.nextInFocusChain()
    while widget is not top and widget is not None and len(found) < 500:
        if (
            top.isAncestorOf(widget)
            and widget.isVisible()
            and widget.isEnabled()
            and widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        ):
            found.append(widget.objectName() or type(widget).__name__)
        widget = widget.nextInFocusChain()
    return found
