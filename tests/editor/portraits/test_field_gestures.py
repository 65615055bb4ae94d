"""Fields of numbers, parameters and dragged things in hand: what is typed, scrubbed, chosen, refused."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolTip, QVBoxLayout, QWidget

from core.errors import AnimError
from core.graph.catalogue.pins import Form, Parameter
from core.ids import AssetId
from editor.model.graph.choices import Option
from editor.panels.graph_node.fields import Choice, parameter_field
from editor.panels.graph_node.order import OrderList
from editor.qt import drags
from editor.qt.expression import evaluate
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.brush import noted
from tests.editor.portraits.gestures import move
from tests.editor.portraits.pointer import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT
from tests.editor.turning import in_front

FORMULAS = (
    "12.5", "1,5", "+3", "-3", "*2", "/4", "/0", "-=3", "+=3", "/=2", "=-3", "=5*(2+1)", "2^3^2", "2**3", "-2^2",
    "(1+2", "sqrt(2)", "sqrt 2", "sin(30)", "cos(60)", "atan(1)", "pi", "tau", "1/0", "1e999", "1e13", "abc", "", "  ",
    "3 4", "2 +", "=", "sqrt(-1)", "(-8)^0.5", "12°", "12 deg", "1 rad", "1 turn", "12 cm", "--3", "+-3", "1.5.2", "3)",
    "9" * 201, "10 %", "5//2", "9**9", "abs(-4)", "round(2.6)", "7 - 2 - 1", "8/2/2", "2+3*4", "−4", "3×2", "8÷4",
)  # fmt: skip
HELD = {"": NONE, "Shift ": SHIFT, "Ctrl ": CTRL, "Alt ": ALT}


def formulas(qapp) -> list[str]:
    """What a number field makes of what is typed."""
    found = []
    for text in FORMULAS:
        for current in (10.0, None):
            try:
                result = f"{evaluate(text, current, '°'):.6g}"
            except AnimError as error:
                result = f"refused: {error}"
            found.append(f"{text[:24]!r} on {current}: {result[:110]}")
    return found


class Field:
    """A field in a window of its own, with another beside it for the keyboard to go to."""

    def __init__(self, theme: Theme, field: QWidget) -> None:
        self.theme, self.field, self.heard = theme, field, []
        self.window, self.other = QWidget(), QLineEdit("other")
        column = QVBoxLayout(self.window)
        column.addWidget(field)
        column.addWidget(self.other)
        theme.dress(self.window)
        self.window.resize(220, 90)
        self.window.show()
        in_front(self.window)

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()

    def middle(self, dx: int = 0) -> QPoint:
        return self.field.rect().center() + QPoint(dx, 0)


def numbers(qapp) -> list[str]:
    """A number is typed, scrubbed, turned by the wheel, given up."""
    theme, found = Theme(qapp), []
    field = NumberField(theme, "°", 1, 0.5, 2, (-20.0, 30.0), keyed=True)
    here = Field(theme, field)
    heard: list[str] = []
    field.previewed.connect(lambda x: heard.append(f"tries {x:g}"))
    field.committed.connect(lambda x: heard.append(f"keeps {x:g}"))
    field.cancelled.connect(lambda: heard.append("gives up"))

    def do(what: str, deed, value: float | None = 10.0) -> None:
        field.set_value(value)
        here.other.setFocus()
        QToolTip.hideText()
        qapp.processEvents()
        heard.clear()
        deed()
        qapp.processEvents()
        shown = "–" if field.value is None else f"{field.value:g}"
        tip = QToolTip.text() if QToolTip.isVisible() else ""
        line = field.findChild(QLineEdit)
        typing = f" typing {line.text()!r} selected {line.selectedText()!r}" if line.isVisible() else ""
        focus = "field" if field.hasFocus() else "editor" if line.hasFocus() else "elsewhere"
        said = f" said {tip!r}" if tip else ""
        found.append(f"{what}: {shown} {field.written()} {' '.join(heard)}{typing} {focus}{said}")
        if line.isVisible():
            QTest.keyClick(line, Qt.Key.Key_Escape)

    def scrub(by: int, held=NONE, end=None, button=LEFT) -> None:
        pointer.press(field, here.middle(), button, held)
        for share in (0.5, 1.0):
            move(field, here.middle(round(by * share)), button, held)
        if end is not None:
            end()
        pointer.let_go(field, here.middle(by), button, held)

    def text(words: str, *codes) -> None:
        field.edit()
        line = field.findChild(QLineEdit)
        QTest.keyClicks(line, words)
        for code in codes:
            QTest.keyClick(line, code)

    for word, held in HELD.items():
        do(f"{word}drag right", lambda h=held: scrub(12, h))
        do(f"{word}drag left", lambda h=held: scrub(-8, h))
    do("drag by a hair", lambda: scrub(2))
    do("drag by three", lambda: scrub(3))
    do("drag beyond", lambda: scrub(90))
    do("drag, Escape", lambda: scrub(12, end=lambda: QTest.keyClick(field, Qt.Key.Key_Escape)))
    do("drag, right button", lambda: scrub(12, end=lambda: pointer.press(field, here.middle(12), RIGHT)))
    do("drag there and back", lambda: scrub(12, end=lambda: move(field, here.middle(), LEFT)))
    do("right drag", lambda: scrub(12, button=RIGHT))
    do("middle drag", lambda: scrub(12, button=MIDDLE))
    do("drag of what differs", lambda: scrub(12), None)
    do("click", lambda: scrub(0))
    enter, escape, tab = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab
    for words in ("15", "+2", "*2", "-99", "99", "30.004", "abc", "", "10.004", "1 rad"):
        do(f"typed {words!r}, Enter", lambda w=words: text(w, enter))
        do(f"typed {words!r}, Escape", lambda w=words: text(w, escape))
        do(f"typed {words!r}, Tab", lambda w=words: text(w, tab))
    do("typed, Backtab", lambda: text("15", Qt.Key.Key_Backtab))
    do("typed, on the pad", lambda: text("15", Qt.Key.Key_Enter))
    do("typed, a click elsewhere", lambda: (text("15"), here.other.setFocus()))
    do("typed where they differ", lambda: text("+3", enter), None)
    do("Enter begins to type", lambda: (field.setFocus(), QTest.keyClick(field, enter)))
    do("another number comes", lambda: (field.edit(), field.set_value(3.0)))
    do("another number comes, typed", lambda: (text("7"), field.set_value(3.0)))
    for notches in (1.0, -2.0):
        for word, held in HELD.items():
            do(
                f"{word}wheel {notches:g}",
                lambda n=notches, h=held: (field.setFocus(), pointer.wheel(field, here.middle(), n, h)),
            )
    do("wheel without the keyboard", lambda: pointer.wheel(field, here.middle(), 1.0))
    do("wheel where they differ", lambda: (field.setFocus(), pointer.wheel(field, here.middle(), 1.0)), None)
    with noted() as log:

        def look(what: str, deed) -> None:
            deed()
            qapp.processEvents()
            log.taken()
            field.grab()
            found.append(f"{what} {field.toolTip()!r} {field.cursor().shape().name}")
            found.extend(f"    {line}" for line in log.taken())

        look("at rest", lambda: here.other.setFocus())
        look("under the pointer", lambda: QApplication.sendEvent(field, _enter(field)))
        look("away", lambda: QApplication.sendEvent(field, QEvent(QEvent.Type.Leave)))
        look("with the keyboard", lambda: field.setFocus())
        for state in ("key", "animated", "pending", "none"):
            look(f"key {state}", lambda s=state: field.set_key_state(s))
        look("where they differ", lambda: field.set_value(None))
        look("being typed into", field.edit)
        look("off", lambda: field.setEnabled(False))
        do("edit while off", field.edit)
        do("drag while off", lambda: scrub(12))
        look("on again", lambda: field.setEnabled(True))
        look("narrow", lambda: (field.set_value(-12.34), field.setFixedWidth(46)))
    here.close()
    return found


def _enter(widget: QWidget) -> QEvent:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QEnterEvent

    at = QPointF(widget.rect().center())
    return QEnterEvent(at, at, at)


def parameters(qapp) -> list[str]:
    """Fields of the forms of a node's parameters: what is typed or chosen, and what is handed over."""
    theme, found = Theme(qapp), []
    options = [Option("walk-id", "walk"), Option("run-id", "run"), Option("id-3", "walk fast")]
    for form, value, more in (
        (Form.TEXTS, ("a", "b"), {}), (Form.NUMBERS, (1.0, 2.5), {}), (Form.TEXT, "hello", {}),
        (Form.CLIP, "walk-id", {}), (Form.CLIP, "gone", {}), (Form.CLIP, "", {}), (Form.GROUP, "", {}),
        (Form.SLOT, "walk-id", {}), (Form.NUMBER, 2.0, {"least": -1.0, "most": 4.0}),
        (Form.WHOLE, 2, {"least": 0.0, "most": 9.0}),
    ):  # fmt: skip
        put: list[object] = []
        listed = options if form in (Form.CLIP, Form.GROUP, Form.SLOT) else []
        here = Field(
            theme, parameter_field(theme, Parameter("p", form, "", **more), value, listed, put.append)
        )
        field = here.field
        line = field.findChild(QLineEdit) if not isinstance(field, QLineEdit) else field
        found.append(
            f"=== {form.name} {value!r}: {type(field).__name__} {line.text()!r} hint {line.placeholderText()!r} "
            f"role {line.property('role')} tip {field.toolTip()!r}"
        )
        for words in ("run", "WALK", "fast", " x , y ", "3, 4", "3, q", "", "nobody", "7"):
            put.clear()
            if isinstance(field, NumberField):
                field.edit()
            line.setFocus()
            line.selectAll()
            QTest.keyClick(line, Qt.Key.Key_Delete)
            QTest.keyClicks(line, words)
            QTest.keyClick(line, Qt.Key.Key_Return)
            qapp.processEvents()
            here.other.setFocus()
            qapp.processEvents()
            found.append(
                f"  typed {words!r}: puts {put!r} shows {line.text()!r} role {line.property('role')}"
            )
        if isinstance(field, Choice):
            put.clear()
            entries = [field.itemText(k) for k in range(field.count())]
            field.activated.emit(1)
            found.append(f"  entries {entries} the second puts {put!r}")
        here.close()
    return found


