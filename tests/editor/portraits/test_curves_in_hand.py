"""The curve editor in a person's hands, as it was read and approved: keys, handles, curves, the ruler, the list."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.tracks.edits import set_weights
from editor.model.time_view import TimeView
from editor.panels.curves.space import Layout
from editor.tools.curves.lanes import Lane
from tests.editor.panels.curves.curve_stage import TURN, X, Y, Z
from tests.editor.portraits import approved, pointer
from tests.editor.portraits.curve_hand import CurveHand, curves, keyed, named
from tests.editor.portraits.pointer import ALT, CTRL, MIDDLE, NONE, RIGHT, SHIFT

ALL = (NONE, SHIFT, CTRL, ALT)


# ------------------------------------------------------------ the canvas
def keys(hand: CurveHand) -> None:
    """Keys that are selected and that are not: pointed at, clicked, dragged."""
    for name, at in (("a selected key", hand.key(X, 2)), ("another key", hand.key(Y, 4))):
        hand.lines.append(f"=== {name}")
        hand.do("pointed at", lambda at=at: hand.hover(at))
        for held in (*ALL, SHIFT | CTRL):
            hand.do(f"{named(held)}click", lambda at=at, held=held: pointer.tap(hand.plot, at, held))
        hand.do("double click", lambda at=at: pointer.twice(hand.plot, at))
        hand.do("a second press alone", lambda at=at: twice(hand, at, pointer.LEFT))
        for held in (*ALL, SHIFT | CTRL):
            hand.drag("drag aside", at, [(3, 1), (29, -8)], held)
        hand.drag("drag up", at, [(1, -30), (2, -44)], SHIFT)
        hand.drag("drag straight down", at, [(0, 20)])
        hand.drag("tremble", at, [(1, 1), (-1, 0)])
        hand.drag("tremble by two", at, [(2, 0)])
        hand.drag("drag there and back", at, [(20, 20), (0, 0)])
    at = hand.key(X, 3)
    hand.lines.append("=== one of two, ended otherwise")
    for end in ("escape", "right", "middle", "wheel"):
        hand.drag("drag", at, [(30, -10)], end=end)
    hand.drag("far outside", at, [(900, -900)])
    hand.drag("over the next key", at, [(160, 0)], SHIFT)
    for switch in ("snap", "ripple"):
        hand.session.switches.toggle(switch)
        hand.drag(f"drag with {switch} {hand.session.switches[switch]}", at, [(23, -6)])
    hand.drag("with the middle button", at, [(30, -10)], button=MIDDLE)


def locks(hand: CurveHand) -> None:
    """Keys of a locked curve, of a locked bone, of a hidden curve; while it plays."""
    at, lanes, selection = hand.key(X, 2), hand.model.lanes, hand.session.selection
    selection.select_keys({X: [2], Y: [4]})
    hand.begin()
    for name, lock in (
        ("a locked curve", lambda: lanes.set_flag("locked", [Lane(X)])),
        ("a locked bone", lambda: selection.set_flag("locked", ["arm"])),
        (
            "a hidden curve",
            lambda: lanes.set_flag("hidden", [lane for lane in lanes.all() if lane != Lane(Y)]),
        ),
    ):
        hand.lines.append(f"=== {name}")
        lock()
        hand.begin()
        hand.do("pointed at", lambda: hand.hover(at))
        hand.do("click", lambda: pointer.tap(hand.plot, at))
        hand.do("Ctrl click", lambda: pointer.tap(hand.plot, at, CTRL))
        hand.drag("drag", at, [(30, -10)])
        hand.drag("drag of the other", hand.key(Y, 4), [(0, -20)])
        hand.drag("box", at - QPoint(20, 20), [(40, 40)])
        hand.do("Delete", lambda: hand.press(Qt.Key.Key_Delete))
        hand.do("1", lambda: hand.press(Qt.Key.Key_1))
        hand.do("all of them", lambda: hand.press(Qt.Key.Key_A, CTRL))
        selection.set_flag("locked", [])
        lanes.set_flag("locked", [])
    for name, at in (
        ("a key", hand.key(Y, 4)), ("a handle", hand.handle(Y, 4, 1)), ("nothing", QPoint(120, 60)),
        ("the ruler", hand.on_ruler(1.0)),
    ):  # fmt: skip
        hand.session.playback.play()
        hand.do(f"{name} pressed while it plays", lambda at=at: pointer.press(hand.plot, at), back=False)
        hand.session.playback.pause()
        hand.do("released", lambda at=at: pointer.let_go(hand.plot, at))


def handles(hand: CurveHand) -> None:
    """Handles before and after a key, plain and weighted."""
    for name, side, by in (("before", -1, (-9, -26)), ("after", 1, (12, 31))):
        at = hand.handle(X, 2, side)
        hand.lines.append(f"=== the handle {name}")
        hand.do("pointed at", lambda at=at: hand.hover(at))
        hand.do("click", lambda at=at: pointer.tap(hand.plot, at))
        for held in ALL:
            hand.drag("drag", at, [(1, 1), by], held)
        for end in ("escape", "right"):
            hand.drag("drag", at, [by], end=end)
        hand.drag("tremble", at, [(1, 1)])
        hand.drag("beyond the key", at, [(-side * 200, 10)])
    hand.lines.append("=== of one key, weighted")
    hand.session.selection.select_keys({X: [2]})
    hand.begin()
    hand.drag("drag", hand.handle(X, 2, 1), [(5, 20)], ALT)
    hand.do("weighted", lambda: hand.stage.panel.weighted_button.click(), back=False)
    for side in (-1, 1):
        at = hand.handle(X, 2, side)
        hand.drag("drag longer", at, [(side * 25, -6)])
        hand.drag("drag longer", at, [(side * 25, -6)], ALT)
    hand.do("not weighted", lambda: hand.stage.panel.weighted_button.click())
    short = set_weights(hand.session.clip.tracks[X], [2], None, 0.06)
    hand.session.edits.put("short", hand.session.clip.with_tracks({X: short}))
    hand.begin()
    for pixels in (1, 5):
        hand.drag(f"a short handle, {pixels} beside its key", hand.key(X, 2) + QPoint(pixels, 1), [(30, -20)])


def ground(hand: CurveHand) -> None:
    """Curves between their keys, and what lies beside them."""
    on = hand.on_curve(Lane(X), 18.3 / 30.0)
    beside = on + QPoint(0, 11)
    for name, at in (("a curve", on), ("beside a curve", beside), ("nothing", QPoint(120, 60))):
        hand.lines.append(f"=== {name}")
        for held in (NONE, CTRL):
            hand.do(f"{named(held)}pointed at", lambda at=at, held=held: hand.hover(at, held))
        for held in ALL:
            hand.do(f"{named(held)}click", lambda at=at, held=held: pointer.tap(hand.plot, at, held))
        hand.do("double click", lambda at=at: pointer.twice(hand.plot, at))
    hand.lines.append("=== how near")
    flat = hand.on_curve(Lane(Y), 0.3)
    for pixels in (4, 9, 15):
        for held in (NONE, CTRL):
            at = flat + QPoint(0, pixels)
            hand.do(
                f"{named(held)}click {pixels} below",
                lambda at=at, held=held: pointer.tap(hand.plot, at, held),
            )
    hand.session.switches.set("snap", False)
    hand.do("Ctrl click without snapping", lambda: pointer.tap(hand.plot, on, CTRL))
    hand.model.lanes.set_flag("locked", [Lane(X)])
    hand.do("Ctrl click on a locked curve", lambda: pointer.tap(hand.plot, on, CTRL), back=False)
    hand.back()
    hand.lines.append("=== one after the other")
    other = hand.on_curve(Lane(Y), 1.55)
    for name, at, held in (
        ("a curve", on, NONE), ("another with Shift", other, SHIFT), ("the same once more", other, SHIFT),
        ("the first with Shift", on, SHIFT), ("both again", on, SHIFT), ("both again", other, SHIFT),
        ("nothing with Shift", QPoint(120, 60), SHIFT), ("the other", other, NONE), ("once more", other, NONE),
        ("a key of one that is not chosen", hand.key(X, 5), NONE), ("nothing", QPoint(120, 60), NONE),
    ):  # fmt: skip
        hand.do(name, lambda at=at, held=held: pointer.tap(hand.plot, at, held), back=False)
    hand.back()
    hand.lines.append("=== beside the plot")
    for name, at in (("left of the ruler", QPoint(20, 8)), ("the numbers", QPoint(20, 150))):
        hand.do(f"{name}: pointed at", lambda at=at: hand.hover(at))
        hand.do(f"{name}: click", lambda at=at: pointer.tap(hand.plot, at))
        hand.do(f"{name}: Ctrl click", lambda at=at: pointer.tap(hand.plot, at, CTRL))
        hand.drag(f"{name}: drag", at, [(60, 30)])
        hand.do(f"{name}: wheel", lambda at=at: pointer.wheel(hand.plot, at, 1))
    hand.lines.append("=== boxes and lassos")
    two = [hand.key(Y, 4), hand.key(Y, 5)]
    left, right = min(p.x() for p in two), max(p.x() for p in two)
    top, low = min(p.y() for p in two), max(p.y() for p in two)
    at, by = QPoint(left - 12, top - 14), (right - left + 24, low - top + 28)
    for held in (*ALL, SHIFT | ALT, CTRL | ALT):
        hand.drag("box", at, [(10, 10), (by[0], 2), by, (2, by[1])] if held & ALT else [(10, 10), by], held)
    for end in ("escape", "right"):
        hand.drag("box", at, [by], end=end)
    hand.drag("box, by less than a drag", at, [(1, 2)])
    hand.do("lasso on", lambda: hand.stage.panel.lasso_button.click(), back=False)
    for held in (NONE, ALT):
        hand.drag("lasso", at, [(by[0], 0), by], held)
    hand.do("lasso off", lambda: hand.stage.panel.lasso_button.click())


def views(hand: CurveHand) -> None:
    """The wheel, the middle button, the scroll bars, the keys of fits."""
    at = QPoint(400, 150)
    for held in (*ALL, SHIFT | CTRL):
        hand.do(f"{named(held)}wheel", lambda held=held: pointer.wheel(hand.plot, at, 1, held))
    hand.do("wheel back", lambda: pointer.wheel(hand.plot, at, -2))
    hand.drag("pan", at, [(20, 10), (31, -17)], button=MIDDLE)
    hand.drag("pan", at, [(31, -17)], button=MIDDLE, end="escape")
    for bar, name in ((hand.stage.panel.across, "time"), (hand.stage.panel.up, "values")):
        pointer.wheel(hand.plot, at, 4)
        hand.settle()
        hand.do(f"scroll bar of {name}", lambda bar=bar: bar.setValue(bar.maximum() * 3 // 4))
    for code, held in (
        (Qt.Key.Key_F, NONE), (Qt.Key.Key_A, NONE), (Qt.Key.Key_Home, NONE), (Qt.Key.Key_F, SHIFT),
    ):  # fmt: skip
        pointer.wheel(hand.plot, at, 4)
        hand.do(f"{keyed(code, held)}", lambda code=code, held=held: hand.press(code, held))
    for name, widget in (("the list", hand.list), ("the search", hand.stage.panel.search)):
        widget.setFocus()
        place = QPointF(at)
        hand.do(
            f"the pointer comes from {name}",
            lambda p=place: QApplication.sendEvent(hand.plot, QEnterEvent(p, p, p)),
        )
    hand.session.selection.select_keys({})
    hand.do("F with no key", lambda: hand.press(Qt.Key.Key_F))
    hand.do("fit of the button", lambda: hand.stage.panel.fit_button.click())
    panel, view = hand.stage.panel, hand.session.feature(TimeView)
    for pixels in (0, 40, 41, -1):  # between a dope sheet and the panel
        hand.do(
            f"a dope sheet {pixels} above",
            lambda d=pixels: view.set_ruler(panel.mapToGlobal(QPoint(0, 0)).y() - d),
            back=False,
        )
        hand.do("click at the top", lambda: pointer.tap(hand.plot, QPoint(300, 8)), back=False)
    view.set_ruler(None)
    hand.do("behind another panel", panel.hide, back=False)
    panel.show()
    search = hand.stage.panel.search
    for end in (Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Escape):
        search.setFocus()
        hand.do("search", lambda: QTest.keyClicks(search, "rotate z"), back=False)
        hand.do(end.name, lambda end=end: QTest.keyClick(search, end), back=False)
        hand.do("once more", lambda end=end: QTest.keyClick(search, end), back=False)
    hand.do("no search", lambda: search.setText(""))
    hand.do("no words that fit", lambda: search.setText("nobody"), back=False)
    hand.lines.append(f"empty: {hand.stage.panel.empty.isVisible()}")
    hand.do("no search", lambda: search.setText(""))
    hand.lines.append(f"empty: {hand.stage.panel.empty.isVisible()}")


def ruler(hand: CurveHand) -> None:
    """The ruler, its brackets, K held."""
    inside, start, end = hand.on_ruler(1.0), hand.on_ruler(0.2, -4.0), hand.on_ruler(1.8, 4.0)
    for name, at in (("the ruler", inside), ("the start", start), ("the end", end)):
        hand.lines.append(f"=== {name}")
        hand.do("pointed at", lambda at=at: hand.hover(at), back=False)
        hand.do("left", hand.leave)
        hand.do("double click", lambda at=at: pointer.twice(hand.plot, at))
        hand.do("right double click", lambda at=at: twice(hand, at, RIGHT))
        for held in (NONE, SHIFT):
            hand.drag("drag", at, [(17, 0)], held)
        hand.drag("drag", at, [(40, 30)], end="escape")
        hand.drag("drag", at, [(-900, 0)])
        hand.drag("drag", at, [(20, 0)], button=MIDDLE)
    hand.lines.append("=== K")
    hand.do("K held", lambda: key_held(hand, True), back=False)
    hand.do("K again by itself", lambda: key_held(hand, False, auto=True), back=False)
    hand.model.pointer.scrubbing = True
    hand.drag("drag with K", hand.key(X, 2), [(30, 0)])
    hand.do("K held", lambda: key_held(hand, True), back=False)
    hand.do("K released", lambda: key_held(hand, False))
    hand.do("K held", lambda: key_held(hand, True), back=False)
    hand.do("the keyboard is elsewhere", hand.list.setFocus)
    hand.do("Shift K", lambda: key_held(hand, True, SHIFT))


def twice(hand: CurveHand, at: QPoint, button: Qt.MouseButton) -> None:
    """The second press of a double click, without the first."""
    pointer.mouse(hand.plot, QEvent.Type.MouseButtonDblClick, at, button, button)
    pointer.let_go(hand.plot, at, button)


def key_held(hand: CurveHand, down: bool, held: Qt.KeyboardModifier = NONE, auto: bool = False) -> None:
    kind = QEvent.Type.KeyPress if down else QEvent.Type.KeyRelease
    QApplication.sendEvent(hand.plot, QKeyEvent(kind, Qt.Key.Key_K, held, "k", auto))


# ------------------------------------------------------------ the list
def channel_list(hand: CurveHand) -> None:
    """Rows and switches of the list, with every modifier; what it paints under the pointer."""
    rows, port = hand.list, hand.list.viewport()
    first, second, third = Lane(X), Lane(Y), Lane(Z)
    heading = QPoint(20, 8)
    places = {"a heading": heading, "a lane": middle(rows, second)}
    places |= {flag: rows.switch_place(second, flag) for flag in ("solo", "locked", "hidden")}
    places |= {
        f"{flag} of a heading": QPoint(rows.switch_place(second, flag).x(), 8) for flag in ("solo", "locked")
    }
    places["below"] = QPoint(30, port.height() - 4)
    for name, at in places.items():
        hand.lines.append(f"=== {name}")
        hand.do("pointed at", lambda at=at: hand.hover(at, widget=rows), back=False)
        hand.do("left", hand.leave)
        for held in (NONE, CTRL, SHIFT):
            hand.do(f"{named(held)}click", lambda at=at, held=held: pointer.tap(rows, at, held))
        hand.do("second click", lambda at=at: [pointer.tap(rows, at) for _ in range(2)])
        hand.do(
            "right click", lambda at=at: [pointer.press(rows, at, RIGHT), pointer.let_go(rows, at, RIGHT)]
        )
    hand.lines.append("=== one after the other")
    for name, at, held in (
        ("X", middle(rows, first), NONE), ("to Z", middle(rows, third), SHIFT), ("not Y", middle(rows, second), CTRL),
        ("to X from Y", middle(rows, first), SHIFT), ("heading", heading, NONE),
        ("from there", middle(rows, second), SHIFT), ("away", places["below"], NONE),
    ):  # fmt: skip
        hand.do(name, lambda at=at, held=held: pointer.tap(rows, at, held), back=False)
    hand.back()
    for flag in ("solo", "locked", "hidden"):
        at = rows.switch_place(second, flag)
        hand.do(f"{flag} of Y", lambda at=at: pointer.tap(rows, at), back=False)
        hand.do("pointed at", lambda at=at: hand.hover(at, widget=rows), back=False)
        hand.do("of all", lambda at=at: pointer.tap(rows, QPoint(at.x(), 8)), back=False)
        hand.do("of all again", lambda at=at: pointer.tap(rows, QPoint(at.x(), 8)))
    rows.setFixedHeight(90)
    hand.settle()
    hand.begin()
    hand.do("wheel in a low list", lambda: pointer.wheel(rows, QPoint(30, 30), -1), back=False)
    hand.do("click in the first row in sight", lambda: pointer.tap(rows, QPoint(30, 4)))
    rows.setFixedSize(150, 300)
    hand.settle()
    hand.begin()
    hand.do("pointed at in a narrow list", lambda: hand.hover(middle(rows, second), widget=rows), back=False)
    hand.do("a heading of it", lambda: hand.hover(heading, widget=rows))
    hand.do("hidden, in a narrow list", lambda: pointer.tap(rows, rows.switch_place(first, "hidden")))
    hand.do("a key in the list", lambda: [rows.setFocus(), hand.press(Qt.Key.Key_A, CTRL)])


def middle(rows, lane: Lane) -> QPoint:
    return QPoint(50, rows.row_rect(lane).center().y())


# ------------------------------------------------------------ layouts
def layouts(hand: CurveHand) -> None:
    """Layouts, quaternions, motion, the buffer: what is painted over the curves and what a drag does there."""
    view, lanes, session = hand.model.view, hand.model.lanes, hand.session
    for layout in (Layout.NORMALISED, Layout.STACKED):
        hand.lines.append(f"=== {layout}")
        hand.do("laid out", lambda layout=layout: view.set_layout(layout), back=False)
        hand.begin()
        hand.drag("drag", hand.key(X, 2), [(0, -20)])
        hand.drag("drag of a handle", hand.handle(X, 2, 1), [(0, -20)])
        hand.do("F", lambda: hand.press(Qt.Key.Key_F))
    hand.do("a chosen lane", lambda: lanes.set_flag("chosen", [Lane(Y)]), back=False)
    hand.do("far away", lambda: view.set_axes(view.axis, view.values.panned(2000.0)), back=False)
    hand.do("very low", lambda: view.set_axes(view.axis, view.values.zoomed(0.03, 0.0)))
    view.set_layout(Layout.ABSOLUTE)
    hand.lines.append("=== speed and acceleration")
    hand.begin()
    session.selection.select(["arm", "elbow"])
    hand.do("on", lambda: session.switches.set("curves_motion", True), back=False)
    hand.do("another bone", lambda: session.selection.select(["arm", "hand"]), back=False)
    hand.do("at the end", lambda: session.playback.seek(1.5), back=False)
    hand.do("in a part", lambda: view.set_axes(replace(view.axis, start=0.9), view.values), back=False)
    hand.do("no bone", lambda: session.selection.select([]), back=False)
    hand.do("off", lambda: session.switches.set("curves_motion", False))
    hand.lines.append("=== the hand's quaternions")
    session.selection.select(["hand"])
    view.fit_all()
    session.selection.select_keys({TURN: [2]})
    hand.begin()
    at = hand.key(TURN, 2, 1)
    hand.do("pointed at", lambda: hand.hover(at))
    hand.drag("drag up", at, [(0, -20)])
    hand.drag("drag aside", at, [(40, 0)])
    hand.do("Ctrl click between", lambda: pointer.tap(hand.plot, hand.on_curve(Lane(TURN, 0), 0.6), CTRL))
    hand.do("stacked", lambda: view.set_layout(Layout.STACKED), back=False)
    hand.do("with long names", lambda: session.selection.select(["hand", "arm"]))
    for code in (Qt.Key.Key_2, Qt.Key.Key_5, Qt.Key.Key_6):
        hand.do(keyed(code), lambda code=code: hand.press(code))


STORIES: dict[str, Callable[[CurveHand], None]] = {
    "keys": keys, "locks": locks, "handles": handles, "ground": ground, "views": views, "ruler": ruler,
    "list": channel_list, "layouts": layouts,
}  # fmt: skip


def told(qapp: QApplication, name: str) -> list[str]:
    with curves(qapp) as hand:
        STORIES[name](hand)
        return hand.lines


@pytest.mark.parametrize("name", list(STORIES))
def test_curves_in_hand_do_what_was_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"curves-{name}", lambda: told(qapp, name))
    assert not problem, problem
