"""What painted widgets show while they are in hand: under the pointer, in a drag, with the keyboard, under a drop.

A picture is told by what is other than in the widget at rest, and only what the widget paints by itself is looked at:
one that forgets to paint anew "paints nothing".
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLineEdit, QWidget
from shiboken6 import Shiboken

from editor.model.drag_kinds import CLIP
from editor.qt.number_field import NumberField
from tests.editor.panel_stage import Stage
from tests.editor.portraits import deeds, happenings, pointer
from tests.editor.portraits.brush import Brush, noted
from tests.editor.portraits.hands import Hands
from tests.editor.portraits.pointer import ALT, CTRL, LEFT, NONE, RIGHT, SHIFT
from tests.editor.turning import in_front

PLACES = 9
SHOWN = 30
"""So many lines of a picture are told, of more only how many there are."""
ARROWS = [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down]
FURTHER = [
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Delete,
    Qt.Key.Key_Backspace, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_F2, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
    Qt.Key.Key_Menu, Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Period, Qt.Key.Key_Comma,
    *(Qt.Key(k) for k in range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)), Qt.Key.Key_1, Qt.Key.Key_0, Qt.Key.Key_Escape,
]  # fmt: skip
KEYS: list[tuple[Qt.Key, Qt.KeyboardModifier]] = [
    *((k, held) for held in (NONE, SHIFT, CTRL, ALT, SHIFT | ALT, SHIFT | CTRL) for k in ARROWS),
    *((k, NONE) for k in FURTHER),
    *((k, held) for held in (SHIFT, CTRL) for k in FURTHER[:6]),
    *((Qt.Key[f"Key_{letter}"], CTRL) for letter in "ACDFGVX"),
    *((Qt.Key[f"Key_{letter}"], SHIFT) for letter in "ADFGHLV"),
]

MODIFIERS = (
    ("Shift", Qt.Key.Key_Shift, SHIFT),
    ("Ctrl", Qt.Key.Key_Control, CTRL),
    ("Alt", Qt.Key.Key_Alt, ALT),
)


class InHand:
    """Takes every painted widget of a panel in hand."""

    def __init__(self, qapp: QApplication, stage: Stage, panel: QWidget) -> None:
        self.qapp, self.stage, self.panel = qapp, stage, panel
        self.hands = Hands(qapp, stage, panel, still=True)
        self.lines: list[str] = []
        self._rest: list[str] = []
        self._before: list[str] = []
        self._log: Brush

    # ------------------------------------------------------------ pictures
    def picture(self, what: str, at_rest: bool = False, most: int = SHOWN) -> None:
        """What is painted by itself now, told by what is other than at rest."""
        self.hands.settle()
        found = self._log.taken()
        if at_rest:
            self._rest = found
            return
        told = otherwise(self._rest, found) if found else ["paints nothing"]
        if told == self._before:
            self.lines.append(f"{what}: the same")
            return
        self._before = told
        more = [f"… {len(told)} lines"] if len(told) > most else []
        self.lines.append(f"{what}:{'' if told else ' as at rest'}")
        self.lines += [f"    {line}" for line in told[:most] + more]

    def laid_down(self, widget: QWidget) -> None:
        """Nothing is at the widget any more."""
        QApplication.sendEvent(pointer.target(widget), QEvent(QEvent.Type.Leave))
        self.hands.settle()
        self._log.taken()
        for part in (self.panel, *self.panel.findChildren(QWidget)):
            part.update()
        self.picture("", at_rest=True)

    # ------------------------------------------------------------ a panel
    def everything(self) -> list[str]:
        """All painted widgets of the panel."""
        in_front(self.stage.window)
        with noted() as self._log:
            kinds: set[type] = set()  # of rows one stands for all
            for name, find in list(self.hands.controls()):
                widget = find()
                if widget is not None and paints(widget) and type(widget) not in kinds:
                    kinds.add(type(widget))
                    self.lines.append(f"=== {name}")
                    self.pointer(name, widget)
                    if Shiboken.isValid(widget) and widget.isVisible():
                        self.keyboard(name, find)
                    widget = find()
                    if widget is not None and widget.acceptDrops():
                        self.drops(name, widget)
        return self.lines

    def spots(self, widget: QWidget) -> list[tuple[QPoint, str]]:
        """A place for each cursor, tip and hint, from left to right in each row of a grid."""
        found: dict[str, QPoint] = {}
        wide, high = widget.width(), widget.height()
        across, down = max(6, wide // 40), max(5, high // 30)
        for y in range(2, high, down):
            for x in range(2, wide, across):
                at = QPoint(x, y)
                pointer.hover(widget, at)
                mark = f"{widget.cursor().shape().name.removesuffix('Cursor')} {self.stage.notes.hint!r}"
                found.setdefault(f"{mark} {widget.toolTip()!r}", at)
        found.setdefault("in the middle", QPoint(wide // 2, high // 2))
        return [(at, mark) for mark, at in found.items()][:PLACES]

    def pointer(self, name: str, widget: QWidget) -> None:
        """The pointer over it, and drags under way."""
        spots = self.spots(widget)
        for at, mark in spots:
            self.laid_down(widget)
            self.lines.append(f"--- @{at.x()},{at.y()} {mark}")
            pointer.hover(widget, at)
            self.picture("under the pointer")
            for word, held in (("", NONE), ("Shift ", SHIFT), ("Ctrl ", CTRL), ("Alt ", ALT)):
                before = happenings.moment(self.stage, self.panel)
                pointer.press(widget, at, LEFT, held)
                for share in (0.5, 1.0):
                    self.hands.settle()
                    self._log.taken()
                    to = at + QPoint(round(30 * share), round(-18 * share))
                    pointer.mouse(widget, QEvent.Type.MouseMove, to, Qt.MouseButton.NoButton, LEFT, held)
                self.picture(f"{word}drag under way {self.stage.notes.hint!r}")
                if held == NONE and widget.hasFocus():
                    for name, code, flag in MODIFIERS:  # pressed while the pointer stands
                        send_key(widget, QEvent.Type.KeyPress, code, NONE)  # Qt adds the modifier by itself
                        self.picture(f"{name} goes down in the drag")
                        send_key(widget, QEvent.Type.KeyRelease, code, flag)
                pointer.mouse(widget, QEvent.Type.MouseButtonPress, to, RIGHT, LEFT | RIGHT, held)
                pointer.mouse(widget, QEvent.Type.MouseButtonRelease, to, RIGHT, LEFT, held)
                if Shiboken.isValid(widget):
                    pointer.let_go(widget, to, LEFT, held)
                happenings.opened(before)
                self.hands.back(before)
                if not Shiboken.isValid(widget) or not widget.isVisible():
                    return

    def keyboard(self, name: str, find: Callable[[], QWidget | None]) -> None:
        """Focus, and each key that does something or is kept from the window's shortcuts."""
        widget = find()
        if widget is None or widget.focusPolicy() is Qt.FocusPolicy.NoFocus:
            return
        self.laid_down(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        self.picture("has the keyboard")
        before = happenings.moment(self.stage, self.panel)
        for code, held in KEYS:
            widget = find()
            if widget is None:
                return
            self._log.taken()
            kept, used = pressed(widget, code, held)
            if not (kept or used):
                continue
            word = {NONE: "", SHIFT: "Shift+", CTRL: "Ctrl+", ALT: "Alt+"}.get(held, f"{held.name}+")
            self.picture(f"{word}{code.name.removeprefix('Key_')}{' is kept' if kept else ''}", most=5)
            came = happenings.came(self.stage, self.panel, before)
            if came:
                came = [line for line in came if "-made] new" not in line]  # in the order of ids made anew
                self.lines += [f"    {line}" for line in came]
                self.hands.back(before)
                before = happenings.moment(self.stage, self.panel)

    def drops(self, name: str, widget: QWidget) -> None:
        """A clip is dragged over it, away, and dropped."""
        clips = self.stage.session.document.project.clips
        if not clips:
            return
        data = QMimeData()
        data.setData(CLIP, clips[-1].id.encode())
        middle = QPoint(widget.width() // 2, widget.height() // 2)
        for at in (middle, QPoint(widget.width() * 4 // 5, widget.height() * 9 // 10)):
            self.laid_down(widget)
            before = happenings.moment(self.stage, self.panel)
            taken = [dragged(widget, kind, at, data) for kind in (QDragEnterEvent, QDragMoveEvent)]
            self.picture(f"a clip over @{at.x()},{at.y()} {taken}")
            QApplication.sendEvent(pointer.target(widget), QDragLeaveEvent())
            self.picture("the clip is away")
            for kind in (QDragEnterEvent, QDragMoveEvent):
                dragged(widget, kind, at, data)
            dragged(widget, QDropEvent, at, data)
            self.hands.settle()
            came = happenings.came(self.stage, self.panel, before)
            self.lines += ["dropped:", *(f"    {line}" for line in came or ["nothing"])]
            self.hands.back(before)


def send_key(widget: QWidget, kind: QEvent.Type, code: Qt.Key, held: Qt.KeyboardModifier) -> None:
    QApplication.sendEvent(widget, QKeyEvent(kind, code, held))


def paints(widget: QWidget) -> bool:
    """Whether a widget paints itself and takes the mouse."""
    known = (QAbstractButton, NumberField, QComboBox, QLineEdit, QAbstractItemView)
    return deeds.is_painted(widget) and not isinstance(widget, known)


def otherwise(rest: list[str], found: list[str]) -> list[str]:
    """What is painted and was not at rest; of the painters at work, what they painted at rest and now do not."""
    painters = {line.partition(".")[0] for line in found}
    gone = [f"- {line}" for line in rest if line not in found and line.partition(".")[0] in painters]
    return [*(f"+ {line}" for line in found if line not in rest), *gone]


def whole(hands: Hands, log: Brush) -> list[str]:
    """All that a panel paints."""
    log.taken()
    for part in (hands.panel, *hands.panel.findChildren(QWidget)):
        part.update()
    hands.settle()
    return log.taken()


def pressed(widget: QWidget, code: Qt.Key, held: Qt.KeyboardModifier) -> tuple[bool, bool]:
    """Press a key; whether the widget keeps it from the window's shortcuts, and whether it has a use for it."""
    letter = chr(code) if code < 0x80 and held in (NONE, SHIFT) else ""
    override = QKeyEvent(QEvent.Type.ShortcutOverride, code, held, letter)
    override.ignore()
    QApplication.sendEvent(widget, override)
    event = QKeyEvent(QEvent.Type.KeyPress, code, held, letter)
    if override.isAccepted():
        QApplication.sendEvent(widget, event)
    else:  # past the shortcuts of the window
        widget.keyPressEvent(event)
    if Shiboken.isValid(widget):
        QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyRelease, code, held, letter))
    return override.isAccepted(), event.isAccepted()


def dragged(widget: QWidget, kind: type, at: QPoint, data: QMimeData) -> bool:
    """Send an event of a drag from another panel; whether it is taken."""
    place = QPointF(at) if kind is QDropEvent else at
    event = kind(place, Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, data, LEFT, NONE)
    event.ignore()
    QApplication.sendEvent(pointer.target(widget), event)
    return event.isAccepted()
