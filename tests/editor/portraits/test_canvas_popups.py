"""What opens over the canvas of a graph, by keys and mouse: search, choices, fields, find and replace, problems."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from core.pose.library import PoseAsset
from editor.model.drag_kinds import ASSET, CLIP, VARIABLE
from editor.model.graph.editor import SearchWanted
from editor.model.graph.hits import choice_box
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import ChoicePlace, PinPlace
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
)
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.canvas_hands import MIRROR, NOTE, AtCanvas, canvas
from tests.editor.portraits.gestures import move
from tests.editor.portraits.pointer import ALT, LEFT, NONE
from tests.editor.stage import TURN

Key = Qt.Key
ALPHA = PinPlace(BLEND, "alpha")
WALK_KEYS = (Key.Key_Down, Key.Key_PageDown, Key.Key_Up, Key.Key_Tab, Key.Key_PageUp, Key.Key_Up)


def rows(box) -> str:
    """What a list under a field shows, and which row is in hand."""
    model, now = box.list.model(), box.list.currentIndex().row()
    listed = [str(model.index(k, 0).data()) for k in range(model.rowCount())]
    return f"{now} of {len(listed)}: {' · '.join(listed[:7])}"


def by_keys(here: AtCanvas, box, codes) -> None:
    """Which row is in hand after each key."""
    for code in codes:
        here.key(code)
        here.lines.append(f"  {code.name}: {rows(box)}"[:150])


def typed(here: AtCanvas, text: str, *codes) -> None:
    """Type into what has the keyboard, then press keys."""
    line = QApplication.focusWidget()
    line.selectAll()
    QTest.keyClicks(line, text)
    for code in codes:
        here.settle()
        here.key(code)


def wanted(here: AtCanvas, **more) -> None:
    here.editor.search_wanted.emit(SearchWanted((460.0, 300.0), **more))


# ------------------------------------------------------------ the search
def search(here: AtCanvas) -> None:
    box = here.panel.popups.box

    def walk() -> None:
        wanted(here)
        here.picture("open")
        by_keys(here, box, WALK_KEYS)

    def taken(text: str, *codes) -> None:
        wanted(here)
        typed(here, text, *codes)

    def lists(text: str) -> None:
        wanted(here)
        typed(here, text)
        here.lines.append(f"  lists {rows(box)}")

    def clicked() -> None:
        wanted(here)
        here.settle()
        at = box.list.visualRect(box.list.model().index(1, 0)).center()
        pointer.tap(box.list, at)

    here.do("the search", walk)
    for text in ("sl", "walk", "speed", "a - b", "qqq"):
        here.do(f"search {text!r}", lambda text=text: lists(text))
    here.do("search, Enter", lambda: taken("slot", Key.Key_Return))
    here.do("search, Enter on the pad", lambda: taken("walk", Key.Key_Enter))
    here.do("search, Down, Enter", lambda: taken("clip", Key.Key_Down, Key.Key_Return))
    here.do("search, nothing there, Enter", lambda: taken("qqq", Key.Key_Return))
    here.do("search, Escape", lambda: taken("slot", Key.Key_Escape))
    here.do("search, a click", clicked)
    here.do("search, the keyboard goes", lambda: (wanted(here), here.panel.tree.setFocus()))
    here.do("search, text that is there", lambda: wanted(here, text="bl"))
    here.do("search, opened twice", lambda: (taken("slot", Key.Key_Escape), wanted(here)))


def choice(here: AtCanvas) -> None:
    """A field of a node that is chosen from a list."""
    box = here.panel.popups.box
    place = ChoicePlace(CLIP_B, "clip")

    def opened(*codes, text="") -> None:
        here.editor.choice_wanted.emit(place)
        here.settle()
        here.lines.append(
            f"  {box.field.placeholderText()!r} {rows(box)} {box.model.data(box.model.index(0, 0))}"
        )
        if text:
            typed(here, text)
        for code in codes:
            here.key(code)

    def clicked() -> None:
        scene = here.canvas.scene
        field = choice_box(scene.nodes[CLIP_B], scene.places[CLIP_B], "clip")
        pointer.tap(here.widget, here.at(field.x + 10, field.y + 5))
        here.lines.append(f"  {rows(box)}")

    here.do("a click on the choice", clicked)
    here.do("choice, Up, Enter", lambda: opened(Key.Key_Up, Key.Key_Return))
    here.do("choice, Enter", lambda: opened(Key.Key_Return))
    here.do("choice, typed", lambda: opened(Key.Key_Return, text="walk"))
    here.do("choice, Escape", lambda: opened(Key.Key_Escape))
    here.do("choice of what is none", lambda: here.editor.choice_wanted.emit(ChoicePlace(BLEND, "clip")))


# ------------------------------------------------------------ fields
def fields(here: AtCanvas) -> None:
    """A number, a name, a comment, a rule, typed in place."""
    field = here.panel.popups.field

    def shown() -> None:
        here.settle()
        box, line = field, field.field
        here.lines.append(
            f"  field @{box.x()},{box.y()},{box.width()},{box.height()} {line.text()!r} selected "
            f"{line.selectedText()!r} said {field.said.text()!r} {field.said.styleSheet()} "
            f"{field.said.isVisible()} offers {field.list.isVisible()} {rows(field)}"
        )

    def literal(text: str, *codes, pin=ALPHA) -> None:
        here.editor.literal_wanted.emit(pin)
        shown()
        typed(here, text)
        shown()
        for code in codes:
            here.key(code)
            if field.isVisible():
                here.lines.append(f"  {code.name}: {field.field.text()!r} {rows(field)}")

    enter = Key.Key_Return
    here.do("a number", lambda: literal("0.25", enter))
    here.do("a number, Escape", lambda: literal("0.25", Key.Key_Escape))
    here.do("a number, the keyboard goes", lambda: (literal("0.75"), here.panel.tree.setFocus()))
    here.do("an expression with a fault", lambda: literal("speed +", enter))
    here.do("an expression of another type", lambda: literal("crouch", enter))
    here.do(
        "offers",
        lambda: literal("sp", Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Down, enter, enter),
    )
    here.do("Tab completes", lambda: literal("sp", Key.Key_Tab, enter))
    here.do("a function is completed", lambda: literal("cla", Key.Key_Tab))
    here.do("nothing is typed", lambda: literal("", enter))
    here.do("yes or no", lambda: literal("f", Key.Key_Tab, enter, pin=PinPlace(MIRROR, "on")))
    here.do("a pin that is wired", lambda: here.editor.literal_wanted.emit(PinPlace(BLEND, "a")))

    def text(item: str, words: str, *codes) -> None:
        here.editor.text_wanted.emit(item)
        shown()
        typed(here, words, *codes)

    for name, item in (("a comment", NOTE), ("a node", MIRROR), ("what is not there", "n-none")):
        if item == "n-none":
            here.do(f"text of {name}", lambda item=item: here.editor.text_wanted.emit(item))
            continue
        here.do(f"text of {name}", lambda item=item: text(item, "other", enter))
        here.do(f"text of {name}, Escape", lambda item=item: text(item, "other", Key.Key_Escape))
        here.do(f"text of {name}, none", lambda item=item: text(item, " ", enter))

    here.canvas.view = type(here.canvas.view)(-120.0, -60.0, 1.5)

    def far() -> None:
        here.canvas.view = type(here.canvas.view)(-20.0, 340.0, 1.5)
        here.editor.text_wanted.emit(MIRROR)
        shown()

    here.do("text of a node at the edge", far)
    here.sheet = STATES
    here.back()

    def rule(item: str, words: str, *codes) -> None:
        here.editor.rule_wanted.emit(item)
        shown()
        typed(here, words)
        shown()
        for code in codes:
            here.key(code)

    here.do("a rule", lambda: rule(GO, "crouch", enter))
    here.do("a rule that is no yes or no", lambda: rule(GO, "speed", enter))
    here.do("a rule, Escape", lambda: rule(GO, "crouch", Key.Key_Escape))
    here.do("a rule of nothing", lambda: here.editor.rule_wanted.emit("n-none"))
    here.sheet = POSES
    here.back()


# ------------------------------------------------------------ find and replace
def finder(here: AtCanvas) -> None:
    box = here.panel.popups.finder

    def shown() -> None:
        here.settle()
        listed = [box.list.item(k).text() for k in range(box.list.count())]
        can = "can" if box.button.isEnabled() else "no"
        here.lines.append(f"  {box.said.text()!r} {can} replace {box.list.currentRow()} {listed}")

    def find(text: str, other: str = "", *codes) -> None:
        here.panel.popups.find()
        typed(here, text)
        shown()
        if other:
            box.other.setFocus()
            typed(here, other)
        for code in codes:
            here.key(code)
            if box.isVisible():
                shown()

    down, up, enter = Key.Key_Down, Key.Key_Up, Key.Key_Return
    here.do("find", lambda: find("speed", "", down, down, down, up, up))
    here.do("find, Enter goes there, and further", lambda: find("speed", "", *[enter] * 4))
    here.do("find nothing", lambda: find("qqq", "", enter, down))
    here.do("find, Escape", lambda: find("walk", "", Key.Key_Escape))
    here.do("find, a click", lambda: (find("idle"), box.list.itemClicked.emit(box.list.item(0))))
    here.do("replace by Enter", lambda: find("idle", "rest", enter))
    here.do("replace by the button", lambda: (find("speed", "pace"), box.button.click(), shown()))
    here.do("replace by what is wrong", lambda: (find("speed", "1 +"), box.button.click(), shown()))
    here.do("close", lambda: (find("speed"), box.findChild(QWidget, "graphFindClose").click()))
    here.do("find with a text", lambda: (here.panel.popups.find("moves"), shown()))
    here.do("find once more has the text selected", lambda: (
        here.panel.popups.find(), here.lines.append(f"  selected {box.field.selectedText()!r}")
    ))  # fmt: skip


# ------------------------------------------------------------ offers, paste, problems
def offers(here: AtCanvas) -> None:
    """A wire that has to be converted; nodes of another graph."""
    here.editor.nodes.add(NewNode("get", {"variable": "crouch"}), (20.0, 480.0))
    got = next(n.id for n in here.canvas.sheet.nodes if n.kind == "get")
    here.back()
    out, number = here.pin(got, here.canvas.scene.nodes[got].outputs[0].name, True), here.pin(BLEND, "alpha")
    here.drag("a wire that has to be converted", out, number)

    def convert(entry: int) -> None:
        pointer.press(here.widget, out)
        move(here.widget, number, LEFT)
        pointer.let_go(here.widget, number)
        here.settle()
        (menu,) = here.widget.findChildren(QMenu, "graphOffer")
        here.lines.append(f"  in hand {getattr(menu.activeAction(), 'text', str)()!r}")
        chosen = menu.actions()[entry]
        menu.close()
        chosen.trigger()

    here.do("it is converted", lambda: convert(1))
    here.do("it is not", lambda: convert(2))
    while here.stage.session.undo():
        pass
    here.back()
    board = here.stage.session.clipboard

    def paste(answer: str) -> None:
        here.stage.notes.answer = answer
        board.text = copied
        here.panel._paste()

    here.canvas.select([BLEND, CLIP_A])
    here.stage.actions.run("graph.copy")
    copied = board.text.replace("speed", "pace")
    for answer in ("", "paste", "make"):
        here.do(f"paste what lacks a variable, answer {answer!r}", lambda answer=answer: paste(answer))
    copied = copied.replace("pace", "speed")
    here.do("paste", lambda: paste(""))
    board.text = ""


def problems(here: AtCanvas) -> None:
    """The list below the canvas."""
    listed = here.panel.problems

    def broken() -> None:
        here.editor.wires.cut_at(PinPlace(BLEND, "a"))
        here.editor.nodes.set_literal(MIRROR, "on", "nobody")
        here.editor.nodes.set_literal(BLEND, "alpha", "missing")
        here.settle()

    def told() -> list[str]:
        shown = [b for b in listed.findChildren(QPushButton) if b.isVisible()]
        return [f"{b.objectName()} {b.text()!r} {b.toolTip()!r}" for b in shown]

    here.do("three things are wrong", broken, kept=True)
    here.do("the list opens", lambda: listed.toggle.click(), kept=True)
    here.lines.extend(f"  {line}" for line in told())
    here.lines.append(f"  band {listed.band.text()!r} {here.widget.overlay.problems}")
    for name in [b.objectName() for b in listed.findChildren(QPushButton)]:
        here.do(f"press {name}", lambda name=name: listed.findChild(QPushButton, name).click(), kept=True)
        if name.startswith("fix"):
            here.stage.session.undo()
            here.settle()
    here.do("the list closes", lambda: listed.sign.click(), kept=True)
    here.do("F8", lambda: here.stage.actions.run("graph.problems"), kept=True)
    while here.stage.session.history.position and here.stage.session.undo():
        pass
    here.back()


# ------------------------------------------------------------ drops
def drops(here: AtCanvas) -> None:
    """Things of other panels let go over the canvas."""
    session = here.stage.session
    session.edits.put("pose", PoseAsset("pose-1", "crouched", session.rig.id, {}))

    def drop(kind: str, text: str, at: QPoint, held=NONE) -> None:
        data = QMimeData()
        data.setData(kind, text.encode())
        actions = Qt.DropAction.CopyAction | Qt.DropAction.LinkAction
        said = []
        for made in (QDragEnterEvent(at, actions, data, LEFT, held), QDragMoveEvent(at, actions, data, LEFT, held),
                     QDropEvent(QPointF(at), actions, data, LEFT, held)):  # fmt: skip
            made.ignore()
            QApplication.sendEvent(here.widget, made)
            said.append(made.isAccepted())
        here.lines.append(f"  taken {said}")

    empty = here.at(460, 300)
    here.panel.tree.setFocus()
    for name, kind, text, at, held in (
        ("a clip", CLIP, TURN, empty, NONE),
        ("a clip on a clip", CLIP, TURN, here.title(CLIP_A), NONE),
        ("a clip on a blend", CLIP, TURN, here.title(BLEND), NONE),
        ("a variable", VARIABLE, "speed", empty, NONE),
        ("Alt a variable", VARIABLE, "speed", empty, ALT),
        ("a pose", ASSET, "pose-1", empty, NONE),
        ("a graph", ASSET, GRAPH, empty, NONE),
        ("the character", ASSET, session.rig.id, empty, NONE),
        ("what is not there", CLIP, "clip-none", empty, NONE),
        ("something else", "text/plain", "walk", empty, NONE),
    ):
        here.do(f"drop {name}", lambda k=kind, t=text, a=at, h=held: drop(k, t, a, h))
    here.sheet = STATES
    here.back()
    here.do("drop a clip on a machine", lambda: drop(CLIP, TURN, here.at(200, 200)))
    here.do("drop a clip on a state", lambda: drop(CLIP, TURN, here.title(IDLE)))
    here.do("drop a variable on a machine", lambda: drop(VARIABLE, "speed", here.at(200, 200)))
    here.sheet = POSES
    here.back()


# ------------------------------------------------------------ menus
def menus(here: AtCanvas) -> None:
    """The menu of each selection."""
    for name, chosen, at in (
        ("two nodes", (CLIP_A, BLEND), CLIP_A), ("the machine", (MACHINE,), MACHINE), ("the output", (OUTPUT,), OUTPUT),
    ):  # fmt: skip
        here.chosen = chosen
        here.back()
        here.do(f"right click on {name}", lambda at=at: here.open_menu(here.title(at)))
    here.chosen = (CLIP_A, NOTE)
    here.back()
    here.do("right click on a comment", lambda: here.open_menu(here.at(-20, -30)))
    here.chosen = ()
    here.back()


PARTS = (search, choice, fields, finder, offers, problems, drops, menus)


def popups(qapp) -> list[str]:
    with pytest.MonkeyPatch.context() as patch, canvas(qapp, patch) as here:
        for part in PARTS:
            here.lines.append(f"=== {part.__name__}")
            part(here)
        return here.lines


def test_what_opens_over_the_canvas_is_as_approved(qapp) -> None:
    problem = approved.problem_of("gestures-graph-popups", lambda: popups(qapp))
    assert not problem, problem
