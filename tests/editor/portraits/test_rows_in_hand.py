"""Ruler, markers and rows of the timeline by mouse and keys: what is shown and done, as approved."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from core.clips.clip import Channel, Marker, Property
from core.tracks.key_types import KeyType
from core.tracks.keys import Extrapolation, Interpolation, scalar_track
from editor.model.blocking import Blocking
from editor.model.key_filter import KeyFilter
from editor.model.session import Session
from editor.tools import blocking
from tests.editor.portraits import approved, deeds, pointer
from tests.editor.portraits.pointer import ALT, CTRL, MIDDLE, NONE, RIGHT, SHIFT
from tests.editor.portraits.strip_hands import StripHands, panel, point, stretch

LEFT_KEY, RIGHT_KEY, ESCAPE, DELETE = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Escape, Qt.Key.Key_Delete
ROWS = ("painting", "track_view", "time_ruler", "Canvas", "QIcon", "icon")


# ------------------------------------------------------------ ruler, markers, rows
class Rows:
    """The rows of the small clip with two markers and two selected keys."""

    def __init__(self, qapp: QApplication, stage, widget: QWidget, log) -> None:
        self.session, self.model, self.view = stage.session, widget.model, widget.model.view
        self.widget, self.tracks = widget, widget.tracks
        self.axis = self.view.axis
        self.hands = StripHands(qapp, stage, self.tracks, log, ROWS, self.own, self.again)

    def own(self) -> dict[str, str]:
        model, chosen = self.model, self.model.pointer
        rows = " ".join(
            f"{row.label.replace(' ', '_')}{'-' if row.is_open else ''}" for row in model.rows.all()
        )
        marker = model.markers.aimed_marker
        return {
            "in sight": stretch(self.widget), "unit": self.view.unit.name, "rows": rows,
            "aimed at": f"{model.rows.aimed_row} {None if marker is None else marker.name}",
            "under the pointer": f"{chosen.hovered} {chosen.edge} {chosen.near}",
        }  # fmt: skip

    def again(self) -> None:
        model = self.model
        model.rows._opened = {}
        model.rows.aimed_row = model.markers.aimed_marker = None
        model.rows.set_rows((), ())
        model.rows.drop()
        self.view.set_axis(self.axis)
        self.view.set_scroll(0.0)
        self.view.partial = False
        self.view.changed.emit(None)

    def key(self, row: int, frame: float) -> QPoint:
        return point((self.view.view_x(frame / 30.0), self.view.layout().top(row) + 11.0))

    def label(self, row: int, x: int = 90) -> QPoint:
        return QPoint(x, round(self.view.layout().top(row) + 11.0))

    def ruler(self, frame: float, y: int = 12) -> QPoint:
        return point((self.view.view_x(frame / 30.0), y))


def marked(session: Session, widget: QWidget) -> None:
    markers = (Marker("first", 0.4), Marker("a longer name", 1.0))
    session.edits.put("markers", replace(session.clip, markers=markers))


def ruler_and_markers(qapp: QApplication) -> list[str]:
    with panel(qapp, "plain", marked) as (stage, widget, log):
        rows = Rows(qapp, stage, widget, log)
        hands, at = rows.hands, rows.ruler
        hands.over("the corner", QPoint(20, 12))
        for _ in range(3):
            hands.click("the corner", QPoint(20, 12), back=False)
        hands.over("the ruler", at(30))
        hands.click("the ruler", at(30))
        hands.drag("along the ruler", at(30), (40, 2), (47, 300))
        hands.drag("along the ruler", at(30), (40, 2), held=SHIFT)
        hands.drag("along the ruler", at(30), (-900, 0))
        hands.drag("along the ruler", at(30), (40, 0), end="Escape")
        hands.drag("along the ruler", at(30), (40, 0), end="right button")
        for frame in (6, 45):  # the brackets of the play range
            hands.over("an end of the range", at(frame, 18))
            hands.drag("an end of the range", at(frame, 18), (2, 0), (60, 0))
            hands.drag("an end of the range", at(frame, 18), (60, 0), held=SHIFT)
            hands.drag("an end of the range", at(frame, 18), (60, 0), end="Escape")
            hands.twice("an end of the range", at(frame, 18))
        hands.lines.append("=== markers")
        lane = 31
        flag, name, bare = at(12, lane), at(14, lane), at(22, lane)
        for what, place in (
            ("a flag", flag),
            ("its name", name),
            ("no marker", bare),
            ("the lane", QPoint(20, lane)),
        ):
            hands.over(what, place)
            hands.click(what, place)
        for x in (-5, -7):
            hands.click(f"the flag, {x} px beside it", flag + QPoint(x, 0))
        hands.click("a marker", flag, button=MIDDLE)
        hands.drag("a marker", flag, (1, 0), (44, 0))
        hands.drag("a marker", flag, (44, 0), held=CTRL)
        hands.drag("a marker", flag, (44, 0), held=SHIFT)
        hands.drag("a marker", name, (300, 0))
        hands.drag("a marker", flag, (44, 0), end="Escape")
        hands.drag("no marker", bare, (44, 0))
        hands.twice("a marker", flag, back=False)
        hands.typed("markerName", "last", Qt.Key.Key_Return)
        hands.twice("its name", name, back=False)
        hands.typed("markerName", "last", ESCAPE)
        hands.twice("its name", name, back=False)
        hands.typed("markerName", " ", Qt.Key.Key_Return)
        hands.menus.clear()
        deeds.use_menu(hands, "a marker", lambda: rows.tracks, flag)
        hands.typed("markerName", "by the menu", Qt.Key.Key_Return)
        hands.click("the ruler", at(30), button=RIGHT)
        hands.click("the corner", QPoint(20, 12), button=RIGHT)
        hands.click("no marker", bare, button=RIGHT)
        return hands.lines


def keys_of_rows(qapp: QApplication) -> list[str]:
    with panel(qapp, "plain", marked) as (stage, widget, log):
        rows = Rows(qapp, stage, widget, log)
        hands, session, view = rows.hands, rows.session, rows.view
        number = 1  # of the bone
        chosen, other, bare = rows.key(number, 20), rows.key(number, 60), rows.key(number, 10)
        for what, place in (("a chosen key", chosen), ("another key", other), ("no key", bare)):
            hands.over(what, place)
            for held in (NONE, SHIFT, CTRL, ALT):
                hands.click(what, place, held)
        for held in (NONE, SHIFT, CTRL, ALT):
            hands.drag("a chosen key", chosen, (2, 0), (63, 0), held=held)
            hands.drag("another key", other, (-100, 0), held=held)
        hands.drag("a chosen key", chosen, (63, 0), end="Escape")
        hands.drag("a chosen key", chosen, (63, 0), end="right button")
        for held in (NONE, SHIFT, CTRL):
            hands.drag("a box", rows.key(number, 50), (8, 3), (200, 30), held=held)
        hands.drag("a box", rows.key(number, 50), (200, 30), end="Escape")
        hands.wheel_in_drag("a key", other)
        early, late = QPoint(chosen.x() - 11, bare.y() + 60), QPoint(rows.key(0, 40).x() + 11, bare.y() + 60)
        hands.lines.append("=== the edges of the span")
        for what, place in (("the early edge", early), ("the late edge", late)):
            hands.over(what, place)
            for held in (NONE, SHIFT, CTRL, ALT):
                hands.drag(what, place, (2, 0), (52, 0), held=held)
            hands.drag(what, place, (52, 0), end="Escape")
        near = scalar_track(np.array([19.3, 40.7]) / 30.0, [0.0, 9.0])  # keys that lie on the edges
        session.edits.put("near", session.clip.with_tracks({Channel("hand_l", Property.ROTATE, 0): near}))
        hands.settle()
        for what, place in (("the early edge", early), ("the late edge", late)):
            hands.over(f"{what} on a key", QPoint(place.x(), rows.label(2).y()))
            hands.drag(f"{what} on a key", QPoint(place.x(), rows.label(2).y()), (40, 0))
        session.undo()
        hands.lay_down()
        session.selection.set_flag("locked", ["upper_arm_l"])
        hands.lines.append("=== a locked bone")
        hands.drag("a chosen key", chosen, (63, 0))
        hands.drag("the late edge", late, (52, 0))
        session.selection.set_flag("locked", [])
        for name in ("snap", "snap_keys", "snap_markers"):
            session.switches.set(name, False)
            hands.drag(f"a chosen key, {name} off", chosen, (63, 0), (140, 0))
            session.switches.set(name, True)
        hands.drag("a chosen key over a marker", chosen, (147, 0))
        for held in (NONE, SHIFT, CTRL, ALT):
            for notches in (1, -1):
                hands.wheel("the rows", bare, notches, held)
        again = rows.again

        def many() -> None:
            again()
            rows.model.rows.open_all(True)
            view.set_scroll(60.0)

        hands.lines.append("=== many rows, scrolled")
        chosen_keys = dict(session.selection.keys)
        session.selection.select([])
        hands._bones = session.selection.bones
        hands.again = many
        many()
        hands.lay_down()
        hands.wheel("the names", rows.label(4), 1)
        hands.wheel("the names", rows.label(4), -1)
        for held in (SHIFT, CTRL, ALT):
            hands.wheel("the rows", bare, 1, held)
        hands.drag("the rows", bare, (40, -20), button=MIDDLE)
        hands.drag("the rows", bare, (-40, 20), end="Escape", button=MIDDLE)
        hands.click("the last row in sight", rows.label(14))
        session.selection.select(["upper_arm_l", "hand_l"])
        session.selection.select_keys(chosen_keys)
        hands._bones = session.selection.bones
        hands.again = again
        again()
        hands.lay_down()
        hands.lines.append("=== keys")

        for action in ("time.fit", "time.fit_all"):
            hands.do(action, lambda action=action: stage.actions.run(action))
            session.selection.select_keys({})
            hands.do(f"{action} without keys", lambda action=action: stage.actions.run(action))
            session.selection.select_keys(chosen_keys)

        def scrub() -> None:
            tracks = rows.tracks
            pointer.hover(tracks, bare)
            for kind, move in ((QEvent.Type.KeyPress, True), (QEvent.Type.KeyRelease, False)):
                QApplication.sendEvent(tracks, QKeyEvent(kind, Qt.Key.Key_K, NONE, "k"))
                pointer.press(tracks, bare)
                pointer.mouse(
                    tracks, QEvent.Type.MouseMove, bare + QPoint(44, 0), Qt.MouseButton.NoButton, pointer.LEFT
                )
                hands.show("K is held" if move else "K is up")
                pointer.let_go(tracks, bare + QPoint(44, 0))

        hands.do("drag with K", scrub)
        for code in (ESCAPE, Qt.Key.Key_K, DELETE):
            hands.key(code)
        return hands.lines


def names_of_rows(qapp: QApplication) -> list[str]:
    with panel(qapp, "plain", marked) as (stage, widget, log):
        rows = Rows(qapp, stage, widget, log)
        hands = rows.hands
        for number in (0, 1, 2):
            level = 4 + 14 * rows.model.rows.all()[number].level
            name, arrow, beyond = (
                rows.label(number),
                rows.label(number, level + 6),
                rows.label(number, level + 17),
            )
            hands.lines.append(f"=== row {number}")
            hands.over("its name", name)
            for held in (NONE, SHIFT, CTRL, ALT):
                hands.click("its name", name, held)
            hands.click("its arrow", arrow)
            hands.click("beside its arrow", beyond)
            hands.twice("its name", name)
            hands.twice("its arrow", arrow)
            hands.menus.clear()
            deeds.use_menu(hands, "its name", lambda: rows.tracks, name)
        for action in ("time.solo_row", "time.hide_row"):
            rows.again()
            for number in (1, 2, 2):
                rows.model.rows.aimed_row = [("upper_arm_l",), ("hand_l",)][number - 1]
                rows.hands.again = lambda: None
                hands.do(
                    f"{action} of row {number}", lambda action=action: stage.actions.run(action), back=False
                )
        rows.again()
        hands.again = rows.again
        hands.click("below the rows", QPoint(90, rows.tracks.height() - 3))
        hands.over("below the rows", QPoint(90, rows.tracks.height() - 3))
        return hands.lines


def looks_of_rows(qapp: QApplication) -> list[str]:
    """Rows whose keys lie dense, are held, are filtered, go on beyond; what is said where there are none."""
    with panel(qapp, "plain", marked) as (stage, widget, log):
        rows = Rows(qapp, stage, widget, log)
        hands, session, model = rows.hands, rows.session, rows.model
        times = np.arange(61) / 30.0
        dense = scalar_track(times, 20.0 * np.sin(2.0 * times), interpolations=Interpolation.LINEAR)
        around = replace(
            scalar_track([0.5, 1.0], [0.0, 9.0]), before=Extrapolation.CYCLE, after=Extrapolation.LINEAR
        )
        tracks = {Channel("head", Property.ROTATE, 0): dense, Channel("head", Property.ROTATE, 1): around}
        held = session.clip

        def types() -> None:
            for number, kind in enumerate((KeyType.HOLD, KeyType.BREAKDOWN)):
                session.selection.select_keys(
                    {Channel("head", Property.ROTATE, 0): np.arange(10 + 9 * number, 16 + 9 * number)}
                )
                blocking.set_type(session, kind)

        def clip(**changes: object) -> None:
            session.edits.put("other", replace(session.clip, **changes))

        view = rows.view
        hands.other("dense keys", lambda: (clip(tracks=tracks), session.selection.select(["head"])))
        hands.other("some of other types", types)
        hands.other("far away", lambda: view.set_axis(replace(rows.axis, scale=rows.axis.scale / 6.0)))
        hands.other("further away", lambda: view.set_axis(replace(rows.axis, scale=rows.axis.scale / 30.0)))
        hands.other(
            "all chosen",
            lambda: session.selection.select_keys({c: np.arange(len(t)) for c, t in tracks.items()}),
        )
        hands.other("none chosen", lambda: session.selection.select_keys({}))
        hands.other("as near as before", lambda: view.set_axis(rows.axis))
        hands.other("beginning late", lambda: view.set_axis(replace(rows.axis, start=-2.0)))
        hands.other("ending early", lambda: view.set_axis(replace(rows.axis, start=0.9)))
        hands.other("only holds", lambda: session.feature(KeyFilter).show_only(KeyType.HOLD))
        hands.click("its name", rows.label(0), back=False)
        hands.other("all types", lambda: session.feature(KeyFilter).show_only(None))
        hands.other("in blocking", lambda: session.feature(Blocking).set(True))
        hands.other("no blocking", lambda: session.feature(Blocking).set(False))
        hands.other("every bone", lambda: (session.edits.put("back", held), session.selection.select([])))
        hands.other("one alone", lambda: model.rows.set_rows((), [("upper_arm_l",)]))
        hands.other("one hidden", lambda: model.rows.set_rows([("upper_arm_l",)], ()))
        hands.other("all again", lambda: model.rows.set_rows((), ()))
        hands.other("a range", lambda: session.playback.set_range(0.5, 0.8))
        hands.other("no range", lambda: session.playback.set_range(None))
        hands.other("all open", lambda: model.rows.open_all(True))
        hands.other("scrolled", lambda: view.set_scroll(30.0))
        hands.other("all closed", lambda: model.rows.open_all(False))
        hands.other("no keys of the bones", lambda: session.selection.select(["foot_r"]))
        hands.other("no keys", lambda: (clip(tracks={}), session.selection.select([])))
        hands.other("no clip", lambda: session.playback.set_clip(None, session.rig.id))
        return hands.lines


PARTS = {
    "ruler": ruler_and_markers, "keys": keys_of_rows, "names": names_of_rows, "looks": looks_of_rows,
}  # fmt: skip


@pytest.mark.parametrize("name", list(PARTS))
def test_what_rows_show_and_do_in_hand_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"rows-in-hand-{name}", lambda: PARTS[name](qapp))
    assert not problem, problem
