"""The panel of the view by its widgets: which keys it keeps, who has the keyboard, what lies over the picture."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from editor.gl import camera as cameras
from editor.model.play.state import Play
from editor.model.retarget.state import Retargeting
from editor.panels.source_view.panel import PANEL as SOURCE
from editor.panels.viewport.panel import PANEL
from editor.qt.panel import PanelSpec
from editor.tools.pointer import Modifiers
from editor.tools.state import Setup, Tool
from tests.editor import walkers
from tests.editor.panel_stage import Stage
from tests.editor.portraits import approved, happenings, pointer, stages
from tests.editor.portraits.brush import noted
from tests.editor.portraits.happenings import LATE
from tests.editor.portraits.in_hand import KEYS, otherwise, send_key
from tests.editor.portraits.pointer import ALT, CTRL, LEFT, MIDDLE, NONE, RIGHT, SHIFT
from tests.editor.turning import in_front, turn_until_shown

Key = Qt.Key
PLACE = QPoint(20, 400)
"""Where nothing is."""


class Shown:
    """A panel in a window beside a field and a button, and hands at its picture."""

    def __init__(self, stage: Stage, spec: PanelSpec) -> None:
        self.stage = stage
        self.field, self.button = QLineEdit(), QPushButton("a button")
        stage.layout.addWidget(self.field)
        stage.layout.addWidget(self.button)
        self.panel = stage.add(spec.create(stage.context))
        stage.show(640, 480)
        in_front(stage.window)
        self.view = self.panel.view
        self.lines: list[str] = []
        turn_until_shown()

    def bone(self, name: str) -> QPoint:
        """A place on a bone."""
        model = self.panel.model
        bones = model.draw_list().bones
        at = model.rig.skeleton.index(name)
        spot, _ = cameras.project(
            model.camera, 0.5 * (bones.heads[at] + bones.tails[at]), self.view.view_size
        )
        return QPoint(round(float(spot[0])), round(float(spot[1])))

    def focus(self) -> str:
        found = QApplication.focusWidget()
        return (found.objectName() or type(found).__name__) if found is not None else "none"

    def tell(self, what: str, do: Callable[[], object], painted: bool = True, most: int = 12) -> None:
        """Do something; what it comes to, and what is painted by itself then."""
        turn_until_shown()
        before, focus = happenings.moment(self.stage, self.panel), self.focus()
        with noted() as log:
            self.panel.update()
            for part in ("overlay", "camera_frame", "drop_zone", "first_card", "marking", "switches"):
                if hasattr(self.panel, part):
                    getattr(self.panel, part).update()
            turn_until_shown()
            rest = log.taken()
            answer = do()
            turn_until_shown()
            found = log.taken()
            came = happenings.came(self.stage, self.panel, before)
        self.lines.append(
            f"{what}:{'' if answer is None or not isinstance(answer, bool | str) else f' {answer}'}"
        )
        if self.focus() != focus:
            came.append(f"keyboard {focus} → {self.focus()}")
        told = otherwise(rest, found) if found else ["paints nothing"]
        told = [line for line in told if not any(f": {name}" in line for name in LATE)]
        self.lines += [f"    {line}" for line in came]
        if painted:
            self.lines += [f"    {line}" for line in told[:most]]

    def kept(self, what: str) -> None:
        """Which keys are kept from the window's shortcuts now."""
        found = []
        for code, held in KEYS:
            event = QKeyEvent(QEvent.Type.ShortcutOverride, code, held)
            event.ignore()
            QApplication.sendEvent(self.view, event)
            if event.isAccepted():
                found.append(f"{held.name.removesuffix('Modifier')}+{code.name}".removeprefix("No+"))
        told = f"all {len(KEYS)}" if len(found) == len(KEYS) else " ".join(found) or "none"
        self.lines.append(f"{what}, keeps {told}")


