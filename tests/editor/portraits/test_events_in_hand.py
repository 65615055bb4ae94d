"""The overview and the events of the timeline by mouse and keys: what is shown and done, as approved."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from core.clips.clip import Notify
from editor.tools.clip_events import Kind
from tests.editor.portraits import approved, deeds
from tests.editor.portraits.pointer import ALT, CTRL, MIDDLE, NONE, RIGHT, SHIFT
from tests.editor.portraits.strip_hands import StripHands, panel, point, stretch

LEFT_KEY, RIGHT_KEY, ESCAPE, DELETE = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Escape, Qt.Key.Key_Delete


# ------------------------------------------------------------ the overview
def overview(qapp: QApplication) -> list[str]:
    with panel(qapp, "full") as (stage, widget, log):
        strip, view = widget.overview, widget.model.view
        axis = view.axis
        drawn = ("overview_strip",)
        hands = StripHands(
            qapp, stage, strip, log, drawn, lambda: {"in sight": stretch(widget)}, lambda: view.set_axis(axis)
        )
        hands.lines += ["at rest", *(f"    {line}" for line in hands.rest)]
        left, right = (QPoint(round(x), 9) for x in strip.overview.handle())
        middle, beside, far = (left + right) / 2, right + QPoint(120, 0), QPoint(1080, 9)
        places = {
            "its start": left,
            "its end": right,
            "its middle": middle,
            "beside it": beside,
            "the end": far,
        }
        for what, at in places.items():
            hands.over(what, at)
            hands.click(what, at)
            hands.drag(what, at, (1, 0), (50, 30))
            hands.drag(what, at, (-60, 0), end="Escape")
            hands.drag(what, at, (-60, 0), end="right button")
            hands.click(what, at, button=MIDDLE)
        hands.drag("its start over its end", left, (900, 0))
        hands.drag("its end over its start", right, (-900, 0))
        hands.wheel_in_drag("it", middle)
        hands.over("just outside its start", left - QPoint(5, 0))
        hands.over("just outside its end", right + QPoint(6, 0))
        hands.over("further outside its end", right + QPoint(8, 0))
        hands.click("its name", QPoint(20, 9))
        hands.twice("it", middle)
        for notches in (1, -1):
            hands.wheel("it", middle, notches)
            hands.wheel("it", middle, notches, SHIFT)
        hands.key(ESCAPE)
        hands.other("no range", lambda: stage.session.playback.set_range(None))
        hands.other("keys chosen", lambda: stage.actions.run("select.all_keys"))
        hands.other("in light", lambda: stage.theme.use("light"))
        hands.other("in dark", lambda: stage.theme.use("dark"))
        hands.other("far away", lambda: view.set_axis(replace(axis, scale=axis.scale / 9.0)))
        hands.other("near", lambda: view.set_axis(replace(axis, scale=axis.scale * 40.0)))
        hands.other("moved", lambda: stage.session.playback.seek(7.0))
        hands.lines.append(
            f"without its switch: {stage.session.switches.set('overview', False)} {strip.isVisible()}"
        )
        return hands.lines


# ------------------------------------------------------------ events
def event_lanes(qapp: QApplication) -> list[str]:
    with panel(qapp, "full") as (stage, widget, log):
        strip, view, session = widget.events, widget.model.view, stage.session
        axis = view.axis
        strip.chosen = ()

        def named(name: str):
            return next(e for e in strip.events() if e.name == name)

        def own() -> dict[str, str]:
            told = " ".join(f"{e.name or e.lane.kind.name}@{e.time * 30.0:.4g}" for e in strip.chosen)
            return {"chosen": told or "none", "in sight": stretch(widget)}

        def again(*names: str) -> None:
            strip.chosen = tuple(named(name) for name in names)
            view.set_axis(axis)
            strip.update()

        hands = StripHands(
            qapp, stage, strip, log, ("event_strip", "event_paint", "event_marks", "strip_parts"), own, again
        )
        hands.lines += ["at rest", *(f"    {line}" for line in hands.rest)]
        step, hit, left = (point(strip.rect_of(named(n)).center()) for n in ("step", "hit", "left"))
        contact = next(e for e in strip.events() if e.lane.kind is Kind.CONTACT)
        rect = strip.rect_of(named("step"))
        start, end = QPoint(round(rect.left()) + 1, step.y()), QPoint(round(rect.right()) - 1, step.y())
        bare = QPoint(end.x() + 250, step.y())
        places = {"a state": step, "its start": start, "its end": end, "a moment": hit, "a sync marker": left}
        for what, at in {**places, "nothing": bare}.items():
            hands.over(what, at)
            for held in (NONE, SHIFT, CTRL):
                hands.click(what, at, held)
            hands.drag(what, at, (1, 0), (33, 2))
            for held in (SHIFT, CTRL, ALT):
                hands.drag(what, at, (33, 2), held=held)
            hands.drag(what, at, (33, 2), end="Escape")
            hands.drag(what, at, (33, 2), end="right button")
        hands.wheel_in_drag("a moment", hit)
        hands.over("just before its start", start - QPoint(4, 0))
        hands.over("just behind its end", end + QPoint(4, 0))
        hands.over("a contact", point(strip.rect_of(contact).center()))
        hands.drag("a contact", point(strip.rect_of(contact).center()), (33, 2))
        hands.twice("a contact", point(strip.rect_of(contact).center()))
        hands.over("its name", QPoint(20, step.y()))
        hands.click("its name", QPoint(20, step.y()))
        hands.drag("a box", bare, (-3, 0), (-330, 12))
        hands.twice("a state", step, back=False)
        hands.typed("eventName", "stamp", Qt.Key.Key_Return)
        hands.twice("a moment", hit, back=False)
        hands.typed("eventName", "other", ESCAPE)
        hands.twice("a sync marker", left, back=False)
        hands.typed("eventName", " ", Qt.Key.Key_Return)
        hands.twice("nothing", bare, back=False)
        hands.typed("eventName", "new", Qt.Key.Key_Return)
        session.undo()
        hands.twice("its name", QPoint(20, step.y()))
        hands.do("rename its lane", lambda: strip.rename_lane(named("step").lane), back=False)
        hands.typed("laneName", "feet", Qt.Key.Key_Return)
        hands.again = lambda: again("hit", "left")
        hands.again()
        hands.lines.append("=== two are chosen")
        hands.click("one of them", hit)
        hands.click("one of them", hit, SHIFT)
        hands.click("another", step, SHIFT)
        hands.click("nothing", bare, SHIFT)
        hands.drag("one of them", hit, (30, 0))
        hands.drag("a box", bare, (-330, 12), held=SHIFT)
        for code in (DELETE, Qt.Key.Key_Backspace, ESCAPE, LEFT_KEY, Qt.Key.Key_D):
            hands.key(code)
        for code, held in ((LEFT_KEY, ALT), (RIGHT_KEY, ALT), (Qt.Key.Key_D, CTRL), (LEFT_KEY, SHIFT | ALT)):
            hands.key(code, held)
        hands.key(Qt.Key.Key_C, CTRL, back=False)
        hands.key(Qt.Key.Key_V, CTRL)
        hands.again = again
        again()
        hands.lines.append("=== none is chosen")
        for code, held in (
            (DELETE, NONE),
            (ESCAPE, NONE),
            (RIGHT_KEY, ALT),
            (Qt.Key.Key_D, CTRL),
            (Qt.Key.Key_V, CTRL),
        ):
            hands.key(code, held)
        on_lane = replace(session.clip, notifies=(*session.clip.notifies, Notify("land", 2.5, lane="feet")))
        session.edits.put("a lane", on_lane)
        hands.lay_down()
        hands.lines.append("=== two lanes")
        for name in ("step", "land", "left"):
            hands.menus = {entry for entry in hands.menus if "Colour" in entry}
            at = point(strip.rect_of(named(name)).center())
            deeds.use_menu(hands, name, lambda: strip, at)
            hands.click(name, at, button=MIDDLE)
        hands.drag("to the other lane", point(strip.rect_of(named("land")).center()), (2, -15))
        hands.wheel("it", step, 1)
        hands.wheel("it", step, 1, ALT)
        session.switches.set("event_lanes", True)
        hands.other("every lane", lambda: None)
        hands.click("an empty lane", QPoint(500, strip.height() - 8), button=RIGHT)
        return hands.lines


PARTS = {"overview": overview, "events": event_lanes}


@pytest.mark.parametrize("name", list(PARTS))
def test_what_is_shown_and_done_in_hand_is_as_approved(qapp, name: str) -> None:
    problem = approved.problem_of(f"rows-in-hand-{name}", lambda: PARTS[name](qapp))
    assert not problem, problem
