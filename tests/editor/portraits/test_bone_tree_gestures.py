"""The bone tree in hand: rows, switches, chips of sets, modes and a mask that is painted, by mouse and keys."""

from dataclasses import replace
from types import SimpleNamespace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from core.rig.rig import VirtualBone
from editor.model.blending.state import Blending
from editor.model.bone_sets import BoneSets
from editor.model.retarget.state import Retargeting
from editor.qt.theme import Theme
from tests.editor import verb_stages
from tests.editor.actions import rich
from tests.editor.panel_stage import Stage
from tests.editor.portraits import approved, happenings, pointer, sitter
from tests.editor.portraits.brush import Brush, noted, told
from tests.editor.portraits.deeds import chosen, leaves
from tests.editor.portraits.gestures import Gestures, move
from tests.editor.portraits.pointer import ALT, CTRL, LEFT, NONE, RIGHT, SHIFT, twice
from tests.editor.turning import in_front

VIRTUAL = "held_hand"
HELD = {"": NONE, "Shift ": SHIFT, "Ctrl ": CTRL, "Alt ": ALT}
FLAGS = ("locked", "hidden", "solo")
BONES = ("upper_arm_l", "lower_arm_l")


class Icons:
    """A theme whose icons note where they are painted: Qt paints them by itself."""

    def __init__(self, theme: Theme, log: Brush) -> None:
        self._theme, self._log = theme, log

    def __getattr__(self, name: str):
        return getattr(self._theme, name)

    def icon(self, name: str, token: str = "text") -> SimpleNamespace:
        icon = self._theme.icon(name, token)

        def paint(painter: QPainter, rect: QRect) -> None:
            self._log.note("icon", f"{name}/{token} {told(rect)}")
            icon.paint(painter, rect)

        return SimpleNamespace(paint=paint)


class AtTree(Gestures):
    """Gestures at the rows of the tree."""

    partly = True
    chosen: tuple[str, ...] = ("head",)

    def __init__(self, qapp, stage: Stage, panel, log) -> None:
        panel.delegate.theme = Icons(stage.theme, log)
        self.selection = stage.session.selection
        super().__init__(qapp, stage, panel, panel.view, log, self.told, self.rest)

    def rest(self) -> None:
        selection, session = self.selection, self.stage.session
        selection.set_hover(None)
        for flag in FLAGS:
            selection.set_flag(flag, frozenset())
        session.feature(Retargeting).virtual.choose(None)
        selection.select(list(self.chosen))
        session.feature(BoneSets).choose("set 1")
        self.panel.view.setFocus()

    def told(self) -> dict[str, str]:
        selection, session = self.selection, self.stage.session
        virtual = session.feature(Retargeting).virtual.chosen
        rig = session.rig
        modes = [f"{name} {mode.name}" for name, mode in sorted(rig.retarget_modes.items())]
        return {
            "selected": "; ".join(selection.bones) or "nothing",
            "active": str(selection.active),
            "flags": "; ".join(f"{f} {b}" for f in FLAGS for b in sorted(getattr(selection, f))),
            "virtual": virtual.name if virtual is not None else "none",
            "in hand": str(session.feature(BoneSets).in_hand),
            "sets": "; ".join(f"{k} {' '.join(v)} {rig.set_colors.get(k)}" for k, v in rig.bone_sets.items()),
            "modes": "; ".join(modes),
            "mask": "; ".join(
                f"{name} {bone} {x:.2f}" for name, mask in rig.masks.items() for bone, x in mask.items()
            ),
            "focus": getattr(QApplication.focusWidget(), "objectName", lambda: "")(),
            "scrolled": str(self.widget.verticalScrollBar().value()),
        }

    def cell(self, bone: str, column: int = 0) -> QPoint:
        model = self.panel.model
        rect = self.widget.visualRect(model.index_of(model.names.index(bone), column))
        return QPoint(rect.left() + 12, rect.center().y()) if column == 0 else rect.center()

    def tip(self, bone: str, column: int) -> str:
        model = self.panel.model
        return repr(model.index_of(model.names.index(bone), column).data(Qt.ItemDataRole.ToolTipRole))

    def key(self, code: Qt.Key, held=NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.widget, code, held)


def furnished():
    """Nine sets, a virtual bone, a blend mask, a pinned hand."""
    session = rich.session()
    verb_stages._sets(session, None)
    rig = session.rig
    masks = {"arms": dict.fromkeys(BONES, 0.5)}
    virtual = VirtualBone(VIRTUAL, "hand_r", "hand_l")
    session.edits.put("furnish", replace(rig, virtual_bones=(virtual,), masks=masks))
    return session