# ------------------------------------------------------------ the view
def _keyboard(shown: Shown) -> None:
    """The keyboard goes to the view under the pointer, unless someone types; keys that it keeps."""
    view, session = shown.view, shown.stage.session
    for widget in (shown.button, shown.field):
        widget.setFocus()
        shown.tell(f"the pointer moves, {shown.focus()}", lambda: pointer.hover(view, PLACE), painted=False)
        widget.setFocus()
        shown.tell(
            "the pointer comes in",
            lambda: QApplication.sendEvent(
                view, QEnterEvent(QPointF(9, 9), QPointF(9, 9), QPointF(900, 700))
            ),
            painted=False,
        )
        widget.setFocus()
        held = lambda: pointer.mouse(view, QEvent.Type.MouseMove, PLACE, Qt.MouseButton.NoButton, LEFT)  # noqa: E731
        shown.tell("the pointer moves with a button held", held, painted=False)
    view.setFocus()
    shown.kept("at rest")
    send_key(view, QEvent.Type.KeyPress, Key.Key_V, NONE)
    shown.kept("V held")
    send_key(view, QEvent.Type.KeyRelease, Key.Key_V, NONE)
    session.switches.set("path_draw", True)
    shown.kept("an arc is drawn next")
    session.switches.set("path_draw", False)
    pointer.press(view, PLACE, MIDDLE)
    shown.kept("in a drag")
    pointer.let_go(view, PLACE, MIDDLE)
    shown.panel.marking.open()
    shown.kept("the marking menu")
    shown.panel.marking.input.close()
    released: list[str] = []
    play = shown.panel.play.input
    before, play.release_all = play.release_all, lambda: released.append("all keys let go")
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    play.release_all = before
    shown.lines.append(f"the keyboard goes away: {released}")
    play._down.update({int(Key.Key_W)})
    play.release_all()
    shown.lines.append(f"held in Play {sorted(play._down)} {session.feature(Play).on}")


def _over(shown: Shown) -> None:
    """What is written and framed over the picture in gestures."""
    view, session, panel = shown.view, shown.stage.session, shown.panel
    shown.stage.tools.set(Setup(Tool.SELECT))
    shown.tell("over a bone", lambda: pointer.hover(view, shown.bone("thigh_l")))
    shown.tell("off it", lambda: pointer.hover(view, PLACE))
    shown.tell("a click", lambda: pointer.tap(view, shown.bone("lower_arm_l")))
    session.switches.set("names", True)
    shown.tell("over a bone, with names", lambda: pointer.hover(view, shown.bone("calf_r")), most=40)
    session.switches.set("names", False)
    shown.tell("pressed", lambda: pointer.press(view, PLACE))
    to = QPoint(300, 120)
    move = lambda at: pointer.mouse(view, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT)  # noqa: E731
    shown.tell("a box", lambda: move(to))
    shown.tell("Escape", lambda: QTest.keyClick(view, Key.Key_Escape))
    shown.tell("let go", lambda: pointer.let_go(view, to))
    pointer.tap(view, shown.bone("lower_arm_l"))
    shown.stage.tools.set(Setup(Tool.MOVE))
    turn_until_shown()
    spot, _ = cameras.project(panel.model.camera, panel.model.gizmo().pivot, view.view_size)
    at = QPoint(round(float(spot[0])), round(float(spot[1])))
    shown.tell("a handle pressed", lambda: pointer.press(view, at))
    wide, high = view.width(), view.height()
    ways = {
        "near": at + QPoint(20, 9), "at the right": QPoint(wide - 20, 90), "at the bottom": QPoint(90, high - 12),
        "in the corner": QPoint(wide - 9, high - 9),
    }  # fmt: skip
    for name, place in ways.items():
        shown.tell(f"dragged {name}", lambda place=place: move(place))
    shown.tell("dragged back", lambda: move(at + QPoint(14, 6)))
    shown.tell("let go, keyed", lambda: pointer.let_go(view, at + QPoint(14, 6)))
    panel.overlay._flash.stop()
    shown.tell("undone", session.undo)
    shown.tell("redone", session.redo)
    panel.overlay._flash.stop()
    session.keying.auto = False
    shown.tell("auto key off", lambda: panel.overlay.flash())
    session.keying.auto = True
    for held, turned in ((NONE, 1), (CTRL, -2), (SHIFT, 1), (ALT, 1)):
        before = panel.model.camera.distance
        pointer.wheel(view, QPoint(300, 200), turned, held)
        shown.lines.append(f"wheel {held.name} {turned}: {panel.model.camera.distance / before:.3f}")
    shown.tell("right click on a bone", lambda: pointer.press(view, shown.bone("thigh_r"), RIGHT))
    shown.tell("right click beside", lambda: pointer.press(view, PLACE, RIGHT))
    for code in (Key.Key_Right, Key.Key_W, Key.Key_Escape):
        event = QKeyEvent(QEvent.Type.KeyPress, code, NONE)
        view.keyPressEvent(event)
        shown.lines.append(f"{code.name} at rest taken {event.isAccepted()}")


