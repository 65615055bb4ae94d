"""Fields, menus, keys and operations of the curve editor in a person's hands, as they were read and approved."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from core.clips.clip import Channel, Property
from core.project.project import Project
from core.tracks.places import KeyPlaces
from editor.actions.every import registry
from editor.model import key_places
from editor.model.channels import curve_channel
from editor.model.jobs import run_at_once
from editor.panels.curves.space import Layout
from editor.qt.number_field import NumberField
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y
from tests.editor.portraits import approved, happenings, pointer
from tests.editor.portraits.curve_hand import CurveHand, curves, fields_of, keyed, named, strip_text
from tests.editor.portraits.deeds import chosen, leaves
from tests.editor.portraits.pointer import CTRL, NONE, RIGHT, SHIFT

Key = Qt.Key
MOVE = Channel("arm", Property.TRANSLATE, 0)
BLINK = curve_channel("blink")


# ------------------------------------------------------------ fields
def typed(field: NumberField, text: str, end: Key = Key.Key_Return) -> None:
    """Type into a field, and end it by a key."""
    field.edit()
    field._editor.selectAll()
    QTest.keyClicks(field._editor, text)
    QTest.keyClick(field._editor, end)
    if field.editing:
        QTest.keyClick(field._editor, Key.Key_Escape)


def scrubbed(hand: CurveHand, field: NumberField, held=NONE, end: str = "") -> None:
    """Drag over a field, tell what is tried, and end it in some way."""
    name, at = field.objectName(), QPoint(20, field.height() // 2)

    def under_way() -> None:
        pointer.press(field, at, held=held)
        for x in (2, 7, 12):
            pointer.mouse(
                field,
                pointer.QEvent.Type.MouseMove,
                at + QPoint(x, 0),
                Qt.MouseButton.NoButton,
                pointer.LEFT,
                held,
            )
            QApplication.processEvents()

    hand.do(f"{named(held)}drag over {name}", under_way, back=False)
    if end == "escape":
        hand.do("  Escape", lambda: QTest.keyClick(field, Key.Key_Escape), back=False)
    elif end == "right":
        hand.do("  right button", lambda: pointer.press(field, at, RIGHT), back=False)
    hand.do("  released", lambda: pointer.let_go(field, at + QPoint(12, 0), held=held))


SELECTIONS: dict[str, dict[Channel, list[int]]] = {
    "one key": {X: [2]}, "two keys": {X: [2, 4]}, "keys of two curves": {X: [2], Y: [3, 4]},
    "keys of two units": {X: [2], MOVE: [2]}, "a key of a float curve": {BLINK: [1]}, "no key": {},
}  # fmt: skip


def fields(hand: CurveHand) -> None:
    """Numbers typed, relative, wrong, given up; dragged; with the wheel."""
    hand.stage.only(X, Y, MOVE, BLINK)
    selection, own = hand.session.selection, fields_of(hand.stage.panel.fields)
    for name, keys in SELECTIONS.items():
        hand.lines.append(f"=== {name}")
        selection.select_keys(keys)
        hand.begin()
        hand.lines.append(hand.state()["fields"])
        hand.lines += [f"{f.objectName()} {f.toolTip()!r} step {f.step:g}" for f in own]
        for field in own if name in ("one key", "two keys") else own[:2]:
            for text in ("5", "+=3", "*2") if keys else ("5",):
                hand.do(f"type {text} into {field.objectName()}", lambda f=field, t=text: typed(f, t))
    selection.select_keys({X: [2, 4]})
    hand.begin()
    hand.lines.append("=== ended otherwise")
    frame, value, into, _ = own
    for text in ("abc", "/0", "+oops", "", "-=1"):
        hand.do(f"type {text!r} into the value", lambda t=text: typed(value, t))
        hand.do(f"type {text!r} into the frame", lambda t=text: typed(frame, t))
    hand.do("5 and Escape", lambda: typed(value, "5", Key.Key_Escape))
    hand.do("5 and Tab", lambda: typed(value, "5", Key.Key_Tab))
    selection.select_keys({X: [2]})
    hand.begin()
    for field in own:
        scrubbed(hand, field)
    for held in (SHIFT, CTRL):
        scrubbed(hand, value, held)
    for end in ("escape", "right"):
        scrubbed(hand, value, end=end)
        scrubbed(hand, frame, end=end)
    into.setFocus()
    hand.do("wheel over a field", lambda: pointer.wheel(into, QPoint(5, 5), 1))
    hand.do("wheel over a field without the keyboard", lambda: pointer.wheel(value, QPoint(5, 5), 1))
    for flag in ("locked", "hidden"):
        hand.model.lanes.set_flag(flag, [*hand.model.lanes.hidden, Lane(X)])
        hand.begin()
        hand.lines.append(f"{flag}: {hand.state()['fields']}")
        hand.do("5 into the value", lambda: typed(value, "5"))
        hand.model.lanes.set_flag(flag, hand.model.lanes.hidden - {Lane(X)} if flag == "hidden" else [])
    hand.stage.show("hand")
    for name, keys in (("a quaternion", {TURN: [2]}), ("quaternions", {TURN: [1, 2]})):
        hand.lines.append(f"=== {name}")
        selection.select_keys(keys)
        hand.begin()
        hand.lines += [hand.state()["fields"], *(f"{f.objectName()} {f.toolTip()!r}" for f in own)]
        for text in ("40", "+=3"):
            hand.do(f"type {text} into the value", lambda t=text: typed(value, t))
            hand.do(f"type {text} into the frame", lambda t=text: typed(frame, t))
    hand.model.lanes.set_flag("chosen", [Lane(TURN, 2)])
    hand.do("of a chosen angle", lambda: typed(value, "40"))


# ------------------------------------------------------------ menus and keys
def menus(hand: CurveHand) -> None:
    """The menu of the right button and each of its entries, and of the buttons of the tool row."""
    panel, plot = hand.stage.panel, hand.plot
    hand.session.playback.seek(12.0 / 30.0)
    hand.begin()

    def opened() -> QMenu:
        pointer.press(plot, QPoint(300, 100), RIGHT)
        pointer.let_go(plot, QPoint(300, 100), RIGHT)
        QApplication.processEvents()
        return next(w for w in happenings.windows() if isinstance(w, QMenu))

    hand.do("right button", opened)
    menu = opened()
    menu.close()
    entries = [(path, a.text()) for path, a in leaves(opened()) if a.isEnabled()]
    for window in [w for w in happenings.windows() if isinstance(w, QMenu)]:
        window.close()
    hand.settle()
    hand.press(Key.Key_C, CTRL)  # what there is to paste
    for path, text in entries:

        def choose(path=path, text=text) -> None:
            menu = opened()
            chosen(next(a for p, a in leaves(menu) if (p, a.text()) == (path, text)), menu)

        hand.do(f"{path}{text!r}", choose)
    hand.lines.append("=== keys")
    for code, held in (
        *((Key(k), NONE) for k in range(Key.Key_1, Key.Key_8)), (Key.Key_Delete, NONE), (Key.Key_Backspace, NONE),
        *((k, CTRL) for k in (Key.Key_A, Key.Key_C, Key.Key_V, Key.Key_D, Key.Key_X)), (Key.Key_A, SHIFT),
        (Key.Key_Delete, SHIFT), (Key.Key_Escape, NONE), (Key.Key_Return, NONE), (Key.Key_1, CTRL),
        (Key.Key_Delete, Qt.KeyboardModifier.KeypadModifier),
    ):  # fmt: skip
        hand.do(f"{keyed(code, held)}", lambda code=code, held=held: hand.press(code, held))
    hand.do("Delete in the list", lambda: [hand.list.setFocus(), hand.press(Key.Key_Delete)])
    hand.do("Delete in the search", lambda: [panel.search.setFocus(), hand.press(Key.Key_Delete)])
    hand.model.lanes.set_flag("chosen", [Lane(Y)])
    hand.do("all of a chosen curve", lambda: hand.press(Key.Key_A, CTRL), back=False)
    hand.do("copied", lambda: hand.press(Key.Key_C, CTRL))
    hand.lines.append("=== pasted on a locked curve")
    hand.session.selection.select_keys({X: [2, 3], Y: [4]})
    hand.begin()
    hand.press(Key.Key_C, CTRL)
    hand.model.lanes.set_flag("locked", [Lane(X)])
    hand.begin()
    for code in (Key.Key_V, Key.Key_D):
        hand.do(keyed(code, CTRL), lambda code=code: hand.press(code, CTRL))
    hand.model.lanes.set_flag("locked", [])
    hand.lines.append("=== with no key selected")
    hand.session.selection.select_keys({})
    hand.begin()
    for code, held in ((Key.Key_Delete, NONE), (Key.Key_C, CTRL), (Key.Key_D, CTRL), (Key.Key_4, NONE)):
        hand.do(f"{keyed(code, held)}", lambda code=code, held=held: hand.press(code, held))
    for name in ("link_ends", "break_tangents", "reset_weights", "cycle_to_playhead"):
        hand.do(name, getattr(panel.commands, name))


def buffers(hand: CurveHand) -> None:
    """The buffer: what keeps it, what it is swapped with, of which curves."""
    panel, at = hand.stage.panel, hand.key(X, 2)
    hand.do("nothing is kept", lambda: panel.swap_button.click())
    hand.session.selection.select_keys({X: [2], Y: [2]})
    hand.begin()
    hand.drag("drag", at, [(0, -30)])
    pointer.press(hand.plot, at)
    for y in (-10, -30):
        pointer.mouse(
            hand.plot, pointer.QEvent.Type.MouseMove, at + QPoint(0, y), Qt.MouseButton.NoButton, pointer.LEFT
        )
    pointer.let_go(hand.plot, at + QPoint(0, -30))
    hand.settle()
    hand.begin()
    hand.do("swapped", lambda: panel.swap_button.click(), back=False)
    hand.do("and back", lambda: panel.swap_button.click())
    for flag in ("locked", "hidden", "chosen"):
        hand.model.lanes.set_flag(
            flag, hand.model.lanes.hidden | {Lane(X)} if flag == "hidden" else [Lane(X)]
        )
        hand.do(f"swapped, X {flag}", lambda: panel.swap_button.click(), back=False)
        hand.do("undone", hand.session.undo)
        hand.model.lanes.set_flag(flag, hand.model.lanes.hidden - {Lane(X)} if flag == "hidden" else [])
        hand.begin()


# ------------------------------------------------------------ operations
TYPED = {
    "amount": "7", "size": "0.4", "seed": "8", "weight": "30", "strength": "90", "seconds": "0.4", "cutoff": "2",
    "order": "4", "tolerance": "60", "millimetres": "400", "degrees": "2",
}  # fmt: skip
"""What is typed for each number of an operation."""


def operations(hand: CurveHand) -> None:
    """Every operation: its strip, its numbers, what is tried, applied and given up."""
    panel = hand.stage.panel
    for id, operation in panel._operations.items():
        hand.do(f"=== {operation.title}", lambda id=id: panel.begin(id), back=False)
        strip = panel.strip
        for parameter in operation.parameters:
            field, slider = strip._fields.get(parameter.id, (None, None))
            if field is not None:
                hand.lines.append(
                    f"{parameter.id} {field.minimum:g} to {field.maximum:g}, step {field.step:g}"
                )
                number = TYPED[parameter.id]
                hand.do(f"{parameter.id} typed", lambda f=field, t=number: typed(f, t), back=False)
            else:
                box = strip._boxes[parameter.id]
                hand.lines.append(", ".join(box.itemText(k) for k in range(box.count())))
                hand.do(f"{parameter.id} chosen", lambda box=box: choose(box, 1), back=False)
            if slider is not None:
                hand.lines.append(f"slider {slider.minimum()} to {slider.maximum()}")
                hand.do(
                    f"{parameter.id} slid",
                    lambda s=slider, p=parameter: s.setValue(round(p.minimum / 2)),
                    back=False,
                )
        hand.do("applied", lambda: panel.strip.apply_button.click())
        key_places.choose(hand.session.preferences, KeyPlaces.OWN)


def choose(box, number: int) -> None:
    box.setCurrentIndex(number)
    box.activated.emit(number)


def strips(hand: CurveHand) -> None:
    """How the strip of an operation begins and ends."""
    panel, session = hand.stage.panel, hand.session

    def tween() -> None:
        panel.begin("tween")
        panel.strip._fields["amount"][1].setValue(40)
        hand.settle()

    def in_strip(code: Key) -> None:
        panel.strip._fields["amount"][0].setFocus()
        hand.press(code, widget=panel.strip)

    for name, end in (
        ("Escape in the plot", lambda: hand.press(Key.Key_Escape, widget=hand.plot)),
        ("Shift Escape in the plot", lambda: hand.press(Key.Key_Escape, SHIFT, hand.plot)),
        ("Enter in the plot", lambda: hand.press(Key.Key_Return, widget=hand.plot)),
        ("Enter of the keypad", lambda: hand.press(Key.Key_Enter, widget=hand.plot)),
        ("Escape in the strip", lambda: in_strip(Key.Key_Escape)),
        ("Enter in the strip", lambda: in_strip(Key.Key_Return)),
        ("Enter of the keypad in the strip", lambda: in_strip(Key.Key_Enter)),
        ("a letter in the strip", lambda: in_strip(Key.Key_F)),
        ("Cancel", lambda: panel.strip.cancel_button.click()),
        ("a step meanwhile", lambda: session.clips.set_length(session.clip.id, 3.0)),
        ("another operation", lambda: panel.begin("noise")),
        ("the same once more", lambda: panel.begin("tween")),
        ("other keys meanwhile", lambda: session.selection.select_keys({Y: [1]})),
        ("a drag of the number", lambda: scrubbed(hand, panel.strip._fields["amount"][0], end="escape")),
        ("too much", lambda: typed(panel.strip._fields["amount"][0], "900")),
    ):  # fmt: skip
        tween()
        hand.do(name, end)
    hand.lines.append("=== while it is computed")

    def computed(end: Callable[[], object]) -> None:
        held: list[tuple[Callable[[], None], Callable[[], None]]] = []
        session.jobs.runner = lambda work, then: held.append((work, then))
        panel.begin("to_quaternion")
        hand.lines.append(strip_text(panel.strip))
        end()
        hand.lines.append(strip_text(panel.strip) if panel.strip is not None else "its strip is gone")
        session.jobs.runner = run_at_once
        for work, then in held:
            work()
            then()

    for name, end in (
        ("applied", lambda: panel.strip.apply_button.click()), ("given up", lambda: panel.strip.cancel_button.click()),
        ("cancelled elsewhere", lambda: session.jobs.cancel(panel.strip.run._job)),
        ("other numbers", lambda: typed(panel.strip._fields["degrees"][0], "3")),
    ):  # fmt: skip
        hand.do(name, lambda end=end: computed(end))
    hand.lines.append("=== the keys it works on")
    for name, keys, flag, lanes in (
        ("no key", {}, "chosen", []), ("no key, a chosen curve", {}, "chosen", [Lane(Y)]),
        ("no key, all locked", {}, "locked", [Lane(X), Lane(Y)]),
        ("a locked curve", {X: [2], Y: [3]}, "locked", [Lane(X)]),
    ):  # fmt: skip
        session.selection.select_keys(keys)
        hand.model.lanes.set_flag(flag, lanes)
        hand.begin()
        hand.do(name, lambda: panel.begin("push_pull"), back=False)
        hand.do("more", lambda: panel.strip._fields["amount"][1].setValue(90), back=False)
        hand.do("applied", lambda: panel.strip.apply_button.click())
        hand.model.lanes.set_flag(flag, [])
    hand.lines.append("=== nothing is open")
    session.document.replace(Project({}), None)
    hand.settle()
    at = QPoint(300, 100)
    for name, deed in (
        ("pointed at", lambda: hand.hover(at)), ("click", lambda: pointer.tap(hand.plot, at)),
        ("Ctrl click", lambda: pointer.tap(hand.plot, at, CTRL)), ("operation", lambda: panel.begin("tween")),
        ("ruler", lambda: pointer.tap(hand.plot, QPoint(300, 8))), ("all", lambda: hand.press(Key.Key_A, CTRL)),
        ("delete", lambda: hand.press(Key.Key_Delete)), ("swap", lambda: panel.swap_button.click()),
        ("paste", lambda: hand.press(Key.Key_V, CTRL)), ("fit", lambda: hand.press(Key.Key_F)),
        ("stacked", lambda: hand.model.view.set_layout(Layout.STACKED)),
        ("linear after the end", lambda: panel.commands.set_extrapolation(None, None)),
    ):  # fmt: skip
        hand.do(name, deed, back=False)


# ------------------------------------------------------------ actions, layers
def actions(hand: CurveHand) -> None:
    """The actions of menus and palette, the panel in sight and behind another; the curves of a layer and the result."""
    panel, own = hand.stage.panel, hand.stage.registry
    hand.stage.services.show_panel = lambda name: (hand.lines.append(f"shows {name}"), panel.show())
    hand.press(Key.Key_C, CTRL)
    for action in own:
        if action.id.startswith("curves.") and own.why_disabled(action.id) == "":
            hand.do(f"{action.id} {own.is_checked(action.id)}", lambda id=action.id: own.run(id), back=False)
            hand.lines.append(f"    now {own.is_checked(action.id)}")
            hand.back()
    for id in ("curves.unify", "curves.layout_stacked", "curves.noise"):
        panel.hide()
        hand.do(f"{id}, behind another panel", lambda id=id: own.run(id))
    hand.lines.append("=== layers")
    every = registry(hand.session)
    own.run = every.run
    hand.stage.only(X, Y)
    for id in ("layer.new_override", "key.set"):
        hand.do(id, lambda id=id: every.run(id), back=False)
    hand.begin()
    hand.do("the result", lambda: panel.result_button.click(), back=False)
    for name, deed in (
        ("click on the ground", lambda: pointer.tap(hand.plot, hand.on_curve(Lane(X), 0.5))),
        ("Ctrl click", lambda: pointer.tap(hand.plot, hand.on_curve(Lane(X), 0.5), CTRL)),
        ("key", lambda: pointer.tap(hand.plot, hand.key(X, 2))), ("Delete", lambda: hand.press(Key.Key_Delete)),
        ("all", lambda: hand.press(Key.Key_A, CTRL)), ("fit", lambda: hand.press(Key.Key_F)),
    ):  # fmt: skip
        hand.do(name, deed, back=False)
    hand.do("the layer again", lambda: panel.result_button.click(), back=False)
    hand.do("a bone without keys", lambda: hand.session.selection.select(["elbow"]))


STORIES: dict[str, Callable[[CurveHand], None]] = {
    "fields": fields, "menus": menus, "buffers": buffers, "operations": operations, "strips": strips,
    "actions": actions,
}  # fmt: skip


def told(qapp: QApplication, name: str) -> list[str]:
    with curves(qapp) as hand:
        STORIES[name](hand)
        return hand.lines


@pytest.mark.parametrize("name", list(STORIES))
def test_numbers_of_curves_in_hand_do_what_was_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"curves-{name}", lambda: told(qapp, name))
    assert not problem, problem