# ------------------------------------------------------------ rows
def rows(here: AtTree) -> None:
    """Clicks on names and switches with each modifier, and what is painted under the pointer."""
    for bone in ("chest", VIRTUAL):

        def over(bone=bone) -> None:
            move(here.widget, here.cell(bone))
            here.picture("under it")
            here.lines.append(f"      tip {here.tip(bone, 0)} {here.tip(bone, 5)}")

        here.do(f"over {bone}", over)
        for word, held in HELD.items():
            here.do(
                f"{word}click on {bone}", lambda b=bone, h=held: pointer.tap(here.widget, here.cell(b), h)
            )
        here.do(f"right button on {bone}", lambda b=bone: ask(here, b))
    for word, held in HELD.items():

        def second(h=held) -> None:
            pointer.mouse(
                here.widget, QEvent.Type.MouseButtonDblClick, here.cell("upper_arm_l"), LEFT, LEFT, h
            )

        here.do(f"{word}second click on upper_arm_l", second)
    here.do("double click on upper_arm_l", lambda: twice(here.widget, here.cell("upper_arm_l")))
    here.do("right double click", lambda: twice(here.widget, here.cell("chest"), RIGHT))
    here.do("double click on the virtual bone", lambda: twice(here.widget, here.cell(VIRTUAL)))
    here.do("click below all rows", lambda: pointer.tap(here.widget, QPoint(60, here.widget.height() - 20)))
    here.drag("a drag over rows", here.cell("chest"), here.cell("upper_arm_l"))
    here.chosen = BONES
    here.back()
    for column, flag in enumerate(FLAGS, 1):

        def twice_on(bone, column=column) -> None:
            pointer.tap(here.widget, here.cell(bone, column))
            here.picture("once")
            here.lines.append(f"      tip {here.tip(bone, column)}")
            here.lines.append(f"      {here.told()['flags']}")
            pointer.tap(here.widget, here.cell(bone, column))

        here.do(f"{flag} of a selected bone, and again", lambda f=twice_on: f("lower_arm_l"))
        here.do(f"{flag} of another", lambda c=column: pointer.tap(here.widget, here.cell("chest", c)))
        here.do(f"{flag} by a double click", lambda c=column: twice(here.widget, here.cell("chest", c)))
        here.do(
            f"{flag}, right button", lambda c=column: pointer.press(here.widget, here.cell("chest", c), RIGHT)
        )
        here.do(f"{flag} of a virtual bone", lambda c=column: here.panel.toggle(
            here.panel.model.index_of(here.panel.model.names.index(VIRTUAL), c)))  # fmt: skip
    here.chosen = ("head",)
    here.back()


def ask(here: AtTree, bone: str) -> None:
    pointer.ask_menu(here.widget, here.cell(bone))


def keys(here: AtTree) -> None:
    """Arrows, letters, folding, the search field."""
    for code, held in (
        (Qt.Key.Key_Down, NONE), (Qt.Key.Key_Up, NONE), (Qt.Key.Key_Down, SHIFT), (Qt.Key.Key_Up, ALT),
        (Qt.Key.Key_Left, NONE), (Qt.Key.Key_H, NONE), (Qt.Key.Key_Home, NONE), (Qt.Key.Key_End, NONE),
    ):  # fmt: skip
        here.do(f"{held.name} {code.name}", lambda c=code, h=held: here.key(c, h))
    view, model = here.widget, here.panel.model
    chest = model.index_of(model.names.index("chest"))

    def folded() -> None:
        view.collapse(chest)
        here.panel.search.setText("arm")
        here.settle()
        here.lines.append(f"  found {[model.names[b] for b in model.listed()]}")
        here.panel.search.clear()
        here.settle()
        here.lines.append(f"  folded again {not view.isExpanded(model.index_of(model.names.index('chest')))}")
        view.expand(model.index_of(model.names.index("chest")))

    here.do("folded, sought, and back", folded)
    here.panel.search.setText("leg")
    here.do("reveal the active bone while others are sought", here.panel.reveal_active)
    here.do("find", lambda: (here.panel.search.setText("arm"), here.panel.start_search(),
            here.lines.append(f"  selected {here.panel.search.selectedText()!r}")))  # fmt: skip
    here.do("Down in the field", lambda: here.key(Qt.Key.Key_Down))
    here.panel.search.setText("qqq")
    here.do(
        "nothing fits",
        lambda: here.lines.append(f"  {here.panel.empty.isVisible()}"),
    )
    here.panel.search.clear()
    here.settle()


# ------------------------------------------------------------ sets
def chip(here: AtTree, name: str):
    return next(c for c in here.panel.sets.body.children() if getattr(c, "name", None) == name)