def _plates(shown: Shown) -> None:
    """The card of the first start, files held over the window, a character that is gone."""
    session, panel = shown.stage.session, shown.panel
    session.preferences.set("first_card_seen", False)
    card = panel.first_card
    shown.tell("greeted", lambda: card.show())
    card.place()
    session.selection.select(["lower_arm_l"])
    session.edits.put("another name", replace(session.rig, name="other"))
    turn_until_shown()
    panel.overlay._flash.stop()  # its end would be told with whatever comes then
    panel.overlay.update()
    shown.lines.append(f"after a step hidden {card.isHidden()}")
    card.show()
    session.undo()
    shown.lines.append(f"after undo hidden {card.isHidden()}")
    card.dismiss()
    shown.tell("files are held over the window", lambda: panel.show_drop(True))
    shown.tell("away", lambda: panel.show_drop(False))
    for button in panel.switches._buttons.values():
        shown.tell(f"{button.objectName()} clicked", button.click, painted=False)
        button.click()
    for name in ("heads_up", "silhouette", "ghosts"):
        shown.tell(f"without or with {name}", lambda name=name: session.switches.toggle(name))
        session.switches.toggle(name)
    for width, height in ((250, 400), (500, 150), (640, 480)):
        shown.stage.window.resize(width, height)
        turn_until_shown()
        shown.lines.append(
            f"at {shown.view.width()}×{shown.view.height()} switches "
            f"{panel.switches.isVisible()} overlay {panel.overlay.width()}×{panel.overlay.height()}"
        )
    shown.tell("no character", lambda: session.playback.set_clip(None, None))


def _marks(shown: Shown) -> None:
    """The marking menu: drawn, by keys, by the mouse; what is off, what leads on."""
    panel, view, session = shown.panel, shown.view, shown.stage.session
    menu = panel.marking
    session.selection.clear()
    most = 80
    shown.tell(
        "opened with nothing selected", lambda: shown.stage.actions.run("view.marking_menu"), most=most
    )
    middle = view.rect().center()
    for name, by in (("up", (0, -40)), ("right", (40, 0)), ("down left", (-40, 40))):
        shown.tell(f"the pointer {name}", lambda by=by: pointer.hover(view, middle + QPoint(*by)), most=most)
    shown.tell("the pointer far up", lambda: pointer.hover(view, middle + QPoint(0, -110)), most=most)
    shown.tell("right button", lambda: pointer.press(view, middle, RIGHT))
    for code in (Key.Key_Up, Key.Key_Right, Key.Key_Down, Key.Key_Left, Key.Key_Escape):
        if not menu.input.on:
            menu.open((4.0, 4.0))
        shown.tell(f"{code.name}", lambda code=code: QTest.keyClick(view, code), most=4)
    for code in (Key.Key_2, Key.Key_8, Key.Key_9, Key.Key_Q):
        menu.open()
        shown.tell(f"{code.name}", lambda code=code: QTest.keyClick(view, code), painted=False)
        shown.lines.append(f"    tool {shown.stage.tools.setup.tool.name} open {menu.input.on}")
        menu.input.close()
    for end in (Key.Key_Return, Key.Key_Enter):
        menu.open()
        QTest.keyClick(view, Key.Key_Up)
        shown.tell(f"Up, {end.name}", lambda end=end: QTest.keyClick(view, end), painted=False)
        menu.input.close()
    session.selection.select(["lower_arm_l"])
    menu.open()
    shown.tell("a click in the middle", lambda: pointer.tap(view, middle), painted=False)
    shown.lines.append(f"open {menu.input.on}")
    menu.open()
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    shown.lines.append(f"the keyboard is away, open {menu.input.on}")
    menu.input.close()
    code = int(Key.Key_D)
    for name, asked in (("pressed", (True, False)), ("repeated", (True, True)), ("released", (False, False)),
                        ("pressed", (True, False)), ("pressed again", (True, False))):  # fmt: skip
        taken = menu.key(code, Modifiers.NONE, *asked, (100.0, 100.0))
        shown.lines.append(f"D {name}: taken {taken}, open {menu.input.on}, drawn {menu.isVisible()}")
    shown.lines.append(f"Shift+D wanted {menu.wants(code, Modifiers.SHIFT)}")
    menu.input.close()