def orders(qapp) -> list[str]:
    """Rows that are dragged into another order."""
    told: list[object] = []
    rows = [("a", "to walk"), ("b", "to run"), ("c", "to fall")]
    box = OrderList(rows, ["b"], lambda order: told.append(f"order {order}"))
    box.chosen.connect(lambda id: told.append(f"chosen {id}"))
    here = Field(Theme(qapp), box)
    listed = [f"{box.item(k).text()!r} tip {box.item(k).toolTip()!r}" for k in range(box.count())]
    found = [*listed, f"current {box.currentRow()} height {box.height()} {box.dragDropMode().name}"]
    for row in (0, 2):
        pointer.tap(box, box.visualItemRect(box.item(row)).center())
    box.tell()
    box.insertItem(0, box.takeItem(2))
    box.tell()
    box.tell()
    here.close()
    return [*found, *map(str, told)]


def dragged(qapp, patch: pytest.MonkeyPatch) -> list[str]:
    """Things that can be dragged to another panel."""
    theme, found, made = Theme(qapp), [], []

    class Drag:
        def __init__(self, source) -> None:
            made.append(f"from {source.objectName()}")

        def setMimeData(self, data) -> None:
            made.extend(f"{kind} {bytes(data.data(kind).data()).decode()!r}" for kind in data.formats())

        def setPixmap(self, picture) -> None:
            made.append(f"picture {picture.width() > 0}")

        def exec(self, actions) -> None:
            made.append(f"{actions}")

    patch.setattr(drags, "QDrag", Drag)
    asset: list[AssetId | None] = [AssetId("clip-1")]
    here = Field(theme, drags.DragGrip(theme, "clip", "Drag it", "grip", lambda: asset[0]))
    grip = here.field
    assert isinstance(grip, QLabel)
    found.append(
        f"{grip.toolTip()!r} {grip.accessibleName()!r} {grip.cursor().shape().name} {grip.pixmap().width()}"
    )
    start = QPoint(5, 5)
    far = QApplication.startDragDistance()
    for what, button, by, let in (
        ("below the threshold", LEFT, far - 2, False), ("at the threshold", LEFT, far, False), ("far", LEFT, 60, False),
        ("right button", RIGHT, 60, False), ("let go before", LEFT, 60, True),
    ):  # fmt: skip
        made.clear()
        pointer.press(grip, start, button)
        if let:
            pointer.let_go(grip, start, button)
        move(grip, start + QPoint(by, 0), button)
        move(grip, start + QPoint(by, 1), button)
        pointer.let_go(grip, start + QPoint(by, 1), button)
        found.append(f"{what}: {made}")
    asset[0] = None
    made.clear()
    pointer.press(grip, start)
    move(grip, start + QPoint(60, 0), LEFT)
    found.append(f"nothing to drag: {made}")
    pointer.let_go(grip, start)
    here.close()
    return found


def everything(qapp) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for name, part in (
            ("formulas", formulas),
            ("numbers", numbers),
            ("parameters", parameters),
            ("orders", orders),
        ):
            found += [f"=== {name}", *part(qapp)]
        found += ["=== dragged", *dragged(qapp, patch)]
        return found


def test_fields_in_hand_are_as_approved(qapp) -> None:
    problem = approved.problem_of("gestures-fields", lambda: everything(qapp))
    assert not problem, problem