def sets(here: AtTree) -> None:
    """Chips of sets: clicks with each modifier, their menu with every entry, names that are typed."""
    at = QPoint(12, 9)
    for word, held in HELD.items():
        here.do(f"{word}click on a set", lambda h=held: pointer.tap(chip(here, "set 5"), at, h))
    here.do("double click on a set", lambda: twice(chip(here, "set 5"), at))
    here.do("right click on a set", lambda: pointer.press(chip(here, "set 5"), at, RIGHT))
    here.do("right double click on a set", lambda: twice(chip(here, "set 5"), at, RIGHT))

    def under() -> None:
        found = chip(here, "set 5")
        QApplication.sendEvent(found, QEnterEvent(QPointF(at), QPointF(at), QPointF(found.mapToGlobal(at))))
        here.picture("it is under the pointer")
        QApplication.sendEvent(found, QEvent(QEvent.Type.Leave))
        here.picture("it is not")

    here.do("over a set", under)

    def menu() -> QMenu:
        known = {id(w) for w in happenings.windows()}
        found = chip(here, "set 5")
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, found.mapToGlobal(at))
        QApplication.sendEvent(found, event)
        here.settle()
        return next(w for w in happenings.windows() if id(w) not in known and isinstance(w, QMenu))

    here.do("menu of a set", menu)
    opened = menu()
    entries = [(path, action.text()) for path, action in leaves(opened)]
    opened.close()
    for path, text in entries:

        def choose(path=path, text=text) -> None:
            now = menu()
            chosen(next(a for p, a in leaves(now) if (p, a.text()) == (path, text)), now)

        here.do(f"menu of a set › {path}{text!r}", choose)

    def renamed(text: str, code: Qt.Key) -> None:
        here.stage.session.feature(BoneSets).choose("set 5")
        here.panel.sets.name_set()
        here.settle()
        field = next(f for f in here.panel.findChildren(QLineEdit, "setName") if f.isVisible())
        here.lines.append(f"  {field.text()!r} selected {field.selectedText()!r} {field.hasFocus()}")
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, code)

    enter = Qt.Key.Key_Return
    for text, code in (
        ("arms", enter),
        ("arms", Qt.Key.Key_Escape),
        (" ", enter),
        ("set 2", enter),
        ("set 5", enter),
    ):
        here.do(f"name {text!r} {code.name}", lambda t=text, c=code: renamed(t, c))
    here.chosen = ()
    here.back()
    here.do("a new set of nothing", lambda: here.stage.actions.run("set.new"))
    here.chosen = ("head",)
    here.back()


# ------------------------------------------------------------ masks and modes
def mask(here: AtTree) -> None:
    """A blend mask is painted by strokes over rows."""
    blending = here.stage.session.feature(Blending)
    blending.paint("arms")
    here.back()
    for weight in (1.0, 0.25):
        blending.brush = weight
        for word, held in HELD.items():
            here.do(
                f"{word}click, brush {weight}", lambda h=held: pointer.tap(here.widget, here.cell("chest"), h)
            )
    here.drag("a stroke", here.cell("upper_arm_l"), here.cell("hand_l"))
    here.drag("a stroke over the virtual bone", here.cell("hand_r"), here.cell(VIRTUAL))
    here.do("a click on the virtual bone", lambda: pointer.tap(here.widget, here.cell(VIRTUAL)))
    here.do("right button", lambda: pointer.press(here.widget, here.cell("chest"), RIGHT))
    here.do("a switch meanwhile", lambda: pointer.tap(here.widget, here.cell("chest", 2)))
    here.do("double click meanwhile", lambda: twice(here.widget, here.cell("chest")))
    blending.paint(None)
    here.back()


def modes(here: AtTree) -> None:
    """Translation modes, in a column of their own."""
    session = here.stage.session
    session.switches.set("bone_modes", True)
    here.back()
    column = 4

    def over() -> None:
        move(here.widget, here.cell("chest", column))
        here.picture("under it")
        here.lines.append(f"      tip {here.tip('chest', column)}")

    def menu() -> QMenu:
        pointer.tap(here.widget, here.cell("chest", column))
        here.settle()
        return next(m for m in here.panel.findChildren(QMenu, "modeMenu") if m.isVisible())

    here.do("over a mode", over)
    here.do("a click on a mode", menu)
    opened = menu()
    entries = [(path, action.text()) for path, action in leaves(opened) if action.isEnabled()]
    opened.close()
    here.settle()
    here.chosen = ("chest", "head")
    here.back()
    for path, text in entries:

        def choose(path=path, text=text) -> None:
            now = menu()
            chosen(next(a for p, a in leaves(now) if (p, a.text()) == (path, text)), now)

        here.do(f"mode › {path}{text!r}", choose)
    here.do("other modes are drawn", lambda: (choose(*entries[1]), here.picture("changed")))
    session.switches.set("bone_modes", False)
    here.chosen = ("head",)
    here.back()


PARTS = (rows, keys, sets, mask, modes)


def gestures(qapp) -> list[str]:
    stage = Stage(qapp, furnished())
    panel = sitter.spec_of("bone_tree").create(stage.context)
    stage.layout.addWidget(sitter.title_bar(panel))
    stage.add(panel)
    stage.show(*sitter.SIZE)
    in_front(stage.window)
    try:
        with noted() as log:
            here = AtTree(qapp, stage, panel, log)
            for part in PARTS:
                here.lines.append(f"=== {part.__name__}")
                part(here)
            return here.lines
    finally:
        sitter.away(qapp, stage, panel)


def test_gestures_at_the_bone_tree_are_as_approved(qapp) -> None:
    problem = approved.problem_of("gestures-bone_tree", lambda: gestures(qapp))
    assert not problem, problem