# ------------------------------------------------------------ the source
def _source(shown: Shown) -> None:
    """Bones of the source are lit, chosen and picked; what the caption says; the cursor."""
    model, view = shown.panel.model, shown.view
    pick = model.retargeting.pick
    names = model.retargeting.subject.source.rig.skeleton.names

    def state() -> str:
        cursor = view.cursor().shape().name.removesuffix("Cursor")
        return (
            f"{model.caption} {cursor} over {model.hovered} chain {pick.chain} bones {sorted(pick.source_bones)}"
            f" picking {pick.picking} states {''.join(str(int(v)) for v in model._states())}"
        )

    def place(at: int) -> QPoint:
        bones = model.draw_list().bones
        spot, _ = cameras.project(
            model.controller.camera, 0.5 * (bones.heads[at] + bones.tails[at]), view.view_size
        )
        return QPoint(round(float(spot[0])), round(float(spot[1])))

    shown.lines.append(f"at first {state()}")
    for picking in (False, True):
        if picking:
            pick.look_at(model.retargeting.subject.chains.chains[0].name)
            pick.set_picking(True)
            turn_until_shown()
            shown.lines.append(f"picking {state()}")
        shown.kept(f"picking {picking}")
        for at in (1, len(names) // 2, len(names) - 1):
            position = shown.stage.session.history.position
            pointer.hover(view, place(at))
            shown.lines.append(f"over {names[at]}: {state()}")
            for word, held in (("", NONE), ("Shift ", SHIFT), ("Shift again ", SHIFT), ("Ctrl ", CTRL)):
                pointer.tap(view, place(at), held)
                turn_until_shown()
                steps = shown.stage.session.history.labels[position:]
                shown.lines.append(f"{word}click {names[at]}: {state()} steps {list(steps)}")
            pointer.mouse(view, QEvent.Type.MouseButtonDblClick, place(at), LEFT, LEFT)
            pointer.let_go(view, place(at))
            shown.lines.append(f"double click: {state()}")
            while shown.stage.session.history.position > position and shown.stage.session.undo():
                pass
        pointer.tap(view, QPoint(6, view.height() - 6))
        shown.lines.append(f"click beside: {state()}")
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        shown.lines.append(f"away: {state()}")
    QTest.keyClick(view, Key.Key_Escape)
    turn_until_shown()
    shown.lines.append(f"Escape: {state()}")
    for word, button, held in (
        ("middle", MIDDLE, NONE),
        ("Shift middle", MIDDLE, SHIFT),
        ("Alt left", LEFT, ALT),
    ):
        pointer.press(view, PLACE, button, held)
        pointer.mouse(
            view, QEvent.Type.MouseMove, PLACE + QPoint(30, -20), Qt.MouseButton.NoButton, button, held
        )
        pointer.let_go(view, PLACE + QPoint(30, -20), button, held)
        camera = model.controller.camera
        numbers = (*camera.target, camera.yaw, camera.pitch, camera.distance)
        shown.lines.append(f"{word}: {' '.join(f'{v + 0.0:.2f}' for v in numbers)}")
        shown.lines.append(f"shared {shown.stage.tools.look == model.controller.look()}")
    for name in ("clay", "grid"):
        made = model.draw_list()
        shown.stage.session.switches.toggle(name)
        shown.lines.append(f"{name}: made anew {model.draw_list() is not made}")
        shown.stage.session.switches.toggle(name)


CASES: dict[str, tuple[str, Callable[[Shown], None]]] = {
    "keyboard": ("viewport", _keyboard),
    "over": ("viewport", _over),
    "plates": ("viewport", _plates),
    "marks": ("viewport", _marks),
    "source": ("source_view", _source),
}


def told(qapp: QApplication, name: str) -> list[str]:
    panel, case = CASES[name]
    session = None
    if panel == "source_view":
        session = stages.made(panel, "rich")
        session.feature(Retargeting).use_rig(walkers.OTHER)
    stage = Stage(qapp, session)
    shown = Shown(stage, PANEL if panel == "viewport" else SOURCE)
    try:
        case(shown)
        return shown.lines
    finally:
        stage.close(qapp)


@pytest.mark.parametrize("name", list(CASES))
def test_view_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"view-widget-{name}", lambda: told(qapp, name))
    assert not problem, problem
